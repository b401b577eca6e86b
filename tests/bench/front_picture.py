"""Draws the README's picture: what a jump does to the pipeline's cost, and to those who look for the cheapest one.

Usage, in ``examples/pipe``, with the extras ``peers``, ``plots`` and ``gpflow``::

    grep -v ^evaluations pipe.yaml > build/pipe.yaml   # without the past runs: all start from points of their own
    ordbo benchmark --problem build/pipe.yaml --seeds 0:12 --iterations 40 -o build/pipe.jsonl \
        --methods default,vanilla,botorch,optuna-gp,optuna-tpe,random --command 'python3 examples/pipe/pipeline.py \
        --diameter={diameter} --temperature={temperature} --stations={stations} --flow={flow}'
    PYTHONPATH=. python tests/bench/front_picture.py build/pipe.jsonl docs/pictures

It prints the medians, and writes ``jump.svg`` and ``jump-dark.svg``.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Final

import numpy as np

from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.pictures.style import DARK, LIGHT, Axes, Look, Picture, Theme
from tests.bench.figures import table

PIPELINE: Final = Path(__file__).parents[2] / "examples" / "pipe" / "pipeline.py"
DESIGN: Final = ("--diameter=0.387", "--stations=3", "--flow=0.1")  # the best that is known, but for its temperature
TEMPERATURES: Final = np.arange(48.0, 92.0, 0.5)
JUMP: Final = 71.0  # the last temperature, deg C, at which that design's flow is laminar
NAMES: Final = {
    "default": "ordbo",
    "optuna-gp": "Optuna GP",
    "botorch": "BoTorch",
    "optuna-tpe": "Optuna TPE",
    "vanilla": "GP on costs",
    "random": "random",
}
SHOWN: Final = (7.2, 10.6)  # million euros a year
APART: Final = 0.17  # between the names of two lines


def cost(temperature: float) -> float:
    """Return what the design costs, in million euros a year."""
    command = [sys.executable, str(PIPELINE), *DESIGN, f"--temperature={temperature}"]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout) / 1000.0


def best_so_far(results: Path) -> dict[str, Array]:
    """Return each method's best cost after each evaluation, in million euros a year [seeds, evaluations]."""
    runs: dict[str, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for line in results.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        runs[row["method"]][row["seed"]].append(np.inf if row["y"] is None else row["y"] / 1000.0)
    return {
        method: np.stack([np.minimum.accumulate(run) for _, run in sorted(runs[method].items())]) for method in NAMES
    }


def draw_simulator(axes: Axes, theme: Theme) -> None:
    """Draw what the simulator says along the temperature: down a slope, then up a cliff."""
    costs = np.array([cost(float(t)) for t in TEMPERATURES])
    for part in (TEMPERATURES <= JUMP, TEMPERATURES > JUMP):
        axes.plot(TEMPERATURES[part], costs[part], color=theme.ink, linewidth=2.0)
    foot, top = costs[TEMPERATURES == JUMP][0], costs[TEMPERATURES > JUMP][0]
    axes.plot([JUMP + 0.25] * 2, [foot, top], color=theme.ink, linewidth=1.0, linestyle=":")
    axes.plot([JUMP], [foot], marker="*", markersize=13, color=theme.best, linestyle="none")
    axes.annotate("the cheapest", (JUMP, foot), (-9, -3), textcoords="offset points", ha="right", color=theme.best)
    axes.annotate("the flow turns\nturbulent", (JUMP, top), (7, 8), textcoords="offset points", color=theme.failed)
    axes.set(xlabel="oil temperature, °C", ylabel="cost, million € a year", title="The simulator jumps")


def draw_search(axes: Axes, theme: Theme, best: dict[str, Array]) -> None:
    """Draw the median of the best so far, the names of the methods beside the ends of their lines."""
    end = next(iter(best.values())).shape[1]
    medians = {method: np.median(runs, axis=0) for method, runs in best.items()}
    place = -np.inf
    for method in sorted(NAMES, key=lambda each: float(medians[each][-1])):
        ours = method == "default"
        colour = theme.data if ours else theme.muted
        axes.step(np.arange(1, end + 1), medians[method], where="post", color=colour, linewidth=2.6 if ours else 1.0)
        place = max(float(medians[method][-1]), place + APART)
        axes.annotate(
            NAMES[method], (end + 0.8, place), color=colour, va="center", weight="bold" if ours else None,
            annotation_clip=False,
        )  # fmt: skip
    axes.set(xlabel="simulations", title=f"The best found so far (medians of {len(best['default'])} searches)")
    axes.set_xlim(1, end + 14)
    axes.set_xticks(range(5, end + 1, 10))


def draw(best: dict[str, Array], theme: Theme) -> Picture:
    """Draw both panels, side by side on one scale of costs."""
    number, ends = best["default"].shape[1], ", ".join(f"{NAMES[m]} {np.median(best[m][:, -1]):.2f}" for m in NAMES)
    alt = (
        "Two panels with one scale of costs. Left: the warmer the oil, the cheaper the pipeline, down to 7.36 million "
        "euros a year at 71 °C; half a degree more and it leaps up to 8.59, where the flow turns turbulent. Right: "
        f"the best cost found against the number of simulations; after {number} of them, at the median: {ends}."
    )
    look = Look(theme)
    with look.figure(7.4, 3.1) as figure:
        left, right = figure.subplots(1, 2, sharey=True, width_ratios=(1.0, 1.35))
        draw_simulator(left, theme)
        draw_search(right, theme, best)
        left.set_ylim(*SHOWN)
    return Picture(figure, "A jump, and who falls for it", alt, look)


def main() -> None:
    """Print the medians, draw both themes."""
    results, folder = map(Path, sys.argv[1:3])
    best = best_so_far(results)
    numbers = (10, 20, 30, best["default"].shape[1])
    rows = [(NAMES[m], *(f"{np.median(runs[:, n - 1]):.2f}" for n in numbers)) for m, runs in best.items()]
    print(table(("median of the best", *(f"after {n}" for n in numbers)), rows))
    for name, theme in (("jump.svg", LIGHT), ("jump-dark.svg", DARK)):
        picture = draw(best, theme)
        picture.save(folder / name)
    print(picture.alt)


if __name__ == "__main__":
    main()
