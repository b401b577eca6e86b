"""The only place that prints: data on standard output, words on standard error."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from threading import Event, Thread
from typing import TYPE_CHECKING

from ordbo_cli.cli.countdown import Countdown
from ordbo_cli.errors import FileError

if TYPE_CHECKING:
    from rich.live import Live
    from rich.progress import Progress, TaskID

    from ordbo_cli.study.study import Study

SLOW = 2.0  # seconds after which a person at a terminal wants to see that something is going on


def escape(text: str) -> str:
    """Return text with everything unprintable (control characters, line ends, lone surrogates) as backslash escapes."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def drop_output() -> None:
    """Send what standard output still buffers nowhere, so that Python's own flush at the end stays silent."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class Console:
    """Where a command's output goes.

    Args:
        quiet: whether only errors go to standard error.
        verbose: whether details do too, and the traceback of an internal error.
    """

    def __init__(self, *, quiet: bool = False, verbose: bool = False) -> None:
        self.quiet = quiet
        self.verbose = verbose
        self._shown_live = False

    def data(self, text: str) -> None:
        """Write text to standard output as UTF-8, as it stands (lone surrogates become the bytes they came from).

        Raises:
            FileError: it is closed or full.
            BrokenPipeError: its reader has gone.
        """
        if sys.stdout is None:
            raise FileError("standard output is closed")
        try:
            sys.stdout.flush()
            sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            drop_output()
            raise FileError(f"standard output: {error.strerror}") from error

    def say(self, text: str) -> None:
        """Tell people something in one line, unless they asked for quiet."""
        if not self.quiet:
            self._words(text)

    def detail(self, text: str) -> None:
        """Tell people something in one line if they asked for more."""
        if self.verbose:
            self._words(text)

    def warn(self, text: str) -> None:
        """Warn people of something in one line, or tell them a note, unless they asked for quiet."""
        from ordbo_cli.problem.spelling import Note

        self.say(f"{'note' if isinstance(text, Note) else 'warning'}: {text}")

    def ask(self, question: str) -> str | None:
        """Return somebody's answer to a question, None where nobody is there to give one."""
        if any(stream is None or not stream.isatty() for stream in (sys.stdin, sys.stderr)):
            return None
        sys.stderr.write(f"{escape(question)} ")
        sys.stderr.flush()
        answer = sys.stdin.readline()
        if not answer:
            self._words("")
        return answer.strip()

    def error(self, message: str, hint: str = "") -> None:
        """Report an error, with what to do about it on a line of its own."""
        self._words(f"error: {message}")
        if hint:
            self._words(f"hint: {hint}")

    def lines(self, text: str) -> None:
        """Write several lines to standard error, quiet or not."""
        for line in text.split("\n"):
            self._words(line)

    def table(self, headers: Sequence[str], rows: Sequence[Sequence[str]], *, mark_first: bool = False) -> None:
        """Write a table to standard output: ruled on a terminal, in plain aligned columns elsewhere."""
        cells = [[escape(cell) for cell in row] for row in (headers, *rows)]
        if self.terminal:
            _ruled(cells, mark_first)
            return
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        for row in cells:
            self.data("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() + "\n")

    @property
    def terminal(self) -> bool:
        """Whether standard output is a terminal that can do more than print."""
        return sys.stdout is not None and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"

    @contextlib.contextmanager
    def busy(self, text: str) -> Iterator[None]:
        """Show a spinner on a terminal's standard error once the work inside has lasted two seconds."""
        if not self._draws:
            yield
            return
        done = Event()
        spinner = Thread(target=_spin, args=(text, done), daemon=True)
        spinner.start()
        try:
            yield
        finally:
            done.set()
            spinner.join()

    @contextlib.contextmanager
    def live(self, rows: Callable[[], Sequence[tuple[str, str]]]) -> Iterator[None]:
        """Keep a small table of titles and texts up to date on a terminal's standard error, below what is said."""
        if not self._draws:
            yield
            return
        shown = _live(rows)
        shown.start()
        self._shown_live = True
        try:
            yield
        finally:
            self._shown_live = False
            with contextlib.suppress(OSError):  # the terminal was closed: what was done inside is no error
                shown.stop()

    def event(self, text: str, *, plain: bool) -> None:
        """Tell people that something happened; a plain event is left out where a table shows it."""
        if not (plain and self._shown_live and not self.verbose):
            self.say(text)

    @contextlib.contextmanager
    def progress(self, text: str, total: int) -> Iterator[Callable[[int], None]]:
        """Show a bar with the time left on a terminal's standard error; what comes out takes the steps just done.

        Steps of the first call were done before: the time left does not follow from them.
        """
        if not self._draws:
            yield lambda _: None
            return
        with _bar() as bar:
            task: list[TaskID] = []

            def advance(steps: int) -> None:
                if not task:
                    task.append(bar.add_task(text, total=total, completed=steps, left=Countdown(steps)))
                    return
                bar.advance(task[0], steps)
                done = int(bar.tasks[0].completed)
                bar.tasks[0].fields["left"].at(done, total - done)

            yield advance

    @contextlib.contextmanager
    def counting(self, text: str) -> Iterator[Callable[[int, int], None]]:
        """Show a bar as :meth:`progress` does, where the number of steps comes with them: how many of how many."""
        if not self._draws:
            yield lambda _done, _steps: None
            return
        with _bar() as bar:
            left = Countdown()
            task = bar.add_task(text, total=None, left=left)

            def advance(done: int, steps: int) -> None:
                left.at(done, steps - done)
                bar.update(task, completed=done, total=steps)

            yield advance

    @property
    def _draws(self) -> bool:
        """Whether standard error is a terminal that can do more than print, and people want to see it."""
        stream = sys.stderr
        return not self.quiet and stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"

    def _words(self, text: str) -> None:
        if sys.stderr is None:
            return
        with contextlib.suppress(OSError):  # nobody is left to be told
            sys.stderr.write(escape(text) + "\n")
            sys.stderr.flush()


def _ruled(cells: Sequence[Sequence[str]], mark_first: bool) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console as RichConsole
    from rich.table import Table
    from rich.text import Text

    styled = not os.environ.get("NO_COLOR")
    table = Table(box=SIMPLE_HEAD, header_style="bold" if styled else "")
    for name in cells[0]:
        table.add_column(Text(name))
    for place, row in enumerate(cells[1:]):
        table.add_row(*map(Text, row), style="green" if styled and mark_first and place == 0 else None)
    RichConsole(file=sys.stdout, highlight=False).print(table)
    sys.stdout.flush()


def _live(rows: Callable[[], Sequence[tuple[str, str]]]) -> Live:
    from rich.console import Console as RichConsole
    from rich.live import Live
    from rich.table import Table
    from rich.text import Text

    styled = not os.environ.get("NO_COLOR")

    def table() -> Table:
        grid = Table.grid(padding=(0, 2))
        for title, text in rows():
            grid.add_row(Text(title, style="bold" if styled else ""), Text(escape(text)))
        return grid

    console = RichConsole(stderr=True, highlight=False)
    return Live(get_renderable=table, console=console, refresh_per_second=4, transient=True, redirect_stdout=False)


def _bar() -> Progress:
    from rich.console import Console as RichConsole
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left {task.fields[left]}"),  # rich's own stands still between two steps, which may be minutes apart
    )
    return Progress(*columns, console=RichConsole(stderr=True), transient=True)


def _spin(text: str, done: Event) -> None:
    if done.wait(SLOW):
        return
    from rich.console import Console as RichConsole
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    with Progress(*columns, console=RichConsole(stderr=True), transient=True) as progress:
        progress.add_task(text)
        done.wait()


def tell_notes(console: Console, study: Study, warnings: Iterable[str]) -> None:
    """Say on standard error what the problem file made the study note, and what it warns of."""
    for note in study.notes:
        console.say(f"note: {note}")
    for warning in warnings:
        console.warn(warning)
