"""BoTorch with the hypervolume that it expects to gain, as its own tutorial has it (extra ``ordbo[peers]``)."""

from __future__ import annotations

from ordbo_cli.benchmark.rivals.libraries.quiet import quiet
from ordbo_cli.benchmark.rivals.searchers import HistoryOfSeveral
from ordbo_cli.problem import Number

with quiet():  # BoTorch uses what PyTorch is about to drop
    import torch
    from botorch.acquisition.multi_objective.logei import qLogNoisyExpectedHypervolumeImprovement
    from botorch.fit import fit_gpytorch_mll
    from botorch.models import ModelListGP, SingleTaskGP
    from botorch.models.transforms import Standardize
    from botorch.optim import optimize_acqf
    from botorch.sampling import SobolQMCNormalSampler
    from botorch.utils.sampling import manual_seed
    from gpytorch.mlls import SumMarginalLogLikelihood

_RESTARTS = 10
_SAMPLES = 512
_DRAWS = 128


class BoTorchNehvi(HistoryOfSeveral):
    """A SingleTaskGP for each objective, refitted at each step, and qLogNEHVI optimised from several starts."""

    def ask(self) -> tuple[Number, ...]:
        """Return the point of the largest expected gain of hypervolume."""
        torch.set_num_threads(1)
        X, Y = torch.tensor(self.X), -torch.tensor(self.Y)
        bounds = torch.tensor([[0.0] * self.box.dimension, [1.0] * self.box.dimension], dtype=torch.double)
        with quiet(), manual_seed(self.step_seed):
            each = [SingleTaskGP(X, y.unsqueeze(-1), outcome_transform=Standardize(m=1)) for y in Y.T]
            model = ModelListGP(*each)
            fit_gpytorch_mll(SumMarginalLogLikelihood(model.likelihood, model))
            acquisition = qLogNoisyExpectedHypervolumeImprovement(
                model,
                [-y for y in self.start.reference],
                X,
                sampler=SobolQMCNormalSampler(torch.Size([_DRAWS]), seed=self.step_seed),
                prune_baseline=True,
            )
            try:
                best, _ = optimize_acqf(acquisition, bounds, q=1, num_restarts=_RESTARTS, raw_samples=_SAMPLES)
            except RuntimeError:  # its values are no numbers, as after results that are decades apart
                return self.at_random()
        return self.box.values(best[0].detach().numpy())
