"""The text of files in Rich Text Format."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from hlta.errors import DocumentsError
from hlta.reading.encodings import codec_of
from hlta.reading.records import Record

_TOKEN = re.compile(
    r"\\([a-zA-Z]{1,32})(-?\d{1,10})?[ ]?"  # a control word, with a number
    r"|\\'([0-9a-fA-F]{2})"  # a byte of a character
    r"|\\([^a-zA-Z'])"  # a control symbol
    r"|([{}])"
    r"|[\r\n]+"
    r"|([^\\{}\r\n]+)"
    r"|\\"
)
# Groups that hold no text of the document.
_NO_TEXT: Final = {
    *("colortbl", "stylesheet", "listtable", "listoverridetable", "revtbl", "rsidtbl"),
    *("generator", "pict", "object", "objdata", "filetbl"),
    *("xmlnstbl", "themedata", "datastore"),
    *("header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf"),
    *("author", "operator", "company", "keywords", "subject", "comment", "doccomm", "manager"),
    *("category", "creatim", "revtim", "printim", "buptim", "fldinst", "bkmkstart", "bkmkend"),
    *("annotation", "atnid", "atnauthor", "latentstyles", "pgptbl", "wgrffmtfilter", "info"),
}
_SYMBOLS: Final = {
    **dict.fromkeys(("par", "page", "sect", "row", "cell", "nestcell", "nestrow"), "\n\n"),
    **dict.fromkeys(("\n", "\r"), "\n\n"),
    "line": "\n",
    **dict.fromkeys(("enspace", "emspace", "qmspace", "~"), " "),
    **dict(
        zip(("lquote", "rquote", "ldblquote", "rdblquote"), "\u2018\u2019\u201c\u201d", strict=True)
    ),
    **dict(zip(("emdash", "endash", "bullet", "tab"), "\u2014\u2013\u2022\t", strict=True)),
    **dict(zip(("_", "\\", "{", "}"), "-\\{}", strict=True)),
}
# Python's names of charsets, by their numbers.
_CHARSETS: Final = {
    77: "mac_roman",
    128: "cp932",
    129: "cp949",
    130: "johab",
    134: "gb18030",
    136: "cp950",
    161: "cp1253",
    162: "cp1254",
    163: "cp1258",
    177: "cp1255",
    178: "cp1256",
    186: "cp1257",
    204: "cp1251",
    222: "cp874",
    238: "cp1250",
}


_MOST_TOKENS: Final = 1 << 23


class _Group(NamedTuple):
    r"""The state between two braces.

    where    what the text is for: "text", "title", "fonts", or "nothing" if it is not read
    skipped  how many characters follow a \u for programs that do not know it
    charset  the charset of bytes, by the font
    """

    where: str
    skipped: int
    charset: str


def rtf_text(data: str) -> Record:
    """The text and the title, from ASCII in which other letters are escaped; the record has no id."""
    if not data.lstrip().startswith("{\\rtf"):
        raise DocumentsError("it is not RTF, which begins with {\\rtf")
    if sum(map(data.count, "{}\\\n")) > _MOST_TOKENS:
        raise DocumentsError(
            f"it has more than {_MOST_TOKENS:,} codes, too many for a single document"
        )
    return _Converter().run(data)


class _Converter:
    """Reads one file from its beginning to its end."""

    def __init__(self) -> None:
        self._found: dict[str, list[str]] = {"text": [], "title": []}
        self._bytes = bytearray()  # not decoded yet: a letter may have two
        self._group = _Group("text", 1, "cp1252")
        self._outer: list[_Group] = []
        self._ansi = "cp1252"
        self._fonts: dict[int, str] = {}
        self._font = 0  # named last; in the table of fonts, the one that is described
        self._to_skip = 0  # characters after a \u

    def run(self, data: str) -> Record:
        """Convert the whole file."""
        position = 0
        while found := _TOKEN.match(data, position):
            position = found.end()
            word, number, byte, symbol, brace, text = found.groups()
            if byte is not None:
                self._byte(int(byte, 16))
                continue
            self._decode()
            if brace:
                self._brace(brace)
            elif word == "bin":  # as many bytes follow
                position += max(0, int(number or 0))
            elif word:
                self._word(word, None if number is None else int(number))
            elif symbol == "*":  # readers may ignore this group
                self._group = self._group._replace(where="nothing")
            elif text or symbol:
                self._write(text or _SYMBOLS.get(symbol, ""))
        self._decode()
        text, title = (_whole("".join(parts)) for parts in self._found.values())
        return Record(text, "", " ".join(title.split()))

    def _brace(self, brace: str) -> None:
        self._to_skip = 0
        if brace == "{":
            self._outer.append(self._group)
        elif self._outer:
            self._group = self._outer.pop()

    def _word(self, word: str, number: int | None) -> None:
        group = self._group
        if word in _SYMBOLS:
            self._write(_SYMBOLS[word])
        elif word == "u" and number is not None:
            self._to_skip = 0
            self._write(chr(number % 0x10000))
            self._to_skip = group.skipped
        elif word == "uc":
            self._group = group._replace(skipped=max(0, number or 0))
        elif word == "f":
            self._font = number or 0
            if group.where != "fonts":
                self._group = group._replace(charset=self._fonts.get(self._font, self._ansi))
        elif word == "fcharset" and group.where == "fonts":
            self._fonts[self._font] = _CHARSETS.get(number or 0, self._ansi)
        elif word == "ansicpg":
            self._ansi = codec_of(f"cp{number}") or self._ansi
            self._group = group._replace(charset=self._ansi)
        elif word == "fonttbl":
            self._group = group._replace(where="fonts")
        elif word == "title" and group.where == "nothing":
            self._group = group._replace(where="title")
        elif word == "shptxt":  # a box with text, in a group that readers may ignore
            self._group = group._replace(where="text")
        elif word in _NO_TEXT:
            self._group = group._replace(where="nothing")

    def _byte(self, value: int) -> None:
        if self._to_skip:
            self._to_skip -= 1
        else:
            self._bytes.append(value)

    def _decode(self) -> None:
        """Decode and write the bytes that were collected."""
        if self._bytes:
            shown = self._bytes.decode(self._group.charset, "replace")
            self._bytes.clear()
            self._write(shown)

    def _write(self, text: str) -> None:
        skipped = min(self._to_skip, len(text))
        self._to_skip -= skipped
        if self._group.where in self._found:
            self._found[self._group.where].append(text[skipped:])


def _whole(text: str) -> str:
    """The text with each surrogate pair, from two escapes, as one character."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
