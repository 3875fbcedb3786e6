"""The spoken text of subtitles, in SRT and WebVTT, without timings and markup."""

from __future__ import annotations

import re
from html import unescape

from hlta.errors import DocumentsError
from hlta.reading.records import Record

_TIMING = re.compile(r"\s*(?:\d+:)?\d+:\d+[.,]\d+\s*-->")
_MARKUP = re.compile(
    r"</?(?:[bcisuv]|font|lang|ruby|rt)(?:[\s.][^<>]*)?>"  # styles and speakers
    r"|<[\d:.]+>"  # when a word is spoken
    r"|\{\\[^{}]*\}"
)


def subtitles_text(data: str) -> Record:
    """The text after each timing, up to an empty line; the record has no id or title.

    A line that repeats the one before it, as in captions that roll, is kept once.
    """
    spoken = ""
    kept: list[str] = []
    in_cue = timed = False
    for line in data.splitlines():
        if _TIMING.match(line):
            in_cue = timed = True
        elif not line.strip():
            in_cue = False
        elif in_cue:
            shown = unescape(_MARKUP.sub("", line)).strip()
            if shown and shown != spoken:
                kept.append(shown)
            spoken = shown or spoken
    if data.strip() and not timed:
        raise DocumentsError("it has no timings, as subtitles have")
    return Record("\n".join(kept), "")
