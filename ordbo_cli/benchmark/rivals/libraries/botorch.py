"""BoTorch with the logarithm of expected improvement, as its own documentation begins (extra ``ordbo[peers]``)."""

from __future__ import annotations

from ordbo_cli.benchmark.rivals.libraries.quiet import quiet
from ordbo_cli.benchmark.rivals.searchers import History
from ordbo_cli.problem import Number

with quiet():  # BoTorch uses what PyTorch is about to drop
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

    Levels without an order are one-hot. The acquisition climbs in the whole cube, then its best points are compared
    where they are rounded to levels and grids.
    """

    one_hot = True

    def ask(self) -> tuple[Number, ...]:
        """Return the point of the largest expected improvement over the best value seen."""
        torch.set_num_threads(1)
        X, y = torch.tensor(self.X), -torch.tensor(self.y).unsqueeze(-1)
        bounds = torch.tensor([[0.0] * self.box.dimension, [1.0] * self.box.dimension], dtype=torch.double)
        with quiet(), manual_seed(self.step_seed):  # of data that are not standardised, and of fits that ended early
            model = SingleTaskGP(X, y, outcome_transform=Standardize(m=1))
            fit_gpytorch_mll(ExactMarginalLogLikelihood(model.likelihood, model))
            acquisition = LogExpectedImprovement(model, best_f=y.max())
            ends, _ = optimize_acqf(
                acquisition,
                bounds=bounds,
                q=1,
                num_restarts=_RESTARTS,
                raw_samples=_SAMPLES,
                return_best_only=not self.box.rounds,
            )
            best = self._best_rounded(acquisition, ends) if self.box.rounds else ends[0]
        return self.box.values(best.detach().numpy())

    def _best_rounded(self, acquisition: LogExpectedImprovement, ends: torch.Tensor) -> torch.Tensor:
        """Return the best point that can be had, of those where climbs end [R, 1, D] and of some all over the cube."""
        some = torch.quasirandom.SobolEngine(self.box.dimension, scramble=True).draw(_SAMPLES, dtype=torch.double)
        X = torch.cat([ends.detach().reshape(-1, self.box.dimension), some])
        points = torch.tensor(self.box.rounded(X.numpy()))
        with torch.no_grad():
            return points[acquisition(points.unsqueeze(1)).argmax()]
