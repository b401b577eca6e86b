"""Follows a page of the documentation as its reader does: writes its files, types its commands, reads what they print.

A page has these kinds of blocks, and no others, so that nothing on it goes untried:

- a file: the line above the block ends with its name, which holds a dot or a slash: ```` `drag.yaml`: ````;
- ``sh``: commands, typed one block after the other into one shell;
- ``python``: a program, for which the shell starts Python;
- ``text``: what the block above it prints, output and errors as they come on a terminal. ``...`` is any part of a
  line, and on a line of its own any number of lines; how wide the columns of a table are is no matter;
- a block that cannot be tried, below a comment that says why: ``<!-- untried: it installs a compiler -->``;
- a directive of the site, such as ``{toctree}``, which is nothing to try.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from shlex import quote

_FENCE = re.compile(r"^( *)(```|~~~)(.*)$")
_CAPTION = re.compile(r"`(\w[\w/.-]*[./][\w.-]+)`:$")
_UNTRIED = re.compile(r"<!-- untried: (\S.*) -->$")
_DONE = "=== page step done ==="
_ALL_DIGITS = re.compile(r"(\d\.\d{3})\d{7,}")  # of a figure whose last ones another machine rounds otherwise
_SECONDS = re.compile(r"\b\d+\.\d+ s\b|(?<=\()\d+ s(?=\))")  # that something took
_LONGEST = 600.0  # s, after which a page hangs
_TYPED: dict[str, Callable[[str], str]] = {"sh": str, "python": lambda text: f"python3 -c {quote(text)}\n"}


class PageError(Exception):
    """A page cannot be read: a block on it would go untried."""


@dataclass(frozen=True)
class File:
    """A file that the reader is given."""

    line: int
    name: str
    text: str


@dataclass(frozen=True)
class Commands:
    """What the reader types, and what the page says that it prints: None where it says nothing."""

    line: int
    text: str
    shown: str | None = None
    shown_line: int = 0


@dataclass(frozen=True)
class Untried:
    """A block that the reader alone can try, and why."""

    line: int
    reason: str


Step = File | Commands | Untried


@dataclass(frozen=True)
class Followed:
    """What came of a page: each step's output, up to the one that failed; where the page lies; the failure."""

    outputs: tuple[str, ...]
    lies: tuple[str, ...]
    failure: str = ""


def steps_of(page: str) -> tuple[Step, ...]:
    """Return what a page has its reader do, in order.

    Raises:
        PageError: a block is of no kind that is tried, or has no end.
    """
    steps: list[Step] = []
    for line, above, language, text in _blocks(page):
        last = steps[-1] if steps else None
        if reason := _UNTRIED.match(above):
            steps.append(Untried(line, reason[1]))
        elif caption := _CAPTION.search(above):
            steps.append(File(line, caption[1], text))
        elif language in _TYPED:
            steps.append(Commands(line, _TYPED[language](text)))
        elif language == "text" and isinstance(last, Commands) and last.shown is None:
            steps[-1] = replace(last, shown=text, shown_line=line)
        elif not language.startswith("{"):
            raise PageError(f"line {line}: neither commands (sh, python), nor their output (text), nor a file's text")
    return tuple(steps)


def _blocks(page: str) -> Iterator[tuple[int, str, str, str]]:
    """Yield the line, the last line of text above, the language and the text of each fenced block."""
    lines = page.splitlines()
    above, number = "", 0
    while number < len(lines):
        fence = _FENCE.match(lines[number])
        if fence is None:
            above = lines[number] or above
            number += 1
            continue
        end = next((k for k in range(number + 1, len(lines)) if lines[k] == fence[1] + fence[2]), None)
        if end is None or fence[1]:
            raise PageError(f"line {number + 1}: a block that is indented or has no end")
        yield number + 1, above, fence[3], "".join(f"{line}\n" for line in lines[number + 1 : end])
        above, number = "", end + 1


def agrees(shown: str, came: str) -> bool:
    """Return whether output is what a page shows."""
    pattern = "".join(map(_pattern, shown.splitlines()))
    return re.fullmatch(pattern, _narrow("".join(_lines(came)))) is not None


def _pattern(shown: str) -> str:
    if shown.strip() == "...":
        return r"(?:.*\n)*"
    return re.escape(_narrow(shown.rstrip())).replace(r"\.\.\.", ".*") + r"\n"


def _lines(came: str) -> list[str]:
    return [f"{line.rstrip()}\n" for line in came.rstrip().splitlines()]


def _narrow(text: str) -> str:
    return re.sub(" +", " ", text)


def follow(page: str, folder: Path, environment: Mapping[str, str]) -> Followed:
    """Follow a page in the folder ``page`` of a folder that is else its own.

    Raises:
        PageError: it cannot be read.
    """
    steps = steps_of(page)
    status, came = _run(steps, folder, environment)
    parts = came.split(f"\n{_DONE}\n")
    outputs = tuple(parts if status != 0 else parts[:-1])
    lies = tuple(
        f"line {step.shown_line} shows\n{step.shown}but line {step.line} printed\n{output}"
        for step, output in zip(steps, outputs, strict=False)
        if isinstance(step, Commands) and step.shown is not None and not agrees(step.shown, output)
    )
    if status == 0:
        return Followed(outputs, lies)
    failure = f"line {steps[len(outputs) - 1].line} ended with {status} and printed\n{outputs[-1]}"
    return Followed(outputs, lies, failure)


def _run(steps: Sequence[Step], folder: Path, environment: Mapping[str, str]) -> tuple[int, str]:
    """Return the exit status of a shell that takes all steps, and what they printed, one part each."""
    script, output = folder / "page.sh", folder / "page.out"
    place = folder / "page"
    place.mkdir(exist_ok=True)
    script.write_text("set -euo pipefail\n" + "".join(map(_typed, steps)), encoding="utf-8")
    with output.open("wb") as sink:  # a file: what a page starts in the background would hold a pipe open
        shell = subprocess.Popen(
            ["bash", str(script)],
            cwd=place,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            status = shell.wait(_LONGEST)
        except subprocess.TimeoutExpired:
            status = -signal.SIGALRM
        finally:
            with suppress(ProcessLookupError):  # what is left in the background
                os.killpg(shell.pid, signal.SIGKILL)
            shell.wait()
    return status, output.read_text(encoding="utf-8").replace(str(place), "...")


def _typed(step: Step) -> str:
    """Return what the shell does for a step, and the mark that ends its output."""
    if isinstance(step, File):
        name = quote(step.name)
        text = f'mkdir -p "$(dirname {name})"\nprintf %s {quote(step.text)} >{name}\n'
    elif isinstance(step, Commands):
        text = step.text
    else:
        text = ""
    return f"{text}printf '\\n%s\\n' {quote(_DONE)}\n"


def rewritten(page: str, outputs: Sequence[str]) -> str:
    """Return a page that shows what came, with wildcards for times and last digits; lines that were true stay."""
    lines = page.splitlines()
    for step, output in reversed(list(zip(steps_of(page), outputs, strict=False))):
        if isinstance(step, Commands) and step.shown is not None and not agrees(step.shown, output):
            old = [line for line in step.shown.splitlines() if line.strip() != "..."]
            new = [next((line for line in old if agrees(line, came)), _lasting(came)) for came in _lines(output)]
            lines[step.shown_line : step.shown_line + len(step.shown.splitlines())] = new
    return "".join(f"{line}\n" for line in lines)


def _lasting(came: str) -> str:
    return _SECONDS.sub("... s", _ALL_DIGITS.sub(r"\1...", came.rstrip()))
