"""What the model expects of points that somebody names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ordbo_cli.files.problem_file.problem_file import ProblemFile
from ordbo_cli.files.values.answers import bounds_warning, new_point
from ordbo_cli.problem import Number
from ordbo_cli.problem.method import EngineKind
from ordbo_cli.problem.setting_order import NO_ORDERS
from ordbo_cli.study.asking.suggest import results_left_out, with_engine
from ordbo_cli.study.reading.known_ids import point_of
from ordbo_cli.study.reading.study_files import read_files
from ordbo_cli.study.returned import Answers

if TYPE_CHECKING:
    from ordbo_cli.search.prediction import Prediction


def predicted(
    file: ProblemFile, engine: EngineKind | None, points: Sequence[Mapping[str, Number | str]], ids: Sequence[int] = ()
) -> Answers[Prediction]:
    """Return what the model expects at points.

    Args:
        file: the problem file.
        engine: the implementation of the model, in place of the problem's.
        points: parameters by name.
        ids: of suggestions or rows, whose points follow.

    Raises:
        UsageError: a point lacks parameters, or has unknown ones.
        DataError: there is no evaluation to learn from, or an id is unknown.
    """
    from ordbo_cli.search.prediction import predict

    file.problem.demand_one_order("predicting")
    # Ids, and the words of ranked settings, are explained by the evaluations.
    files = read_files(file).to_ask() if ids or file.problem.ranked else None
    orders = files.orders if files else NO_ORDERS
    values = [new_point(file.problem, point, orders) for point in points]
    values += [point_of(files, id) for id in ids] if files else []
    outside = (bounds_warning(file.problem, point, "the model only guesses there") for point in values)
    files = files or read_files(file).to_ask()
    given = files.step_input(with_engine(files.problem, engine))
    found = [
        replace(each, parameters=file.problem.point(orders.in_words(file.problem, point)))
        for each, point in zip(predict(given, values), values, strict=True)
    ]
    return Answers(found, [*filter(None, outside), *files.warnings, *results_left_out(given)])
