"""Standard outputs of made-up simulators, each with what is recorded of it: a value, or why there is none."""

from __future__ import annotations

from decimal import Decimal
from typing import Final, NamedTuple

from ordbo_cli.problem import Parameter, Problem
from ordbo_cli.problem.limit import Limit

WEIGHT: Final = Problem((Parameter("x", 0, 1), Parameter("Span", 0, 1)), "weight")
GRADE: Final = Problem(WEIGHT.parameters, "look", "maximize", grades=("poor", "fair", "very good"))
LIMITED: Final = Problem(WEIGHT.parameters, "weight", outcomes=(Limit("stress", max=Decimal(250)),))
SPAN: Final = Problem((Parameter("Span", 0, 1),), "span")

NO: Final = "no number on standard output"
NO_WORD: Final = "none of look's values on standard output"


class Output(NamedTuple):
    """What a simulator printed.

    Args:
        text: it.
        recorded: the objective as it is recorded; None where the evaluation failed for want of one.
        words: in the reason, or in the note on a name that was spelt in another way.
        problem: whose objective it is.
    """

    text: str
    recorded: str | None
    words: str = ""
    problem: Problem = WEIGHT


OUTPUTS: Final = (
    # by its name
    Output("weight = 86.9\nfinished in 3.21 s\n", "86.9"),
    Output("Weight = 86.9\nfinished in 3.21 s\n", "86.9", "gives 'Weight', which is taken for weight"),
    Output("WEIGHT: 86.9\n3.21\n", "86.9", "gives 'WEIGHT'"),
    Output("WE IGHT: 86.9\n", "86.9", "gives 'WE IGHT'"),
    Output("\uff37eight = 86.9\n", "86.9", "which is taken for weight"),
    Output("Weight = 86.9\nweight = 85\nWEIGHT = 3\n", "85"),
    Output("weight: solving, please wait\nWeight = 86.9\n", "86.9", "gives 'Weight'"),
    Output("weight = 86.9 kg\n", "86.9"),
    Output("weight = 86.9 [kg]\n", "86.9"),
    Output("weight: 86.9 kg*m^2 (12 iterations)\n", "86.9"),
    Output("weight = 86.9 (converged)\n", "86.9"),
    Output("weight = 86.9  # final\n", "86.9"),
    Output("weight = 86.9, converged in 12 iterations\n", "86.9"),
    Output("weight = 86.9 kg; done\n", "86.9"),
    Output("weight := 86.9;\n", "86.9"),
    Output("weight = 8.69D+01, lift = 7\n", "8.69D+01"),
    Output("lift = 7 N, weight = 86.9 kg, cost = 3\n", "86.9"),
    Output("lift = 7 weight = 86.9 x = 0.5\n", "86.9"),
    Output("lift = 7 N   weight = 86.9 kg\n", "86.9"),
    Output("86.9 weight\n3 lift\n", "86.9"),
    Output("weight 86.9\n", "86.9"),
    Output("weight = > 1e6\n", ">1e6"),
    Output("weight=>1e6\n", ">1e6"),
    Output('x = 0.5\n{"weight": 86.9}\n', "86.9"),
    Output('{"Weight": 86.9, "time": 3.21}\n', "86.9", "gives 'Weight'"),
    Output('log\n{\n  "parts": [\n    {"a": 1}\n  ],\n  "weight": 86.9\n}\n', "86.9"),
    Output("weight = nan\nfinished in 3.21 s\n", "nan"),
    Output("weight: failed\n86.9\n", "failed"),
    Output("Span = 3\n7\n", "7", problem=SPAN),  # the echo of a parameter
    # alone on the last line
    Output("86.9\n", "86.9"),
    Output("iteration 500\nresidual = 1e-9\n86.9\n\n", "86.9"),
    Output("  1.0D+05\r\n", "1.0D+05"),
    Output("3.14-114\n", "3.14-114"),
    Output("> 1e6\n", ">1e6"),
    Output("inf\n", "inf"),
    Output("NaN\n", "NaN"),
    Output("*********\n", "*********"),
    Output("86.9\nFAILED\n", "FAILED"),
    Output("\x1b[1;32m86.9\x1b[0m\n", "86.9"),
    Output("\x1b]0;solver\x07weight = \x1b[01;31m\x1b[K86.9\x1b[m\x1b[K kg\n", "86.9"),
    Output("\x1b(B\x1b[m86.9\x0f\n", "86.9"),
    Output("10 %\x1b[2K\x1b[1G50 %\x1b[2K\x1b[1G86.9\x1b[?25h\n", "86.9"),
    Output("10 %\r50 %\r100 %\r86.9\n", "86.9"),
    # prose, tables, other things
    Output("ERROR: did not converge after 500 iterations\n", None, f"{NO}: the last line is 'ERROR: did not"),
    Output("finished in 3.21 s\n", None, f"{NO}: the last line is 'finished in 3.21 s'"),
    Output("86.9\nfinished in 3.21 s\n", None, NO),
    Output("Weight_total = 86.9\n", None, "it gives Weight_total = 86.9, not weight"),
    Output(
        "Weight_total = 86.9 kg\ntime: 3.21 s\n", None, "it gives Weight_total = 86.9 kg, time = 3.21 s, not weight"
    ),
    Output("total weight = 86.9\n", None, "it gives total weight = 86.9, not weight"),
    Output("INFO weight = 86.9\n", None, "it gives INFO weight = 86.9, not weight"),
    Output("Weight = 86.9\nWEIGHT = 85\n", None, "it gives Weight = 86.9, WEIGHT = 85, not weight"),
    Output("Span = 3\n", None, "it gives Span = 3, not span", SPAN),
    Output("the weight is 86.9\n", None, NO),
    Output("86.9 kg\n", None, "the last line is '86.9 kg'"),
    Output("86.9 %\n", None, NO),
    Output("86,9\n", None, NO),
    Output("1,234.5\n", None, NO),
    Output("1 234.5\n", None, NO),
    Output("12 13 14\n", None, NO),
    Output("x,weight\n0.5,86.9\n", None, NO),
    Output("| lift: 7 | weight: 86.9 |\n", None, "weight: '86.9 |' is not a number"),
    Output("x      weight\n0.5    86.9\n", None, NO),
    Output("2026-11-28 12:30:45 done\n", None, NO),
    Output("12:30:45\n", None, NO),
    Output("v1.2.3\n", None, NO),
    Output("0x1F\n", None, NO),
    Output("True\n", None, NO),
    Output("[86.9]\n", None, NO),
    Output("{'weight': 86.9}\n", None, NO),
    Output("*** 7 done ***\n", None, NO),
    Output("86.9\n--------\n", None, NO),
    Output("12345\x1b[5D0.31\x1b[0K\n", "0.31"),  # the cursor went back
    Output("", None, f"{NO}: nothing was printed"),
    Output("weight = 86,9\n", None, "weight: '86,9' is not a number"),
    Output("weight = 86.9 %\n", None, "weight: '86.9 %' is not a number"),
    Output("weight = 86.9, 87.0\n", None, "weight: '86.9, 87.0' is not a number"),
    Output("weight = 86.9 x 10^3\n", None, "is not a number"),
    Output("weight = 8.69 e1\n", None, "is not a number"),
    Output("weight = 3 of 5 parts\n", None, "weight: '3 of 5 parts' is not a number"),
    Output("weight = 86.9 FAILED\n", None, "is not a number"),
    Output("weight = 86.9kg\n", None, "is not a number"),
    Output("weight = N/A\n", None, "weight: 'N/A' is not a number"),
    Output("weight => 86.9\n", None, NO),
    Output("weight >= 86.9\n", None, NO),
    Output('{"mass": 86.9}\n', None, "there is no 'weight'"),
    Output('{"weight": 86.', None, "no JSON object"),
    # words in order
    Output("look = very good\n3 runs\n", "very good", problem=GRADE),
    Output("runs = 3, look = fair\n", "fair", problem=GRADE),
    Output("Look: fair\n", "fair", "gives 'Look'", GRADE),
    Output("\x1b[33mfair\x1b[0m\n", "fair", problem=GRADE),
    Output("fair\nfinished in 3.21 s\n", None, NO_WORD, GRADE),
    Output("a fair result\n", None, NO_WORD, GRADE),
    Output("Fair\n", None, NO_WORD, GRADE),
    Output("3\n", None, NO_WORD, GRADE),
    # several results: each by its name
    Output("weight = 86.9 kg\nstress = 240 MPa\n3.21\n", "86.9", problem=LIMITED),
    Output("Weight = 86.9\nStress = 240\n", "86.9", "gives 'Stress'", LIMITED),
    Output("weight = 86.9\n240\n", None, "no stress on standard output", LIMITED),
    Output("86.9\nstress = 240\n", None, "no weight on standard output: it gives stress = 240, not weight", LIMITED),
)
