"""A study as a table of pandas: with pandas itself where it is, and with a stand-in that keeps what it is given."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from ordbo_cli.errors import UsageError
from ordbo_cli.study.study import Study

PROBLEM = """\
objective: {name: strength, goal: maximize}
parameters:
  alloy: {type: categorical, values: [steel, brass]}
  passes: {type: int, min: 1, max: 6, when: {alloy: brass}}
  shielded: {type: bool}
  rank: {min: 0, max: 1}
  stir: {type: ranked}
  span: {value: 2.0}
outcomes: {heat: {max: 100}}
"""
ROWS = """\
id,alloy,passes,shielded,rank,stir,strength,heat,status
1,steel,,true,0.25,any,10,50,ok
2,brass,3,false,0.5,above 1,20,150,ok
3,brass,4,false,1,below 1,>30,50,ok
4,steel,,false,0,above 2,,,failed
5,steel,,false,0.75,below 3,,,pending
"""
COLUMNS = {
    "id": [1, 2, 3, 4, 5],
    "alloy": ["steel", "brass", "brass", "steel", "steel"],
    "passes": [None, 3, 4, None, None],
    "shielded": [True, False, False, False, False],
    "rank": [0.25, 0.5, 1.0, 0.0, 0.75],
    "strength": [10.0, 20.0, 30.0, None, None],
    "heat": [50.0, 150.0, 50.0, None, None],
    "status": ["ok", "ok", "ok", "failed", "pending"],
    "feasible": [True, False, True, None, None],
    "limit": ["", "", "above", "", ""],
    "span": [2.0] * 5,
}
KINDS = {"id": "Int64", "passes": "Int64", "shielded": "boolean", "rank": "float64"}


class Table:
    """Stands in for pandas.DataFrame."""

    def __init__(self, columns: dict[str, list[Any]]) -> None:
        self.columns, self.kinds = columns, dict[str, str]()

    def astype(self, kinds: dict[str, str]) -> Table:
        self.kinds = kinds
        return self


def study_of(folder: Path, problem: str = PROBLEM, rows: str = ROWS) -> Study:
    (folder / "p.yaml").write_text(problem)
    (folder / "p.csv").write_text(rows)
    return Study.open(folder / "p.yaml")


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    pandas = ModuleType("pandas")
    pandas.DataFrame = Table  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pandas", pandas)


@pytest.mark.usefixtures("stand_in")
def test_a_column_for_each_name(tmp_path: Path) -> None:
    """Values are Python's, missing ones None; the user's own column goes before one of ours."""
    study = study_of(tmp_path)
    table: Any = study.to_dataframe()
    assert table.columns.pop("stir") == [each.parameters["stir"] for each in study.points()]
    assert table.columns == COLUMNS
    assert table.kinds == KINDS
    assert next(iter(table.columns)) == "id"


@pytest.mark.usefixtures("stand_in")
def test_words_of_results_and_ranks(tmp_path: Path) -> None:
    """Grades stay words, and without outcomes and limits there is no column for these; ranks count from the best."""
    problem = "objective: {name: y, goal: maximize, values: [poor, good]}\nparameters: {x: {min: 0, max: 1}}\n"
    table: Any = study_of(tmp_path, problem, "x,y\n0,poor\n1,good\n0.5,nan\n").to_dataframe()
    assert table.columns == {
        "id": [1, 2, 3],
        "x": [0.0, 1.0, 0.5],
        "y": ["poor", "good", None],
        "status": ["ok", "ok", "failed"],
        "rank": [2, 1, 3],
    }
    assert table.kinds == {"id": "Int64", "x": "float64", "rank": "Int64"}


@pytest.mark.usefixtures("stand_in")
def test_sides_of_several_objectives_have_columns_of_their_own(tmp_path: Path) -> None:
    """And what failed by one of them has what was measured of the others."""
    problem = "objectives: {drag: minimize, lift: maximize}\nparameters: {x: {min: 0, max: 1}}\n"
    rows = "x,drag,lift\n0,<1,2\n1,2,>3\n0.5,>4,nan\n0.7,nan,<5\n"
    table: Any = study_of(tmp_path, problem, rows).to_dataframe()
    assert {name: table.columns[name] for name in ("drag", "lift", "status", "limit", "limit of lift")} == {
        "drag": [1.0, 2.0, 4.0, None],
        "lift": [2.0, 3.0, None, 5.0],
        "status": ["ok", "ok", "failed", "failed"],
        "limit": ["below", "", "above", ""],
        "limit of lift": ["", "above", "", "below"],
    }


@pytest.mark.usefixtures("stand_in")
def test_a_study_without_points(tmp_path: Path) -> None:
    """It has its columns already."""
    table: Any = study_of(tmp_path, rows="").to_dataframe()
    assert {name: values for name, values in table.columns.items() if values} == {}
    assert "alloy" in table.columns


def test_without_pandas_it_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error of ours, with the command, and with what does without."""
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(UsageError, match=r"needs pandas, which is not installed. Install it: pip install pandas; poin"):
        study_of(tmp_path).to_dataframe()


def test_pandas_takes_it(tmp_path: Path) -> None:
    """Whole numbers stay whole and bools bools although some are missing."""
    pytest.importorskip("pandas", reason="pandas is no dependency of ours, nor of our tests")
    table = study_of(tmp_path).to_dataframe()
    assert {name: str(kind) for name, kind in table.dtypes.items() if name in KINDS} == KINDS
    assert table.loc[table["passes"].notna(), "passes"].tolist() == [3, 4]
    assert table["strength"].max() == 30.0
    assert len(study_of(tmp_path, rows="").to_dataframe()) == 0
