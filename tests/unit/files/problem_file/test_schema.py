"""The table validates as its JSON Schema does."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest

from ordbo_cli.errors import ManyErrors
from ordbo_cli.files.problem_file.problem_file import ProblemFile
from ordbo_cli.files.problem_file.schema import METHOD, OBJECTIVE, PARAMETER, PRIOR, PROBLEM, SCHEDULE, json_schema
from ordbo_cli.files.problem_file.schema_records import RecordKind
from ordbo_cli.files.problem_file.yaml_nodes import parse
from ordbo_cli.files.problem_file.yaml_tree import Listing, Node, ProblemFaults, Scalar, YamlMapping

OBJ = "objective: {name: y, goal: minimize}"
PAR = "parameters: {x: {min: 0, max: 1}}"

SOUND = [
    f"{OBJ}\n{PAR}",
    f"{OBJ}\n{PAR}\nversion: 1\nseed: 3.0\nnoise: true\nfailed: ignore\nevaluations: a.csv\nstate: b.json",
    f"objective: {{direction: max}}\n{PAR}",
    f"{OBJ}\nparameters: [{{name: x, bounds: [0, 1]}}, {{name: z, value: 3}}]",
    f"{OBJ}\nparameters: {{x: {{low: 1, high: 2, log: true}}, z: {{lower: 1, upper: 2, type: int, step: 1}}}}",
    f"{OBJ}\nparameters: {{x: {{min: 1e-3, max: 2, digits: 3, scale: log}}, z: {{value: word}}, t: {{value: true}}}}",
    f"{OBJ}\nparameters: {{x: {{type: ordinal, values: [a, b]}}, y2: {{choices: [1, 2.5]}}, z: {{sequence: [3, 1]}}}}",
    f"{OBJ}\nparameters: {{x: {{categories: [a, true]}}, z: {{type: bool}}, t: {{type: bool, value: true}}}}",
    f"{OBJ}\nparameters: {{x: {{type: choice, values: [a, 1]}}, z: {{min: 0, max: 1, when: {{x: [a, 1]}}}}}}",
    f"{OBJ}\nparameters: {{x: {{type: bool}}, z: {{type: bool, when: {{x: true}}}}, t: {{type: ordinal, value: a}}}}",
    f"objective: {{goal: min, values: [a, b, true]}}\n{PAR}",
    f"{OBJ}\n{PAR}\nmethod: metric-free",
    f"{OBJ}\n{PAR}\nconstraints: []",
    f"{OBJ}\n{PAR}\nconstraints: [x < 0.5, 'x > 0.1 or x == 0']",
    f"{OBJ}\n{PAR}\nconstraints: x < 0.5",
    f"{OBJ}\n{PAR}\nmethod: {{preset: paper, acquisition: ei, beta: 1.5, prior: none, drift: none, initial: 6}}",
    f"{OBJ}\n{PAR}\nmethod: {{prior: {{centre: 0.5, length: 5, spread: 0.7, shift: 0}}, corners: false, drift: 1}}",
    f"{OBJ}\n{PAR}\nmethod: {{beta: theory}}",
    f"{OBJ}\n{PAR}\nmethod: {{beta: {{delta: 0.05, c1: 2, c2: 1.5, scale: 0.1}}}}",
    f"{OBJ}\n{PAR}\nmethod: {{prior: {{centre: equal}}, engine: gpflow, explore_every: 5, samples: 10, warm: false}}",
]
WRONG = [
    PAR,
    OBJ,
    "[]",
    f"objective: {{name: y}}\n{PAR}",
    f"objective: y\n{PAR}",
    f"objective: {{goal: minimise it}}\n{PAR}",
    f"objective: {{name: '', goal: minimize}}\n{PAR}",
    f"{OBJ}\n{PAR}\nextra: 1",
    f"{OBJ}\n{PAR}\nversion: 2",
    f"{OBJ}\n{PAR}\nseed: -1",
    f"{OBJ}\n{PAR}\nseed: 1.5",
    f"{OBJ}\n{PAR}\nnoise: yes",
    f"{OBJ}\n{PAR}\nevaluations: 3",
    f"{OBJ}\n{PAR}\nconstraints: 3",
    f"{OBJ}\n{PAR}\nconstraints: [3]",
    f"{OBJ}\nparameters: {{}}",
    f"{OBJ}\nparameters: []",
    f"{OBJ}\nparameters: [{{min: 0, max: 1}}]",
    f"{OBJ}\nparameters: {{x: 3}}",
    f"{OBJ}\nparameters: {{x: {{min: 0}}}}",
    f"{OBJ}\nparameters: {{x: {{min: a, max: 1}}}}",
    f"{OBJ}\nparameters: {{x: {{min: 0, max: 1, step: 0}}}}",
    f"{OBJ}\nparameters: {{x: {{min: 0, max: 1, digits: 16}}}}",
    f"{OBJ}\nparameters: {{x: {{min: 0, max: 1, type: ordinal}}}}",
    f"{OBJ}\nparameters: {{x: {{bounds: [0]}}}}",
    f"{OBJ}\nparameters: {{x: {{min: 0, max: 1, log: 1}}}}",
    f"{OBJ}\nparameters: {{x: {{min: 0, max: 1}}, z: {{value: }}}}",
    f"{OBJ}\nparameters: {{x: {{values: []}}}}",
    f"{OBJ}\nparameters: {{x: {{type: ordinal, values: [1, 1]}}}}",
    f"{OBJ}\nparameters: {{x: {{type: ordinal, values: [a, {{}}]}}}}",
    f"{OBJ}\nparameters: {{x: {{type: choice}}, z: {{min: 0, max: 1}}}}",
    f"{OBJ}\nparameters: {{x: {{type: bool}}, z: {{min: 0, max: 1, when: {{}}}}}}",
    f"{OBJ}\nparameters: {{x: {{type: bool}}, z: {{min: 0, max: 1, when: {{x: []}}}}}}",
    f"objective: {{goal: min, values: [a]}}\n{PAR}",
    f"objective: {{goal: min, values: [a, 1]}}\n{PAR}",
    f"{OBJ}\n{PAR}\nmethod: best",
    f"{OBJ}\n{PAR}\nmethod: 3",
    f"{OBJ}\n{PAR}\nmethod: {{beta: theorie}}",
    f"{OBJ}\n{PAR}\nmethod: {{beta: {{delta: 0}}}}",
    f"{OBJ}\n{PAR}\nmethod: {{beta: {{c1: 0.9}}}}",
    f"{OBJ}\n{PAR}\nmethod: {{beta: -1}}",
    f"{OBJ}\n{PAR}\nmethod: {{prior: some}}",
    f"{OBJ}\n{PAR}\nmethod: {{prior: {{centre: 1.5}}}}",
    f"{OBJ}\n{PAR}\nmethod: {{drift: 0}}",
    f"{OBJ}\n{PAR}\nmethod: {{iterations: 0}}",
    f"{OBJ}\n{PAR}\nmethod: {{margin: 0.6}}",
]

DEFAULTS = [  # where the settings of each mapping stand in a file
    (PROBLEM, f"{OBJ}\n{PAR}\n%s"),
    (OBJECTIVE, f"objective: {{goal: min, %s}}\n{PAR}"),
    (PARAMETER, f"{OBJ}\nparameters: {{x: {{min: 1, max: 2, %s}}}}"),
    (METHOD, f"{OBJ}\n{PAR}\nmethod: {{%s}}"),
    (PRIOR, f"{OBJ}\n{PAR}\nmethod: {{prior: {{%s}}}}"),
    (SCHEDULE, f"{OBJ}\n{PAR}\nmethod: {{beta: {{%s}}}}"),
]


def plain(node: Node | None) -> Any:
    """Return a tree as the values that an editor's YAML 1.2 reader sees."""
    assert node is not None
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Listing):
        return [plain(item) for item in node.items]
    assert isinstance(node, YamlMapping)
    return {key: plain(value) for key, (_, value) in node.entries.items()}


def test_the_schema_is_a_schema() -> None:
    """It is valid by the draft that it names."""
    jsonschema.Draft202012Validator.check_schema(json_schema())
    assert json_schema()["$schema"].endswith("2020-12/schema")


@pytest.mark.parametrize(("text", "sound"), [(text, True) for text in SOUND] + [(text, False) for text in WRONG])
def test_schema_and_reader_agree(loaded: Callable[[str], ProblemFile], text: str, sound: bool) -> None:
    """A file is taken by both or refused by both."""
    instance = plain(parse(text.encode(), ProblemFaults("p.yaml")))
    assert jsonschema.Draft202012Validator(json_schema()).is_valid(instance) is sound
    if sound:
        assert loaded(text).problem.objective
    else:
        with pytest.raises(ManyErrors):
            loaded(text)


@pytest.mark.parametrize(("record", "file", "key"), [(*each, key) for each in DEFAULTS for key in each[0].defaults])
def test_a_default_that_is_written_out_changes_nothing(
    loaded: Callable[[str], ProblemFile], record: RecordKind, file: str, key: str
) -> None:
    """What the schema says of a setting that is left out is what it is."""
    assert loaded(file % f"{key}: {json.dumps(record.defaults[key])}").problem == loaded(file % "").problem


@pytest.mark.parametrize("record", [PROBLEM, OBJECTIVE, PARAMETER, METHOD, PRIOR], ids=lambda record: record.what)
def test_every_setting_has_its_meaning(record: RecordKind) -> None:
    """Editors show one sentence for each setting."""
    assert all(key.meaning.endswith(".") for key in record.keys.values())
