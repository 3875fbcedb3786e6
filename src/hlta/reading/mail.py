"""Mail and newsgroup posts: what the author wrote, without headers, quotes and signature."""

from __future__ import annotations

import re

_HEADER = re.compile(r"[A-Za-z][\w.-]*:")
_QUOTE = re.compile(r"\s*(?:[A-Za-z]{0,4}[]>|}#]|:\s)")
_ATTRIBUTION = re.compile(
    r"(?i)(?:^\s*in (?:article|message|<).*)|(?:.*\b(?:writes|wrote|writes|says|said)\s*:?\s*$)"
)
_HEADERS = 1 << 14  # characters that headers may have
_REPLY = re.compile(r"(?i)^(?:(?:re|fwd?|aw)\s*(?:\[\d+\])?:\s*)+")


def looks_like_mail(text: str) -> bool:
    """Whether a text begins with header lines, a sender or a subject among them, and an empty line."""
    if not _HEADER.match(text):
        return False
    names: set[str] = set()
    for number, line in enumerate(text[:_HEADERS].splitlines()):
        if not line.strip():
            return bool(names & {"from", "subject"}) and number > 1
        if line[0] in " \t" and names:
            continue
        if number > 60 or not _HEADER.match(line):
            return False
        names.add(line.split(":", 1)[0].lower())
    return False


def strip_mail(text: str) -> tuple[str, str]:
    """The subject, without "Re:", and the body, without what others wrote and the signature."""
    lines = text.splitlines()
    blank = next((k for k, line in enumerate(lines) if not line.strip()), len(lines))
    subject = next((line[8:] for line in lines[:blank] if line.lower().startswith("subject:")), "")
    kept = []
    for line in lines[blank:]:
        if line.rstrip() == "--":
            break
        if not _QUOTE.match(line) and not _ATTRIBUTION.match(line):
            kept.append(line)
    return _REPLY.sub("", subject.strip()), "\n".join(kept)
