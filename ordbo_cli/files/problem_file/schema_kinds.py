"""What a setting may hold: one description that both checks a file's nodes and writes their JSON Schema."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final, NamedTuple, Protocol

from ordbo_cli.files.problem_file.yaml_tree import Listing, Node, ProblemFaults, Scalar, YamlMapping
from ordbo_cli.files.values.numbers import exact_number, number_hint, yaml_value
from ordbo_cli.files.values.remark import SECONDS
from ordbo_cli.problem.spelling import meant, quoted

Schema = dict[str, Any]


class _Bad:
    """The type of :data:`BAD`."""


BAD: Final = _Bad()
"""Stands for a value that was reported as wrong."""


class Kind(Protocol):
    """What a value may be."""

    def read(self, node: Node, report: ProblemFaults) -> Any:
        """Return the value of a node; :data:`BAD` after an error went to the report."""

    def schema(self) -> Schema:
        """Return the JSON Schema of exactly the values that :meth:`read` takes."""


class Numeric(NamedTuple):
    """A finite number.

    Args:
        low, high: bounds, both included.
        above: whether the lower bound itself is excluded.
        whole: whether only whole numbers count (``3.0`` is one).
    """

    low: float = -math.inf
    high: float = math.inf
    above: bool = False
    whole: bool = False

    def read(self, node: Node, report: ProblemFaults) -> Any:
        """Return an int or a float."""
        wanted = self.wanted()
        if not isinstance(node, Scalar) or isinstance(node.value, bool) or not isinstance(node.value, int | float):
            hint = _hint(node) if isinstance(node, Scalar) and isinstance(node.value, str) else ""
            report.add(node, f"{node} stands where {wanted} is expected", hint)
            return BAD
        value = node.value
        if not abs(value) <= sys.float_info.max:  # neither NaN nor an int of 400 digits is
            report.add(node, f"{node} is not finite", f"Write {wanted}")
            return BAD
        inside = (self.low < value if self.above else self.low <= value) and value <= self.high
        if not inside or (self.whole and value != int(value)):
            report.add(node, f"{node} stands where {wanted} is expected")
            return BAD
        return int(value) if self.whole else value

    def wanted(self) -> str:
        """Return the description of such a number."""
        kind = "a whole number" if self.whole else "a number"
        low = "" if math.isinf(self.low) else f" {'above' if self.above else 'from'} {self.low:g}"
        high = "" if math.isinf(self.high) else f" {'and at most' if self.above else 'to'} {self.high:g}"
        return f"{kind}{low}{' on' if low and not high and not self.above else ''}{high}"

    def schema(self) -> Schema:
        """Return the JSON Schema."""
        bounds: Schema = {"type": "integer" if self.whole else "number"}
        if not math.isinf(self.low):
            bounds["exclusiveMinimum" if self.above else "minimum"] = self.low
        if not math.isinf(self.high):
            bounds["maximum"] = self.high
        return bounds


_COST: Final = Numeric(low=0, above=True)


def _hint(node: Scalar) -> str:
    """Return what to write instead of a text that stands where a number is expected."""
    value = yaml_value(node.text)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return "Take the quotation marks off"
    return number_hint(node.text)


class Version(NamedTuple):
    """The format's own number."""

    newest: int

    def read(self, node: Node, report: ProblemFaults) -> Any:
        """Return the number."""
        value = Numeric(low=1, whole=True).read(node, report)
        if value is BAD or value <= self.newest:
            return value
        report.add(node, f"version {value} is newer than this ordbo, which reads {self.newest}", "Update ordbo")
        return BAD

    def schema(self) -> Schema:
        """Return the JSON Schema."""
        return {"type": "integer", "minimum": 1, "maximum": self.newest}


class Flag:
    """``true`` or ``false``."""

    def read(self, node: Node, report: ProblemFaults) -> Any:
        """Return a bool."""
        if isinstance(node, Scalar) and isinstance(node.value, bool):
            return node.value
        report.add(node, f"{node} stands where true or false is expected")
        return BAD

    def schema(self) -> Schema:
        """Return the JSON Schema."""
        return {"type": "boolean"}


class Words(NamedTuple):
    """One of several words.

    Args:
        words: each with the value it stands for.
        elsewhere: hints on words that belong to another key.
    """

    words: Mapping[str, Any]
    elsewhere: Mapping[str, str] = {}

    def read(self, node: Node, report: ProblemFaults) -> Any:
        """Return the value that the word stands for."""
        if isinstance(node, Scalar) and isinstance(node.value, str):
            if node.text in self.words:
                return self.words[node.text]
            hint = self.elsewhere.get(node.text) or meant(node.text, self.words)
            report.add(node, f"{node} is unknown here", hint)
            return BAD
        report.add(node, f"{node} stands where one of {', '.join(self.words)} is expected")
        return BAD

    def schema(self) -> Schema:
        """Return the JSON Schema."""
        return {"enum": list(self.words)}


class Name:
    """A name: any printable text that is not empty, as it is spelt, even where YAML sees a number."""

    def read(self, node: Node, report: ProblemFaults) -> Any:
        """Return the text."""
        if not isinstance(node, Scalar) or node.value is None:
            report.add(node, f"{node} stands where a name is expected", "Put it in quotation marks")
            return BAD
        wrong = name_fault(node.text)
        if wrong:
            report.add(node, f"the name {quoted(node.text)} {wrong}", "Names are printable text without outer spaces")
            return BAD
        return node.text

    def schema(self) -> Schema:
        """Return the JSON Schema."""
        return {"type": ["string", "number", "boolean"], "minLength": 1}


def name_fault(text: str) -> str:
    """Return what is wrong with a name, or ""."""
    if not text:
        return "is empty"
    if not text.isprintable():
        return "holds a character that cannot be printed"
    return "begins or ends with a space" if text != text.strip() else ""


class FileName:
    """The name of a file, relative to the problem file's folder."""

    def read(self, node: Node, report: ProblemFaults) -> Any:
        """Return the text."""
        if isinstance(node, Scalar) and isinstance(node.value, str) and node.text and node.text.isprintable():
            return node.text
        report.add(
            node,
            f"{node} stands where the name of a file is expected",
            "Write a printable name, if need be in quotation marks",
        )
        return BAD

    def schema(self) -> Schema:
        """Return the JSON Schema."""
        return {"type": "string", "minLength": 1}


class NumberOrWord:
    """The value of a fixed parameter: a number, or a word that the simulator understands."""

    def read(self, node: Node, report: ProblemFaults) -> Any:
        """Return an int, a float or a text."""
        if isinstance(node, Scalar) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
            return Numeric().read(node, report)
        if isinstance(node, Scalar) and node.value is not None and node.text and node.text.isprintable():
            return node.text
        report.add(node, f"{node} stands where a number or a printable word is expected")
        return BAD

    def schema(self) -> Schema:
        """Return the JSON Schema."""
        return {"type": ["number", "string", "boolean"], "minLength": 1}


class Either(NamedTuple):
    """A number, a word or a mapping: which one is seen from the node.

    Args:
        words: the words that count.
        number: the numbers that count, if any.
        table: the mapping that counts, if any.
    """

    words: Words
    number: Numeric | None = None
    table: Kind | None = None

    def read(self, node: Node, report: ProblemFaults) -> Any:
        """Return the value of whichever kind the node has."""
        if self.table is not None and isinstance(node, YamlMapping):
            return self.table.read(node, report)
        if self.number is not None and isinstance(node, Scalar) and self._looks_numeric(node):
            return self.number.read(node, report)
        return self.words.read(node, report)

    def schema(self) -> Schema:
        """Return the JSON Schema."""
        kinds = [kind for kind in (self.words, self.number, self.table) if kind is not None]
        return {"anyOf": [kind.schema() for kind in kinds if not isinstance(kind, Words) or kind.words]}

    @staticmethod
    def _looks_numeric(node: Scalar) -> bool:
        if isinstance(node.value, str):
            return bool(number_hint(node.text))
        return isinstance(node.value, int | float) and not isinstance(node.value, bool)


class Exact:
    """A finite number, all its digits kept."""

    def read(self, node: Node, report: ProblemFaults) -> Any:
        """Return a Decimal."""
        value = Numeric().read(node, report)
        if value is BAD:
            return BAD
        try:
            return exact_number(node.text) if isinstance(node, Scalar) else Decimal(value)
        except ValueError:  # YAML's other bases
            return Decimal(value)

    def schema(self) -> Schema:
        """Return the JSON Schema."""
        return Numeric().schema()


class PairKind(NamedTuple):
    """Two values in a list, such as ``bounds: [0, 1]``."""

    kind: Kind

    def read(self, node: Node, report: ProblemFaults) -> Any:
        """Return a list of two values."""
        if isinstance(node, Listing) and len(node.items) == 2:
            values = [self.kind.read(item, report) for item in node.items]
            return BAD if BAD in values else values
        report.add(node, f"{node} stands where a list of two is expected", "Write it as [lowest, highest]")
        return BAD

    def schema(self) -> Schema:
        """Return the JSON Schema."""
        return {"type": "array", "items": self.kind.schema(), "minItems": 2, "maxItems": 2}


class Costs:
    """A list of numbers above 0, or the word ``seconds``."""

    def read(self, node: Node, report: ProblemFaults) -> Any:
        """Return a tuple of numbers, empty for the word."""
        if isinstance(node, Scalar) and node.value == SECONDS:
            return ()
        if not isinstance(node, Listing):
            hint = f"Write one for each level, [1, 20], or {SECONDS} for what evaluations are seen to take"
            report.add(node, f"{node} stands where costs are expected", hint)
            return BAD
        values = [_COST.read(item, report) for item in node.items]
        return BAD if BAD in values else tuple(map(float, values))

    def schema(self) -> Schema:
        """Return the JSON Schema."""
        return {"anyOf": [{"const": SECONDS}, {"type": "array", "items": _COST.schema(), "minItems": 2}]}


class ColumnNames:
    """A mapping from names to what tables call their columns."""

    def read(self, node: Node, report: ProblemFaults) -> Any:
        """Return a list of (node of the name, node of the column): only the problem tells which names there are."""
        if not isinstance(node, YamlMapping):
            report.add(node, f"{node} stands where columns are expected", "Write {name: 'its column', ...}")
            return BAD
        sound = [Name().read(value, report) is not BAD for _, value in node.entries.values()]
        return list(node.entries.values()) if all(sound) else BAD

    def schema(self) -> Schema:
        """Return the JSON Schema."""
        return {"type": "object", "additionalProperties": Name().schema()}


class Expressions:
    """One expression, or a list of them."""

    def read(self, node: Node, report: ProblemFaults) -> Any:
        """Return a list of the nodes that hold them: only the parameters tell what they mean."""
        items = node.items if isinstance(node, Listing) else (node,)
        wrong = [item for item in items if not isinstance(item, Scalar) or not isinstance(item.value, str)]
        for item in wrong:
            report.add(item, f"{item} stands where an expression is expected", "Write one such as 'x + 2*y <= 25'")
        return BAD if wrong else list(items)

    def schema(self) -> Schema:
        """Return the JSON Schema."""
        return {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
