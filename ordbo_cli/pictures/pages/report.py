"""The report of a study: which numbers, pictures and tables its page holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from functools import cached_property
from itertools import combinations
from typing import Final

import numpy as np

import ordbo_cli
from ordbo_cli.errors import UsageError
from ordbo_cli.insight.inspection import View
from ordbo_cli.ordinal.fit import Fit
from ordbo_cli.pictures.kinds import draw
from ordbo_cli.pictures.pages.front_sections import (
    front_facts,
    front_section,
    growth_section,
    illustration,
    labels,
    lines_section,
    objectives_section,
    problem_section,
)
from ordbo_cli.pictures.pages.judge_table import judges_section
from ordbo_cli.pictures.pages.page import Fact, Header, Illustration, Page, PageCell, PageTable, Section
from ordbo_cli.pictures.pages.page_colours import picture_colours
from ordbo_cli.pictures.pages.point_tables import best_table, evaluations_table, failures_table, number_cell, out_table
from ordbo_cli.pictures.parameter_axes import named, places
from ordbo_cli.pictures.plots.fronts.trades import Trades
from ordbo_cli.pictures.scene import Scene
from ordbo_cli.pictures.style import Look, Picture
from ordbo_cli.pictures.words import counted, figure_of
from ordbo_cli.problem import Level, Problem
from ordbo_cli.problem.method import BetaSchedule
from ordbo_cli.problem.parameter import in_words
from ordbo_cli.problem.spelling import shown_path
from ordbo_cli.search.step_record import StepRecord
from ordbo_cli.study.asking.explaining import explained, with_lines
from ordbo_cli.study.reporting.campaign_standing import CampaignStanding, standing_by
from ordbo_cli.study.reporting.cell_words import Cell, cell_in_words, cell_of
from ordbo_cli.study.reporting.snapshot import Snapshot
from ordbo_cli.study.reporting.views import Best, of_results
from ordbo_cli.study.study import Study

MOST_PAIRS: Final = 3  # of parameters, where nobody names any
STEPS: Final = 10  # whose diagnostics are shown, the newest


@dataclass(frozen=True)
class Report:
    """What a report is made from.

    Args:
        study: whose report it is.
        snapshot: as it was read.
        seen: what the method sees; None where no model was fitted: then what needs one is awaited.
        pairs: of parameters whose acquisition is shown, by place, the first with its fit; none for the pictures' own.
    """

    study: Study
    snapshot: Snapshot
    seen: View | None
    pairs: tuple[tuple[int, ...], ...] = ()

    @classmethod
    def of(cls, study: Study, pairs: Sequence[Sequence[str]] = ()) -> Report:
        """Read a study, fit the model and choose the next point; nothing is recorded.

        Args:
            pairs: names of the parameters whose acquisition is shown, two together; none for those of most latent
                length.

        Raises:
            UsageError: there is no such parameter.
            ProblemError: pairs are named, and there is a front.
            DataError, ManyErrors, FileError: the files cannot be used or read.
        """
        chosen = tuple(places(study.problem.free, pair) for pair in pairs)  # before the model is fitted
        if chosen:
            study.problem.demand_one_order("the acquisition of a pair of parameters")
        if wrong := next((pair for pair in chosen if len(pair) not in (1, 2)), None):
            raise UsageError(f"{len(wrong)} parameters are named together", "Name two, such as --pair angle,blades")
        snapshot = study.snapshot()
        view = View.of(snapshot.given, explain=True)
        return cls(study, snapshot.by_means(_fits(view)), view, chosen)

    @classmethod
    def known(cls, study: Study) -> Report:
        """Read a study, and fit no model: what needs one is awaited.

        Raises:
            DataError, ManyErrors, FileError: the files cannot be used or read.
        """
        return cls(study, study.snapshot(), None)

    @property
    def view(self) -> View:
        """What the method sees, of a report that has a model."""
        assert self.seen is not None
        return self.seen

    @property
    def name(self) -> str:
        """The study's name."""
        return self.study.problem_path.stem

    @cached_property
    def scene(self) -> Scene:
        """What its pictures are made from."""
        return Scene(self.view, self.name)

    def page(self, now: datetime, sections: tuple[Section, ...] | None = None) -> Page:
        """Return the page.

        Args:
            now: the time that stands on it.
            sections: those that it has; None for all.
        """
        problem = self.study.problem
        each = (f"{goal} {label}" for label, (_, goal) in zip(labels(problem), problem.goals, strict=True))
        goals = (", then " if problem.by_priority else " and ").join(each)
        made = f"{goals} · {now:%Y-%m-%d %H:%M %Z}".rstrip() + f" · ordbo {ordbo_cli.__version__}"
        return Page(
            title=self.name,
            subtitle=made,
            summary=tuple(self._summary()),
            sections=tuple(self.sections(now)) if sections is None else sections,
            evaluations=evaluations_table(problem, self.snapshot.points),
            warnings=(*self.study.notes, *self.snapshot.status.warnings),
            colours=picture_colours(),
        )

    def _summary(self) -> Iterator[Fact]:
        status, problem, best = self.snapshot.status, self.study.problem, self.best
        if self.seen is None and status.leads_by_mean:
            yield Fact("Front by mean" if problem.has_front else "Best by mean", "being worked out")
            if best is not None and not problem.has_front:
                yield replace(_best_fact(problem, best), label="Best by value")
        elif best is not None and problem.has_front:
            medians = f"the medians of {best.results} results" if best.results > 1 else of_results(best.results)
            how = f"; chosen by means, {medians}" if best.by == "mean" else ""
            yield from front_facts(self.trades, f"{_place(best)}: {_point(problem, best.parameters)}{how}")
        elif best is None:
            why = "is feasible" if status.infeasible else "has succeeded"
            yield Fact("Best", "none yet", f"no evaluation inside the bounds {why}")
        else:
            yield _best_fact(problem, best)
        done = status.ok + status.failed
        failed = f"{status.failed} failed" if status.failed else "none failed"
        failed += f", {status.infeasible} infeasible" if status.infeasible else ""
        yield Fact("Evaluations", str(done), f"{failed}; {counted(status.step, 'suggestion')} so far")
        if status.comparisons:
            yield Fact("Comparisons", str(status.comparisons), "between two points each")
        for each in self.campaigns if self.seen is not None else ():
            yield Fact(f"{each.kind.capitalize()} {each.name}", str(each.results), each.verdict)
        waiting = f"{status.retry} to be done again" if status.retry else "suggestions without a result"
        yield Fact("Pending", str(status.pending), waiting)
        if (since := self._since_the_best) is not None:
            yield Fact("Since the best", str(since), f"evaluation{'' if since == 1 else 's'} without a better one")
        yield Fact("Next", self._next())

    @cached_property
    def campaigns(self) -> tuple[CampaignStanding, ...]:
        """What each campaign is worth."""
        return standing_by(self.snapshot.files, self.snapshot.given)

    @cached_property
    def best(self) -> Best | None:
        """The best point, that of 'ordbo best'; without a model by value."""
        return self.snapshot.status.best if self.seen is None else self.snapshot.best()

    @property
    def _since_the_best(self) -> int | None:
        if self.study.problem.has_front or self.best is None or self.snapshot.status.by == "mean":
            return None
        order = {each.line: each.order for each in self.snapshot.points if each.order is not None}
        best = order.get(self.best.line)
        return None if best is None else len(order) - best

    def _next(self) -> str:
        """Return in words what the next suggestion is."""
        problem = self.study.problem
        if self.snapshot.refused:
            return f"nothing: {self.snapshot.refused}"
        if self.snapshot.again is not None:
            return f"{_point(problem, self.snapshot.again)}: again, as it is to be evaluated once more"
        if self.seen is None:
            return "being worked out"
        proposal = self.view.suggestion
        if proposal is None:
            return f"nothing: {self.view.why_not}"
        point = _point(problem, problem.mapping(self.view.orders.in_words(problem, proposal.values)))
        cell = proposal.record.cell
        return f"{point}: {'a point of the initial design' if cell is None else self._where(cell)}"

    def _where(self, cell: Cell) -> str:
        """Return where a cell lies, in words."""
        return cell_in_words(self.view.problem, self.view.evaluations, cell, orders=self.view.orders)

    @cached_property
    def trades(self) -> Trades:
        """What is known of several objectives."""
        return Trades.of(self.snapshot, self.name, () if self.seen is None else _fits(self.view))

    def sections(self, now: datetime) -> Iterator[Section]:
        """Yield the parts in their order, each made when it is asked for; what needs a model that is not there waits.

        Args:
            now: until when times are told.
        """
        if self.study.problem.has_front:
            yield from self._of_several(now)
        else:
            yield from self._of_one(now)
        if self.snapshot.status.judges:
            yield self._modelled("Judges", lambda: judges_section(self.snapshot.judges()))
        yield self._modelled("Diagnostics", self._diagnostics)

    def _modelled(self, title: str, made: Callable[[], Section]) -> Section:
        """Return a section that needs the model; without one that it is awaited."""
        return Section(title, "Being worked out.", awaited=True) if self.seen is None else made()

    def _of_several(self, now: datetime) -> Iterator[Section]:
        yield problem_section(self.study.problem)
        yield from self._out(now)
        yield self._modelled("Front", lambda: front_section(self.trades, self.snapshot))
        yield self._modelled("Growth", lambda: growth_section(self.trades))
        yield self._modelled("Next point", lambda: Section("Next point", " ".join((self._when(), *self._why()))))
        yield self._modelled("Parallel axes", lambda: lines_section(self.scene))
        yield self._modelled("Each objective", lambda: objectives_section(self.scene))
        yield from self._failures()

    def _of_one(self, now: datetime) -> Iterator[Section]:
        if self.study.problem.by_priority:
            yield problem_section(self.study.problem)
        yield from self._out(now)
        if self.snapshot.status.ranking:
            yield Section("Best points", tables=(best_table(self.study.problem, self.snapshot.status),))
        yield from self._failures()
        yield self._modelled("Convergence", lambda: Section("Convergence", illustrations=(self._drawn("convergence"),)))
        yield self._modelled("Next point", self._next_point)
        yield self._modelled("Fit", lambda: Section("Fit", illustrations=(self._drawn("fit", *self.pairs[:1]),)))
        yield self._modelled("Parameters", self._parameters)

    def _out(self, now: datetime) -> Iterator[Section]:
        if self.snapshot.status.waiting or self.snapshot.status.again:
            yield Section("Out", tables=(out_table(self.study.problem, self.snapshot, now),))

    def _failures(self) -> Iterator[Section]:
        if self.snapshot.status.failures:
            yield Section("Failures", tables=(failures_table(self.study.problem, self.snapshot.status),))

    def _next_point(self) -> Section:
        pairs = self.pairs or tuple(_longest_pairs(self.view))
        drawn = tuple(self._drawn("acquisition", pair) for pair in pairs)
        return Section("Next point", " ".join((self._when(), *self._why())), illustrations=drawn)

    def _parameters(self) -> Section:
        several = len(self.view.problem.free) > 1
        kinds = ("importance", "effects", "parallel", "warp") if several else ("importance", "effects", "warp")
        return Section(
            "Parameters",
            "How long each parameter's axis is in the latent space, in which the objective is equally rough everywhere;"
            " what its values do to the expected rank; which were tried; and how they lie in the latent space: where"
            " lines spread, the objective changes fast.",
            illustrations=tuple(self._drawn(kind) for kind in kinds),
        )

    def _when(self) -> str:
        """Return when the point is suggested that the search proposes."""
        if self.snapshot.refused:
            return "What the search would propose if it were not for what the summary says, and what speaks for it."
        if self.snapshot.again is not None:
            return "What 'ordbo suggest' answers after the point that is to be evaluated again, and what speaks for it."
        return "What the next 'ordbo suggest' answers if nothing changes, and what speaks for it."

    def _why(self) -> tuple[str, ...]:
        """Return why the next point would be chosen, in sentences."""
        if self.view.suggestion is None:
            return ()
        lines = [each.line or 0 for each in self.snapshot.points if each.order is not None]
        record = with_lines(self.view.suggestion.record, lines)
        first, *others = explained(self.view.problem, self.view.evaluations, 0, record, self.view.orders)
        return tuple(f"{line[:1].upper()}{line[1:]}." for line in (first.removeprefix("0: "), *map(str.strip, others)))

    def _drawn(self, kind: str, shown: tuple[int, ...] = ()) -> Illustration:
        """Return a picture, of some parameters where it is not of all."""
        picture: Picture = draw(kind, replace(self.scene, shown=shown), Look())
        return illustration(picture, " and ".join(self.scene.all.label(j) for j in shown))

    def _diagnostics(self) -> Section:
        view, method = self.view, self.study.problem.method
        fit = view.surrogate.fit
        beta = "by the schedule of Lemma 1" if isinstance(method.beta, BetaSchedule) else f"{method.beta:g}"
        facts = [
            Fact(
                "Method",
                method.preset,
                f"acquisition {method.acquisition}, {method.partition} cells, beta {beta}",
            ),
            Fact("Model", f"{len(fit.rank)} of {len(self.snapshot.given.evaluations)}", "evaluations are in it"),
        ]
        for (name, _), each in zip(view.problem.goals, view.surrogate.each, strict=True):
            of = f" of {name}" if view.problem.several else ""
            sd, nats = "standard deviation, the prior of the latent function has 1", "evidence lower bound and prior of"
            facts.append(Fact(f"Latent noise{of}", figure_of(each.fit.sigma), sd))
            facts.append(Fact(f"Fitted objective{of}", figure_of(each.fit.value), f"{nats} the gaps, in nats"))
        table = PageTable(
            f"How the newest {counted(min(STEPS, len(self.snapshot.status.steps)), 'suggestion')} came about",
            (
                Header("id", "number"),
                Header("chosen by"),
                Header("latent mean", "number"),
                Header("sd", "number"),
                Header("cell"),
            ),
            tuple(self._steps()),
        )
        paths = (self.study.problem_path, self.study.evaluations_path, self.study.state_path)
        notes = (f"Files: {', '.join(map(shown_path, paths))}.",)
        return Section("Diagnostics", facts=tuple(facts), tables=(table,) if table.rows else (), notes=notes)

    def _steps(self) -> Iterator[tuple[PageCell, ...]]:
        for record in map(StepRecord.from_dict, self.snapshot.status.steps[: -STEPS - 1 : -1]):
            if record is None:
                continue
            cell = cell_of(self.study.problem, record)
            where = "" if cell is None else self._where(cell)
            moments = (number_cell(value, digits=3) for value in (record.mean, record.sd))
            yield number_cell(record.id), PageCell(record.kind), *moments, PageCell(where)


def _fits(view: View) -> list[Fit]:
    """Return the fitted model of each objective."""
    return [each.fit for each in view.model.each]


def _longest_pairs(view: View) -> Iterator[tuple[int, ...]]:
    """Yield the pairs among the parameters of most latent length that have an axis where the best lies."""
    columns = view.space.columns
    if len(columns) < 2:
        yield from ((k,) for k in columns)
        return
    longest = np.argsort(-view.lengths, kind="stable")[:3]
    for pair in list(combinations(longest.tolist(), 2))[:MOST_PAIRS]:
        yield tuple(columns[j] for j in sorted(pair))


def _point(problem: Problem, parameters: Mapping[str, Level]) -> str:
    """Return a point in words, its numbers shortened: the tables have them in full."""
    parameters = in_words(parameters)
    return ", ".join(
        f"{each.name} {_short(parameters[each.name])}{f' {each.unit}' if each.unit else ''}"
        for each in problem.parameters
        if each.name in parameters
    )


def _best_fact(problem: Problem, best: Best) -> Fact:
    """Return the best of one order of results: its values by all objectives, where it lies, what it was chosen by."""
    title = "Best" if best.by == "value" else "Best by mean"
    result = "compared only" if best.objective is None else _short(problem.shown(best.objective, best.censored))
    how = "" if best.by == "value" else f"; chosen by its mean, {of_results(best.results)}"
    if problem.by_priority:
        others = [f"{aim.name} {best.outcomes.get(aim.name, '')}" for _, aim in problem.aims]
        result = result if best.objective is None else ", ".join([f"{problem.objective} {result}", *others])
    else:
        title += f"{' ' if best.by == 'value' else ', '}{named(problem.objective, problem.unit)}"
    return Fact(title, result, f"{_place(best)}: {_point(problem, best.parameters)}{how}")


def _place(best: Best) -> str:
    return f"id {best.id}" if best.id is not None else f"line {best.line}"


def _short(value: Decimal | Level) -> str:
    """Return a number to six digits, a word as it is."""
    return value if isinstance(value, str) else f"{value:.6g}"
