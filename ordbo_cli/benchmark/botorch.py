"""BoTorch with the logarithm of expected improvement, as its own documentation begins (extra ``ordbo[peers]``)."""

from __future__ import annotations

import warnings

from ordbo_cli.benchmark.searchers import History
from ordbo_cli.problem import Number

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # BoTorch uses what PyTorch is about to drop
    import torch
    from botorch.acquisition import LogExpectedImprovement
    from botorch.fit import fit_gpytorch_mll
    from botorch.models import SingleTaskGP
    from botorch.models.transforms import Standardize
    from botorch.optim import optimize_acqf
    from botorch.utils.sampling import manual_seed
    from gpytorch.mlls import ExactMarginalLogLikelihood

_RESTARTS = 10
_SAMPLES = 512


class BoTorch(History):
    """A SingleTaskGP with BoTorch's own priors, refitted at each step, and LogEI optimised from several starts.

    Levels without an order are one-hot, relaxed to the unit cube, and the one of the largest share is taken.
    """

    one_hot = True

    def ask(self) -> tuple[Number, ...]:
        """Return the point of the largest expected improvement over the best value seen."""
        torch.set_num_threads(1)
        X, y = torch.tensor(self.X), -torch.tensor(self.y).unsqueeze(-1)
        bounds = torch.tensor([[0.0] * self.box.dimension, [1.0] * self.box.dimension], dtype=torch.double)
        with warnings.catch_warnings(), manual_seed(self.start.seed * 100_003 + len(y)):
            warnings.simplefilter("ignore")  # of data that are not standardised, and of fits that ended early
            model = SingleTaskGP(X, y, outcome_transform=Standardize(m=1))
            fit_gpytorch_mll(ExactMarginalLogLikelihood(model.likelihood, model))
            best, _ = optimize_acqf(
                LogExpectedImprovement(model, best_f=y.max()),
                bounds=bounds,
                q=1,
                num_restarts=_RESTARTS,
                raw_samples=_SAMPLES,
            )
        return self.box.values(best[0].detach().numpy())
