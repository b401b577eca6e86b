"""The report's table of those who compare points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ordbo_cli.pictures.pages.page import Header, PageCell, PageTable, Section
from ordbo_cli.pictures.pages.point_tables import number_cell
from ordbo_cli.pictures.words import counted
from ordbo_cli.problem.spelling import listed
from ordbo_cli.study.reporting.views import NOBODY, Judge

_ABOUT: Final = (
    "Who has compared points, and with how many of these answers the model agrees. It has learnt from them, so that it"
    " agrees with more of them than with new ones: compare the judges by it, and by the noise that it has learnt, a"
    " standard deviation of which the prior one of the latent function is 1."
)


def judges_section(judges: Sequence[Judge]) -> Section:
    """Return the section on those who judge."""
    headers = (
        Header("judge"),
        *(
            Header(name, "number")
            for name in ("comparisons", "ties", "rankings", "scores", "agrees", "share", "noise", "both ways")
        ),
        Header("differs from"),
    )
    table = PageTable(counted(len(judges), "judge"), headers, tuple(_row(each) for each in judges))
    return Section("Judges", _ABOUT, tables=(table,))


def _row(judge: Judge) -> tuple[PageCell, ...]:
    differs = [f"{name or NOBODY} on {one} of {of} pairs" for name, (one, of) in judge.differs.items() if one]
    agrees = PageCell("") if judge.agreement is None else PageCell(f"{judge.right} of {judge.told}", judge.right)
    share = PageCell("") if judge.agreement is None else PageCell(f"{judge.agreement:.0%}", judge.agreement)
    return (
        PageCell(judge.name or NOBODY),
        *(number_cell(each) for each in (judge.comparisons, judge.ties, judge.rankings, judge.scores)),
        agrees,
        share,
        number_cell(judge.noise, digits=2),
        number_cell(judge.both_ways),
        PageCell(listed(differs) if differs else ""),
    )
