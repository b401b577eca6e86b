"""The parts of the page on which results are entered, and of the sheet of one point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ordbo_cli.pictures.pages.page import Fact, fill
from ordbo_cli.problem import Level, Problem
from ordbo_cli.problem.parameter import in_words
from ordbo_cli.study.reporting.views import PendingPoint


@dataclass(frozen=True)
class ResultField:
    """What a result has: one field of a form.

    Args:
        name: of an objective or outcome.
        unit: of it, "" for none.
        words: that it may be, where these are listed.
    """

    name: str
    unit: str
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class OpenPoint:
    """A point that waits for its result.

    Args:
        id: of it.
        facts: its parameters.
        since: when it was handed out, in seconds since 1970, None where nobody knows; the page says how long ago.
        again: whether it is to be evaluated again.
    """

    id: int
    facts: tuple[Fact, ...]
    since: int | None
    again: bool

    @classmethod
    def of(cls, problem: Problem, point: PendingPoint, now: float) -> OpenPoint | None:
        """Return a point as it is shown; None for one without an id, which cannot be named."""
        if point.id is None:
            return None
        units = {each.name: each.unit for each in problem.parameters}  # a level of fidelity is told, too
        facts = tuple(
            Fact(name, _written(value, units.get(name, ""))) for name, value in in_words(point.parameters).items()
        )
        since = None if point.age is None else round(now - point.age)
        return cls(point.id, facts, since, point.again)


def fields_of(problem: Problem) -> tuple[ResultField, ...]:
    """Return what a result of a problem has."""
    first = ResultField(problem.objective, problem.unit, tuple(problem.grades))
    others = (ResultField(each.name, each.unit, tuple(problem.words.get(each.name, ()))) for each in problem.outcomes)
    return (first, *others)


def bench_parts(title: str, problem: Problem, points: Sequence[OpenPoint], *, phone: bool) -> dict[str, str]:
    """Return the parts of the page on which results are entered, by id.

    Args:
        title: of the study.
        problem: what it asks.
        points: those that wait.
        phone: whether other machines reach the server.
    """
    fields = fields_of(problem)
    out = f"{len(points)} point{'' if len(points) == 1 else 's'} without a result" if points else "Nothing is out."
    links = [("All of the study", "../"), ("Next point", "#begin")]
    links += [(f"Point {each.id}", f"#point-{each.id}") for each in points]
    links += [("Compare", "#compare"), ("Correct", "#correct"), ("Take back", "#undo")]
    made = {"head": _part("head", title, problem.purpose), "contents": _part("links", links)}
    made["begin"] = _part("begin", out)
    made |= {f"point-{each.id}": _part("point", each, fields) for each in points}
    made |= {"compare": _part("compare"), "correct": _part("correct", fields), "undo": _part("undo")}
    return made | ({"phone": _part("phone", "")} if phone else {})


def sheet_part(title: str, problem: Problem, point: OpenPoint, code: str, link: str) -> dict[str, str]:
    """Return the parts of a point's sheet.

    Args:
        title: of the study.
        problem: what it asks.
        point: the point.
        code: an SVG element of the link.
        link: of the page on which its result is entered.
    """
    from markupsafe import Markup

    parts = {"head": _part("head", title, problem.purpose), "contents": _part("links", [("Enter it", link)])}
    return parts | {"sheet": _part("sheet", title, point, fields_of(problem), Markup(code), link)}


def _part(name: str, *values: object) -> str:
    return fill("bench.html", name, *values)


def _written(value: Level, unit: str) -> str:
    text = value if isinstance(value, str) else repr(value) if isinstance(value, float) else str(value)
    return f"{text} {unit}" if unit else text
