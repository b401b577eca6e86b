"""``ordbo check --invariance`` on real studies: what it says, and the status it ends with."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from ordbo_cli.problem import Evaluation, Problem
from ordbo_cli.problem.method import Method
from ordbo_cli.problem.order import Order

pytestmark = pytest.mark.slow

Call = Callable[..., Any]
FIVE = "log, exp, cube, rank, affine"


@pytest.fixture
def metric_free(study: Path) -> Path:
    """A study in metric-free settings: twelve rows, two floats, a whole number, and one fixed parameter."""
    study.write_text(
        "objective: {name: drag force, goal: maximize}\n"
        "parameters:\n"
        "  angle of attack: {type: float, min: 0, max: 12}\n"
        "  blades: {type: int, min: 3, max: 90}\n"
        "  mach: {type: float, min: 1e-6, max: 1, scale: log}\n"
        "  span: {value: 2.0}\n"
        "method: metric-free\n"
    )
    draw = random.Random(3)
    results = ["1e400", "1.00000000000000000001", "1.00000000000000000002", "failed", *map(str, range(-4, 4))]
    rows = [
        f"{12 * draw.random()},{draw.randint(3, 90)},{10 ** (-6 * draw.random())},2,{result}\n" for result in results
    ]
    study.with_suffix(".csv").write_text("angle of attack,blades,mach,span,drag force\n" + "".join(rows))
    return study


def lines_of(said: Any) -> dict[str, str]:
    """Return what was said after the three lines on the files, by what stands before the first colon."""
    return dict(line.split(": ", 1) for line in said.out.splitlines()[3:] if ": " in line)


def test_metric_free_settings(ordbo: Call, metric_free: Path, digest: Callable[[Path], str]) -> None:
    """The next suggestion and its cell, one line for each; nothing is written, and standard error stays empty."""
    before = digest(metric_free.parent)
    said = ordbo("check", metric_free, "--invariance")
    assert (said.status, said.err) == (0, "")
    assert digest(metric_free.parent) == before
    assert said.out.startswith(ordbo("check", metric_free).out)
    lines = lines_of(said)
    assert list(lines) == ["objective drag force", "'angle of attack'", "blades", "mach"]
    values = re.findall(r"(?:: |[{])\"?([0-9.e-]+)", ordbo("suggest", metric_free, "--dry-run").out)
    angle, blades, mach = values[1:4]
    point = f"'angle of attack'={angle}, blades={blades}, mach={mach}"
    ranks = "the 11 ranks of the 11 results stay"
    assert lines["objective drag force"] == f"{FIVE}, decreasing affine: the same suggestion ({point}); {ranks}"
    assert re.fullmatch(f"{FIVE}: the same cell \\([0-9.]+ to [0-9.]+\\)", lines["'angle of attack'"])
    cell = re.fullmatch(
        r"log, exp, cube, rank: it would not keep the grid; affine: the same cell \(([0-9]+) to ([0-9]+)\)",
        lines["blades"],
    )
    assert cell is not None
    assert int(cell[1]) <= int(blades) <= int(cell[2])
    assert said.out.splitlines()[-1].startswith("inside its cell a point is placed by the parameters' own scales")


def test_what_is_out_takes_part(ordbo: Call, metric_free: Path) -> None:
    """After two suggestions the third is looked at, from the fit that they left."""
    ordbo("suggest", metric_free, "-n", 2)
    said = ordbo("check", metric_free, "--invariance")
    assert said.status == 0
    third = re.search(r'"blades": ([0-9]+)', ordbo("suggest", metric_free, "--dry-run").out)
    assert third is not None
    assert f"blades={third[1]}," in lines_of(said)["objective drag force"]
    assert lines_of(said)["mach"].startswith(f"{FIVE}: the same cell")


def test_distances_count_in_the_default(ordbo: Call, results: Path) -> None:
    """One sentence for all parameters says so, and which setting would not use them."""
    said = ordbo("check", results, "--invariance")
    assert said.status == 0
    lines = lines_of(said)
    assert list(lines) == ["objective drag", "parameters"]
    assert lines["objective drag"].startswith(f"{FIVE}, decreasing affine: the same suggestion (angle=")
    assert "(prior centre: distances)" in lines["parameters"]
    assert "method: metric-free" in lines["parameters"]


def test_the_initial_design(ordbo: Call, metric_free: Path) -> None:
    """No result has a say in it, and its distances are meant; before any result there is nothing to transform."""
    table = metric_free.with_suffix(".csv")
    whole = table.read_text().splitlines(keepends=True)
    table.write_text("".join(whole[:4]))
    some = lines_of(ordbo("check", metric_free, "--invariance"))
    assert "a point of the initial design, which no result has a say in" in some["objective drag force"]
    assert "the initial design spreads its points by distances" in some["parameters"]
    table.unlink()
    none = ordbo("check", metric_free, "--invariance")
    assert none.status == 0
    assert lines_of(none)["objective drag force"] == "there is no result yet that could be transformed"


def test_constraints_are_meant_for_the_values(ordbo: Call, metric_free: Path) -> None:
    """Inputs are not transformed where expressions speak of them; the results are."""
    with metric_free.open("a") as yaml:
        yaml.write("constraints: ['mach * blades <= 40', '`angle of attack` + blades >= 8']\n")
    said = ordbo("check", metric_free, "--invariance")
    assert (said.status, said.err) == (0, "")
    lines = lines_of(said)
    assert list(lines) == ["objective drag force", "parameters"]
    assert lines["parameters"].startswith("the constraints are meant for their values as they are, by design")
    assert f"{FIVE}, decreasing affine: the same suggestion" in lines["objective drag force"]


def test_a_turn_to_explore(ordbo: Call, metric_free: Path) -> None:
    """It goes by the original size of the cells."""
    metric_free.write_text(metric_free.read_text().replace("metric-free", "{preset: metric-free, explore_every: 2}"))
    said = lines_of(ordbo("check", metric_free, "--invariance"))
    assert "a turn to explore (explore_every: 2), which goes by original distances" in said["parameters"]
    assert "the same suggestion" in said["objective drag force"]


def test_one_result_and_ties(ordbo: Call, metric_free: Path) -> None:
    """Few ranks are called what they are."""
    table = metric_free.with_suffix(".csv")
    whole = table.read_text().splitlines(keepends=True)
    failed = [line.rpartition(",")[0] + ",failed\n" for line in whole[1:]]
    table.write_text("".join([whole[0], whole[1], *failed[1:]]))
    said = lines_of(ordbo("check", metric_free, "--invariance"))["objective drag force"]
    assert said.endswith("; there is one result, and so one rank")
    tied = [line.rpartition(",")[0] + ",7\n" for line in whole[1:]]
    table.write_text("".join([whole[0], *tied]))
    lines = lines_of(ordbo("check", metric_free, "--invariance"))
    assert lines["objective drag force"].endswith("; all 12 results are one")
    assert lines["parameters"].startswith("all results are alike, so the largest cell comes next")


def test_results_that_no_digits_tell_apart(ordbo: Call, metric_free: Path) -> None:
    """It is said, and is no error."""
    table = metric_free.with_suffix(".csv")
    table.write_text(table.read_text() + "6,5,0.1,2,1e-9000\n7,5,0.1,2,0\n")
    said = ordbo("check", metric_free, "--invariance")
    assert said.status == 0
    words = "log, exp, affine, decreasing affine: these results cannot be told apart after it"
    assert lines_of(said)["objective drag force"].startswith(words)


def test_what_is_handed_out_again_goes_first(ordbo: Call, metric_free: Path) -> None:
    """The point after it is looked at."""
    table = metric_free.with_suffix(".csv")
    head, *rows = table.read_text().splitlines()
    marked = [f"{head},status", *(f"{row},{'retry' if k == 6 else ''}" for k, row in enumerate(rows))]
    table.write_text("\n".join(marked) + "\n")
    said = ordbo("check", metric_free, "--invariance")
    assert said.status == 0
    assert "is handed out once more first, whatever the values" in said.out
    assert "the same suggestion" in said.out


def test_many_parameters_and_odd_names(ordbo: Call, tmp_path: Path) -> None:
    """A point is named by its first few values, and an unclear name stands in quotation marks."""
    path = tmp_path / "wide.yaml"
    names = [f"x{k}" for k in range(8)]
    parameters = "".join(f"  {name}: {{type: float, min: 0, max: 1}}\n" for name in names)
    path.write_text(f"objective: {{name: best of all, goal: minimize}}\nparameters:\n{parameters}method: metric-free\n")
    draw = random.Random(5)
    rows = [",".join(str(draw.random()) for _ in range(9)) for _ in range(12)]
    path.with_suffix(".csv").write_text("\n".join([",".join([*names, "best of all"]), *rows]) + "\n")
    said = ordbo("check", path, "--invariance")
    assert said.status == 0
    first = said.out.splitlines()[3]
    assert first.startswith("objective 'best of all': log, ")
    assert re.search(r"x5=[0-9.e-]+ and 2 more\)", first)
    assert len(said.out.splitlines()) == 3 + 1 + 8 + 1


def test_progress_on_a_terminal(ordbo: Call, metric_free: Path) -> None:
    """A bar counts the suggestions: one as it is, six and three times five transformed; quiet has none."""
    assert "/22" in ordbo("check", metric_free, "--invariance", terminal=True).err
    assert ordbo("check", metric_free, "--invariance", "--quiet", terminal=True).err == ""


@pytest.mark.parametrize(
    ("yaml", "table", "status", "message"),
    [
        ("failed: error\n", "angle,drag\n1,failed\n", 65, "this evaluation failed, and failed: error is set"),
        ("", "angle,drag\n1,4\n2,3\n3,5\n", 3, "exhausted: every point of the space was tried"),
    ],
)
def test_where_nothing_comes_next(ordbo: Call, study: Path, yaml: str, table: str, status: int, message: str) -> None:
    """It ends as a suggestion would."""
    study.write_text(
        "objective: {name: drag, goal: minimize}\nparameters:\n  angle: {type: int, min: 1, max: 3}\n" + yaml
    )
    study.with_suffix(".csv").write_text(table)
    said = ordbo("check", study, "--invariance")
    assert said.status == status == ordbo("suggest", study, "--dry-run").status
    assert message in said.err
    assert "objective drag" not in said.out


def test_a_difference_is_an_error(ordbo: Call, results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the sizes of results count after all: what differs, in words, a hint to report it, and status 1."""

    def by_size(problem: Problem, evaluations: Sequence[Evaluation]) -> Order:
        results = [e.objective for e in evaluations]
        sizes = tuple(9 if y is None else int(min(max(y, Decimal(-3)), Decimal(5))) + 3 for y in results)
        return Order(sizes, sizes)

    monkeypatch.setattr("ordbo_cli.search.surrogate.order", by_size)
    said = ordbo("check", results, "--invariance")
    assert said.status == 1
    assert re.search(r"another suggestion \(angle=[^)]+\) than before \(angle=[^)]+\)", said.out)
    assert said.err.splitlines()[0] == "error: a transform changed the next suggestion, which it must not"
    assert said.err.splitlines()[1].startswith("hint: This is an error of ordbo: please report it")


def test_another_cell_is_an_error(ordbo: Call, metric_free: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where distances of inputs count after all: both cells in the user's units."""
    metric_free.write_text(metric_free.read_text().replace("metric-free", "default"))
    monkeypatch.setattr(Method, "is_metric_free", True)
    said = ordbo("check", metric_free, "--invariance")
    assert said.status == 1
    assert re.search(r"another cell \(.*'angle of attack'.*\) than before \(.*'angle of attack'.*\)", said.out)
    assert "error: a transform changed the next suggestion" in said.err
