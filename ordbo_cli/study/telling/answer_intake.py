"""Where answers to suggestions are taken, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from ordbo_cli.errors import DataError, ManyErrors, OrdboError, UsageError
from ordbo_cli.files.handed import Pending
from ordbo_cli.files.tables.table import Row, Table
from ordbo_cli.files.values.answers import (
    Given,
    Outcome,
    bounds_warning,
    level_given,
    named_values,
    new_point,
    outcome_of,
    whole_point,
)
from ordbo_cli.files.values.numbers import Known, agree, alike, printed
from ordbo_cli.problem import Number, Problem
from ordbo_cli.problem.spelling import place, shown, shown_path, some
from ordbo_cli.study.reading.known_ids import known_ids
from ordbo_cli.study.reading.ledger import Ledger, Values, Waiting, waiting_of


class TakenAnswer(NamedTuple):
    """A row to record, and what people should know about it.

    Args:
        id: of the suggestion that it answers, if any.
        values: of the free parameters.
        outcome: what became of the point.
        warnings: for people.
        new: False where the evaluations say the same already, so that a call may be repeated.
        fixed: fixed parameters that the suggestion was made with and that are others now, by name; a lower level of
            fidelity among them.
        judge: whose score of the point it is; "" for a result.
    """

    id: int | None
    values: Values
    outcome: Outcome
    warnings: tuple[str, ...] = ()
    new: bool = True
    fixed: Mapping[str, Number | str] = {}
    judge: str = ""


class _Closed(NamedTuple):
    """An answer that stands."""

    line: int
    values: Values
    outcome: Outcome
    fixed: Given
    named: bool = True
    """Whether its row has the id."""


class AnswerIntake:
    """Knows what is open and what is closed, the answers that it took included.

    Args:
        problem: the problem.
        table: the evaluations.
        ledger: what stands in them, and what waits.
        handed_out: the largest id that was ever suggested.
        recall: returns all points that were ever handed out, by id.
    """

    def __init__(
        self,
        problem: Problem,
        table: Table,
        ledger: Ledger,
        handed_out: int,
        recall: Callable[[], Mapping[int, Pending]] = dict,
    ) -> None:
        self._problem = problem
        self._orders = table.orders
        self._recall = recall
        self._table = table
        self._handed_out = handed_out
        self._closed = {
            entry.id: _Closed(
                entry.row.line,
                entry.row.values,
                Outcome(entry.row.status, entry.row.text, entry.row.others, entry.row.remark),
                entry.row.fixed,
                entry.row.numbered,
            )
            for entry in ledger.standing
        }
        self._scores = {
            (row.judge, row.id): _Closed(row.line, row.values, Outcome("ok", row.text), row.fixed)
            for row in ledger.rows
            if row.judge
        }
        waiting = [*ledger.waiting, *ledger.compared, *ledger.again, *ledger.gone]
        self._open: dict[int, Waiting] = {entry.id: entry for entry in waiting}
        self._strangers = ledger.strangers
        self._ended = ledger.taken_back
        self._again = {entry.id for entry in ledger.again}
        self._at: dict[Values, list[Waiting]] = {}
        for entry in waiting:
            self._at.setdefault(entry.values, []).append(entry)

    def take_table(self, results: Table, *, amend: bool) -> list[TakenAnswer]:
        """Return the rows that record a list of results.

        Raises:
            ManyErrors: of DataError, every row that is refused.
        """
        answers: list[TakenAnswer] = []
        errors: list[OrdboError] = []
        for row in results.rows:
            try:
                answers.append(self._take_row(row, amend))
            except (UsageError, DataError) as error:  # every wrong row is reported
                errors.append(DataError(f"{place(results.path, row.line, 1)}: {error.message}", error.hint))
        if errors:
            raise ManyErrors(errors)
        return answers

    def _take_row(self, row: Row, amend: bool) -> TakenAnswer:
        if row.judge and row.status == "pending":
            point = self._problem.mapping(row.values) if row.values else {}
            return self.take_score(row.judge, row.id, point, Outcome("ok", row.text), amend=amend, line=row.line)
        if row.status in ("pending", "expired", "undone"):
            raise DataError(f"a row that is {row.status} is no result", "Take it out, or give its objective")
        if row.aside:
            level = self._problem.fidelity is not None and self._problem.fidelity.name in row.fixed
            hint = "Mend it, or add the level to the problem file" if level else "It is fixed in the problem file"
            raise DataError(shown(row.aside), hint)
        outcome = self._outcome(row)._replace(remark=row.remark)
        given = {**self._problem.mapping(row.values), **row.fixed} if row.values else row.fixed
        return self.take(row.id, given, outcome, amend=amend and row.id is not None, line=row.line)

    def _outcome(self, row: Row) -> Outcome:
        if row.status != "ok":
            return Outcome(row.status, row.text, row.others) if row.others else Outcome(row.status)
        names = [limit.name for limit in self._problem.outcomes]
        others = {name: text or None for name, text in zip(names, row.others, strict=False) if text or row.objective}
        return outcome_of(self._problem, row.text or None, outcomes=others)

    def take(
        self, id: int | None, given: Given, outcome: Outcome, *, amend: bool, once: bool = False, line: int = 0
    ) -> TakenAnswer:
        """Return the row that answers a suggestion, or that adds a point of the user's own.

        Args:
            id: of the suggestion, if it is said.
            given: parameters by name; with an id they may be left out.
            outcome: what became of the point.
            amend: whether an answer that is there may be replaced.
            once: whether a point without an id is one that has its result already, where one at its place does.
            line: where this is said, in a list of results.

        Raises:
            UsageError: the point is not told, or told in two ways.
            DataError: the id is unknown or already closed, or the file cannot hold an amendment; or the point has
                another result.
        """
        if amend and id is None:
            raise UsageError("an amendment without an id", "Say which evaluation is amended with its id")
        if amend and self._table.columns and "id" not in self._table.columns:
            message = f"{shown_path(self._table.path)}: without a column 'id' no row can replace another"
            raise DataError(message, "Mend the row by hand, or add a column 'id'")
        answer = self._own(given, outcome, once) if id is None else self._suggested(id, given, outcome, amend)
        self._close(answer, line)
        return answer

    def take_score(
        self, judge: str, id: int | None, given: Given, outcome: Outcome, *, amend: bool, line: int = 0
    ) -> TakenAnswer:
        """Return the row that is a judge's score of a sample.

        Args:
            judge: who gave it.
            id: of the sample.
            given: its parameters by name, which may be left out.
            outcome: the score.
            amend: whether a score of the judge that is there may be replaced.
            line: where this is said, in a list of results.

        Raises:
            UsageError: the parameters are not those of the sample.
            DataError: the id is unknown, the judge has scored it otherwise, or the file has no ids.
        """
        if id is None or (self._table.columns and "id" not in self._table.columns):
            message = f"{shown_path(self._table.path)}: without a column 'id' no row can be a score of a sample"
            raise DataError(message, "Add a column 'id' to its header and rows")
        found = self._point(id)
        self._check_point(id, given, found.values)
        self._check_level(id, given, found.fixed)
        if self._problem.level_below(found.fixed) is not None:
            raise DataError(f"id {id} is a point at a lower level of fidelity", "Judges score those of the highest")
        before = self._scores.get((judge, id))
        if before is not None and before.outcome.says(outcome):
            return TakenAnswer(id, found.values, outcome, new=False, fixed=found.fixed, judge=judge)
        if before is not None and not amend:
            message = f"{judge} has scored {id} already: {before.outcome.text} (line {before.line})"
            raise DataError(message, "'observe --amend' replaces it")
        self._scores[judge, id] = _Closed(line, found.values, outcome, found.fixed)
        return TakenAnswer(id, found.values, outcome, fixed=found.fixed, judge=judge)

    def _point(self, id: int) -> Waiting | _Closed:
        """Return what is known of a point.

        Raises:
            DataError: nothing is, or its id is that of two points.
        """
        if row := self._strangers.get(id):
            message = f"line {row.line} has the id {id}, but for another point than was suggested under it"
            raise DataError(message, "Give the point in place of its id; two states cannot share one CSV")
        return self._open.get(id) or self._closed.get(id) or self._recalled(id)

    def _own(self, given: Given, outcome: Outcome, once: bool) -> TakenAnswer:
        if not given:
            raise UsageError("no point is told", "Give the suggestion's id, or every free parameter")
        values = whole_point(self._problem, given, self._orders)
        (values,) = Known(self._problem, self._at).snapped([values])
        level = level_given(self._problem, given)
        waiting = [each for each in self._at.get(values, ()) if each.level == level]
        if once and not waiting and (known := self._known(values, level, outcome)):
            return known
        warning = bounds_warning(self._problem, values)
        id = waiting[0].id if waiting else None
        if waiting:
            values = waiting[0].values
        elif self._problem.ranked:
            id, values = self._numbered(new_point(self._problem, given, self._orders))
        fixed = self._problem.fidelity.named(level) if self._problem.fidelity else {}
        return TakenAnswer(id, values, outcome, (warning,) if warning else (), fixed=fixed)

    def _known(self, values: Values, level: int | None, outcome: Outcome) -> TakenAnswer | None:
        """Return the answer that the evaluations have of a point already, None where they have none.

        Raises:
            DataError: it is another one.
        """
        here = {
            id: each
            for id, each in self._closed.items()
            if each.outcome.status in ("ok", "failed")
            and alike(each.values, values)
            and self._problem.level_below(each.fixed) == level
            and not self._problem.others_of(each.fixed)
        }
        for id, each in here.items():
            if each.outcome.says(outcome):
                return TakenAnswer(id, each.values, outcome, new=False, fixed=each.fixed)
        if not here:
            return None
        id, found = next(iter(here.items()))
        message = f"the point has its answer already, as {id}: it is {_said(found.outcome)} (line {found.line})"
        way = "Name it by its id to amend it" if found.named else f"Mend line {found.line} by hand"
        raise DataError(message, f"{way}, or say that this is a further result at the point")

    def _numbered(self, values: Values) -> tuple[int, Values]:
        """Return an id for a point whose settings are told by it, which have their places from now on."""
        self._handed_out += 1
        self._orders = self._orders.placed(self._problem, self._handed_out, values)
        return self._handed_out, values

    def _suggested(self, id: int, given: Given, outcome: Outcome, amend: bool) -> TakenAnswer:
        found = self._point(id)
        self._check_point(id, given, found.values)
        self._check_level(id, given, found.fixed)
        if isinstance(found, Waiting):
            said = outcome.status == "retry" and id in self._again
            late = [f"suggestion {id} had been taken back; this is recorded all the same"] if id in self._ended else []
            answer = TakenAnswer(id, found.values, outcome, tuple(late), new=not said)
        else:
            answer = self._amended(id, found, outcome, amend)
        others = self._problem.others_of(found.fixed)
        if not others or outcome.status == "expired":
            return answer._replace(fixed=found.fixed)
        made = " and ".join(f"{name} = {shown(printed(found.fixed[name]))}" for name in others)
        warning = f"suggestion {id} was made with {made}, which is another value now: its result is set aside"
        return answer._replace(warnings=(*answer.warnings, warning), fixed=found.fixed)

    def _check_point(self, id: int, given: Given, values: Values) -> None:
        """Make sure that what is given of a suggestion's parameters is so; what does not count may be anything."""
        said = named_values(self._problem, given, self._orders)
        counting = zip(self._problem.free, values, self._problem.active(values), strict=True)
        for parameter, value in ((each, x) for each, x, counts in counting if counts and each.name in said):
            other = said[parameter.name]
            if not agree(value, other):
                one, two = (printed(parameter.shown(x)) for x in (value, other))
                message = f"suggestion {id} has {parameter.name} = {one}, not {two}"
                raise UsageError(message, "Leave the parameters out, or leave the id out for a point of your own")

    def _check_level(self, id: int, given: Given, fixed: Given) -> None:
        """Make sure that a level of fidelity that is given of a suggestion is its own."""
        fidelity = self._problem.fidelity
        if fidelity is None or fidelity.name not in given:
            return
        said, own = level_given(self._problem, given), self._problem.level_below(fixed)
        if said != own and not self._problem.others_of(fixed):
            one, two = (printed(fidelity.levels[-1 if each is None else each]) for each in (own, said))
            message = f"suggestion {id} is for {fidelity.name} = {one}, not {two}"
            raise UsageError(message, "Leave it out, or leave the id out for a point of your own")

    def _amended(self, id: int, found: _Closed, outcome: Outcome, amend: bool) -> TakenAnswer:
        """Return the answer to a suggestion that has one."""
        if found.outcome.says(outcome):
            outcome = outcome._replace(remark=outcome.remark.over(found.outcome.remark))
            if not amend or outcome.remark == found.outcome.remark:
                return TakenAnswer(id, found.values, outcome, new=False)
        if amend and not found.named:
            message = f"line {found.line} answers suggestion {id} without its id, so that no row can replace it"
            raise DataError(message, f"Write {id} into its column id, or mend it by hand")
        at_the_point = [each for each in self._at.get(found.values, []) if each.fixed == found.fixed]
        if not amend and not found.named and at_the_point:
            # Without ids the answers at one point are told apart by nobody: any of its suggestions takes this one.
            return TakenAnswer(at_the_point[0].id, found.values, outcome)
        if found.outcome.status == "expired":
            what = "it is to be evaluated again" if outcome.status == "retry" else "its answer is recorded all the same"
            warning = f"suggestion {id} had expired; {what}"
            return TakenAnswer(id, found.values, outcome, (warning,))
        if not amend:
            message = f"suggestion {id} has its answer already: it is {_said(found.outcome)} (line {found.line})"
            if outcome.status == "expired":  # where both are there, the answer counts
                return TakenAnswer(id, found.values, found.outcome, (f"{message}, and stays so",), new=False)
            raise DataError(message, "'observe --amend' replaces it")
        return TakenAnswer(id, found.values, outcome)

    def _recalled(self, id: int) -> Waiting:
        """Return a point that was handed out and that neither state nor evaluations know any more.

        Raises:
            DataError: it was not, or the problem of now has no place for it.
        """
        point = self._recall().get(id)
        if point is None:
            raise self._unknown(id)
        found = point.under(self._problem)
        if found is None:
            at = " and ".join(f"{name} = {shown(printed(value))}" for name, value in point.parameters.items())
            message = f"suggestion {id} was handed out with {shown(at)}, for which the problem has no place any more"
            raise DataError(message, "Widen the problem file again, or evaluate another point")
        return waiting_of(self._problem, found, self._orders)

    def _unknown(self, id: int) -> DataError:
        if 1 <= id <= self._handed_out:
            hint = "Give its parameters in place of its id, if this is another result at the point"
            return DataError(f"suggestion {id} has its answer already, or is known no more", hint)
        hint = f"{known_ids(self._open, self._closed)}; a point of your own goes without an id"
        return DataError(f"no suggestion has the id {id}", hint)

    def _close(self, answer: TakenAnswer, line: int) -> None:
        """Remember an answer, for those that follow it."""
        if answer.outcome.status == "retry" or not answer.new:
            return
        here = self._at.get(answer.values, [])
        taken = next((entry for entry in here if entry.id == answer.id), None)
        if taken is not None:
            here.remove(taken)
        if answer.id is not None:
            self._open.pop(answer.id, None)
            self._closed[answer.id] = _Closed(line, answer.values, answer.outcome, answer.fixed)


def _said(outcome: Outcome) -> str:
    texts = [text for text in (outcome.text, *outcome.others) if text]
    return outcome.status + (f" with {' and '.join(texts)}" if texts else "")


def warnings_of(answers: Sequence[TakenAnswer]) -> list[str]:
    """Return what people should know about answers; of those that were there already, one line for all."""
    twice = [str(answer.id) for answer in answers if not (answer.new or answer.warnings)]
    words = [warning for answer in answers for warning in answer.warnings]
    if twice:
        ids = some(twice, 10, counted=False)
        words.append(f"suggestion{'s' * (len(twice) > 1)} {ids}: recorded already, nothing was added")
    return words
