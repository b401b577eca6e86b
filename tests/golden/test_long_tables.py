"""Tables that are too long for a golden file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.golden.transcripts import FOLDER, lay_out

ROWS = 100_000
_STATUS = """
import sys
from ordbo_cli.cli import main
status = main(sys.argv[1:])
# Not ru_maxrss, which begins with the size of the process that started this one.
peak = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(peak, file=sys.stderr)
sys.exit(status)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="measures memory as Linux does")
@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("id,angle,blades,drag,status,note\r\n", '{k},{a},{b},{k}e-3,ok,"a, b"\r\n'),
        ("%eval_id interface angle blades drag\n", "{k:8} NO_ID {a:>14} {b:>14} {k:>14}e-3\n"),
    ],
    ids=["csv", "dakota"],
)
def test_a_hundred_thousand_rows(tmp_path: Path, header: str, row: str) -> None:
    """All of them are read, the best is found, in less memory than any laptop has free."""
    table = lay_out(FOLDER / "evaluations" / "empty", tmp_path)
    rows = (row.format(k=ROWS - k, a=k % 12 + 0.25, b=k % 7 + 3) for k in range(ROWS))
    with table.open("w", encoding="utf-8", newline="") as file:
        file.writelines([header, *rows])
    command = [sys.executable, "-c", _STATUS, "status", "drag.yaml", "--json"]
    environment = {**os.environ, "PYTHONPATH": str(FOLDER.parents[1])}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["counts"]["ok"] == ROWS
    assert found["best"]["line"] == ROWS + 1
    assert found["best"]["id"] == 1
    assert int(done.stderr.splitlines()[-1]) * 1024 < 600e6
