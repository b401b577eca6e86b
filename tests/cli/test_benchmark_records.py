"""``ordbo benchmark`` of what is on file: other budgets, seeds, problems, methods and baselines without a run."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ordbo_cli.benchmark.records import RecordFile
from ordbo_cli.benchmark.rivals import methods
from ordbo_cli.errors import LockTimeoutError
from tests.benchmark_records import METHODS, PROBLEMS, write_records

Call = Callable[..., Any]


@pytest.fixture
def records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Records of eight methods to 40 evaluations, on a machine where no rival is installed."""
    monkeypatch.setattr(methods, "find_spec", lambda name: None)
    return write_records(tmp_path / "theirs.jsonl")


@pytest.fixture
def scored(ordbo: Call, records: Path, tmp_path: Path) -> Call:
    """Call the command on these records alone, with options in place of the usual ones: nothing may be run."""
    output = tmp_path / "mine.jsonl"

    def call(form: str = "json", **options: object) -> Any:
        usual = {"problems": ",".join(PROBLEMS), "methods": ",".join(METHODS), "seeds": "0:3", "format": form}
        words = [word for name, value in {**usual, **options}.items() for word in (f"--{name}", value)]
        done = ordbo("benchmark", "--records", records, "-o", output, "--jobs", 1, *words)
        assert (done.status, done.err) == (0, "")
        assert sorted(tmp_path.iterdir()) == [records, records.with_name("theirs.timings.jsonl")]
        return json.loads(done.out) if form == "json" else done.out

    return call


def test_all_figures_at_each_budget(scored: Call) -> None:
    """Rows, profiles and rankings of each; at the largest they are those of that budget alone."""
    found = scored(budgets="40,10,20")
    alone = scored(budgets=40)
    for table, rows in (("problems", 3 * 8), ("groups", 8)):
        assert [row["budget"] for row in found[table]] == [n for n in (10, 20, 40) for _ in range(rows)]
        assert [{**row, "simple": 0} for row in found[table][-rows:]] == [{**row, "simple": 0} for row in alone[table]]
    assert found["problems"][0]["simple"].keys() == {"10"}
    assert alone["problems"][0]["simple"].keys() == {"22", "40"}  # halfway and at the end, as of one budget ever
    assert [(each["budget"], each["figure"]) for each in found["rankings"]] == [
        (n, figure) for n in (10, 20, 40) for figure in ("cumulative", "simple")
    ]
    (default, *_) = found["profiles"]
    assert default["solved"].keys() == {"10", "20", "40"}
    assert default["solved"]["40"] == alone["profiles"][0]["solved"]["40"] == default["course"][39]


def test_a_smaller_budget_runs_nothing(scored: Call) -> None:
    """Of methods that know no budget; the figures are those that the longer run has there."""
    few = {"methods": "default,random,botorch", "baseline": "botorch"}
    cut = scored(**few, budgets="10,20")
    whole = scored(**few, budgets="10,20,40")
    assert cut["problems"] == [row for row in whole["problems"] if row["budget"] < 40]
    assert scored(**few, iterations=15)["problems"][0]["cumulative"] == cut["problems"][9]["cumulative"]


def test_any_part_is_scored_by_flags_alone(scored: Call) -> None:
    """Fewer seeds, problems and methods, and another baseline, whose own ratios are 1."""
    part = {"seeds": "2,0", "problems": "bent_cigar_2d", "methods": "pycma,default", "baseline": "pycma"}
    found = scored(budgets=40, **part)["problems"]
    assert [row["method"] for row in found] == ["pycma", "default"]
    assert found[0]["simple_ratio"] == {"value": 1.0, "low": 1.0, "high": 1.0}
    assert found[1]["simple_ratio"]["value"] < 1.0


def test_tables_of_several_budgets(scored: Call) -> None:
    """A block for each budget, of problems and of groups, its headers saying which; then profiles and rankings."""
    heads = [block.splitlines()[0] for block in scored("table", budgets="20,40").split("\n\n")]
    ratios = "cumulative@{0}/vanilla rank simple@{0}/vanilla rank s/suggestion"
    assert [" ".join(head.split()) for head in heads[:7]] == [
        *(f"problem method cumulative@{n} simple@{n} {ratios.format(n)}" for n in (20, 40)),
        *(f"problems method {ratios.format(n)}" for n in (20, 40)),
        "method solved@20 area@20 solved@40 area@40",
        "method rank by cumulative@40 not told apart from",
        "method rank by simple@40 not told apart from",
    ]
    assert heads[7].startswith("Pairs: Wilcoxon's signed ranks over 3 problems")
    assert heads[8] == "Too few problems to tell any two methods apart: 8 methods take 11, not 3."
    assert "Nemenyi's critical difference" in heads[9]


def test_a_group_table_fits_a_terminal(scored: Call) -> None:
    """No line of the tables of groups, profiles and ranks is longer than a hundred letters."""
    out = scored("table", budgets="25,40", methods="default,metric-free,vanilla,random")
    assert max(len(line) for block in out.split("\n\n")[2:7] for line in block.splitlines()) <= 100


def test_who_is_not_installed_needs_all_runs_on_file(ordbo: Call, records: Path, tmp_path: Path) -> None:
    """A method that was named is refused with how much is lacking; one of the usual ones is left out with a word."""
    words = ("--records", records, "-o", tmp_path / "mine.jsonl", "--problems", "step_1d", "--budgets", 40)
    refused = ordbo("benchmark", *words, "--methods", "nevergrad", "--seeds", "0:5")
    assert refused.status == 2
    assert "the method nevergrad needs nevergrad" in refused.err
    assert "2 of its 5 runs are not on file. Install: " in refused.err
    kept = ordbo("benchmark", *words, "--seeds", "0:3")
    assert kept.status == 0
    assert [line.split(": ")[0] for line in kept.err.splitlines()] == ["vanilla-isotropic is left out"]
    assert " vanilla " in kept.out
    short = tmp_path / "short.jsonl"
    write_records(short, ["default", "metric-free", "random", "sobol"], ["step_1d"])
    left = ordbo("benchmark", *words[2:], "--records", short, "--seeds", "0:3")
    assert left.status == 0
    assert left.err.startswith("vanilla is left out: the method vanilla needs gpflow. Install: pip install")


def test_what_is_on_file_is_told_where_it_is_not_what_was_asked(ordbo: Call, records: Path, tmp_path: Path) -> None:
    """Which seeds, how long, from how many initial points, and on how many of the problems; nothing if none is."""
    write_records(records, ["nevergrad"], ["step_1d"], seeds=1, total=20, initial=4)

    def told(methods: str = "nevergrad", problems: str = "bent_cigar_2d", **options: object) -> str:
        words = [word for name, value in options.items() for word in (f"--{name}", value)]
        files = ("--records", records, "-o", tmp_path / "mine.jsonl")
        said = ordbo("benchmark", *files, "--methods", methods, "--problems", problems, *words).err
        return str(said.split("Install")[0].splitlines()[-1].removeprefix("hint: "))

    seeds = "The records hold seeds 0 to 2 of 40 evaluations"
    assert told(seeds="0:3").endswith(f"{seeds}. ")
    assert told(seeds="0,2,3", budgets=40).endswith(f"{seeds}; 1 of its 3 runs are not on file. ")
    assert told(seeds="0", initial=3).endswith(f"{seeds} (5 of them initial). ")
    assert told(problems="bent_cigar_2d,hartmann_4d").endswith(f"{seeds} on 1 of 2 problems. ")
    both = "The records hold seed 0 of 20 evaluations (4 of them initial) and seeds 0 to 2 of 40 evaluations. "
    assert told(problems="step_1d").endswith(both)
    assert "records hold" not in told(problems="hartmann_4d")


def test_what_is_on_file_is_told_of_whom_a_group_goes_on_without(ordbo: Call, records: Path, tmp_path: Path) -> None:
    """In the line that says so, before what to install, as it was told how long its run is."""
    words = ("--records", records, "-o", tmp_path / "mine.jsonl", "--problems", "step_1d", "--iterations", 1)
    done = ordbo("benchmark", *words, "--methods", "random,peers", "--seeds", 1, "--jobs", 1)
    assert "nevergrad needs nevergrad. The records hold seeds 0 to 2 of 40 evaluations. Install: " in done.err


def test_what_is_on_file_of_a_simulator_is_told(
    ordbo: Call, records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By how many of the methods, where it is not installed."""
    from ordbo_cli.benchmark.suites.engineering import engineering_problem

    monkeypatch.setattr(engineering_problem, "find_spec", lambda name: None)
    write_records(records, ["random"], ["two_loop_8o"])
    words = ("--problems", "two_loop_8o", "--methods", "random,sobol", "--seeds", "0:3", "--budgets", 40)
    refused = ordbo("benchmark", "--records", records, "-o", tmp_path / "mine.jsonl", *words)
    told = "The records hold seeds 0 to 2 of 40 evaluations by 1 of 2 methods; 3 of its 6 runs are not on file. Install"
    assert refused.status == 2
    assert told in refused.err


def test_nothing_is_made_where_nothing_is_to_be_done(
    ordbo: Call, records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No lock, here or beside --output, and none is waited for; what there is to do is done under one."""
    (here := tmp_path / "here").mkdir()
    monkeypatch.chdir(here)
    words = ("--records", records, "--problems", "step_1d", "--methods", "random", "--budgets", 40, "--jobs", 1)
    with RecordFile(here / "held.jsonl").locked():
        assert ordbo("benchmark", *words, "--seeds", "0:3", "-o", "held.jsonl").status == 0
        assert ordbo("benchmark", *words, "--seeds", "0:4", "-o", "held.jsonl").status == LockTimeoutError.exit_status
    (here / "held.jsonl.lock").unlink()
    assert ordbo("benchmark", *words, "--seeds", "0:3").status == 0
    assert list(here.iterdir()) == []


def test_files_add_up(ordbo: Call, records: Path, tmp_path: Path) -> None:
    """--records may be repeated; a budget that nobody was told is asked of the file that has it."""
    other = write_records(tmp_path / "others.jsonl", ["optuna-tpe"])
    words = ("--records", records, "--records", other, "-o", tmp_path / "mine.jsonl", "--problems", PROBLEMS[0])
    few = ("--methods", "default,optuna-tpe", "--baseline", "default")
    done = ordbo("benchmark", *words, *few, "--seeds", "0:3", "--budgets", 40)
    assert (done.status, done.err) == (0, "")
    assert done.out.splitlines()[2].split()[:2] == [PROBLEMS[0], "optuna-tpe"]
    told = ordbo("benchmark", *words, "--methods", "nevergrad", "--seeds", "0:3", "--budgets", 20)
    assert told.status == 2  # it would have searched in another way


def test_a_page_is_refused_before_the_work(ordbo: Call, records: Path, tmp_path: Path) -> None:
    """Its folder is there, and it replaces no records."""
    words = ("benchmark", "--records", records, "-o", tmp_path / "mine.jsonl")
    assert ordbo(*words, "--html", tmp_path / "nowhere" / "a.html").status == 66
    refused = ordbo(*words, "--html", records)
    assert refused.status == 2
    assert RecordFile(records).read()


def test_records_that_are_not_there(ordbo: Call, tmp_path: Path) -> None:
    """A file that was named has to be one."""
    words = ("--problems", "step_1d", "--methods", "random", "--seeds", 0, "-o", tmp_path / "mine.jsonl")
    refused = ordbo("benchmark", *words, "--records", tmp_path / "no.jsonl.xz")
    assert refused.status == 66
    assert "no.jsonl.xz: there is no such file of records" in refused.err


@pytest.mark.slow
def test_one_run_for_all_budgets(ordbo: Call, tmp_path: Path) -> None:
    """It goes to the largest, and is on file for what is asked next."""
    output = tmp_path / "runs.jsonl"
    words = ("--problems", "step_1d", "--methods", "random", "--seeds", "0:2", "--jobs", 1, "-o", output)
    assert ordbo("benchmark", *words, "--budgets", "7,12").status == 0
    content = output.read_bytes()
    assert len(content.splitlines()) == 2 * 12
    assert ordbo("benchmark", *words, "--budgets", "9").status == 0
    assert ordbo("benchmark", *words, "--iterations", 7).status == 0
    assert output.read_bytes() == content
