"""One unit for all answers of a run."""

from __future__ import annotations

from ordbo_cli.drive.simulation.folders import Answer
from ordbo_cli.files.text import quoted


class Units:
    """Knows the units that a run's first answers stood in: 950 ms and 1.2 s are no numbers in order."""

    def __init__(self) -> None:
        self._first: dict[str, str] = {}

    def checked(self, answer: Answer) -> Answer:
        """Return an answer, or none where a value of it stands in another unit than those before it."""
        for name, unit in answer.units.items():
            before = self._first.setdefault(name, unit)
            if unit != before:
                now, then = (quoted(each) if each else "no unit" for each in (unit, before))
                return Answer(None, f"{name} is in {now}, and was in {then} before", answer.seconds)
        return answer
