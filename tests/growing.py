"""Files of any size, of every kind that is read: some as programs write them, some made to be slow.

Each is a function of how often what it repeats is there; the size of what it makes grows with that.
"""

import bz2
import gzip
import io
import json
import warnings
import zipfile
from base64 import encodebytes
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

import numpy as np
import polars as pl

from tests.pdfs import pdf
from tests.zipped import PACKERS, zipped

Maker = Callable[[int], bytes]


def each(unit: str, before: str = "", after: str = "", encoding: str = "utf-8") -> Maker:
    """Text between two others that repeats a unit, in which # stands for its number."""
    parts = unit.split("#")
    return lambda n: f"{before}{''.join(str(k).join(parts) for k in range(n))}{after}".encode(
        encoding
    )


def deep(begin: str, end: str, before: str = "", after: str = "") -> Maker:
    """Units within units."""
    return lambda n: f"{before}{begin * n}text{end * n}{after}".encode()


def streams(pack: Callable[[bytes], bytes]) -> Maker:
    """A file of many compressed streams, one after the other."""
    return lambda n: b"".join(pack(b"text %d\n" % k) for k in range(n))


def archive(growing: Mapping[str, Maker], others: Mapping[str, str], name: str = "") -> Maker:
    """An archive in which some members grow, or as many as `name` says have the content of `others`."""

    def make(n: int) -> bytes:
        members: dict[str, bytes | str] = {k: text for k, text in others.items() if k != name}
        members |= {member: of(n) for member, of in growing.items()}
        return zipped(members | {name.replace("#", str(k)): others[name] for k in range(n) if name})

    return make


def grown(member: str, make: Maker, others: Mapping[str, str] = MappingProxyType({})) -> Maker:
    """An archive in which one member grows."""
    return archive({member: make}, others)


# ---- texts and tables ------------------------------------------------------------------------

_LINES: Final = each("some text of number #\n")


def _parquet(n: int) -> bytes:
    pl.DataFrame({"text": [f"text {k}" for k in range(n)]}).write_parquet(file := io.BytesIO())
    return file.getvalue()


TABLES: Final[dict[str, Maker]] = {
    "rows.parquet": _parquet,
    "lines.txt": _LINES,
    "one line.txt": each("word# "),
    "blank lines.txt": each("\n", "", "text"),
    "spaces.txt": each(" ", "", "text"),
    "lines that end with CR.txt": each("text #\r"),
    "lines that end with CR and LF.txt": each("text #\r\n"),
    "UTF-16.txt": each("größer #\n", "\ufeff", encoding="utf-16-le"),
    "damaged bytes.txt": lambda n: (
        "größer und größer\n".encode() * n + b"gr\xf6\xdfer\n" * (n // 9)
    ),
    "foreign bytes.txt": each("größer und öfter\n", encoding="latin-1"),
    "mail in lines.jsonl": each('{"text": "From: a\\nSubject: b\\n\\ntext #"}\n'),
    "lines.txt.gz": lambda n: gzip.compress(_LINES(n)),
    **{f"streams.txt{ending}": streams(pack) for ending, pack in PACKERS.items()},
    "zeros behind.txt.bz2": lambda n: bz2.compress(b"some text\n") + bytes(1024 * n),
    "rows.csv": each('#,"some, text ""of"" number #",2020-01-#\n', "id,text,date\n"),
    "rows.tsv": each("#\tsome text\n", "id\ttext\n"),
    "quoted rows.tsv": each('#\t"some ""more"" text"\n', "id\ttext\n"),
    "blank rows.csv": each("\n", "id,text\n", "1,text\n"),
    "blank rows above.csv": each("\n", "", "id,text\n1,text\n"),
    "a long line above.csv": each("word ", "", "\nid,text\n1,text\n"),
    "rows without text.csv": each("#,\n", "id,text\n", "1,text\n"),
    "broken rows.csv": each("#,text,more\n", "id,text\n1,text\n"),
    "stray quotes.csv": each('#,some "text" of\n', "id,text\n1,text\n"),
    "quotes not closed.csv": each('"#,text\n', "id,text\n1,text\n", '"'),
    "a quote not closed.csv": each("#,text\n", "id,text\n1,text\n", '1,"text\n'),
    "doubled quotes.csv": each('""', 'id,text\n1,"', 'a"\n'),
    "lines in a field.csv": each("text #\n", 'id,text\n1,"', '"\n'),
    "a long field.csv": each("text # ", "id,text\n1,", "\n"),
    "columns.csv": lambda n: each(",c#", "text")(n) + (b"\na text" + b",1" * n) * 3,
    "columns of one name.csv": lambda n: each(",c", "text")(n) + b"\na text" + b",1" * n,
    "objects.jsonl": each('{"id": #, "text": "some text of number #", "more": {"a": []}}\n'),
    "blank lines.jsonl": each("\n", '{"text": "a"}\n', '{"text": "b"}\n'),
    "broken lines.jsonl": each("{\n", '{"text": "a"}\n'),
    "a list of texts.jsonl": each('"text #", ', '{"text": [', '""]}\n'),
    "keys.jsonl": each('"k#": #, ', "{", '"text": "a text"}\n'),
    "keys that differ.jsonl": each('{"k#": 1, "text": "a"}\n', '{"text": "a"}\n'),
    "deep.jsonl": deep("[", "]", '{"text": "a text"}\n{"text": "a", "more": "', '"}\n'),
    "objects.json": each('{"text": "text #"}, ', "[", '"text"]'),
    "texts.json": each('"text #", ', "[", '"text"]'),
    "empty objects.json": each("{},", '[{"text": "a"},', "{}]"),
}

# ---- workbooks -------------------------------------------------------------------------------

_RELATIONS: Final = "_rels/workbook.xml.rels"
_BOOK: Final = {
    "xl/workbook.xml": "<w><sheet name='a' r:id='i'/></w>",
    f"xl/{_RELATIONS}": "<r><Relationship Id='i' Target='s.xml'/></r>",
    "xl/s.xml": "<s><row><c t='s'><v>0</v></c></row><row><c t='s'><v>1</v></c></row></s>",
    "xl/sharedStrings.xml": "<s><si><t>text</t></si><si><t>some words</t></si></s>",
}
_HEAD: Final = "<s><row><c t='str'><v>text</v></c></row>"
_ROW: Final = "<row><c t='str'><v>text #</v></c></row>"


def _book(member: str, unit: str, before: str = "", after: str = "") -> Maker:
    """A workbook of which a member grows."""
    return grown(f"xl/{member}", each(unit, before, after), _BOOK)


_PLACE: Final = "<r><Relationship Id='i' Target='s.xml'/>"
_CELL: Final = "<c t='s'><v>1</v></c>"

WORKBOOKS: Final[dict[str, Maker]] = {
    "rows.xlsx": _book("s.xml", _ROW, _HEAD, "</s>"),
    "empty rows.xlsx": _book("s.xml", "<row/>", _HEAD, f"{_ROW}</s>"),
    "rows without text.xlsx": _book("s.xml", "<row><c/></row>", _HEAD, f"{_ROW}</s>"),
    "cells.xlsx": _book("s.xml", "<c><v>#</v></c>", f"{_HEAD}{_ROW}<row>", "</row></s>"),
    "columns.xlsx": _book("s.xml", "<c t='str'><v>c#</v></c>", _HEAD[:-6], f"</row>{_ROW}</s>"),
    "runs in a cell.xlsx": _book("s.xml", "<t>a</t>", f"{_HEAD}<row><c t='str'>", "</c></row></s>"),
    "shared texts.xlsx": _book("sharedStrings.xml", "<si><t>text</t></si>", "<s>", "</s>"),
    "sheets.xlsx": _book("workbook.xml", "<sheet name='#' r:id='i'/>", "<w>", "</w>"),
    "places.xlsx": _book(
        _RELATIONS, "<a Id='#'/><Relationship Id='j#' Target='#'/>", _PLACE, "</r>"
    ),
    "styles.xlsx": _book("styles.xml", "<xf numFmtId='#'/>", "<s><cellXfs>", "</cellXfs></s>"),
    "formats.xlsx": _book(
        "styles.xml", "<numFmt numFmtId='#' formatCode='[d]\"d\"'/>", "<s>", "</s>"
    ),
    # Two parts that grow, of which one must not be gone through for each unit of the other.
    "sheets with a long place.xlsx": archive(
        {
            "xl/workbook.xml": each("<sheet name='#' r:id='j'/>", "<w><sheet r:id='i'/>", "</w>"),
            f"xl/{_RELATIONS}": each("place", f"{_PLACE}<Relationship Id='j' Target='/", "'/></r>"),
        },
        _BOOK,
    ),
    "columns with a long name.xlsx": archive(
        {
            "xl/s.xml": each(_CELL, _HEAD[:-6], f"</row>{_ROW}</s>"),
            "xl/sharedStrings.xml": each("Name", "<s><si/><si><t>", "</t></si></s>"),
        },
        _BOOK,
    ),
}

# ---- single documents ------------------------------------------------------------------------

_W: Final = "<d><body>"
_P: Final = "<p><r><t>text #</t></r></p>"
_DOCX: Final = {"word/document.xml": "<d><p><t>text</t></p></d>"}
_SLIDE: Final = "ppt/slides/slide#.xml"
_BOOK_OF_PAGES: Final = {
    "META-INF/container.xml": "<c><rootfile full-path='O/p.opf'/></c>",
    "O/p.opf": "<p><item id='c' href='c.html'/><itemref idref='c'/></p>",
    "O/c.html": "<p>text</p>",
    "O/c#.html": "<p>text</p>",
}


def _docx(unit: str, before: str = "<d>", after: str = "</d>", member: str = "document") -> Maker:
    return grown(f"word/{member}.xml", each(unit, before, after), _DOCX)


def _odt(unit: str, before: str = "<d>", after: str = "</d>") -> Maker:
    return grown("content.xml", each(unit, before, after))


def _epub(package: Maker, **others: Maker) -> Maker:
    chapters = {f"O/{name}.html": make for name, make in others.items()}
    book = {name: text for name, text in _BOOK_OF_PAGES.items() if "#" not in name}
    return archive({"O/p.opf": package, **chapters}, book)


def _html(unit: str, before: str = "<p>text", after: str = "") -> Maker:
    return each(unit, before, after)


def _rtf(unit: str, before: str = "", after: str = "text") -> Maker:
    return each(unit, "{\\rtf1 " + before, after + "}")


def _mail(unit: str, kind: str = "text/plain", before: str = "", after: str = "") -> Maker:
    head = f"From: a\nSubject: b\nMIME-Version: 1.0\nContent-Type: {kind}\n"
    return each(unit, head + before, after)


_PART: Final = "--x\nContent-Type: text/plain\n\ntext #\n"
_FROM: Final = "From a@b.org Mon Jan  3 09:12:44 2012\n"
_MIXED: Final = "multipart/mixed; boundary=x"


def _attachments(n: int) -> bytes:
    data = encodebytes(b"text " * 50).decode()
    head = "Content-Type: text/plain; name=a#\nContent-Disposition: attachment\n"
    part = f"--x\n{head}Content-Transfer-Encoding: base64\n\n{data}"
    return _mail(part, _MIXED, "\n")(n)


def _often_in_order(n: int, place: str = "") -> bytes:
    item = f"<p><item id='c' href='{place}c.html'/>"
    return each("<itemref idref='c'/>", item, "</p>")(n)


XML: Final[dict[str, Maker]] = {
    "elements.xml": each("<a>text #</a>", "<d>", "</d>"),
    "deep.xml": deep("<a>", "</a>"),
    "attributes.xml": each(" a#='b'", "<d", ">text</d>"),
    "entities.xml": each("&amp;", "<d>", "</d>"),
    "unknown entities.xml": each("&eacute;", "<!DOCTYPE d SYSTEM 'd'><d>", "</d>"),
}
ARCHIVES: Final[dict[str, Maker]] = {
    "paragraphs.docx": _docx(_P),
    "deep.docx": grown("word/document.xml", deep("<tbl><tc><p>", "</p></tc></tbl>", "<t>", "</t>")),
    "runs.docx": _docx("<r><t>text</t><tab/><br/></r>", "<d><p>", "</p></d>"),
    "deleted.docx": _docx("<del><delText>text</delText></del>", "<d><t>text</t>"),
    "footnotes.docx": _docx(f"<footnote>{_P}</footnote>", member="footnotes"),
    "titles.docx": grown("docProps/core.xml", each("<title>text</title>", "<c>", "</c>"), _DOCX),
    "pictures.docx": archive({}, {**_DOCX, "word/media/#.png": "picture"}, "word/media/#.png"),
    "slides.pptx": archive({}, {_SLIDE: "<s><t>text</t></s>"}, _SLIDE),
    "a slide.pptx": grown(_SLIDE.replace("#", "1"), each("<p><t>text</t></p>", "<s>", "</s>")),
    "paragraphs.odt": _odt("<h>heading</h><p>text<s/>#<span>text</span></p>"),
    "deep.odt": grown("content.xml", deep("<list><item><p>", "</p></item></list>")),
    "notes.odp": _odt("<note><p>#</p></note>", "<d><p>", "</p></d>"),
    "chapters.epub": archive(
        {"O/p.opf": each("<item id='#' href='c#.html'/><itemref idref='#'/>", "<p>", "</p>")},
        _BOOK_OF_PAGES,
        "O/c#.html",
    ),
    "a chapter.epub": _epub(each("", _BOOK_OF_PAGES["O/p.opf"]), c=_html("<p>text #</p>")),
    "a chapter often.epub": _epub(_often_in_order),
    "a long place often.epub": _epub(lambda n: _often_in_order(n, "./" * 100 * n)),
    "packages.epub": archive(
        {"META-INF/container.xml": each("<rootfile full-path='O/p.opf'/>", "<c>", "</c>")},
        {name: text for name, text in _BOOK_OF_PAGES.items() if "#" not in name},
    ),
}
PAGES: Final[dict[str, Maker]] = {
    "paragraphs.html": _html("<p>text #</p>"),
    "deep.html": deep("<div>", "</div>"),
    "not closed.html": _html("<b>text"),
    "links not closed.html": _html("<a href=#>text"),
    "attributes with quotes.html": _html("<a b=\"'c>'\">text</a>"),
    "quotes not closed.html": _html("<a b='c>text</a>"),
    "equal signs.html": _html("= ", "<p>text<a ", ">text"),
    "breaks.html": _html("<br> "),
    "labels.html": _html("<span>text</span><label>#</label>"),
    "pictures.html": _html("<img src=a><svg></svg>"),
    "options.html": _html("<option>text", "<p>text<select>"),
    "scripts.html": _html("<script>text</script><nav>text</nav>"),
    "no tags.html": _html("< <! </ <a "),
    "remarks.html": _html("<!--"),
}
OTHERS: Final[dict[str, Maker]] = {
    "paragraphs.rtf": _rtf("text #\\par "),
    "deep.rtf": deep("{", "}", "{\\rtf1 ", "}"),
    "not opened.rtf": _rtf("}"),
    "fonts.rtf": _rtf("{\\f#\\fcharset204 Arial;}", "{\\fonttbl", "}text"),
    "bytes.rtf": _rtf("\\'e9"),
    "letters.rtf": _rtf("\\u8364?"),
    "left out.rtf": _rtf("{\\*\\generator x}"),
    "binary.rtf": _rtf("\\bin1 x"),
    "titles.rtf": _rtf("{\\title text}", "{\\info", "}text"),
    "cells.ipynb": each('{"cell_type": "markdown", "source": ["# \\n"]},', '{"cells": [', "{}]}"),
    "lines.ipynb": each('"text #\\n", ', '{"cells": [{"source": [', '""]}]}'),
    "sheets.ipynb": each('{"cells": [{"input": "x"}]}, ', '{"worksheets": [', "{}]}"),
    "cues.srt": each("#\n00:00:01,000 --> 00:00:02,500\n<i>text</i> #\n\n"),
    "a long cue.srt": each("text #\n", "1\n00:00:01,000 --> 00:00:02,500\n"),
    "styles.vtt": each("<v a", "WEBVTT\n\n00:01.000 --> 00:02.000\ntext"),
    "braces.srt": each("{\\", "1\n00:00:01,000 --> 00:00:02,500\ntext"),
    "digits.srt": each("1", "1\n00:00:01,000 --> 00:00:02,500\ntext\n"),
    "headers.eml": each("X-#: text\n", "From: a\nSubject: b\n", "\ntext"),
    "lines.eml": each("text #\n> quoted\nA wrote:\n", "From: a\nSubject: b\n\n"),
    "signatures.eml": each("--  \n--", "From: a\nSubject: b\n\ntext\n"),
    "parts without an end.eml": _mail("--x ", _MIXED, "\n--x\n\ntext"),
    "quoted-printable.eml": _mail(
        "=E9=\n",
        "text/plain; charset=latin-1",
        "Content-Transfer-Encoding: quoted-printable\n\ntext ",
    ),
    "encoded words.eml": each(
        f" =?utf-8?q?{'text_' * 40}?=\n", "From: a\nSubject:", "MIME-Version: 1.0\n\ntext"
    ),
    "parameters.eml": _mail(";\n a#=b", "text/plain", "", "\n\ntext"),
    "a mail.mbox": each("text #\n>From b\n", f"{_FROM}From: a\n\n"),
}
MAIL: Final[dict[str, Maker]] = {
    "parts.eml": _mail(_PART, _MIXED, "\n"),
    "alternatives.eml": _mail(_PART, "multipart/alternative; boundary=x", "\n"),
    "attachments.eml": _attachments,
    "pages.eml": _mail("--x\nContent-Type: text/html\n\n<p>text #</p>\n", _MIXED, "\n"),
    "mails.mbox": each(f"{_FROM}From: a\nSubject: b\n\ntext #\n>From c\n\n"),
    "empty mails.mbox": each(f"{_FROM}From: a\n\n\n", "", f"{_FROM}From: a\n\ntext"),
    "parts.mbox": each(_PART, f"{_FROM}From: a\nMIME-Version: 1.0\nContent-Type: {_MIXED}\n\n"),
}

PDF: Final[dict[str, Maker]] = {
    "lines.pdf": lambda n: pdf([f"text {k}" for k in range(n)]),
    "pages.pdf": lambda n: pdf(["text"], pages=n),
}

# ---- beside documents --------------------------------------------------------------------------

_VARIABLE: Final = "variable # { type discrete[2] {x y}; }\n"
_ROOT: Final = f"{_VARIABLE.replace('#', 'a')}probability (a) {{ table .5 .5; }}\n"
_TABLE: Final = "probability (# | a) { table .5 .5 .5 .5; }\n"
_ONE: Final = (_VARIABLE + _TABLE).replace("#", "b")


def _headed(make: Maker, dimensions: int = 2) -> Maker:
    """Vectors below a line that says how many there are."""
    return lambda n: b"%d %d\n" % (n, dimensions) + make(n)


def _seeds(n: int) -> bytes:
    return json.dumps({f"T{k}": [f"w{2 * k}", f"w{2 * k + 1}"] for k in range(n)}).encode()


def _chain(n: int) -> bytes:
    """Topics below each other, and a word below the last."""
    below = (_TABLE.replace("| a", f"| {k - 1}").replace("#", str(k)) for k in range(1, n + 1))
    top = _ROOT.splitlines()[1].replace("a)", "0)")
    return each(_VARIABLE)(n + 1) + (top + "".join(below)).encode()


VECTORS: Final[dict[str, Maker]] = {
    "glove.txt": each("w# 0.5 1\n"),
    "word2vec.txt": _headed(each("w# 0.5 1\n")),
    "word2vec.bin": _headed(lambda n: b"".join(b"w%d \0\0\x80?\0\0\x80?" % k for k in range(n))),
    "a long vector.bin": lambda n: b"1 %d\nw0 " % (n << 13) + b"\0\0\x80?" * (n << 13),
    "a long line.txt": each(" 0.5", "w1 1", "\n"),
}
WORD_LISTS: Final[dict[str, Maker]] = {
    "lists.json": each('["a", "b#"], ', "[", '["a"]]'),
    "a list.json": each('"b#", ', "[[", '"a"]]'),
    "trees.json": each('{"words": ["a"], "children": [["a"]]}, ', "[", '["a"]]'),
    "deep.json": lambda n: deep('{"words": ["a"], "children": [', "]}", "[", "]")(n).replace(
        b"text", b'["a"]'
    ),
}
ROWS: Final[dict[str, Maker]] = {
    "rows": each("d#,t#,d#,t#\n", "document,topic,id,title\n"),
    "rows of a document": each("d,t#,d,t#\n", "document,topic,id,title\n"),
    "blank rows": each("\n", "document,topic,id,title\n", "d,t,d,t\n"),
    "columns": each(",c#", "document,topic,id,title", "\nd,t,d,t\n"),
    "lines in a field": each("a\n", 'document,topic,id,title\nd,t,d,"', '"\n'),
}
WORDS: Final[dict[str, Maker]] = {"words.txt": each("w#\n"), "blank lines.txt": each("\n")}
SEEDS: Final[dict[str, Maker]] = {
    "titles.json": _seeds,
    "lists.json": lambda n: json.dumps([*json.loads(_seeds(n)).values()]).encode(),
    "a list.json": each('"w#", ', "[[", '"x"]]'),
    "seeds in a seed.json": lambda n: b'{"A": %s, "B": ["x", "y"]}' % _seeds(n + 1),
}
BIF: Final[dict[str, Maker]] = {
    "variables.bif": each(_VARIABLE + _TABLE, _ROOT),
    "a chain.bif": _chain,
    "remarks.bif": each("/* a */ // b\n", _ROOT, _ONE),
    "properties.bif": each("property a#;\n", f"{_ROOT}{_ONE}network a {{", "}"),
    "a string.bif": each('\\"', f'{_ROOT}{_ONE}network "', '" {}'),
    "rows.bif": each("(x) .5 .5; ", f"{_ROOT}{_ONE[:-23]}{{ ", "(y) .5 .5; }"),
}

# ---- matrices ---------------------------------------------------------------------------------

_MARKET: Final = "%%MatrixMarket matrix coordinate integer general\n"


def _npz(n: int) -> bytes:
    words = np.array([f"w{k}" for k in range(n)])
    parts: dict[str, Any] = {"data": np.ones(n, int), "indices": np.arange(n), "words": words}
    parts |= {"indptr": np.arange(n + 1), "format": np.array(b"csr"), "shape": np.array([n, n])}
    np.savez(file := io.BytesIO(), **parts)
    return file.getvalue()


def _often(n: int) -> bytes:
    """An archive of NumPy in which many members have one name, and the last is large."""
    np.save(array := io.BytesIO(), np.zeros(n))
    with (
        warnings.catch_warnings(action="ignore"),
        zipfile.ZipFile(file := io.BytesIO(_npz(2)), "a") as opened,
    ):
        for k in range(n):
            opened.writestr("more.npy", b"" if k < n - 1 else array.getvalue())
    return file.getvalue()


MATRICES: Final[dict[str, Maker]] = {
    "a.ldac": each("2 0:1 #:2\n"),
    "one line.ldac": lambda n: f"{n}".encode() + each(" #:1")(n) + b"\n",
    "blank lines.ldac": each("\n", "1 0:1\n1 1:1\n"),
    "a.sparse.txt": each("d#, w#\n"),
    "a.mtx": lambda n: (_MARKET + f"{n} 3000 {n}\n").encode() + each("# 1 1\n", "")(n + 1)[6:],
    "remarks.mtx": each("% #\n", _MARKET, "2 3000 2\n1 1 1\n2 2 1\n"),
    "docword.a.txt": lambda n: f"{n}\n3000\n{n}\n".encode() + each("# 1 1\n")(n + 1)[6:],
    "a.npz": _npz,
    "a member often.npz": _often,
}
