"""Many processes at once: nothing lost, nothing repeated, every file valid at every instant."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from ordbo_cli.study import Study
from ordbo_cli.study.state import load_state

ROOT = Path(__file__).parents[3]
WORKER = """
import sys
from types import ModuleType, SimpleNamespace

module = ModuleType("ordbo_cli.search")
taken = lambda evaluations, pending: {e.values[0] for e in evaluations} | {p[0] for p in pending}
def propose(problem, evaluations, pending, step, fit, avoid):
    used = taken(evaluations, pending)
    angle = next(k / 100 for k in range(1200) if k / 100 not in used)
    return SimpleNamespace(values=(angle, 4), fit={}, diagnostics={})
module.propose = propose
sys.modules["ordbo_cli.search"] = module

from ordbo_cli.study import Study
study = Study.open(sys.argv[1])
for k in range(int(sys.argv[2])):
    suggestion = study.ask(append=k % 2 == 0)
    study.tell(suggestion.values[0], id=suggestion.id)
"""


def test_nothing_is_lost_and_nothing_repeated(problem_path: Path) -> None:
    """Eight processes suggest and observe; a reader polls the files meanwhile."""
    workers, each = 8, 6
    study = Study.open(problem_path)
    running = [
        subprocess.Popen([sys.executable, "-c", WORKER, str(problem_path), str(each)], cwd=ROOT, stderr=subprocess.PIPE)
        for _ in range(workers)
    ]
    polls = 0
    while any(process.poll() is None for process in running):
        assert study.status().ok <= workers * each
        assert load_state(study._file).whole
        polls += 1
    for process in running:
        _, words = process.communicate()
        assert process.returncode == 0, words.decode()
    found = study.status()
    assert polls > 0
    assert (found.ok, found.pending, found.step) == (workers * each, 0, workers * each)
    assert sorted(best.id or 0 for best in found.ranking) == list(range(1, workers * each + 1))
    assert len({best.parameters["angle"] for best in found.ranking}) == workers * each
