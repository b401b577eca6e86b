"""What a campaign is worth: how many of the study's own results its results weigh like.

The latent function of a campaign is the study's, further along an axis of its own (``search/latent_axes.py``); by the
prior the two correlate at one point by ``rho = k(gap)``, the kernel at the length of that axis that was learnt. A
result of the campaign tells so much less of the study's function, and less still under its noise. So n results weigh
like

    n rho^2 / (1 + sigma^2)

results of the study itself without noise: rho^2 is the share of the study's prior variance that the campaign's function
explains, and 1 / (1 + sigma^2) that of a result's variance which is the function's.
"""

from __future__ import annotations

import numpy as np

from ordbo_cli.ordinal.kernels import KERNELS
from ordbo_cli.problem.method import Kernel
from ordbo_cli.search.step_input import StepInput
from ordbo_cli.search.surrogate import fit_surrogate


def weight(results: int, gap: float, sigma: float, kernel: Kernel) -> float:
    """Return how many of the study's own results those of a campaign weigh like.

    Args:
        results: their number.
        gap: the latent length of the campaign's axis.
        sigma: latent noise of its results, where the latent function has a prior variance of 1.
        kernel: of the latent function.
    """
    rho = float(KERNELS[kernel].value(np.array([gap]))[0])
    return results * rho**2 / (1.0 + sigma**2)


def weights(given: StepInput) -> tuple[float, ...]:
    """Return the weight of each campaign that is heard, by the fitted model; of several objectives the mean.

    Args:
        given: what the next point follows from. It costs a fit, unless the one of the step before still holds.
    """
    given = given.with_campaigns_tested().settled()
    heard, kernel = len(given.campaigns), given.problem.method.kernel
    if not heard:
        return ()
    each = [surrogate.fit for surrogate in fit_surrogate(given).each]
    by_objective = [
        [
            weight(len(scale.scale.rank), float(places[-1]), scale.sigma, kernel)
            for scale, places in zip(fit.others, fit.coordinates[-heard:], strict=True)
        ]
        for fit in each
    ]
    return tuple(np.mean(by_objective, axis=0).tolist())
