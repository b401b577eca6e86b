"""The rows of a table of evaluations: what each cell says, its errors at their places."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import cached_property, partial
from typing import Final, Literal, NamedTuple, get_args

from ordbo_cli.files.tables.dialect import Record
from ordbo_cli.files.tables.faults import Faults
from ordbo_cli.files.tables.fixed_cells import FixedReader
from ordbo_cli.files.tables.judge_scores import score_fault
from ordbo_cli.files.tables.places import Places, Purpose
from ordbo_cli.files.tables.ranking import Ranking
from ordbo_cli.files.tables.table import (
    BLANK_RESULT,
    CAMPAIGN,
    JUDGE,
    LARGEST_ID,
    UNDONE,
    Row,
    Status,
    campaign_columns,
    is_too_good,
    judge_columns,
    remark_columns,
    result_columns,
    too_good_hint,
)
from ordbo_cli.files.values.levels import (
    cell_value,
    censored_outcome,
    censored_value,
    not_a_result,
    not_a_value,
    not_an_outcome,
)
from ordbo_cli.files.values.numbers import alike, exact_number, plain_values, printed
from ordbo_cli.files.values.remark import NO_REMARK, NOTE, SECONDS, Remark, note_of, seconds_of
from ordbo_cli.problem import Censored, Number, Problem
from ordbo_cli.problem.limit import Aim, Limit, Measured, are_broken, grades_of
from ordbo_cli.problem.setting_order import NO_ORDERS, SettingOrders
from ordbo_cli.problem.spelling import meant, quoted

_STATUSES: Final[dict[str, Status]] = {"": "ok", **{status: status for status in get_args(Status)}}
_NOTHING: Final[tuple[None, Censored]] = (None, "")
_FILLED: Final = "nan"  # what a cell without a value holds where blanks divide the columns


class _Result(NamedTuple):
    """What became of a point, in the words of :class:`~ordbo_cli.files.tables.table.Row`."""

    status: Status
    objective: Decimal | None = None
    text: str = ""
    censored: Censored = ""
    outcomes: tuple[Decimal | None, ...] = ()
    others: tuple[str, ...] = ()
    undoes: Status | Literal[""] = ""
    sides: tuple[Censored, ...] = ()


def _if_any(read: Callable[[str], tuple[Measured, Censored]], text: str) -> tuple[Measured, Censored]:
    """Return what a text says, nothing where it is no value."""
    try:
        return read(text) if text else _NOTHING
    except ValueError:
        return _NOTHING


def id_in(text: str) -> int | None:
    """Return the id that a cell holds; None where that is none."""
    try:
        number = exact_number(text)
    except ValueError:
        return None
    # Tables that went through pandas have ids such as 17.0.
    return int(number) if 1 <= number <= LARGEST_ID and number == number.to_integral_value() else None


def is_status(text: str) -> bool:
    """Return whether a cell holds a status."""
    return text.lower() in _STATUSES


class RowReader:
    """Reads the rows of one table, one after the other.

    Args:
        problem: the problem.
        purpose: what the table is for.
        places: where its cells stand.
        faults: takes its errors.
    """

    def __init__(self, problem: Problem, purpose: Purpose, places: Places, faults: Faults) -> None:
        self.moved: list[int] = []
        """Lines that give an id other values than a row before did."""
        self.blank: list[int] = []
        """Lines of rows that say nothing of what became of their points."""
        self._problem = problem
        self._purpose = purpose
        self.places = places
        self._columns = places.columns
        self._comma = places.dialect.comma
        self._blank = places.dialect.blank
        self._faults = faults
        self._known: dict[int, tuple[Number, ...]] = {}
        self._of_campaigns: dict[str, dict[int, tuple[Number, ...]]] = {"": self._known}
        self._campaigns = purpose != "points" and bool(campaign_columns(self._columns, problem))
        self._judges = purpose != "points" and bool(judge_columns(self._columns, problem))
        doubles = all(
            each.name in self._columns
            and not (each.is_whole or each.when or each.type == "ranked" or each.past is not None)
            for each in problem.free
        )
        self._doubles = [self._columns[each.name] for each in problem.free] if doubles else []
        """Where the free values stand, if all of them are doubles."""
        self._spelt = {
            each.name: {printed(level): place for place, level in enumerate(each.levels)}
            for each in problem.free
            if each.levels
        }
        """Places of levels by their usual spelling."""
        self._remarks = remark_columns(self._columns, problem)
        self._fixed = FixedReader(problem, self._number)

    @cached_property
    def _ranking(self) -> Ranking:
        return Ranking(self._problem, later=self._purpose != "evaluations")

    @property
    def orders(self) -> SettingOrders:
        """The places that the rows give to settings without numbers."""
        return self._ranking.orders if self._problem.ranked else NO_ORDERS

    def row(self, index: int, record: Record) -> Row | None:
        """Return what a record says; None where that is an error, which is noted."""
        before = self._faults.count
        campaign = self._campaign(record) if self._campaigns else ""
        id = self._id(record) if self._purpose != "points" else None
        values = self._values(record, id)
        judge = self._judge(record, id, campaign) if self._judges else ""
        points = self._purpose == "points"
        result = _Result("pending") if points else self._score(record) if judge else self._outcome(record)
        if self._faults.count > before or values is None:
            return None
        if id is not None and values:
            if not alike(self._known.setdefault(id, values), values):
                self.moved.append(record.line)
            self._known[id] = values
        outside = bool(values) and not self._problem.is_inside(values)
        known_by, filled = None if campaign else id, partial(self._filled, record)
        fixed, said = self._fixed.others(filled, known_by), self._fixed.level_text(filled, known_by)
        level = self._problem.level_below(fixed) if fixed and not campaign and self._purpose != "campaign" else None
        others = fixed if level is None else self._problem.others_of(fixed)
        if judge and level is not None:
            hint = "Name no level there: judges score samples of the highest one"
            self._fault(record, JUDGE, f"{quoted(judge)} scores a point at a lower level of fidelity", hint)
            return None
        aside = next((self._fixed.why_aside(name, self._cell(record, name), fixed[name]) for name in others), "")
        return Row(
            record.line,
            index,
            id,
            result.status,
            values,
            result.objective,
            result.text,
            outside,
            aside,
            fixed,
            *result[3:6],
            remark=self._remark(record) if self._remarks else NO_REMARK,
            undoes=result.undoes,
            sides=result.sides,
            campaign=campaign,
            level=level,
            names_no_level=self._problem.fidelity is not None and not said,
            judge=judge if result.text or result.status == UNDONE else "",
        )

    def _cell(self, record: Record, name: str) -> str:
        return record.cells[self._columns[name]] if name in self._columns else ""

    def _filled(self, record: Record, name: str) -> str:
        """Return a cell that may be without a value."""
        text = self._cell(record, name)
        return "" if self._blank and text.lower() == _FILLED else text

    def _campaign(self, record: Record) -> str:
        """Return the campaign of a row; its ids are its own."""
        name = self._filled(record, CAMPAIGN)
        self._known = self._of_campaigns.setdefault(name, {})
        if name and self._purpose == "results":
            hint = "Name the table under evaluations: in the problem file, or empty the cell"
            self._fault(record, CAMPAIGN, f"the row is a result of {quoted(name)}", hint)
        elif name and self._problem.ranked:
            ranked = self._problem.free[self._problem.ranked[0]].name
            message = f"campaigns and {quoted(ranked)}, of type ranked, are not supported together"
            self._fault(record, CAMPAIGN, message, "Its settings are known by their order in one table alone")
        return name

    def _judge(self, record: Record, id: int | None, campaign: str) -> str:
        """Return whose score a row is, "" where it is a result of the study."""
        name = self._filled(record, JUDGE)
        if name:
            others = [limit.name for limit in self._problem.outcomes if self._filled(record, limit.name)]
            belongs = self._purpose == "campaign" or bool(campaign)
            for why in score_fault(self._problem, name, id, of_campaign=belongs, others=others):
                self._fault(record, JUDGE, *why)
        return name

    def _score(self, record: Record) -> _Result:
        """Return the score that a judge gave: to the study its point is one that is out. A failure says nothing."""
        status, undoes = self._status(record)
        if status in ("abandoned", "expired", "retry"):
            self._fault(record, "status", f"a judge's row is {quoted(status)}", "Say so in a row without a judge")
        cell = self._filled(record, self._problem.objective)
        text = cell if self._problem.grades else self._number(cell)
        became: Status = UNDONE if status == UNDONE else "pending"
        if status == "failed" or not text:
            return _Result(became, undoes=undoes)
        value, side = self._objective(record, text)
        if side:
            self._fault(record, self._problem.objective, f"{quoted(text)} is a limit, and no score", "Give a value")
        return _Result(became, value, text if value is not None else "", undoes=undoes)

    def _remark(self, record: Record) -> Remark:
        """Return what is said beside the results, whoever wrote it."""
        note, seconds = (self._filled(record, name) if name in self._remarks else "" for name in (NOTE, SECONDS))
        return Remark(note_of(note), seconds_of(seconds)) if note or seconds else NO_REMARK

    def _number(self, text: str) -> str:
        """Return a cell's number with a decimal point."""
        return text.replace(",", ".") if self._comma and "." not in text else text

    def _fault(self, record: Record, name: str, message: str, hint: str = "") -> None:
        # Past the errors that are shown, nobody sees the place.
        column = 1 if self._faults.full else self.places.column(record.line, self._columns.get(name, 0))
        self._faults.add(record.line, column, f"column {quoted(self.places.called(name))}: {message}", hint)

    def _id(self, record: Record) -> int | None:
        text = self._filled(record, "id")
        # Dakota reads no id but a whole number: 0 is none.
        if not text or (self._blank and text == "0"):
            return None
        id = id_in(self._number(text))
        if id is None:
            hint = f"Ids are whole numbers from 1 to {LARGEST_ID}; or rename the column"
            self._fault(record, "id", f"{quoted(text)} is no id", hint)
        return id

    def _values(self, record: Record, id: int | None) -> tuple[Number, ...] | None:
        """Return the free values; a row whose cells are all empty takes those of the rows before with its id."""
        free = self._problem.free
        if id is not None and not any(self._cell(record, parameter.name) for parameter in free):
            if id in self._known:
                return self._known[id]
            if self._purpose == "results":
                return ()
        if self._doubles and (plain := plain_values([record.cells[k] for k in self._doubles])) is not None:
            return plain
        return self._one_by_one(record, id)

    def _one_by_one(self, record: Record, id: int | None) -> tuple[Number, ...] | None:
        """Return the free values, the lowest where a parameter does not count, whatever stands there."""
        places: dict[str, Number] = {}  # of what counts, by name
        values: list[Number] = []
        sound = True
        for parameter in self._problem.free:
            if parameter.when and not parameter.counts(places):
                values.append(parameter.low)
                continue
            text = self._cell(record, parameter.name)
            if parameter.past is not None and not self._filled(record, parameter.name):
                values.append(parameter.past)
                places[parameter.name] = parameter.past
                continue
            try:
                value: Number | None = self._spelt[parameter.name].get(text) if parameter.levels else None
                if parameter.type == "ranked":
                    value = self._ranking.value(parameter, text, id)
                values.append(cell_value(parameter, text, comma=self._comma) if value is None else value)
                places[parameter.name] = values[-1]
            except ValueError as error:
                sound = False
                message, hint = not_a_value(parameter, text, str(error)), str(error) or "Write a number"
                self._fault(record, parameter.name, message, hint)
        return tuple(values) if sound else None

    def _outcome(self, record: Record) -> _Result:
        """Return what became of a point, texts with a decimal point.

        A status of failed, abandoned or retry stands whatever the objective is. A pending or expired row in which
        somebody has filled in a result is one. An outcome that breaks its limits makes the objective needless.
        """
        cell = self._cell(record, self._problem.objective)
        text = cell if self._problem.grades else self._number(cell)
        status, undoes = self._status(record)
        if status == UNDONE and undoes != "ok":
            return _Result(status, undoes=undoes)
        if status == "ok" and self._is_out(record):
            self.blank.append(record.line)
            return _Result("pending")
        if status in ("abandoned", "retry") or (status == "failed" and not self._problem.several):
            return _Result(status, None, text)
        limits = self._problem.outcomes
        cells = [self._filled(record, limit.name) for limit in limits]
        others = tuple(c if grades_of(limit) else self._number(c) for limit, c in zip(limits, cells, strict=True))
        if status == "failed":
            return self._failed(text, others)
        if status in ("pending", "expired") and not (self._filled(record, self._problem.objective) or any(others)):
            return _Result(status)
        measured = [self._measured(record, *each) for each in zip(limits, others, strict=True)]
        outcomes, sides = tuple(value for value, _ in measured), tuple(side for _, side in measured)
        broken = bool(limits) and are_broken(limits, outcomes)
        none_of_another = any(others[k] and outcomes[k] is None for k, _ in self._problem.aims)
        needless = broken or none_of_another  # what is there is read all the same
        objective, side = self._objective(record, text) if text or not needless else _NOTHING
        if not broken:
            if objective is not None:
                self._refuse_gaps(record, others)
            if self._problem.lacks_a_result(objective, outcomes):
                return self._failed(text, others, undoes)
        found = self._problem.evaluation((), objective, None, side, outcomes, sides)
        status = UNDONE if undoes else "ok"
        return _Result(status, found.objective, text, found.censored, outcomes, others, undoes, found.sides)

    def _failed(self, text: str, others: tuple[str, ...], undoes: Status | Literal[""] = "") -> _Result:
        """Return a failure, with what was measured of several objectives all the same; what is no value is nothing."""
        status: Status = UNDONE if undoes else "failed"
        found, limits = _Result(status, None, text, undoes=undoes), self._problem.outcomes
        if not self._problem.several:
            return found
        first, _ = _if_any(partial(censored_value, self._problem), text)
        measured = [_if_any(partial(censored_outcome, k), cell) for k, cell in zip(limits, others, strict=True)]
        outcomes, sides = tuple(value for value, _ in measured), tuple(side for _, side in measured)
        if first is None and not any(value is not None for value in outcomes):
            return found
        text = "" if first is None else text
        return found._replace(text=text, outcomes=outcomes, others=others, sides=sides if any(sides) else ())

    def _is_out(self, record: Record) -> bool:
        """Return whether a row says nothing of what became of its point: then it is out."""
        if self._purpose not in ("evaluations", "campaign") or self._filled(record, "status"):
            return False
        results = [self._cell(record, name) for name in result_columns(self._problem)]
        if self._blank:  # where no cell can be empty
            return results[0].lower() == BLANK_RESULT
        return not any(results)

    def _measured(self, record: Record, limit: Limit, text: str) -> tuple[Measured, Censored]:
        """Return the value of an outcome, None where there is none, and on which side of that it lies."""
        if not text:
            return _NOTHING
        try:
            return censored_outcome(limit, text)
        except ValueError as error:
            self._fault(
                record,
                limit.name,
                not_an_outcome(limit, text, str(error)),
                str(error) or "Write a number, or nan where there is none",
            )
            return _NOTHING

    def _refuse_gaps(self, record: Record, others: Sequence[str]) -> None:
        for limit, text in zip(self._problem.outcomes, others, strict=True):
            # where blanks divide the columns, nan is what an empty cell holds
            if not text and not self._cell(record, limit.name):
                then = "the evaluation failed then" if isinstance(limit, Aim) else "that is worse than any value"
                hint = f"Write a number, or nan where there is none: {then}"
                self._fault(record, limit.name, "it is empty", hint)

    def _status(self, record: Record) -> tuple[Status, Status | Literal[""]]:
        """Return what became of a point, and what of a row above this one takes back: ``undone:failed``."""
        text = self._filled(record, "status")
        word, colon, what = text.lower().partition(":")
        status, undoes = _STATUSES.get(word), _STATUSES.get(what) if colon else ""
        if status is None or undoes is None or (colon and (status != UNDONE or undoes == UNDONE)):
            written = [each for each in get_args(Status) if each != UNDONE]  # people have a command for that
            self._fault(record, "status", f"{quoted(text)} is no status", meant(text, written))
            return "ok", ""
        return status, undoes

    def _objective(self, record: Record, text: str) -> tuple[Decimal | None, Censored]:
        name = self._problem.objective
        try:
            value, side = censored_value(self._problem, text)
        except ValueError as error:
            to_come = text and self._purpose == "evaluations" and not (self._blank or self._filled(record, "status"))
            more = ", or leave it empty where it is still to come" if to_come else ""
            hint = str(error) or f"Write a number, or 'failed' where the simulation failed{more}"
            self._fault(record, name, not_a_result(self._problem, text), hint)
            return None, ""
        if value is not None and is_too_good(value, self._problem):
            self._fault(record, name, f"{quoted(text)} would be the best value of all", too_good_hint(self._problem))
        return value, side
