"""Whether a lock of the system's holds between the machines that share a file system, as far as Linux tells."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

_MOUNTS: Final = Path("/proc/self/mountinfo")
_LOCAL: Final = {  # options with which each file system keeps locks on its own machine
    "nfs": {"nolock", "local_lock=flock", "local_lock=all"},
    "nfs4": {"nolock", "local_lock=flock", "local_lock=all"},
    "lustre": {"localflock", "noflock"},
    "cifs": {"nobrl", "noposix"},
    "smb3": {"nobrl", "noposix"},
}
_DISKS: Final = {"fuseblk"}  # of this machine alone


class Mount(NamedTuple):
    """A file system as it is mounted.

    Args:
        kind: ``nfs4``, ``fuse.sshfs``.
        options: those of the mount and of the file system.
    """

    kind: str
    options: frozenset[str]

    @property
    def is_local(self) -> bool:
        """Whether ``flock`` is held on this machine alone although others may share the files.

        Programs that make a file system (FUSE) seldom hand locks on: sshfs and most others do not.
        """
        if self.kind == "fuse" or self.kind.startswith("fuse."):
            return True
        return not self.options.isdisjoint(_LOCAL.get(self.kind, ()))


def locks_are_local(path: Path) -> bool:
    """Return whether a lock on a file would hold up no other machine that has the same file.

    Args:
        path: of a file that is there.
    """
    try:
        device = os.stat(path).st_dev
    except OSError:
        return False
    mount = _mount_of(device)
    return mount is not None and mount.is_local


@lru_cache(maxsize=64)
def _mount_of(device: int) -> Mount | None:
    """Return the mount of a device; None where nothing says how it is mounted."""
    try:
        text = _MOUNTS.read_text(encoding="utf-8", errors="replace")
    except OSError:  # not Linux
        return None
    return mounts_in(text).get(f"{os.major(device)}:{os.minor(device)}")


def mounts_in(text: str) -> dict[str, Mount]:
    """Return the mounts that ``mountinfo`` tells, by major and minor number of their devices; proc(5) has its format.

    Lines that tell none are passed over.
    """
    found: dict[str, Mount] = {}
    for line in text.splitlines():
        here, dash, there = line.partition(" - ")
        first, last = here.split(), there.split()
        if dash and len(first) >= 6 and len(last) >= 3:
            found[first[2]] = Mount(last[0], frozenset([*first[5].split(","), *last[2].split(",")]))
    return found
