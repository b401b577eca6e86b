"""The locale of the machine changes neither what is read nor what is said."""

from __future__ import annotations

import locale
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.calls import Result, caller
from tests.golden.transcripts import FOLDER, lay_out, transcript

ROOT = FOLDER.parents[1]
CASES = [
    FOLDER / "evaluations" / name for name in ("decimal_commas", "extra_columns", "thousands_separators", "latin1")
]
# A program that embeds ordbo may have done what C programs do first.
_GERMAN = "import locale, sys; locale.setlocale(locale.LC_ALL, ''); assert locale.localeconv()['decimal_point'] == ','"
_ORDBO = "import sys; from ordbo_cli.cli import main; sys.exit(main(sys.argv[1:]))"


@pytest.fixture(scope="session")
def german(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a process in Germany; the locale is made here where the machine can and has none."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"}
    if _is_german(environment):
        return environment
    folder = tmp_path_factory.mktemp("locales")
    if shutil.which("localedef"):
        made = ["localedef", "-i", "de_DE", "-f", "UTF-8", str(folder / "de_DE.UTF-8")]
        subprocess.run(made, capture_output=True, check=False)  # the sources of the locale may be missing
    return {**environment, "LOCPATH": str(folder)}


def _is_german(environment: dict[str, str]) -> bool:
    return subprocess.run([sys.executable, "-c", _GERMAN], env=environment, capture_output=True).returncode == 0


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_process_in_germany_says_the_same(case: Path, tmp_path: Path, german: dict[str, str]) -> None:
    """With LC_ALL=de_DE.UTF-8, and with the decimal comma set for the whole process where the locale is there."""
    program = f"{_GERMAN}; {_ORDBO}" if _is_german(german) else _ORDBO

    def call(*words: str) -> Result:
        command = [sys.executable, "-c", program, *words]
        done = subprocess.run(command, cwd=tmp_path, env=german, capture_output=True, timeout=120)
        return Result(done.returncode, done.stdout.decode(), done.stderr.decode())

    assert transcript(lay_out(case, tmp_path), call) == (case / "expected.txt").read_text(encoding="utf-8")


@pytest.fixture
def german_here(german: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """This process in Germany."""
    before = locale.setlocale(locale.LC_ALL)
    if "LOCPATH" in german:
        monkeypatch.setenv("LOCPATH", german["LOCPATH"])
    try:
        locale.setlocale(locale.LC_ALL, "de_DE.UTF-8")
    except locale.Error:
        pytest.skip("this machine has no German locale, nor can it make one")
    yield
    locale.setlocale(locale.LC_ALL, before)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_program_in_germany_gets_the_same(
    case: Path, tmp_path: Path, german_here: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Inside a process whose numbers have commas."""
    assert locale.localeconv()["decimal_point"] == ","
    monkeypatch.chdir(tmp_path)
    expected = (case / "expected.txt").read_text(encoding="utf-8")
    assert transcript(lay_out(case, tmp_path), caller(monkeypatch)) == expected
