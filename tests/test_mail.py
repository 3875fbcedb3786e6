"""Mail: what its author wrote, decoded, and nothing else; a mailbox is a document per mail."""

import base64
import gzip
import quopri
import re
from pathlib import Path

import pytest

from hlta import DocumentsError
from hlta.reading.formats import mbox as mailbox
from hlta.reading.formats.mail import (
    bytes_look_like_mail,
    looks_like_mail,
    mail_of_bytes,
    mail_of_text,
)
from hlta.reading.formats.mbox import looks_like_mbox
from hlta.reading.records import Record
from hlta.reading.skipped import OF_MAIL, Skipped
from tests.reads import read, read_and_skipped

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
    codec = {"gb2312": "gb18030"}.get(charset, charset)
    return (
        f'Content-Type: text/{kind}; charset="{charset}"\nContent-Transfer-Encoding: {transfer}\n\n'
    ).encode() + encode.get(transfer, bytes)(text.encode(codec))


def parts(kind: str, *inner: bytes, boundary: str = "=_1") -> bytes:
    """Several parts as one."""
    joined = b"".join(b"--%s\n%s\n" % (boundary.encode(), one) for one in inner)
    head = f'Content-Type: multipart/{kind}; boundary="{boundary}"\n\n'.encode()
    return head + joined + f"--{boundary}--\n".encode()


def mail(content: bytes, head: str = HEAD) -> bytes:
    return f"Received: by transferword.example\n{head}\nMIME-Version: 1.0\n".encode() + content


def words(record: Record) -> list[str]:
    return re.findall(r"\w+", record.text)


def test_mail_is_told_from_other_texts() -> None:
    assert looks_like_mail(POST)
    assert looks_like_mail("From a@b.org Mon Jan  3 09:12:44 2012\n" + POST)
    assert bytes_look_like_mail(POST.encode() + b"\xff\xfe")
    for text in ("Note: no mail", "To be: or not\n\nto be", "", "Subject: x", "From: x\nno\n\n"):
        assert not looks_like_mail(text)


@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r"])
def test_mail_loses_what_its_author_did_not_write(line_break: str) -> None:
    text = POST.replace("\n", line_break)
    assert mail_of_text(text) == mail_of_bytes(text.encode())
    assert mail_of_text(text)[:5] == (STRIPPED, "", "Orbit of the moon", "1993-04-06", "")


def test_a_subject_may_have_several_lines_and_be_encoded_and_a_date_any_form() -> None:
    head = "From: x\nSubject: =?utf-8?b?R3LDtsOf?=\n =?UTF-8?Q?e_der?=\n Dinge\nX: y"
    for date in ("", "soon", "45 Foo 99999999999 25:61", "2019-06-03T10:00:00Z", "3.6.2019"):
        record = mail_of_text(f"Date: {date}\n{head}\n\nbody")
        assert (record.title, record.date) == ("Größe der Dinge", date)  # read as in a table


# ---- mail with encoded parts -----------------------------------------------------------------

SENTENCES = [
    ("utf-8", "quoted-printable", "Größe, naïve Ångström, 東京大学, наука"),
    ("utf-16", "base64", "Größe, наука, 東京大学"),
    ("iso-8859-1", "8bit", "Größe und Länge, élève naïf"),
    ("windows-1252", "quoted-printable", "“Größe” und Länge"),
    ("koi8-r", "8bit", "Наука и техника для молодёжи"),
    ("gb2312", "base64", "科学技术研究所 “朱镕基”"),  # as mail programs mean it: a larger charset
    ("iso-2022-jp", "7bit", "東京大学の研究"),
]


@pytest.mark.parametrize(("charset", "transfer", "sentence"), SENTENCES)
def test_a_post_as_mime_has_the_same_words(charset: str, transfer: str, sentence: str) -> None:
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
    rich = part(r"{\rtf1\ansi Deep nets}", transfer="7bit", kind="rtf")
    for content in (page, parts("alternative", empty, page), parts("related", page), rich):
        assert words(mail_of_bytes(mail(content)))[-2:] == ["Deep", "nets"]


def test_texts_that_are_attached_and_mail_that_is_forwarded_are_read() -> None:
    attached = b'Content-Disposition: attachment; filename="a.txt"\n' + part("> attached\n-- \nall")
    calendar = part("BEGIN:VCALENDAR", kind="calendar")
    forwarded = b"Content-Type: message/rfc822\n\n" + mail(part("inner"), "Subject: outer\nTo: x")
    report = b"Content-Type: message/delivery-status\n\nReporting-MTA: dns; x.org\n"
    other = b'Content-Type: application/pdf; name="=?utf-8?q?=C3=9C.PDF?="\n\n%PDF'
    whole = parts("mixed", part("body"), attached, calendar, forwarded, report, other)
    skipped = Skipped()
    record = mail_of_bytes(mail(whole), skip=skipped)
    assert " ".join(words(record)) == "Orbit of the moon body attached all outer inner"
    (one,) = skipped.first
    assert one["what"] == "Ü.PDF"
    assert one["reason"].startswith("attached files that end in .pdf are not read; ")


@pytest.mark.parametrize(
    "name",
    ["*=undefined''a.pdf", "*=idna''a%ff.pdf", "*=a%00b''a.pdf", "*1*=utf-8''a; filename*=x"],
)
def test_names_of_attached_files_do_no_harm(name: str) -> None:
    other = b"Content-Type: application/pdf\nContent-Disposition: attachment; filename%s\n\n%%PDF"
    whole = parts("mixed", part("body"), other % name.encode())
    assert words(mail_of_bytes(mail(whole)))[-1] == "body"


def test_kept_mail_has_quotes_and_what_a_mail_program_shows(tmp_path: Path) -> None:
    (tmp_path / "1").write_text(POST)
    plain = read(tmp_path, mail="keep")[0]
    assert (plain.text, plain.title, plain.date) == (POST, "Orbit of the moon", "1993-04-06")
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


def test_damaged_mail_is_read_as_far_as_possible() -> None:
    whole = mail(parts("mixed", part("first words " * 50), part("last words")))
    cut = mail_of_bytes(whole[: whole.index(b"--=_1", 400) - 100])
    assert words(cut)[4:8] == ["first", "words", "first", "words"]
    other = whole.replace(b'"=_1"', b'"=_other"')
    assert words(mail_of_bytes(other)) == ["Orbit", "of", "the", "moon"]


def test_parts_that_are_nested_without_end_are_told(tmp_path: Path) -> None:
    content = b"Content-Type: message/rfc822\n\n" * 10_000
    with pytest.raises(DocumentsError, match="nested too deeply"):
        mail_of_bytes(mail(content))
    (tmp_path / "a.eml").write_bytes(mail(content))
    (tmp_path / "b.eml").write_text(POST)
    records, skipped = read_and_skipped(tmp_path)
    assert [record.id for record in records] == ["b.eml"]
    assert skipped == {"a.eml": "its parts are nested too deeply", "b.eml": OF_MAIL}


# ---- mailboxes -----------------------------------------------------------------------------------


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


def test_each_mail_is_a_document_and_other_texts_are_no_mailboxes(tmp_path: Path) -> None:
    (tmp_path / "a.mbox").write_text(BOX)
    records, skipped = read_and_skipped(tmp_path / "a.mbox")
    expected = [("1", "First", "2012-01-03"), ("2", "Second", ""), ("3", "Third", "")]
    assert [(r.id, r.title, r.date) for r in records] == expected
    body = "body of the first From here on, and From here to there."
    assert records[0].text.split()[1:] == body.split()
    assert set(skipped.values()) == {OF_MAIL}
    assert read_and_skipped(tmp_path / "a.mbox", mail="keep")[1] == {}
    assert looks_like_mbox(BOX.encode())
    for text in ("From here at 10:00 in 2012\nwe went", "From x", "", BOX[1:]):
        assert not looks_like_mbox(text.encode())
    (tmp_path / "a.mbox").write_text("just text")
    with pytest.raises(DocumentsError, match="it is not a mailbox"):
        read(tmp_path / "a.mbox")


@pytest.mark.parametrize("name", ["Inbox", "2005-January.txt", "a.mbox.gz"])
def test_mailboxes_are_recognised_by_what_they_hold(tmp_path: Path, name: str) -> None:
    data = BOX.encode()
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    assert [record.title for record in read(tmp_path / name)] == ["First", "Second", "Third"]
    assert [record.id for record in read(tmp_path)] == [f"{name}:{n}" for n in (1, 2, 3)]


def test_mail_that_is_nested_or_endless_is_skipped_or_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nested = "MIME-Version: 1\n" + "Content-Type: message/rfc822\n\n" * 100
    (tmp_path / "a.mbox").write_text(f"{FROM}{nested}\n\n{FROM}X: no text\n\n\n{BOX}")
    records, skipped = read_and_skipped(tmp_path / "a.mbox")
    assert [record.id for record in records] == ["3", "4", "5"]
    problems = [reason for reason in skipped.values() if reason != OF_MAIL]
    assert problems == ["its parts are nested too deeply", "it has no text"]
    monkeypatch.setattr(mailbox, "_LONGEST", 100)
    (tmp_path / "a.mbox").write_text(f"{FROM}From: x\nSubject: y\n\n" + "word\n" * 1000)
    (record,) = read(tmp_path / "a.mbox")
    assert 10 < record.text.count("word") < 30
