"""Errors: their text and their exit statuses."""

from __future__ import annotations

import pytest

from ordbo_cli import errors


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (errors.OrdboError, 1),
        (errors.UsageError, 2),
        (errors.ExhaustedError, 3),
        (errors.DataError, 65),
        (errors.MissingFileError, 66),
        (errors.FileError, 74),
        (errors.LockTimeoutError, 75),
        (errors.ProblemError, 78),
    ],
)
def test_exit_statuses_are_those_of_the_readme(error: type[errors.OrdboError], status: int) -> None:
    """Each kind of error has its own documented exit status."""
    assert error("what").exit_status == status


def test_a_hint_follows_the_message() -> None:
    """The text is one sentence, and the hint a second one where there is any."""
    assert str(errors.DataError("no row", "Add one")) == "no row. Add one"
    assert str(errors.DataError("no row")) == "no row"


def test_many_errors_are_one_with_their_status() -> None:
    """Errors reported together stand a line each, and share the first one's exit status."""
    many = errors.ManyErrors([errors.ProblemError("a:1:2: first", "Mend it"), errors.ProblemError("a:3:4: second")])
    assert str(many) == "a:1:2: first. Mend it\na:3:4: second"
    assert many.exit_status == 78
    assert errors.ManyErrors.exit_status == 1
