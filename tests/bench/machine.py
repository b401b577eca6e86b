"""Prints the machine and the versions that the other scripts' figures belong to.

Usage: ``python tests/bench/machine.py``.
"""

from __future__ import annotations

import os
import platform
import subprocess
from importlib import metadata
from pathlib import Path
from typing import Final

import scipy.linalg  # noqa: F401  # it loads a BLAS of its own
from threadpoolctl import threadpool_info

from tests.bench.figures import table

PACKAGES: Final = (
    "numpy",
    "scipy",
    "gpflow",
    "tensorflow",
    "optuna",
    "torch",
    "greenlet",
)  # greenlet: speeds up Optuna


def processor() -> str:
    """Return the processor's name."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line.partition(":")[2].strip() for line in cpuinfo.read_text().splitlines() if "model name" in line]
        if names:
            return names[0]
    if platform.system() == "Darwin":
        asked = ["sysctl", "-n", "machdep.cpu.brand_string"]
        return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    return platform.processor() or platform.machine()


def version(package: str) -> str:
    """Return the version of a package, in words where it is not there."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"


def blas() -> str:
    """Return the BLAS libraries of NumPy and SciPy."""
    found = [library for library in threadpool_info() if library["user_api"] == "blas"]
    return ", ".join(sorted({f"{b['internal_api']} {b['version']} ({b.get('architecture', '?')})" for b in found}))


def main() -> None:
    """Print."""
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
    rows = [
        ("processor", f"{processor()}, {os.cpu_count()} cores"),
        ("memory", f"{memory:.0f} GiB"),
        ("system", f"{platform.system()} {platform.release()} {platform.machine()}"),
        ("Python", platform.python_version()),
        ("BLAS", blas()),
        *((package, version(package)) for package in PACKAGES),
    ]
    print(table(("", ""), rows))


if __name__ == "__main__":
    main()
