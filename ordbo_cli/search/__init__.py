"""The search over cells (Section 3): initial design, acquisitions, the step itself, and ask/tell in memory."""

from ordbo_cli.search.duel import Duel, propose_duel
from ordbo_cli.search.incumbent import Incumbent, incumbent
from ordbo_cli.search.optimizer import Optimizer
from ordbo_cli.search.prediction import Prediction, expected_at, predict
from ordbo_cli.search.step import Proposal, propose
from ordbo_cli.search.view import Moment, Sight, View

__all__ = [
    "Duel",
    "Incumbent",
    "Moment",
    "Optimizer",
    "Prediction",
    "Proposal",
    "Sight",
    "View",
    "expected_at",
    "incumbent",
    "predict",
    "propose",
    "propose_duel",
]
