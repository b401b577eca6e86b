"""A cell in words: "between 0.31 and 0.44 of angle, above the third best of blades (5)"."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from ordbo_cli.files.values.numbers import printed
from ordbo_cli.problem import Evaluation, Level, Number, Parameter, Problem
from ordbo_cli.problem.order import ranks
from ordbo_cli.problem.setting_order import NO_ORDERS, SettingOrders

if TYPE_CHECKING:
    from ordbo_cli.search.step_record import StepRecord

Cell = Sequence[Sequence[float]]

MOST_NAMED: Final = 6  # free parameters that are all named; of more, the narrowest few
_NARROWEST: Final = 4
_RANKS: Final = ("best", "second best", "third best", "fourth best", "fifth best")
_DIGITS: Final = 3  # significant ones of an edge, more where they are needed
_FINEST: Final = 0.01  # of a cell's width: an edge is not rounded by more


def cell_in_words(
    problem: Problem,
    evaluations: Sequence[Evaluation],
    cell: Cell,
    beside: Cell | None = None,
    orders: SettingOrders = NO_ORDERS,
) -> str:
    """Return where a cell lies.

    An edge that is a coordinate of one of the best results is called by its rank, up to the fifth best and no further
    than half of the ranks; any other by its number. An end of the parameter's own range is no edge. A categorical
    parameter is told by its level, an ordinal one too where the cell owns no other, and one that does not count is not
    told. Of more than six free parameters only the narrowest few are named.

    Args:
        problem: whose free parameters the cell is about.
        evaluations: the results so far, in any order.
        cell: lower and upper edge by free parameter.
        beside: another cell that was named before: where the two agree in some parameters, only the others are named.
        orders: of the settings of ranked parameters.
    """
    ranks = _named_coordinates(problem, evaluations)
    counting = counting_in(problem, cell)
    agreed = [beside is not None and list(beside[j]) == list(edges) for j, edges in enumerate(cell)]
    extents = [
        (_share(parameter, low, high), _sides(parameter, low, high, named, orders), name_in_words(parameter.name))
        for parameter, (low, high), named, left_out, counts in zip(
            problem.free, cell, ranks, agreed, counting, strict=True
        )
        if counts and not left_out
    ]
    same = "the same but " if any(agreed) and extents else ""
    if not any(words for _, words, _ in extents) and not same:
        return "anywhere"
    if len(extents) <= MOST_NAMED:
        return same + ", ".join(words or f"any {name}" for _, words, name in extents)
    return same + _narrowest(extents)


def name_in_words(name: str) -> str:
    """Return a parameter's name, in quotation marks where it would run into the sentence around it."""
    words = name.split(" ")
    clear = all(word and all(c.isalnum() or c in "_-." for c in word) for word in words)
    return name if clear and not {"and", "of"} & set(words) else f"'{name}'"


def cell_of(problem: Problem, record: StepRecord) -> Cell | None:
    """Return the cell of a step; None where it has none for the free parameters of now.

    A record may be old: a parameter that is free today was fixed then, or the other way round; and people edit a state.
    """
    edges = record.cell
    if edges is None or len(edges) != len(problem.free):
        return None
    places = [low == high and low in range(len(p.levels)) for p, (low, high) in zip(problem.free, edges, strict=True)]
    if not all(place for p, place in zip(problem.free, places, strict=True) if p.type == "categorical"):
        return None
    counting = zip(problem.free, edges, counting_in(problem, edges), strict=True)
    sound = all(low < high or p.type == "categorical" for p, (low, high), counts in counting if counts)
    return edges if sound else None


def counting_in(problem: Problem, cell: Cell) -> tuple[bool, ...]:
    """Return which free parameters count in a cell, in which each categorical one has one level."""
    return problem.active([int(low) if p.is_whole else low for p, (low, _) in zip(problem.free, cell, strict=True)])


def edges_shown(problem: Problem, cell: Cell, orders: SettingOrders = NO_ORDERS) -> dict[str, tuple[Level, Level]]:
    """Return the edges of a cell by name as the user has them, twice the level for a categorical parameter.

    Parameters that do not count are left out.
    """
    counting = zip(problem.free, cell, counting_in(problem, cell), strict=True)
    shown = orders.shown
    return {p.name: (shown(p, low), shown(p, high)) for p, (low, high), counts in counting if counts}


def edge_texts(parameter: Parameter, low: float, high: float, orders: SettingOrders = NO_ORDERS) -> tuple[str, str]:
    """Return two different edges with no more digits than it takes to tell them from each other and from the ends."""
    if parameter.type == "ranked":
        order = orders.of(parameter.name)
        return order.name(low), order.name(high)
    if parameter.levels:
        return name_in_words(printed(parameter.shown(low))), name_in_words(printed(parameter.shown(high)))
    if parameter.type == "int":
        return f"{low:.0f}", f"{high:.0f}"
    others = {low, high, float(parameter.low), float(parameter.high)}
    return _short(low, high - low, others), _short(high, high - low, others)


def _short(x: float, width: float, others: set[float]) -> str:
    for digits in range(_DIGITS, 17):
        rounded = [float(f"{y:.{digits}g}") for y in (x, *(others - {x}))]
        if abs(rounded[0] - x) <= _FINEST * width and rounded[0] not in rounded[1:]:
            return repr(rounded[0]).removesuffix(".0")
    return repr(x).removesuffix(".0")


def _sides(parameter: Parameter, low: float, high: float, named: Mapping[float, str], orders: SettingOrders) -> str:
    """Return a cell's extent in one parameter, "" where it is the parameter's whole range."""
    from_below, from_above = low > parameter.low, high < parameter.high
    texts = edge_texts(parameter, low, high, orders)
    if parameter.levels and (low == high or (from_below and high == low + 1)):  # an edge belongs to the cell below it
        return f"{name_in_words(parameter.name)} {texts[1]}"
    if from_below and from_above:
        ends = [f"the {named[x]} ({text})" if x in named else text for x, text in zip((low, high), texts, strict=True)]
        return f"between {ends[0]} and {ends[1]} of {name_in_words(parameter.name)}"
    if not from_below and not from_above:
        return ""
    word, x, text = ("above", low, texts[0]) if from_below else ("below", high, texts[1])
    return (
        f"{word} the {named[x]} of {name_in_words(parameter.name)} ({text})"
        if x in named
        else f"{word} {text} of {name_in_words(parameter.name)}"
    )


def _narrowest(extents: Sequence[tuple[float, str, str]]) -> str:
    """Return the extents in the parameters in which a cell is narrowest, and how many others there are."""
    narrow = sorted((share, j) for j, (share, words, _) in enumerate(extents) if words)
    said = ", ".join(extents[j][1] for j in sorted(j for _, j in narrow[:_NARROWEST]))
    rest, free = len(narrow) - _NARROWEST, len(extents) - len(narrow)
    more = [f"{rest} {'is' if rest == 1 else 'are'} narrowed less"] if rest > 0 else []
    more += [f"{free} {'is' if free == 1 else 'are'} left free"] if free else []
    return f"{said}; of the other parameters {' and '.join(more)}" if more else said


def _named_coordinates(problem: Problem, evaluations: Sequence[Evaluation]) -> list[dict[float, str]]:
    """Return the coordinates of the best results with the names of their ranks, by free parameter."""
    results = [each for each in evaluations if each.objective is not None and problem.is_success(each)]
    by_rank = map(Decimal, ranks(problem, results)) if problem.by_priority else (each.objective for each in results)
    good = [(y, each.values) for y, each in zip(by_rank, results, strict=True) if y is not None]
    best = sorted({y for y, _ in good}, reverse=problem.goal == "maximize" and not problem.by_priority)
    named = dict(zip(best[: (len(best) + 1) // 2], _RANKS, strict=False))
    at: dict[str, list[Sequence[Number]]] = {name: [] for name in named.values()}
    for y, values in good:
        if y in named:
            at[named[y]].append(values)
    found: list[dict[float, str]] = [{} for _ in problem.free]
    for name, points in at.items():
        for point in points:
            for known, x in zip(found, point, strict=True):
                known.setdefault(float(x), name)
    return found


def _share(parameter: Parameter, low: float, high: float) -> float:
    """Return a cell's width as a share of the parameter's range, on the parameter's own scale."""
    if parameter.scale == "log":
        return math.log(high / low) / math.log(parameter.high / parameter.low)
    return (high - low) / (parameter.high - parameter.low)
