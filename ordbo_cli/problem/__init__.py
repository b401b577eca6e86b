"""The question: parameters, their values, what counts as better, and the settings of the method."""

from ordbo_cli.problem.censored import SIGNS, Censored, Goal
from ordbo_cli.problem.evaluation import Campaign, Comparison, Evaluation, Suggestion
from ordbo_cli.problem.fidelity import Fidelity
from ordbo_cli.problem.limit import Aim, Limit
from ordbo_cli.problem.parameter import Condition, Fixed, Level, Number, Parameter
from ordbo_cli.problem.problem import FailurePolicy, Problem, Trade

__all__ = [
    "SIGNS",
    "Aim",
    "Campaign",
    "Censored",
    "Comparison",
    "Condition",
    "Evaluation",
    "FailurePolicy",
    "Fidelity",
    "Fixed",
    "Goal",
    "Level",
    "Limit",
    "Number",
    "Parameter",
    "Problem",
    "Suggestion",
    "Trade",
]
