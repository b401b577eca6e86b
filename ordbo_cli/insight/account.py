"""What a step tells of itself beside the point: Section 4's figures in every step of a study, the reasons on demand.

Each is handed to :func:`~ordbo_cli.search.step.propose`, and loads what it needs when it is called.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ordbo_cli.search.step import Reached


def analysed(found: Reached) -> dict[str, Any]:
    """Return the ``analysis`` of a step (see :mod:`ordbo_cli.insight.analysis`); nothing in the initial design."""
    from ordbo_cli.insight.analysis import analysis

    if found.surrogate is None:
        return {}
    return {"analysis": analysis(found.rows, found.latent_axes, found.surrogate, found.previous)}


def explained(found: Reached) -> dict[str, Any]:
    """Return the ``analysis``, and the ``explanation`` (see :mod:`ordbo_cli.insight.explanation`)."""
    from ordbo_cli.insight.explanation import explain_choice, explain_design

    if found.chosen is None:
        return {"explanation": explain_design(found.rows, found.space, found.values)}
    reasons = explain_choice(found.chosen, found.rows, found.evaluations, found.rng, found.pool)
    return {**analysed(found), "explanation": reasons}
