"""A Slurm cluster of one node, made of Slurm's own daemons, and programs that stand in for one."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

DAEMONS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "srun", "sinfo")
_CONF = """\
ClusterName=one
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/ctld.pid
SlurmdPidFile={folder}/d.pid
SlurmctldLogFile={folder}/ctld.log
SlurmdLogFile={folder}/d.log
SlurmctldPort={ctld}
SlurmdPort={d}
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
MpiDefault=none
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SchedulerParameters=batch_sched_delay=0
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=main Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""
SBATCH = """\
import os, re, subprocess, sys
script = open(sys.argv[1]).read()
if "--partition=nope" in script:
    sys.exit("sbatch: error: invalid partition specified: nope")
folder = os.environ["STAND_IN"]
number = 1 + len(os.listdir(folder))
found = re.search(r"--array=0-(\\d+)", script)
for task in range(1 + int(found[1])) if found else (None,):
    name = f"{number}" if task is None else f"{number}_{task}"
    own = {"SLURM_JOB_ID": name, "SLURM_NTASKS": "1", "SLURM_JOB_NUM_NODES": "1", "SLURM_NODEID": "0"}
    own |= {"SLURM_PROCID": "0", "SLURM_LOCALID": "0", "SLURM_JOB_NODELIST": "here"}
    if task is not None:
        own |= {"SLURM_ARRAY_JOB_ID": str(number), "SLURM_ARRAY_TASK_ID": str(task)}
    job = subprocess.Popen(["bash", sys.argv[1]], env={**os.environ, **own}, stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    open(os.path.join(folder, name), "w").write(str(job.pid))
print(f"Submitted batch job {number}")
"""
SQUEUE = """\
import os
folder = os.environ["STAND_IN"]
for name in os.listdir(folder):
    pid = open(os.path.join(folder, name)).read()
    if os.path.exists(f"/proc/{pid}/stat") and open(f"/proc/{pid}/stat").read().split()[2] != "Z":
        print(name)
"""
SCANCEL = """\
import os, signal, sys
for name in sys.argv[1:]:
    if not name.startswith("-"):
        try:
            os.killpg(int(open(os.path.join(os.environ["STAND_IN"], name)).read()), signal.SIGTERM)
        except ProcessLookupError:
            pass
"""


def stand_ins(folder: Path) -> dict[str, str]:
    """Return the environment of a machine whose Slurm is a few scripts: jobs run at once, on this machine."""
    programs, jobs = folder / "bin", folder / "jobs"
    programs.mkdir()
    jobs.mkdir()
    for name, script in (("sbatch", SBATCH), ("squeue", SQUEUE), ("scancel", SCANCEL), ("srun", "")):
        program = programs / name
        program.write_text(f"#!{sys.executable}\n{script}")
        program.chmod(0o755)
    return {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "STAND_IN": str(jobs)}


def missing() -> str:
    """Return which of Slurm's programs is not there, "" where all are."""
    return next((name for name in DAEMONS if shutil.which(name) is None), "")


@contextmanager
def cluster(folder: Path) -> Iterator[dict[str, str]]:
    """Start Slurm's daemons, and yield the environment in which its commands speak to them."""
    host, user = socket.gethostname().split(".")[0], subprocess.check_output(["id", "-un"], text=True).strip()
    ports = [_free_port() for _ in range(2)]
    (folder / "state").mkdir()
    (folder / "spool").mkdir()
    conf = folder / "slurm.conf"
    conf.write_text(_CONF.format(host=host, user=user, folder=folder, ctld=ports[0], d=ports[1]))
    key = folder / "munge.key"
    key.write_bytes(os.urandom(128))
    key.chmod(0o600)
    munge = ["munged", "--foreground", "--force", f"--key-file={key}", f"--socket={folder}/munge.socket"]
    munge += [f"--{name}-file={folder}/munge.{name}" for name in ("pid", "seed", "log")]
    environment = {"SLURM_CONF": str(conf)}
    daemons = []
    try:
        for command in (munge, ["slurmctld", "-D", "-f", str(conf)], ["slurmd", "-D", "-f", str(conf)]):
            with (folder / f"{command[0]}.out").open("wb") as log:
                daemons.append(subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log))
            time.sleep(1.0)
        _wait_until_idle({**os.environ, **environment})
        yield environment
    finally:
        for daemon in reversed(daemons):
            daemon.terminate()
            daemon.wait(30)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_until_idle(environment: dict[str, str]) -> None:
    for _ in range(60):
        said = subprocess.run(["sinfo", "-h", "-o", "%t"], env=environment, capture_output=True, text=True, check=False)
        if said.stdout.strip() == "idle":
            return
        time.sleep(0.5)
    raise RuntimeError(f"Slurm's daemons do not come up: {said.stdout}{said.stderr}")
