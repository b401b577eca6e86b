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
        "there is no Slurm: the tasks of the array run one after the other, as Slurm would call them; of ordbo at once",
        """\
if [ -f "$1" ] && grep -q submitit "$1"; then
    tasks=$(sed -n 's/^#SBATCH --array=0-\\([0-9]*\\).*/\\1/p' "$1")
    cp "$1" /tmp/slurm-script.$$
    echo "Submitted batch job $$"
    export SLURM_JOB_ID=$$ SLURM_NTASKS=1 SLURM_JOB_NUM_NODES=1 SLURM_NODEID=0 SLURM_PROCID=0 SLURM_LOCALID=0
    if [ -z "$tasks" ]; then setsid bash /tmp/slurm-script.$$ >/dev/null 2>&1 & exit; fi
    export SLURM_ARRAY_JOB_ID=$$
    for task in $(seq 0 "$tasks"); do
        SLURM_ARRAY_TASK_ID=$task setsid bash /tmp/slurm-script.$$ >/dev/null 2>&1 &
    done
    exit
fi
case $1 in --array=*) tasks=${1#--array=} && tasks=${tasks%\\%*} && shift ;; esac
cp "$1" /tmp/slurm-script.$$ && trap 'rm -f /tmp/slurm-script.$$' EXIT
echo "Submitted batch job 4711"
for task in $(seq "${tasks%-*}" "${tasks#*-}"); do
    SLURM_ARRAY_TASK_ID=$task SLURM_SUBMIT_DIR=$PWD sh /tmp/slurm-script.$$ >"slurm-4711_$task.out" 2>&1 || true
done""",
    ),
    "squeue": Stub("there is no Slurm: it knows of no job", "exit 0"),
    "scancel": Stub("there is no Slurm: there is nothing to cancel", "exit 0"),
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
    "foamRun": Stub(
        "there is no OpenFOAM: a formula with a jump, and no solution above ten degrees",
        """\
awk '{ sub(";", ""); value[$1] = $2 }
     END { if (value["angle"] > 10) exit 1
           print "# Time Cm Cd Cl"
           print 1, 0, (value["angle"] - 3.2) ^ 2 / 50 + 8 / value["speed"] + 0.1 * (value["speed"] > 40), 1 }' \\
    parameters >coefficients || { echo "FOAM FATAL ERROR: divergence" >&2; exit 1; }
mkdir -p postProcessing/forceCoeffs/0 && mv coefficients postProcessing/forceCoeffs/0/forceCoeffs.dat""",
    ),
    "ccx": Stub(
        "there is no CalculiX: a cantilever by the textbook",
        """\
awk '/^.SHELL SECTION/ { young = /steel/ ? 210000 : 70000; getline thickness }
     END { print " displacements (vx,vy,vz) for set TIP and time  0.1000000E+01\\n"
           printf " %9d %14.6E %14.6E %14.6E\\n", 2, 0, 0, -20 * 200 ^ 3 / (3 * young * 40 * thickness ^ 3 / 12) }' \\
    "$1.inp" >"$1.dat\"""",
    ),
    "energyplus": Stub(
        "there is no EnergyPlus: losses through wall and window, and the sun's gain",
        """\
mkdir -p "$4"
awk -F, '/Thickness/ { wall = $1 }
         /Construction/ { pane = /single/ ? 5.8 : /double/ ? 2.8 : 1.1 }
         /Length/ { window = $1 }
         END { print ",Total Site Energy," 20 + 0.5 / wall + 0.6 * window * pane - (window < 5 ? 2.2 : 1.2) * window
               + 30 * wall }' "$5" >"$4/eplustbl.csv\"""",
    ),
}

SIMULATE = Stub(
    "a simulator that the README's reader has: a drag with a jump, and no result at a large angle",
    """\
for setting; do declare "${setting#--}"; done
awk -v angle="$angle" -v blades="$blades" -v re="$re" -v wall="$wall" 'BEGIN {
    if (angle > 10) exit 1
    print "drag =", (angle - 3.2) ^ 2 / 50 + (blades - 5) ^ 2 / 20 + log(re / 8e5) ^ 2 / 20 + (re > 1e6) / 5 \
        + (wall == "rough") / 9 }'""",
)
# The same where a page's Python calls it: every interpreter imports a module of this name when it starts.
SITECUSTOMIZE = """\
import builtins

builtins.simulate = lambda angle, blades, reynolds, wall: (
    None if angle > 10 else (angle - 3.2) ** 2 / 50 + (blades - 5) ** 2 / 20 + (reynolds > 1e6 or wall == "rough") / 5
)
"""


def write_stubs(folder: Path) -> Path:
    """Write all of them into a folder that is to stand first in PATH, and return it."""
    folder.mkdir()
    for name, stub in STUBS.items():
        _write(folder / name, stub)
    return folder


def write_simulator(place: Path, modules: Path) -> None:
    """Write the reader's own simulator where a page lies, and for its Python into a folder of PYTHONPATH."""
    _write(place / "simulate", SIMULATE)
    modules.mkdir()
    (modules / "sitecustomize.py").write_text(SITECUSTOMIZE, encoding="utf-8")


def _write(path: Path, stub: Stub) -> None:
    path.write_text(f"#!/bin/bash\n# {stub.reason}\n{stub.script}\n", encoding="utf-8")
    path.chmod(0o755)
