"""``ordbo benchmark`` from the command line: tables, figures, a simulator of one's own, errors."""

from __future__ import annotations

import dataclasses
import io
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import scipy

from ordbo_cli.cli.console import Console

Call = Callable[..., Any]

_NO_BASELINE = "no vanilla method takes part: there is no baseline to compare with; --baseline NAME names one\n"
_QUICK = ("--problems", "step_1d,disk_failure_2d", "--methods", "default,random", "--seeds", "0:2", "--iterations", 2)


@pytest.fixture
def output(tmp_path: Path) -> Path:
    return tmp_path / "runs.jsonl"


@pytest.mark.slow
def test_a_small_experiment(ordbo: Call, output: Path) -> None:
    """A row for each problem and method, a second table for all problems; on standard error what ratios lack."""
    done = ordbo("benchmark", *_QUICK, "--jobs", 1, "--output", output)
    assert (done.status, done.err) == (0, _NO_BASELINE)
    first, second, *_ = done.out.split("\n\n")
    assert first.splitlines()[0].split()[:5] == ["problem", "method", "cumulative", "simple@6", "simple@7"]
    assert [line.split()[:2] for line in first.splitlines()[1:]] == [
        [problem, method] for problem in ("step_1d", "disk_failure_2d") for method in ("default", "random")
    ]
    assert [line.split()[:2] for line in second.splitlines()[1:]] == [["all", "default"], ["all", "random"]]
    assert len(output.read_text().splitlines()) == 2 * 2 * 2 * 7


@pytest.mark.slow
def test_formats_show_the_same(ordbo: Call, output: Path) -> None:
    """JSON and Markdown hold the figures of the table; with the file complete they come from it."""
    table = ordbo("benchmark", *_QUICK, "--jobs", 1, "--output", output).out
    content = output.read_bytes()
    found = json.loads(ordbo("benchmark", *_QUICK, "--output", output, "--format", "json").out)
    assert [row["method"] for row in found["problems"]] == ["default", "random"] * 2
    assert f"{found['problems'][0]['cumulative']:.3g}" in table.splitlines()[1]
    assert found["problems"][0]["cumulative_ratio"] is None
    shown = ordbo("benchmark", *_QUICK, "--output", output, "--format", "markdown").out
    assert shown.splitlines()[1].replace(" ", "").strip("|").split("|") == ["---"] * 10
    assert [cell.strip() for cell in shown.splitlines()[2].strip("|").split("|")] == table.splitlines()[1].split()
    assert output.read_bytes() == content


def test_members_of_a_group_that_are_missing_are_told(
    ordbo: Call, output: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others of the group take part; one that is named alone is an error."""
    from ordbo_cli.benchmark.rivals import methods

    monkeypatch.setattr(methods, "find_spec", lambda name: None)
    words = ("--problems", "step_1d", "--seeds", "0", "--iterations", 1, "--jobs", 1, "-o", output)
    done = ordbo("benchmark", *words, "--methods", "random,peers")
    assert done.status == 0
    assert (
        "nomad is left out: the method nomad needs PyNomadBBO. Install: pip install 'ordbo[peers]'"
        in done.err.splitlines()
    )
    assert [line.split()[1] for line in done.out.splitlines()[:2]] == ["method", "random"]
    assert ordbo("benchmark", *words, "--methods", "random,nomad").status == 2
    assert "there is nothing to do" in ordbo("benchmark", *words, "--methods", "peers").err


def test_distorted_simulators_that_are_missing_are_told(
    ordbo: Call, output: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As without a distortion, also one that has to look at samples: of a group they are left out, else an error."""
    from ordbo_cli.benchmark.suites import suite
    from ordbo_cli.benchmark.suites.engineering import engineering_problem

    monkeypatch.setattr(engineering_problem, "find_spec", lambda name: None)
    monkeypatch.setitem(suite.GROUPS, "engineering", ("two_loop_8o", "roof_truss_2c4o1i1f"))
    words = ("--methods", "random", "--seeds", "0", "--iterations", 1, "--jobs", 1, "-o", output)
    needs = "the problem two_loop_8o needs epanet"
    done = ordbo("benchmark", *words, "--problems", "engineering@log")
    assert done.status == 0
    assert f"two_loop_8o@log is left out: {needs}" in done.err
    done = ordbo("benchmark", *words, "--problems", "engineering", "--distort", "log,clip,penalty")
    assert done.status == 0
    assert done.err.splitlines().count(f"left out: {needs}") == 1
    assert done.out.splitlines()[1].startswith("roof_truss_2c4o1i1f")
    for name in ("two_loop_8o@log", "two_loop_8o@clip", "engineering,two_loop_8o@log@units"):
        assert f"error: {needs}" in ordbo("benchmark", *words, "--problems", name).err


def test_what_took_part_stands_below_the_tables(ordbo: Call, output: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line for each method that is made of other packages: their versions, where it begins, settings of ours."""
    from ordbo_cli.benchmark.rivals.registry import MAKERS

    maker = dataclasses.replace(MAKERS["sobol"], needs=("scipy",), settings="begins somewhere; seed")
    monkeypatch.setitem(MAKERS, "sobol", maker)
    words = ("--problems", "step_1d", "--methods", "random,sobol", "--seeds", "0", "--iterations", 1, "-o", output)
    line = f"sobol: scipy {scipy.__version__}; begins somewhere; seed\n"
    assert ordbo("benchmark", *words, "--jobs", 1).out.endswith(f"\n\n{line}")
    assert ordbo("benchmark", *words, "--format", "markdown").out.endswith(f"|\n\n- {line}")
    told = json.loads(ordbo("benchmark", *words, "--format", "json").out)["methods"]
    assert told == [{"method": "sobol", "packages": {"scipy": scipy.__version__}, "settings": "begins somewhere; seed"}]


@pytest.mark.gpflow
@pytest.mark.slow
def test_ratios_to_vanilla(ordbo: Call, output: Path) -> None:
    """With vanilla among the methods every row has ratios, vanilla's own are 1."""
    words = ("--problems", "step_1d", "--methods", "vanilla,random", "--seeds", "3,5", "--iterations", 2, "--jobs", 1)
    found = json.loads(ordbo("benchmark", *words, "-o", output, "--format", "json").out)
    vanilla, random = found["problems"]
    assert vanilla["cumulative_ratio"] == vanilla["simple_ratio"] == {"value": 1.0, "low": 1.0, "high": 1.0}
    assert random["cumulative_ratio"]["value"] == pytest.approx(random["cumulative"] / vanilla["cumulative"])
    assert found["groups"] == []


def test_ratios_to_another_baseline(ordbo: Call, output: Path) -> None:
    """Any method that takes part can be the baseline, its settings in any order."""
    methods = "random,default:beta=1,margin=0.1"
    words = ("--problems", "step_1d", "--methods", methods, "--seeds", "3,5", "--iterations", 2, "--jobs", 1)
    base = ("--baseline", "default:margin=0.1,beta=1", "-o", output)
    random, default = json.loads(ordbo("benchmark", *words, *base, "--format", "json").out)["problems"]
    assert default["simple_ratio"] == {"value": 1.0, "low": 1.0, "high": 1.0}
    assert random["cumulative_ratio"]["value"] == pytest.approx(random["cumulative"] / default["cumulative"])
    assert "| cumulative/default:beta=1,margin=0.1 |" in ordbo("benchmark", *words, *base, "--format", "markdown").out


@pytest.mark.gpflow
@pytest.mark.slow
def test_ratios_to_the_strongest_baseline(ordbo: Call, output: Path) -> None:
    """The best baseline is one of the vanilla methods that took part, and people are told which."""
    words = (
        "--problems",
        "step_1d",
        "--seeds",
        "3",
        "--iterations",
        3,
        "--jobs",
        1,
        "-o",
        output,
        "--baseline",
        "best",
    )
    told = ordbo("benchmark", *words, "--methods", "baselines,random", "--format", "json")
    rows = {row["method"]: row for row in json.loads(told.out)["problems"]}
    vanilla = [name for name in rows if name.startswith("vanilla")]
    best = min(vanilla, key=lambda name: rows[name]["cumulative"])
    assert rows[best]["cumulative_ratio"]["value"] == 1.0
    assert f"baseline: {best}, the strongest of {', '.join(vanilla)}" in told.err
    assert len(vanilla) == 4


def test_without_a_baseline_there_are_no_ratios(ordbo: Call, output: Path) -> None:
    """Where no vanilla method takes part nothing is compared; one that is named has to."""
    words = ("--problems", "step_1d", "--seeds", "0", "--iterations", 1, "--jobs", 1, "-o", output)
    told = json.loads(ordbo("benchmark", "--methods", "random", *words, "--format", "json").out)
    assert told["problems"][0]["cumulative_ratio"] is None
    refused = ordbo("benchmark", "--methods", "random", "--baseline", "vanilla", *words)
    assert refused.status == 2
    assert "the baseline vanilla does not take part" in refused.err


def test_columns_are_named_after_who_takes_part(ordbo: Call, output: Path, tmp_path: Path) -> None:
    """Without a baseline no method is in a header, and people are told how to name one; of one method nothing is."""
    words = ("--problems", "step_1d,bent_cigar_2d", "--seeds", "0", "--iterations", 1, "--jobs", 1, "-o", output)
    pair = ("--methods", "random,sobol")
    done = ordbo("benchmark", *words, *pair)
    assert (done.status, done.err) == (0, _NO_BASELINE)
    assert "vanilla" not in done.out
    assert "cumulative/baseline" in done.out.splitlines()[0].split()
    page = tmp_path / "page.html"
    ordbo("benchmark", *words, *pair, "--html", page)
    assert "cumulative / vanilla" not in page.read_text()
    named = ordbo("benchmark", *words, *pair, "--baseline", "sobol")
    assert named.err == ""
    assert "cumulative/sobol" in named.out
    assert ordbo("benchmark", *words, "--methods", "random").err == ""


def test_a_bar_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """It counts what is done, those of before included, and takes itself away; elsewhere there is none."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    def shown(console: Console) -> str:
        err = Terminal()
        monkeypatch.setattr(sys, "stderr", err)
        with console.progress("runs", 10) as advance:
            advance(7)
            advance(1)
        return err.getvalue()

    monkeypatch.setenv("TERM", "xterm")
    text = shown(Console())
    assert "runs" in text
    assert "8/10" in text
    assert text.endswith("\x1b[2K")
    assert shown(Console(quiet=True)) == ""
    monkeypatch.setenv("TERM", "dumb")
    assert shown(Console()) == ""


@pytest.mark.slow
@pytest.mark.parametrize(("suffix", "start"), [("svg", b"<?xml"), ("PNG", b"\x89PNG"), ("pdf", b"%PDF")])
def test_a_figure(ordbo: Call, output: Path, tmp_path: Path, suffix: str, start: bytes) -> None:
    """It is drawn where --figure says, in the format of its suffix, and people are told."""
    pytest.importorskip("matplotlib")
    figure = tmp_path / f"regret.{suffix}"
    words = ("--problems", "step_1d", "--methods", "random", "--seeds", "0:2", "--iterations", 2, "--jobs", 1)
    done = ordbo("benchmark", *words, "--output", output, "--figure", figure)
    assert done.status == 0
    assert done.err == f"figure: {figure}\n"
    assert figure.read_bytes().startswith(start)


def test_a_figure_without_a_folder_is_refused_before_the_work(ordbo: Call, output: Path) -> None:
    """Nobody waits for hours to hear that a folder is missing."""
    pytest.importorskip("matplotlib")
    refused = ordbo("benchmark", *_QUICK, "--output", output, "--figure", output.parent / "nowhere" / "a.png")
    assert refused.status == 66
    assert "there is no such folder for a.png" in refused.err
    assert not output.exists()


def test_records_without_a_folder_are_refused_before_the_work(ordbo: Call, output: Path) -> None:
    """As a figure is: with the status and the hint of a folder that is missing, not of a lock."""
    refused = ordbo("benchmark", *_QUICK, "--output", output.parent / "nowhere" / "runs.jsonl")
    assert refused.status == 66
    assert "there is no such folder for runs.jsonl" in refused.err


@pytest.mark.slow
def test_a_simulator_of_ones_own(ordbo: Call, study: Path, output: Path) -> None:
    """A problem file and a command; parameters keep their grids, every evaluation is on file."""
    script = study.with_name("sim.py")
    script.write_text(
        "import sys\nangle, blades = map(float, sys.argv[1:])\nassert angle < 11\nprint(angle + blades)\n"
    )
    command = f"'{sys.executable}' '{script}' {{angle}} {{blades}}"
    words = ("--problem", study, "--command", command, "--methods", "default,random", "--seeds", 4, "--jobs", 1)
    done = ordbo("benchmark", *words, "--iterations", 3, "--output", output)
    assert (done.status, done.err) == (0, _NO_BASELINE)
    assert [line.split()[:2] for line in done.out.split("\n\n")[0].splitlines()[1:]] == [
        ["drag", "default"],
        ["drag", "random"],
    ]
    records = [json.loads(line) for line in output.read_text().splitlines()]
    assert len(records) == 2 * 8
    assert all(record["y"] == (sum(record["x"][:2]) if record["x"][0] < 11 else None) for record in records)
    assert all(isinstance(record["x"][1], int) for record in records)


def test_help_names_every_method_and_group(ordbo: Call) -> None:
    """What can be typed after --methods and --problems stands in the help."""
    from ordbo_cli.benchmark.rivals import registry
    from ordbo_cli.benchmark.suites import suite

    text = re.sub(r"-\n +", "-", ordbo("benchmark", "--help").out)  # click breaks lines at hyphens
    words = set(re.findall(r"[\w-]+", text))
    assert {*registry.MAKERS, *registry.GROUPS, *suite.GROUPS} <= words


def test_help_says_how_each_method_takes_levels(ordbo: Call) -> None:
    """Every method that has a way of its own with levels without an order is named with it."""
    text = " ".join(ordbo("benchmark", "--help").out.split())
    told = text.split("Levels without an order")[1].split("With --theory")[0]
    for words in ("Optuna", "Nevergrad", "vanilla and BoTorch", "random, sobol and pycma", "naive-batch refuses"):
        assert words in told


@pytest.mark.slow
def test_problems_of_every_kind(ordbo: Call, output: Path) -> None:
    """They run like the others; records hold whole numbers for levels, and the group has a row of its own name."""
    words = ("--problems", "mixed", "--methods", "random", "--seeds", 0, "--iterations", 2, "--jobs", 1)
    done = ordbo("benchmark", *words, "--output", output)
    assert (done.status, done.err) == (0, "")
    assert done.out.split("\n\n")[1].splitlines()[1].split()[:2] == ["mixed", "random"]
    records = [json.loads(line) for line in output.read_text().splitlines()]
    coats = [record["x"][:2] for record in records if record["problem"] == "coating_1c1o3f"]
    assert len(coats) == 7
    assert all(isinstance(x, int) for row in coats for x in row)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--problems", "sphere"], "no problem 'sphere'"),
        (["--problems", "mixed", "--methods", "random,naive-batch"], "naive-batch takes no categorical parameter"),
        (["--methods", "magic"], "no method 'magic'"),
        (["--methods", "default:beta=much"], "beta is 'much'"),
        (["--seeds", "ten"], "'ten' is not a list of seeds"),
        (["--seeds", "3:3"], "'3:3' is not a list of seeds"),
        (["--seeds=-1"], "'-1' is not a list of seeds"),
        (["--problem", "drag.yaml"], "--problem and --command belong together"),
        (["--command", "./sim"], "--problem and --command belong together"),
        (["--figure", "regret.gif"], "regret.gif: it has to end in .png, .svg, .pdf"),
        (["--baseline", "sobol", "--methods", "default,random"], "the baseline sobol does not take part"),
        (["--problems", ","], "there is nothing to do"),
        (["--budgets", "25,50", "--iterations", "20"], "--budgets and --iterations both say how long a run is"),
        (["--budgets", "5,25"], "a budget of 5 leaves nothing after the 5 initial points"),
        (["--budgets", "25,many"], "'25,many' is not a list of numbers of evaluations"),
        (["--budgets", "0,25"], "'0,25' is not a list of numbers of evaluations"),
        (["--budgets", ""], "'' is not a list of numbers of evaluations"),
        (["--output", "runs.jsonl.xz"], "nothing is appended to a packed file"),
        (["--theory", "--budgets", "50"], "--theory tells the regret at numbers of its own"),
        (["--theory", "--html", "growth.html"], "--theory has a --figure"),
        (["--html", "."], ". is a folder"),
    ],
)
def test_wrong_usage(ordbo: Call, output: Path, words: list[str], message: str) -> None:
    """Status 2, what is wrong in one line, and no file."""
    refused = ordbo("benchmark", "--output", output, *words)
    assert refused.status == 2
    assert message in refused.err.splitlines()[0]
    assert list(output.parent.iterdir()) == []


def test_a_name_for_two_problems(ordbo: Call, study: Path, output: Path) -> None:
    """A problem file may not be called like a test problem beside it."""
    clash = study.rename(study.with_name("step_1d.yaml"))
    refused = ordbo("benchmark", "--problem", clash, "--command", "true", "--problems", "paper", "--output", output)
    assert refused.status == 2
    assert "name of the test problem step_1d" in refused.err


def test_a_file_of_something_else(ordbo: Call, output: Path) -> None:
    """A file that holds no records is refused and left as it is."""
    output.write_text("hello\n")
    refused = ordbo("benchmark", *_QUICK, "--output", output)
    assert refused.status == 65
    assert "runs.jsonl:1: not a record of a benchmark" in refused.err
    assert output.read_text() == "hello\n"
    output.write_text('{"problem": "step_1d"}\n')
    assert "there is no 'y'" in ordbo("benchmark", *_QUICK, "--output", output).err


@pytest.mark.slow
def test_a_simulator_that_is_missing(ordbo: Call, output: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A group goes on without it and says so; named itself it is an error, before anything is computed."""
    monkeypatch.setattr("shutil.which", lambda _: None)
    words = ("--methods", "sobol", "--seeds", 0, "--iterations", 1, "--jobs", 1, "--output", output)
    done = ordbo("benchmark", "--problems", "engineering", *words)
    assert done.status == 0
    assert (
        "amplifier_1c5f is left out: the problem amplifier_1c5f needs ngspice. Install: ngspice of your system\n"
        in done.err
    )
    assert "roof_truss_2c4o1i1f" in done.out
    assert "amplifier_1c5f" not in done.out
    refused = ordbo("benchmark", "--problems", "amplifier_1c5f", *words)
    assert (refused.status, refused.out) == (2, "")
    assert "the problem amplifier_1c5f needs ngspice" in refused.err
