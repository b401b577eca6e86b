"""The streams of random numbers. Each generator is made from (seed, number of the step or evaluation, stream)."""

from __future__ import annotations

from enum import IntEnum, unique


@unique
class Stream(IntEnum):
    """What random numbers are drawn for; no two draw the same ones."""

    DESIGN = 1  # the initial design
    STEP = 2
    NOISE = 3  # of a test problem
    RIVAL = 4  # a method of the benchmark that is not ours
    NAIVE = 5  # the batch that ignores what is out
    FEASIBLE = 6  # samples of the feasible set, which depend on nothing but the problem and the cell
    LATENT_DRAW = 7  # of the theory's test problems
    LATENT_NOISE = 8
    EXPLAINING = 9
    SLICES = 10  # of the pictures
    EFFECTS = 11
    DISTORTION = 12  # the noise that a distorted test problem adds
    TRADE = 13  # that a step of several objectives searches by
