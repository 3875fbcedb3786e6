"""What was skipped while reading, counted by reason."""

from __future__ import annotations

from typing import Final

from hlta._support.printable import printable

_REMEMBERED: Final = 1000  # cases, and reasons
_SHOWN: Final = 3  # reasons


class Skipped:
    """Counts what was skipped, in all and by reason, and remembers the first cases.

    Calling it with a place and a reason adds a case.
    """

    def __init__(self) -> None:
        self.count = 0
        self.first: list[dict[str, str]] = []
        self.reasons: dict[str, int] = {}
        self._examples: dict[str, str] = {}

    def __call__(self, what: str, reason: str) -> None:
        self.count += 1
        if self.count <= _REMEMBERED:
            self.first.append({"what": what, "reason": reason})
        if reason in self.reasons or len(self.reasons) < _REMEMBERED:
            self.reasons[reason] = self.reasons.get(reason, 0) + 1
            self._examples.setdefault(reason, what)

    def by_reason(self) -> list[str]:
        """The most frequent reasons for messages, each with an example and how many more there are."""
        frequent = sorted(self.reasons, key=self.reasons.__getitem__, reverse=True)[:_SHOWN]
        shown = []
        for reason in frequent:
            more = self.reasons[reason] - 1
            also = f" and {more:,} more" if more else ""
            shown.append(f"{self._examples[reason]!r}{also}: {printable(reason)}")
        others = self.count - sum(self.reasons[reason] for reason in frequent)
        return [*shown, f"{others:,} for other reasons"] if others else shown
