"""Targets that read texts: mail, pages, office files, folders, compressed files, words and dates."""

import gzip
import json
import warnings
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

from hlta import Corpus, HltaError, TextOptions
from hlta.monitor import Monitor
from hlta.reading.corpus_reader import corpus_of_records
from hlta.reading.recording import MetadataWriter
from hlta.reading.records import ReadOptions, Record
from hlta.reading.sources import read_documents
from hlta.topics.divisions import by_period
from tests import samples
from tests.fuzz.mutations import mutated, mutated_archive, one_of
from tests.fuzz.targets import Target, expect, target
from tests.pdfs import pdf
from tests.zipped import PACKERS
from tests.zipped import zipped as archive

_ENCODINGS: Final = (*(None,) * 8, "utf-8", "latin-1", "utf-16", "utf-16-le", "utf-32", "shift_jis")
_EVERY_WORD: Final = TextOptions(min_df=1, max_df=1.0, min_length=1, stop_words=None)


def expect_strings(record: Record) -> None:
    """Every part of a document is a string."""
    *parts, kept = record
    strings = (*parts, *(part for column in kept for part in column))
    expect(all(isinstance(part, str) for part in strings), "a part of a document is no string")


def read(rng: Random, path: Path | str | list[str], **given: Any) -> list[Record]:
    """Read documents with any options; now and then, their words, too."""
    options = {
        "encoding": rng.choice(_ENCODINGS),
        "mail": rng.choice(("auto", "auto", "keep")),
        "broken": rng.choice(("stop", "skip")),
        **given,
    }
    how = ReadOptions(**options)
    records = list(read_documents(path, how))
    for record in records:
        expect_strings(record)
    if rng.random() < 0.02:
        writer = MetadataWriter(how.to_keep, keep_texts=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of columns that are not kept
            corpus_of_records(iter(records), _EVERY_WORD, writer, Monitor())
    return records


def single(
    name: str,
    endings: Sequence[str],
    seeds: Sequence[bytes],
    tokens: Sequence[bytes] = (),
    cost: int = 1,
) -> Target:
    """A target that reads files with one of these endings."""

    def use(rng: Random, folder: Path) -> None:
        ending = rng.choice(endings)
        path = folder / f"input{ending}"
        path.write_bytes(one_of(rng, seeds, tokens))
        read(rng, path)

    use.__name__ = name
    return target(cost=cost)(use)


def zipped(
    name: str, endings: Sequence[str], members: dict[str, str], tokens: Sequence[bytes] = ()
) -> Target:
    """The same for files that are archives."""
    whole = {member: text.encode() for member, text in members.items()}

    def use(rng: Random, folder: Path) -> None:
        path = folder / f"input{rng.choice(endings)}"
        path.write_bytes(mutated_archive(rng, whole, tokens))
        read(rng, path)

    use.__name__ = name
    return target(cost=2)(use)


# ---- mail ------------------------------------------------------------------------------------

PLAIN: Final = b"""From: a@b.org (Ann)
Subject: Re: telescopes
Date: Mon, 3 Jan 2012 09:12:44 +0100
Organization: none

In article <1@b.org> bob writes:
> quoted lines
our own lines about comets
--
Ann
"""
MIME: Final = b"""From: =?utf-8?b?QW5u?= <a@b.org>
Subject: =?iso-8859-1?q?Gr=F6=DFe?= =?iso-8859-1*de?q?_zwei?=
Date: Tue, 29 Feb 2000 25:61:00 -0000
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="xx"

preamble
--xx
Content-Type: multipart/alternative; boundary=yy

--yy
Content-Type: text/plain; charset=gb2312
Content-Transfer-Encoding: base64

zbu50M6k0Ke5+w==
--yy
Content-Type: text/html; charset=koi8-r

<p>a <b>page</b></p>
--yy--
--xx
Content-Type: message/rfc822

Subject: inner
Content-Type: text/plain; charset="utf-7"
Content-Transfer-Encoding: quoted-printable

soft=
 line =E9=zz
--xx
Content-Type: text/plain; name="a.txt"
Content-Disposition: attachment
Content-Transfer-Encoding: x-uuencode

begin 644 a.txt
#0V%T
`
end
--xx--
epilogue
"""
_FROM: Final = b"From a@b.org Mon Jan  3 09:12:44 2012\n"
_MAIL_TOKENS: Final = [
    *(b"Content-Type: ", b"charset=", b"boundary=", b'boundary=""', b"--xx\n", b"--xx--\n", b"=\n"),
    *(b"multipart/digest", b"message/rfc822", b"text/rtf", b"utf-16", b"idna", b"punycode", b"hz"),
    *(b"=?x?q?", b"?=", b"=?utf-8?b?/w==?=", b"*0*=", b"uu_codec", b"unicode_escape", b"From "),
    *(b"; ", b"base64", b"quoted-printable", b"x-uuencode", b"\n\n", b"\n \n", b"Subject:", b">"),
]
single("mail", (".eml", ".txt", ""), (PLAIN, MIME), _MAIL_TOKENS)
single(
    "mbox",
    (".mbox", "", ".txt"),
    (_FROM + PLAIN + b"\n" + _FROM + MIME, (_FROM + b"From: x\nSubject: y\n\n>From z\n\n") * 9),
    [*_MAIL_TOKENS, _FROM],
)

# ---- other files with one document -----------------------------------------------------------

_TAGS: Final = [
    *(b"<div>", b"</div>", b"<", b"</", b"<!--", b"-->", b"&#0;", b"&#xD800;"),
    *(b"<![CDATA[", b"]]>"),
    *(b"<template>", b"<svg><desc>", b"<math>", b"<table>", b"<frameset>", b"<plaintext>", b"<p>"),
    *(b"<form>", b"<a>", b"<select>", b"<title>", b"</title>", b"<body>", b"&lt;", b"<br/>"),
]
single("html", (".html", ".htm", ".xhtml"), (samples.HTML.encode(),), _TAGS)
single(
    "rtf",
    (".rtf",),
    (samples.RTF.encode(),),
    [rb"\bin99999999 ", rb"\u-1", rb"\uc9", b"{", b"}", rb"\'", rb"\*", rb"\ansicpg65001", b"\\"],
)
single(
    "xml",
    (".xml",),
    (samples.XML.encode(),),
    [
        *_TAGS,
        *(b"<!DOCTYPE a [", b'<!ENTITY a "b">', b"&a;", b'SYSTEM "file:///etc/passwd"', b"<?x ?>"),
        *(b'encoding="utf-16"', b'encoding="x"', b'encoding="cp037"', b"xmlns:"),
    ],
)
JSON_TOKENS: Final = [
    *(b"[", b"]", b"{", b"}", b"null", b"true", b"1", b'"', b",", b":", b"[]", b"{}", b'""'),
    *(b"[" * 3000, b'{"a":' * 900, b"NaN", b"1e999", rb"\ud800", rb"\u0000"),
]
single(
    "ipynb",
    (".ipynb",),
    (json.dumps(samples.NOTEBOOK).encode(),),
    [*JSON_TOKENS, b'"cells"', b'"source"'],
)
single(
    "srt",
    (".srt", ".vtt"),
    (samples.SRT.encode(), samples.VTT.encode()),
    [b"-->", b"\n\n", b"WEBVTT", b"NOTE", b"<v ", b"&lt;", b"00:00:01,000 --> "],
)


single(
    "pdf",
    (".pdf",),
    (pdf(["Deep neural net-", "works learn."], "Title"), pdf([])),
    [
        *(b"<<", b">>", b"[", b"]", b"1 0 R", b"2 0 R", b"3 0 R", b"/Kids", b"/Filter/FlateDecode"),
        *(b"/Filter[/ASCIIHexDecode/LZWDecode]", b"/Filter/JBIG2Decode", b"/Encrypt 5 0 R", b"(("),
        *(b"stream\n", b"endstream", b"endobj", b"/Subtype/Type3", b"/Type/ObjStm", b"Tj", b"BT"),
    ],
)

zipped("docx", (".docx", ".docm"), samples.DOCX, _TAGS)
zipped("pptx", (".pptx", ".pptm"), samples.PPTX, _TAGS)
zipped("odt", (".odt", ".odp"), samples.ODT, _TAGS)
zipped(
    "epub",
    (".epub",),
    samples.EPUB,
    [*_TAGS, b"%00", b"../" * 40, b"file:///etc/passwd", b"http://x/", b"c%201.xhtml"],
)

# ---- many documents --------------------------------------------------------------------------

LINES: Final = "".join(f"document {n} of {n % 7} stars, größer\n" for n in range(200)).encode()
single("lines", (".txt", ".md"), (LINES[:900], LINES[:900].decode().encode("utf-16")))


@target()
def compressed(rng: Random, folder: Path) -> None:
    """What is damaged is told, and what is read of it is the beginning of what there was."""
    ending, pack = rng.choice([*PACKERS.items()])
    whole = pack(LINES)
    cut = rng.random() < 0.5
    data = whole[: rng.randrange(len(whole))] if cut else mutated(rng, whole)
    (path := folder / f"input.txt{ending}").write_bytes(data)
    truth, texts = LINES.decode().splitlines(), list[str]()
    try:
        texts.extend(record.text for record in read_documents(path))
    except HltaError:
        if cut:
            expect(texts[:-1] == truth[: len(texts)][:-1], "a file that was cut has other lines")
        raise
    # A file that was doubled as a whole holds its lines twice.
    times = len(texts) // len(truth)
    expect(texts == truth * times, "a damaged file was read without a complaint")


@target(cost=4)
def folders(rng: Random, folder: Path) -> None:
    """A folder in which some files are damaged: all others are read."""
    kinds = {
        "a.eml": MIME,
        "b.html": samples.HTML.encode(),
        "c.csv": b"id,text\n1,one\n2,two\n",
        "d.jsonl": b'{"text": "three"}\n',
        "e.txt.gz": gzip.compress(b"four", mtime=0),
        "f.docx": archive({"word/document.xml": b"<d><p><t>five</t></p></d>"}),
        "g.json": b'[{"text": "six"}]',
        "h": PLAIN,
    }
    damaged = rng.sample(list(kinds), 3)
    for name, data in kinds.items():
        (folder / name).write_bytes(mutated(rng, data) if name in damaged else data)
    (folder / "whole.txt").write_bytes(b"untouched text")
    records = read(rng, folder, encoding=None)
    expect("untouched text" in {record.text for record in records}, "a whole file is not read")


# ---- words and dates -------------------------------------------------------------------------

_TEXTS: Final = (
    b"The social network of friends, e-mail and C++; don't 3.14 U.S. training a deep neural-network",
    "Größe, naïve café İstanbul ſeß \u0130 état l'homme ﬁne e\u0301 ÅΩ мир 深層学習 ไทย ملف".encode(),
    b"a b c d e f " * 20,
)


@target(cost=4)
def words(rng: Random, folder: Path) -> None:
    """Any texts become words, and each document has the words that are in it."""
    data = [one_of(rng, _TEXTS) for _ in range(rng.choice((1, 2, 5)))]
    (folder / "texts").write_bytes(b"\n".join(data))
    texts = [text.decode("utf-8", rng.choice(("surrogateescape", "replace"))) for text in data]
    options: dict[str, Any] = {
        "ngrams": rng.choice((1, 1, 2, 3)),
        "min_length": rng.choice((1, 2, 3)),
        "min_df": 1,
        "max_df": 1.0,
        "stop_words": rng.choice((*(None,) * 8, "en", "auto")),
    }
    corpus = Corpus.from_texts(texts, n_jobs=1, keep_texts=rng.random() < 0.7, **options)
    expect(len(corpus) == len(texts), "a text is lost")
    rows = corpus.documents
    for document, text in enumerate(texts):
        if text.isascii() and options["ngrams"] == 1:
            numbers = rows.indices[rows.indptr[document] : rows.indptr[document + 1]].tolist()
            odd = [w for n in numbers if (w := corpus.words[n]).split("-")[0] not in text.lower()]
            expect(not odd, f"words that are not in the text: {odd[:3]}")


_DATES: Final = (
    *(b"2020-01-31", b"2020/1", b"1999", b"20200131", b"Mon, 3 Jan 2012 09:12:44 +0100"),
    *(b"1580515200", b"1580515200123.5", b"31.12.1999", b"2020-01-31T10:00:00Z", b"May 2001"),
    *(b"31/12/1999", b"12/31/1999", b"1/2/2003", b"Jan 5, 2004"),
    *(b"5th of May 2004", b"2004-Jan-05"),
)


@target()
def dates(rng: Random, folder: Path) -> None:
    """Any strings as dates: each is in the period whose name it was given, or in none."""
    texts = [one_of(rng, _DATES).decode("utf-8", "replace") for _ in range(rng.choice((1, 2, 4)))]
    (folder / "dates").write_text("\n".join(texts), errors="replace")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # that some could not be read
        division = by_period(texts, rng.choice((None, "year", "month", "day")))
    if division is not None:
        rows, parts = division.rows.tolist(), division.parts.tolist()
        expect(len(rows) == len(parts) == len(set(rows)), "a date is in two periods")
        expect(rows == sorted(rows) and rows[-1] < len(texts), "a period has no date")
        expect(max(parts) < len(division.names), "a period has no name")
