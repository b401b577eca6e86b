"""``ordbo import``: what another optimiser has evaluated, once, all of it or nothing."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ordbo_cli.errors import UsageError
from ordbo_cli.exchange.importing import import_results
from ordbo_cli.study.study import Study

Call = Callable[..., Any]

PROBLEM = """\
objective: {name: drag, goal: minimize}
parameters:
  angle: {min: 0, max: 12}
  blades: {type: int, min: 3, max: 9}
"""
TRIALS = ",number,value,params_angle,params_blades,state\n"


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    """A problem file with two free parameters."""
    path = tmp_path / "drag.yaml"
    path.write_text(PROBLEM)
    return path


def rows(path: Path) -> list[str]:
    """Return the rows of the evaluations."""
    table = path.with_suffix(".csv")
    return table.read_text().splitlines()[1:] if table.exists() else []


def test_a_result_counts_as_often_as_it_stands(ordbo: Call, plain: Path) -> None:
    """A point evaluated twice is there twice; a longer table of the same study adds what is new in it."""
    trials = TRIALS + "0,0,1.5,1,4.0,COMPLETE\n1,1,1.50,1.0,4,COMPLETE\n2,2,,2,5,FAIL\n"
    assert ordbo("import", plain, "-", stdin=trials.encode()).err == "recorded 3 rows: 2 ok, 1 failed\n"
    trials += "3,3,1.500,1e0,4,COMPLETE\n4,4,1.5,1,5,COMPLETE\n5,5,2,1,4,COMPLETE\n6,6,,2,5,FAIL\n"
    said = ordbo("import", plain, "-", stdin=trials.encode())
    assert said.err == "recorded 4 rows: 3 ok, 1 failed; 3 are there already\n"
    assert [row.split(",")[1:] for row in rows(plain)[3:]] == [
        ["1.0", "4", "1.500", "ok"],
        ["1.0", "5", "1.5", "ok"],
        ["1.0", "4", "2", "ok"],
        ["2.0", "5", "", "failed"],
    ]
    assert ordbo("import", plain, "-", stdin=trials.encode()).err == "recorded 0 rows; 7 are there already\n"


def test_what_stands_under_another_fixed_value_is_another_result(ordbo: Call, plain: Path) -> None:
    """The evaluations hold it, but not of this problem."""
    plain.write_text(PROBLEM + "  span: {value: 2}\n")
    plain.with_suffix(".csv").write_text("angle,blades,span,drag\n1,4,3,1.5\n")
    said = ordbo("import", plain, "-", stdin=(TRIALS + "0,0,1.5,1,4,COMPLETE\n").encode())
    assert said.err.endswith("recorded 1 rows: 1 ok\n")


def test_a_result_answers_the_suggestion_that_is_out(ordbo: Call, plain: Path) -> None:
    """A point that was suggested here and evaluated there is out no more; the number of a trial is no id."""
    point = json.loads(ordbo("suggest", plain, "--append").out)["parameters"]
    trials = TRIALS + f"0,7,1.5,{point['angle']},{point['blades']},COMPLETE\n"
    assert ordbo("import", plain, "-", stdin=trials.encode()).status == 0
    status = json.loads(ordbo("status", plain, "--json").out)
    assert (status["pending"], status["best"]["id"]) == ([], 1)
    assert ordbo("import", plain, "-", stdin=trials.encode()).err == "recorded 0 rows; 1 is there already\n"


@pytest.mark.parametrize(
    "trials",
    [
        TRIALS + "0,0,1.5,1,4,COMPLETE\n1,1,1.5,x,4,COMPLETE\n",
        TRIALS + "0,0,1.5,1,4,COMPLETE\n1,1,1.5,2,4\n",
        TRIALS + "0,0,1.5,1,4,COMPLETE\n1,1,1.5,2,4,LOST\n",
        TRIALS + '0,0,1.5,1,4,COMPLETE\n1,1,"1.5,2,4,COMPLETE\n',
        "",
    ],
)
def test_a_wrong_row_and_nothing_is_recorded(ordbo: Call, plain: Path, digest: Call, trials: str) -> None:
    """Each mistake is told with its line, and no file is touched."""
    before = digest(plain.parent)
    refused = ordbo("import", plain, "-", "--from", "optuna", stdin=trials.encode())
    assert refused.status == 65
    assert "standard input" in refused.err
    assert "Traceback" not in refused.err
    assert digest(plain.parent) == before


def test_lines_stay_where_they_were(ordbo: Call, plain: Path) -> None:
    """Below trials that are passed over, and attributes of several lines."""
    trials = (
        ",number,value,params_angle,params_blades,user_attrs_log,state\r\n"
        '0,0,,1,4,"a\r\nb\r\nc",RUNNING\r\n'
        '1,1,,1,4,"a\r\nb",FAIL\r\n'
        '2,2,1,1,4.5,"a\r\nb",COMPLETE\r\n'
    )
    refused = ordbo("import", plain, "-", stdin=trials.encode())
    assert refused.err.startswith("standard input:7:9: column 'blades'")


def test_columns_of_almost_our_names_mean_nothing(ordbo: Call, plain: Path) -> None:
    """Capital letters make no column of somebody's trials a status or an id of ours."""
    trials = "ID,Status,Drag," + TRIALS[1:] + "4,failed,9,0,0.5,1,4,COMPLETE\n4,x,9,1,0.75,2,5,COMPLETE\n"
    assert ordbo("import", plain, "-", stdin=trials.encode()).err.endswith("recorded 2 rows: 2 ok\n")
    assert [row.split(",")[3:] for row in rows(plain)] == [["0.5", "ok"], ["0.75", "ok"]]


def test_names_that_clash_with_columns_of_optuna(ordbo: Call, tmp_path: Path) -> None:
    """Parameters may be called as Optuna's own columns, and as the columns of evaluations."""
    path = tmp_path / "p.yaml"
    path.write_text(
        "objective: {name: state, goal: minimize}\nparameters:\n  value: {min: 0, max: 9}\n  number: {min: 0, max: 9}\n"
    )
    trials = "id,status,number,value,params_value,params_number,state\n9,x,0,0.5,1,2,COMPLETE\n9,x,1,,3,4,FAIL\n"
    assert ordbo("import", path, "-", stdin=trials.encode()).err == "recorded 2 rows: 1 ok, 1 failed\n"
    assert rows(path) == [",1.0,2.0,0.5,ok", ",3.0,4.0,,failed"]


def test_trials_that_failed_before_they_had_a_point(ordbo: Call, plain: Path) -> None:
    """They cannot be placed, and are passed over in words."""
    said = ordbo("import", plain, "-", stdin=(TRIALS + "0,0,,1,,FAIL\n1,1,3,1,4,COMPLETE\n").encode())
    assert said.err.startswith(
        "warning: 1 trial without a result passed over: 1 FAIL before all parameters were drawn\n"
    )
    assert rows(plain) == [",1.0,4,3,ok"]


def test_the_init_of_the_hint_leads_to_a_study(ordbo: Call, tmp_path: Path) -> None:
    """Where there is no problem file, the command in the hint writes one that the table goes into."""
    table, problem = tmp_path / "trials.csv", tmp_path / "no such.yaml"
    table.write_text(
        "number,value,params_wall shear,params_blades,state\n0,1.5,1e-5,4,COMPLETE\n1,2,1.0,9,COMPLETE\n2,,0.5,5,FAIL\n"
    )
    refused = ordbo("import", problem, table)
    assert refused.status == 66
    hint = refused.err.splitlines()[1].removeprefix("hint: ")
    words = shlex.split(hint, comments=True)
    assert words[:2] == ["ordbo", "init"]
    assert ordbo(*words[1:]).status == 0
    assert ordbo("import", problem, table).err == "recorded 3 rows: 2 ok, 1 failed\n"
    assert json.loads(ordbo("best", problem).out)["parameters"] == {"wall shear": 1e-5, "blades": 4}
    assert "type: int, min: 4, max: 9" in problem.read_text()


def test_files_that_are_missing(ordbo: Call, plain: Path) -> None:
    """The table, and both."""
    for problem in (plain, plain.with_name("none.yaml")):
        refused = ordbo("import", problem, plain.with_name("none.csv"))
        assert refused.status == 66
    assert sorted(os.listdir(plain.parent)) == ["drag.yaml"]


def test_the_study_itself_is_not_imported(ordbo: Call, plain: Path) -> None:
    """Its own file is not recorded again."""
    plain.with_suffix(".csv").write_text("%eval_id,interface,angle,blades,drag\n1,NO_ID,1,4,2\n")
    refused = ordbo("import", plain, plain.with_suffix(".csv"))
    assert (refused.status, "They are recorded already" in refused.err) == (2, True)


def test_the_library_refuses_words_that_it_does_not_know(plain: Path) -> None:
    """As the command line does."""
    study = Study.open(plain)
    for words in ({"origin": "ax"}, {"pruned": "ok"}, {"column": "values_7"}):
        with pytest.raises(UsageError):
            import_results(study, TRIALS + "0,0,1.5,1,4,COMPLETE\n", source="trials", **words)  # type: ignore[arg-type]  # wrong on purpose
    done = import_results(study, TRIALS + "0,0,1.5,1,4,COMPLETE\n", source="trials")
    assert ([each.objective for each in done.told], done.known) == (["1.5"], 0)


TWO = PROBLEM.replace("objective: {name: drag, goal: minimize}", "objectives: {drag: minimize, lift: maximize}")


@pytest.fixture
def wing(plain: Path) -> Path:
    """The problem with two objectives."""
    plain.write_text(TWO)
    return plain


@pytest.mark.parametrize(
    ("header", "options", "note"),
    [
        ("number,values_0,values_1,params_angle,params_blades,state", "", "values_0 is drag, values_1 is lift"),
        ("number,values_drag,values_lift,params_angle,params_blades,state", "", ""),
        (
            "number,values_0,values_1,params_angle,params_blades,state",
            "--objective-column 0 --objective-column values_1",
            "values_0 is drag, values_1 is lift",
        ),
        ("%eval_id,obj_fn_1,obj_fn_2,angle,blades,interface", "", "obj_fn_1 is drag, obj_fn_2 is lift"),
        ("%eval_id,drag,lift,angle,blades,interface", "", ""),
        (
            "%eval_id,obj_fn_1,other,obj_fn_2,angle,blades",
            "--objective-column obj_fn_1 --objective-column obj_fn_2",
            "obj_fn_1 is drag, obj_fn_2 is lift",
        ),
    ],
)
def test_several_objectives_have_a_column_each(ordbo: Call, wing: Path, header: str, options: str, note: str) -> None:
    """By their names, or by their order, which is then told, or as somebody says."""
    cells = {"number": "0", "%eval_id": "0", "state": "COMPLETE", "interface": "NO_ID", "other": "9"}
    values = dict(zip([name for name in header.split(",") if name not in cells], ("2", "3", "1", "4"), strict=True))
    table = f"{header}\n{','.join((cells | values)[name] for name in header.split(','))}\n"
    done = ordbo("import", wing, "-", *options.split(), stdin=table.encode())
    assert done.err.splitlines()[-1] == "recorded 1 rows: 1 ok"
    assert (f"{note}\n" in done.err) if note else ("note" not in done.err)
    assert wing.with_suffix(".csv").read_text() == "id,angle,blades,drag,lift,status\n,1.0,4,2,3,ok\n"


def test_results_are_the_same_where_all_objectives_are(ordbo: Call, wing: Path) -> None:
    """One that differs in the second objective alone is another result; failures count as they did."""
    header = "number,values_drag,values_lift,params_angle,params_blades,state\n"
    first = f"{header}0,2,3,1,4,COMPLETE\n1,,,2,4,FAIL\n"
    assert ordbo("import", wing, "-", stdin=first.encode()).err == "recorded 2 rows: 1 ok, 1 failed\n"
    again = first.replace("0,2,3", "0,2,5")
    assert ordbo("import", wing, "-", stdin=again.encode()).err == "recorded 1 rows: 1 ok; 1 is there already\n"
    assert rows(wing)[-1] == ",1.0,4,2,5,ok"


@pytest.mark.parametrize(
    ("header", "options", "said"),
    [
        ("number,values_0,params_angle,params_blades,state", "", "no column of results for 'drag'"),
        ("number,values_0,values_1,params_angle,params_blades,state", "--objective-column 0", "results for 'lift'"),
        ("number,values_drag,values_1,params_angle,params_blades,state", "", "no column of results for 'lift'"),
        (
            "number,values_0,values_1,params_angle,params_blades,state",
            "--objective-column 0 --objective-column 0",
            "'0' is named twice",
        ),
        (
            "number,values_0,values_1,params_angle,params_blades,state",
            "--objective-column 0 --objective-column 1 --objective-column 2",
            "3 columns are named, and objectives are drag, lift",
        ),
        ("%eval_id,obj_fn_1,obj_fn_2,obj_fn_3,angle,blades", "", "no column 'drag' of results"),
    ],
)
def test_columns_that_do_not_tell_the_objectives(ordbo: Call, wing: Path, header: str, options: str, said: str) -> None:
    """What is missing is named, and nothing is recorded."""
    table = f"{header}\n{','.join(str(k) for k in range(1, header.count(',') + 2))}\n"
    refused = ordbo("import", wing, "-", *options.split(), stdin=table.encode())
    assert (refused.status, said in refused.err) == (2, True), refused.err
    assert rows(wing) == []


def test_a_missing_problem_file_of_several_objectives(ordbo: Call, wing: Path) -> None:
    """The hint is a command that writes one into which the trials can be imported."""
    wing.unlink()
    table = wing.with_name("trials.csv")
    table.write_text(
        "number,values_0,values_1,params_angle,params_blades,state\n0,2,3,1,4,COMPLETE\n1,1,2,5,9,COMPLETE\n"
    )
    refused = ordbo("import", wing, table)
    line = shlex.split(refused.err.split("hint: ")[1].split(" #")[0])
    assert ordbo(*line[1:]).status == 0
    assert ordbo("import", wing, table).err == "recorded 2 rows: 2 ok\n"
