"""``--json``, which is the same word for every command that prints data."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Call = Callable[..., Any]


@pytest.mark.parametrize(
    "words",
    [("suggest", "--dry-run"), ("suggest", "--dry-run", "-n", 2), ("best",), ("predict", "--id", 3), ("export",)],
)
def test_it_is_the_format_of_that_name(ordbo: Call, results: Path, words: tuple[object, ...]) -> None:
    """Line for line what --format json prints; another format beside it is refused."""
    command, *more = words
    said = ordbo(command, results, *more, "--json")
    assert (said.status, said.out) == (0, ordbo(command, results, *more, "--format", "json").out)
    assert all(json.loads(line) for line in said.out.splitlines())
    refused = ordbo(command, results, *more, "--json", "--format", "csv")
    assert (refused.status, refused.err.splitlines()[0]) == (2, "error: --json beside --format csv")


@pytest.mark.parametrize("words", [("status", "--no-next"), ("diagnose",), ("pending", "list")])
def test_where_text_is_usual(ordbo: Call, results: Path, words: tuple[str, ...]) -> None:
    """One object, of a list one a line, and nothing else on standard output."""
    ordbo("suggest", results)
    said = ordbo(*words, results, "--json")
    assert said.status == 0
    (line,) = said.out.splitlines()
    assert isinstance(json.loads(line), dict)


def test_the_tables_of_a_benchmark(ordbo: Call, tmp_path: Path) -> None:
    """One object on one line, as everywhere."""
    words = [
        "--problems",
        "bent_cigar_2d",
        "--methods",
        "random",
        "--baseline",
        "random",
        "--seeds",
        1,
        "--iterations",
        1,
    ]
    said = ordbo("benchmark", *words, "--jobs", 1, "--output", tmp_path / "b.jsonl", "--json")
    (line,) = said.out.splitlines()
    assert set(json.loads(line)) == {"problems", "groups", "profiles", "rankings", "distortions", "methods"}
