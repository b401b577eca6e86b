"""Every mistake in a study's files at once, or what the files hold, in words."""

from __future__ import annotations

from ordbo_cli.errors import ManyErrors, OrdboError
from ordbo_cli.study.books import Books, read_books
from ordbo_cli.study.evaluations import read_table
from ordbo_cli.study.problem_file import ProblemFile
from ordbo_cli.study.state import load_state
from ordbo_cli.study.text import shown_path


def read_all(file: ProblemFile) -> Books:
    """Read evaluations and state, and raise the errors of both together.

    Raises:
        ManyErrors: there are some.
        FileError: a folder is missing.
    """
    try:
        return read_books(file)
    except OrdboError:  # the first one of perhaps several
        _raise_all(file)
        raise


def _raise_all(file: ProblemFile) -> None:
    errors: list[OrdboError] = []
    readers = (lambda: read_table(file.evaluations, file.problem), lambda: load_state(file))
    for read in readers:
        try:
            read()
        except ManyErrors as error:  # every file is read
            errors += error.errors
        except OrdboError as error:
            errors.append(error)
    if errors:
        raise ManyErrors(errors)


def words_of(books: Books) -> list[str]:
    """Return what the files hold, a line each."""
    file, problem = books.file, books.problem
    free, fixed = len(problem.free), len(problem.parameters) - len(problem.free)
    words = [f"{shown_path(file.path)}: {free} free and {fixed} fixed parameters", *file.notes]
    counts = ", ".join(f"{count} {word}" for word, count in books.ledger.counts().items() if count)
    if number := sum(each.row.is_infeasible for each in books.ledger.standing):
        counts += f" ({number} of the ok ones {'is' if number == 1 else 'are'} infeasible)"
    there = "" if file.evaluations.exists() else " (no file yet)"
    words.append(f"{shown_path(file.evaluations)}: {counts or 'no evaluations'}{there}")
    there = f"step {books.state.step}" if file.state.exists() else "none yet"
    return [*words, f"{shown_path(file.state)}: {there}"]
