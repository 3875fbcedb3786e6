"""Mail: what its author wrote, decoded, and nothing else."""

from __future__ import annotations

import base64
import quopri
import re
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlta import DocumentsError
from hlta.reading.formats.mail import (
    bytes_look_like_mail,
    looks_like_mail,
    mail_of_bytes,
    mail_of_text,
)
from tests.reads import read, read_and_skipped

if TYPE_CHECKING:
    from pathlib import Path

    from hlta.reading.records import Record

POST = """From: a@b.org (Someone)
Subject: Re: Orbit of the moon
Article-I.D.: x.1
Date: Tue, 6 Apr 93 14:25:10 GMT
Lines: 12

In article <123@x> b@c.org (Other) writes:
>What is the orbit?
] quoted too

The orbit is an ellipse: it has two foci.
--
Someone, somewhere
"""
HEAD, BODY = POST.split("\n\n", 1)
STRIPPED = "Orbit of the moon\n\n\nThe orbit is an ellipse: it has two foci."


def part(text: str, charset: str = "utf-8", transfer: str = "base64", kind: str = "plain") -> bytes:
    """A part of a mail, with its headers."""
    encode = {"base64": base64.encodebytes, "quoted-printable": quopri.encodestring}
    return (
        f'Content-Type: text/{kind}; charset="{charset}"\nContent-Transfer-Encoding: {transfer}\n\n'
    ).encode() + encode.get(transfer, bytes)(text.encode(charset))


def parts(kind: str, *inner: bytes, boundary: str = "=_1") -> bytes:
    """Several parts as one."""
    joined = b"".join(b"--%s\n%s\n" % (boundary.encode(), one) for one in inner)
    head = f'Content-Type: multipart/{kind}; boundary="{boundary}"\n\n'.encode()
    return head + joined + f"--{boundary}--\n".encode()


def mail(content: bytes, head: str = HEAD) -> bytes:
    return f"Received: by transferword.example\n{head}\nMIME-Version: 1.0\n".encode() + content


def words(record: Record) -> list[str]:
    return re.findall(r"\w+", record.text)


# ---- what is mail ----------------------------------------------------------------------------


def test_mail_is_recognised() -> None:
    assert looks_like_mail(POST)
    assert looks_like_mail("From a@b.org Mon Jan  3 09:12:44 2012\n" + POST)
    assert bytes_look_like_mail(POST.encode() + b"\xff\xfe")


@pytest.mark.parametrize(
    "text",
    ["Note: this is no mail", "To be: or not\n\nto be", "", "Subject: x", "From: x\nno field\n\n"],
)
def test_other_texts_are_not_taken_for_mail(text: str) -> None:
    assert not looks_like_mail(text)


# ---- mail that is text as it stands ----------------------------------------------------------


@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r"])
def test_mail_loses_what_its_author_did_not_write(line_break: str) -> None:
    text = POST.replace("\n", line_break)
    assert mail_of_text(text) == mail_of_bytes(text.encode())
    assert mail_of_text(text) == (STRIPPED, "", "Orbit of the moon", "1993-04-06", "")


def test_mail_can_be_kept_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "1").write_text(POST)
    assert read(tmp_path, mail="keep")[0].text == POST


def test_a_subject_may_have_several_lines_and_be_encoded() -> None:
    head = "From: x\nSubject: =?utf-8?b?R3LDtsOf?=\n =?UTF-8?Q?e_der?=\n Dinge\nX: y"
    assert mail_of_text(f"{head}\n\nbody").title == "Größe der Dinge"


@pytest.mark.parametrize("date", ["", "Date: soon\n", "Date: 45 Foo 99999999999 25:61\n"])
def test_what_is_no_date_is_left_out(date: str) -> None:
    assert mail_of_text(f"From: x\n{date}Subject: y\n\nbody").date == ""


# ---- mail with encoded parts -----------------------------------------------------------------

SENTENCES = [
    ("utf-8", "base64", "Größe, naïve Ångström, 東京大学, наука"),
    ("utf-8", "quoted-printable", "Größe, naïve Ångström, 東京大学, наука"),
    ("utf-16", "base64", "Größe, наука, 東京大学"),
    ("iso-8859-1", "8bit", "Größe und Länge, élève naïf"),
    ("windows-1252", "quoted-printable", "“Größe” und Länge"),
    ("koi8-r", "8bit", "Наука и техника для молодёжи"),
    ("windows-1251", "base64", "Наука и техника для молодёжи"),
    ("gb2312", "base64", "科学技术研究所"),
    ("big5", "quoted-printable", "科學技術研究所"),
    ("shift_jis", "8bit", "東京大学の研究"),
    ("iso-2022-jp", "7bit", "東京大学の研究"),
    ("euc-kr", "base64", "과학 기술 연구소"),
    ("iso-8859-2", "quoted-printable", "źdźbło, żółw, říše"),
]


@pytest.mark.parametrize(("charset", "transfer", "sentence"), SENTENCES)
def test_a_post_as_mime_has_the_words_of_the_post(
    charset: str, transfer: str, sentence: str
) -> None:
    body = f"{sentence}\n{BODY}"
    original = mail_of_text(f"{HEAD}\n\n{body}")
    assert sentence in original.text
    text = part(body, charset, transfer)
    page = part(f"<p>{sentence}, but on a page", kind="html")
    picture = b"Content-Type: image/png\nContent-Transfer-Encoding: base64\n\naVZCT1J3MEtHZ28=\n"
    for content in (
        text,
        parts("alternative", text, page),
        parts("mixed", parts("alternative", page, text, boundary="=_2"), picture),
    ):
        read_again = mail_of_bytes(mail(content))
        assert words(read_again) == words(original)
        assert read_again[2:] == original[2:]


def test_a_page_is_read_where_there_is_no_plain_text() -> None:
    pytest.importorskip("selectolax")
    page = part("<style>p {}</style><p>Deep <b>nets</b>", kind="html")
    empty = part(" \n", transfer="7bit")
    for content in (page, parts("alternative", empty, page), parts("related", page)):
        assert words(mail_of_bytes(mail(content)))[-2:] == ["Deep", "nets"]


def test_texts_that_are_attached_and_mail_that_is_forwarded_are_read() -> None:
    attached = b'Content-Disposition: attachment; filename="a.txt"\n' + part("> attached\n-- \nall")
    calendar = part("BEGIN:VCALENDAR", kind="calendar")
    forwarded = b"Content-Type: message/rfc822\n\n" + mail(
        part("inner"), "Subject: Fwd: outer\nTo: x"
    )
    report = b"Content-Type: message/delivery-status\n\nReporting-MTA: dns; x.org\n"
    record = mail_of_bytes(
        mail(parts("mixed", part("body"), attached, calendar, forwarded, report))
    )
    assert words(record) == [
        "Orbit",
        "of",
        "the",
        "moon",
        "body",
        "attached",
        "all",
        "outer",
        "inner",
    ]


def test_rich_text_is_converted() -> None:
    rich = part(r"{\rtf1\ansi Gr\'f6\'dfe}", transfer="7bit", kind="rtf")
    assert words(mail_of_bytes(mail(rich)))[-1] == "Größe"


def test_kept_mail_has_quotes_and_what_a_mail_program_shows() -> None:
    text = mail_of_bytes(mail(part(BODY)), keep=True).text
    assert text.startswith("From: a@b.org (Someone)\nDate: Tue, 6 Apr")
    assert ">What is the orbit?" in text
    assert "Someone, somewhere" in text
    assert "transferword" not in text


def test_mail_in_a_table_was_decoded_before() -> None:
    head = f'{HEAD}\nContent-Type: text/plain; charset="koi8-r"\n'
    assert words(mail_of_text(f"{head}\nНаука"))[-1] == "Наука"
    body = base64.encodebytes("Наука".encode("koi8-r")).decode()
    assert words(mail_of_text(f"{head}Content-Transfer-Encoding: base64\n\n{body}"))[-1] == "Наука"


@pytest.mark.parametrize("charset", ["none-such", "rot13", "punycode", "undefined", "us-ascii", ""])
def test_a_charset_that_is_not_known_is_guessed(charset: str) -> None:
    content = part("Größe", transfer="8bit").replace(b"utf-8", charset.encode())
    assert words(mail_of_bytes(mail(content)))[-1] == "Größe"


def test_a_charset_means_the_larger_one_of_mail_programs() -> None:
    content = part("“Größe” 朱镕基", "gb18030", "8bit").replace(b"gb18030", b"gb2312")
    assert "“Größe” 朱镕基" in mail_of_bytes(mail(content)).text


def test_damaged_mail_is_read_as_far_as_possible() -> None:
    whole = mail(parts("mixed", part("first words " * 50), part("last words")))
    cut = mail_of_bytes(whole[: whole.index(b"--=_1", 400) - 100])
    assert words(cut)[4:8] == ["first", "words", "first", "words"]
    assert words(mail_of_bytes(whole.replace(b'"=_1"', b'"=_other"'))) == [
        "Orbit",
        "of",
        "the",
        "moon",
    ]


def test_parts_that_are_nested_without_end_are_told(tmp_path: Path) -> None:
    content = b"Content-Type: message/rfc822\n\n" * 10_000
    with pytest.raises(DocumentsError, match="nested too deeply"):
        mail_of_bytes(mail(content))
    (tmp_path / "a.eml").write_bytes(mail(content))
    (tmp_path / "b.eml").write_text(POST)
    records, skipped = read_and_skipped(tmp_path)
    assert ([record.id for record in records], list(skipped)) == (["b.eml"], ["a.eml"])


def test_a_page_needs_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "selectolax.lexbor", None)
    with pytest.raises(DocumentsError, match=r'pip install "hlta\[html\]"'):
        mail_of_bytes(mail(part("<p>page", kind="html")))


_PIECES = st.sampled_from(
    [
        *(b"Content-Type: multipart/mixed; boundary=x\n", b"--x\n", b"--x--\n", b"\n", b"\r\n"),
        *(b"Content-Type: text/plain; charset*0=utf; charset*1=-8\n", b"Subject: =?utf-8?b?_?=\n"),
        *(b"Content-Transfer-Encoding: base64\n", b"Content-Transfer-Encoding: x-uuencode\n"),
        *(b"Content-Disposition: attachment\n", b"From: x\n", b"Date: 0 0 0\n", b" folded\n"),
        *(b"Content-Type: message/rfc822\n", b"Content-Type: ;\n", b"AAAA\xff", b"=?x?q?=ZZ?="),
    ]
)


@given(st.lists(st.one_of(_PIECES, st.binary(max_size=8)), max_size=30))
def test_no_mail_ends_in_a_traceback(pieces: list[bytes]) -> None:
    data = b"MIME-Version: 1\n" + b"".join(pieces)
    assert isinstance(mail_of_bytes(data).text, str)
    assert isinstance(mail_of_text(data.decode("latin-1")).text, str)
    assert isinstance(mail_of_bytes(data, keep=True).text, str)
