"""Files of many mails, each after a line such as "From a@b.org Mon Jan ..."."""

from __future__ import annotations

import re
from typing import IO, TYPE_CHECKING, Final

from hlta.errors import DocumentsError
from hlta.reading.formats.mail import mail_of_bytes
from hlta.reading.skipped import OF_MAIL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hlta.reading.records import Record, Source

MBOX: Final = frozenset({".mbox", ".mbx"})
_FROM = re.compile(rb"From \S.*\d\d:\d\d.*\d{4}|From .*\d{4}.*\d\d:\d\d")
_FIELD = re.compile(rb">?[A-Za-z][\w.-]*:")
_QUOTED_FROM = re.compile(rb"(?m)^>(>*From )")
_LONGEST_FROM: Final = 300  # bytes
_LINE: Final = 1 << 20  # bytes read at a time, if a line is longer
_LONGEST: Final = 1 << 27  # bytes of a mail, attachments and all; what follows is left out


def looks_like_mbox(start: bytes) -> bool:
    """Whether a file begins with the line that stands before a mail, and then a header."""
    first, _, rest = start.partition(b"\n")
    return _FROM.match(first, 0, _LONGEST_FROM) is not None and _FIELD.match(rest) is not None


def mbox(file: IO[bytes], source: Source) -> Iterator[Record]:
    """One document per mail; mail without text is skipped."""
    keep = source.options.mail == "keep"
    for number, data in enumerate(_messages(file), start=1):
        where = f"{source.name}, mail {number:,}"
        source.work(data.count(b"\n"))
        try:
            skip = source.skips_within(where)
            record = mail_of_bytes(data, source.options.encoding, keep=keep, skip=skip)
        except DocumentsError as error:
            source.skip(where, str(error))
            continue
        if not record.text.strip():
            source.skip(where, "it has no text")
            continue
        if not keep:
            source.skip(where, OF_MAIL)
        yield record._replace(id=source.id_of(number))


def _messages(file: IO[bytes]) -> Iterator[bytes]:
    """The bytes of one mail after the other."""
    lines: list[bytes] | None = None
    size = 0
    after_empty = True
    while line := file.readline(_LINE):
        if after_empty and _FROM.match(line, 0, _LONGEST_FROM):
            if lines is not None:
                yield _whole(lines)
            lines, size = [], 0
        elif lines is None:
            if line.strip():
                raise DocumentsError(
                    'it is not a mailbox: its first line does not begin with "From ", a sender and a '
                    "time"
                )
        elif size < _LONGEST:
            lines.append(line)
            size += len(line)
        after_empty = not line.strip(b"\r\n")
    if lines is not None:
        yield _whole(lines)


def _whole(lines: list[bytes]) -> bytes:
    """A mail of these lines; ">From", which escapes "From" at the start of a line, becomes that."""
    return _QUOTED_FROM.sub(rb"\1", b"".join(lines))
