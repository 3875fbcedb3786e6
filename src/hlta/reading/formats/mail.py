"""Mail and newsgroup posts: the subject, the date, and what the author wrote, decoded."""

from __future__ import annotations

import re
from binascii import Error as Base64Error
from binascii import a2b_base64, a2b_qp
from contextlib import suppress
from dataclasses import dataclass, field
from email import message_from_bytes
from email.utils import parsedate_to_datetime
from itertools import count
from typing import TYPE_CHECKING, Final, NamedTuple

from hlta.errors import DocumentsError
from hlta.reading.encodings import Decoder, codec_of
from hlta.reading.formats.html import html_text
from hlta.reading.formats.rtf import rtf_text
from hlta.reading.records import Record
from hlta.reading.skipped import attachment_not_read

if TYPE_CHECKING:
    from collections.abc import Iterator
    from email.message import Message

    from hlta.reading.records import Skip

_HEADER = re.compile(r"[A-Za-z][\w.-]*:")
_BLANK = re.compile(r"\n[ \t]*(?:\n|\Z)")
_BLANK_BYTES = re.compile(rb"\n[ \t]*\r?(?:\n|\Z)")
_ENVELOPE = re.compile(r"From \S[^\n]*\n")  # the line before each mail of an .mbox
_ENCODED = re.compile(r"\n(?:mime-version|content-type|content-transfer-encoding):", re.IGNORECASE)
_ENCODED_WORD = re.compile(r"=\?([^\s?*]{1,40})(?:\*[^\s?]*)?\?([bBqQ])\?([^\s?]*)\?=")
_ENCODED_WORDS = re.compile(rf"(?:{_ENCODED_WORD.pattern}\s*)+")
_SIGNATURE = re.compile(r"\n--[ \t]*\n")
# Patterns begin with a line break, which is found many times faster than the start of a line.
_QUOTED = re.compile(
    r"\n[ \t]*(?:(?:[A-Za-z]{0,4}[]>|}#]|:[ \t])|[Ii]n (?:[Aa]rticle|[Mm]essage|<))[^\n]*"
)
_WROTE = (" writes", " wrote", " says", " said", " Writes", " Wrote", " WRITES", " WROTE")
_ENDING = re.compile(r"\.\w{1,10}\Z")
_REPLY = re.compile(r"(?i)^(?:(?:re|fwd?|aw)\s*(?:\[\d+\])?:\s*)+")
_LONGEST_LINE: Final = 300  # characters of the line before a mail
_LONGEST_HEAD: Final = 1 << 16  # characters of all headers together; what follows is not read
_LONGEST_VALUE: Final = 1 << 12  # characters of a header with parameters
_LONGEST_SHOWN: Final = 100  # characters of a date, and of the name of an attached file
_WITH_PARAMETERS: Final = ("Content-Type", "Content-Disposition")
_DEEPEST: Final = 30  # parts within parts
_MOST_PARTS: Final = 10_000
_SHOWN: Final = ("From", "To", "Cc", "Date", "Subject")  # headers that a mail program shows
_NOT_PROSE: Final = frozenset(
    {"text/calendar", "text/vcard", "text/x-vcard", "text/css", "text/rfc822-headers"}
)
_AS_IT_IS: Final = frozenset({"", "7bit", "8bit", "binary"})
# The larger charsets that mail programs mean by the names of these.
_MEANT: Final = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
    "shift_jis": "cp932",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "tis-620": "cp874",
}


@dataclass(frozen=True)
class _Reading:
    """How the parts of a mail are read.

    encoding  that of parts which do not name theirs; None to guess it
    keep      whether quotes, signatures and headers are kept
    skip      called with the name of an attached file that is not read, and the reason
    decoded   whether the mail was decoded before, so that its characters beyond ASCII are UTF-8
    parts     counts the parts that were found
    """

    encoding: str | None
    keep: bool
    skip: Skip
    decoded: bool = False
    parts: Iterator[int] = field(default_factory=count)


def looks_like_mail(text: str) -> bool:
    """Whether a text begins with header lines, among them From or Subject, and then an empty line."""
    envelope = _ENVELOPE.match(text, 0, _LONGEST_LINE)
    begin = envelope.end() if envelope else 0
    if not _HEADER.match(text, begin):
        return False
    names: set[str] = set()
    for number, line in enumerate(text[begin : begin + _LONGEST_HEAD].splitlines()):
        if not line.strip():
            return bool(names & {"from", "subject"}) and number > 1
        if line[0] in " \t" and names:
            continue
        if not _HEADER.match(line):
            return False
        names.add(line.split(":", 1)[0].lower())
    return False


def bytes_look_like_mail(data: bytes) -> bool:
    """Whether a file begins like mail; its headers are ASCII, whatever its body is."""
    return looks_like_mail(data[:_LONGEST_HEAD].decode("latin-1"))


def mail_of_bytes(
    data: bytes, encoding: str | None = None, *, keep: bool = False, skip: Skip = lambda *_: None
) -> Record:
    """The mail in a file; the record has no id. With `keep`, it has quotes, signatures and headers.

    `skip` is called with the name of every attached file that is not read, and the reason.
    """
    head = "\n" + data[:_LONGEST_HEAD].decode("latin-1")
    if _has_encoded_parts(head):
        return _encoded_mail(data, _Reading(encoding, keep, skip))
    text = Decoder(encoding).text(data, "it")
    mail = _plain_mail(text)
    return mail._replace(text=text) if keep else mail


def mail_of_text(text: str, skip: Skip = lambda *_: None) -> Record:
    """The mail in a text; the record has no id. For `skip`, see `mail_of_bytes`."""
    if _has_encoded_parts("\n" + text[:_LONGEST_HEAD]):
        data = text.encode("utf-8", "surrogatepass")
        return _encoded_mail(data, _Reading(None, keep=False, skip=skip, decoded=True))
    return _plain_mail(text)


def _with_lf(text: str) -> str:
    """The text with LF at the ends of lines, whatever ended them."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _has_encoded_parts(start: str) -> bool:
    """Whether the headers say how the body is encoded."""
    start = _with_lf(start)
    blank = _BLANK.search(start)
    return _ENCODED.search(start, 0, blank.start() + 1 if blank else len(start)) is not None


# ---- mail that is plain text -----------------------------------------------------------------


def _plain_mail(text: str) -> Record:
    head, body = _split(text)
    subject = _strip_reply(_field(head, "subject"))
    return Record(f"{subject}\n{strip_body(body)}", "", subject, _day(_field(head, "date")))


def _split(text: str) -> tuple[str, str]:
    """The headers and the body, each of which begins with a line break."""
    text = "\n" + _with_lf(text)
    blank = _BLANK.search(text)
    return (text[: blank.start()], text[blank.end() - 1 :]) if blank else (text, "")


def _field(head: str, name: str) -> str:
    """The value of a header, which may continue in indented lines."""
    found = re.search(rf"\n{name}:([^\n]*(?:\n[ \t][^\n]*)*)", head, re.IGNORECASE)
    return _without_encoded_words(found[1]) if found else ""


def strip_body(body: str) -> str:
    """The body without quotes, attributions and signature."""
    body = "\n" + _with_lf(body).removeprefix("\n")
    signature = _SIGNATURE.search(body + "\n")
    lines = _QUOTED.sub("", body[: signature.start()] if signature else body).split("\n")
    return "\n".join(line for line in lines if not (" " + line.rstrip(" \t:")).endswith(_WROTE))


# ---- mail with parts that are encoded --------------------------------------------------------


class _Part(NamedTuple):
    """A part of a mail, or all of it: its headers, and what follows them."""

    head: Message
    body: bytes

    @property
    def kind(self) -> str:
        return self.head.get_content_type()


def _part(data: bytes, *, default: str = "text/plain") -> _Part:
    """Separate the headers from the body.

    Python's parser is given the headers alone: for all of a mail, it would take a step for each line
    and each part around it.
    """
    blank = _BLANK_BYTES.search(b"\n" + data)
    end, begin = (blank.start(), blank.end() - 1) if blank else (len(data), len(data))
    head = message_from_bytes(data[: min(end, _LONGEST_HEAD)] + b"\n\n")
    for name in _WITH_PARAMETERS:  # which the library reads in quadratic time
        if len(value := str(head.get(name, ""))) > _LONGEST_VALUE:
            head.replace_header(name, value[:_LONGEST_VALUE])
    head.set_default_type(default)
    return _Part(head, data[begin:])


def _parts_within(part: _Part, reading: _Reading) -> list[_Part]:
    """The parts that a part consists of; the last may be cut off."""
    boundary = re.escape(str(part.head.get_boundary("")).encode("utf-8", "surrogateescape"))
    if not boundary:
        return []
    default = "message/rfc822" if part.kind == "multipart/digest" else "text/plain"
    whole = re.split(rb"\n--%s--[ \t]*\r?(?:\n|\Z)" % boundary, b"\n" + part.body, maxsplit=1)[0]
    pieces = re.split(rb"\n--%s[ \t]*\r?(?=\n)" % boundary, whole)[1:]
    if any(next(reading.parts) == _MOST_PARTS for _ in pieces):
        raise DocumentsError(
            f"it has more than {_MOST_PARTS:,} parts, too many for a single document"
        )
    return [_part(piece.removeprefix(b"\n"), default=default) for piece in pieces]


def _encoded_mail(data: bytes, reading: _Reading) -> Record:
    mail = _part(data)
    values = {name: _value(mail.head, name, reading) for name in _SHOWN}
    subject = head = _strip_reply(values["Subject"])
    if reading.keep:
        head = "\n".join(f"{name}: {value}" for name, value in values.items() if value)
    text = "\n\n".join((head, *_texts(mail, reading)))
    return Record(text, "", subject, _day(values["Date"]))


def _texts(part: _Part, reading: _Reading, depth: int = 0) -> Iterator[str]:
    """The texts of a part and of the parts within it, with attached texts and forwarded mail."""
    kind = part.kind
    if kind.startswith("multipart/") or kind == "message/rfc822":
        if depth == _DEEPEST:
            raise DocumentsError("its parts are nested too deeply")
        for one in _to_read(part, reading):
            if kind == "message/rfc822":
                yield _strip_reply(_value(one.head, "Subject", reading))
            yield from _texts(one, reading, depth + 1)
    elif kind.startswith("text/") and kind not in _NOT_PROSE:
        text = _decode(part, reading)
        if kind == "text/html":
            text = html_text(text).text
        elif text.startswith("{\\rtf"):
            text = rtf_text(text).text
        attached = part.head.get_content_disposition() == "attachment"
        yield text if reading.keep or attached else strip_body(text)
    elif name := _file_name(part):
        ending = _ENDING.search(name)
        reading.skip(
            name[:_LONGEST_SHOWN], attachment_not_read(ending[0].lower() if ending else "")
        )


def _file_name(part: _Part) -> str:
    """The name of an attached file; "" if there is none, or one that cannot be read."""
    try:
        return _without_encoded_words(part.head.get_filename(""))
    except (ValueError, LookupError, TypeError):
        return ""


def _to_read(part: _Part, reading: _Reading) -> list[_Part]:
    """The parts within a part, of alternatives only the best."""
    if part.kind == "message/rfc822":
        return [_part(_payload(part))]
    inner = _parts_within(part, reading)
    if part.kind != "multipart/alternative":
        return inner
    prose = [one for one in inner if one.kind not in _NOT_PROSE]
    plain = (one for one in prose if one.kind == "text/plain" and _decode(one, reading).strip())
    return [best] if (best := next(plain, None)) else prose[-1:]


def _payload(part: _Part) -> bytes:
    """The bytes of a part, decoded from base64 and the like as far as they are intact."""
    part.head.set_payload(part.body.decode("ascii", "surrogateescape"))
    try:
        data = part.head.get_payload(decode=True)
    except (ValueError, LookupError):
        return b""
    return data if isinstance(data, bytes) else b""


def _decode(part: _Part, reading: _Reading) -> str:
    """The text of a part."""
    data = _payload(part)
    transfer = str(part.head.get("Content-Transfer-Encoding", "")).strip().lower()
    if reading.decoded and transfer in _AS_IT_IS and not data.isascii():
        return data.decode("utf-8", "replace")
    return _in_charset(data, part.head.get_content_charset() or reading.encoding)


def _in_charset(data: bytes, charset: str | None) -> str:
    """Decode bytes in a charset; if it is ASCII, unknown or wrong, guess."""
    name = codec_of(charset or "ascii")
    if name is not None and name != "ascii":
        with suppress(ValueError):
            return data.decode(_MEANT.get(name, name))
    return Decoder(None).text(data, "it")


def _value(head: Message, name: str, reading: _Reading) -> str:
    """The value of a header, decoded; the encoding of bytes beyond ASCII is guessed."""
    values = (value for key, value in head.raw_items() if key.lower() == name.lower())
    data = str(next(values, "")).encode("utf-8", "surrogateescape")
    return _without_encoded_words(_in_charset(data, "utf-8" if reading.decoded else None))


def _without_encoded_words(value: str) -> str:
    """The value of a header in one line, =?utf-8?q?...?= and the like decoded."""
    return " ".join(_ENCODED_WORDS.sub(_words, value).split())


def _words(found: re.Match[str]) -> str:
    """The text of adjacent encoded words; a letter may begin in one and end in the next."""
    parts: list[tuple[str, list[bytes]]] = []
    for charset, how, shown in _ENCODED_WORD.findall(found[0]):
        data = shown.encode("utf-8", "replace")
        plain = a2b_qp(data, header=True) if how in "qQ" else _from_base64(data)
        if not parts or parts[-1][0] != charset:
            parts.append((charset, []))
        parts[-1][1].append(plain)
    return "".join(_in_charset(b"".join(data), charset) for charset, data in parts) + " "


def _from_base64(data: bytes) -> bytes:
    try:
        return a2b_base64(data + b"==")
    except Base64Error:
        return b""


def _strip_reply(subject: str) -> str:
    """A subject without "Re:"."""
    return _REPLY.sub("", subject)


def _day(date: str) -> str:
    """A date of mail as 2020-01-31; one in another form as it is, to be read as in a table."""
    try:
        return parsedate_to_datetime(date).date().isoformat()
    except (TypeError, ValueError, LookupError, OverflowError):
        return date[:_LONGEST_SHOWN]
