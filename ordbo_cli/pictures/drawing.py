"""One call for a picture of a study, in programs and notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from ordbo_cli.errors import UsageError
from ordbo_cli.problem.spelling import shown

if TYPE_CHECKING:
    from ordbo_cli.pictures.plots.fronts.trades import Trades
    from ordbo_cli.pictures.style import Picture
    from ordbo_cli.problem.method import PartitionKind
    from ordbo_cli.search.step_input import StepInput
    from ordbo_cli.study.optimizer import Optimizer
    from ordbo_cli.study.study import Study


def plot(
    subject: Study | Optimizer,
    kind: str,
    output: str | Path | None = None,
    *,
    parameters: str | Sequence[str] = (),
    step: int | None = None,
    partition: PartitionKind | None = None,
    samples: int = 200,
    ranks: bool = False,
    theme: Literal["light", "dark"] = "light",
    size: tuple[float, float] | None = None,
    dpi: float = 150.0,
) -> Picture:
    """Draw what the method sees, as ``ordbo plot`` does; nothing is recorded.

    A notebook shows the picture that is returned. It needs matplotlib: ``pip install 'ordbo[plots]'``.

    Args:
        subject: the study, or an optimizer in memory.
        kind: which picture: ``convergence``, ``fit``, ``warp``, ... as ``ordbo plot --help`` lists them.
        output: a file to write, too: .png, .svg or .pdf.
        parameters: the names of those that it shows (one name alone is one); none for those that suit it.
        step: as it was after so many evaluations; None for now.
        partition: which cells, ``tree`` or ``exhaustive``; None for the method's.
        samples: of Thompson sampling, where its minima are shown.
        ranks: whether the axes of ``front`` are by rank, whatever the values are.
        theme: of colours, ``light`` or ``dark``.
        size: width and height in inches; None for what suits the picture.
        dpi: dots per inch of a PNG.

    Raises:
        UsageError: it is no study; there is no such picture, parameter, theme or step, or it cannot be drawn of this
            study; matplotlib is not installed.
        ProblemError: it shows one objective, and there are several.
        DataError, ManyErrors, FileError: the files cannot be used or read.

    Examples:
        >>> plot(study, "convergence", "drag.svg")  # doctest: +SKIP
        Picture('drag: convergence')
    """
    try:
        import matplotlib as mpl  # noqa: F401  # said at once, before anything is computed
    except ImportError:
        raise UsageError("plot needs matplotlib", "Install: pip install 'ordbo[plots]'") from None
    from ordbo_cli.insight.inspection import View
    from ordbo_cli.pictures.kinds import check_kind, draw, draw_trades, needs_no_model
    from ordbo_cli.pictures.parameter_axes import places
    from ordbo_cli.pictures.scene import Scene
    from ordbo_cli.pictures.style import THEMES, Look, format_of

    if theme not in THEMES:
        raise UsageError(f"there is no theme {theme!r}", f"There are {', '.join(THEMES)}")
    if size is not None and not all(1.0 <= side <= 100.0 for side in size):
        raise UsageError(f"{size!r} is not a size", "Give width and height, from 1 to 100 inches")
    if output is not None:
        format_of(Path(output))  # refused before the work
    look = Look(THEMES[theme], size, dpi)
    _refuse_wrong_subjects(subject)
    check_kind(kind, subject.problem, ranks=ranks)
    if needs_no_model(kind, subject.problem):
        picture = draw_trades(kind, _trades(subject, step), look, ranks=ranks)
    else:
        given, name = _seen(subject, step)
        names = [parameters] if isinstance(parameters, str) else parameters
        scene = Scene(View.of(given), name, None, places(given.problem.free, names), partition, samples)
        picture = draw(kind, scene, look)
    if output is not None:
        picture.save(Path(output))
    return picture


def _refuse_wrong_subjects(subject: object) -> None:
    """Raise where no study is given.

    Raises:
        UsageError: it is none.
    """
    from ordbo_cli.study.optimizer import Optimizer
    from ordbo_cli.study.study import Study

    if not isinstance(subject, Study | Optimizer):
        raise UsageError(f"plot takes a Study or an Optimizer, not {shown(repr(subject))}", "Study.open(path) is one")


def _seen(subject: Study | Optimizer, step: int | None) -> tuple[StepInput, str]:
    """Return what the next point of a study follows from, and the study's name."""
    from ordbo_cli.study.study import Study

    if isinstance(subject, Study):
        return subject.read().step_input(results=step), subject.problem_path.stem
    return subject.step_input(step), subject.problem.objective


def _trades(subject: Study | Optimizer, step: int | None) -> Trades:
    """Return the results of a study by several objectives."""
    from ordbo_cli.pictures.plots.fronts.trades import Trades
    from ordbo_cli.study.study import Study

    if isinstance(subject, Study):
        return Trades.of(subject.snapshot(step), subject.problem_path.stem)
    return Trades.given(subject.step_input(step), subject.problem.objective)
