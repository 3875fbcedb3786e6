"""Subtitles: what is spoken."""

from __future__ import annotations

import pytest

from hlta import DocumentsError
from hlta.reading.formats.subtitles import subtitles_text

SRT = """1
00:00:01,000 --> 00:00:02,500
<i>Deep</i> nets
learn &amp; grow.

2
00:00:03,000 --> 00:00:04,000 X1:0
{\\an8}1984 was a year < now > then.
"""
VTT = """WEBVTT - title
Kind: captions

STYLE
::cue {color: red}

NOTE a remark
of two lines

intro
00:01.000 --> 00:02.000 align:start
<v Someone>Deep <00:01.500><c>nets</c></v>

00:02.000 --> 00:03.000
Deep nets
learn
"""


def test_timings_and_markup_are_left_out() -> None:
    assert subtitles_text(SRT).text.split("\n") == [
        "Deep nets",
        "learn & grow.",
        "1984 was a year < now > then.",
    ]
    assert subtitles_text(SRT.replace("\n", "\r\n")) == subtitles_text(SRT)


def test_captions_that_roll_stand_once_and_remarks_are_left_out() -> None:
    assert subtitles_text(VTT).text.split("\n") == ["Deep nets", "learn"]


def test_what_has_no_timings_is_told() -> None:
    with pytest.raises(DocumentsError, match="no timings"):
        subtitles_text("just text")
    assert subtitles_text(" \n").text == ""
