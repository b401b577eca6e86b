"""Small pictures made of text: a line of best values, a time span."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

_LEVELS: Final = "▁▂▃▄▅▆▇█"


def sparkline(values: Sequence[Decimal | None], width: int = 60) -> str:
    """Return values as a line of blocks, their heights the ranks of the values (only order means anything here).

    Args:
        values: in time; None where there is none yet, drawn as a dot.
        width: the most blocks; of more values each block shows the last of a stretch.
    """
    if len(values) > width:
        values = [values[(k + 1) * len(values) // width - 1] for k in range(width)]
    levels = {value: rank for rank, value in enumerate(sorted({value for value in values if value is not None}))}
    top = max(1, len(levels) - 1)
    return "".join("·" if value is None else _LEVELS[levels[value] * (len(_LEVELS) - 1) // top] for value in values)


def span(seconds: float) -> str:
    """Return a time span in its two largest whole units: "3 h 20 min", "40 s"; "0 s" for less than a second."""
    from ordbo_cli.problem.spelling import UNITS, age  # a start that shows no span is quicker without

    for place, (unit, size) in enumerate(UNITS):
        if seconds >= size:
            rest = age(seconds % size) if seconds % size >= UNITS[min(place + 1, len(UNITS) - 1)][1] else ""
            return f"{int(seconds // size)} {unit} {rest}".rstrip()
    return "0 s"


def took(seconds: float) -> str:
    """Return a measured time to three digits: "0.0412 s", "340 s", "20.6 min", "3 h"."""
    from ordbo_cli.problem.spelling import UNITS

    unit, size = ("s", 1) if seconds < 999 else next(each for each in UNITS if seconds >= each[1])
    number = seconds / size
    return f"{number:.3g} {unit}" if number < 999 else f"{number:.0f} {unit}"
