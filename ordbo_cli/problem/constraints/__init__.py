"""Known constraints: expressions over the parameters, read safely, and points that satisfy them."""

from ordbo_cli.problem.constraints.complaints import ExpressionError
from ordbo_cli.problem.constraints.constraint import Constraint
from ordbo_cli.problem.constraints.feasible_points import feasible_points, which_is_empty

__all__ = ["Constraint", "ExpressionError", "feasible_points", "which_is_empty"]
