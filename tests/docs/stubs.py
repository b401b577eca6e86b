"""Programs that the pages call and that are not here: what stands in for each, and why."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


class Stub(NamedTuple):
    """A program in place of another: the reason, and a script."""

    reason: str
    script: str


STUBS = {
    "dask": Stub(
        "Dask is here, but its command need not stand beside this Python",
        'exec python3 -m dask "$@"',
    ),
    "sbatch": Stub(
        "there is no Slurm: the tasks of the array run one after the other, as Slurm would call them",
        """\
case $1 in --array=*) tasks=${1#--array=} && tasks=${tasks%\\%*} && shift ;; esac
cp "$1" /tmp/slurm-script.$$ && trap 'rm -f /tmp/slurm-script.$$' EXIT
echo "Submitted batch job 4711"
for task in $(seq "${tasks%-*}" "${tasks#*-}"); do
    SLURM_ARRAY_TASK_ID=$task SLURM_SUBMIT_DIR=$PWD sh /tmp/slurm-script.$$ >"slurm-4711_$task.out" 2>&1 || true
done""",
    ),
    "srun": Stub(
        "there is no Slurm: the command runs twice at once, as on two nodes",
        """\
shift 2
"$@" &
sleep 0.3
"$@"
wait""",
    ),
    "mpirun": Stub(
        "there is no MPI: as many processes as asked for, with their rank where Open MPI puts it",
        """\
ranks=1
while :; do
    case $1 in
        -n) ranks=$2 && shift 2 ;;
        --bind-to) shift 2 ;;
        *) break ;;
    esac
done
for rank in $(seq 0 $((ranks - 1))); do OMPI_COMM_WORLD_RANK=$rank "$@" & done
status=0
for job in $(jobs -p); do wait "$job" || status=$?; done
exit $status""",
    ),
}


def write_stubs(folder: Path) -> Path:
    """Write all of them into a folder that is to stand first in PATH, and return it."""
    folder.mkdir()
    for name, stub in STUBS.items():
        (folder / name).write_text(f"#!/bin/bash\n# {stub.reason}\n{stub.script}\n", encoding="utf-8")
        (folder / name).chmod(0o755)
    return folder
