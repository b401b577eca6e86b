"""``ordbo init --from``: the problem file of a table of past evaluations."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ordbo_cli.files.problem_file.problem_file import load_problem
from ordbo_cli.problem import Fixed, Parameter, Problem

Call = Callable[..., Any]

PAST = """\
id,Height [m],blades,wall,limiter,temp,re,span,note,drag (N)
1,1.25,4,sa,TRUE,300.123456789,1e5,2.0,first,5.5
2,0.5,6,sst,false,310.2,2.5e6,2.0,second,nan
3,3.75,9,sa,True,355.75,1e7,2.0,,4.25
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test has a folder of its own, and is in it."""
    monkeypatch.chdir(tmp_path)


def loaded(ordbo: Call, text: str | bytes, *arguments: object) -> Problem:
    """Return the problem that is written for a table; suggest works with it, and counts its rows."""
    Path("past.csv").write_bytes(text if isinstance(text, bytes) else text.encode())
    done = ordbo("init", "p.yaml", "--from", "past.csv", *arguments)
    assert (done.status, done.out) == (0, ""), done.err
    assert ordbo("suggest", "p.yaml", "--dry-run").status in (0, 3)
    assert Path("past.csv").read_bytes() == (text if isinstance(text, bytes) else text.encode())
    return load_problem("p.yaml").problem


def refused(ordbo: Call, text: str | bytes, *arguments: object) -> tuple[int, str]:
    """Return exit status and words of a table that no problem file is written for."""
    Path("past.csv").write_bytes(text if isinstance(text, bytes) else text.encode())
    done = ordbo("init", "p.yaml", "--from", "past.csv", *arguments)
    assert [path.name for path in Path().iterdir()] == ["past.csv"]
    return done.status, done.err


def test_a_table_becomes_a_study(ordbo: Call) -> None:
    """Names without their units, ranges, types and decimals are those of the table, whose rows count."""
    problem = loaded(ordbo, PAST, "--objective", "drag", "--goal", "maximize")
    assert problem.parameters == (
        Parameter("Height", 0.5, 3.75, step=0.01, unit="m"),
        Parameter("blades", 4, 9, type="int"),
        Parameter.of_levels("wall", ["sa", "sst"], "categorical"),
        Parameter.of_levels("limiter", ["false", "true"], "categorical"),
        Parameter("temp", 300.1, 355.8, digits=4),
        Parameter("re", 1e5, 1e7, digits=4),
        Fixed("span", 2.0),
    )
    assert (problem.objective, problem.goal, problem.unit) == ("drag", "maximize", "N")
    assert dict(problem.columns) == {"Height": "Height [m]", "drag": "drag (N)"}
    done = ordbo("best", "p.yaml")
    assert (json.loads(done.out)["id"], done.err) == (1, "")


def test_what_is_left_out_is_told(ordbo: Call) -> None:
    """Columns with empty cells and columns of notes are no parameters, and said to be none."""
    rows = "".join(f"{k % 7},{k % 3 or ''},remark {k},{k}.5\n" for k in range(20))
    Path("past.csv").write_text(f"x,k,remark,y\n{rows}")
    said = ordbo("init", "p.yaml", "--from", "past.csv", "--objective", "y").err
    assert "warning: past.csv: 'k' is taken for no parameter: it has no value in 7 of 20 rows\n" in said
    assert "'remark' is taken for no parameter: it holds 20 different words in 20 rows\n" in said
    assert load_problem("p.yaml").problem.names == ("x",)


@pytest.mark.parametrize(
    ("name", "cells", "why"),
    [
        ("Run", "1 2 3 4 5", "it counts the rows; if you choose it, say --param Run:int:1:5"),
        ("q", "7 8 9 10 11", "it counts the rows; if you choose it, say --param q:int:7:11"),
        ("No.", "3 1 2 9 5", "it counts the rows"),
        ("#", "1 2 4 5 9", "it counts the rows; if you choose it, say --param '#:int:1:9'"),
        ("case", "R01 R02 R03 R04 R05", "it counts the rows"),
        ("q", "2024-01-03 2024-01-04 2024-01-05 2024-01-09 2024-02-01", "it holds dates or times"),
        ("q", "3.1.2024 4.1.2024 4.1.2024 11.1.2024 3.2.2024", "it holds dates or times"),
        ("q", "12:30 12:45 13:00 9:00:01.5 9:10", "it holds dates or times"),
        ("Ergebnis", "ok ok ok abgebrochen ok", "it says what became of the rows"),
        ("q", "OK OK OK OK Failed", "it says what became of the rows"),
        ("q", "fine fine fine lost fine", "it says what became of the rows"),
        (
            "OK?",
            "yes no yes no yes",
            "it says what became of the rows; if you choose it, say --param 'OK?:categorical:",
        ),
        ("q", "yes no yes no yes", ""),
        ("q", "5 4 3 2 1", ""),
        ("q", "1.0 2.0 3.0 4.0 5.0", ""),
        ("q", "-5 -4 -3 -2 -1", ""),
        ("q", "1 2 3 5 4", ""),
        ("mesh", "m1 m2 m1 m3 m2", ""),
    ],
)
def test_columns_that_nobody_chose(ordbo: Call, name: str, cells: str, why: str) -> None:
    """Counters, dates and words of outcome are left out and told, with the option that takes them in all the same."""
    results = ("5", "4", "3", "failed", "2")
    rows = [f"{x}.5,{cell},{y}\n" for x, cell, y in zip((1, 3, 2, 4, 1), cells.split(), results, strict=True)]
    Path("past.csv").write_text("".join([f"x,{name},y\n", *rows]))
    said = ordbo("init", "p.yaml", "--from", "past.csv", "--objective", "y").err
    assert load_problem("p.yaml").problem.names == (("x",) if why else ("x", name))
    assert (f"warning: past.csv: {name!r} is taken for no parameter: {why}" in said) == bool(why)


def test_the_end_names_what_was_taken_and_what_to_do(ordbo: Call) -> None:
    """Each column with its range, what to delete and when, what becomes of the table, and where to go on."""
    Path("past.csv").write_text("x [mm],n,wall,y\n1.25,3,sa,2\n2.5,9,sst,inf\n1.5,4,sst,\n2.75,3,sa,\n")
    said = ordbo("init", "p.yaml", "--from", "past.csv", "--objective", "y").err
    there = "where a simulation failed, write 'failed' there"
    assert (
        said
        == f"""\
warning: past.csv: 2 rows without 'y' (line 4, 5) are points that are out; {there}
warning: past.csv: 'y' is infinite in line 3: worse than every number, better than a failure; {there}
past.csv: minimize y, with these parameters:
  x: {{type: float, min: 1.25, max: 2.75, step: 0.01, unit: mm}}
  "n": {{type: int, min: 3, max: 9}}
  wall: {{type: categorical, values: [sa, sst]}}
Delete from p.yaml, before the first suggest, what was measured and not chosen.
Bounds are those seen, and where all values are whole, so is the parameter (int).
New rows will be appended to past.csv: keep a copy if you need it as it is.
wrote p.yaml; next: look it over, then ordbo check p.yaml
"""
    )
    assert "next: ordbo suggest q.yaml" in ordbo("init", "q.yaml").err


@pytest.mark.parametrize("cell", ["#N/A", "#DIV/0!", "n/a", "NA", "diverged", "crash", "-", '"1,504.20"', "-inf"])
def test_a_result_that_is_none_is_told_as_everywhere(ordbo: Call, cell: str) -> None:
    """With its line and column and what to write, in the words of check; nothing is written."""
    text = f"d [mm],n,cost (EUR/yr)\nmm,-,EUR/yr\n1.5,3,5.5\n2.5,9,4.5\n2.0,4,{cell}\n1.5,5,7.5\n"
    parameters = "{d: {min: 1, max: 3}, n: {type: int, min: 3, max: 9}}"
    problem = f"version: 1\nobjective: {{name: cost, goal: minimize}}\nparameters: {parameters}\n"
    for table in (text, text.replace("mm,-,EUR/yr\n", "")):
        status, said = refused(ordbo, table, "--objective", "cost")
        line = table[: table.index(cell, table.index("4.5"))].count("\n") + 1
        assert status == 65
        assert said.startswith(f"past.csv:{line}:7: column 'cost (EUR/yr)': ")
        assert "failed" in said or "Write 1504.20" in said
        Path("q.yaml").write_text(f"{problem}evaluations: past.csv\n")
        assert said in ordbo("check", "q.yaml").err
        Path("q.yaml").unlink()


def test_a_counter_may_be_a_parameter(ordbo: Call) -> None:
    """Where the option says so."""
    problem = loaded(ordbo, "x,q,y\n1.5,1,3\n2.5,2,4\n1,3,5\n", "--objective", "y", "--param", "q:int:1:3")
    assert problem.names == ("x", "q")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x;y\n1,5;2,25\n2,75;3,5\n", Parameter("x", 1.5, 2.75, step=0.01)),
        ("\ufeffx,y\r\n0.1,3\r\n0.9,4\r\n", Parameter("x", 0.1, 0.9, digits=4)),
        ("x\ty\n1\t2\n3\tfailed\n", Parameter("x", 1, 3, type="int")),
        ("x y\n1.25 2\n3.5 nan\n", Parameter("x", 1.25, 3.5, step=0.01)),
        ("x,y\nmm,N\n1,2\n3,4\n", Parameter("x", 1, 3, type="int", unit="mm")),
        ("x,y\n-5,nan\n5,nan\n", Parameter("x", -5, 5, type="int")),
        ("x,y\n1.0,1\n2.0,2\n3.0,3\n", Parameter("x", 1.0, 3.0, step=0.1)),
        ("x,y\n1e-3,1\n1e3,2\n", Parameter("x", 1e-3, 1e3, digits=4)),
        ("x,y\n9007199254740993,2\n9007199254740999,4\n", Parameter("x", 9007199254740990.0, 9007199254741000.0)),
        ("x,y\n1e-99999999,2\n1,4\n", Parameter("x", 0.0, 1.0, digits=4)),
        ("x,y\n0.12345678901234567,2\n0.98765432109876543,4\n", Parameter("x", 0.1234, 0.9877, digits=4)),
        ("a b/\u00e9,y\n1,2\n3,4\n", Parameter("a b/\u00e9", 1, 3, type="int")),
        ('"no: [x","y"\n1,2\n3,4\n', Parameter("no: [x", 1, 3, type="int")),
        ("x,y\nnone,2\nno,4\n", Parameter.of_levels("x", ["none", "no"], "categorical")),
        ("x,y\n1,2\n2.5,3\nauto,4\n", Parameter.of_levels("x", [1, 2.5, "auto"], "categorical")),
        ("ID,x,Status,y\n7,1,ok,2\n8,2,pending,\n", Parameter("x", 1, 2, type="int")),
        (",x,y\n0,1,2\n1,2,3\n", Parameter("x", 1, 2, type="int")),
        ("# notes\nx,y\n1,2\n2,3\n", Parameter("x", 1, 2, type="int")),
    ],
)
def test_odd_tables(ordbo: Call, text: str, expected: Parameter) -> None:
    """Whatever divides and spells it, what is written loads, and the rows below count."""
    assert loaded(ordbo, text, "--objective", "y").parameters == (expected,)


@pytest.mark.parametrize(
    ("text", "status", "words"),
    [
        ("", 65, "there is no header"),
        ("x,y\n", 2, "there are no rows"),
        ("x,y\n1,2\n", 2, "one row tells no ranges\nhint: Give the ranges: --param NAME:MIN:MAX"),
        ("x,y\n1,2\n1,3\n", 2, "no parameter varies"),
        ("x,y\n1,2\n,3\n", 2, "no parameter varies; 'x' is taken for no parameter: it has no value in 1 of 2 rows"),
        ("1,2\n3,4\n", 65, "past.csv:1:1: 1 is no name of a column"),
        ("Title\nx,y\n1,2\n", 65, "past.csv:1:1: the first row holds one name, 'Title'"),
        ("x,x,y\n1,2,3\n2,3,4\n", 65, "past.csv:1:1: the column 'x' stands more than once"),
        ("x,y\n1,2\n2,3,4\n", 65, "past.csv:3:1: 3 cells stand below 2 columns"),
        ("x,y\n1,2\n3\n", 65, "past.csv:3:1: 1 cell stands below 2 columns"),
        ("x,z\n1,2\n3,4\n", 2, "there is no column 'y'\nhint: --objective names it. Numbers hold x, z"),
        ("x,y\n1,good\n2,bad\n", 2, "column 'y': 'good' is no result\nhint: --objective names it. Numbers hold x"),
        ("x,Y,y [N]\n1,2,3\n2,3,4\n", 2, "'y' may be 'Y' or 'y [N]'"),
        ("a b,a-b,y\n1,2,3\n2,3,4\n", 2, "'a-b' and 'a b' both become ORDBO_A_B in the environment"),
        ("x;y\n1,5;2.5\n2;3\n", 65, "1,5 has a decimal comma, but 2.5 in line 2 a decimal point"),
        ('x,y\n"1,2\n', 65, "this is not a CSV"),
        ("x\0,y\n1,2\n", 65, "there is a NUL character"),
        (b"\xff\xfex", 65, "the file is UTF-16 text"),
        ("x,y\n-1e308,2\n1e308,3\n", 2, "is farther than a double can tell"),
        (
            "number,value,params_x,state\n0,2,1,COMPLETE\n",
            2,
            "holds trials of Optuna\nhint: 'ordbo import problem.yaml",
        ),
    ],
)
def test_tables_that_cannot_be(ordbo: Call, text: str | bytes, status: int, words: str) -> None:
    """One or two lines say why, and nothing is written."""
    said = refused(ordbo, text, "--objective", "y")
    assert said[0] == status
    assert words in said[1]
    assert said[1].count("\n") <= 2


def test_ranges_may_be_said(ordbo: Call) -> None:
    """A --param takes the place of what the table holds, one row is enough then, and the rest is constant."""
    problem = loaded(ordbo, "x,k,y\n1,7,2\n", "--objective", "y", "--param", "x:0:5")
    assert problem.parameters == (Fixed("k", 7), Parameter("x", 0.0, 5.0, digits=4))


def test_a_table_elsewhere(ordbo: Call) -> None:
    """The problem file names it from its own folder."""
    Path("old").mkdir()
    Path("new").mkdir()
    Path("old/past.csv").write_text("x,y\n1,2\n3,4\n")
    assert ordbo("init", "new/p.yaml", "--from", "old/past.csv", "--objective", "y").status == 0
    assert load_problem("new/p.yaml").evaluations.resolve() == Path("old/past.csv").resolve()
    assert ordbo("suggest", "new/p.yaml", "--append").status == 0
    assert Path("old/past.csv").read_text() == "x,y\n1,2\n3,4\n2,\n"


@pytest.mark.parametrize(
    ("unit", "known"),
    [
        ("EUR/a", True), ("k\u20ac/a", True), ("kg/(m2 s)", True), ("\u00b0C", True), ("%", True), ("\u00b5m", True),
        ("1/min", True), ("l/min", True), ("1/(m2 s)", True), ("U/min", True), ("lb/in^2", True), ("vol%", True),
        ("min", False), ("a", False), ("in", False), ("mean", False), ("1/max", False),
        ("Mio. EUR", False),
    ],
)  # fmt: skip
def test_a_name_without_what_stands_in_brackets(ordbo: Call, unit: str, known: bool) -> None:
    """It is enough for the objective, whatever stands there; what can be nothing but a unit becomes one."""
    problem = loaded(ordbo, f"x,Kosten [{unit}]\n1,2\n3,4\n", "--objective", "kosten")
    assert (problem.objective, problem.unit) == (("Kosten", unit) if known else (f"Kosten [{unit}]", ""))


def test_two_names_that_differ_in_brackets(ordbo: Call) -> None:
    """Neither is chosen, and both are named."""
    said = refused(ordbo, "x,cost (mean),cost (max)\n1,2,3\n3,4,5\n", "--objective", "cost")
    assert said[0] == 2
    assert "'cost' may be 'cost (mean)' or 'cost (max)'" in said[1]


def test_the_objective_is_asked_for(ordbo: Call) -> None:
    """On a terminal; elsewhere the columns of numbers are named, and no answer is none."""
    Path("past.csv").write_text(PAST)
    done = ordbo("init", "p.yaml", "--from", "past.csv", stdin=b"DRAG\n", terminal=True)
    assert done.err.startswith("Which column is the result? Height, blades, temp, re, span, drag: ")
    assert load_problem("p.yaml").problem.objective == "drag"
    for terminal in (True, False):
        done = ordbo("init", "q.yaml", "--from", "past.csv", terminal=terminal)
        assert done.status == 2
        assert (
            "past.csv: which column is the result?\nhint: --objective names it. Numbers hold Height, blad" in done.err
        )
    assert not Path("q.yaml").exists()


def test_three_hundred_columns(ordbo: Call) -> None:
    """All of them are parameters, and a question names the first of them alone."""
    names = [f"p{k}" for k in range(300)]
    rows = [",".join(str((k * j) % 7 + j / 10) for k in range(1, 301)) + f",{j}" for j in range(1, 5)]
    problem = loaded(ordbo, "\n".join([",".join([*names, "y"]), *rows, ""]), "--objective", "y")
    assert len(problem.parameters) == 300
    done = ordbo("init", "q.yaml", "--from", "past.csv")
    assert "p18, p19 and 281 more" in done.err


def test_neither_a_missing_table_nor_a_pipe(ordbo: Call) -> None:
    """The table becomes the study's evaluations, so it has to be a file; none is overwritten by the problem."""
    assert ordbo("init", "p.yaml", "--from", "no.csv", "--objective", "y").status == 66
    assert ordbo("init", "p.yaml", "--from", "-", "--objective", "y").status == 2
    Path("past.csv").write_text(PAST)
    assert ordbo("init", "past.csv", "--from", "past.csv", "--objective", "drag").status == 74
    assert [path.name for path in Path().iterdir()] == ["past.csv"]


def test_several_columns_of_results(ordbo: Call) -> None:
    """None of them is a parameter; a name without capital letters and unit finds its column, which keeps its unit."""
    Path("past.csv").write_text("angle;Drag [N];lift\n1,5;3,5;0,2\n2,5;failed;\n3,0;4,5;0,9\n")
    done = ordbo("init", "p.yaml", "--from", "past.csv", "--objective", "drag", "--objective", "lift:maximize")
    assert "past.csv: minimize Drag and maximize lift, with these parameters:\n  angle: " in done.err
    problem = load_problem("p.yaml").problem
    assert problem.goals == (("Drag", "minimize"), ("lift", "maximize"))
    assert (problem.names, problem.unit) == (("angle",), "N")
    found = [json.loads(line)["objectives"] for line in ordbo("best", "p.yaml").out.splitlines()]
    assert found == [{"Drag": 3.5, "lift": 0.2}, {"Drag": 4.5, "lift": 0.9}]
    twice = ordbo("init", "q.yaml", "--from", "past.csv", "--objective", "drag", "--objective", "Drag [N]")
    assert (twice.status, "the column 'Drag [N]' is named twice" in twice.err) == (2, True)
    refused = ordbo("init", "q.yaml", "--from", "past.csv", "--objective", "drag", "--objective", "noise")
    assert (refused.status, "there is no column 'noise'" in refused.err) == (2, True)
