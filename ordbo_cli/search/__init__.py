"""The search over cells (Section 3): initial design, acquisitions, the step itself, and ask/tell in memory."""

from ordbo_cli.search.optimizer import Optimizer
from ordbo_cli.search.prediction import Prediction, predict
from ordbo_cli.search.step import Proposal, propose

__all__ = ["Optimizer", "Prediction", "Proposal", "predict", "propose"]
