"""Run commands one after the other in processes of their own: as they are, without root's powers, or without flock.

Used as ``python -m tests.faults.forked`` with a JSON object ``{"prepare": ..., "commands": [[...], ...]}`` on standard
input; prints a list of [exit status, standard output, standard error].
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.faults.harness import Preparation, drop_privileges, run, without_flock
from tests.faults.kills import load_everything

ROOT = Path(__file__).parents[2]
_PREPARE: dict[str, Preparation] = {"plain": lambda: None, "powerless": drop_privileges, "no-flock": without_flock}


def forked(prepare: str, *commands: Sequence[object]) -> list[tuple[int, str, str]]:
    """Return exit status, output and words of each command, run by a process that is free of threads.

    Args:
        prepare: ``plain``, ``powerless``, or ``no-flock``.
        commands: arguments of ``ordbo``.
    """
    asked = {"prepare": prepare, "commands": [[str(word) for word in command] for command in commands]}
    done = subprocess.run(
        [sys.executable, "-m", "tests.faults.forked"],
        input=json.dumps(asked),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return [(status, out, err) for status, out, err in json.loads(done.stdout)]


def _main() -> None:
    asked = json.load(sys.stdin)
    load_everything()
    ends = [run(command, prepare=_PREPARE[asked["prepare"]]) for command in asked["commands"]]
    print(json.dumps([(end.status, end.out, end.err) for end in ends]))


if __name__ == "__main__":
    _main()
