"""Hooks of a run: commands that are called when a result, or a new best one, is on record."""

from __future__ import annotations

import contextlib
import os
import shlex
import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Final, NamedTuple

from ordbo_cli.drive.events import Event, Finished
from ordbo_cli.drive.processes.children import CHILDREN, ChildEnding, Streams, part_of
from ordbo_cli.drive.simulation.command import Command
from ordbo_cli.drive.suspicion import remark_on
from ordbo_cli.errors import OrdboError, ProblemError, UsageError
from ordbo_cli.files.values.numbers import printed
from ordbo_cli.files.values.remark import note_of
from ordbo_cli.problem.spelling import Note, environment_name, quoted, shown
from ordbo_cli.study.reporting.entries import Entries, best_entries, remark_entries, told_entries

if TYPE_CHECKING:
    from ordbo_cli.problem import Problem
    from ordbo_cli.study.study import Study
    from ordbo_cli.study.telling.recording import Told

OWN_VARIABLES: Final = ("event", "problem", "id", "status")  # beside parameters and results
LONGEST_CALL: Final = 60.0  # seconds
_SIGNS: Final = {"|", "||", "&&", "&", ";", ">", ">>", "<", "2>", "2>&1"}  # words that a shell alone understands
_GRACE: Final = 1.0  # seconds from SIGTERM to SIGKILL at the end of a run
_SOON: Final = 1.0  # seconds that hooks may take at the end of a run before people are told what it waits for
_TAIL: Final = 1 << 12  # bytes of what was printed in which its last line is looked for


@dataclass(frozen=True)
class Hook:
    """A command that is called, without a shell, where something is on record.

    Args:
        event: what it waits for: ``result`` for any, ``best`` for a new best one.
        words: the program and its arguments.
    """

    event: str
    words: tuple[str, ...]

    @classmethod
    def prepare(cls, problem: Problem, event: str, text: str, cwd: Path) -> Hook:
        """Return a hook of which all is right that can be checked before the run begins.

        Args:
            problem: whose results are handed over.
            event: what it waits for.
            text: the program and its arguments, quoted as for a POSIX shell.
            cwd: the folder in which it is called.

        Raises:
            UsageError: it is empty, or a quotation mark is not closed.
            MissingFileError: there is no such program.
            ProblemError: two names would be one environment variable.
        """
        option = f"--on-{event}"
        try:
            words = tuple(shlex.split(text))
        except ValueError as error:
            raise UsageError(f"{option} is {shown(text)}: {str(error).lower()}", "Quote it as in a shell") from None
        if not words or not words[0]:
            raise UsageError(f"{option} is empty", f"Give a command: {option} './tell.sh'")
        try:
            Command(words, cwd).check_program(words[0])
        except OrdboError as error:
            raise type(error)(f"{option}: {error.message}", error.hint) from None
        _variables(problem)
        return cls(event, words)

    def __str__(self) -> str:
        return f"--on-{self.event} {shown(shlex.join(self.words))}"

    @property
    def looks_like_shell(self) -> str:
        """What it holds that a shell alone would understand, "" for nothing."""
        names = (word for word in self.words[1:] if word in _SIGNS or word.startswith(("$ORDBO_", "${ORDBO_")))
        return next(names, "")


class _Call(NamedTuple):
    variables: Mapping[str, str]
    line: str


class Hooks:
    """Calls hooks, each in a thread of its own, one call after the other: the run waits for them at its end alone.

    A hook that fails, takes too long or prints is warned of once; how often it failed is said at the end.

    Args:
        study: that is driven.
        hooks: what is called; none of them for nothing.
        render: from an answer to its line of JSON.
        warn: tells people something, from those threads.
        timeout: seconds that a call may take, and those that are left at the end of the run together.
    """

    def __init__(
        self,
        study: Study,
        hooks: Sequence[Hook],
        render: Callable[[Entries], str],
        warn: Callable[[str], None],
        timeout: float = LONGEST_CALL,
    ) -> None:
        self._study = study
        self._render = render
        self._warn = warn
        self._timeout = timeout
        self._run = uuid.uuid4().hex
        environment = _without_ours(study.problem) if hooks else {}
        self._callers = [_Caller(hook, self._run, environment, warn, timeout) for hook in hooks]

    def __enter__(self) -> Hooks:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close(0.0 if kind is KeyboardInterrupt else self._timeout)

    def watch(self, event: Event) -> None:
        """Have hooks called for a result that is on record."""
        if not self._callers or not isinstance(event, Finished) or event.told is None or not event.told.new:
            return
        happened = {"result"} | ({"best"} if _is_best(event, self._study.problem) else set())
        for caller in self._callers:
            if caller.hook.event in happened:
                caller.calls.put(self._call_of(caller.hook, event, event.told))

    def close(self, seconds: float) -> None:
        """Let the calls that are left come to their end, end those that do not, and say how often any failed.

        Args:
            seconds: that they may take.
        """
        for caller in self._callers:
            caller.calls.put(None)
        try:
            if not self._have_ended(min(seconds, _SOON)) and seconds > _SOON:
                self._warn(Note(f"waiting for hooks, up to {seconds:g} s; an interrupt ends them"))
                self._have_ended(seconds - _SOON)
        finally:
            if not self._have_ended(0.0):
                CHILDREN.end(_GRACE, run=self._run)
                self._have_ended(_SOON)
            for caller in self._callers:
                caller.tell_end()

    def _have_ended(self, seconds: float) -> bool:
        """Return whether all calls have been made, within some time."""
        end = time.monotonic() + seconds
        for caller in self._callers:
            caller.thread.join(max(0.0, end - time.monotonic()))
        return not any(caller.thread.is_alive() for caller in self._callers)

    def _call_of(self, hook: Hook, event: Finished, told: Told) -> _Call:
        problem, status = self._study.problem, event.status
        path = str(self._study.problem_path.absolute())
        content: Entries = {
            "event": hook.event,
            "problem": path,
            "told": {**told_entries(told, problem), **remark_entries(remark_on(event.job, event.answer))},
            "best": None if status.best is None else best_entries(status.best, problem),
            "counts": {word: getattr(status, word) for word in ("ok", "failed", "pending")},
        }
        values = {
            **{name: printed(value) for name, value in told.parameters.items()},
            **({} if told.objective is None else {problem.objective: told.objective}),
            **told.outcomes,
            "event": hook.event,
            "problem": path,
            "id": "" if told.id is None else str(told.id),
            "status": told.status,
        }
        known = _variables(problem)
        return _Call({known[name]: value for name, value in values.items()}, self._render(content))


class _Caller:
    """Calls one hook, and keeps count.

    Args:
        hook: that one.
        run: the name under which its processes can be ended.
        environment: that it gets beside what happened.
        warn, timeout: as :class:`Hooks` has them.
    """

    def __init__(
        self, hook: Hook, run: str, environment: Mapping[str, str], warn: Callable[[str], None], timeout: float
    ) -> None:
        self.hook = hook
        self.calls: SimpleQueue[_Call | None] = SimpleQueue()
        self.thread = threading.Thread(target=self._work, name="ordbo-hook", daemon=True)
        self._run = run
        self._environment = environment
        self._warn = warn
        self._timeout = timeout
        self._cwd = Path.cwd()
        self._said: set[str] = set()
        self._made = self._failed = self._dropped = 0
        self.thread.start()

    def tell_end(self) -> None:
        """Say how often the hook failed, and how many calls were not made."""
        if self._failed > 1:
            self._warn(f"{self.hook} failed {self._failed} times of {self._made - self._dropped}")
        if self._dropped:
            calls = "1 call" if self._dropped == 1 else f"{self._dropped} calls"
            self._warn(f"{self.hook}: {calls} not made or cut short, as the run was at its end")

    def _work(self) -> None:
        with part_of(self._run):
            while (call := self.calls.get()) is not None:
                self._made += 1
                try:
                    self._make(call)
                except (OrdboError, OSError, ValueError) as error:
                    reason = error.strerror or error if isinstance(error, OSError) else error
                    self._fault("start", f"cannot be called: {reason}")

    def _make(self, call: _Call) -> None:
        with TemporaryFile("w+b") as said, TemporaryFile("a+b") as out, TemporaryFile("a+b") as err:
            said.write(call.line.encode("utf-8", "surrogateescape"))
            said.seek(0)
            ending = CHILDREN.run(
                self.hook.words,
                Streams(said.fileno(), out.fileno(), err.fileno()),
                cwd=self._cwd,
                env={**self._environment, **call.variables},
                timeout=self._timeout,
            )
            self._judge(ending, _last_line(out), _last_line(err))

    def _judge(self, ending: ChildEnding, printed: str, complained: str) -> None:
        """Tell people what a call did that it should not, each kind of it once."""
        words = f": {complained}" if complained else ""
        if ending.how == "stopped":
            self._dropped += 1
        elif ending.how == "timeout":
            self._fault("timeout", f"took longer than {self._timeout:g} s, and was ended{words}")
        elif ending.status:
            how = f"exit status {ending.status}" if ending.status > 0 else f"signal {-ending.status}"
            self._fault("status", f"ended with {how}{words}")
        elif line := printed or complained:
            self._once("prints", Note(f"what {self.hook} prints is not shown ({quoted(line)})"))

    def _fault(self, kind: str, what: str) -> None:
        self._failed += 1
        self._once(kind, f"{self.hook} {what}; the run goes on")

    def _once(self, kind: str, text: str) -> None:
        if kind not in self._said:
            self._said.add(kind)
            self._warn(text)


def _is_best(event: Finished, problem: Problem) -> bool:
    """Return whether the result is better than all before it, of several objectives whether it is on the front."""
    status = event.status
    leading = status.front if problem.has_front else () if status.best is None else (status.best,)
    return any(each.id == event.job.id for each in leading)


def _variables(problem: Problem) -> dict[str, str]:
    """Return the environment variable of each name: what happened, parameters and results.

    Raises:
        ProblemError: two of them have one variable.
    """
    seen: dict[str, str] = {}
    for name in (*OWN_VARIABLES, *problem.names, problem.objective, *(each.name for each in problem.outcomes)):
        variable = environment_name(name)
        if variable in seen.values():
            what = f"{quoted(name)} would be the variable {variable} of a hook, which says something else"
            raise ProblemError(what, "Rename it in the problem file")
        seen[name] = variable
    return seen


def _without_ours(problem: Problem) -> dict[str, str]:
    """Return this process's environment without variables of ours, which could speak of another point."""
    ours = set(_variables(problem).values())
    return {name: value for name, value in os.environ.items() if name not in ours}


def _last_line(file: IO[bytes]) -> str:
    """Return the last line of a file that is not empty, cut and safe on a terminal; "" where there is none."""
    with contextlib.suppress(OSError):
        file.seek(max(0, file.seek(0, os.SEEK_END) - _TAIL))
        lines = [line for line in file.read().decode("utf-8", "replace").splitlines() if line.strip()]
        return note_of(lines[-1]) if lines else ""
    return ""
