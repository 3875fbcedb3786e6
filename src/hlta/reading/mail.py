"""Mail and newsgroup posts: what their authors wrote, without headers, quotes and signature."""

from __future__ import annotations

import re

_HEADER = re.compile(r"[A-Za-z][\w.-]*:")
_BLANK = re.compile(r"\n[ \t]*(?:\n|\Z)")
_SUBJECT = re.compile(r"\nsubject:([^\n]*)", re.IGNORECASE)
_SIGNATURE = re.compile(r"\n--[ \t]*\n")
# Patterns begin with a line break, which is found many times faster than the start of a line.
_QUOTED = re.compile(
    r"\n[ \t]*(?:(?:[A-Za-z]{0,4}[]>|}#]|:[ \t])|[Ii]n (?:[Aa]rticle|[Mm]essage|<))[^\n]*"
)
_WROTE = (" writes", " wrote", " says", " said", " Writes", " Wrote", " WRITES", " WROTE")
_LONGEST_HEAD = 1 << 14  # characters of all headers together
_REPLY = re.compile(r"(?i)^(?:(?:re|fwd?|aw)\s*(?:\[\d+\])?:\s*)+")


def looks_like_mail(text: str) -> bool:
    """Whether a text begins with header lines, among them From or Subject, and then an empty line."""
    if not _HEADER.match(text):
        return False
    names: set[str] = set()
    for number, line in enumerate(text[:_LONGEST_HEAD].splitlines()):
        if not line.strip():
            return bool(names & {"from", "subject"}) and number > 1
        if line[0] in " \t" and names:
            continue
        if number > 60 or not _HEADER.match(line):
            return False
        names.add(line.split(":", 1)[0].lower())
    return False


def strip_mail(text: str) -> tuple[str, str]:
    """The subject without "Re:", and the body without quotes, attributions and signature."""
    text = "\n" + text.replace("\r\n", "\n")
    blank = _BLANK.search(text)
    head, body = (text[: blank.start()], text[blank.end() - 1 :]) if blank else (text, "")
    subject = _SUBJECT.search(head)
    signature = _SIGNATURE.search(body + "\n")
    lines = _QUOTED.sub("", body[: signature.start()] if signature else body).split("\n")
    kept = [line for line in lines if not (" " + line.rstrip(" \t:")).endswith(_WROTE)]
    return _REPLY.sub("", subject[1].strip()) if subject else "", "\n".join(kept)
