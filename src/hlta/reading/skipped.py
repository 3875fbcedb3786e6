"""What was skipped while reading, counted by reason."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from hlta._support.messages import plural, printable

if TYPE_CHECKING:
    from hlta.reading.records import Skip

OF_MAIL: Final = "headers, quoted text and signature of mail; the rest was read"
# Reasons for documents that were read despite a defect.
DAMAGED_TEXT: Final = "it has U+FFFD in place of characters that could not be decoded"
NOT_IN_FORMAT: Final = "its date is not in the format {!r}; it was read as usual"
_REMEMBERED: Final = 1000  # cases, and reasons
_SHOWN: Final = 8  # reasons, or endings of files
_DATE: Final = re.compile(r"its date is (not in the format .*); it was read as usual", re.DOTALL)
_ENDING: Final = re.compile(
    r"(files|attached files) that end in (\S+) (are not read(?:; to include .*)?)"
)


def ending_not_read(ending: str, *, text: bool) -> str:
    """The reason for leaving a file because of its ending, and a remedy if it holds text."""
    remedy = "; to include them as text, rename them to .txt" if text else ""
    return f"files that end in {printable(ending)} are not read{remedy}"


def attachment_not_read(ending: str) -> str:
    """The reason for leaving a file that is attached to a mail, and a remedy."""
    kind = f"that end in {ending}" if ending else "without an ending"
    return f"attached files {kind} are not read; to include them, save them as files"


class Skipped:
    """Counts what was skipped, in all and by reason, and remembers the first cases.

    Calling it with a place and a reason adds a case, and calls `report` with both. Mail that was read
    without headers, quoted text and signature is not skipped; `mails` counts it. Documents that were read
    despite a defect are in the count, and `despite_defects` describes them.
    """

    def __init__(self, report: Skip = lambda *_: None) -> None:
        self._report = report
        self.count = self.mails = 0
        self.first_mail = ""
        self.first: list[dict[str, str]] = []
        self.reasons: dict[str, int] = {}
        self._examples: dict[str, str] = {}

    def __call__(self, what: str, reason: str) -> None:
        self._report(what, reason)
        if reason == OF_MAIL:
            self.mails += 1
            self.first_mail = self.first_mail or what
            return
        self.count += 1
        if self.count <= _REMEMBERED:
            self.first.append({"what": what, "reason": reason})
        if reason in self.reasons or len(self.reasons) < _REMEMBERED:
            self.reasons[reason] = self.reasons.get(reason, 0) + 1
            self._examples.setdefault(reason, what)

    def by_reason(self, more: str = "") -> list[str]:
        """Messages with the most frequent reasons, each with an example and how many cases there are.

        Reasons that differ only in the endings of files are one. `more` ends the message that counts the
        cases of all other reasons.
        """
        alike: dict[str, list[str]] = {}
        count = self.count
        for reason in sorted(self.reasons, key=self.reasons.__getitem__, reverse=True):
            if _is_defect(reason):
                count -= self.reasons[reason]
                continue
            ending = _ENDING.fullmatch(reason)
            alike.setdefault(f"{ending[1]} {ending[3]}" if ending else reason, []).append(reason)
        counts = {kind: sum(map(self.reasons.__getitem__, alike[kind])) for kind in alike}
        frequent = sorted(counts, key=counts.__getitem__, reverse=True)[:_SHOWN]
        shown = []
        for kind in frequent:
            number = f"{counts[kind]:,}, such as " if counts[kind] > 1 else ""
            why = printable(_join_reasons(alike[kind]))
            shown.append(f"{number}{self._examples[alike[kind][0]]!r}: {why}")
        others = count - sum(counts[kind] for kind in frequent)
        return [*shown, f"{others:,} for other reasons{more}"] if others else shown

    def despite_defects(self) -> list[str]:
        """A sentence for each defect despite which documents were read."""
        return [
            printable(_defect(reason, repr(self._examples[reason]), count))
            for reason, count in self.reasons.items()
            if _is_defect(reason)
        ]


def _is_defect(reason: str) -> bool:
    """Whether documents with this reason were read despite it."""
    return reason == DAMAGED_TEXT or _DATE.fullmatch(reason) is not None


def _defect(reason: str, example: str, count: int) -> str:
    """A sentence on what is wrong with documents, such as the example, and how they were read."""
    one = count == 1
    if date := _DATE.fullmatch(reason):
        which = (
            f"The date of {example} is"
            if one
            else f"{count:,} dates, such as that of {example}, are"
        )
        return f"{which} {date[1]}, and {'was' if one else 'were'} read as usual"
    which = f"{example} has" if one else f"{count:,} documents, such as {example}, have"
    return f"{which} U+FFFD in place of characters that could not be decoded, by hlta or before"


def _join_reasons(reasons: list[str]) -> str:
    """The one reason; or several about endings as one reason, which lists the first endings."""
    if len(reasons) == 1:
        return reasons[0]
    found = [match for reason in reasons if (match := _ENDING.fullmatch(reason))]
    endings, others = [match[2] for match in found[:_SHOWN]], len(found) - _SHOWN
    last = plural(others, "other ending") if others > 0 else endings.pop()
    what, _, why = found[0].groups()
    return f"{what} that end in {', '.join(endings)} or {last} {why}"
