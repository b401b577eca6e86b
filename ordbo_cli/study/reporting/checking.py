"""Every mistake in a study's files at once, or what the files hold, in words."""

from __future__ import annotations

from collections.abc import Callable

from ordbo_cli.errors import ManyErrors, OrdboError
from ordbo_cli.files.problem_file.problem_file import ProblemFile
from ordbo_cli.files.state import load_state
from ordbo_cli.files.tables.comparisons import columns_called, read_comparisons
from ordbo_cli.files.tables.judged import JudgedRanking
from ordbo_cli.problem.spelling import shown_path
from ordbo_cli.study.reading.study_files import StudyFiles, read_files
from ordbo_cli.study.reporting.campaign_standing import known_standing
from ordbo_cli.study.reporting.contradictions import (
    against_results,
    circles,
    contradictions,
    scores_against_comparisons,
    scores_against_each_other,
)
from ordbo_cli.study.reporting.judges import counted_judges
from ordbo_cli.study.returned import Answers


def checked(file: ProblemFile) -> Answers[str]:
    """Return what the files hold, a line each.

    Raises:
        ManyErrors: every mistake in the evaluations and the state.
        FileError: a folder is missing.
        DataError: an evaluation failed where the problem says that this is an error.
    """
    files = read_all(file).to_ask()
    return Answers(words_of(files), files.warnings)


def read_all(file: ProblemFile) -> StudyFiles:
    """Read evaluations and state, and raise the errors of both together.

    Raises:
        ManyErrors: there are some.
        FileError: a folder is missing.
    """
    try:
        return read_files(file)
    except OrdboError:  # the first one of perhaps several
        _raise_all(file)
        raise


def _raise_all(file: ProblemFile) -> None:
    errors: list[OrdboError] = []
    readers: list[Callable[[], object]] = [lambda: _read_tables(file), *(each.table for each in file.campaigns)]
    readers.append(lambda: load_state(file))
    for read in readers:
        try:
            read()
        except ManyErrors as error:  # every file is read
            errors += error.errors
        except OrdboError as error:
            errors.append(error)
    if errors:
        raise ManyErrors(errors)


def _read_tables(file: ProblemFile) -> None:
    table = file.rows.table()
    ids = {row.id for row in table.rows if row.id is not None}
    read_comparisons(file.comparisons, ids, columns_called(file.problem))


def words_of(files: StudyFiles) -> list[str]:
    """Return what the files hold, a line each."""
    file, problem = files.file, files.problem
    free, fixed = len(problem.free), len(problem.parameters) - len(problem.free)
    words = [f"{shown_path(file.path)}: {free} free and {fixed} fixed parameters", *file.notes]
    number = {**files.ledger.counts(), "compared without a result": len(files.ledger.compared)}
    counts = ", ".join(f"{count} {word}" for word, count in number.items() if count)
    if broken := sum(each.row.is_infeasible for each in files.ledger.standing):
        counts += f" ({broken} of the ok ones {'is' if broken == 1 else 'are'} infeasible)"
    there = "" if file.evaluations.exists() else " (no file yet)"
    words.append(f"{shown_path(file.evaluations)}: {counts or 'no evaluations'}{there}")
    words += [each.title for each in known_standing(files)]
    words += [*_on_comparisons(files), *_on_scores(files)]
    there = f"step {files.state.step - len(files.ledger.taken_back)}" if file.state.exists() else "none yet"
    return [*words, f"{shown_path(file.state)}: {there}"]


def _on_comparisons(files: StudyFiles) -> list[str]:
    """Return what the comparisons hold, and what does not go together in them."""
    judgements = files.judgements._replace(scored=())
    judged = judgements.judged
    if not judged:
        return []
    pairs = [each for each, _ in judgements.weighed()]
    ties = sum(each.tie for each in pairs)
    rankings = sum(isinstance(each, JudgedRanking) for each in judgements.answers)
    counts = f"{len(pairs)} comparison{'' if len(pairs) == 1 else 's'}, {ties} of them ties"
    counts += f"; {rankings} ranking{'' if rankings == 1 else 's'} among them" if rankings else ""
    odd = [*contradictions(judged), *circles(judged), *against_results(files.problem, files.ledger, pairs)]
    judges = [each.words for each in counted_judges(judgements)] if judgements.judges else []
    path = shown_path(files.file.comparisons)
    return [f"{path}: {counts}", *(f"{path}: {words}" for words in (*judges, *odd))]


def _on_scores(files: StudyFiles) -> list[str]:
    """Return what the scores of judges hold, and what does not go together in them and the comparisons."""
    scored = files.judgements.scored
    if not scored:
        return []
    own = files.judgements._replace(judged=())
    number = sum(len(each.ids) for each in scored)
    pairs = [pair for each in scored for pair in each.pairs]
    odd = [*scores_against_each_other(pairs), *scores_against_comparisons(pairs, files.judgements.judged)]
    odd += against_results(files.problem, files.ledger, pairs)
    judges = [each.words for each in counted_judges(own)]
    path = shown_path(files.file.evaluations)
    counts = f"{number} score{'' if number == 1 else 's'} of {len(scored)} judge{'' if len(scored) == 1 else 's'}"
    return [f"{path}: {counts}", *(f"{path}: {words}" for words in (*judges, *odd))]
