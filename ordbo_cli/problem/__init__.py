"""The question: parameters, their values, what counts as better, and the settings of the method."""

from ordbo_cli.problem.problem import (
    SIGNS,
    Censored,
    Comparison,
    Condition,
    Evaluation,
    FailurePolicy,
    Fixed,
    Goal,
    Level,
    Limit,
    Number,
    Parameter,
    Problem,
    Suggestion,
)

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
