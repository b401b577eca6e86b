"""How values show themselves: in a line, with what there is to say and no more."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

_MOST: Final = 8


class Brief:
    """A dataclass (``repr=False``) that shows the fields that say something: those that are not as always."""

    __slots__ = ()

    def __repr__(self) -> str:
        told = ", ".join(f"{name}={_shown(value)}" for name, value in self._told())
        return f"{type(self).__name__}({told})"

    def _told(self) -> Iterator[tuple[str, object]]:
        for each in dataclasses.fields(self):  # type: ignore[arg-type]  # all of its kinds are dataclasses
            value = getattr(self, each.name)
            usual = each.default if each.default_factory is dataclasses.MISSING else each.default_factory()
            if each.repr and (usual is dataclasses.MISSING or value != usual):
                yield each.name, value


def _shown(value: object) -> str:
    """Return a value as people write it: an exact decimal as a number, a float in six digits, of many values some."""
    if isinstance(value, tuple) and len(value) > _MOST:
        return f"({', '.join(map(_shown, value[:_MOST]))}, ... {len(value) - _MOST} more)"
    if isinstance(value, float):
        return f"{value:.6g}"
    return str(value) if isinstance(value, Decimal) else repr(value)
