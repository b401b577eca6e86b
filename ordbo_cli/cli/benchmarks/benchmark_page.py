"""The page of ``ordbo benchmark --html``: which tables, pictures and words it holds."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from ordbo_cli import __version__
from ordbo_cli.benchmark.rivals.methods import Contestant
from ordbo_cli.benchmark.rivals.registry import BASELINES
from ordbo_cli.benchmark.scoring.rankings import MethodRanking
from ordbo_cli.benchmark.scoring.results import FIGURES
from ordbo_cli.benchmark.scoring.score_tables import ScoreTables
from ordbo_cli.benchmark.scoring.scores import MethodStanding, Ratio
from ordbo_cli.benchmark.suites.suite import SMOOTH
from ordbo_cli.cli.benchmarks.score_output import panels_of
from ordbo_cli.cli.benchmarks.standings import alike_in_words, packages_in_words, ranking_words, ratio_of, too_few
from ordbo_cli.cli.output import overwrite
from ordbo_cli.pictures.pages.page import Fact, Header, Illustration, Page, PageCell, PageTable, Section, render
from ordbo_cli.pictures.pages.page_colours import picture_colours
from ordbo_cli.pictures.pages.point_tables import number_cell
from ordbo_cli.pictures.plots.comparison.critical_difference import draw_ranks
from ordbo_cli.pictures.plots.comparison.method_lines import Cast
from ordbo_cli.pictures.plots.comparison.profile import draw_profile
from ordbo_cli.pictures.plots.regret import draw_course
from ordbo_cli.pictures.style import Look, Picture
from ordbo_cli.pictures.words import counted, listed
from ordbo_cli.problem.method import Method

_ALL_STAND_OUT: Final = 6  # methods up to which none has to stand back in pictures
_INTERVALS: Final = (
    "Intervals hold 95% of bootstrap samples of the seeds. Below 1 is better than the baseline."
    f" Challenging is paper without {SMOOTH}."
)
_PROFILE: Final = (
    "A target is a share of the regret of the best initial point, from 63% down to a millionth in thirty equal steps of"
    " the logarithm, and no lower than the problem's precision; each problem and seed has thirty. The area is the mean"
    " share on the way from the initial points to the budget. After Hansen et al. (COCO, 2021), Moré and Wild (2009)."
)
_RANKS: Final = (
    "Mean ranks over problems, 1 the best; bars join methods that are not told apart. Problems are what is drawn by"
    " chance, so no number of seeds makes up for few of them."
)
_REGRET: Final = (
    "Means over seeds, of the simple regret (that of the best point so far) geometric ones; bands reach from the lower"
    " to the upper quartile. Of methods without a colour no band is drawn."
)
_PACKAGES: Final = (
    "Settings of ordinal Bayesian optimisation; other methods have their own. Packages are those installed here."
)
_SECONDS: Final = "Of choosing a point, on the machine that made the records; evaluating it is left out."


@dataclass(frozen=True)
class Origin:
    """Where an experiment comes from.

    Args:
        command: that made the page.
        seeds: the repetitions.
        files: of the records.
        contestants: the methods.
    """

    command: str
    seeds: Sequence[int]
    files: Sequence[Path]
    contestants: Sequence[Contestant]


def write_page(path: Path, tables: ScoreTables, origin: Origin) -> None:
    """Write the page.

    Raises:
        FileError: the system refused.
    """
    page = _BenchmarkPage(tables, origin).page(datetime.now().astimezone())
    overwrite(path, render(page).encode("utf-8", "surrogateescape"))


@dataclass(frozen=True)
class _BenchmarkPage:
    tables: ScoreTables
    origin: Origin

    def page(self, now: datetime) -> Page:
        """Return what stands on it."""
        found = self.tables.found
        what = f"{counted(len(found.methods), 'method')} on {counted(len(found.problems), 'problem')}"
        rows = tuple(map(_row, self.tables.problems))
        caption = "Every method on every problem at every budget; times are seconds a suggestion"
        return Page(
            title=what,
            subtitle=f"{now:%Y-%m-%d %H:%M %Z}".rstrip() + f" · ordbo {__version__}",
            summary=tuple(self._summary()),
            sections=tuple(self._sections()),
            evaluations=PageTable(caption, _row_headers(found.compared_with), rows),
            kind="Benchmark",
            noun="result",
            colours=picture_colours(),
        )

    @property
    def cast(self) -> Cast:
        """Which methods stand out in pictures: ours, the baseline and vanilla, unless there are few."""
        methods = self.tables.found.methods
        ours = {each.name for each in self.origin.contestants if each.is_ours or each.family in BASELINES}
        leading = [name for name in methods if name in ours or name == self.tables.found.baseline]
        return Cast(methods, leading if len(methods) > _ALL_STAND_OUT else ())

    def _summary(self) -> Iterator[Fact]:
        found = self.tables.found
        last = [row for row in self.tables.overall if row.budget == found.total]
        ranks = {
            "simple": {row.method: row.simple_rank for row in last},
            "cumulative": {row.method: row.cumulative_rank for row in last},
        }
        for figure, by_method in ranks.items():
            best = min(by_method, key=by_method.__getitem__)
            where = f"{by_method[best]:.2f} of {len(by_method)}, after {found.total} evaluations"
            where += f", not told apart from {counted(alike, 'other')}" if (alike := self._alike(figure, best)) else ""
            yield Fact(f"Lowest mean rank by {figure} regret", best, where)
        yield Fact("Problems", str(len(found.problems)), f"{counted(len(self.origin.seeds), 'seed')} each")
        budgets = f"{found.initial} of them initial"
        yield Fact("Evaluations", ", ".join(map(str, found.budgets)), budgets)
        if found.baseline in found.methods:
            yield Fact("Baseline", found.baseline, "that ratios are to")

    def _alike(self, figure: str, method: str) -> int:
        """Return how many others a method is not told apart from after all evaluations; 0 where there is no ranking."""
        last = (each for each in self.tables.rankings if each.budget == self.tables.found.total)
        return next((len(each.alike[method]) for each in last if each.figure == figure), 0)

    def _sections(self) -> Iterator[Section]:
        yield Section("Ratios and ranks", _INTERVALS, tables=tuple(self._headline()))
        yield Section("Data profile", _PROFILE, tables=(self._profile_table(),), illustrations=(self._profile(),))
        if rankings := self.tables.rankings:
            yield Section(
                "Ranks",
                _RANKS,
                tables=tuple(map(_rank_table, rankings)),
                illustrations=tuple(map(self._ranks, rankings)),
                notes=tuple(ranking_words(rankings)),
            )
        yield Section("Regret", _REGRET, illustrations=tuple(self._regrets()))
        yield Section("Time", _SECONDS, tables=(self._times(),))
        yield Section("Methods", _PACKAGES, facts=tuple(Fact(*_about(each)) for each in self.origin.contestants))
        yield Section("How it was made", facts=tuple(self._made()))

    def _headline(self) -> Iterator[PageTable]:
        found = self.tables.found
        for budget in found.budgets:
            rows = [row for row in self.tables.groups or self.tables.overall if row.budget == budget]
            headers = (Header("method"), Header("problems"), *_ratio_headers(found.compared_with))
            cells = tuple((PageCell(row.method), PageCell(row.subject), *_ratio_cells(row)) for row in rows)
            yield PageTable(f"After {budget} evaluations", headers, cells)

    def _profile_table(self) -> PageTable:
        budgets = self.tables.found.budgets
        names = [f"{name} after {budget}" for budget in budgets for name in ("share met", "area")]
        rows = [
            (PageCell(each.method), *(_fixed(x, 3) for b in budgets for x in (each.solved[b], each.area[b])))
            for each in sorted(self.tables.profiles, key=lambda each: -each.area[budgets[-1]])
        ]
        headers = (Header("method"), *(Header(name, "number") for name in names))
        return PageTable("Share of targets met, and its mean on the way", headers, tuple(rows))

    def _profile(self) -> Illustration:
        found = self.tables.found
        courses = {each.method: each.course for each in self.tables.profiles}
        caption = "Share of targets met after so many evaluations, over all problems and seeds."
        return _illustration(draw_profile(courses, found.initial, found.budgets, self.cast, Look()), caption)

    def _ranks(self, ranking: MethodRanking) -> Illustration:
        title = f"By {ranking.figure} regret after {ranking.budget} evaluations"
        picture = draw_ranks(ranking.ranks, ranking.groups, ranking.critical_difference, title, self.cast, Look())
        return _illustration(picture, too_few(ranking))

    def _regrets(self) -> Iterator[Illustration]:
        for panel in panels_of(self.tables.found):
            for figure in FIGURES:
                yield _illustration(draw_course(panel, figure, self.cast, Look()))

    def _times(self) -> PageTable:
        found = self.tables.found
        rows = [row for row in self.tables.overall if row.budget == found.total]
        cells = tuple(
            (PageCell(row.method), number_cell(row.seconds, 2), number_cell(row.seconds_90, 2)) for row in rows
        )
        headers = (Header("method"), Header("median", "number", "s"), Header("upper decile", "number", "s"))
        return PageTable("Seconds a suggestion, over all problems", headers, cells)

    def _made(self) -> Iterator[Fact]:
        yield Fact("Command", self.origin.command)
        yield Fact("Version", f"ordbo {__version__}")
        yield Fact("Problems", ", ".join(self.tables.found.problems))
        yield Fact("Seeds", ", ".join(map(str, self.origin.seeds)))
        yield Fact("Records", listed([str(path) for path in self.origin.files]))


def _illustration(picture: Picture, caption: str = "") -> Illustration:
    return Illustration(picture.title, picture.encoded("svg").decode(), picture.alt, caption)


def _rank_table(ranking: MethodRanking) -> PageTable:
    rows = tuple(
        (PageCell(method), _fixed(rank, 2), PageCell(alike_in_words(ranking, method)))
        for method, rank in ranking.ranks.items()
    )
    caption = f"By {ranking.figure} regret after {ranking.budget} evaluations"
    return PageTable(caption, (Header("method"), Header("mean rank", "number"), Header("not told apart from")), rows)


def _ratio_headers(baseline: str) -> tuple[Header, ...]:
    return tuple(
        header
        for figure in FIGURES
        for header in (Header(f"{figure} / {baseline}", "number"), Header(f"rank, {figure}", "number"))
    )


def _ratio_cells(row: MethodStanding) -> tuple[PageCell, ...]:
    return (
        _ratio_cell(row.cumulative_ratio), _fixed(row.cumulative_rank, 2),
        _ratio_cell(row.simple_ratio), _fixed(row.simple_rank, 2),
    )  # fmt: skip


def _ratio_cell(ratio: Ratio | None) -> PageCell:
    return PageCell(ratio_of(ratio), None if ratio is None else ratio.value)


def _row_headers(baseline: str) -> tuple[Header, ...]:
    figures = (Header("evaluations", "number"), Header("cumulative", "number"), Header("simple", "number"))
    seconds = (Header("median", "number", "s"), Header("upper decile", "number", "s"))
    return Header("method"), Header("problem"), *figures, *_ratio_headers(baseline), *seconds


def _row(row: MethodStanding) -> tuple[PageCell, ...]:
    simple = (row.simple or {}).get(row.budget)
    figures = (number_cell(row.budget), number_cell(row.cumulative, 3), number_cell(simple, 3))
    seconds = (number_cell(row.seconds, 2), number_cell(row.seconds_90, 2))
    return PageCell(row.method), PageCell(row.subject), *figures, *_ratio_cells(row), *seconds


def _about(one: Contestant) -> tuple[str, str, str]:
    """Return a method's name, its settings, and the packages that it needs."""
    return one.name, _settings(one.method) if one.is_ours else one.settings, packages_in_words(one.versions)


def _settings(method: Method) -> str:
    settings = {**dataclasses.asdict(method), "initial": None}  # which is the experiment's
    flat = {
        f"{name}{f'.{inner}' if inner else ''}": value
        for name, given in settings.items()
        for inner, value in (given if isinstance(given, dict) else {"": given}).items()
    }
    shown = {name: str(value).lower() if isinstance(value, bool) else value for name, value in flat.items()}
    return ", ".join(f"{name} {value}" for name, value in shown.items() if value is not None)


def _fixed(value: float, decimals: int) -> PageCell:
    return PageCell(f"{value:.{decimals}f}", value)
