"""Tables of campaigns: what a problem file says of them, and what their rows become."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from ordbo_cli.errors import ManyErrors, MissingFileError, ProblemErrors
from ordbo_cli.files.problem_file.problem_file import ProblemFile, load_problem, read_problem
from ordbo_cli.files.problem_file.schema import json_schema
from ordbo_cli.files.state import settings_digest
from ordbo_cli.problem import Campaign
from ordbo_cli.study.study import Study

HEAD = """\
objective: {name: drag, goal: minimize}
parameters:
  height: {min: 0, max: 1, unit: m}
  heat: {min: 250, max: 400}
  alloy: {type: categorical, values: [steel, brass]}
  blades: {type: int, min: 3, max: 9}
outcomes: {stress: {max: 250}}
"""
RIG = (
    "H (mm),heat,alloy,Cd,stress\n250,20,St37,0.5,100\n125,100,brass,>0.75,100\n500,30,St37,failed,\n100,1,St37,9,300\n"
)
ENTRY = (
    "{file: rig.csv, campaign: rig, columns: {height: H (mm), drag: Cd}, factor: {height: 0.001},"
    " offset: {heat: 273.15}, levels: {alloy: {St37: steel}}, assume: {blades: 4}}"
)


def file(folder: Path, entries: str = f"[{ENTRY}]", head: str = HEAD, **tables: str) -> ProblemFile:
    """Return a problem file in a folder, with tables beside it."""
    for name, text in {"rig": RIG, **tables}.items():
        (folder / f"{name}.csv").write_text(text)
    path = folder / "p.yaml"
    path.write_text(f"{head}evaluations: {entries}\n")
    return load_problem(path)


def campaigns(file: ProblemFile) -> tuple[Campaign, ...]:
    """Return the campaigns of a study."""
    return Study.open(file.path).read().campaigns


def faults(text: str) -> list[str]:
    """Return the errors of a problem file."""
    with pytest.raises(ProblemErrors) as error:
        read_problem((HEAD + text).encode(), Path("p.yaml"))
    return [str(each) for each in error.value.errors]


def test_names_units_words_and_what_is_missing(tmp_path: Path) -> None:
    """A factor makes the nearest double of the exact product; failures, limits and broken outcomes are the study's."""
    (rig,) = campaigns(file(tmp_path))
    assert rig.name == "rig"
    assert [each.values for each in rig.evaluations] == [
        (0.25, 293.15, 0, 4), (0.125, 373.15, 1, 4), (0.5, 303.15, 0, 4), (0.1, 274.15, 0, 4),
    ]  # fmt: skip
    assert [each.objective for each in rig.evaluations] == [Decimal("0.5"), Decimal("0.75"), None, None]
    assert [each.censored for each in rig.evaluations] == ["", "above", "", ""]
    assert [each.outcomes for each in rig.evaluations] == [(100,), (100,), (), (300,)]


def test_results_have_units_too(tmp_path: Path) -> None:
    """A negative factor turns an objective and the sides of its limits round; an outcome is judged in our units."""
    entry = ENTRY.replace("height: 0.001", "height: 0.001, drag: -2, stress: 1e-6")
    table = RIG.replace(",100\n", ",100e6\n").replace(",300\n", ",3e8\n")
    (rig,) = campaigns(file(tmp_path, f"[{entry}]", rig=table))
    assert [each.objective for each in rig.evaluations] == [Decimal("-1.0"), Decimal("-1.5"), None, None]
    assert [each.censored for each in rig.evaluations][1] == "below"
    assert rig.evaluations[3].outcomes[0] == 300


def test_an_outcome_without_a_column_is_not_judged(tmp_path: Path) -> None:
    """It counts as kept, and people are told so; an objective without a column is an error."""
    table = "\n".join(line.rpartition(",")[0] for line in RIG.splitlines())
    made = file(tmp_path, rig=table)
    (rig,) = campaigns(made)
    assert [each.objective for each in rig.evaluations] == [Decimal("0.5"), Decimal("0.75"), None, Decimal(9)]
    assert [made.problem.is_infeasible(each) for each in rig.evaluations] == [False] * 4
    assert any(
        "there is no stress, which is not judged there" in each for each in Study.open(made.path).read().warnings
    )
    with pytest.raises(ManyErrors, match=r"rig.csv:1:1: there is no column 'Cd'"):
        campaigns(file(tmp_path, rig=RIG.replace("Cd", "lift")))


def test_a_broken_row_is_named(tmp_path: Path) -> None:
    """With file, line and column, also by check, which goes on to the other files."""
    made = file(tmp_path, rig=RIG.replace("125,100,brass", "125,100,gold"))
    with pytest.raises(ManyErrors) as error:
        campaigns(made)
    assert "rig.csv:3:9: column 'alloy': 'gold' is none of its values" in str(error.value.errors[0])
    (tmp_path / "p.csv").write_text("height,heat,alloy,blades,drag,stress\n1,300,gold,3,1,1\n")
    with pytest.raises(ManyErrors) as error:
        Study.open(made.path).check()
    assert [str(each).rpartition("/")[2][:7] for each in error.value.errors] == ["p.csv:2", "rig.csv"]


def test_a_table_that_is_not_there(tmp_path: Path) -> None:
    """It was named, so that is an error; the study's own may come later."""
    with pytest.raises(MissingFileError, match="there is no such table of the campaign rig"):
        campaigns(file(tmp_path, f"[{ENTRY.replace('rig.csv', 'rag.csv')}]"))


def test_several_tables_and_a_column_make_one_campaign(tmp_path: Path) -> None:
    """By their names: of tables, of rows in another campaign's table, and of rows in the study's own."""
    own = "height,heat,alloy,blades,drag,stress,campaign\n0.1,300,steel,3,1,1,\n0.2,300,steel,3,2,1,rig\n"
    more = own.replace(",rig", ",other").replace("0.1,", "0.3,")
    entries = f"[own.csv, {ENTRY}, {{file: more.csv, campaign: rig}}]"
    found = campaigns(file(tmp_path, entries, own=own, more=more))
    assert {each.name: len(each.evaluations) for each in found} == {"rig": 1 + 4 + 1, "other": 1}
    assert found[0].evaluations[0].values == (0.2, 300.0, 0, 3)


def test_other_constants_of_a_campaign(tmp_path: Path) -> None:
    """A fixed parameter may have another value in all rows; where they differ, those of the study's value count."""
    head = HEAD.replace("  blades: {type: int, min: 3, max: 9}", "  blades: {value: 3}")
    row = "height,heat,alloy,blades,drag,stress\n0.1,300,steel,{},1,1\n0.2,300,steel,{},2,1\n"
    (same,) = campaigns(file(tmp_path, "[{file: rig.csv}]", head, rig=row.format(7, 7)))
    assert len(same.evaluations) == 2
    made = file(tmp_path, "[{file: rig.csv}]", head, rig=row.format(7, 3))
    assert [each.values[0] for each in campaigns(made)[0].evaluations] == [0.2]
    assert any("set aside: blades is 7, not 3" in each for each in Study.open(made.path).read().warnings)


def test_amended_and_open_rows_of_a_campaign(tmp_path: Path) -> None:
    """Of the rows of an id the last one stands; what has no result is passed over, whatever it waits for."""
    table = "id,height,heat,alloy,blades,drag,stress,status\n1,0.1,300,steel,3,5,1,\n1,0.1,300,steel,3,6,1,\n"
    table += "2,0.2,300,steel,3,,,pending\n3,0.3,300,steel,3,,,\n4,0.4,300,steel,3,,,retry\n"
    (rig,) = campaigns(file(tmp_path, "[{file: rig.csv}]", rig=table))
    assert [each.objective for each in rig.evaluations] == [Decimal(6)]


def test_a_column_of_numbers_is_no_id(tmp_path: Path) -> None:
    """A campaign's own numbers may stand twice: nobody needs its ids."""
    table = "No,height,heat,alloy,blades,drag,stress\n1,0.1,300,steel,3,5,1\n1,0.2,300,steel,3,6,1\n"
    (rig,) = campaigns(file(tmp_path, "[{file: rig.csv}]", rig=table.replace("No", "ID")))
    assert len(rig.evaluations) == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("evaluations: [a.csv, b.csv]\n", "p.yaml:8:22: a second table of the study's own"),
        ("evaluations: [{campaign: rig}]\n", "p.yaml:8:15: a campaign has no file"),
        ("evaluations: [{file: r.csv, column: {}}]\n", "p.yaml:8:29: the key 'column' is unknown in a campaign"),
        ("evaluations: [{file: p.csv}]\n", "the table of a campaign and the evaluations are the same file"),
        ("evaluations: [{file: p.yaml}]\n", "the table of a campaign and the problem file are the same file"),
        ("evaluations: [{file: a/old.csv}, {file: b/old.csv}]\n", "two campaigns would be called 'old'"),
        ("evaluations: [{file: r.csv, columns: {hight: H}}]\n", "p.yaml:8:39: 'hight' is no name of the problem"),
        ("evaluations: [{file: r.csv, columns: {height: H, heat: H}}]\n", "would be that of 'height' and of 'heat'"),
        ("evaluations: [{file: r.csv, assume: {alloy: gold}}]\n", "p.yaml:8:45: 'gold' is no value of 'alloy'"),
        ("evaluations: [{file: r.csv, assume: {drag: 3}}]\n", "'drag' is no parameter"),
        ("evaluations: [{file: r.csv, factor: {alloy: 3}}]\n", "'alloy' has words, and no numbers"),
        ("evaluations: [{file: r.csv, factor: {height: 0}}]\n", "a factor of 0"),
        ("evaluations: [{file: r.csv, offset: {height: much}}]\n", "'much' stands where a number is expected"),
        ("evaluations: [{file: r.csv, levels: {alloy: {St: stel}}}]\n", "p.yaml:8:50: 'stel' is no value of it"),
        ("evaluations: [{file: r.csv, levels: {height: {a: b}}}]\n", "'height' has no levels"),
        ("evaluations: [{file: r.csv, factor: 3}]\n", "3 stands where names with values are expected"),
        ("evaluations: [3]\n", "3 stands where the name of a file is expected"),
    ],
)
def test_what_is_refused(text: str, said: str) -> None:
    """Each mistake at its place, with what was meant."""
    found = faults(text)
    assert any(said in each for each in found), found
    assert len(found) == 1


def test_ranked_parameters_do_not_go_with_campaigns(tmp_path: Path) -> None:
    """Their settings are known by their neighbours in one table alone."""
    head = "objective: {name: y, goal: minimize}\nparameters: {knob: {type: ranked}}\n"
    with pytest.raises(ProblemErrors, match="'knob', of type ranked, are not supported together"):
        file(tmp_path, "[{file: rig.csv}]", head)


def test_the_schema_takes_what_the_reader_takes() -> None:
    """Editors see campaigns as they are read."""
    valid = Draft202012Validator(json_schema()).is_valid
    rest = {"objective": {"goal": "minimize"}, "parameters": {"x": {"min": 0, "max": 1}}}
    entry = {"file": "r.csv", "factor": {"x": 0.1}, "levels": {"x": {"a": "b"}}, "assume": {"x": 3}}
    assert valid({**rest, "evaluations": ["own.csv", entry]})
    assert valid({**rest, "evaluations": "own.csv"})
    assert not valid({**rest, "evaluations": [{"campaign": "rig"}]})
    assert not valid({**rest, "evaluations": [{**entry, "factor": {"x": "much"}}]})


def test_a_campaign_makes_no_other_problem(tmp_path: Path) -> None:
    """The fit and the state of a study outlive a campaign that comes, changes or goes."""
    made = file(tmp_path)
    assert settings_digest(made.problem) == settings_digest(read_problem(HEAD.encode(), Path("p.yaml")).problem)
    assert made.evaluations.name == "p.csv"
