"""From what a problem file says of campaigns to their tables, everything that cannot be reported at its place."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from ordbo_cli.files.durable.paths import is_same_file
from ordbo_cli.files.problem_file.campaign_keys import SaidOf
from ordbo_cli.files.problem_file.schema_records import Settings
from ordbo_cli.files.problem_file.yaml_tree import Node, ProblemFaults, Scalar
from ordbo_cli.files.tables.campaign_table import CampaignTable, Conversion
from ordbo_cli.files.tables.table import result_columns
from ordbo_cli.files.values.levels import checked_value, level_hint, place_of
from ordbo_cli.files.values.numbers import printed
from ordbo_cli.problem import Fixed, Level, Parameter, Problem
from ordbo_cli.problem.spelling import meant, quoted

_RANKED: Final = "Its settings have nothing but an order among the rows of one table: take the campaigns out"


def same_file(one: Path, other: Path) -> bool:
    """Return whether two paths lead to one file, which need not be there yet."""
    # The second: a hard link, or a system to which both spellings are one.
    return os.path.realpath(one) == os.path.realpath(other) or is_same_file(one, other)


def campaign_tables(
    entries: Sequence[tuple[Any, Node]],
    problem: Problem,
    path: Path,
    own: Mapping[str, Path],
    report: ProblemFaults,
) -> tuple[CampaignTable, ...]:
    """Return the tables of campaigns, those of which nothing is wrong.

    Args:
        entries: of ``evaluations:``, files' names and settings of campaigns.
        problem: the study's.
        path: of the problem file.
        own: the files of the study, by what they are.
        report: takes the errors.
    """
    maker, tables = _Maker(problem, report), []
    unnamed: dict[str, str] = {}
    for given, _ in entries:
        if not isinstance(given, Settings) or not given.sound or "file" not in given:
            continue  # what is wrong is in the report
        file = given.get("file")
        for what, other in own.items():
            if same_file(path.parent / file, other):
                report.add(given.where("file"), f"the table of a campaign and {what} are the same file", _SAME)
        name = given.get("campaign", Path(file).stem)
        if "campaign" not in given and unnamed.setdefault(name, file) != file:
            message = f"two campaigns would be called {quoted(name)}"
            report.add(given.where("file"), message, "Say which: campaign: NAME; tables of one name are one campaign")
        tables.append(maker.table(name, path.parent / file, given))
    return tuple(each for each in tables if each is not None)


_SAME: Final = "A row of the study's own table may name its campaign in a column 'campaign'"


class _Maker:
    """Makes the tables of campaigns of one problem.

    Args:
        problem: the study's.
        report: takes the errors.
    """

    def __init__(self, problem: Problem, report: ProblemFaults) -> None:
        self._problem = problem
        self._report = report
        self._parameters = {each.name: each for each in problem.parameters}
        self._results = {name: problem.words.get(name, ()) for name in result_columns(problem)}

    def table(self, name: str, path: Path, given: Settings) -> CampaignTable | None:
        """Return a campaign's table; None where an error was reported."""
        before = len(self._report.errors)
        if self._problem.ranked:
            ranked = self._problem.free[self._problem.ranked[0]].name
            message = f"campaigns and {quoted(ranked)}, of type ranked, are not supported together"
            self._report.add(given.node, message, _RANKED)
        columns = self._columns(given.get("columns", []))
        assumed = self._assumed(given.get("assume", []))
        conversions = self._conversions(given)
        if len(self._report.errors) > before:
            return None
        units = {each for each, found in conversions.items() if found.is_of_numbers}
        parameters = tuple(
            replace(
                each,
                unit="" if each.name in units else each.unit,
                **({"past": assumed[each.name]} if each.name in assumed else {}),
            )
            for each in self._problem.parameters
        )
        outcomes = tuple(
            each if each.is_limited and each.name not in units else replace(each, unit="")
            for each in self._problem.outcomes
        )  # the units of an objective are no matter
        problem = replace(self._problem, parameters=parameters, outcomes=outcomes, columns=columns, unit="")
        return CampaignTable(name, path, problem, conversions)

    def _columns(self, given: Sequence[tuple[Scalar, Scalar]]) -> tuple[tuple[str, str], ...]:
        """Return what the table calls its columns: as it is said here, or for the problem."""
        known = ("id", "status", "campaign", *self._parameters, *self._results)
        owners: dict[str, str] = {}
        for name, column in given:
            if name.text not in known:
                hint = meant(name.text, known)
                self._report.add(name, f"{quoted(name.text)} is no name of the problem", hint)
            elif owners.setdefault(column.text, name.text) != name.text:
                both = f"{quoted(owners[column.text])} and of {quoted(name.text)}"
                message = f"the column {quoted(column.text)} would be that of {both}"
                self._report.add(column, message, "Each has a column of its own")
        said = {name.text: column.text for name, column in given}
        others = {name: column for name, column in self._problem.columns if column not in said.values()}
        return tuple({**others, **said}.items())

    def _assumed(self, given: Sequence[SaidOf]) -> dict[str, Any]:
        """Return the values of parameters for rows without one, as the problem has them inside."""
        found = {}
        for name, value, node in given:
            parameter = self._parameters.get(name.text)
            if parameter is None:
                message = f"{quoted(name.text)} is no parameter"
                self._report.add(name, message, meant(name.text, list(self._parameters)))
            elif isinstance(parameter, Fixed):
                message = f"{quoted(name.text)} is fixed: nothing is assumed of it"
                self._report.add(name, message, "In a campaign it may be anything that is the same in all of its rows")
            elif parameter.type != "ranked":  # which is refused
                try:
                    found[name.text] = checked_value(parameter, value)
                except ValueError as error:
                    message = f"{quoted(printed(value))} is no value of {quoted(name.text)}"
                    self._report.add(node, message, str(error))
        return found

    def _conversions(self, given: Settings) -> dict[str, Conversion]:
        found: dict[str, Conversion] = {}
        for key in ("factor", "offset"):
            for name, value, node in given.get(key, []):
                if not self._has_numbers(name):
                    continue
                if key == "factor" and value == 0:
                    self._report.add(node, "a factor of 0 would make all numbers one", "Write what it is")
                found[name.text] = replace(found.get(name.text, Conversion()), **{key: value})
        for name, words, _ in given.get("levels", []):
            known = self._levels(name)
            spelt = {each.name.text: level for each in words if (level := self._level(each, known)) is not None}
            found[name.text] = replace(found.get(name.text, Conversion()), words=spelt)
        return found

    def _has_numbers(self, name: Scalar) -> bool:
        """Return whether numbers stand below a name; that they do not is reported."""
        known = [*self._parameters, *self._results]
        parameter = self._parameters.get(name.text)
        levels = parameter.levels if isinstance(parameter, Parameter) else self._results.get(name.text, ())
        if name.text not in known:
            self._report.add(name, f"{quoted(name.text)} is no name of the problem", meant(name.text, known))
        elif isinstance(parameter, Fixed):
            self._report.add(name, f"{quoted(name.text)} is fixed: it needs no factor and no offset", "Leave it out")
        elif any(isinstance(level, str) for level in levels):
            self._report.add(name, f"{quoted(name.text)} has words, and no numbers", "Words are told by levels:")
        else:
            return True
        return False

    def _levels(self, name: Scalar) -> Sequence[Level]:
        """Return the words that a name may have; that there are none is reported."""
        parameter = self._parameters.get(name.text)
        levels = parameter.levels if isinstance(parameter, Parameter) else self._results.get(name.text, ())
        if not levels:
            known = [each.name for each in self._problem.free if each.levels] + list(self._problem.words)
            hint = meant(name.text, known) if known else "Take it out"
            self._report.add(name, f"{quoted(name.text)} has no levels", hint)
        return levels

    def _level(self, given: SaidOf, known: Sequence[Level]) -> str | None:
        """Return the level that a word stands for, as the problem spells it."""
        if not known:
            return None
        try:
            return printed(known[place_of(known, given.value)])
        except ValueError:
            text = printed(given.value)
            self._report.add(given.node, f"{quoted(text)} is no value of it", level_hint(text, known))
            return None
