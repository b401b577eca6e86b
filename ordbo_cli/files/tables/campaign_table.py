"""The table of a campaign: somebody's, which is only read; its names, units and words become the problem's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from pathlib import Path
from typing import Final

from ordbo_cli.files.durable.paths import missing
from ordbo_cli.files.tables.dialect import Record
from ordbo_cli.files.tables.evaluations import Evaluations, TableReader
from ordbo_cli.files.tables.table import Table
from ordbo_cli.files.values.levels import split_side
from ordbo_cli.files.values.numbers import exact_number
from ordbo_cli.problem import SIGNS, Problem
from ordbo_cli.problem.censored import TURNED
from ordbo_cli.problem.spelling import shown_path

_DIGITS: Final = Context(prec=60, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])
_INFINITIES: Final = {"inf": 1, "+inf": 1, "infinity": 1, "-inf": -1, "-infinity": -1}


@dataclass(frozen=True)
class Conversion:
    """From what a cell says to what the problem calls that.

    Args:
        factor, offset: the problem's number is factor times the cell's, plus offset.
        words: of the problem, by those of the table.
    """

    factor: Decimal = Decimal(1)
    offset: Decimal = Decimal(0)
    words: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_of_numbers(self) -> bool:
        """Whether numbers are in other units."""
        return self.factor != 1 or self.offset != 0

    def of(self, cell: str, *, comma: bool) -> str:
        """Return what a cell says in the words and units of the problem; one that says neither as it is.

        Args:
            cell: its text; a sign of a limit (``>3``) turns round where the factor is negative.
            comma: whether numbers may have decimal commas.
        """
        text = cell.strip()
        if text in self.words:
            return self.words[text]
        if not self.is_of_numbers or not text:
            return cell
        side, rest = split_side(text, ())
        if (sign := _INFINITIES.get(rest.lower())) is not None and not side:
            return "inf" if sign * self.factor > 0 else "-inf"
        try:
            number = exact_number(rest.replace(",", ".") if comma and "." not in rest else rest)
        except ValueError:
            return cell
        value = _DIGITS.add(_DIGITS.multiply(number, self.factor), self.offset)
        return f"{SIGNS[side if self.factor > 0 else TURNED[side]]}{value}"


class CampaignTable(Evaluations):
    """A table of a campaign.

    Its rows have the outcomes with limits that it has columns for, and no others.

    Args:
        name: what rows without a campaign of their own belong to.
        path: the file.
        problem: the study's, with the table's names of columns, and what is assumed as the past of its parameters.
        conversions: by name of a parameter or result.
    """

    def __init__(self, name: str, path: Path, problem: Problem, conversions: Mapping[str, Conversion]) -> None:
        super().__init__(path, problem)
        self.name = name
        self.conversions = conversions

    def table(self) -> Table:
        """Read the table.

        Raises:
            MissingFileError: there is none.
            ManyErrors, FileError: as :meth:`.Evaluations.table`.
        """
        if not self.path.exists():
            raise missing(self.path, f"table of the campaign {self.name}", "Mend its file: in the problem file")
        return super().table()

    def _reader(self) -> TableReader:
        return _CampaignReader(self.problem, shown_path(self.path), self.conversions)


class _CampaignReader(TableReader):
    """Reads the table of a campaign."""

    def __init__(self, problem: Problem, source: str, conversions: Mapping[str, Conversion]) -> None:
        super().__init__(problem, source, "campaign")
        self._conversions = conversions
        self.spelt |= {word for each in conversions.values() for word in each.words}

    def in_our_words(self, found: Sequence[Record]) -> list[Record]:
        places = {self.columns[name]: each for name, each in self._conversions.items() if name in self.columns}
        if not places:
            return list(found)
        comma = self.dialect.comma
        return [
            record._replace(
                cells=tuple(places[k].of(c, comma=comma) if k in places else c for k, c in enumerate(record.cells))
            )
            for record in found
        ]

    def asked(self) -> Problem:
        kept = tuple(each for each in self.problem.outcomes if each.name in self.columns or not each.is_limited)
        return self.problem if len(kept) == len(self.problem.outcomes) else replace(self.problem, outcomes=kept)
