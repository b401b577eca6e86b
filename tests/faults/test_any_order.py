"""Tables that other programs sort, cut and rewrite between calls: no result is lost, invented or asked for again."""

from __future__ import annotations

import random
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from ordbo_cli.errors import OrdboError
from ordbo_cli.study.study import Study
from tests.conftest import Tally
from tests.stand_in import Proposed, StepInput, search_modules

HEADERS = {
    "ours": "",
    "no ids": "drag,angle,blades,status\n",
    "no status": "angle;blades;drag;note\n",
    "blanks": "angle blades drag\n",
}
_SHOWN = ("ok", "failed", "abandoned", "expired", "pending", "retry")
many = pytest.mark.parametrize(
    ("number", "seed"), [(4, 0), *(pytest.param(20, seed, marks=pytest.mark.faults_long) for seed in range(1, 4))]
)


@pytest.fixture
def drag(shared: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A problem file, and in the place of the search one whose points are new and have all digits."""

    def propose(given: StepInput, **_: Any) -> Proposed:
        return Proposed((12 * ((given.step + 1) * 0.6180339887498949 % 1), 4), {})

    for name, module in search_modules(propose).items():
        monkeypatch.setitem(sys.modules, name, module)
    return shared


def worked_on(path: Path, header: str, rng: random.Random) -> Study:
    """Return a study on which a few hands have worked for a while, each call as a command would make it."""
    for other in path.parent.glob("drag.*"):
        if other != path:
            other.unlink()
    if header:
        path.with_suffix(".csv").write_text(header)
    study = Study.open(path)
    for _ in range(14):
        known = [point.id for point in study.points() if point.id is not None]
        try:
            _one_call(study, rng, known)
        except OrdboError:  # what was said of it already, or what this table cannot say
            continue
    study.ask()
    return study


def _one_call(study: Study, rng: random.Random, known: list[int]) -> None:
    y = round(rng.random(), rng.randint(1, 17))
    kind = rng.choice(("ask", "ask", "tell", "tell", "tell", "own", "amend", "close"))
    if kind == "ask" or not known:
        study.ask_batch(rng.randint(1, 2), append=rng.random() < 0.5)
    elif kind == "own":
        study.tell(y, parameters={"angle": 12 * rng.random(), "blades": 5})
    elif kind == "close":
        what, amend = rng.choice(("failed", "abandon", "retry")), rng.random() < 0.5
        said = [what == each for each in ("failed", "abandon", "retry")]
        study.tell(id=rng.choice(known), failed=said[0], abandon=said[1], retry=said[2], amend=amend)
    else:
        study.tell(y, id=rng.choice(known), amend=kind == "amend")


def results(study: Study) -> list[tuple[Any, ...]]:
    """Return every point with what became of it, in no order of its own."""
    points = study.points()
    assert {each.status for each in points} <= {*_SHOWN}
    return sorted((each.id or 0, each.status, str(each.objective), str(dict(each.parameters))) for each in points)


def lines(path: Path) -> tuple[str, list[str]]:
    head, *rest = path.with_suffix(".csv").read_text().splitlines(keepends=True)
    return head, rest


@many
@pytest.mark.parametrize("header", HEADERS)
def test_any_permutation_holds_the_same_results(drag: Path, tally: Tally, header: str, number: int, seed: int) -> None:
    """With the state that the last suggestion left; and the next point is new."""
    rng = random.Random(f"{header} {seed}")
    for _ in range(number):
        study = worked_on(drag, HEADERS[header], rng)
        expected, (head, rest) = results(study), lines(drag)
        for _ in range(5):
            rng.shuffle(rest)
            drag.with_suffix(".csv").write_text(head + "".join(rest))
            assert results(study) == expected
            tally("permutations of tables", 1)
        assert study.ask(dry_run=True).id not in {id for id, status, *_ in expected if status not in ("retry",)}


@many
@pytest.mark.parametrize("header", HEADERS)
def test_any_cut_is_missed_and_mended(drag: Path, tally: Tally, header: str, number: int, seed: int) -> None:
    """Rows that vanished are named, their points are not handed out again, and their return is all that it takes."""
    rng = random.Random(f"{header} {seed}")
    for _ in range(number):
        study = worked_on(drag, HEADERS[header], rng)
        before, content = study.points(), drag.with_suffix(".csv").read_text()
        head, rest = lines(drag)
        for _ in range(5):
            kept = rest[: rng.randint(0, len(rest))]
            drag.with_suffix(".csv").write_text(head + "".join(kept))
            there = {each.id for each in study.points() if each.status in ("ok", "failed", "abandoned", "expired")}
            lost = {each.id for each in before if each.status in ("ok", "failed", "abandoned")} - there
            said = " ".join(
                warning for warning in study.points().warnings if "there no more" in warning or "your own" in warning
            )
            assert lost <= {int(number) for number in re.findall(r"\d+", said)}
            fresh = study.ask(dry_run=True)
            assert fresh.id not in {each.id for each in before if each.status != "retry"}
            tally("cuts of tables", 1)
            tally("lost results that were named", len(lost))
        drag.with_suffix(".csv").write_text(content)
        study.ask()
        known = {each.id: each.status for each in study.points()}
        assert all(known.get(each.id) == each.status for each in before if each.status in ("ok", "failed", "abandoned"))


@many
def test_a_spreadsheet_that_keeps_fifteen_digits(drag: Path, tally: Tally, number: int, seed: int) -> None:
    """Rounded or cut: the same study, without a word about it, and what is told again is recorded already."""
    rng = random.Random(f"digits {seed}")
    for _ in range(number):
        study = worked_on(drag, "", rng)
        study.tell(rng.random(), parameters={"angle": 12 * rng.random(), "blades": 5})
        told = study.tell(1 / 3, id=study.ask().id)
        head, rest = lines(drag)
        expected = [(id, status) for id, status, *_ in results(study)]
        for rewrite in (_rounded, _cut):
            text = re.sub(r"\d+\.\d{15,}", rewrite, "".join(rest))
            drag.with_suffix(".csv").write_text(head + text)
            assert [(id, status) for id, status, *_ in results(study)] == expected
            assert study.status().warnings == ()
            assert not study.tell(1 / 3, id=told.id).new
            tally("tables rewritten with 15 digits", 1)


def _rounded(match: re.Match[str]) -> str:
    return f"{float(match[0]):.15g}"


def _cut(match: re.Match[str]) -> str:
    """Return a number whose digits end after the fifteenth that counts."""
    text = match[0]
    whole, _, rest = text.partition(".")
    digits = whole.lstrip("0") + rest
    leading = 0 if whole.strip("0") else len(rest) - len(rest.lstrip("0"))
    return text[: len(text) - max(0, len(digits) - leading - 15)]
