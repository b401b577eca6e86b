"""Known constraints: expressions over the parameters, read safely, and points that satisfy them."""

from ordbo_cli.expressions.constraint import Constraint
from ordbo_cli.expressions.faults import ExpressionError
from ordbo_cli.expressions.feasible import feasible_points, which_is_empty

__all__ = ["Constraint", "ExpressionError", "feasible_points", "which_is_empty"]
