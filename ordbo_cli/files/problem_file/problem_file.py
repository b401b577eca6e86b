"""The problem file: from YAML to a checked :class:`~ordbo_cli.problem.Problem`, all errors at once."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ordbo_cli.errors import MissingFileError, ProblemError, UsageError
from ordbo_cli.files.durable.paths import missing, read_bytes
from ordbo_cli.files.problem_file import in_python
from ordbo_cli.files.problem_file.campaign_tables import campaign_tables, same_file
from ordbo_cli.files.problem_file.parameters import ParameterMaker
from ordbo_cli.files.problem_file.schema import MOST_OBJECTIVES, PARAMETER, PROBLEM
from ordbo_cli.files.problem_file.schema_kinds import BAD
from ordbo_cli.files.problem_file.schema_records import Named, Setting, Settings
from ordbo_cli.files.problem_file.yaml_nodes import LARGEST_FILE, parse
from ordbo_cli.files.problem_file.yaml_tree import Node, ProblemFaults, Scalar
from ordbo_cli.files.tables.campaign_table import CampaignTable
from ordbo_cli.files.tables.comparisons import ALL_COLUMNS
from ordbo_cli.files.tables.evaluations import Evaluations
from ordbo_cli.files.tables.table import CAMPAIGN
from ordbo_cli.files.values.remark import Remark
from ordbo_cli.problem import Fidelity, Fixed, Parameter, Problem
from ordbo_cli.problem.limit import Aim, Limit
from ordbo_cli.problem.method import PRESETS, BetaSchedule, GapPrior, Method
from ordbo_cli.problem.several import alone
from ordbo_cli.problem.spelling import environment_name, meant, quoted, shown_path

if TYPE_CHECKING:
    from ordbo_cli.problem.constraints import Constraint

_BESIDE_STATE = (".bak", ".lock", ".locked", ".locked.guard")

RESERVED = ("id", "status")


class ProblemFile(NamedTuple):
    """A problem file that was read and checked.

    Args:
        path: of the file itself.
        problem: what it asks.
        evaluations, state, comparisons: the files that go with it.
        handed: the list of all points that were ever handed out.
        notes: what people should know although it is no error.
        rows: reads the evaluations.
        whole: the file of all objectives, where this is a look at one of them.
        campaigns: the tables of other sources.
    """

    path: Path
    problem: Problem
    evaluations: Path
    state: Path
    comparisons: Path
    handed: Path
    notes: tuple[str, ...]
    rows: Evaluations
    whole: ProblemFile | None = None
    campaigns: tuple[CampaignTable, ...] = ()

    def alone(self, objective: str) -> ProblemFile:
        """Return the file as a look at one of several objectives, to which nothing is recorded.

        Raises:
            UsageError: there is no such objective.
        """
        names = [name for name, _ in self.problem.goals]
        if objective not in names:
            raise UsageError(f"there is no objective {quoted(objective)}", meant(objective, names))
        return self._replace(problem=alone(self.problem, names.index(objective)), whole=self)

    @property
    def remarks(self) -> Path:
        """The list of notes and seconds of evaluations whose table has no columns for them."""
        return _remarks(self.path)

    @property
    def runs(self) -> Path:
        """The folder in which ``ordbo run`` makes a folder for each run, unless it is told of another."""
        return self.path.with_suffix(".runs")


def load_problem(path: str | Path) -> ProblemFile:
    """Read and check a problem file.

    Raises:
        MissingFileError: there is no such file.
        FileError: the system refused to read it.
        ProblemErrors: one for each mistake, each beginning ``file:line:column: ``.
    """
    path = Path(path)
    return read_problem(_content(path), path)


def _content(path: Path) -> bytes:
    try:
        return read_bytes(path, "problem file", at_most=LARGEST_FILE + 1, pipes=True)
    except MissingFileError:
        raise missing(path, "problem file", "'ordbo init' writes one to start from", ending=".yaml") from None


def read_problem(content: bytes, path: Path) -> ProblemFile:
    """Check the content of a problem file.

    Raises:
        ProblemErrors: as :func:`load_problem`.
    """
    report = ProblemFaults(shown_path(path))
    node = parse(content, report)
    maker = _ProblemMaker(report)
    settings = PROBLEM.read(node, report) if node is not None else BAD
    files = maker.files(settings, path) if isinstance(settings, Settings) else None
    problem = maker.problem(settings)
    assert isinstance(settings, Settings)  # there are settings, or no problem
    assert files is not None
    own = dict(zip(("the evaluations", "the state", "the comparisons", "the list of suggestions"), files, strict=True))
    own["the problem file"] = path
    campaigns = campaign_tables(settings.get("evaluations", []), problem, path, own, report)
    report.refuse()
    return ProblemFile(path, problem, *files, maker.notes, Evaluations(files[0], problem), campaigns=campaigns)


def problem_of(node: Node, report: ProblemFaults) -> tuple[Problem, tuple[str, ...]]:
    """Return the problem that a tree of settings says, and the notes on it; what it says of files is passed over.

    Raises:
        ProblemErrors: one for each mistake, as the report words them.
    """
    maker = _ProblemMaker(report)
    return maker.problem(PROBLEM.read(node, report)), maker.notes


def check_parameter(node: Node, report: ProblemFaults) -> None:
    """Check a parameter alone, its settings by its name, as far as that goes: ``when`` needs those above it.

    Raises:
        ProblemErrors: one for each mistake.
    """
    for name, _, given in Named(PARAMETER).read(node, report):
        if "when" not in given:
            ParameterMaker(report, (name,)).make(name, given)
    report.refuse()


class _ProblemMaker:
    """Builds a problem from settings; what is wrong between them goes to the report."""

    def __init__(self, report: ProblemFaults) -> None:
        self.report = report
        self.notes: tuple[str, ...] = ()

    def problem(self, settings: Any) -> Problem:
        """Return the problem.

        Raises:
            ProblemErrors: something is wrong with it, or was before.
        """
        made = self._made(settings) if isinstance(settings, Settings) else None
        self.report.refuse()
        if made is None:
            self.report.at(1, 1, "the file holds no problem")
            self.report.refuse()
        assert made is not None
        return made

    def _made(self, settings: Settings) -> Problem | None:
        entries = settings.get("parameters", [])
        objective, more = self._objectives(settings)
        name = objective.get("name", "objective") if objective else "objective"
        limited = settings.get("outcomes", [])
        named = [
            (objective.where("name") if objective else settings.node, name),
            *((n, each) for each, n, _ in (*more, *limited)),
        ]
        fidelity = self._fidelity(settings)
        if fidelity is not None:
            named.append((settings.get("fidelity").where("name"), fidelity.name))
        self._names([each for each in entries if fidelity is None or each[0] != fidelity.name], named)
        maker = ParameterMaker(self.report, tuple(parameter for parameter, _, _ in entries))
        parameters: list[Parameter | Fixed] = []
        for parameter, _, given in entries:
            made = maker.make(parameter, given)
            parameters += [made] if made is not None else []
        self.notes = tuple(maker.notes)
        if "trade" in settings and objective and not more:
            self.notes += (
                f"trade: there is one objective, {quoted(name)}, and nothing to trade; the key says nothing",
            )
        method = self._method(settings)
        if parameters and not self.report.errors and not any(isinstance(p, Parameter) for p in parameters):
            hint = "Give at least one a min and a max that differ"
            self.report.add(settings.where("parameters"), "no parameter is free", hint)
        constraints = self._constraints(settings.get("constraints", []), parameters, len(entries))
        outcomes = self._outcomes(limited)
        known = (*RESERVED, *(each for each, _, _ in entries), *(text for _, text in named))
        columns = self._columns(settings.get("columns", []), known)
        if self.report.errors or objective is None or method is None:
            return None
        try:
            made_of_all = in_python.Problem(
                tuple(parameters), name, objective.get("goal"), settings.get("failed", "worst"),
                settings.get("noise", False), settings.get("seed", 0), method,
                objective.get("unit", ""), objective.get("values", ()), constraints, (*_aims(more), *outcomes), columns,
                enough=objective.get("enough", None), trade=settings.get("trade", "front"), fidelity=fidelity,
            )  # fmt: skip
        except ProblemError as error:
            self.report.add(settings.node, error.message, error.hint)
            return None
        if fidelity is not None:
            self.notes += fidelity.notes(method.initial_rows(len(made_of_all.free)))
        return made_of_all

    def _fidelity(self, settings: Settings) -> Fidelity | None:
        given = settings.get("fidelity")
        if given is None or not given.sound or not {"name", "levels", "cost"} <= given.by_key.keys():
            return None
        try:
            return Fidelity(given.get("name"), given.get("levels"), given.get("cost"))
        except ProblemError as error:
            self.report.add(given.where("cost"), error.message, error.hint)
            return None

    def _objectives(self, settings: Settings) -> tuple[Settings | None, list[tuple[str, Node, Settings]]]:
        """Return the first objective, with its name among its settings, and the others."""
        several = settings.get("objectives")
        if not several:
            return settings.get("objective"), []
        if "objective" in settings:
            self.report.add(settings.where("objective"), "objective and objectives stand side by side", "Keep one")
        if len(several) > MOST_OBJECTIVES:
            message = f"{len(several)} objectives are more than {MOST_OBJECTIVES}"
            self.report.add(settings.where("objectives"), message, "Leave those out that hardly matter")
        (name, node, first), *others = several
        return Settings({**first.by_key, "name": Setting(name, node, "name")}, first.node), others

    def _constraints(
        self, given: list[Scalar], parameters: list[Parameter | Fixed], wanted: int
    ) -> tuple[Constraint, ...]:
        """Return the constraints; they are not looked at where a parameter that they may speak of was refused."""
        if not given or len(parameters) < wanted:
            return ()
        from ordbo_cli.problem.constraints import Constraint, ExpressionError, which_is_empty

        made: list[Constraint] = []
        for node in given:
            try:
                made.append(Constraint.parse(node.text, parameters))
                self._check_ranked(node, made[-1], parameters)
            except ExpressionError as error:
                self.report.add(node.inside(error.column - 1), error.said, error.hint)
        if self.report.errors:
            return ()
        free = [parameter for parameter in parameters if isinstance(parameter, Parameter)]
        empty = which_is_empty(made, free)
        if empty is not None:
            k = next(k for k, constraint in enumerate(made) if constraint.text == empty)
            others = "" if which_is_empty([made[k]], free) else " and the constraints before it"
            self.report.add(given[k], f"no point satisfies {quoted(empty)}{others}", "Loosen it, or widen the bounds")
        return tuple(made)

    def _check_ranked(self, node: Scalar, constraint: Constraint, parameters: list[Parameter | Fixed]) -> None:
        ranked = [p.name for p in parameters if isinstance(p, Parameter) and p.type == "ranked"]
        if spoken := [name for name in ranked if name in constraint.needs]:
            message = f"a constraint on {quoted(spoken[0])}, of type ranked, is not supported"
            self.report.add(node, message, "Its settings have nothing but an order: take the constraint out")

    def _outcomes(self, given: list[tuple[str, Node, Settings]]) -> tuple[Limit, ...]:
        made: list[Limit] = []
        for name, node, limits in given:
            if not limits.sound or not {"min", "max"} & limits.by_key.keys():
                continue  # its errors are in the report
            try:
                made.append(Limit(name, limits.get("min"), limits.get("max"), limits.get("unit", "")))
            except ProblemError as error:
                self.report.add(limits.where("min") if "min" in limits else node, error.message, error.hint)
        return tuple(made)

    def _names(self, entries: list[tuple[str, Node, Settings]], results: list[tuple[Node, str]]) -> None:
        seen: dict[str, str] = {}
        for name, node in [*((name, node) for node, name in results), *((name, node) for name, node, _ in entries)]:
            variable = environment_name(name)
            if name in RESERVED:
                self.report.add(node, f"the name {quoted(name)} is taken", "It is a column of the evaluations")
            elif seen.get(variable) == name:
                self.report.add(node, f"the name {quoted(name)} stands twice", "Each needs its own")
            elif variable in seen:
                clash = f"{quoted(name)} and {quoted(seen[variable])} both become {variable} in the environment"
                self.report.add(node, clash, "Rename one of the two")
            seen[variable] = name

    def _columns(self, given: list[tuple[Scalar, Scalar]], known: Sequence[str]) -> tuple[tuple[str, str], ...]:
        """Return which names have columns of other names."""
        elsewhere = {name.text for name, column in given if name.text != column.text}
        owners = {name: name for name in known if name not in elsewhere}
        for name, column in given:
            if name.text in ALL_COLUMNS and name.text not in known:  # of comparisons, a table of their own
                continue
            beside = (*Remark._fields, CAMPAIGN)
            if name.text not in (*known, *beside):
                hint = meant(name.text, (*known, *beside))
                self.report.add(name, f"{quoted(name.text)} is no name of the problem", hint)
                continue
            owner = owners.setdefault(column.text, name.text)
            if owner != name.text:
                message = (
                    f"the column {quoted(column.text)} would be that of {quoted(owner)} and of {quoted(name.text)}"
                )
                self.report.add(column, message, "Each has a column of its own")
        return tuple((name.text, column.text) for name, column in given)

    def _method(self, settings: Settings) -> Method | None:
        chosen = settings.get("method", "default")
        if isinstance(chosen, str):
            return PRESETS[chosen]
        if not chosen.sound:
            return None
        values = {key: chosen.get(key) for key in chosen.by_key if key not in ("preset", "prior")}
        preset = PRESETS[chosen.get("preset", "default")]
        try:
            if "prior" in chosen:
                values["prior"] = _prior(chosen.get("prior"), preset.prior)
            if isinstance(values.get("beta"), Settings):
                values["beta"] = _schedule(values["beta"])
            return dataclasses.replace(preset, **values)
        except ProblemError as error:
            key = error.message.split()[0]
            self.report.add(chosen.where(key), error.message, error.hint)
            return None

    def files(self, settings: Settings, path: Path) -> tuple[Path, Path, Path, Path]:
        """Return evaluations, state, comparisons and the list of suggestions."""
        tables = (value for value, _ in settings.get("evaluations", []) if isinstance(value, str))
        evaluations = path.parent / next(tables, f"{path.stem}.csv")
        state = path.parent / settings.get("state", f"{path.stem}.state.json")
        comparisons = path.parent / settings.get("comparisons", f"{path.stem}.comparisons.csv")
        hint = "Name another file with evaluations:, state: or comparisons:"
        named = {"the problem file": path, "evaluations": evaluations, "state": state, "comparisons": comparisons}
        # What is written beside them, under names of its own.
        handed = path.parent / f"{path.stem}.suggestions.jsonl"
        state_s = {f"the state's {end} file": Path(f"{state}{end}") for end in _BESIDE_STATE}
        journal = {
            f"the {name}' .journal file": Path(f"{named[name]}.journal") for name in ("evaluations", "comparisons")
        } | {"the list of suggestions": handed, "the list of notes": _remarks(path)}
        pairs = [
            *itertools.combinations(named, 2),
            *itertools.product(("the problem file", "evaluations", "comparisons"), state_s),
            *itertools.product(named, journal),
        ]
        files = named | state_s | journal
        for one, other in pairs:
            if same_file(files[one], files[other]):
                where = settings.where(other if other in settings else one)
                self.report.add(where, f"{one} and {other} are the same file", hint)
        return evaluations, state, comparisons, handed


def _aims(given: list[tuple[str, Node, Settings]]) -> list[Aim]:
    """Return objectives beside the first one, those without mistakes."""
    sound = [(name, each) for name, _, each in given if each.sound and "goal" in each]
    return [
        Aim(name, None, None, each.get("unit", ""), each.get("goal"), each.get("enough", None), each.get("values", ()))
        for name, each in sound
    ]


def _remarks(path: Path) -> Path:
    return path.parent / f"{path.stem}.notes.jsonl"


def _prior(chosen: Any, preset: GapPrior | None) -> GapPrior | None:
    if not isinstance(chosen, Settings):
        return None
    if not chosen.sound:
        return preset  # its errors are in the report
    return dataclasses.replace(preset or GapPrior(), **{key: chosen.get(key) for key in chosen.by_key})


def _schedule(chosen: Settings) -> BetaSchedule:
    if not chosen.sound:
        return BetaSchedule()  # its errors are in the report
    return BetaSchedule(**{key: chosen.get(key) for key in chosen.by_key})
