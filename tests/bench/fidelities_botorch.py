"""BoTorch's search at two levels of fidelity, on the values (extra ``ordbo[peers]``)."""

from __future__ import annotations

import numpy as np

from ordbo_cli.benchmark.rivals.libraries.quiet import quiet
from ordbo_cli.benchmark.rivals.searchers import History, Start
from ordbo_cli.problem import Number
from ordbo_cli.search.fidelity_levels import first_level
from ordbo_cli.search.step_input import StepInput

with quiet():  # BoTorch uses what PyTorch is about to drop
    import torch
    from botorch.acquisition import PosteriorMean
    from botorch.acquisition.cost_aware import InverseCostWeightedUtility
    from botorch.acquisition.fixed_feature import FixedFeatureAcquisitionFunction
    from botorch.acquisition.max_value_entropy_search import qMultiFidelityMaxValueEntropy
    from botorch.acquisition.utils import project_to_target_fidelity
    from botorch.fit import fit_gpytorch_mll
    from botorch.models import SingleTaskMultiFidelityGP
    from botorch.models.cost import AffineFidelityCostModel
    from botorch.models.transforms import Standardize
    from botorch.optim import optimize_acqf, optimize_acqf_mixed
    from botorch.utils.sampling import manual_seed
    from gpytorch.mlls import ExactMarginalLogLikelihood

_CANDIDATES = 1000  # that values of the maximum are drawn over, as BoTorch's documentation has it
_CLIMBS = {"q": 1, "num_restarts": 5, "raw_samples": 128}  # of its tutorial on discrete levels


class BoTorch(History):
    """A SingleTaskMultiFidelityGP refitted at each step from the last fit, and max-value entropy search a unit of cost.

    Of the two acquisitions that BoTorch has for levels of fidelity, the knowledge gradient of its tutorial on discrete
    ones takes ten times as long here.

    The initial design is evaluated at the level at which ordbo evaluates its own.

    Args:
        start: the problem has two levels of fidelity.
        design: the initial points.
    """

    def __init__(self, start: Start, design: list[tuple[Number, ...]]) -> None:
        super().__init__(start)
        assert start.problem.fidelity is not None
        self._cost, self._design = start.problem.fidelity.share(0), design
        self._first_level = first_level(StepInput(start.problem, []), len(design))
        self._fine: list[float] = []  # 1 for each result of the highest level
        self._fit: dict[str, torch.Tensor] = {}
        self.recommended: tuple[Number, ...] | None = None
        """The point of the best mean at the highest level, as the tutorial ends."""

    def tell_at(self, level: int | None, values: tuple[Number, ...], loss: float | None) -> None:
        """Take a result of a level; None for the highest."""
        self.tell(values, loss)
        self._fine.append(float(level is None))

    def ask_at(self) -> tuple[tuple[Number, ...], int | None]:
        """Return the next point, and the level at which it is evaluated; None for the highest."""
        if len(self.points) < len(self._design):
            return self._design[len(self.points)], self._first_level
        torch.set_num_threads(1)
        D = self.box.dimension
        X = torch.hstack([torch.tensor(self.X), torch.tensor(self._fine, dtype=torch.double).unsqueeze(-1)])
        bounds = torch.tensor([[0.0], [1.0]], dtype=torch.double).repeat(1, D + 1)
        with quiet(), manual_seed(self.step_seed):  # of fits that ended early
            y = -torch.tensor(self.y).unsqueeze(-1)
            model = SingleTaskMultiFidelityGP(X, y, data_fidelities=[D], outcome_transform=Standardize(m=1))
            model.load_state_dict(self._fit, strict=False)  # half the time, and the same likelihood
            fit_gpytorch_mll(ExactMarginalLogLikelihood(model.likelihood, model))
            cost = AffineFidelityCostModel({D: 1.0 - self._cost}, fixed_cost=self._cost)
            acquisition = qMultiFidelityMaxValueEntropy(
                model,
                torch.rand(_CANDIDATES, D + 1, dtype=torch.double),
                cost_aware_utility=InverseCostWeightedUtility(cost),
                project=lambda X: project_to_target_fidelity(X, {D: 1.0}, D + 1),
            )
            best, _ = optimize_acqf_mixed(acquisition, bounds, fixed_features_list=[{D: 0.0}, {D: 1.0}], **_CLIMBS)
            mean = FixedFeatureAcquisitionFunction(PosteriorMean(model), D + 1, [D], [1.0])
            peak, _ = optimize_acqf(mean, bounds[:, :D], **_CLIMBS)
        self._fit = {name: each.detach().clone() for name, each in model.named_parameters()}
        self.recommended = self.box.values(peak[0].detach().numpy())
        *shares, fine = best[0].detach().numpy()
        return self.box.values(np.array(shares)), None if fine else 0
