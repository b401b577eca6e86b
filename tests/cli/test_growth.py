"""``ordbo benchmark --theory`` from the command line: its settings, tables, words, figure and errors."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ordbo_cli.cli.benchmarks import theory_tables as growth
from ordbo_cli.cli.commands.benchmark import command

Call = Callable[..., Any]

_METHODS = "default:beta=theory,drift=1,default:beta=theory,beta.scale=0.1,default"
_QUICK = ("--theory", "--methods", _METHODS, "--seeds", "0:2", "--iterations", 3, "--jobs", 1)
_NAMES = ["default:beta=theory,drift=1", "default:beta=theory,beta.scale=0.1", "default"]


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The records of the small experiment, which is done once."""
    output = tmp_path_factory.mktemp("theory") / "runs.jsonl"
    words = [*map(str, _QUICK), "--quiet", "--format", "json", "--output", str(output)]
    from tests.calls import caller

    with pytest.MonkeyPatch.context() as patch:
        assert caller(patch)("benchmark", *words).status == 0
    return output.read_bytes()


@pytest.fixture
def output(tmp_path: Path, records: bytes) -> Path:
    """A file that holds them."""
    path = tmp_path / "runs.jsonl"
    path.write_bytes(records)
    return path


def settings(*words: str) -> dict[str, Any]:
    """Return what --theory makes of a command line."""
    with command.make_context("benchmark", ["--theory", *words]) as context:
        return growth.settings(context)


def test_what_is_typed_stands_and_the_rest_is_the_papers() -> None:
    """Two problems, three scales of beta, twenty draws and a hundred suggestions, each unless given by hand."""
    usual = settings()
    assert usual == growth.SETTINGS
    assert (len(usual["seeds"]), usual["iterations"], len(usual["methods"])) == (20, 100, 3)
    assert settings("--seeds", "0:10")["seeds"] == tuple(range(10))  # what it is without --theory, but typed
    assert settings("--iterations", "20") == {**usual, "iterations": 20}
    assert settings("--problems", "latent_4d") == {**usual, "problems": ("latent_4d",)}
    assert settings("--methods", "default") == {**usual, "methods": ("default",)}


def test_the_usual_settings_can_be_run() -> None:
    """Their names are known, and each method stands under the name that it is given."""
    from ordbo_cli.benchmark.rivals.methods import contestants
    from ordbo_cli.benchmark.suites.suite import problems

    assert [one.name for one in problems(growth.SETTINGS["problems"])] == ["latent_1d", "latent_2d"]
    chosen = contestants(growth.SETTINGS["methods"])
    assert tuple(one.name for one in chosen) == growth.SETTINGS["methods"]


@pytest.mark.slow
def test_the_tables(ordbo: Call, output: Path) -> None:
    """One of the growth, one of the bounds, a row for each problem and method, from the file that is complete."""
    content = output.read_bytes()
    done = ordbo("benchmark", *_QUICK, "--output", output)
    assert done.status == 0
    first, second = (table.splitlines() for table in done.out.split("\n\n"))
    assert first[0].split() == ["problem", "method", "regret@8", "slope", "sublinear"]
    assert second[0].split() == ["problem", "method", "regret@8", "bound", "bound/regret", "trivial", "bound/trivial"]
    rows = [[problem, method] for problem in ("latent_1d", "latent_2d") for method in _NAMES]
    for table in (first, second):
        assert [line.split()[:2] for line in table[1:]] == rows
    assert second[3].split()[3:5] == ["-", "-"]
    assert second[3].split()[6] == "-"
    assert len(content.splitlines()) == 2 * 3 * 2 * 8
    assert output.read_bytes() == content


@pytest.mark.slow
def test_formats_show_the_same(ordbo: Call, output: Path) -> None:
    """JSON and Markdown hold the figures of the table, and those are sums of the records."""
    table = ordbo("benchmark", *_QUICK, "--output", output).out
    rows = json.loads(ordbo("benchmark", *_QUICK, "--output", output, "--format", "json").out)["growth"]
    records = [json.loads(line) for line in output.read_text().splitlines()]
    for row, line in zip(rows, table.split("\n\n")[1].splitlines()[1:], strict=True):
        own = [
            each["regret"] for each in records if (each["problem"], each["method"]) == (row["problem"], row["method"])
        ]
        assert row["regret"] == {"8": pytest.approx(sum(own) / 2)}
        shown = [row["regret"]["8"], row["bound"], row["excess"], row["trivial"], row["share"]]
        assert line.split()[2:] == ["-" if value is None else f"{value:.3g}" for value in shown]
    tables = ordbo("benchmark", *_QUICK, "--output", output, "--format", "markdown").out.split("\n\n")
    for text, plain in zip(tables, table.split("\n\n"), strict=True):
        cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()]
        assert cells[1] == ["---"] * len(cells[0])
        assert [" ".join(line).split() for line in (cells[0], *cells[2:])] == [
            line.split() for line in plain.splitlines()
        ]


@pytest.mark.slow
def test_words_say_what_the_tables_show(ordbo: Call, output: Path) -> None:
    """A line for each method, on standard error: growth, factors, and what there is no theorem for."""
    done = ordbo("benchmark", *_QUICK, "--output", output)
    whole, tenth, plain = done.err.splitlines()
    rows = json.loads(ordbo("benchmark", *_QUICK, "--output", output, "--format", "json").out)["growth"]
    for line, name in zip((whole, tenth, plain), _NAMES, strict=True):
        assert line.startswith(f"{name}: on latent_1d growth is ")
        own = [row for row in rows if row["method"] == name]
        for part, row in zip(line.split("; on latent_2d"), own, strict=True):
            assert ("not shown" in part) == (not row["sublinear"])
            assert (f"is {row['excess']:.3g} times the mean regret" in part) if row["excess"] else "bound" not in part
            assert ("so it is vacuous" in part) == (row["share"] is not None and row["share"] >= 1.0)
    assert whole.endswith("vacuous.")
    assert "Without drift there is no theorem" in tenth
    assert tenth.endswith("The theorem is about the whole beta, not 0.1 times it.")
    assert plain.endswith("Theorem 1 is not about it.")
    assert ordbo("benchmark", *_QUICK, "--output", output, "--quiet").err == ""


@pytest.mark.slow
def test_one_draw_is_told_without_an_interval(ordbo: Call, output: Path) -> None:
    """Its slope stands alone, and nothing is claimed."""
    done = ordbo("benchmark", *_QUICK, "--seeds", 0, "--output", output)
    assert all(line.split()[-1] == "-" for line in done.out.split("\n\n")[0].splitlines()[1:])
    assert "[" not in done.out
    assert "growth has no interval from one draw" in done.err


@pytest.mark.slow
def test_the_figure(ordbo: Call, output: Path, tmp_path: Path) -> None:
    """A panel for each problem; methods of one bound share a line, others have their own."""
    pytest.importorskip("matplotlib")
    figure = tmp_path / "growth.svg"
    done = ordbo("benchmark", *_QUICK, "--output", output, "--figure", figure)
    assert done.status == 0
    assert done.err.splitlines()[-1] == f"figure: {figure}"
    text = figure.read_text()
    for word in ("latent_1d", "latent_2d", *_NAMES, "trivial bound"):
        assert f">{word}<" in text
    assert text.count(">Theorem 1, C = 1, delta = 0.1<") == text.count(">Theorem 1, C = 0, delta = 0.1<") == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--problems", "latent_1d,step_1d"], "step_1d has no regret in the latent space"),
        (["--problems", "paper"], "step_1d has no regret in the latent space"),
        (["--baseline", "vanilla"], "--theory compares with bounds, not with a --baseline"),
        (["--problems", "latent_3d"], "no problem 'latent_3d'"),
        (["--methods", "default:beta=theory,kernel=matern12"], "matern12"),
        (["--figure", "growth.gif"], "growth.gif: it has to end in"),
        (["--problems", ","], "there is nothing to do"),
    ],
)
def test_wrong_usage(ordbo: Call, tmp_path: Path, words: list[str], message: str) -> None:
    """Status 2, what is wrong in one line, and no file."""
    refused = ordbo("benchmark", "--theory", *words, "--output", tmp_path / "runs.jsonl")
    assert refused.status == 2
    assert message in refused.err.splitlines()[0]
    assert list(tmp_path.iterdir()) == []


def test_a_simulator_has_no_latent_regret(ordbo: Call, study: Path, tmp_path: Path) -> None:
    """Nobody knows the latent function of a user's simulator."""
    own = ("--problem", study, "--command", "true {angle}", "--output", tmp_path / "runs.jsonl")
    refused = ordbo("benchmark", "--theory", *own)
    assert refused.status == 2
    assert "drag has no regret in the latent space" in refused.err
    assert not (tmp_path / "runs.jsonl").exists()


@pytest.mark.slow
def test_latent_problems_without_theory(ordbo: Call, output: Path) -> None:
    """They are problems like any other there, with the usual tables, from the same records."""
    words = ("--problems", "latent_1d", "--methods", "default", "--seeds", "0:2", "--iterations", 3, "--jobs", 1)
    done = ordbo("benchmark", *words, "--output", output)
    assert (done.status, done.err) == (0, "")
    assert done.out.splitlines()[0].split()[:3] == ["problem", "method", "cumulative"]
