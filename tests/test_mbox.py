"""Mailboxes: one mail is one document."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlta import DocumentsError
from hlta.reading.formats import mbox as mailbox
from hlta.reading.formats.mbox import looks_like_mbox, mbox
from hlta.reading.records import ReadOptions, Source
from tests.reads import read, read_and_skipped

if TYPE_CHECKING:
    from pathlib import Path

FROM = "From a@b.org Mon Jan  3 09:12:44 2012\n"
BOX = f"""{FROM}From: a@b.org
Subject: First
Date: Mon, 3 Jan 2012 09:12:44 +0100

body of the first
>From here on, and
From here to there.

From - Thu Jun  5 10:00:00 2014
Subject: Second
From: x

body of the second

{FROM}Subject: Third
From: x

"""


def test_each_mail_is_a_document(tmp_path: Path) -> None:
    (tmp_path / "a.mbox").write_text(BOX)
    records, skipped = read_and_skipped(tmp_path / "a.mbox")
    assert [(r.id, r.title, r.date) for r in records] == [
        ("1", "First", "2012-01-03"),
        ("2", "Second", ""),
        ("3", "Third", ""),
    ]
    body = "body of the first From here on, and From here to there."
    assert records[0].text.split()[1:] == body.split()
    assert skipped == {}


@pytest.mark.parametrize("name", ["Inbox", "2005-January.txt", "a.mbox.gz"])
def test_mailboxes_are_recognised_by_what_they_hold(tmp_path: Path, name: str) -> None:
    import gzip

    data = BOX.encode()
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    assert [record.title for record in read(tmp_path / name)] == ["First", "Second", "Third"]
    assert [record.id for record in read(tmp_path)] == [f"{name}:{n}" for n in (1, 2, 3)]


def test_other_texts_are_no_mailboxes() -> None:
    assert looks_like_mbox(BOX.encode())
    for text in ("From here at 10:00 in 2012\nwe went", "From x", "", BOX[1:]):
        assert not looks_like_mbox(text.encode())


def test_mail_that_cannot_be_read_is_skipped(tmp_path: Path) -> None:
    nested = "MIME-Version: 1\n" + "Content-Type: message/rfc822\n\n" * 100
    (tmp_path / "a.mbox").write_text(f"{FROM}{nested}\n\n{FROM}X: no text\n\n\n{BOX}")
    records, skipped = read_and_skipped(tmp_path / "a.mbox")
    assert [record.id for record in records] == ["3", "4", "5"]
    assert list(skipped.values()) == ["its parts are nested too deeply", "it has no text"]


def test_what_is_no_mailbox_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.mbox").write_text("just text")
    with pytest.raises(DocumentsError, match="it is not a mailbox"):
        read(tmp_path / "a.mbox")


def test_the_rest_of_endless_mail_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mailbox, "_LONGEST", 100)
    file = io.BytesIO((f"{FROM}From: x\nSubject: y\n\n" + "word\n" * 1000).encode())
    (record,) = mbox(file, Source("a", ReadOptions(), lambda *_: None))
    assert 10 < record.text.count("word") < 30


@given(st.lists(st.sampled_from([FROM, "\n", "Subject: x\n", "word\n", ">From x\n"]), max_size=20))
def test_no_mailbox_ends_in_a_traceback(lines: list[str]) -> None:
    file = io.BytesIO((FROM + "".join(lines)).encode())
    records = list(mbox(file, Source("a", ReadOptions(), lambda *_: None)))
    assert len(records) <= 1 + lines.count(FROM)
