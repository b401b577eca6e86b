"""The search over cells (Section 3): initial design, acquisitions, and the step itself."""

from ordbo_cli.search.duel import Duel, propose_duel
from ordbo_cli.search.incumbent import Incumbent, incumbent
from ordbo_cli.search.prediction import Prediction, expected_at, predict
from ordbo_cli.search.step import Proposal, propose

__all__ = [
    "Duel",
    "Incumbent",
    "Prediction",
    "Proposal",
    "expected_at",
    "incumbent",
    "predict",
    "propose",
    "propose_duel",
]
