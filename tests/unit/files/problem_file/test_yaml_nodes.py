"""YAML as a tree with places."""

from __future__ import annotations

import pytest

from ordbo_cli.files.problem_file.yaml_nodes import LARGEST_FILE, parse
from ordbo_cli.files.problem_file.yaml_tree import Listing, ProblemFaults, Scalar, YamlMapping


def errors_of(content: str | bytes) -> list[str]:
    report = ProblemFaults("p.yaml")
    parse(content.encode() if isinstance(content, str) else content, report)
    return [str(error) for error in report.errors]


def test_nodes_know_their_place() -> None:
    """Lines and columns count from 1, keys and values both."""
    node = parse(b"a:\n  b: [1, 'x']\n", ProblemFaults("p.yaml"))
    assert isinstance(node, YamlMapping)
    inner = node.entries["a"][1]
    assert isinstance(inner, YamlMapping)
    key, items = inner.entries["b"]
    assert (key.line, key.column) == (2, 3)
    assert isinstance(items, Listing)
    assert items.items == (Scalar("1", 1, 2, 7, ""), Scalar("x", "x", 2, 10, "'"))


def test_quoted_numbers_are_text() -> None:
    """Quotation marks and !!str make text of what looks like a number or a truth value."""
    node = parse(b"['1', \"true\", !!str 2]", ProblemFaults("p.yaml"))
    assert isinstance(node, Listing)
    assert [item.value for item in node.items if isinstance(item, Scalar)] == ["1", "true", "2"]


@pytest.mark.parametrize(
    ("content", "place", "words"),
    [
        ("a: 1\nb: 2\na: 3\n", "p.yaml:3:1", "the key 'a' is repeated"),
        ("a:\n\tb: 1\n", "p.yaml:2:1", "a tab indents this line"),
        ("a: [1, 2\nb: 3\n", "p.yaml:2:", "this is not YAML"),
        ("a: !!python/object/apply:os.system ['true']\n", "p.yaml:1:4", "is refused"),
        ("a: !!timestamp 2026-01-01\n", "p.yaml:1:4", "!!timestamp is refused"),
        ("a: !own 3\n", "p.yaml:1:4", "!own is refused"),
        ("a: 1\n---\nb: 2\n", "p.yaml:2:1", "a second document"),
        ("a: \x07\n", "p.yaml:1:4", "U+0007 is not allowed"),
        (b"a: 1\nb: \xff\n", "p.yaml:2:4", "not UTF-8"),
        ("", "p.yaml:1:1", "the file is empty"),
        ("# only a comment\n", "p.yaml:1:1", "the file is empty"),
        ("? [a, b]\n: 1\n", "p.yaml:1:3", "a name is expected"),
        ("[" * 5000, "p.yaml:1:22", "nested too deeply. At most 20 levels are read"),
        ("[" * 50 + "]" * 50, "p.yaml:1:22", "nested too deeply"),
        ("- " * 5000, "p.yaml:1:43", "nested too deeply"),
        ("? " * 5000, "p.yaml:1:43", "nested too deeply"),
        ("x" * (LARGEST_FILE + 1), "p.yaml:1:1", "larger than"),
        ("a: *nowhere\n", "p.yaml:1:4", "this is not YAML"),
        ('a:\n  "\\U0057ffff"\n', "p.yaml:2:6", r"a number after \U or %YAML is too large"),
        ('a: "\\Uffffffff"\n', "p.yaml:1:7", "is too large"),
        (f"%YAML {'1' * 5000}.1\n---\na: 1\n", "p.yaml:1:", "is too large"),
    ],
)
def test_faults_are_told_with_their_place(content: str | bytes, place: str, words: str) -> None:
    """Each kind of broken file gives one error, at the right place, in words."""
    (error,) = errors_of(content)
    assert error.startswith(place)
    assert words in error


def test_twenty_levels_are_read() -> None:
    """The limit is what its error says."""
    assert errors_of("[" * 20 + "x" + "]" * 20) == []
    assert errors_of("[" * 21 + "x" + "]" * 21) == [
        "p.yaml:1:22: this is nested too deeply. At most 20 levels are read"
    ]


def test_an_anchor_bomb_is_bounded() -> None:
    """A kilobyte that unfolds to billions of values is refused, once."""
    bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    bomb += "".join(f"a{k}: &a{k} [{', '.join([f'*a{k - 1}'] * 10)}]\n" for k in range(1, 12))
    (error,) = errors_of(bomb)
    assert "unfolds to more than 50000 values" in error


def test_an_alias_to_itself_is_bounded() -> None:
    """A value that holds itself ends at the depth limit."""
    (error,) = errors_of("a: &a [*a]\n")
    assert "more than 20 levels" in error


def test_a_byte_order_mark_is_passed_over() -> None:
    """Windows editors write one."""
    report = ProblemFaults("p.yaml")
    node = parse(b"\xef\xbb\xbfa: 1\n", report)
    assert isinstance(node, YamlMapping)
    assert not report.errors


def test_a_refused_value_keeps_its_place() -> None:
    """It is told once, and whoever reads on neither misses it nor finds fault with it again."""
    report = ProblemFaults("p.yaml")
    node = parse(b"a: !!float 1\nb: 2\n", report)
    assert isinstance(node, YamlMapping)
    assert list(node.entries) == ["a", "b"]
    report.add(node.entries["a"][1], "wrong again")
    assert len(report.errors) == 1


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_named(encoding: str) -> None:
    """Windows tools write it, with a byte-order mark or without; the error says what it is."""
    assert errors_of("objective: 1\n".encode(encoding)) == ["p.yaml:1:1: the file is UTF-16 text. Save it as UTF-8"]
