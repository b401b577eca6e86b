"""Figures as Markdown: tables, rounded numbers, growth exponents."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

NOTHING = "-"


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table as Markdown, its columns aligned in the source."""
    lines = [list(header), *map(list, rows)]
    widths = [max(len(line[k]) for line in lines) for k in range(len(header))]
    shown = [
        "| " + " | ".join(f"{cell:<{width}}" for cell, width in zip(line, widths, strict=True)) + " |" for line in lines
    ]
    shown.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(shown)


def rounded(value: float) -> str:
    """Return a number with three digits, and never more than three behind the point."""
    return f"{value:.{max(0, min(3, 2 - int(np.floor(np.log10(max(abs(value), 1e-3))))))}f}"


def exponent(sizes: Sequence[float], seconds: Sequence[float]) -> float | None:
    """Return k of the power law ``seconds ~ sizes^k`` by least squares of logarithms; None for one size or none."""
    if len(sizes) < 2 or min(seconds) <= 0:
        return None
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])
