"""The question: parameters, their values, what counts as better, and the settings of the method."""

from ordbo_cli.problem.limit import Limit
from ordbo_cli.problem.parameter import Condition, Fixed, Level, Number, Parameter
from ordbo_cli.problem.problem import SIGNS, Censored, Comparison, Evaluation, FailurePolicy, Goal, Problem, Suggestion

__all__ = [
    "SIGNS",
    "Censored",
    "Comparison",
    "Condition",
    "Evaluation",
    "FailurePolicy",
    "Fixed",
    "Goal",
    "Level",
    "Limit",
    "Number",
    "Parameter",
    "Problem",
    "Suggestion",
]
