"""The presets and the settings that are refused."""

from __future__ import annotations

import math
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from ordbo_cli.errors import ProblemError
from ordbo_cli.problem.method import PRESETS, GapPrior, Method

SETTINGS = (Path(__file__).parents[3] / "docs" / "reference" / "settings.md").read_text(encoding="utf-8")


def test_presets_carry_their_names() -> None:
    """Each preset says which one it is, and there are the three that the documentation lists."""
    assert {name: method.preset for name, method in PRESETS.items()} == {
        "default": "default",
        "metric-free": "metric-free",
        "paper": "paper",
    }


def test_the_paper_preset_is_what_the_paper_runs() -> None:
    """Section 5: LCB with beta 3 on the tree partition, points drawn at random, free gaps, Matern 3/2, Adam."""
    paper = PRESETS["paper"]
    assert (paper.acquisition, paper.beta, paper.partition, paper.placement) == ("lcb", 3.0, "tree", "random")
    assert (paper.prior, paper.kernel, paper.posterior, paper.optimizer) == (None, "matern32", "diagonal", "adam")
    assert (paper.iterations, paper.rate, paper.start) == (20, 0.05, "scores")  # ours: the paper gives none


def test_metric_free_chooses_cells_without_distances() -> None:
    """The metric-free preset takes its centre from the order of arrival; distances matter inside a cell alone."""
    method = PRESETS["metric-free"]
    assert method.prior is not None
    assert (method.prior.centre, method.placement) == ("inherited", "interpolate")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"acquisition": "ucb"}, "acquisition is 'ucb'. It has to be one of lcb, thompson, ei"),
        ({"partition": "grid"}, "partition is 'grid'"),
        ({"placement": "centre"}, "placement is 'centre'"),
        ({"kernel": "linear"}, "kernel is 'linear'"),
        ({"posterior": "exact"}, "posterior is 'exact'"),
        ({"optimizer": "sgd"}, "optimizer is 'sgd'"),
        ({"engine": "jax"}, "engine is 'jax'"),
        ({"margin": 0.6}, "margin is 0.6. It has to be at least 0 and at most 0.5"),
        ({"margin": -0.1}, "margin is -0.1"),
        ({"beta": math.nan}, "beta is nan"),
        ({"beta": math.inf}, "beta is inf"),
        ({"initial": 1}, "initial is 1. It has to be at least 2"),
        (
            {"drift": 1.0, "warm": False},
            "drift bounds the movement since the fit before. Leave out warm: false, or drift",
        ),
        ({"initial": 0, "corners": False}, "initial is 0. It has to be at least 1"),
        ({"initial": 10**9}, "at least 2 and at most 1000"),
        ({"samples": 0}, "samples is 0"),
        ({"samples": 10**9}, "at least 1 and at most 100000"),
        ({"explore_every": -1}, "explore_every is -1"),
        ({"drift": 0}, "drift is 0. It has to be above 0"),
        ({"iterations": 0}, "iterations is 0"),
        ({"rate": 0}, "rate is 0. It has to be above 0 and at most 1"),
        ({"rate": 1.5}, "rate is 1.5"),
        ({"start": "random"}, "start is 'random'. It has to be one of scores, distances, ranks, flat"),
        ({"iterations": 10**9}, "at least 1 and at most 1e+06"),
    ],
)
def test_impossible_settings_are_refused(change: dict[str, Any], words: str) -> None:
    """Each setting out of range is refused by name, with the values that would do."""
    with pytest.raises(ProblemError) as caught:
        Method(**change)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"centre": "metric"}, "prior centre is 'metric'"),
        ({"centre": 1.5}, "prior centre is 1.5"),
        ({"length": 0}, "prior length is 0"),
        ({"spread": 0}, "prior spread is 0"),
        ({"shift": -1}, "prior shift is -1"),
    ],
)
def test_impossible_priors_are_refused(change: dict[str, Any], words: str) -> None:
    """Each part of the prior out of range is refused by name."""
    with pytest.raises(ProblemError) as caught:
        GapPrior(**change)
    assert words in str(caught.value)


@pytest.mark.parametrize(("dimension", "rows"), [(1, 5), (2, 5), (3, 5), (4, 6), (10, 12)])
def test_the_initial_design_grows_from_four_parameters_on(dimension: int, rows: int) -> None:
    """Five rows up to D = 3, then D + 2; a given number stands whatever D is."""
    assert Method().initial_rows(dimension) == rows
    assert Method(initial=7).initial_rows(dimension) == 7


@pytest.mark.parametrize(("dimension", "length"), [(2, 5.0), (8, 2.5)])
def test_the_latent_length_shrinks_with_the_dimension(dimension: int, length: float) -> None:
    """T is 5 sqrt(2 / D) unless given."""
    assert GapPrior().latent_length(dimension) == pytest.approx(length)
    assert GapPrior(length=3.0).latent_length(dimension) == 3.0


def test_the_page_of_settings_names_every_one() -> None:
    """The table of presets has a row for each field of the method and of the prior."""
    table = "\n".join(line for line in SETTINGS.splitlines() if line.startswith("| "))
    names = {field.name for cls in (Method, GapPrior) for field in fields(cls)} - {"preset"}
    assert [name for name in sorted(names) if f"`{name}`" not in table] == []


@pytest.mark.parametrize("setting", ["placement", "acquisition", "beta", "partition", "kernel", "posterior", "engine"])
def test_the_page_of_settings_has_the_values_of_the_presets(setting: str) -> None:
    """A row of the table of presets has each preset's value in the preset's column."""
    assert row_of(setting) == [f"{getattr(method, setting)}".removesuffix(".0") for method in PRESETS.values()]


def test_the_page_of_settings_has_the_margins_of_the_presets_that_interpolate() -> None:
    """The paper's preset, which places at random, has no margin there."""
    assert row_of("margin") == [f"{PRESETS['default'].margin}", f"{PRESETS['metric-free'].margin}", ""]


def row_of(setting: str) -> list[str]:
    """Return the cells of a setting in the table of presets, one for each preset, without code marks."""
    (row,) = (line for line in SETTINGS.splitlines() if line.startswith(f"| `{setting}`"))
    return [cell.strip(" `") for cell in row.split("|")[2:5]]
