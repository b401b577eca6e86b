"""Results of other sources: how far they are believed, and what the search makes of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest
from scipy.stats import kendalltau

from ordbo_cli.ordinal import fitting
from ordbo_cli.problem import Aim, Campaign, Evaluation, Number, Parameter, Problem
from ordbo_cli.problem.method import PRESETS
from ordbo_cli.search import campaigns as tested
from ordbo_cli.search.campaigns import FEWEST, agreement_with
from ordbo_cli.search.prediction import predict
from ordbo_cli.search.step import propose
from ordbo_cli.search.step_input import FITS_OF_CAMPAIGNS, StepInput
from ordbo_cli.search.step_rows import MOST_ROWS
from ordbo_cli.search.surrogate import fit_surrogate

METHOD = replace(PRESETS["default"], initial=5)
PLANE = Problem((Parameter("x", 0.0, 1.0), Parameter("y", 0.0, 1.0)), method=METHOD)
Function = Callable[[Sequence[Number]], float]


def bowl(x: Sequence[Number]) -> float:
    """A bowl whose lowest point is (0.7, 0.2)."""
    return (float(x[0]) - 0.7) ** 2 + (float(x[1]) - 0.2) ** 2


def rows(function: Function, number: int, seed: int, dimension: int = 2) -> list[Evaluation]:
    """Return results at random points."""
    X = np.random.default_rng(seed).random((number, dimension)).tolist()
    return [Evaluation(tuple(x), Decimal(repr(function(x)))) for x in X]


def study(function: Function, own: int = 5, other: int = 20, problem: Problem = PLANE) -> StepInput:
    """Return results of the bowl, and a campaign of a function."""
    D = len(problem.free)
    campaign = Campaign("old", tuple(rows(function, other, 1, D)))
    return StepInput(problem, rows(bowl, own, 2, D), step=own, campaigns=[campaign])


def test_a_campaign_leads_where_the_studys_results_bear_it_out() -> None:
    """With three results of its own a study goes to where the campaign was best, whatever its values mean."""
    given = study(lambda x: float(np.exp(40.0 * bowl(x)) - 5.0), own=3, other=40)
    assert given.agreements[0].is_heard
    found = propose(given).values
    assert bowl(found) < 0.02
    assert bowl(propose(replace(given, campaigns=())).values) > 0.05


@pytest.mark.parametrize("own", [3, 5, 9])
def test_a_campaign_that_contradicts_is_left_out(own: int) -> None:
    """The step is then, to the bit, the one without it; the design goes on as if it were not there."""
    given = study(lambda x: -bowl(x), own=own)
    assert not given.agreements[0].is_heard
    assert not given.rows.campaigns
    alone, beside = propose(replace(given, campaigns=())), propose(given)
    assert beside.values == alone.values
    assert beside.record == alone.record


def test_tau_is_kendalls() -> None:
    """Of what the campaign's own model expects at the study's points, and their results."""
    given = study(lambda x: bowl(x) + 0.2 * float(np.sin(9.0 * float(x[0]))), own=12)
    expected = predict(replace(given, evaluations=given.campaigns[0].evaluations, campaigns=()), given.known)
    tau = kendalltau([each.mean for each in expected], [each.objective for each in given.evaluations]).statistic
    assert given.agreements[0].tau == pytest.approx(tau, abs=1e-12)


def test_fewer_than_three_results_tell_nothing() -> None:
    """Neither do results that are all but alike: no campaign is heard before it was tested."""
    for own in range(FEWEST):
        found = study(bowl, own=own).agreements[0]
        assert (found.tau, found.is_heard, found.results) == (None, False, own)
    given = study(bowl, own=8)
    tied = [replace(each, objective=Decimal(int(k == 0))) for k, each in enumerate(given.evaluations)]
    assert replace(given, evaluations=tied).agreements[0].is_heard == (given.agreements[0].tau == 1.0)
    assert not replace(given, evaluations=[replace(each, objective=None) for each in tied]).agreements[0].is_heard


def test_the_design_of_a_study_with_a_campaign_stops_at_three() -> None:
    """These can speak for the campaign; where they do not, the whole design comes."""
    for function, kind in ((bowl, "acquire"), (lambda x: -bowl(x), "initial")):
        given = StepInput(PLANE, campaigns=study(function).campaigns)
        for step in range(FEWEST):
            proposal = propose(replace(given, step=step))
            assert proposal.record.kind == "initial"
            given = replace(given, evaluations=[*given.evaluations, rows_at(proposal.values)])
        assert propose(replace(given, step=FEWEST)).record.kind == kind


def rows_at(values: Sequence[Number]) -> Evaluation:
    """Return the bowl's result at a point."""
    return Evaluation(tuple(values), Decimal(repr(bowl(values))))


def test_what_spoke_for_a_campaign_once_is_not_asked_of_every_result() -> None:
    """It is heard on from a tau that would not make it heard; what was never heard needs more later than at first."""
    sd = 0.2

    def heard(*taus: float | None) -> bool:
        return tested._is_heard([None if tau is None else tested._Tau(tau * sd, sd) for tau in taus])

    assert heard(1.3)
    assert not heard(1.2)
    assert heard(1.3, 0.7)
    assert not heard(1.3, 0.6)
    assert heard(1.3, None)  # which tells nothing
    assert heard(0.0, 0.0, 1.3)  # of five
    assert not heard(0.0, 0.0, 0.0, 1.9)
    assert heard(0.0, 0.0, 0.0, 2.1)


def test_how_far_a_campaign_departs_is_learnt() -> None:
    """The axis of one that departs more is longer; the study's own results lie at its near end."""
    near, far = (
        fit_surrogate(replace(study(function, own=14, other=30), tested=True)).fit
        for function in (bowl, lambda x: bowl([x[1], x[0]]))
    )
    assert far.coordinates[-1][-1] > 3.0 * near.coordinates[-1][-1]
    assert set(near.data.inputs[near.point, -1]) == {0.0}
    assert set(near.data.inputs[near.others[0].scale.point, -1]) == {1.0}


def test_a_point_of_a_campaign_may_be_evaluated_again() -> None:
    """Its result there is none of the study's: of four points of a grid that were all in it, all four come."""
    grid = Problem((Parameter("n", 0.0, 3.0, type="int"),), method=replace(METHOD, initial=3))
    old = Campaign("old", tuple(Evaluation((k,), Decimal(k)) for k in range(4)))
    given = StepInput(grid, campaigns=[old])
    for step in range(4):
        values = propose(replace(given, step=step)).values
        given = replace(given, evaluations=[*given.evaluations, Evaluation(values, Decimal(int(values[0])))])
    assert sorted(each.values[0] for each in given.evaluations) == [0, 1, 2, 3]


def test_campaigns_of_every_kind_of_study() -> None:
    """Levels, limits of the box, failures, batches and several campaigns: a step comes, inside the bounds and new."""
    problem = Problem(
        (
            Parameter("x", 0.0, 1.0),
            Parameter("n", 1.0, 8.0, type="int"),
            Parameter("alloy", 0.0, 2.0, type="categorical", levels=("steel", "brass", "zinc")),
        ),
        method=METHOD,
    )

    def value(x: Sequence[Number]) -> float:
        return (float(x[0]) - 0.3) ** 2 + 0.1 * abs(int(x[1]) - 5) + 0.5 * int(x[2])

    rng = np.random.default_rng(4)
    points = [(float(rng.uniform(-0.5, 1.5)), int(rng.integers(-2, 12)), int(rng.integers(3))) for _ in range(40)]
    old = [Evaluation(x, None if k % 7 == 0 else Decimal(repr(value(x)))) for k, x in enumerate(points)]
    campaigns = [Campaign("a", tuple(old[:25])), Campaign("b", tuple(old[25:]))]
    own = [Evaluation(x, Decimal(repr(value(x)))) for x in points if problem.is_inside(x)][:6]
    given = StepInput(problem, own, pending=[(0.9, 2, 1)], step=7, campaigns=campaigns, tested=True)
    found = propose(given).values
    assert problem.is_inside(found)
    assert found not in {e.values for e in own}
    assert predict(given, [found])[0].rank >= 1.0


def test_campaigns_with_several_objectives() -> None:
    """Each is learnt with the others' order, and a step by one trade takes the campaign's results along it, too."""
    problem = replace(PLANE, objective="drag", outcomes=(Aim("lift", goal="maximize"),))

    def both(results: list[Evaluation]) -> tuple[Evaluation, ...]:
        return tuple(replace(e, outcomes=(Decimal(repr(-bowl([1.0 - float(v) for v in e.values]))),)) for e in results)

    campaign = Campaign("old", both(rows(lambda x: float(np.exp(bowl(x))), 20, 1)))
    for own in (6, 7):  # by one trade, and by all
        given = StepInput(problem, both(rows(bowl, own, 2)), step=own, campaigns=[campaign])
        assert given.agreements[0].tau is not None
        assert given.agreements[0].tau > 0.7
        assert len(given.agreements[0].fits) == 2
        assert propose(given).values != propose(replace(given, campaigns=())).values


def test_large_campaigns_are_thinned() -> None:
    """The study's own rows keep half of what the model sees, at least."""
    given = study(bowl, own=4, other=700)
    two = replace(given, campaigns=[*given.campaigns, replace(given.campaigns[0], name="b")], tested=True)
    assert [len(each.evaluations) for each in two.rows.campaigns] == [MOST_ROWS // 4] * 2
    assert len(replace(given, tested=True).rows.campaigns[0].evaluations) == MOST_ROWS // 2


def test_the_fit_of_a_campaign_is_not_made_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """It stands in the step's fit, and is the same as long as the campaign is."""
    given = study(bowl)
    proposal = propose(given)
    assert proposal.fit is not None
    fits = proposal.fit[FITS_OF_CAMPAIGNS]["old"]

    def never(*_: object) -> None:
        raise AssertionError("a model was fitted")

    monkeypatch.setattr(fitting, "make_engine", never)
    again = agreement_with(given.problem, given.evaluations, given.campaigns[0], fits)
    assert again.tau == given.agreements[0].tau
    with pytest.raises(AssertionError, match="a model was fitted"):
        agreement_with(given.problem, given.evaluations, given.campaigns[0], [None])


@pytest.mark.parametrize("broken", [None, 3, {"old": 3}, {"old": [3]}, {"old": [{}]}, {"old": {}}, []])
def test_whatever_stands_in_a_state_in_place_of_fits(broken: object) -> None:
    """A campaign is fitted anew."""
    given = study(bowl)
    assert replace(given, fit={FITS_OF_CAMPAIGNS: broken}).agreements[0].tau == given.agreements[0].tau


def test_what_is_good_enough_is_said_of_the_studys_own_results() -> None:
    """A campaign has a scale of its own: moved past what is enough, its results say the same."""
    problem = replace(PLANE, enough=Decimal("0.05"))
    given = study(bowl, own=5, other=12, problem=problem)
    (campaign,) = given.campaigns
    far = tuple(replace(e, objective=(e.objective or Decimal(0)) - 9) for e in campaign.evaluations)
    moved = replace(given, campaigns=[replace(campaign, evaluations=far)])
    assert moved.agreements[0].tau == given.agreements[0].tau
    assert propose(moved).values == propose(given).values
