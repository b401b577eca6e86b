"""What the model expects of points that somebody names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ordbo_cli.files.values.answers import bounds_warning, new_point
from ordbo_cli.problem import Number, Problem
from ordbo_cli.problem.method import EngineKind
from ordbo_cli.study.asking.suggest import results_left_out, step_input_of, with_engine
from ordbo_cli.study.reading.ledger import Values
from ordbo_cli.study.reading.study_files import StudyFiles

if TYPE_CHECKING:
    from ordbo_cli.search.prediction import Prediction


def points_to_predict(problem: Problem, points: Sequence[Mapping[str, Number | str]]) -> tuple[list[Values], list[str]]:
    """Return the values of points that are given by name, and warnings about those outside the bounds.

    Raises:
        UsageError: a point lacks parameters, or has unknown ones.
    """
    values = [new_point(problem, point) for point in points]
    warnings = (bounds_warning(problem, point, "the model only guesses there") for point in values)
    return values, [warning for warning in warnings if warning]


def predicted(
    files: StudyFiles, engine: EngineKind | None, values: Sequence[Values]
) -> tuple[list[Prediction], list[str]]:
    """Return what the model expects at points, and what it does not see, in words.

    Args:
        files: the files as they are.
        engine: the implementation of the model, in place of the problem's.
        values: of the points.

    Raises:
        DataError: there is no evaluation to learn from.
    """
    from ordbo_cli.search.prediction import predict

    given = step_input_of(files, with_engine(files.problem, engine))
    return predict(given, values), results_left_out(given)
