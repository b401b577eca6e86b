"""How a call of a study returns several answers, and what people should know beside them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeVar

from ordbo_cli.problem import Suggestion

if TYPE_CHECKING:
    from typing_extensions import Self

    from ordbo_cli.study.reporting.views import Chosen

_T = TypeVar("_T")


class Unseen(str):
    """A warning that the model does not see all there is; who asks again and again need not hear it each time."""


class Answers(tuple[_T, ...]):
    """What a call answers, one item after the other.

    Args:
        items: the answers.
        warnings: what people should know beside them.
    """

    warnings: tuple[str, ...]

    def __new__(cls, items: Iterable[_T] = (), warnings: Iterable[str] = ()) -> Self:
        """Return the answers with the warnings."""
        answers = super().__new__(cls, items)
        answers.warnings = tuple(warnings)
        return answers


class Asked(Answers[Suggestion]):
    """Points that were asked for.

    Args:
        items, warnings: as :class:`Answers` has them.
        chosen: how each of the points was chosen.
    """

    chosen: tuple[Chosen, ...]

    def __new__(cls, items: Iterable[Suggestion], warnings: Iterable[str], chosen: Iterable[Chosen]) -> Self:
        """Return the points with what there is to say on them."""
        asked = super().__new__(cls, items, warnings)
        asked.chosen = tuple(chosen)
        return asked
