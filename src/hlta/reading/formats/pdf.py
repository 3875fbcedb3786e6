"""The text of PDF files; another process reads them, because some can crash it."""

from __future__ import annotations

import atexit
import json
import os
import re
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any, Final

from hlta._support.limited import answer, start
from hlta.errors import DocumentsError
from hlta.reading.budget import ALWAYS_STEPS, STEPS_PER_BYTE
from hlta.reading.records import Record

_PROGRAM: Final = Path(__file__).with_name("pdf_process.py")
_MOST_MEMORY: Final = 4 << 30  # bytes
_HYPHEN = re.compile(r"[\x02\u00ad\ufffe]\s*|(?<=\w)[-\u2010][^\S\n]*+\n\s*+(?=[^\W\d_])")


def pdf_text(data: bytes) -> Record:
    """The text of all pages of a PDF; hyphenated words become whole. The record has no id."""
    with _LOCK:
        title, pages = json.loads(_reader.read(data))
    return Record(_HYPHEN.sub("", "\n".join(pages)), "", " ".join(title.split()))


class _Reader:
    """A process that reads one file after the other, and is started again after it crashed."""

    def __init__(self) -> None:
        self._process: Any = None
        self._owner = 0  # a process that was forked starts its own

    def read(self, data: bytes) -> bytes:
        """The answer of the process about a file: JSON of its title and of the texts of its pages."""
        if self._process is None or self._owner != os.getpid():
            most = map(str, (ALWAYS_STEPS, STEPS_PER_BYTE))
            self._process = start(_PROGRAM, "pypdfium2", *most, memory=_MOST_MEMORY)
            self._owner = os.getpid()
            if self._process is None:
                raise DocumentsError('PDF files need pypdfium2; pip install "hlta[pdf]"')
        try:
            found = answer(self._process, len(data).to_bytes(8, "little") + data)
        except OSError:
            found = None
        if found is None:
            self.end()
            raise DocumentsError(
                "it is not a readable PDF: it is damaged, or takes too much memory or time"
            )
        letter, read = found
        if letter == b"e":
            raise DocumentsError(f"it is not a readable PDF: {read.decode()}")
        return read

    def end(self) -> None:
        """End the process, if it runs."""
        if self._process is not None and self._owner == os.getpid():
            self._process.kill()
            self._process.wait()
            self._process.stdout.close()
            with suppress(OSError):  # what was not sent yet is lost
                self._process.stdin.close()
        self._process = None


_LOCK: Final = Lock()
_reader: Final = _Reader()
atexit.register(_reader.end)
