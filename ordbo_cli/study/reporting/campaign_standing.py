"""What each campaign is worth to a study, in words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ordbo_cli.problem.method import FEWEST_TO_TEST
from ordbo_cli.problem.spelling import shown

if TYPE_CHECKING:
    from ordbo_cli.search.step_input import StepInput
    from ordbo_cli.study.reading.study_files import StudyFiles


@dataclass(frozen=True)
class CampaignStanding:
    """What is known of a campaign.

    Args:
        name: its name.
        results: how many results and failures it has.
        compared: of how many of the study's own results it was tested; None where that was not computed.
        tau: Kendall's, between what it expects of these and their results; None where they are too few, or all alike.
        is_heard: whether the model is fitted to it, too; None where that was not computed.
        weighs: how many of the study's own results it weighs like, as
            :mod:`ordbo_cli.insight.sources.campaign_weight` says; None where it is not heard.
        is_level: whether it is a lower level of fidelity of the study itself.
    """

    name: str
    results: int
    compared: int | None = None
    tau: float | None = None
    is_heard: bool | None = None
    weighs: float | None = None
    is_level: bool = False

    @property
    def is_computed(self) -> bool:
        """Whether it was compared with the study's results."""
        return self.compared is not None

    @property
    def verdict(self) -> str:
        """What the study's own results say of it, "" where that was not computed."""
        if self.compared is None:
            return ""
        if self.compared < FEWEST_TO_TEST:
            return f"not tested yet: {self.compared} of {FEWEST_TO_TEST} results"
        if self.tau is None and self.is_heard is False and self.is_level:
            return "all its results are alike: left out"
        if self.tau is None:
            return "not tested yet: too few of the study's results differ"
        if self.is_heard:
            weighs = "" if self.weighs is None else f"; weighs like {self.weighs:.2g} of your own"
            return f"agrees: tau {self.tau:.2f}{weighs}"
        if self.tau < 0.0:
            return f"contradicts (tau {self.tau:.2f}): left out"
        return f"does not agree clearly (tau {self.tau:.2f} from {self.compared} results): left out"

    @property
    def kind(self) -> str:
        """What it is, in a word."""
        return "level" if self.is_level else "campaign"

    @property
    def title(self) -> str:
        """All that in a line that says what it is of."""
        return f"{self.kind} {self.text}"

    @property
    def text(self) -> str:
        """All that in a line."""
        number = f"{self.results} result{'' if self.results == 1 else 's'}"
        return f"{shown(self.name)}: {number}" + (f", {self.verdict}" if self.verdict else "")


def known_standing(files: StudyFiles) -> tuple[CampaignStanding, ...]:
    """Return what the files say of each campaign: what nothing has to be computed for."""
    return tuple(
        CampaignStanding(each.name, len(each.evaluations), is_level=each.level is not None) for each in files.campaigns
    )


def computed_standing(files: StudyFiles) -> tuple[CampaignStanding, ...]:
    """Return what each campaign is worth; it costs a fit of each alone, and one of all that are heard."""
    return standing_by(files, files.step_input()) if files.campaigns else ()


def standing_by(files: StudyFiles, given: StepInput) -> tuple[CampaignStanding, ...]:
    """Return the same by what a step follows from, whose tests and fit are taken where they are there.

    Args:
        files: the files of the study.
        given: read off them, with all campaigns.
    """
    if not files.campaigns:
        return ()
    from ordbo_cli.insight.sources.campaign_weight import weights

    tests = given.agreements
    worth = iter(weights(given))
    return tuple(
        replace(
            each,
            compared=test.results,
            tau=test.tau,
            is_heard=test.is_heard,
            weighs=next(worth) if test.is_heard else None,
        )
        for each, test in zip(known_standing(files), tests, strict=True)
    )
