"""The one table of the problem file: every setting, what it may hold, and what it means."""

from __future__ import annotations

import math
from typing import Any, Final, get_args

from ordbo_cli.files.problem_file.campaign_keys import Tables
from ordbo_cli.files.problem_file.level_kinds import Conditions, Levels
from ordbo_cli.files.problem_file.schema_kinds import (
    ColumnNames,
    Costs,
    Either,
    Exact,
    Expressions,
    FileName,
    Flag,
    Kind,
    Name,
    NumberOrWord,
    Numeric,
    PairKind,
    Schema,
    Version,
    Words,
)
from ordbo_cli.files.problem_file.schema_records import Key, Named, RecordKind, Synonym
from ordbo_cli.problem import FailurePolicy, Goal, Trade, method

FORMAT: Final = 1


def _words(literal: Any) -> Words:
    return Words({word: word for word in get_args(literal)})


def _defaults(settings: object) -> dict[str, str | float]:
    """Return the settings of a dataclass that JSON can tell; the meanings of the others say what they are."""
    return {name: value for name, value in vars(settings).items() if isinstance(value, str | int | float)}


def _count(most: int) -> Numeric:
    return Numeric(low=1, high=most, whole=True)


_FROM_ZERO: Final = Numeric(low=0)
_ABOVE_ZERO: Final = Numeric(low=0, above=True)
_GOAL: Final = Words(
    {
        **{word: word for word in get_args(Goal)},
        "minimise": "minimize",
        "maximise": "maximize",
        "min": "minimize",
        "max": "maximize",
    }
)

OBJECTIVE: Final = RecordKind(
    "the objective",
    {
        "name": Key(Name(), "The objective's column in the evaluations."),
        "goal": Key(_GOAL, "Whether small or large values are good: minimize or maximize.", required=True),
        "unit": Key(Name(), "The objective's unit, in pictures and reports."),
        "values": Key(
            Levels(least=2, words=True),
            "The words that results are, in rising order, such as [poor, fair, good]; goal says which end is good.",
        ),
    },
    synonyms={"direction": Synonym(_GOAL, ("goal",))},
    example="{name: ..., goal: minimize}",
    defaults={"name": "objective"},
)

AIM: Final = RecordKind(
    "an objective",
    {
        "goal": Key(_GOAL, "Whether small or large values are good: minimize or maximize.", required=True),
        "unit": Key(Name(), "Its unit, in reports."),
        "values": Key(
            Levels(least=2, words=True), "The words that its results are, in rising order, such as [poor, fair, good]."
        ),
        "enough": Key(Exact(), "What is good enough: of results that are so good or better, none counts as better."),
    },
    synonyms={"direction": Synonym(_GOAL, ("goal",))},
    example="{goal: minimize}",
    short="goal",
)
MOST_OBJECTIVES: Final = 8

_OF_LEVELS: Final = (("values",), ("value",))
PARAMETER: Final = RecordKind(
    "a parameter",
    {
        "type": Key(
            Words(
                {
                    "float": "float",
                    "int": "int",
                    "ordinal": "ordinal",
                    "categorical": "categorical",
                    "choice": "categorical",
                    "bool": "bool",
                    "ranked": "ranked",
                },
                {"log": "Write scale: log beside min and max"},
            ),
            "float (the default), int, ordinal (values in order; the default of a list of rising numbers), categorical "
            "(values without an order), bool, or ranked (no values: a setting is known by those it lies between).",
        ),
        "min": Key(Numeric(), "The lower bound, in the simulator's units."),
        "max": Key(Numeric(), "The upper bound, in the simulator's units."),
        "scale": Key(
            Words({"linear": "linear", "log": "log"}),
            "linear, or log where ratios matter rather than differences; bounds are above 0 then.",
        ),
        "step": Key(_ABOVE_ZERO, "Distance between values, counted from min."),
        "digits": Key(
            Numeric(1, 15, whole=True),
            "Significant digits to which a float is rounded, before it is handed out and recorded.",
        ),
        "value": Key(NumberOrWord(), "A fixed parameter's value, in place of min and max."),
        "values": Key(Levels(), "All that an ordinal parameter (in order) or a categorical one can be."),
        "when": Key(
            Conditions(),
            "Where the parameter counts: {solver: [gmres, cg]}, values of categorical ones above it. It is left out "
            "elsewhere.",
        ),
        "unit": Key(Name(), "Its unit, in pictures and reports."),
        "was": Key(Name(), "The name that it had before: older rows and suggestions know it by that."),
        "past": Key(NumberOrWord(), "The value that it had before it was added: that of rows and suggestions without."),
    },
    synonyms={
        "bounds": Synonym(PairKind(Numeric()), ("min", "max"), tuple),
        "low": Synonym(Numeric(), ("min",)),
        "high": Synonym(Numeric(), ("max",)),
        "lower": Synonym(Numeric(), ("min",)),
        "upper": Synonym(Numeric(), ("max",)),
        "log": Synonym(Flag(), ("scale",), lambda log: ("log" if log else "linear",)),
        "choices": Synonym(Levels(), ("values",)),
        "levels": Synonym(Levels(), ("values",)),
        "sequence": Synonym(Levels(), ("values",)),
        "categories": Synonym(Levels(), ("values", "type"), lambda levels: (levels, "categorical")),
    },
    one_of=(("min", "max"), ("values",), ("value",)),
    defaults={"scale": "linear"},
    by_word=(
        "type",
        {"ordinal": _OF_LEVELS, "categorical": _OF_LEVELS, "choice": _OF_LEVELS, "bool": ((),), "ranked": ((),)},
    ),
)

PRIOR: Final = RecordKind(
    "the prior",
    {
        "centre": Key(
            Either(_words(method.Centre), Numeric(0, 1)),
            "Where gaps are expected: distances, equal, inherited, or the weight of distances against equal.",
        ),
        "length": Key(_ABOVE_ZERO, "Latent length of an axis: 5 sqrt(2 / D) for D free parameters, unless given."),
        "spread": Key(_ABOVE_ZERO, "Standard deviation of a gap's logarithm."),
        "shift": Key(_FROM_ZERO, "Standard deviation of the shift that the gaps of one parameter share."),
    },
    defaults=_defaults(method.GapPrior()),
)

SCHEDULE: Final = RecordKind(
    "the schedule of beta",
    {
        "delta": Key(Numeric(0, 1, above=True), "Probability with which the bound of Lemma 1 may fail."),
        "c1": Key(Numeric(1), "Factor of the smoothness assumption on the unit box: by kernel and fit, unless given."),
        "c2": Key(
            _ABOVE_ZERO,
            "Scale of the slopes in the smoothness assumption on the unit box: by kernel and fit, unless given.",
        ),
        "scale": Key(_ABOVE_ZERO, "Factor of the lemma's beta; its root multiplies the standard deviation."),
    },
    defaults=_defaults(method.BetaSchedule()),
)

METHOD: Final = RecordKind(
    "the method",
    {
        "preset": Key(Words({name: name for name in method.PRESETS}), "The settings to start from."),
        "acquisition": Key(
            _words(method.Acquisition),
            "How a cell is valued: lcb (by its lower confidence bound), thompson (by the samples of the model with "
            "their minimum there) or ei (by expected improvement).",
        ),
        "partition": Key(
            _words(method.PartitionKind),
            "Which cells there are: tree (a new point splits the cell that holds it) or exhaustive (it cuts them all).",
        ),
        "placement": Key(
            _words(method.Placement),
            "Where in the chosen cell the point goes: interpolate (where the acquisition is best), midpoint or random.",
        ),
        "margin": Key(Numeric(0, 0.5), "Fraction of a cell that interpolate keeps away from its edges."),
        "beta": Key(
            Either(Words({"theory": method.BetaSchedule()}), _FROM_ZERO, SCHEDULE),
            "Multiplier of the standard deviation in the lower confidence bound; theory for the schedule of Lemma 1.",
        ),
        "kernel": Key(
            _words(method.Kernel),
            "Prior covariance of the latent function: Matern 1/2, 3/2 or 5/2, or the squared exponential (rbf).",
        ),
        "posterior": Key(
            _words(method.Posterior),
            "Covariance of the fit: diagonal (the paper's) or full (not overconfident where points nearly coincide).",
        ),
        "prior": Key(Either(Words({"none": None}), table=PRIOR), "Prior of the gaps; none for free gaps."),
        "initial": Key(
            _count(method.MOST_INITIAL),
            "Rows of the initial design: 5 for up to three free parameters, then D + 2, unless given.",
        ),
        "corners": Key(Flag(), "Whether the two extreme corners belong to the initial design."),
        "samples": Key(_count(method.MOST_SAMPLES), "Posterior samples of Thompson sampling."),
        "explore_every": Key(
            Numeric(low=0, whole=True),
            "Every k-th step explores the largest cell, under constraints the largest hole of the feasible set;"
            " 0 for never.",
        ),
        "refine": Key(
            Flag(),
            "Whether a step may follow a quadratic that has the order of the best points, where they speak for one.",
        ),
        "avoid_failures": Key(
            Flag(), "Whether places that are likely to fail, or to break a limit, cost something in the acquisition."
        ),
        "drift": Key(
            Either(Words({"none": None}), _ABOVE_ZERO),
            "C in the bound C D / n on latent movement; none (the default) for no bound.",
        ),
        "optimizer": Key(_words(method.OptimizerKind), "How the model is fitted: lbfgs or adam (the paper's)."),
        "iterations": Key(_count(method.MOST_ITERATIONS), "Most steps of the fit."),
        "rate": Key(Numeric(0, 1, above=True), "Step length of adam."),
        "start": Key(
            _words(method.Start),
            "Where a fit starts that knows none before: scores (results at the normal scores of their ranks, free gaps"
            " alike), distances (the same, free gaps as the distances), ranks (free gaps all 1) or flat (means 0,"
            " variances 1).",
        ),
        "warm": Key(Flag(), "Whether a fit starts from the one before, or anew each time."),
        "engine": Key(
            _words(method.EngineKind), "The implementation of the model: numpy, or gpflow with the extra ordbo[gpflow]."
        ),
    },
    defaults=_defaults(method.PRESETS["default"]),
)

OUTCOME: Final = RecordKind(
    "an outcome",
    {
        "min": Key(Exact(), "The least value that is allowed."),
        "max": Key(Exact(), "The largest value that is allowed."),
        "unit": Key(Name(), "Its unit, in reports."),
    },
    synonyms={
        "low": Synonym(Exact(), ("min",)),
        "high": Synonym(Exact(), ("max",)),
        "lower": Synonym(Exact(), ("min",)),
        "upper": Synonym(Exact(), ("max",)),
    },
    one_of=(("min",), ("max",)),
    example="{max: ...}, {min: ...} or both",
)

FIDELITY: Final = RecordKind(
    "the fidelity",
    {
        "name": Key(Name(), "What decides how well a point is evaluated, a column of the evaluations: mesh.", True),
        "levels": Key(Levels(least=2), "Its values, the highest last: [coarse, fine]; the best is of that.", True),
        "cost": Key(
            Costs(),
            "What an evaluation costs at each level, [1, 20], in any unit; seconds for the time that evaluations take.",
            True,
        ),
    },
    synonyms={"costs": Synonym(Costs(), ("cost",)), "values": Synonym(Levels(least=2), ("levels",))},
    example="{name: mesh, levels: [coarse, fine], cost: [1, 20]}",
)

PROBLEM: Final = RecordKind(
    "the problem",
    {
        "version": Key(Version(FORMAT), "The format of this file: 1."),
        "objective": Key(OBJECTIVE, "What is optimised: {name: ..., goal: minimize}."),
        "objectives": Key(
            Named(AIM, "objective", "name: {goal: minimize}"),
            "In place of objective where several are traded off: name: {goal: minimize} for each, or name: minimize.",
        ),
        "trade": Key(
            _words(Trade),
            "What is sought of several objectives: front (what none dominates), or lexicographic (the best by the first"
            " one, ties decided by the next, and so on).",
        ),
        "parameters": Key(Named(PARAMETER), "What is varied: name: {min: ..., max: ...}.", required=True),
        "constraints": Key(Expressions(), "What every point has to satisfy: expressions over the parameters."),
        "outcomes": Key(
            Named(OUTCOME, "outcome", "name: {max: ...}"),
            "Results beside the objective that have to keep within limits: name: {max: ...}, {min: ...} or both.",
        ),
        "fidelity": Key(
            FIDELITY,
            "How well a point may be evaluated: {name: mesh, levels: [coarse, fine], cost: [1, 20]}. Cheap results are"
            " compared with each other alone, and inform the search at the highest level.",
        ),
        "failed": Key(
            _words(FailurePolicy),
            "What a failure means: worst (it ranks below every success), ignore (it does not rank) or error.",
        ),
        "noise": Key(
            Flag(),
            "Whether results differ from run to run: true lets a point be suggested again, and the best is by mean.",
        ),
        "evaluations": Key(
            Tables(),
            "The CSV of evaluations; by default the problem file's name with .csv. A list for those of campaigns, too.",
        ),
        "state": Key(FileName(), "The state; by default the problem file's name with .state.json."),
        "comparisons": Key(
            FileName(), "The CSV of comparisons; by default the problem file's name with .comparisons.csv."
        ),
        "columns": Key(
            ColumnNames(),
            "What tables call the columns of parameters and results (and of comparisons) where that is not their name:"
            " {drag: 'Cd [-]'}.",
        ),
        "seed": Key(Numeric(low=0, whole=True), "Seed of every random choice: the same seed gives the same points."),
        "method": Key(
            Either(Words({name: name for name in method.PRESETS}), table=METHOD),
            "A preset (default, metric-free, paper), or a mapping that changes single settings of one.",
        ),
    },
    one_of=(("objective",), ("objectives",)),
    example="{objective: ..., parameters: ...}",
    defaults={"version": FORMAT, "trade": "front", "failed": "worst", "noise": False, "seed": 0, "method": "default"},
)


def json_schema() -> Schema:
    """Return the JSON Schema (draft 2020-12) of a problem file, for editors."""
    kind: Kind = PROBLEM
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "ordbo problem",
        "description": "A problem file of the ordbo optimiser.",
        **_with_integers(kind.schema()),
    }


def _with_integers(schema: Schema) -> Schema:
    """Return a schema whose whole-numbered bounds are written as integers."""

    def tidy(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: tidy(item) for key, item in value.items()}
        if isinstance(value, list):
            return [tidy(item) for item in value]
        return int(value) if isinstance(value, float) and math.isfinite(value) and value == int(value) else value

    return {key: tidy(value) for key, value in schema.items()}
