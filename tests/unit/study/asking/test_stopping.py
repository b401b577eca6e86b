"""Stop rules: what they may say, when they hold, and what a study does where one holds."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import pytest

from ordbo_cli.errors import StoppedError, UsageError
from ordbo_cli.search import prediction
from ordbo_cli.search.prediction import Prediction
from ordbo_cli.search.step_input import StepInput
from ordbo_cli.search.step_record import StepKind, StepRecord
from ordbo_cli.study.asking.stopping import StopRule
from ordbo_cli.study.study import Study
from tests.stand_in import Proposed
from tests.unit.conftest import Search


def expected(improvement: float = 0.5, rank: float = 5.0) -> Prediction:
    """Return what a model may expect."""
    return Prediction(rank, improvement, 0.0, 1.0, 1, 9)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("improvement-probability < 0.01", StopRule("improvement-probability", "<", 0.01)),
        ("improvement-probability<1e-3", StopRule("improvement-probability", "<", 0.001)),
        ("  expected-rank  >=  20 ", StopRule("expected-rank", ">=", 20.0)),
        ("expected-rank>+2.5", StopRule("expected-rank", ">", 2.5)),
        ("improvement-probability <=.5", StopRule("improvement-probability", "<=", 0.5)),
    ],
)
def test_what_a_rule_says(text: str, rule: StopRule) -> None:
    """A name, a comparison and a number, with spaces or without; and what it says can be read again."""
    assert StopRule.parse(text) == rule
    assert StopRule.parse(str(rule)) == rule


@pytest.mark.parametrize(
    "text",
    [
        *("", "improvement-probability", "improvement-probability 0.01", "0.01 > improvement-probability"),
        *("improvement-probability < ", "improvement-probability = 0.01", "improvement-probability << 0.1"),
        *("improvement < 0.1", "Improvement-Probability < 0.1", "improvement-probability < 1%"),
        *("improvement-probability < nan", "expected-rank > inf", "expected-rank > 1_0", "expected-rank > 1e999"),
        *("improvement-probability < 1.5", "improvement-probability < -0.1", "expected-rank > 0.5"),
        *("expected-rank > 2 or expected-rank > 3", "expected-rank > ٣", "expected-rank > 2\nx"),
    ],
)
def test_what_is_no_rule(text: str) -> None:
    """Anything else is refused, in words that say what is possible, as is a limit that nothing can be beyond."""
    with pytest.raises(UsageError) as refused:
        StopRule.parse(text)
    assert refused.value.hint
    with pytest.raises(UsageError, match="no comparison"):
        StopRule("expected-rank", "==", 2.0)


@pytest.mark.parametrize(
    ("comparison", "held"), [("<", [True, False, False]), ("<=", [True, True, False])], ids=["below", "not above"]
)
def test_when_a_rule_holds(comparison: str, held: list[bool]) -> None:
    """Below, at and above the limit; each figure is compared with its own."""
    against = {"<": ">=", "<=": ">"}[comparison]
    for k, by in enumerate((-1e-9, 0.0, 1e-9)):
        chance, rank = expected(improvement=0.25 + by, rank=99.0), expected(improvement=0.99, rank=4.0 + by)
        assert StopRule("improvement-probability", comparison, 0.25).holds(chance) == held[k]
        assert StopRule("improvement-probability", against, 0.25).holds(chance) != held[k]
        assert StopRule("expected-rank", comparison, 4.0).holds(rank) == held[k]
        assert StopRule("expected-rank", against, 4.0).holds(rank) != held[k]


@pytest.mark.parametrize(
    ("text", "figure", "words"),
    [
        ("improvement-probability < 0.01", 0.004, "chance to beat the best is 0.4%, below 1%"),
        ("improvement-probability < 0.01", 0.0099996, "chance to beat the best is 0.99996%, below 1%"),
        ("improvement-probability <= 0.01", 0.01, "chance to beat the best is 1%, not above 1%"),
        ("improvement-probability < 0.01", 0.0, "chance to beat the best is 0%, below 1%"),
        ("improvement-probability < 1e-4", 1.23456e-9, "chance to beat the best is less than 0.0001%, below 0.01%"),
        ("improvement-probability < 1e-8", 1.23456e-9, "chance to beat the best is 1.2e-07%, below 1e-06%"),
        ("expected-rank > 20", 31.27, "expected rank is 31, above 20"),
        ("expected-rank >= 20", 20.0003, "expected rank is 20.0003, not below 20"),
        ("expected-rank > 1000", 1234.0, "expected rank is 1234, above 1000"),
        ("expected-rank < 1.5", 1.3, "expected rank is 1.3, below 1.5"),
    ],
)
def test_what_people_are_told(text: str, figure: float, words: str) -> None:
    """The figure, the limit and the rule; as many digits as tell the two apart."""
    rule = StopRule.parse(text)
    told = rule.words(expected(figure if "%" in words else 0.5, 5.0 if "%" in words else figure))
    assert told == f'the next point\'s {words}: the rule "{rule}" stops here'


@dataclass
class Model:
    """Stands in for the search: its k-th step has the chance ``chances[k]``, and is of the kind ``kinds[k]``."""

    chances: list[float]
    kinds: list[StepKind]
    asked: int = 0

    def propose(self, given: StepInput, **_: Any) -> Proposed:
        """Return a point whose angle is its step."""
        self.asked += 1
        kind, step = self.kinds[given.step % len(self.kinds)], given.step
        return Proposed((step + 0.5, 3), None if kind == "initial" else {"step": step}, StepRecord(kind))

    def expected_at(self, given: StepInput, proposal: Proposed) -> Prediction | None:
        """Return what is expected, by the fit that came with the point."""
        assert proposal.fit is not None
        assert proposal.values == (proposal.fit["step"] + 0.5, 3)
        chance = self.chances[proposal.fit["step"]]
        return None if chance < 0.0 else expected(chance, rank=100.0 * chance)


@pytest.fixture
def model(search: Search, monkeypatch: pytest.MonkeyPatch) -> Model:
    made = Model([0.5] * 9, ["acquire"])
    monkeypatch.setattr(sys.modules["ordbo_cli.search.step"], "propose", made.propose)
    monkeypatch.setattr(prediction, "expected_at", made.expected_at)
    return made


RULE = StopRule.parse("improvement-probability < 0.1")


def kept(study: Study) -> list[bytes | None]:
    """Return what the files hold."""
    paths = (study.evaluations_path, study.state_path)
    return [path.read_bytes() if path.exists() else None for path in paths]


@pytest.mark.parametrize("way", [{}, {"dry_run": True}, {"append": True}, {"append": None}])
def test_nothing_is_recorded_where_a_rule_holds(study: Study, model: Model, way: dict[str, Any]) -> None:
    """The first point stops; the files stay as they are, no id is claimed, and without the rule it goes out."""
    model.chances[0] = 0.05
    before = kept(study)
    for number in (1, 3):
        with pytest.raises(StoppedError, match="is 5%, below 10%") as stopped:
            study.ask_batch(number, stop_when=[RULE], claim=lambda _: pytest.fail("claimed"), **way)
        assert stopped.value.exit_status == 3
        assert kept(study) == before
    assert [each.values for each in study.ask_batch(1, **way)] == [(0.5, 3)]


def test_any_of_several_rules(study: Study, model: Model) -> None:
    """The first that holds is told of."""
    other = StopRule.parse("expected-rank > 40")
    with pytest.raises(StoppedError, match="expected rank is 50, above 40"):
        study.ask_batch(1, stop_when=[RULE, other])
    assert study.ask_batch(1, stop_when=[RULE])


@pytest.mark.parametrize("dry_run", [False, True])
def test_the_points_before_go_out(study: Study, model: Model, dry_run: bool) -> None:
    """In a batch those before the one that stops, with a warning; what comes after it is not even looked for."""
    model.chances[2] = 0.02
    points = study.ask_batch(6, stop_when=[RULE], dry_run=dry_run)
    assert [each.id for each in points] == [1, 2]
    (warning,) = points.warnings
    assert warning.startswith("only 2 of 6 points are handed out: the next point's chance to beat the best is 2%")
    assert len(points.chosen) == 2
    assert len(study.pending()) == (0 if dry_run else 2)
    assert model.asked == 3  # in a batch that is recorded, all of them before the lock
    assert study.prepare(2)[0].values == ((0.5, 3) if dry_run else (2.5, 3))


def test_prepared_points_are_tested_too(study: Study, model: Model) -> None:
    """By the model that chose them, whatever came since."""
    model.chances[1] = 0.0
    prepared = study.prepare(3)
    assert len(prepared) == 3
    study.tell(7, parameters={"angle": 11, "blades": 9})
    assert [each.values for each in study.ask_batch(3, prepared=prepared, stop_when=[RULE])] == [(0.5, 3)]
    with pytest.raises(StoppedError):
        study.ask_batch(2, prepared=prepared[1:], stop_when=[RULE])
    assert [each.values for each in study.ask_batch(2, prepared=prepared[1:])] == [(1.5, 3), (2.5, 3)]


@pytest.mark.parametrize("kind", ["initial", "explore", "spread"])
def test_points_that_are_not_to_be_better_stop_nothing(study: Study, model: Model, kind: StepKind) -> None:
    """The initial design, turns to explore, and points of which there are more than cells."""
    model.kinds, model.chances = [kind], [0.0] * 9
    assert len(study.ask_batch(4, stop_when=[RULE])) == 4


def test_points_to_be_evaluated_again_stop_nothing(study: Study, model: Model) -> None:
    """They go first; only then is a new point asked for, and stops."""
    study.ask_batch(2)
    study.tell(id=1, retry=True)
    model.chances[2] = 0.0
    assert [each.id for each in study.ask_batch(2, stop_when=[RULE])] == [1]
    with pytest.raises(StoppedError):
        study.ask_batch(1, stop_when=[RULE])


def test_a_model_of_no_result_stops_nothing(study: Study, model: Model) -> None:
    """Nothing is predicted where everything that is known is out or ignored."""
    model.chances = [-1.0] * 9
    assert len(study.ask_batch(2, stop_when=[RULE])) == 2
