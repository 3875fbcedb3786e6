"""How often each word occurs in a document, for methods that learn from counts.

The prepared corpora are binary. For the newsgroups the raw posts are available, so their words can
be counted: the binary corpus says which words a document has, the post how often they occur. For
NIPS there is no text, and so there are no counts.
"""

from __future__ import annotations

import re
import tarfile
from functools import cache

import numpy as np
from scipy import sparse

from benchmarks.prepared import DATA

_WORD = re.compile(r"(?<!\w)[a-z]{3,}(?!\w)")
_UUENCODED = re.compile(r"^M[\x20-\x60]{60,61}$")


def counted(name: str, part: str, binary: sparse.csr_array, words: list[str]) -> sparse.csr_array:
    """Replace each 1 of a binary matrix by the number of times that the post has the word.

    A word that the post seems to lack counts once.
    """
    column = {word: k for k, word in enumerate(words)}
    posts = _posts()
    ids = (DATA / name / f"{part}.ids.txt").read_text(encoding="utf-8").split()
    out = binary.astype(np.int64)
    for row, post in enumerate(ids):
        times: dict[int, int] = {}
        for word in _WORD.findall(posts[post]):
            if (k := column.get(word)) is not None:
                times[k] = times.get(k, 0) + 1
        for at in range(out.indptr[row], out.indptr[row + 1]):
            out.data[at] = max(1, times.get(int(out.indices[at]), 1))
    return sparse.csr_array(out)


@cache
def _posts() -> dict[str, str]:
    """Subject and body of every post in lower case, without lines of encoded files."""
    found = {}
    with tarfile.open(DATA / "20newsgroups.tar.xz") as archive:
        for member in archive:
            file = archive.extractfile(member) if member.isfile() else None
            if file is None:
                continue
            head, _, body = file.read().decode("latin-1").partition("\n\n")
            subject = next(
                (line[8:] for line in head.splitlines() if line.lower().startswith("subject:")), ""
            )
            lines = (line for line in body.splitlines() if not _UUENCODED.match(line))
            found[member.name.partition("/")[2]] = "\n".join((subject, *lines)).lower()
    return found
