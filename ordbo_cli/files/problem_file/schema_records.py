"""Mappings with known keys, and their neighbours' spellings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ordbo_cli.files.problem_file.schema_kinds import BAD, Kind, Name, PairKind, Schema
from ordbo_cli.files.problem_file.yaml_tree import Listing, Node, ProblemFaults, Scalar, YamlMapping
from ordbo_cli.files.values.numbers import same
from ordbo_cli.problem.spelling import meant, quoted, shown


class Key(NamedTuple):
    """One setting.

    Args:
        kind: what it may hold.
        meaning: one sentence for editors and documentation.
        required: whether it has to be there.
    """

    kind: Kind
    meaning: str
    required: bool = False


class Synonym(NamedTuple):
    """A spelling of neighbouring tools, translated before anything else looks at it.

    Args:
        kind: what it may hold.
        keys: the keys of ours that it stands for.
        translate: from its value to those keys' values, in order.
    """

    kind: Kind
    keys: tuple[str, ...]
    translate: Callable[[Any], tuple[Any, ...]] = lambda value: (value,)


class Setting(NamedTuple):
    """A value that was read, and where it stands."""

    value: Any
    node: Node
    spelling: str


class Settings:
    """The settings of one mapping, by key; those that were wrong hold :data:`.schema_kinds.BAD`."""

    def __init__(self, by_key: Mapping[str, Setting], node: Node) -> None:
        self.by_key = by_key
        self.node = node

    def __contains__(self, key: str) -> bool:
        return key in self.by_key

    def get(self, key: str, default: Any = None) -> Any:
        """Return a value, or the default where the key is missing or its value wrong."""
        setting = self.by_key.get(key)
        return default if setting is None or setting.value is BAD else setting.value

    def where(self, key: str) -> Node:
        """Return the node of a key's value, or the whole mapping's."""
        return self.by_key[key].node if key in self.by_key else self.node

    @property
    def sound(self) -> bool:
        """Whether no value was wrong."""
        return all(setting.value is not BAD for setting in self.by_key.values())


Alternatives = tuple[tuple[str, ...], ...]


class RecordKind(NamedTuple):
    """A mapping with known keys.

    Args:
        what: its description in messages.
        keys: the settings it may hold.
        synonyms: other spellings of them.
        one_of: alternatives of keys; the keys of one alternative have to be there.
        by_word: a key of words, and other alternatives for some of its words.
        example: what to write, where the required keys do not say enough.
        defaults: what keys are unless given, for editors and documentation; those left out are told by their meaning.
        short: the key whose word may stand in place of the mapping, if any.
    """

    what: str
    keys: Mapping[str, Key]
    synonyms: Mapping[str, Synonym] = {}
    one_of: Alternatives = ()
    by_word: tuple[str, Mapping[str, Alternatives]] = ("", {})
    example: str = ""
    defaults: Mapping[str, str | float] = {}
    short: str = ""

    def read(self, node: Node, report: ProblemFaults) -> Any:
        """Return the :class:`Settings` of a mapping."""
        if self.short and isinstance(node, Scalar) and isinstance(node.value, str):
            key = Scalar(self.short, self.short, node.line, node.column)
            node = YamlMapping({self.short: (key, node)}, node.line, node.column)
        if not isinstance(node, YamlMapping):
            report.add(node, f"{node} stands where the settings of {self.what} are expected", self._example())
            return BAD
        found: dict[str, Setting] = {}
        refused = False
        for text, (key, value) in node.entries.items():
            if text in self.keys:
                self._put(found, text, Setting(self.keys[text].kind.read(value, report), value, text), report)
            elif text in self.synonyms:
                self._translate(found, text, value, report)
            else:
                refused = True
                self._refuse(text, key, report)
        # A misspelt key explains what seems to be missing: one error for one mistake.
        if not refused:
            self._missing(found, node, report)
        return Settings(found, node)

    def schema(self) -> Schema:
        """Return the JSON Schema."""
        known = {text: {**key.kind.schema(), "description": key.meaning} for text, key in self.keys.items()}
        for text, value in self.defaults.items():
            known[text]["default"] = value
        others = {
            text: {**synonym.kind.schema(), "description": f"Another spelling of {' and '.join(synonym.keys)}."}
            for text, synonym in self.synonyms.items()
        }
        schema: Schema = {"type": "object", "properties": known | others, "additionalProperties": False}
        required = [self._present(text) for text, key in self.keys.items() if key.required]
        if self.one_of:
            required.append(self._ways())
        return {**schema, "allOf": required} if required else schema

    def _ways(self) -> Schema:
        """Return a schema that wants one of the alternatives."""

        def any_of(alternatives: Alternatives) -> Schema:
            return {"anyOf": [{"allOf": list(map(self._present, keys))} if keys else {} for keys in alternatives]}

        ways = any_of(self.one_of)
        key, by_word = self.by_word
        for word, alternatives in by_word.items():
            said = {"required": [key], "properties": {key: {"const": word}}}
            ways = {"if": said, "then": any_of(alternatives), "else": ways}
        return ways

    def _present(self, key: str) -> Schema:
        """Return a schema that wants a key in any of its spellings."""
        spellings = [key, *(text for text, synonym in self.synonyms.items() if key in synonym.keys)]
        wanted = [{"required": [text]} for text in spellings]
        return wanted[0] if len(wanted) == 1 else {"anyOf": wanted}

    def _put(self, found: dict[str, Setting], key: str, setting: Setting, report: ProblemFaults) -> None:
        before = found.get(key)
        if before is None:
            found[key] = setting
        elif before.value is not BAD and setting.value is not BAD and not _agree(before.value, setting.value):
            one, other = _in_words(before.value), _in_words(setting.value)
            message = f"{before.spelling} and {setting.spelling} disagree about {key}: {one} and {other}"
            report.add(setting.node, message, f"Keep {key}: alone")

    def _translate(self, found: dict[str, Setting], text: str, node: Node, report: ProblemFaults) -> None:
        synonym = self.synonyms[text]
        value = synonym.kind.read(node, report)
        values = (BAD,) * len(synonym.keys) if value is BAD else synonym.translate(value)
        nodes = node.items if isinstance(node, Listing) and isinstance(synonym.kind, PairKind) else ()
        nodes = nodes if len(nodes) == len(values) else (node,) * len(values)
        for key, one, where in zip(synonym.keys, values, nodes, strict=True):
            self._put(found, key, Setting(one, where, text), report)

    def _refuse(self, text: str, key: Scalar, report: ProblemFaults) -> None:
        if text == "<<":
            report.add(key, "merge keys (<<) are not read", "Write the settings out")
        else:
            report.add(key, f"the key {quoted(text)} is unknown in {self.what}", self._hint(text))

    def _hint(self, text: str) -> str:
        """Return what an unknown key was meant to be."""
        known = [*self.keys, *self.synonyms]
        first, colon, rest = text.partition(":")
        if colon and first in known:
            return f"Write {first}: {shown(rest)}, with a space after the colon"
        inner = [
            key for key, entry in self.keys.items() if isinstance(entry.kind, RecordKind) and entry.kind.knows(text)
        ]
        return f"It belongs into {inner[0]}:" if inner else meant(text, known)

    def knows(self, text: str) -> bool:
        """Return whether a key, in one of its spellings, has a place here."""
        return text in self.keys or text in self.synonyms

    def _missing(self, found: Mapping[str, Setting], node: Node, report: ProblemFaults) -> None:
        for text, key in self.keys.items():
            if key.required and text not in found:
                report.add(node, f"{self.what} has no {text}", key.meaning)
        said = found.get(self.by_word[0])
        alternatives = self.by_word[1].get(said.value, self.one_of) if said is not None else self.one_of
        if alternatives and not any(all(key in found for key in keys) for keys in alternatives):
            ways = ", ".join(" and ".join(keys) for keys in alternatives[:-1]) + f" or {' and '.join(alternatives[-1])}"
            which = f"{self.what} of type {said.value}" if said and alternatives is not self.one_of else self.what
            report.add(node, f"{which} needs {ways}", self._example(alternatives))

    def _example(self, alternatives: Alternatives = ()) -> str:
        if self.example:
            return f"Write {self.example}"
        if alternatives == (("values",), ("value",)):
            return "Write values: [first, second]"
        ways = self.one_of[0] if self.one_of else [text for text, key in self.keys.items() if key.required]
        return f"Write {{{', '.join(f'{key}: ...' for key in ways or list(self.keys)[:1])}}}"


def _agree(one: Any, other: Any) -> bool:
    scalars = isinstance(one, int | float | str) and isinstance(other, int | float | str)
    return same(one, other) if scalars else bool(one == other)


def _in_words(value: Any) -> str:
    return f"[{', '.join(map(str, value))}]" if isinstance(value, tuple) else str(value)


class Named(NamedTuple):
    """Records by name, written as a mapping or as a list whose entries have ``name:``.

    Args:
        record: of each.
        what: one of them.
        entry: what to write for one.
    """

    record: RecordKind
    what: str = "parameter"
    entry: str = "name: {min: ..., max: ...}"

    def read(self, node: Node, report: ProblemFaults) -> Any:
        """Return a list of (name, node of the name, settings)."""
        if isinstance(node, YamlMapping):
            pairs = [self._keyed(key, value, report) for key, value in node.entries.values()]
        elif isinstance(node, Listing):
            pairs = [self._named(item, report) for item in node.items]
        else:
            report.add(node, f"{node} stands where {self.what}s are expected", f"Write {self.entry}")
            return BAD
        if not pairs:
            report.add(node, f"there is no {self.what}", f"Write {self.entry}")
            return BAD
        read = [(name, key, self.record.read(value, report)) for name, key, value in pairs if value is not None]
        return [entry for entry in read if BAD not in (entry[0], entry[2])]

    def schema(self) -> Schema:
        """Return the JSON Schema."""
        record = self.record.schema()
        named = {**record, "properties": {"name": Name().schema(), **record["properties"]}}
        named["allOf"] = [*record.get("allOf", []), {"required": ["name"]}]
        short = self.record.keys[self.record.short].kind.schema() if self.record.short else None
        entry = {"anyOf": [short, record]} if short else record
        mapping = {"type": "object", "additionalProperties": entry, "minProperties": 1}
        mapping["propertyNames"] = {"minLength": 1}
        return {"anyOf": [mapping, {"type": "array", "items": named, "minItems": 1}]}

    @staticmethod
    def _keyed(key: Scalar, value: Node, report: ProblemFaults) -> tuple[Any, Node, Node | None]:
        # A key is a name as it is spelt, whatever YAML takes it for.
        return Name().read(Scalar(key.text, key.text, key.line, key.column), report), key, value

    def _named(self, item: Node, report: ProblemFaults) -> tuple[Any, Node, Node | None]:
        if not isinstance(item, YamlMapping) or "name" not in item.entries:
            report.add(item, "an entry of the list has no name", f"Write - {{name: ..., {self.entry.partition('{')[2]}")
            return BAD, item, None
        key = item.entries["name"][1]
        rest = {text: entry for text, entry in item.entries.items() if text != "name"}
        return Name().read(key, report), key, YamlMapping(rest, item.line, item.column)
