"""Sentences that pictures of a slice share: its cells, the next point and what chose it, points that are not on it."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from ordbo_cli.pictures.plane import pending
from ordbo_cli.pictures.scene import Scene, named
from ordbo_cli.pictures.words import counted, figure_of

COUNTED: Final = 5_000  # cells; more are not counted one by one
_CHOSEN: Final = {
    "initial": "It belongs to the initial design.",
    "explore": "It was this step's turn to explore: its cell is the largest.",
    "spread": "More points are out than there are cells, so it lies in the largest one in the latent space.",
}
_COVERING: Final = "It lies where most of the feasible set is far from every point."
_ACQUIRED: Final = {
    "lcb": "Its cell was chosen by the lower confidence bound, {bound}.",
    "ei": "Its cell was chosen by expected improvement; its lower confidence bound is {bound}.",
    "thompson": "Its cell was drawn by Thompson sampling; its lower confidence bound there is {bound}.",
}


def next_point(scene: Scene) -> str:
    """Return where the next point lies, whether on the slice, and what chose it; or why there is none."""
    view = scene.view
    if view.proposal is None or view.next is None:
        return f"There is no next point: {view.why_not}."
    where = "The next point is " + ", ".join(
        f"{named(scene.parameters[j].name, '')} = {scene.value(j, float(x))}" for j, x in enumerate(view.next)
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
    view = scene.view
    x = view.original(view.centre[None, :])[0] if view.best is None else view.X[view.best]
    held = [j for j in range(scene.dimension) if j not in scene.axes]
    values = ", ".join(f"{named(scene.parameters[j].name, '')} = {scene.value(j, float(x[j]))}" for j in held)
    return f"This is the {scene.elsewhere}, where {values}."


def rows(scene: Scene) -> str:
    """Return how many evaluations there are, how many failed, lie outside the bounds or are awaited, and the best."""
    view = scene.view
    number, failed, outside = len(view.evaluations), int(view.failed.sum()), int((~view.inside).sum())
    parts = [counted(number, "evaluation") if number else "No evaluation yet"]
    if failed:
        parts.append(f"{failed} {view.failed_verb}")
    if outside:
        parts.append(f"{outside} outside the bounds and not shown")
    if out := len(pending(scene)):
        parts.append(f"{counted(out, 'point')} out without a result")
    words = f"{', '.join(parts)}."
    if view.best is None:
        return words if not number else f"{words} None of them is a success within the bounds."
    y = view.evaluations[view.best].objective
    name = named(view.problem.objective, "")
    return f"{words} The best {name}, {figure_of(y, view.problem.unit)}, is evaluation {view.best + 1}."


def reach(scene: Scene, place: int) -> str:
    """Return between which values a cell of the slice lies, along the axes of the slice."""
    low, high = scene.slice.cells[place].edges(scene.view.surrogate.warp.knots)
    spans = []
    for j in scene.axes:
        first, last = scene.value(j, float(low[j]), unit=False), scene.value(j, float(high[j]))
        spans.append(f"from {first} to {last} of {named(scene.parameters[j].name, '')}")
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
