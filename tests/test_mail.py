"""Mail: what its author wrote, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hlta.reading.extract import looks_like_mail, strip_mail
from tests.reads import read

if TYPE_CHECKING:
    from pathlib import Path

POST = """From: a@b.org (Someone)
Subject: Re: Orbit of the moon
Article-I.D.: x.1
Lines: 12

In article <123@x> b@c.org (Other) writes:
>What is the orbit?
] quoted too

The orbit is an ellipse: it has two foci.
--
Someone, somewhere
"""


STRIPPED = ("Orbit of the moon", "\n\nThe orbit is an ellipse: it has two foci.")


def test_mail_is_recognised() -> None:
    assert looks_like_mail(POST)


@pytest.mark.parametrize(
    "text", ["Note: this is no mail", "To be: or not\n\nto be", "", "Subject: x"]
)
def test_other_texts_are_not_taken_for_mail(text: str) -> None:
    assert not looks_like_mail(text)


@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
def test_mail_loses_what_its_author_did_not_write(line_break: str) -> None:
    assert strip_mail(POST.replace("\n", line_break)) == STRIPPED


def test_the_subject_of_a_mail_is_its_title(tmp_path: Path) -> None:
    (tmp_path / "1").write_text(POST)
    (record,) = read(tmp_path)
    assert (record.title, record.text) == (STRIPPED[0], "\n".join(STRIPPED))


def test_mail_can_be_kept_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "1").write_text(POST)
    assert read(tmp_path, mail="keep")[0].text == POST
