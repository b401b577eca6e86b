"""The examples run to their end in a shell, and find better points than random search with the same budget."""

from __future__ import annotations

import csv
import json
import math
import os
import random
import shutil
import statistics
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from ordbo_cli.files.problem_file.problem_file import load_problem
from ordbo_cli.problem import Number, Parameter, Problem
from ordbo_cli.problem.axis import nearest_index

EXAMPLES = Path(__file__).parents[2] / "examples"
SEEDS = (1, 2, 3)
RANDOM_SEARCHES = 20
WORKERS = 2


@dataclass(frozen=True)
class Example:
    """One folder of ``examples/``: its name, its problem's, its simulator's, and the evaluations of its README."""

    folder: str
    problem: str
    simulator: str
    budget: int

    @property
    def path(self) -> Path:
        """Its folder."""
        return EXAMPLES / self.folder

    def load(self) -> Problem:
        """Return its problem."""
        return load_problem(self.path / f"{self.problem}.yaml").problem

    def run(self, folder: Path, budget: int, seed: int) -> subprocess.CompletedProcess[str]:
        """Call run.sh as its README says."""
        return shell("sh", str(self.path / "run.sh"), str(budget), str(seed), str(folder))

    def rows(self, folder: Path) -> list[dict[str, str]]:
        """Return the evaluations in a folder."""
        with (folder / f"{self.problem}.csv").open(newline="", encoding="utf-8") as stream:
            return list(csv.DictReader(stream))

    def simulate(self, values: Mapping[str, object], folder: Path) -> subprocess.CompletedProcess[str]:
        """Call the simulator without ordbo."""
        command = [sys.executable, str(self.path / self.simulator)]
        if self.folder == "pipe":
            return shell(*command, *(f"--{name}={value}" for name, value in values.items()))
        netlist = (self.path / "oscillator.tpl").read_text(encoding="utf-8")
        for name, value in values.items():
            netlist = netlist.replace(f"@{name}@", str(value))
        (folder / "case.cir").write_text(netlist, encoding="utf-8")
        return shell(*command, str(folder / "case.cir"))


def shell(*command: str, path: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command with this environment's ``ordbo`` and ``python3`` in front of all others."""
    path = os.pathsep.join((os.path.dirname(sys.executable), os.environ["PATH"])) if path is None else path
    return subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "PATH": path})


PIPE = Example("pipe", "pipe", "pipeline.py", 25)
OSCILLATOR = Example("oscillator", "oscillator", "measure.py", 20)


@pytest.fixture(scope="module", params=[PIPE, OSCILLATOR], ids=lambda example: example.folder)
def example(request: pytest.FixtureRequest) -> Example:
    """Each example; the oscillator needs ngspice, and CI has to have it."""
    if request.param is OSCILLATOR:
        need_ngspice()
    chosen: Example = request.param
    return chosen


def need_ngspice() -> None:
    """Skip where ngspice is missing, but fail in CI, which installs it."""
    if shutil.which("ngspice") is None:
        assert os.environ.get("CI") != "true", "ngspice is missing, though .ci/run installs it"
        pytest.skip("ngspice is not installed (Debian: apt-get install ngspice)")


def contents(folder: Path) -> dict[str, bytes]:
    """Return what the files of a folder hold."""
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir()) if file.is_file()}


def objective(row: Mapping[str, str], name: str) -> float:
    """Return a row's objective, infinite for a failure."""
    return math.inf if row[name] in ("", "failed") else float(row[name])


def best(rows: Sequence[Mapping[str, str]], name: str) -> float:
    """Return the best objective of some rows."""
    return min(objective(row, name) for row in rows)


def assert_inside(problem: Problem, rows: Sequence[Mapping[str, str]]) -> None:
    """Check that every printed value is one that its parameter can take: inside the bounds, on the grid."""
    for row in rows:
        for parameter in problem.parameters:
            printed = float(row[parameter.name])
            if isinstance(parameter, Parameter):
                assert parameter.min <= printed <= parameter.max
                assert parameter.lattice.value(nearest_index(parameter.lattice, printed)) == printed
            else:
                assert printed == parameter.value


def draw(parameter: Parameter, source: random.Random) -> Number:
    """Return a random value: uniform on the parameter's own scale, each whole number as likely as the others."""
    if parameter.type == "int":
        return parameter.lattice.value(source.randrange(parameter.lattice.count))
    low, high = float(parameter.min), float(parameter.max)
    if parameter.scale == "log":
        x = math.exp(source.uniform(math.log(low), math.log(high)))
    else:
        x = source.uniform(low, high)
    return parameter.lattice.value(nearest_index(parameter.lattice, x))


def random_searches(example: Example, folder: Path) -> list[float]:
    """Return the best of each of :data:`RANDOM_SEARCHES` random searches that start from the same past runs."""
    problem = example.load()
    past = best(example.rows(example.path), problem.objective)

    def search(seed: int) -> float:
        source = random.Random(seed)
        place = folder / f"random-{seed}"
        place.mkdir()
        found = past
        for _ in range(example.budget):
            point = problem.mapping([draw(parameter, source) for parameter in problem.free])
            result = example.simulate(point, place)
            assert result.returncode in (0, 1), result.stderr
            found = min(found, float(result.stdout) if result.returncode == 0 else math.inf)
        return found

    with ThreadPoolExecutor(WORKERS) as pool:
        return list(pool.map(search, range(RANDOM_SEARCHES)))


def run_every_seed(example: Example, base: Path) -> list[Path]:
    """Run an example to its end once for every seed, and return the folders that hold the results."""
    assert Path(sys.executable).with_name("ordbo").exists(), "ordbo is not installed in this environment"
    folders = [base / f"seed-{seed}" for seed in SEEDS]
    with ThreadPoolExecutor(WORKERS) as pool:
        done = list(pool.map(lambda folder, seed: example.run(folder, example.budget, seed), folders, SEEDS))
    for each in done:
        assert each.returncode == 0, each.stderr
    return folders


def assert_whole(example: Example, folder: Path, seed: int) -> None:
    """Check a finished study: its seed, its past runs, and a new point inside the bounds for every suggestion."""
    problem = example.load()
    assert load_problem(folder / f"{example.problem}.yaml").problem.seed == seed
    past, rows = example.rows(example.path), example.rows(folder)
    assert rows[: len(past)] == past
    assert len(rows) == len(past) + example.budget
    assert len({problem.values(row) for row in rows}) == len(rows)
    assert_inside(problem, rows[len(past) :])
    assert best(rows, problem.objective) < best(past, problem.objective)


def test_beats_random_search(
    example: Example, tmp_path: Path, record_testsuite_property: Callable[[str, object], None]
) -> None:
    """Run to its end with several seeds, each example finds better points than random search.

    Its median is the better one, and it wins 85% of all pairs of its own runs and random searches, which start from the
    same past runs: among 3 x 20 pairs a one-sided p of 0.03 in the Mann-Whitney test.

    All of it is one test, because tests that shared the runs would each repeat them where pytest-xdist parts them.
    """
    before = contents(example.path)
    folders = run_every_seed(example, tmp_path)
    for folder, seed in zip(folders, SEEDS, strict=True):
        assert_whole(example, folder, seed)
    assert contents(example.path) == before
    name = example.load().objective
    ours = [best(example.rows(folder), name) for folder in folders]
    assert len(set(ours)) > 1, "the seed changes nothing"
    theirs = random_searches(example, tmp_path)
    record_testsuite_property(f"{example.folder}, ordbo", sorted(ours))  # --junit-xml, for the example's README
    record_testsuite_property(f"{example.folder}, random search", sorted(theirs))
    figures = f"ordbo {sorted(ours)}, random search {sorted(theirs)}"
    assert statistics.median(ours) < statistics.median(theirs), figures
    assert statistics.fmean((a < b) + 0.5 * (a == b) for a in ours for b in theirs) >= 0.85, figures


def test_goes_on_without_its_state(example: Example, tmp_path: Path) -> None:
    """With the state deleted in the middle, the study goes on from the CSV and repeats no point."""
    assert example.run(tmp_path, 4, 1).returncode == 0
    half = (tmp_path / f"{example.problem}.csv").read_bytes()
    (tmp_path / f"{example.problem}.state.json").unlink()
    done = example.run(tmp_path, 3, 1)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / f"{example.problem}.csv").read_bytes().startswith(half)
    problem = example.load()
    rows = example.rows(tmp_path)
    assert len(rows) == len(example.rows(example.path)) + 7
    assert len({problem.values(row) for row in rows}) == len(rows)
    assert_inside(problem, rows[-3:])


def test_past_runs_are_what_the_simulator_says(example: Example, tmp_path: Path) -> None:
    """The CSV of past runs was not made up: the simulator gives the same results."""
    problem = example.load()
    for row in example.rows(example.path):
        result = example.simulate({name: row[name] for name in problem.names}, tmp_path)
        expected = objective(row, problem.objective)
        assert result.returncode == (1 if math.isinf(expected) else 0)
        if math.isfinite(expected):
            assert float(result.stdout) == pytest.approx(expected, rel=0.02)


def test_a_budget_that_is_no_number_is_a_usage_error(example: Example, tmp_path: Path) -> None:
    """run.sh says how it is called, before it makes a folder."""
    folder = tmp_path / "study"
    done = shell("sh", str(example.path / "run.sh"), "many", "1", str(folder))
    assert done.returncode == 2
    assert "usage" in done.stderr
    assert not folder.exists()


def test_pipe_cost_jumps_at_the_transition(tmp_path: Path) -> None:
    """Half a degree more, and the flow turns turbulent: the cost jumps by more than a twentieth."""
    design: dict[str, object] = {"diameter": 0.418, "stations": 2, "flow": 0.1}
    laminar = PIPE.simulate({**design, "temperature": 73.0}, tmp_path)
    turbulent = PIPE.simulate({**design, "temperature": 73.5}, tmp_path)
    assert "laminar" in laminar.stderr
    assert "turbulent" in turbulent.stderr
    assert float(turbulent.stdout) > 1.05 * float(laminar.stdout)


@pytest.fixture
def netlists(tmp_path: Path) -> Path:
    """A folder for netlists, where ngspice is there to read them."""
    need_ngspice()
    return tmp_path


def test_oscillator_starts_all_at_once(netlists: Path) -> None:
    """A gain just above 3 gives a sine, one just below gives no number and exit status 1."""
    circuit: dict[str, object] = {"r": 31.8e3, "c": 100e-9, "supply": 15}
    above = OSCILLATOR.simulate({**circuit, "rf": 20.5e3}, netlists)
    below = OSCILLATOR.simulate({**circuit, "rf": 19.5e3}, netlists)
    assert (above.returncode, below.returncode, below.stdout) == (0, 1, "")
    assert float(above.stdout) < 2
    assert "did not start" in below.stderr


def test_oscillator_trades_power_against_the_time_of_its_start(netlists: Path) -> None:
    """As its README says: the front has several circuits, all of which start and keep the limit, and is a trade."""
    command = (EXAMPLES / "oscillator" / "README.md").read_text(encoding="utf-8")
    command = command.partition("cp examples/oscillator/startup.yaml startup\n")[2].partition("ordbo plot")[0]
    study = netlists / "startup.yaml"
    shutil.copy(EXAMPLES / "oscillator" / "startup.yaml", study)
    command = command.replace("startup/startup.yaml", str(study)).replace("examples/", f"{EXAMPLES}/")
    done = shell("sh", "-c", command)
    assert done.returncode == 0, done.stderr
    front = [json.loads(line) for line in done.stdout.splitlines()]
    power, start = ([each["objectives"][name] for each in front] for name in ("power", "startup"))
    assert len(front) >= 3
    assert power == sorted(power)
    assert start == sorted(start, reverse=True)
    assert max(each["outcomes"]["distortion"] for each in front) <= 5
    assert power[0] < 1e-4
    assert start[-1] < 0.07
    with study.with_suffix(".csv").open(newline="", encoding="utf-8") as stream:
        rows = [row for row in csv.DictReader(stream) if row["status"] != "pending"]
    assert len(rows) == 40
    failed = [row for row in rows if row["status"] == "failed"]
    assert failed
    assert all(row["power"] == row["startup"] == "" for row in failed)


def test_more_gain_starts_sooner_and_takes_more_power(netlists: Path) -> None:
    """Which is the trade; a circuit that does not start has neither."""
    script = EXAMPLES / OSCILLATOR.folder / OSCILLATOR.simulator
    found = []
    for rf in (20.3e3, 22e3, 19e3):
        OSCILLATOR.simulate({"r": 31.8e3, "c": 100e-9, "supply": 15, "rf": rf}, netlists)
        found.append(shell(sys.executable, str(script), "--start-up", str(netlists / "case.cir")))
    slow, quick = (dict(line.split(" = ") for line in each.stdout.splitlines()) for each in found[:2])
    assert list(slow) == ["power", "startup", "frequency", "distortion"]
    assert float(slow["power"]) < float(quick["power"])
    assert float(slow["startup"]) > 2 * float(quick["startup"])
    assert (found[2].returncode, found[2].stdout) == (1, "")


def test_missing_ngspice_is_no_failed_circuit(tmp_path: Path) -> None:
    """Without ngspice the exit status is neither 0 nor 1, so that run.sh stops instead of recording a failure."""
    netlist = tmp_path / "case.cir"
    netlist.write_text("never read\n", encoding="utf-8")
    done = shell(sys.executable, str(OSCILLATOR.path / OSCILLATOR.simulator), str(netlist), path=str(tmp_path))
    assert done.returncode == 2
    assert "not installed" in done.stderr
