"""The report's parts of several objectives: the problem, the front, its growth, and each objective alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from ordbo_cli.pictures.kinds import draw, draw_trades
from ordbo_cli.pictures.pages.page import Fact, Illustration, Section
from ordbo_cli.pictures.pages.point_tables import front_table
from ordbo_cli.pictures.parameter_axes import named
from ordbo_cli.pictures.plots.fronts.trades import Trades
from ordbo_cli.pictures.scene import Scene
from ordbo_cli.pictures.style import Look, Picture
from ordbo_cli.pictures.words import counted, figure_of
from ordbo_cli.problem import Fixed, Limit, Parameter, Problem
from ordbo_cli.problem.several import alone
from ordbo_cli.study.reporting.snapshot import Snapshot

_HINT: Final = "Point at a result, or choose its number in a table, and it stands out in all pictures and tables."


def illustration(picture: Picture, of: str = "") -> Illustration:
    """Return a picture as the page has it.

    Args:
        picture: as it is drawn.
        of: what it is of, where there are several of its kind.
    """
    title = f"{picture.title}: {of}" if of else picture.title
    return Illustration(title, picture.encoded("svg").decode(), picture.alt, points=picture.points)


def labels(problem: Problem) -> list[str]:
    """Return the name of each objective with its unit."""
    each = (alone(problem, k) for k in range(len(problem.goals)))
    return [named(one.objective, one.unit) for one in each]


_BY_RESULT: Final = (
    "The results that no other one dominates, which would be as good in every objective and better in one."
)
_BY_MEAN: Final = (
    "The tried points that no other one dominates by the models' means, as a single result may be good by luck. Values"
    " are the medians of a point's results, which the other marks are."
)
_STARS: Final = {
    "knee": "The knee is the one whose worst place among them, by any objective, is the best.",
    "preferred": "The preferred one is worth most for the trades that comparisons of results speak for.",
}

_PRIORITY: Final = (
    "The objectives have a priority: the first one decides, and where it is tied the next. So there is one order of"
    " results, one best and one model."
)


def front_facts(trades: Trades, where: str) -> Iterator[Fact]:
    """Yield what stands in the summary.

    Args:
        trades: with a success.
        where: the knee lies.
    """
    knee = 0 if trades.knee is None else trades.knee
    values = (trades.said(k, knee, digits=6) for k in trades.objectives)
    said = ", ".join(f"{name} {value}" for (name, _), value in zip(trades.problem.goals, values, strict=True))
    yield Fact(trades.star.capitalize(), said, where)
    size, good = int(trades.leading.sum()), int(trades.good.sum())
    if trades.by_mean:
        points = counted(trades.by_mean.number, "tried point")
        yield Fact("Front by mean", str(size), f"of {points} with {counted(good, 'result')}: none dominates them")
    else:
        yield Fact("Front", str(size), f"of {counted(good, 'result')}: none dominates them")
    since = len(trades.evaluations) - 1 - int(np.flatnonzero(trades.joined)[-1])
    yield Fact("Since the front grew", str(since), f"evaluation{'' if since == 1 else 's'}")


def problem_section(problem: Problem) -> Section:
    """Return what is asked: goals and what is good enough, limits, parameters and constraints."""
    goals = [Fact(label, _goal(problem, k)) for k, label in enumerate(labels(problem))]
    limits = [Fact(named(each.name, each.unit), _limit(each)) for each in problem.outcomes if each.is_limited]
    parameters = [Fact(named(each.name, each.unit), _range(each)) for each in problem.parameters]
    constraints = [Fact("Constraint", each.text) for each in problem.constraints]
    intro = _PRIORITY if problem.by_priority else ""
    return Section("Problem", intro, facts=(*goals, *limits, *parameters, *constraints))


def front_section(trades: Trades, snapshot: Snapshot) -> Section:
    """Return the front as a picture and as a table."""
    intro = f"{_BY_MEAN if trades.by_mean else _BY_RESULT} {_STARS[trades.star]} {_HINT}"
    tables = (front_table(trades.problem, snapshot),) if snapshot.status.front else ()
    return Section("Front", intro, illustrations=(illustration(draw_trades("front", trades, Look())),), tables=tables)


def growth_section(trades: Trades) -> Section:
    """Return how the front grew."""
    drawn = illustration(draw_trades("convergence", trades, Look()))
    meaning = "Where the two lines meet, the front of that time is part of today's."
    if trades.by_mean:
        meaning = "How many points of today's front were known, each from its first result on."
    return Section("Growth", meaning, (), (), (drawn,))


def lines_section(scene: Scene) -> Section:
    """Return parameters and objectives side by side."""
    intro = "Each line is an evaluation; its places on the axes are ranks, which is all that the method uses."
    if scene.view.problem.noise:
        intro += " Those of the front are points by means, at the medians of their results."
    return Section("Parallel axes", intro, illustrations=(illustration(draw("parallel", scene, Look())),))


def objectives_section(scene: Scene) -> Section:
    """Return what the model of each objective makes of the parameters, as a look at that objective alone shows it."""
    problem = scene.view.problem
    drawn, bests = [], []
    for view, label, (name, _) in zip(scene.view.each, labels(problem), problem.goals, strict=True):
        one = Scene(view, f"{scene.name}, {name}")
        pictures = {"Importance": draw("importance", one, Look()), "Main effects": draw("effects", one, Look())}
        drawn += [replace(illustration(picture), title=f"{what}: {label}") for what, picture in pictures.items()]
        if view.best is not None:
            bests.append(f"{name} {one.result(view.evaluations[view.best].objective)} (evaluation {view.best + 1})")
    best = f"The best of each: {'; '.join(bests)}. " if bests else ""
    more = "A report with --objective and its name shows more of one."
    intro = f"{best}What its own model makes of the parameters. {more}"
    return Section("Each objective", intro, illustrations=tuple(drawn))


def _goal(problem: Problem, objective: int) -> str:
    """Return what becomes of an objective, and from which value on any better one is as good."""
    one, (_, goal) = alone(problem, objective), problem.goals[objective]
    if one.enough is None:
        return goal
    enough = str(one.shown(one.enough)) if one.grades else figure_of(one.enough, digits=6)
    return f"{goal}; good enough: {enough}"


def _limit(limit: Limit) -> str:
    ends = ((limit.min, "at least"), (limit.max, "at most"))
    return ", ".join(f"{words} {figure_of(end, digits=6)}" for end, words in ends if end is not None)


def _range(parameter: Parameter | Fixed) -> str:
    """Return which values a parameter may have."""
    if isinstance(parameter, Fixed):
        return f"fixed at {parameter.value}"
    if parameter.levels:
        order = "" if parameter.type == "categorical" else ", in this order"
        return ", ".join(map(str, parameter.levels)) + order
    if parameter.type == "ranked":
        return "settings known by their order alone"
    whole = ", whole numbers" if parameter.type == "int" else ""
    steps = f", in steps of {parameter.step}" if parameter.step not in (None, 1) else ""
    scale = ", on a logarithmic scale" if parameter.scale == "log" else ""
    return f"{figure_of(parameter.low, digits=6)} to {figure_of(parameter.high, digits=6)}{whole}{steps}{scale}"
