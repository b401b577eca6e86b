"""What monotone transforms make of a study's next suggestion, in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from ordbo_cli.problem import Evaluation, Number, Problem
from ordbo_cli.problem.order import as_it_counts
from ordbo_cli.problem.setting_order import SettingOrders
from ordbo_cli.problem.several import alone, alone_in, without_enough
from ordbo_cli.problem.spelling import shown
from ordbo_cli.study.reading.study_files import StudyFiles
from ordbo_cli.study.reporting.cell_words import MOST_NAMED, cell_in_words, counting_in, edge_texts, name_in_words

if TYPE_CHECKING:
    from ordbo_cli.insight.invariance import Invariance, Progress, Trial


class ShownInvariance(NamedTuple):
    """What transforms make of the next suggestion.

    Args:
        found: each transform, and what came out.
        lines: the same in words: one for the objective, one for each parameter, or why there is none.
        warnings: what people should know.
    """

    found: Invariance
    lines: tuple[str, ...]
    warnings: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether no transform led to another suggestion."""
        return self.found.holds


def shown_invariance(files: StudyFiles, threads: int = 1, progress: Progress | None = None) -> ShownInvariance:
    """Return what transforms make of the next new point of a study.

    Args:
        files: the files as they are.
        threads: that each step is spread over.
        progress: shows how many of the steps are done.

    Raises:
        ExhaustedError: nothing comes next.
    """
    from ordbo_cli.insight.invariance import invariance_of

    found = invariance_of(files.step_input(), threads=threads, progress=progress)
    problem, evaluations = files.problem, files.ledger.evaluations()
    whose = [("", evaluations), *((each.name, each.evaluations) for each in files.campaigns)]
    parameters = _parameter_lines(problem, evaluations, found, files.orders)
    each = range(len(problem.goals))
    lines = [_objective_line(problem, of, found, k, name) for name, of in whose for k in each]
    if problem.several and any(trial.of is None and trial.outcome != "merged" for trial in found.trials):
        lines.append("the objectives were transformed all at once, each in another way at a time")
    lines += parameters
    if (again := files.ledger.next_again()) is not None:
        point = point_in_words(problem, again.values)
        lines.insert(0, f"{point} is handed out once more first, whatever the values; this is the point after it")
    return ShownInvariance(found, tuple(lines), files.warnings)


def point_in_words(problem: Problem, values: Sequence[Number]) -> str:
    """Return a point as "angle=3.1, blades=4"; of many free parameters, the first few."""
    shown = problem.mapping(values)
    words = [f"{name_in_words(each.name)}={shown[each.name]}" for each in problem.free if each.name in shown]
    more = len(words) - MOST_NAMED
    return ", ".join(words[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _objective_line(
    problem: Problem, evaluations: Sequence[Evaluation], found: Invariance, which: int, campaign: str = ""
) -> str:
    """Return what transforms of an objective make of the suggestion.

    Args:
        evaluations: of the study, or of a campaign.
        campaign: its name; "" for the study.
    """
    objective = problem.goals[which][0]
    name = f"objective {name_in_words(objective)}" + (f" of campaign {shown(campaign)}" if campaign else "")
    tried = [trial for trial in found.trials if trial.of is None and trial.campaign == campaign]
    trials = [trial for trial in tried if trial.objective == objective]
    if not trials:
        return f"{name}: there is no result yet that could be transformed"
    same = point_in_words(problem, found.values)
    words = {
        "same": f"the same suggestion ({same})",
        "rounded": f"the same suggestion ({same}) but for rounding",
        "merged": "these results cannot be told apart after it by any reasonable number of digits",
    }

    def said(trial: Trial) -> str:
        if trial.outcome in words or trial.values is None:
            return words[trial.outcome]
        return f"another suggestion ({point_in_words(problem, trial.values)}) than before ({same})"

    one = without_enough(alone(problem, which)) if campaign else alone(problem, which)
    found_by = (as_it_counts(one, alone_in(problem, each, which)).objective for each in evaluations)
    results = [result for result in found_by if result is not None]
    design = "" if found.cell is not None else "; a point of the initial design, which no result has a say in"
    return f"{name}: {_grouped((trial.how, said(trial)) for trial in trials)}{_ranks(results, trials)}{design}"


def _ranks(results: Sequence[Decimal], trials: Sequence[Trial]) -> str:
    """Return that the transforms which were tried left the ranks alone, or "" where none was."""
    if all(trial.outcome == "merged" for trial in trials):
        return ""
    number, distinct = len(results), len(set(results))
    if number == 1:
        return "; there is one result, and so one rank"
    return f"; the {distinct} ranks of the {number} results stay" if distinct > 1 else f"; all {number} results are one"


def _parameter_lines(
    problem: Problem, evaluations: Sequence[Evaluation], found: Invariance, orders: SettingOrders
) -> list[str]:
    """Return what transforms of each parameter make of the cell, or why there are none."""
    if found.distances is not None or found.cell is None:
        return [f"parameters: {_why_not(problem, found)}"]
    lines = []
    for parameter, (low, high), counts in zip(problem.free, found.cell, counting_in(problem, found.cell), strict=True):
        if not counts or parameter.levels or parameter.type == "ranked":
            known = "its settings are known by their order alone"
            why = "its values have no order" if parameter.type == "categorical" else known
            why = why if counts else "it does not count in this cell"
            lines.append(f"{name_in_words(parameter.name)}: {why}: nothing to transform")
            continue
        first, last = edge_texts(parameter, low, high)
        words = {
            "same": f"the same cell ({first} to {last})",
            "merged": "these values lie too close for doubles after it",
            "off the grid": "it would not keep the grid",
        }

        def said(trial: Trial, words: dict[str, str] = words) -> str:
            if trial.outcome in words or trial.cell is None or found.cell is None:
                return words[trial.outcome]
            both = (trial.cell, found.cell)
            now, then = (cell_in_words(problem, evaluations, cell, orders=orders) for cell in both)
            return f"another cell ({now}) than before ({then})"

        trials = [(trial.how, said(trial)) for trial in found.trials if trial.of == parameter.name]
        lines.append(f"{name_in_words(parameter.name)}: {_grouped(trials)}")
    return [*lines, "inside its cell a point is placed by the parameters' own scales, by design"]


def _why_not(problem: Problem, found: Invariance) -> str:
    """Return why no parameter was transformed."""
    if found.distances == "constraints":
        return "the constraints are meant for their values as they are, by design; no transform of them is tried"
    if found.distances == "initial":
        return "the initial design spreads its points by distances, by design; no transform of them is tried"
    if found.distances == "explore":
        every = problem.method.explore_every
        if not every:
            return "all results are alike, so the largest cell comes next, by design; no transform of them is tried"
        return f"this is a turn to explore (explore_every: {every}), which goes by original distances, by design"
    centre = "" if problem.method.prior is None else f"prior centre: {problem.method.prior.centre}"
    return f"their distances count where the cell is chosen ({centre}); with method: metric-free they would not"


def _grouped(trials: Iterable[tuple[str, str]]) -> str:
    """Return transforms with what came out, those of one outcome together, in order of appearance."""
    by_words: dict[str, list[str]] = {}
    for how, words in trials:
        by_words.setdefault(words, []).append(how)
    return "; ".join(f"{', '.join(hows)}: {words}" for words, hows in by_words.items())
