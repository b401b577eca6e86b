"""What a step follows from, and those of its rows that the model and the cells are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from ordbo_cli.errors import UsageError
from ordbo_cli.ordinal.fit import Fit
from ordbo_cli.problem import Campaign, Comparison, Evaluation, Number, Problem
from ordbo_cli.problem.method import MOST_COMPARISONS
from ordbo_cli.problem.setting_order import NO_ORDERS, SettingOrders
from ordbo_cli.problem.several import alone, alone_in, fits_of, without_enough
from ordbo_cli.search.campaigns import Agreement, agreement_with, campaign_alone
from ordbo_cli.search.latent_axes import LatentAxes
from ordbo_cli.search.step_rows import MOST_ROWS, Rows, points_without, thinned

FITS_OF_CAMPAIGNS: Final = "campaigns"  # key of the fits of campaigns alone in that of a step


@dataclass(frozen=True)
class StepInput:
    """What the next point follows from: the same input gives the same point, in every call and on every machine.

    Args:
        problem: what is asked.
        evaluations: in order of arrival.
        pending: points asked for that have no result yet, oldest first.
        step: number of points asked for so far; the random numbers follow from the seed and it.
        fit: what the step before found (``Proposal.fit``), if it is at hand: the next fit starts from it.
        avoid: points that were given up: nothing is known of them, and they are not suggested again, noise or not.
        comparisons: of points with each other, oldest first.
        orders: of the settings of ranked parameters that have their places.
        campaigns: results of other sources; those that contradict the study's own are not heard.
        tested: whether all of these campaigns are heard, as somebody has found.
        spent: what was evaluated, or is out, below the highest level of fidelity since the last result there, in costs
            of one evaluation at the highest.
    """

    problem: Problem
    evaluations: Sequence[Evaluation] = ()
    pending: Sequence[Sequence[Number]] = ()
    step: int = 0
    fit: Mapping[str, Any] | None = None
    avoid: Sequence[Sequence[Number]] = ()
    comparisons: Sequence[Comparison] = ()
    orders: SettingOrders = NO_ORDERS
    campaigns: Sequence[Campaign] = ()
    tested: bool = False
    spent: float = 0.0

    @classmethod
    def after(
        cls,
        results: int,
        problem: Problem,
        evaluations: Sequence[Evaluation],
        orders: SettingOrders = NO_ORDERS,
        campaigns: Sequence[Campaign] = (),
    ) -> StepInput:
        """Return what followed from the first evaluations alone, with nothing out.

        Args:
            results: how many of them.
            problem, evaluations, orders, campaigns: as the class has them.

        Raises:
            UsageError: there are not so many.
        """
        if not 0 <= results <= len(evaluations):
            number = len(evaluations)
            raise UsageError(f"{results} evaluations are asked for", f"There {'is' if number == 1 else 'are'} {number}")
        return cls(problem, evaluations[:results], step=results, orders=orders, campaigns=campaigns)

    @cached_property
    def rows(self) -> Rows:
        """The rows that make the model and the cells, thinned where there are too many."""
        problem, heard = self.problem, self.heard
        share = MOST_ROWS // (2 * len(heard)) if heard else 0  # of the study's own there are as many at least
        campaigns = [
            replace(c, evaluations=tuple(thinned(without_enough(problem), c.evaluations, share))) for c in heard
        ]
        some = thinned(problem, self.evaluations, MOST_ROWS - sum(len(c.evaluations) for c in campaigns))
        newest = self.pending[-MOST_ROWS:]  # older ones are still not suggested again; only their cells count as open
        pairs = self.comparisons[-MOST_COMPARISONS:]  # the newest are about what is known to be good
        left_out, pending_left_out = len(self.evaluations) - len(some), len(self.pending) - len(newest)
        compared = points_without(pairs, self.evaluations)
        return Rows(problem, some, newest, left_out, pending_left_out, pairs, compared, campaigns)

    @cached_property
    def latent_axes(self) -> LatentAxes:
        """The axes of the latent space."""
        return self.rows.latent_axes

    @cached_property
    def previous(self) -> Fit | None:
        """The fit of the step before; None where there is none that this model could start from."""
        return Fit.from_dict(self.fit or {}, self.latent_axes.dimension)

    @property
    def known(self) -> list[Sequence[Number]]:
        """Points of which something is known: evaluated in order of arrival, then compared."""
        return [*(e.values for e in self.evaluations), *points_without(self.comparisons, self.evaluations)]

    @property
    def each(self) -> list[StepInput]:
        """The same of each of several objectives alone, of the rows that the model sees."""
        problem, fits = self.problem, fits_of(self.fit)
        return [
            replace(
                self,
                problem=alone(problem, k),
                evaluations=tuple(alone_in(problem, e, k) for e in self.rows.evaluations),
                fit=fits[k] if k < len(fits) else None,
                comparisons=(),
                campaigns=[campaign_alone(problem, each, k) for each in self.rows.campaigns],
                tested=True,
            )
            for k in range(len(problem.goals))
        ]

    @cached_property
    def agreements(self) -> tuple[Agreement, ...]:
        """What the study's own results say of each campaign; none where that is settled."""
        if self.tested:
            return ()
        known = (self.fit or {}).get(FITS_OF_CAMPAIGNS)
        fits = known if isinstance(known, Mapping) else {}
        return tuple(
            agreement_with(self.problem, self.evaluations, each, _fits(fits.get(each.name))) for each in self.campaigns
        )

    @property
    def heard(self) -> Sequence[Campaign]:
        """The campaigns that the model is fitted to, too."""
        if self.tested:
            return self.campaigns
        return [c for c, found in zip(self.campaigns, self.agreements, strict=True) if found.is_heard]

    def with_campaigns_tested(self) -> StepInput:
        """Return it with the campaigns that are heard, once and for all."""
        return replace(self, campaigns=self.heard, tested=True)

    def settled(self) -> StepInput:
        """Return it without what is pending: that counts as observed where a point is chosen, but nothing is known."""
        return replace(self, pending=()) if self.pending else self


def _fits(known: Any) -> list[Mapping[str, Any] | None]:
    """Return the fits of a campaign alone that a step's fit holds, whatever stands there."""
    return [each if isinstance(each, Mapping) else None for each in known] if isinstance(known, list) else []
