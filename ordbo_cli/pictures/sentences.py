"""Sentences that pictures of a slice share: its cells, the next point and what chose it, points that are not on it."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from ordbo_cli.pictures.failures import counts_of
from ordbo_cli.pictures.parameter_axes import named
from ordbo_cli.pictures.plots.fronts.trades import Trades
from ordbo_cli.pictures.scene import Scene
from ordbo_cli.pictures.words import counted, figure_of, listed
from ordbo_cli.study.reporting.views import of_results

COUNTED: Final = 5_000  # cells; more are not counted one by one
_CHOSEN: Final = {
    "initial": "It belongs to the initial design.",
    "refine": "A quadratic that has the order of the best points is lowest there.",
    "explore": "It was this step's turn to explore: its cell is the largest.",
    "spread": "More points are out than there are cells, so it lies in the largest one in the latent space.",
}
_COVERING: Final = "It lies where most of the feasible set is far from every point."
_ACQUIRED: Final = {
    "lcb": "Its cell was chosen by the lower confidence bound, {bound}.",
    "ei": "Its cell was chosen by expected improvement; its lower confidence bound is {bound}.",
    "thompson": "Its cell was drawn by Thompson sampling; its lower confidence bound there is {bound}.",
}


def of_campaigns(scene: Scene) -> str:
    """Return how many results of which campaigns are marked, too; nothing where there are none."""
    said = [f"{counted(len(each.X), 'result')} of {each.name}" for each in scene.campaigns]
    return f"Hollow and small: {listed(said)}, of which the order among themselves counts." if said else ""


def next_point(scene: Scene) -> str:
    """Return where the next point lies, whether on the slice, and what chose it; or why there is none."""
    view = scene.view
    if view.proposal is None or view.next is None:
        return f"There is no next point: {view.why_not}."
    where = "The next point is " + ", ".join(
        f"{scene.along.name(j)} = {scene.along.value(j, float(x))}" for j, x in enumerate(view.next)
    )
    kind = view.proposal.record.kind
    chosen = _COVERING if view.problem.constraints and kind in ("explore", "spread") else _CHOSEN.get(kind)
    why = chosen or _ACQUIRED[view.problem.method.acquisition].format(bound=figure_of(next_bound(scene)))
    off = "" if scene.slice.holds(view.next[None, :])[0] else " It lies off the slice and is drawn hollow."
    return f"{where}. {why}{off}"


def next_bound(scene: Scene) -> float:
    """Return the lower confidence bound at what won the next point's cell, NaN where no cell won."""
    proposal = scene.view.proposal
    if proposal is None or proposal.record.mean is None or proposal.record.sd is None:
        return float("nan")
    return proposal.record.mean - scene.view.acquisition.beta * proposal.record.sd


def number_of_cells(scene: Scene) -> str:
    """Return how many cells there are, on the slice and in all, and of which partition."""
    partition, cells = scene.slice.partition, scene.slice.cells
    number = partition.size(COUNTED)
    exact = number <= COUNTED or partition.grid_rows >= len(partition.rows)
    total = _cells(number) if exact else f"more than {COUNTED:,} cells"
    words = f"The {kind_of_partition(scene)} has {total}"
    if scene.slice.coarse:
        return f"{words}; where they are small, several are drawn as one box: there are {len(cells):,} boxes."
    if scene.slice.whole or number == len(cells):
        return f"{words}."
    return f"{words}, {len(cells):,} of them on the slice."


def kind_of_partition(scene: Scene) -> str:
    """Return the name of the partition that is drawn."""
    return f"{scene.partition or scene.view.problem.method.partition} partition"


def headline(scene: Scene, what: str) -> str:
    """Return the title of a picture: the study's name, what is shown, and of which cells and where."""
    view = scene.view
    none = "" if len(view.evaluations) else "no evaluation yet"
    return f"{named(scene.name, '')}: " + ", ".join(
        filter(None, (what, kind_of_partition(scene), scene.elsewhere, none))
    )


def elsewhere(scene: Scene) -> str:
    """Return where the other parameters are on the slice; nothing where it shows all."""
    if not scene.elsewhere:
        return ""
    held = [j for j in range(scene.dimension) if j not in scene.axes]
    through = scene.view.through
    values = ", ".join(f"{scene.along.name(j)} = {scene.along.value(j, float(through[j]))}" for j in held)
    return f"This is the {scene.elsewhere}{f', where {values}' if values else ''}."


def rows(scene: Scene) -> str:
    """Return how many evaluations there are, what became of them, which are not shown or awaited, and the best."""
    view = scene.view
    number, outside = len(view.evaluations), int((~view.inside).sum())
    parts = [scene.counted(number) if number else "No evaluation yet", *counts_of(view)]
    if outside:
        parts.append(f"{outside} outside the bounds and not shown")
    if idle := int((view.inside & ~scene.slice.shown).sum()):
        names = " or ".join(scene.along.name(j) for j in scene.axes if not view.counts[:, view.space.columns[j]].all())
        parts.append(f"{idle} at which {names} does not count, and not shown")
    if compared := len(scene.compared):
        parts.append(f"{counted(compared, 'point')} compared only")
    if out := len(scene.pending):
        parts.append(f"{counted(out, 'point')} out without a result")
    words = f"{', '.join(parts)}."
    if view.leader is None:
        return words if not number else f"{words} None of them is a success within the bounds."
    return f"{words} {best(scene)}"


def best(scene: Scene) -> str:
    """Return which point leads, by the rule of ``ordbo best``, and its result; nothing where none leads."""
    view, leader, place = scene.view, scene.view.leader, scene.view.best
    if leader is None:
        return ""
    name, rank = named(view.problem.objective, ""), "" if leader.rank is None else f"expected rank {leader.rank:.1f}"
    if place is None:
        return f"The best by mean was compared only, {rank}."
    row = f"{scene.noun} {place + 1}"
    if leader.by == "value" and view.given.problem.by_priority:
        return f"The best, {Trades(view.given.problem, view.given.evaluations, '').in_words(place)}, is {row}."
    y = scene.result(view.evaluations[place].objective)
    if leader.by == "value":
        return f"The best {name}, {y}, is {row}."
    if view.compared:
        return f"The best by mean is {row}, {rank} of the compared points."
    return f"The best by mean is {row}: {name} {y} is {of_results(leader.results)}, {rank}."


def reach(scene: Scene, place: int) -> str:
    """Return between which values a cell of the slice lies, along the axes of the slice."""
    low, high = scene.slice.cells[place].edges(scene.view.surrogate.warp.knots)
    spans = []
    for j in scene.axes:
        first, last = scene.along.value(j, float(low[j]), unit=False), scene.along.value(j, float(high[j]))
        spans.append(f"from {first} to {last} of {scene.along.name(j)}")
    return " and ".join(spans)


def closed_cells(scene: Scene) -> str:
    """Return how many cells of the slice are closed; nothing where none is."""
    closed = int((~scene.slice.open).sum())
    if not closed:
        return ""
    which = "1 cell is" if closed == 1 else f"{closed} cells are"
    return f"{which} closed, crossed out: nothing is left to try there, or a result is out."


def _cells(number: int) -> str:
    return f"{number:,} cell{'' if number == 1 else 's'}" if number < 10**9 else f"about {Decimal(number):.1e} cells"
