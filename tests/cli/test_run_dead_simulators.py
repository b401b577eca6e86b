"""``ordbo run`` with a simulator that cannot start, dies, or never lived; and what it says of answers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.bowl import BOWL, rows, standing

pytestmark = pytest.mark.slow

Call = Callable[..., Any]


@pytest.mark.parametrize("words", ["licence server down", "ModuleNotFoundError: No module named 'solver'"])
def test_a_wrong_command_does_not_fill_the_file(ordbo: Call, bowl: Path, words: str) -> None:
    """Five failures that no point is the reason of, and no success ever: their points go to the next run."""
    said = ordbo("run", bowl, "--budget", 20, "--", "sh", "-c", f'echo "{words}" >&2; exit 9')
    assert said.status == 2
    assert f"the first 5 evaluations gave no answer: exit status 9: {words}" in said.err
    points = [(row["id"], row["a"], row["b"]) for row in rows(bowl) if row["status"] == "pending"]
    assert len(points) == 5
    assert ordbo("run", bowl, "--budget", 6, "--", "sh", "-c", BOWL).status == 0
    good = [(row["id"], row["a"], row["b"]) for row in rows(bowl) if row["status"] == "ok"]
    assert good[:5] == points
    keep_going = ordbo("run", bowl, "--budget", 12, "--keep-going", "--", "false")
    assert (keep_going.status, len([row for row in rows(bowl) if row["status"] == "ok"])) == (0, 6)


def test_failures_where_nothing_has_succeeded(ordbo: Call, bowl: Path) -> None:
    """A simulator that fails nearly always may be meant so: few failures are recorded, many are not."""
    said = ordbo("run", bowl, "--budget", 8, "--", "false")
    assert (said.status, said.out, len(standing(bowl))) == (2, "", 8)  # as for more of them
    assert said.err.splitlines()[-3:] == [
        "all 8 evaluations are done",
        "error: not one of 8 evaluations gave an answer",
        f"hint: If it was the command's fault, mend it; 'ordbo pending retry {bowl} --failed' has the points evaluated"
        " again",
    ]
    said = ordbo("run", bowl, "--budget", 8, "--max-failures", 3, "--", "false")
    assert (said.status, "error: not one of 8" in said.err) == (2, True)  # the budget was spent
    said = ordbo("run", bowl, "--patience", 8, "--", "false")
    assert (said.status, "warning: not one of 8 evaluations gave an answer. If it was" in said.err) == (3, True)
    assert ordbo("pending", "retry", bowl, "--failed").status == 0
    said = ordbo("run", bowl, "--budget", 30, "--", "false")
    assert said.status == 2
    assert "the first 30 evaluations gave no answer: exit status 1" in said.err
    assert json.loads(ordbo("status", bowl, "--json").out)["counts"]["failed"] == 0


def test_a_simulator_that_dies(ordbo: Call, bowl: Path) -> None:
    """It ends the run with what was seen, and the rest of the budget is for one that works."""
    assert ordbo("run", bowl, "--budget", 31, "--", "sh", "-c", BOWL).status == 0
    said = ordbo("run", bowl, "--budget", 50, "--", "sh", "-c", "exit 1")
    assert said.status == 2
    found = re.search(r"error: (\d+) evaluations in a row failed alike, within [0-9.]+ s: exit status 1", said.err)
    assert found is not None
    assert int(found[1]) >= 6  # those at one spot count once
    assert "--keep-going takes them as failures" in said.err
    counts = json.loads(ordbo("status", bowl, "--json").out)["counts"]
    assert (counts["ok"], counts["failed"], counts["retry"]) == (31, 0, int(found[1]))
    assert ordbo("run", bowl, "--budget", 40, "--", "sh", "-c", BOWL).status == 0
    assert sorted(int(row["id"]) for row in rows(bowl) if row["status"] == "ok") == list(range(1, 41))


def test_the_first_answer_says_where_it_was_read(ordbo: Call, bowl: Path) -> None:
    """In one line, and once; a name in another spelling is taken with a note."""
    said = ordbo("run", bowl, "--budget", 3, "--", "sh", "-c", "echo Y = 86.9 kg; echo finished in 3.21 s")
    assert said.err.count("read from") == 1
    assert "1: y=86.9, read from line 1 of standard output ('Y = 86.9 kg')" in said.err.splitlines()
    assert said.err.count("warning: standard output gives 'Y', which is taken for y") == 1
    assert "read from" not in ordbo("run", bowl, "--budget", 4, "--", "echo", "3").err


def test_a_command_that_cannot_start(ordbo: Call, bowl: Path, tmp_path: Path) -> None:
    """It ends the run, records nothing, and the hint says what to write."""
    said = ordbo("run", bowl, "--", "sh", "-c", "no-such-program {a}")
    assert (said.status, "no-such-program" in said.err, "hint: Mend the command" in said.err) == (66, True, True)
    said = ordbo("run", bowl, "--", "echo 3 {a}")
    assert said.status == 66
    assert "hint: Write it without the quotation marks: -- echo 3 {a}\n" in said.err
    said = ordbo("run", bowl, "--", "echo 3; echo {a} | tail -1")
    assert "hint: Write it without the quotation marks: -- sh -c 'echo 3; echo {a} | tail -1'\n" in said.err
    script = tmp_path / "sim"
    script.write_text("#!/bin/sh\n[ $ORDBO_ID = 3 ] && rm $0\necho $ORDBO_ID\n")
    script.chmod(0o755)
    said = ordbo("run", bowl, "--budget", 20, "--", script)
    assert said.status == 66
    assert "sim: there is no such program" in said.err
    assert {row["status"] for row in rows(bowl)} == {"pending", "ok"}
    assert len([row for row in rows(bowl) if row["status"] == "ok"]) == 3


def test_a_wrong_command_where_rows_have_no_ids(ordbo: Call, bowl: Path) -> None:
    """No row can take a failure back there: it is recorded when a later evaluation has succeeded, or the run ends."""
    bowl.with_suffix(".csv").write_text("a,b,y,status\n")
    said = ordbo("run", bowl, "--max-failures", "5", "--", "false")
    assert said.status == 2
    assert "the first 5 evaluations gave no answer: exit status 1" in said.err
    assert [row["status"] for row in rows(bowl)] == ["pending"] * 5
    assert ordbo("run", bowl, "--budget", 6, "--", "sh", "-c", "[ $ORDBO_ID != 6 ] && echo 1").status == 0
    results = [row["status"] for row in rows(bowl) if row["status"] != "pending"]
    assert results == [*["ok"] * 5, "failed"]


def test_a_budget_of_failures_where_rows_have_no_ids(ordbo: Call, bowl: Path) -> None:
    """They are recorded at its end, as was said; no row takes them back, so the table is to be mended."""
    bowl.with_suffix(".csv").write_text("a,b,y,status\n")
    said = ordbo("run", bowl, "--budget", 2, "--", "false")
    assert said.err.count("; recorded when a later one succeeds, or the run ends\n") == 2
    assert (said.status, [row["status"] for row in rows(bowl)]) == (2, ["pending", "pending", "failed", "failed"])
    assert f"mend it; take their rows out of {bowl.with_suffix('.csv')}\n" in said.err
