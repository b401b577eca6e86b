"""Lists of the problem file's keys, from the JSON Schema that ``ordbo schema`` prints."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from ordbo_cli.files.problem_file.schema import json_schema

Schema = dict[str, Any]

_KINDS: Final = {
    "number": "a number",
    "integer": "a whole number",
    "string": "text",
    "boolean": "`true` or `false`",
    "array": "a list",
    "object": "a mapping",
}


def keys(name: str) -> str:
    """Return the keys of one mapping as a list of definitions: what each may hold, its default, its meaning.

    Args:
        name: ``problem``, or the key that holds the mapping.
    """
    mapping = mappings()[name]
    known = {key: each for key, each in mapping["properties"].items() if not _is_other_spelling(each)}
    wanted = {
        key for ways in mapping.get("allOf", []) for way in ways.get("anyOf", [ways]) for key in way.get("required", [])
    }
    lines = [
        f"[`{key}`]{{#{name}-{key}}}: {_holds(each)}{'; required' if key in wanted else _default(each)}\n"
        f": {each['description']}\n"
        for key, each in known.items()
    ]
    return "\n".join([*lines, *_other_spellings(mapping)])


@cache
def mappings() -> dict[str, Schema]:
    """Return every mapping with known keys that a problem file may hold, by the key that holds it."""
    return {"problem": json_schema(), **dict(_inner(json_schema()))}


def _inner(schema: Schema) -> Iterator[tuple[str, Schema]]:
    for key, each in schema["properties"].items():
        for way in (each, *each.get("anyOf", [])):
            inner = way if "properties" in way else way.get("additionalProperties")
            ways = [inner, *inner.get("anyOf", [])] if isinstance(inner, dict) else []
            if record := next((each for each in ways if "properties" in each), None):
                yield key, record
                yield from _inner(record)
                break


def _is_other_spelling(schema: Schema) -> bool:
    return str(schema.get("description", "")).startswith("Another spelling of ")


def _other_spellings(mapping: Schema) -> list[str]:
    others = [
        f"`{key}` for {each['description'].removeprefix('Another spelling of ').removesuffix('.')}"
        for key, each in mapping["properties"].items()
        if _is_other_spelling(each)
    ]
    return [f"\nWords of other tools are read, too: {', '.join(others)}.\n"] if others else []


def _default(schema: Schema) -> str:
    return f"; `{json.dumps(schema['default']).strip(chr(34))}` unless given" if "default" in schema else ""


def _holds(schema: Schema) -> str:
    """Return in words what a value may be."""
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(_holds(way) for way in schema["anyOf"]))
    if "enum" in schema or "const" in schema:
        return ", ".join(f"`{json.dumps(word).strip(chr(34))}`" for word in schema.get("enum", [schema.get("const")]))
    kinds = schema["type"]
    if isinstance(kinds, list):
        return "a word or a number" if "number" in kinds else "a word"
    return _KINDS[kinds] + _range(schema)


def _range(schema: Schema) -> str:
    least, most, above = (schema.get(key) for key in ("minimum", "maximum", "exclusiveMinimum"))
    if least is not None and least == most:
        return f": {least}"
    low = f" from {least}" if least is not None else f" above {above}" if above is not None else ""
    return low + (f" to {most:,}" if most is not None else "")
