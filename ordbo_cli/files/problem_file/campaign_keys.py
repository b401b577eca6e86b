"""Which tables a study reads: its own one, and those of campaigns, with what differs in them."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from ordbo_cli.files.problem_file.level_kinds import OneLevel
from ordbo_cli.files.problem_file.schema_kinds import BAD, ColumnNames, Exact, FileName, Kind, Name, Schema
from ordbo_cli.files.problem_file.schema_records import Key, RecordKind
from ordbo_cli.files.problem_file.yaml_tree import Listing, Node, ProblemFaults, Scalar, YamlMapping

_ENTRY: Final = "{file: old.csv, campaign: rig-2019}"


class SaidOf(NamedTuple):
    """What a mapping says of a name, and where both stand."""

    name: Scalar
    value: Any
    node: Node


class ByName(NamedTuple):
    """A mapping from names of the problem to values of one kind.

    Args:
        kind: of the values.
        example: what to write.
    """

    kind: Kind
    example: str

    def read(self, node: Node, report: ProblemFaults) -> Any:
        """Return a list of :class:`SaidOf`: only the problem tells which names there are."""
        if not isinstance(node, YamlMapping):
            report.add(node, f"{node} stands where names with values are expected", f"Write {self.example}")
            return BAD
        read = [SaidOf(name, self.kind.read(value, report), value) for name, value in node.entries.values()]
        return BAD if any(each.value is BAD for each in read) else read

    def schema(self) -> Schema:
        """Return the JSON Schema."""
        return {"type": "object", "additionalProperties": self.kind.schema()}


CAMPAIGN: Final = RecordKind(
    "a campaign",
    {
        "file": Key(FileName(), "Its table, which is only read.", required=True),
        "campaign": Key(Name(), "What it is called; by default the file's name without its ending."),
        "columns": Key(
            ColumnNames(),
            "What its table calls parameters and results: {height: 'H (mm)'}; else as in the problem's columns.",
        ),
        "assume": Key(
            ByName(OneLevel(), "{mesh: fine}"),
            "The values of parameters for rows that have none: {mesh: fine}.",
        ),
        "factor": Key(
            ByName(Exact(), "{height: 0.001}"),
            "Of numbers in other units: the problem's number is factor times the table's, plus offset.",
        ),
        "offset": Key(ByName(Exact(), "{temperature: 273.15}"), "What is added to numbers, after factor."),
        "levels": Key(
            ByName(ByName(OneLevel(), "{St37: steel}"), "{alloy: {St37: steel}}"),
            "The table's words for levels and grades: {alloy: {St37: steel}}.",
        ),
    },
    example=_ENTRY,
)


class Tables:
    """The file of the study's own table, or a list: of that, where it is named, and of campaigns."""

    def read(self, node: Node, report: ProblemFaults) -> Any:
        """Return a list of (value, node), the value a file's name or the settings of a campaign."""
        items = node.items if isinstance(node, Listing) else (node,)
        read = [(self._one(item, report), item) for item in items]
        if any(value is BAD for value, _ in read):
            return BAD
        for _, item in [each for each in read if isinstance(each[0], str)][1:]:
            hint = f"The table of another source is a campaign: {_ENTRY}"
            report.add(item, "a second table of the study's own", hint)
            return BAD
        return read

    def schema(self) -> Schema:
        """Return the JSON Schema."""
        entry = {"anyOf": [FileName().schema(), CAMPAIGN.schema()]}
        return {"anyOf": [*entry["anyOf"], {"type": "array", "items": entry}]}

    @staticmethod
    def _one(node: Node, report: ProblemFaults) -> Any:
        return CAMPAIGN.read(node, report) if isinstance(node, YamlMapping) else FileName().read(node, report)
