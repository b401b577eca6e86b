"""``ordbo diagnose``: figures with their sentences, the fits of the study, and what cannot be said."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ordbo_cli.study.study import Study

pytestmark = pytest.mark.slow

Call = Callable[..., Any]
PROBLEM = """\
objective: {name: y, goal: minimize}
parameters: {x: {min: 0, max: 2}, z: {min: -1, max: 1}}
method: {iterations: 40, initial: 5}
"""


@pytest.fixture
def walked(tmp_path: Path) -> Path:
    """A study of twelve results that it asked for itself."""
    path = tmp_path / "a.yaml"
    path.write_text(PROBLEM)
    go_on(path, 12)
    return path


def go_on(path: Path, number: int, at_once: int = 1) -> None:
    study = Study.open(path)
    for _ in range(number // at_once):
        for point in study.ask_batch(at_once):
            x, z = float(point.parameters["x"]), float(point.parameters["z"])
            study.tell(math.exp(2 * math.sin(3 * x) + z * z), id=point.id)


def diagnosed(ordbo: Call, path: Path, *words: object) -> dict[str, Any]:
    done = ordbo("diagnose", path, "--theory", "--json", *words)
    assert (done.status, done.err) == (0, "")
    found: dict[str, Any] = json.loads(done.out)
    return found


def test_each_figure_has_its_sentence(ordbo: Call, walked: Path) -> None:
    """In text and in JSON the same figures, with a sentence each that ends as sentences do; nothing is recorded."""
    before = {each.name: each.read_bytes() for each in walked.parent.iterdir()}
    shown = ordbo("diagnose", walked, "--theory")
    assert (shown.status, shown.err) == (0, "")
    found = diagnosed(ordbo, walked)
    named = {name: value for group in ("checks", "next", "theory") for name, value in found[group].items()}
    assert set(named) == set(found["sentences"])
    flat = " ".join(shown.out.split())
    for name, sentence in found["sentences"].items():
        value = named[name]
        assert f"{name} {'-' if value is None else format(value, '.3g')} {' '.join(sentence.split())}" in flat
        assert sentence[0].isupper() or sentence[0].isdigit()
        assert sentence.endswith(".")
    assert "\x1b" not in shown.out
    assert max(map(len, shown.out.splitlines())) <= 120
    assert {each.name: each.read_bytes() for each in walked.parent.iterdir()} == before


def test_the_theory_is_shown_on_demand(ordbo: Call, walked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without --theory there are the other two sections, with the same figures; what is about it alone is refused."""
    whole = ordbo("diagnose", walked, "--theory").out
    full = diagnosed(ordbo, walked)
    monkeypatch.setattr("ordbo_cli.insight.theory_history.theory_history", None)  # no fit is made for it
    shown = ordbo("diagnose", walked)
    assert (shown.status, shown.err) == (0, "")
    assert whole.startswith(shown.out)
    assert [line for line in shown.out.splitlines()[1:] if line and line[0] != " "] == [
        "Does the model predict the order?",
        "What does it expect of the next point?",
    ]
    found = json.loads(ordbo("diagnose", walked, "--json").out)
    sentences = found.pop("sentences")
    assert found == {name: full[name] for name in found}
    assert sentences.items() < full["sentences"].items()
    assert full.keys() - found.keys() == {"theory", "constants", "steps", "sentences"}
    for option in ("--steps", "--delta", "--c1", "--c2"):
        refused = ordbo("diagnose", walked, option, 2)
        assert (refused.status, refused.err.splitlines()[0]) == (2, f"error: {option} without --theory")


def test_the_figures_are_those_of_the_study(ordbo: Call, walked: Path) -> None:
    """Its evaluations and steps; what predict says of the next point's rank; the constants of the theorem."""
    found = diagnosed(ordbo, walked)
    assert found["evaluations"] == 12
    assert [step["rows"] for step in found["steps"]] == list(range(5, 13))
    assert found["left_out_by"] == "refitted"
    assert -1.0 <= found["checks"]["kendall_tau"] <= 1.0
    point = json.loads(ordbo("suggest", walked, "--dry-run").out)["parameters"]
    said = json.loads(ordbo("predict", walked, *(f"{name}={x!r}" for name, x in point.items())).out)
    assert 0.0 < found["next"]["improvement_probability"] != said["chance_to_beat_best"]  # which has no record
    assert found["next"]["expected_rank"] == pytest.approx(said["expected_rank"], rel=1e-6)
    constants, last = found["constants"], found["steps"][-1]
    log = math.log1p(1.0 / constants["sigma"] ** 2)
    assert constants["C1"] == pytest.approx(2.0 / log)
    assert constants["C2"] == pytest.approx((2 * constants["C"]) ** 2 / log)
    inside = constants["C1"] * last["maximal_gain"] + constants["C2"] * (1 + math.log(12))
    bound = math.sqrt(4 * 12 * last["beta_of_lemma_1"] ** 2 * inside) + constants["C3"]
    assert found["theory"]["regret_bound"] == last["regret_bound"] == pytest.approx(bound)
    variances = [step["cumulative_variance"] for step in found["steps"]]
    assert variances == sorted(variances)
    assert last["information_gain"] == found["theory"]["information_gain"] <= last["maximal_gain"]
    assert found["theory"]["largest_move"] == max(step["moved"] or 0.0 for step in found["steps"])


def test_results_that_nobody_asked_for_are_in_it(ordbo: Call, walked: Path) -> None:
    """Each result makes a fit of its own, however many points went out at once."""
    ordbo("observe", walked, "x=0.4", "z=0.2", "y=3")
    assert [step["rows"] for step in diagnosed(ordbo, walked)["steps"]] == list(range(5, 14))
    go_on(walked, 4, at_once=4)
    assert [step["rows"] for step in diagnosed(ordbo, walked)["steps"]] == list(range(5, 18))


def test_constants_may_be_given(ordbo: Call, walked: Path) -> None:
    """As options, and by the problem's schedule; what cannot be is a usage error."""
    plain = diagnosed(ordbo, walked)
    given = diagnosed(ordbo, walked, "--delta", 0.01, "--c1", 3, "--c2", 1.5)["constants"]
    assert (given["delta"], given["c1"], given["c2"]) == (0.01, 3.0, 1.5)
    assert plain["constants"]["delta"] == 0.1
    done = ordbo("diagnose", walked, "--theory", "--delta", 2)
    assert (done.status, done.err.splitlines()[0]) == (2, "error: delta is 2.0")
    assert ordbo("diagnose", walked, "--theory", "--c1", 0.5).status == 2
    walked.write_text(PROBLEM.replace("initial: 5", "initial: 5, beta: {delta: 0.03, scale: 0.1}, drift: 0.5"))
    walked.with_name("a.state.json").unlink()
    found = diagnosed(ordbo, walked)
    assert (found["constants"]["delta"], found["constants"]["C"]) == (0.03, 0.5)
    last = found["steps"][-1]
    assert last["beta"] == pytest.approx(math.sqrt(0.1) * last["beta_of_lemma_1"], rel=0.02)
    assert last["move_allowed"] == pytest.approx(0.5 * 2 / 12)


def theory_of(found: dict[str, Any]) -> list[dict[str, Any]]:
    """Return all figures of the theory, without those that are null, to compare."""
    groups = [found["theory"], found["constants"], *found["steps"]]
    return [{name: value for name, value in group.items() if value is not None} for group in groups]


@pytest.mark.parametrize("drift", ["", ", drift: 0.3"])
def test_the_theory_is_the_same_whatever_the_state_holds(ordbo: Call, tmp_path: Path, drift: str) -> None:
    """A state that is whole, that is from another study, that has points out, that holds nonsense, and none."""
    path = tmp_path / "a.yaml"
    path.write_text(PROBLEM.replace("initial: 5", f"initial: 5{drift}"))
    go_on(path, 9)
    state = path.with_name("a.state.json")
    early = json.loads(state.read_text())["fit"]
    go_on(path, 3)
    plain = theory_of(diagnosed(ordbo, path))
    assert len(plain) == 2 + 8
    content = json.loads(state.read_text())
    assert ordbo("suggest", path, "-n", 2).status == 0
    others = [state.read_text(), json.dumps({**content, "fit": early}), json.dumps({**content, "fit": {"knots": 3}})]
    others.append(json.dumps({**content, "diagnostics": [{"kind": 3, "rows": -1, "analysis": {"gain": 1e308}}]}))
    for text in others:
        state.write_text(text)
        for one, other in zip(plain, theory_of(diagnosed(ordbo, path)), strict=True):
            assert other == pytest.approx(one, rel=1e-6)
    state.unlink()
    for one, other in zip(plain, theory_of(diagnosed(ordbo, path)), strict=True):
        assert other == pytest.approx(one, rel=1e-6)


def test_one_fit_has_no_moves(ordbo: Call, tmp_path: Path) -> None:
    """The initial design alone: nothing has moved, and the sentence says why."""
    path = tmp_path / "a.yaml"
    path.write_text(PROBLEM)
    path.with_suffix(".csv").write_text("x,z,y\n1,0,3\n0.5,0.5,2\n0.1,0.2,1\n")
    found = diagnosed(ordbo, path)
    (step,) = found["steps"]
    assert (step["rows"], step["moved"]) == (3, None)
    assert 0.0 < step["cumulative_variance"] < 3.0
    assert found["theory"]["largest_move"] is None
    assert "there is one fit" in found["sentences"]["largest_move"]


def test_failures_that_are_ignored_at_first(ordbo: Call, tmp_path: Path) -> None:
    """The fits begin with the first result that counts."""
    path = tmp_path / "a.yaml"
    path.write_text(f"{PROBLEM}failed: ignore\n")
    rows = [f"{0.1 * k},0.{k},failed" for k in range(6)] + ["1,0,3", "0.5,0.5,2", "0.1,0.25,1"]
    path.with_suffix(".csv").write_text("\n".join(["x,z,y", *rows, ""]))
    assert [step["rows"] for step in diagnosed(ordbo, path)["steps"]] == [1, 2, 3]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("1,0,3\n", "different points are needed, not of 1"),
        ("1,0,3\n0.5,0.5,3\n0.1,0.2,3\n1.5,-0.5,3\n", "all results are equal"),
        ("1,0,failed\n0.5,0.5,failed\n0.1,0.2,failed\n", "all results are equal"),
        ("1,0,1\n1,0,2\n1,0,3\n", "different points are needed, not of 1"),
    ],
)
def test_little_to_learn_from_is_said(ordbo: Call, tmp_path: Path, rows: str, words: str) -> None:
    """No traceback, no NaN: figures are null, and the sentence says why; the theory has its say all the same."""
    path = tmp_path / "a.yaml"
    path.write_text(PROBLEM)
    path.with_suffix(".csv").write_text(f"x,z,y\n{rows}")
    found = diagnosed(ordbo, path)
    assert found["checks"]["kendall_tau"] is None
    assert words in found["sentences"]["kendall_tau"]
    assert found["next"]["improvement_probability"] is None
    assert "initial design" in found["sentences"]["improvement_probability"]
    assert found["theory"]["information_gain"] > 0.0
    assert ordbo("diagnose", path, "--theory").status == 0


def test_what_cannot_be_diagnosed(ordbo: Call, tmp_path: Path) -> None:
    """No results at all, and a failure that the problem forbids: the statuses of the other commands."""
    path = tmp_path / "a.yaml"
    path.write_text(PROBLEM)
    done = ordbo("diagnose", path)
    assert (done.status, done.err.splitlines()[0]) == (65, "error: there is no evaluation to learn from")
    path.write_text(f"{PROBLEM}failed: error\n")
    path.with_suffix(".csv").write_text("x,z,y\n1,0,failed\n0,0,1\n")
    assert ordbo("diagnose", path).status == 65
    assert ordbo("diagnose", tmp_path / "none.yaml").status == 66


def test_a_kernel_without_slopes(ordbo: Call, walked: Path) -> None:
    """Matern 1/2: the bounds are null, with the reason."""
    walked.write_text(PROBLEM.replace("initial: 5", "initial: 5, kernel: matern12"))
    walked.with_name("a.state.json").unlink()
    found = diagnosed(ordbo, walked)
    assert found["theory"]["regret_bound"] is None
    assert "no slope" in found["sentences"]["beta_of_lemma_1"]
    assert ordbo("diagnose", walked, "--theory").status == 0


def test_a_space_that_ran_out(ordbo: Call, tmp_path: Path) -> None:
    """Nothing comes next, and the rest is there."""
    path = tmp_path / "a.yaml"
    path.write_text("objective: {name: y, goal: minimize}\nparameters: {n: {type: int, min: 1, max: 4}}\n")
    path.with_suffix(".csv").write_text("n,y\n1,4\n2,3\n3,1\n4,2\n")
    found = diagnosed(ordbo, path)
    assert "every point of the space was tried" in found["sentences"]["improvement_probability"]
    assert found["checks"]["kendall_tau"] is not None


def test_a_turn_to_explore_is_not_said_to_stop(ordbo: Call, walked: Path) -> None:
    """What the sentence says of the stop rule is what suggest does, for a point with little chance as well."""
    walked.write_text(PROBLEM.replace("initial: 5", "initial: 5, explore_every: 2"))
    walked.with_name("a.state.json").unlink()
    rule = ("--stop-when", "improvement-probability < 0.01")
    kinds = set()
    for _ in range(6):
        found = diagnosed(ordbo, walked)
        stops = "would end the search here" in found["sentences"]["improvement_probability"]
        assert (ordbo("suggest", walked, "--dry-run", *rule).status == 3) == stops
        if found["next"]["improvement_probability"] < 0.01:
            kinds.add("turn to explore" in found["sentences"]["improvement_probability"])
        go_on(walked, 1)
    assert True in kinds


def test_one_of_a_kind_is_said_in_the_singular(ordbo: Call, tmp_path: Path) -> None:
    """And an option in a sentence is not broken at its hyphen."""
    path = tmp_path / "a.yaml"
    path.write_text("objective: {name: y, goal: minimize}\nparameters: {x: {min: 0, max: 1}}\n")
    path.with_suffix(".csv").write_text("x,y\n0.5,1\n")
    assert ordbo("diagnose", path).out.splitlines()[0].endswith(": 1 result, 1 parameter")
    path.with_suffix(".csv").write_text("x,y\n0.5,1\n0,2\n1,3\n0.2,1\n0.7,1\n")
    assert "--stop-when" in ordbo("diagnose", path).out
