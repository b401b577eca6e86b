"""``ordbo clean``: list the files of a study, and delete the derived ones."""

from __future__ import annotations

import contextlib
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from ordbo_cli.cli.base_command import BaseCommand
from ordbo_cli.cli.console import Console, tell_notes
from ordbo_cli.cli.options import json_option, lock_option, problem_argument
from ordbo_cli.cli.output import json_line

if TYPE_CHECKING:
    from ordbo_cli.drive.simulation.folders import RunFolders
    from ordbo_cli.study.housekeeping import OwnFile
    from ordbo_cli.study.study import Study

_EXAMPLES: Final = """
ordbo clean drag.yaml --dry-run                # the files of the study: what each is, and what becomes of it
ordbo clean drag.yaml
ordbo clean drag.yaml --runs                   # the run folders of points that have their answer, too
ordbo clean drag.yaml --dry-run --json | jq -r 'select(.versioned) | .path' | xargs git add
"""


@click.command("clean", cls=BaseCommand, examples=_EXAMPLES)
@problem_argument
@click.option("--runs", is_flag=True, help="Delete the run folders of points that have their answer, too.")
@click.option("--dry-run", is_flag=True, help="Delete nothing: list the files.")
@json_option
@lock_option
def command(console: Console, problem: Path, runs: bool, dry_run: bool, as_json: bool, lock_timeout: float) -> None:
    """List the files of a study, and delete the derived ones.

    Problem, evaluations, comparisons and the list of suggestions are the study: they stay, and belong into version
    control. The state, its copies, the lock and what killed calls left are derived, and go: after that ids and steps
    go on as before, the model is fitted from a new start, and the diagnostics of the steps so far are gone.

    A state that knows parameters which the problem has no more, and which other commands refuse, goes, too. A state
    that knows something which stands nowhere else stays, and so does every link. Run folders hold what
    simulators wrote: they go with --runs only, where their points have an answer on record. Pages and pictures are
    yours. Nothing goes while 'ordbo run' is at work, or another call holds the lock.
    """
    from ordbo_cli.drive.simulation.folders import RunFolders
    from ordbo_cli.study.study import Study

    study = Study.open(problem, lock_timeout=lock_timeout)
    tell_notes(console, study, ())
    folders = RunFolders(study.file.runs)
    files = [*study.own_files(), *_run_folders(study, folders, go=runs)]
    deleted = set() if dry_run else _clean(study, folders, runs=runs)
    if as_json:
        console.data("".join(json_line(_entries(each, deleted)) for each in files))
    else:
        console.table(["file", "what", "version control", "clean", ""], [_row(each, deleted) for each in files])
    if not any(each.may_go for each in files):
        console.say("nothing is there that may go")


def _run_folders(study: Study, folders: RunFolders, *, go: bool) -> list[OwnFile]:
    """Return the folder of the run folders as one of the study's files, where it has any.

    Args:
        study: the study.
        folders: its run folders.
        go: whether those may go that no run goes on from.
    """
    from ordbo_cli.study.housekeeping import OwnFile

    if not folders.used:
        return []
    if folders.base.is_symlink():
        return [OwnFile(folders.base, "run folders", "a link")]
    past = len(_past(study, folders))
    which = f"{past} of {folders.count}, whose points have their answer"
    why = f"{which}, may go with --runs" if past and not go else which if past else "runs go on from them"
    return [OwnFile(folders.base, "run folders", why, may_go=go and past > 0)]


def _past(study: Study, folders: RunFolders) -> list[Path]:
    """Return the run folders that no run goes on from."""
    from ordbo_cli.study.housekeeping import files_to_tidy

    files = files_to_tidy(study.file)
    if files.loaded.former:
        return []  # which answer is whose is not sure before the state has gone
    return folders.past({each.id for each in files.ledger.standing if each.row.status in ("ok", "failed")})


def _clean(study: Study, folders: RunFolders, *, runs: bool) -> set[Path]:
    """Delete what may go, while no run is at work; return what that was."""
    with contextlib.ExitStack() as stack:
        if folders.used:
            stack.enter_context(folders.alone())
        past = _past(study, folders) if runs and folders.used and not folders.base.is_symlink() else []
        deleted = {each.path for each in study.clean()}
        folders.remove(past)
    return deleted | ({folders.base} if past else set())


def _row(each: OwnFile, deleted: set[Path]) -> list[str]:
    becomes = "deleted" if each.path in deleted else "may go" if each.may_go else "stays"
    return [str(each.path), each.what, "yes" if each.versioned else "no", becomes, each.why]


def _entries(each: OwnFile, deleted: set[Path]) -> dict[str, object]:
    """Return what ``--json`` prints of a file."""
    return {**asdict(each), "path": str(each.path), "deleted": each.path in deleted}
