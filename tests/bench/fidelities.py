"""Prints what a cheap level is worth: the cost until a search finds what 20 evaluations at the highest level find.

Usage: ``PYTHONPATH=. python tests/bench/fidelities.py --file FILE [--problems NAMES] [--seeds 0:10] [--ratio 0.05]
[--kinds related,unrelated]``.

Of each seed the target is the best of 20 evaluations of ``default`` at the highest level alone, and what it costs is
how many of these it took. The lower level's results are those of a source in ``campaigns.py``, without failures where
it has its own function; it costs ``--ratio`` of the highest. A search that spends 25 has not reached its target.
"""

from __future__ import annotations

import argparse
import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from threadpoolctl import threadpool_limits

from ordbo_cli.benchmark.rivals.methods import ordinal_method
from ordbo_cli.benchmark.suites import suite
from ordbo_cli.benchmark.suites.benchmark_problem import Subject
from ordbo_cli.problem import Campaign, Evaluation, Fidelity
from ordbo_cli.search.step import propose
from ordbo_cli.search.step_input import StepInput
from tests.bench.campaigns import INITIAL, exact, search, source_function
from tests.bench.figures import table

PROBLEMS: Final = (
    "many_steps_2d,hartmann_4d,levy_4d,hartmann_3d,step_ellipsoid_3d,attractive_sector_5d,batch_reactor_3d,powell_4d"
)
ALONE: Final = 20
MOST: Final = 25.0
_LEVEL: Final = 79  # stream of the lower level's random numbers


def cost(subject: Subject, kind: str, seed: int, ratio: float, target: float) -> dict[str, Any]:
    """Return what a search costs until it reaches a target."""
    settings = replace(ordinal_method("default"), initial=INITIAL)
    problem = replace(subject.problem(settings, seed), fidelity=Fidelity("mesh", ("coarse", "fine"), (ratio, 1.0)))
    below = source_function(subject, problem, kind, np.random.default_rng([seed, _LEVEL]))
    own, low = list[Evaluation](), list[Evaluation]()
    spent, total, fit, best = 0.0, 0.0, None, math.inf
    with threadpool_limits(limits=1):
        while total < MOST and best > target:
            campaigns = [Campaign("coarse", tuple(low), level=0)] if low else []
            given = StepInput(problem, own, step=len(own) + len(low), fit=fit, campaigns=campaigns, spent=spent)
            proposal = propose(given)
            fit = proposal.fit or fit
            if proposal.level is None:
                seen = subject.observe(proposal.values, seed, len(own) + 1)
                own.append(exact(proposal.values, seen.y))
                best, spent, total = min(best, math.inf if seen.regret is None else seen.regret), 0.0, total + 1.0
            else:
                low.append(exact(proposal.values, below(proposal.values)))
                spent, total = spent + ratio, total + ratio
    return {"cost": total, "fine": len(own), "coarse": len(low), "reached": best <= target}


def main() -> None:
    """Do what is not on file yet, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--file", type=Path, required=True)
    parser.add_argument("--problems", default=PROBLEMS)
    parser.add_argument("--seeds", default="0:10")
    parser.add_argument("--ratio", type=float, default=0.05)
    parser.add_argument("--kinds", default="related,unrelated")
    options = parser.parse_args()
    lines = options.file.read_text().splitlines() if options.file.exists() else []
    runs = [json.loads(line) for line in lines]
    done = {(run["problem"], run["kind"], run["seed"]) for run in runs}
    first, last = map(int, options.seeds.split(":"))
    with options.file.open("a") as file:
        for seed in range(first, last):
            for subject in suite.problems([options.problems]):
                kinds = [kind for kind in options.kinds.split(",") if (subject.name, kind, seed) not in done]
                if not kinds:
                    continue
                alone = np.minimum.accumulate(search(subject, "ordbo", "none", seed)["regret"][:ALONE])
                for kind in kinds:
                    found = cost(subject, kind, seed, options.ratio, float(alone[-1]))
                    took = 1 + int(np.argmax(alone <= alone[-1]))
                    runs.append({"problem": subject.name, "kind": kind, "seed": seed, "alone": took, **found})
                    file.write(json.dumps(runs[-1]) + "\n")
                    file.flush()
    rows = []
    for kind in sorted({run["kind"] for run in runs}):
        by_problem: dict[str, list[float]] = {}
        for run in runs:
            if run["kind"] == kind:
                by_problem.setdefault(run["problem"], []).append(math.log(run["cost"] / run["alone"]))
        means = {name: math.exp(float(np.mean(each))) for name, each in by_problem.items()}
        mean = math.exp(float(np.mean(np.log(list(means.values())))))
        half = f"{sum(each <= 0.5 for each in means.values())} of {len(means)}"
        each = ", ".join(f"{name} {ratio:.2f}" for name, ratio in means.items())
        rows.append([kind, str(sum(map(len, by_problem.values()))), f"{mean:.2f}", half, each])
    print(table(["lower level", "runs", "cost", "at most half", "by problem"], rows))


if __name__ == "__main__":
    main()
