"""``ordbo plot`` from the command line: formats, names, which study and which moment, errors."""

from __future__ import annotations

import importlib.util
import json
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ordbo_cli.benchmark.rivals.methods import contestant
from ordbo_cli.benchmark.runs import Run, perform
from ordbo_cli.benchmark.suites.suite import PROBLEMS
from ordbo_cli.cli.commands.plot import KINDS
from ordbo_cli.cli.inputs import names_in
from ordbo_cli.pictures import kinds
from ordbo_cli.pictures.scene import Scene
from ordbo_cli.pictures.style import DARK, Look, Picture
from ordbo_cli.problem import Parameter, Problem

pytest.importorskip("matplotlib")

Call = Callable[..., Any]
Drawn = list[tuple[str, Scene, Look]]

STARTS = {"png": b"\x89PNG\r\n", "svg": b"<?xml", "pdf": b"%PDF-"}
TWO = """\
version: 1
objective: {name: y, goal: minimize}
parameters: {%s: {min: 0, max: 1}, b: {min: 0, max: 1}, c: {min: 0, max: 1}}
"""


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Drawn:
    """What is asked to be drawn: kind, scene and look of each picture; the pictures are blank."""
    calls: Drawn = []

    def draw(kind: str, scene: Scene, look: Look) -> Picture:
        calls.append((kind, scene, look))
        with look.figure(2, 1) as figure:
            figure.subplots()
            return Picture(figure, kind, "blank", look)

    monkeypatch.setattr(kinds, "draw", draw)
    return calls


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["png", "svg", "pdf", "PNG", "Svg"])
def test_the_suffix_chooses_the_format(ordbo: Call, results: Path, suffix: str) -> None:
    """In any case of letters; the path is told on standard error, standard output stays empty."""
    done = ordbo("plot", results, "convergence", "-o", f"x.{suffix}")
    assert (done.status, done.out, done.err) == (0, "", f"picture: x.{suffix}\n")
    assert Path(f"x.{suffix}").read_bytes().startswith(STARTS[suffix.lower()])


@pytest.mark.slow
def test_the_default_name(ordbo: Call, results: Path, here: Path, drawn: Drawn) -> None:
    """A PNG of the study's name and the kind, in the folder where one is, not in that of the problem."""
    before = sorted(results.parent.iterdir())
    assert ordbo("plot", results, "parallel").err == "picture: drag-parallel.png\n"
    assert ordbo("plot", "--benchmark", "step_1d", "--step", 2, "warp").err == "picture: step_1d-warp.png\n"
    assert sorted(path.name for path in here.iterdir()) == ["drag-parallel.png", "step_1d-warp.png"]
    assert sorted(results.parent.iterdir()) == before


def test_quiet_says_nothing(ordbo: Call, results: Path, drawn: Drawn) -> None:
    """The picture comes without a word."""
    done = ordbo("plot", results, "fit", "--quiet")
    assert (done.status, done.out, done.err) == (0, "", "")
    assert Path("drag-fit.png").exists()


def test_a_study_without_results(ordbo: Call, study: Path) -> None:
    """A picture says that there is nothing to see yet."""
    done = ordbo("plot", study, "convergence", "-o", "x.svg")
    assert done.status == 0
    assert ">no evaluation yet<" in Path("x.svg").read_text()


def test_the_look_is_as_asked_for(ordbo: Call, results: Path, drawn: Drawn) -> None:
    """Theme, size and dots per inch; cells, samples and parameters."""
    look = ("--theme", "dark", "--size", "8.5X4", "--dpi", 90, "-o", "x.png")
    done = ordbo("plot", results, "cells", *look, "--parameters", "blades,angle", "--partition", "tree", "--samples", 7)
    assert done.status == 0
    ((kind, scene, asked),) = drawn
    assert (kind, asked) == ("cells", Look(DARK, (8.5, 4.0), 90.0))
    assert (scene.name, scene.shown, scene.partition, scene.samples) == ("drag", (1, 0), "tree", 7)
    assert int.from_bytes(Path("x.png").read_bytes()[16:20], "big") == round(8.5 * 90)


@pytest.mark.slow
def test_nothing_is_recorded(ordbo: Call, results: Path, digest: Callable[[Path], str]) -> None:
    """The study's folder is byte for byte what it was."""
    before = digest(results.parent)
    assert ordbo("plot", results, "acquisition").status == 0
    assert digest(results.parent) == before


@pytest.mark.slow
def test_the_next_point_is_the_one_that_suggest_gives(ordbo: Call, results: Path, drawn: Drawn) -> None:
    """Numbers of a picture are those that the next suggestion follows from."""
    ordbo("plot", results, "acquisition")
    shown = json.loads(ordbo("suggest", results, "--dry-run").out)["parameters"]
    proposal = drawn[0][1].view.proposal
    assert proposal is not None
    assert list(proposal.values) == [shown[name] for name in ("angle", "blades", "wall shear")]


@pytest.mark.slow
def test_a_step_hides_what_came_later(ordbo: Call, results: Path, drawn: Drawn) -> None:
    """Only the first evaluations are seen, down to none."""
    for step in (0, 3, 7):
        assert ordbo("plot", results, "convergence", "--step", step).status == 0
    ordbo("plot", results, "convergence")
    assert [len(scene.view.evaluations) for _, scene, _ in drawn] == [0, 3, 7, 7]
    objectives = [str(each.objective) for each in drawn[1][1].view.evaluations]
    assert objectives == ["9.5", "8", "0.5"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "method", "seed", "step"),
    [
        ("many_steps_2d", "default", 0, 8),
        ("noisy_stairs_1d", "metric-free", 3, 7),
        ("stiff_integrator_2d", "default:beta=1", 1, 7),
    ],
)
def test_a_benchmark_is_the_run_of_ordbo_benchmark(
    ordbo: Call, drawn: Drawn, name: str, method: str, seed: int, step: int
) -> None:
    """Points and values are those of the run's records, and the next point is the record after them."""
    words = ("--benchmark", name, "--method", method, "--seed", seed, "--step", step)
    assert ordbo("plot", *words, "acquisition").status == 0
    ((_, scene, _),) = drawn
    records = perform(Run(PROBLEMS[name], contestant(method), seed, 5, step - 4)).records
    seen = [(each.values, each.objective) for each in scene.view.evaluations]
    assert [x for x, _ in seen] == [each.x for each in records[:step]]
    assert [None if y is None else float(y) for _, y in seen] == [each.y for each in records[:step]]
    assert scene.view.proposal is not None
    assert scene.view.proposal.values == records[step].x
    assert scene.truth is not None
    assert scene.truth.minimiser == PROBLEMS[name].minimiser


@pytest.mark.slow
def test_a_benchmark_goes_to_25_evaluations(ordbo: Call, drawn: Drawn) -> None:
    """That is the length of the paper's runs."""
    assert ordbo("plot", "--benchmark", "step_1d", "fit").status == 0
    assert len(drawn[0][1].view.evaluations) == 25


@pytest.mark.slow
@pytest.mark.parametrize("suffix", sorted(STARTS))
def test_two_processes_draw_the_same_bytes(process: Call, results: Path, here: Path, suffix: str) -> None:
    """Neither dates nor hashes of names that differ from process to process."""
    for place in "ab":
        assert process("plot", results, "fit", "-o", f"{place}.{suffix}", cwd=here).status == 0
    assert Path(f"a.{suffix}").read_bytes() == Path(f"b.{suffix}").read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["x, y", "b,c", "$x$", "<x> & 'y'", "θ"])
def test_names_of_parameters(ordbo: Call, tmp_path: Path, drawn: Drawn, name: str) -> None:
    """Names may hold what separates them, and what means something elsewhere."""
    path = tmp_path / "names.yaml"
    path.write_text(TWO % json.dumps(name), encoding="utf-8")
    for text in (name, f"c,{name}", f"{name}, c"):
        assert ordbo("plot", path, "cells", "--parameters", text).status == 0
    assert [scene.shown for _, scene, _ in drawn] == [(0,), (2, 0), (0, 2)]


def test_names_are_split_where_that_makes_sense() -> None:
    """The longest name that fits is taken; what fits none goes on to the message."""
    problem = Problem(tuple(Parameter(name, 0.0, 1.0) for name in ("a", "b", "a,b", "b, c")))
    assert names_in("a", problem) == ["a"]
    assert names_in("a,b", problem) == ["a,b"]
    assert names_in(" b , a ", problem) == ["b", "a"]
    assert names_in("a,b, c", problem) == ["a,b", "c"]
    assert names_in("b, c,a", problem) == ["b, c", "a"]
    assert names_in("x,b,", problem) == ["x", "b", ""]


@pytest.mark.slow
def test_problem_files_of_any_name(ordbo: Call, results: Path, tmp_path: Path, here: Path) -> None:
    """Relative, with another suffix or none, in a folder with a space; the evaluations are found beside the file."""
    folder = tmp_path / "a folder"
    folder.mkdir()
    for name in ("drag.json5", "drag"):
        (folder / name).write_text(results.read_text())
        (folder / "drag.csv").write_bytes(results.with_suffix(".csv").read_bytes())
        done = ordbo("plot", Path("..") / "a folder" / name, "convergence", "-o", f"{name}.svg")
        assert done.status == 0, done.err
        assert "0.31" in Path(f"{name}.svg").read_text()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_problem_from_a_pipe(ordbo: Call, results: Path, tmp_path: Path) -> None:
    """It is drawn or refused as the other commands do: neither a traceback nor a wait for ever."""
    pipe = tmp_path / "pipe.yaml"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(results.read_bytes()), daemon=True)
    writer.start()
    done = ordbo("plot", pipe, "convergence")
    os.close(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK))
    assert done.status in (0, 74)
    assert "internal error" not in done.err


def test_a_missing_matplotlib_is_told_before_the_work(
    ordbo: Call, results: Path, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which package, for what, and how to get it; the problem is not even read."""
    there = importlib.util.find_spec
    monkeypatch.setattr("ordbo_cli.cli.options.find_spec", lambda name: None if name == "matplotlib" else there(name))
    for problem in (results, results.with_name("nowhere.yaml")):
        refused = ordbo("plot", problem, "convergence")
        assert refused.status == 2
        assert refused.err == ("error: 'ordbo plot' needs matplotlib\nhint: Install: pip install 'ordbo[plots]'\n")
    assert list(here.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nonsense"], "there is no picture 'nonsense'"),
        (["fit", "more"], "PROBLEM and one KIND are expected, not "),
        (["fit", "--benchmark", "step_1d"], "with --benchmark, one KIND alone is expected, not "),
        (["fit", "--size", "8"], "'8' is not a size from 1x1 to 100x100 inches"),
        (["fit", "--size", "0x5"], "'0x5' is not a size"),
        (["fit", "--size", "nanx5"], "'nanx5' is not a size"),
        (["fit", "--size", "1e3x5"], "'1e3x5' is not a size"),
        pytest.param(
            ["fit", "--size", "100x100", "--dpi", "1200"],
            "the picture would have 120,000 by 120,000 pixels",
            marks=pytest.mark.slow,
        ),
        (["fit", "--dpi", "0"], "--dpi"),
        (["fit", "--theme", "sepia"], "--theme"),
        (["fit", "--samples", "0"], "--samples"),
        (["fit", "--partition", "voronoi"], "--partition"),
        (["fit", "--step", "8"], "8 evaluations are asked for"),
        (["fit", "--step=-1"], "--step"),
        (["fit", "--parameters", "angel"], "there is no free parameter 'angel'"),
        (["fit", "--parameters", "span"], "there is no free parameter 'span'"),
        (["fit", "--parameters", ""], "there is no free parameter ''"),
        (["fit", "--parameters", "angle,angle"], "a parameter is named twice"),
        (["cells", "--parameters", "angle,blades,wall shear"], "3 parameters are asked for"),
        (["fit", "-o", "x.gif"], "x.gif: it has to end in .png, .svg, .pdf"),
        (["fit", "-o", "x"], "x: it has to end in .png, .svg, .pdf"),
        (["fit", "--method", "paper"], "--method and --seed belong to --benchmark"),
        (["fit", "--seed", "0"], "--method and --seed belong to --benchmark"),
    ],
)
def test_wrong_usage(ordbo: Call, results: Path, here: Path, words: list[str], message: str) -> None:
    """Status 2, what is wrong in the first line, a hint, and no file."""
    refused = ordbo("plot", results, *words)
    assert refused.status == 2
    first, *rest = refused.err.splitlines()
    assert message in first
    assert all(line.startswith("hint: ") for line in rest)
    assert list(here.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["fit"], "no PROBLEM stands in front of fit"),
        (["drag.yaml"], "no KIND of picture stands behind drag.yaml"),
        (["fit", "drag.yaml"], "there is no picture 'drag.yaml'"),
        ([], "missing argument"),
        (["--benchmark", "sphere_9d", "fit"], "there is no problem 'sphere_9d'"),
        (["--benchmark", "", "fit"], "there is no problem ''"),
        (["--benchmark", "step_1d", "--method", "sobol", "fit"], "sobol is not seen through"),
        (["--benchmark", "step_1d", "--method", "vanilla", "fit"], "vanilla is not seen through"),
        (["--benchmark", "step_1d", "--method", "default:batch=2", "fit"], "default:batch=2 is not seen through"),
        (["--benchmark", "step_1d", "--method", "magic", "fit"], "there is no method 'magic'"),
        (["--benchmark", "step_1d", "--parameters", "x2", "fit"], "there is no free parameter 'x2'"),
    ],
)
def test_wrong_usage_without_a_study(ordbo: Call, words: list[str], message: str) -> None:
    """Status 2 and a line on what is wrong."""
    refused = ordbo("plot", *words)
    assert refused.status == 2
    assert message in refused.err.splitlines()[0]


def test_what_to_type_is_in_the_hint(ordbo: Call) -> None:
    """Where one of the two is missing, or they are the wrong way round."""
    assert "hint: Write: ordbo plot PROBLEM fit\n" in ordbo("plot", "fit").err
    assert "hint: KIND is one of convergence, front, fit, warp, cells, acq" in ordbo("plot", "drag.yaml").err
    assert "hint: Write: ordbo plot drag.yaml fit\n" in ordbo("plot", "fit", "drag.yaml").err


def test_no_problem_file(ordbo: Call) -> None:
    """Status 66, as of other commands."""
    assert ordbo("plot", "nowhere.yaml", "fit").status == 66


def test_a_folder_that_is_not_there(ordbo: Call, results: Path, drawn: Drawn) -> None:
    """It is told before the work, and not made."""
    refused = ordbo("plot", results, "fit", "-o", "nowhere/x.png")
    assert refused.status == 66
    assert "nowhere: there is no such folder for x.png" in refused.err
    assert drawn == []
    assert not Path("nowhere").exists()


def test_a_folder_in_place_of_a_file(ordbo: Call, results: Path) -> None:
    """A folder of the picture's name is refused, and stays."""
    Path("x.png").mkdir()
    refused = ordbo("plot", results, "fit", "-o", "x.png")
    assert (refused.status, refused.err.splitlines()[0]) == (2, "error: x.png is a folder")
    assert Path("x.png").is_dir()


@pytest.mark.slow
def test_an_unwritable_folder(ordbo: Call, results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Status 74; a picture that was there is what it was."""
    Path("x.png").write_bytes(b"old")

    def full(descriptor: int, content: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("ordbo_cli.files.durable.atomic.os.write", full)
    refused = ordbo("plot", results, "convergence", "-o", "x.png")
    assert (refused.status, refused.err) == (74, "error: x.png: cannot write it: No space left on device\n")
    assert [path.name for path in Path().iterdir()] == ["x.png"]
    assert Path("x.png").read_bytes() == b"old"


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission(ordbo: Call, results: Path, here: Path) -> None:
    """Status 74."""
    here.chmod(0o500)
    try:
        refused = ordbo("plot", results, "convergence", "-o", "x.png")
    finally:
        here.chmod(0o700)
    assert refused.status == 74
    assert "cannot write it: Permission denied" in refused.err


@pytest.mark.slow
def test_a_picture_that_is_there_is_replaced_whole(ordbo: Call, results: Path, drawn: Drawn) -> None:
    """A longer one leaves nothing behind; a link stays one, its file is replaced."""
    Path("real.svg").write_bytes(b"x" * 10**6)
    Path("link.svg").symlink_to("real.svg")
    assert ordbo("plot", results, "fit", "-o", "link.svg").status == 0
    assert Path("link.svg").is_symlink()
    text = Path("real.svg").read_text()
    assert text.startswith("<?xml")
    assert text.endswith("</svg>\n")
    assert sorted(path.name for path in Path().iterdir()) == ["link.svg", "real.svg"]


def test_notes_of_the_study_are_told(ordbo: Call, results: Path, drawn: Drawn) -> None:
    """As other commands do."""
    results.write_text(results.read_text() + "  width: {type: float, min: 1, max: 1}\n")
    assert ordbo("plot", results, "fit").err.startswith("note: ")


def test_help_lists_what_there_is(ordbo: Call) -> None:
    """Every kind with what it shows; the command and the pictures agree on the kinds and their order."""
    assert tuple(KINDS) == kinds.KINDS
    shown = ordbo("plot", "--help").out
    entries = dict(line.split(maxsplit=1) for line in map(str.strip, shown.split("Kinds:")[1].splitlines()) if line)
    assert entries == KINDS
    assert list(entries) == list(KINDS)
