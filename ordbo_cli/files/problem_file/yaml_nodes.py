"""From a YAML file to its tree of nodes.

PyYAML parses; its constructors are never used, so no tag can build an object, and scalars mean what YAML 1.2 says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import yaml

from ordbo_cli.files.problem_file.yaml_tree import Listing, Node, ProblemFaults, Refused, Scalar, YamlMapping
from ordbo_cli.files.tables.dialect import Undecodable, decoded
from ordbo_cli.files.values.numbers import yaml_value
from ordbo_cli.problem.spelling import line_and_column, quoted, shown

LARGEST_FILE: Final = 256 * 1024
MOST_NODES: Final = 50_000
DEEPEST: Final = 20
_PLAIN: Final = "plain"
_CORE: Final = "tag:yaml.org,2002:"


class _TooDeep(yaml.MarkedYAMLError):
    """The file is nested in more levels than are read."""


class _Loader(yaml.SafeLoader):
    """A loader that tells a plain scalar from one with a tag or in quotation marks, and goes down so far only."""

    depth = -1

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        self.depth += 1
        if self.depth > DEEPEST:  # PyYAML's time grows with the square of the depth
            event = self.peek_event()  # type: ignore[no-untyped-call]  # PyYAML's stubs leave it without types
            raise _TooDeep(problem_mark=event.start_mark)
        node = super().compose_node(parent, index)
        self.depth -= 1
        return node

    def resolve(self, kind: type[yaml.Node], value: Any, implicit: Any) -> str:
        if kind is yaml.ScalarNode and implicit[0]:
            return _PLAIN
        default = {yaml.ScalarNode: "str", yaml.SequenceNode: "seq", yaml.MappingNode: "map"}[kind]
        return _CORE + default


def parse(content: bytes, report: ProblemFaults) -> Node | None:
    """Return the tree of a YAML document, or None where there is none; errors go to the report."""
    text = _decoded(content, report)
    if text is None:
        return None
    loader = None
    try:
        loader = _Loader(text)
        root = loader.get_single_node()
    except yaml.reader.ReaderError as error:
        line, column = line_and_column(text, error.position)
        report.at(line, column, f"the character U+{ord(text[error.position]):04X} is not allowed", "Delete it")
        return None
    except yaml.MarkedYAMLError as error:
        _syntax_error(error, text, report)
        return None
    except (ValueError, OverflowError):  # PyYAML lets chr() and int() fail
        line, column = (loader.line + 1, loader.column + 1) if loader is not None else (1, 1)
        report.at(line, column, r"a number after \U or %YAML is too large", "Write the character itself")
        return None
    finally:
        if loader is not None:
            loader.dispose()
    if root is None:
        report.at(1, 1, "the file is empty", "'ordbo init' writes one to start from")
        return None
    walk = _YamlWalk(report)
    tree = walk.node(root, 0)
    return None if walk.overflown else tree


def _decoded(content: bytes, report: ProblemFaults) -> str | None:
    if len(content) > LARGEST_FILE:
        report.at(1, 1, f"the file is larger than {LARGEST_FILE // 1024} KiB", "Is it a problem file?")
        return None
    try:
        return decoded(content)
    except Undecodable as error:
        report.at(error.line, error.column, error.message, error.hint)
        return None


def _syntax_error(error: yaml.MarkedYAMLError, text: str, report: ProblemFaults) -> None:
    mark = error.problem_mark or error.context_mark
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    if isinstance(error, _TooDeep):
        report.at(line, column, "this is nested too deeply", f"At most {DEEPEST} levels are read")
        return
    lines = re.split(r"\r\n|\r|\n", text)
    indentation = re.match(r"\s*", lines[line - 1] if line <= len(lines) else "")
    if indentation and "\t" in indentation[0]:
        report.at(line, indentation[0].index("\t") + 1, "a tab indents this line", "YAML wants spaces there")
        return
    if (error.problem or "").startswith("found character '\\t'"):
        report.at(line, column, "a tab stands here", "Write spaces instead")
        return
    if error.problem and "single document" in str(error.context or ""):
        report.at(line, column, "a second document starts here", "Keep one document in a file")
        return
    said = "; ".join(shown(part) for part in (error.context, error.problem) if part)
    report.at(line, column, f"this is not YAML: {said}", "Check quotation marks, brackets and indentation nearby")


def _quote(node: yaml.ScalarNode) -> str | None:
    """Return the sign around a scalar's text, where this stands in one line of the file as it is (but for '')."""
    quote = node.style or ""
    length = len(node.value) + 2 * len(quote) + (node.value.count("'") if quote == "'" else 0)
    one_line = node.start_mark.line == node.end_mark.line
    as_it_is = one_line and node.end_mark.column - node.start_mark.column == length
    return quote if as_it_is and quote in ("", "'", '"') else None


class _YamlWalk:
    """Turns PyYAML's nodes into ours, within bounds: an alias is walked each time that it is used."""

    def __init__(self, report: ProblemFaults) -> None:
        self.report = report
        self.seen = 0
        self.overflown = False

    def node(self, node: yaml.Node, depth: int) -> Node:
        self.seen += 1
        line, column = node.start_mark.line + 1, node.start_mark.column + 1
        if self.overflown:
            return Refused(line, column)
        if depth > DEEPEST or self.seen > MOST_NODES:
            bound = f"{DEEPEST} levels" if depth > DEEPEST else f"{MOST_NODES} values"
            self.report.at(line, column, f"the file unfolds to more than {bound}", "Use fewer anchors and aliases")
            self.overflown = True
            return Refused(line, column)
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node, line, column)
        if isinstance(node, yaml.MappingNode) and node.tag == _CORE + "map":
            return YamlMapping(dict(self._entries(node, depth)), line, column)
        if isinstance(node, yaml.SequenceNode) and node.tag == _CORE + "seq":
            return Listing(tuple(self.node(item, depth + 1) for item in node.value), line, column)
        return self._refused_tag(node, line, column)

    def _scalar(self, node: yaml.ScalarNode, line: int, column: int) -> Node:
        text = str(node.value)
        if node.tag == _PLAIN:
            return Scalar(text, yaml_value(text), line, column, _quote(node))
        if node.tag == _CORE + "str":
            return Scalar(text, text, line, column, _quote(node))
        return self._refused_tag(node, line, column)

    def _refused_tag(self, node: yaml.Node, line: int, column: int) -> Refused:
        tag = node.tag.replace(_CORE, "!!")
        self.report.at(line, column, f"the tag {shown(tag)} is refused", "A problem file holds plain values only")
        return Refused(line, column)

    def _entries(self, node: yaml.MappingNode, depth: int) -> Iterator[tuple[str, tuple[Scalar, Node]]]:
        first: dict[str, int] = {}
        for key_node, value_node in node.value:
            key = self.node(key_node, depth + 1)
            value = self.node(value_node, depth + 1)
            if not isinstance(key, Scalar):
                self.report.add(key, f"{key} stands where a name is expected", "Write name: value")
            elif key.text in first:
                hint = f"It stands in line {first[key.text]} too: keep one of the two"
                self.report.add(key, f"the key {quoted(key.text)} is repeated", hint)
            else:
                first[key.text] = key.line
                yield key.text, (key, value)
