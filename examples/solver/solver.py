"""Stands for a flow solver: reads its settings as a line of JSON, prints the seconds that it takes.

usage: ordbo run solver.yaml --budget 40 --stdin -- python3 solver.py

What is lost by a coarse mesh or a loose tolerance has to be made up by more steps of the flow.
"""

import json
import math
import sys

SIZE = {"coarse": 0.25, "medium": 1.0, "fine": 4.0}
STEPS = {"coarse": 9.0, "medium": 1.6, "fine": 1.0}
SPEED_UP = {"none": 1.0, "jacobi": 0.55, "ilu": 0.2}
COST = {"none": 1.0, "jacobi": 1.1, "ilu": 2.4}


def seconds(settings):
    """Return the time; conjugate gradients without a preconditioner break down."""
    size = SIZE[settings["mesh"]] * settings["cells"] / 40000
    threads = settings["threads"] / (1.0 + 0.12 * (settings["threads"] - 1) ** 1.3)
    if settings["solver"] == "direct":
        return 14.0 * size**1.5 / threads**0.5 * STEPS[settings["mesh"]]
    if settings["solver"] == "cg" and settings["preconditioner"] == "none":
        sys.exit("breakdown: the matrix is not symmetric enough")
    loss = 1.0 + 3.0 * max(0.0, math.log10(settings["tolerance"]) + 5.0)  # looser than 1e-5 costs steps
    iterations = 60.0 * SPEED_UP[settings["preconditioner"]] * size**0.5 * -math.log10(settings["tolerance"])
    work = 0.004 * size * COST[settings["preconditioner"]]
    if settings["solver"] == "gmres":
        iterations *= 1.0 + 8.0 / settings["restart"]
        work *= 1.0 + settings["restart"] / 45.0
    else:
        iterations *= 2.2
    return iterations * work / threads * STEPS[settings["mesh"]] * loss


if __name__ == "__main__":
    point = json.loads(sys.stdin.readline())
    print(f"seconds = {seconds(point['parameters']):.5g}")
