"""Languages of mixed texts: whether they are found, and how many documents go to their own language.

    python -m benchmarks.languages [--lists FOLDER] [--documents 300]

The texts are the descriptions of Debian's packages in the languages that `apt-get update -o
Acquire::Languages=de,fr,da,...` has fetched. For each pair of languages, documents of both are mixed.
"Without votes", languages are tried in the order of how often their stop words occur, not by the number
of documents with most stop words of each.
"""

from __future__ import annotations

import argparse
import warnings
from itertools import combinations
from pathlib import Path
from statistics import fmean, stdev
from typing import TYPE_CHECKING
from unittest.mock import patch

import numpy as np

from benchmarks.corpora import LISTS, entries_of
from hlta import Corpus

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hlta.text.scanner import WordStream

NAMES = {
    "ca": "catalan",
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "en": "english",
    "es": "spanish",
    "fi": "finnish",
    "fr": "french",
    "hu": "hungarian",
    "it": "italian",
    "ja": "japanese",
    "ko": "korean",
    "nl": "dutch",
    "pl": "polish",
    "pt": "portuguese",
    "ru": "russian",
    "sk": "slovak",
    "sv": "swedish",
    "uk": "ukrainian",
}
_FEWEST = 20  # words of a document


def descriptions(lists: Path, count: int) -> dict[str, list[str]]:
    """`count` descriptions of each language that has as many, drawn at random."""
    found = {}
    for code, name in NAMES.items():
        texts = {
            text
            for file in lists.glob(f"*_main_i18n_Translation-{code}.*")
            for entry in entries_of(file)
            if len((text := entry.get(f"Description-{code}", "")).split()) >= _FEWEST
        }
        if len(texts) >= count:
            order = np.random.default_rng(0).permutation(len(texts))[:count]
            every = sorted(texts)
            found[name] = [every[k] for k in order]
    return found


def divide_texts(texts: Sequence[str], languages: Sequence[str]) -> tuple[bool, float]:
    """Whether exactly these languages are found, and the share of texts that go to their own."""
    with warnings.catch_warnings(action="ignore"):
        corpus = Corpus.from_texts(texts, groups=languages, count_repeats=True)
        parts = corpus.by_language()
    right = sum(list(part.groups or ()).count(name) for name, part in parts.items())
    return set(parts) == set(languages), right / len(texts)


def _no_votes(stream: WordStream, _: Sequence[str]) -> NDArray[np.intp]:
    return np.full(stream.n_documents, -1)


def main() -> None:
    """Print a line per pair, and the means."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.languages", description=__doc__)
    parser.add_argument("--lists", type=Path, default=LISTS, help="folder of apt's lists")
    parser.add_argument("--documents", type=int, default=300, help="of each language")
    chosen = parser.parse_args()
    texts = descriptions(chosen.lists, chosen.documents)
    if len(texts) < 2:
        parser.error(f"{chosen.lists}: it has descriptions in fewer than two languages")
    gains = []
    print("| languages | found | at home | found without votes | at home without votes |")
    print("| --- | --- | --- | --- | --- |")
    for pair in combinations(texts, 2):
        mixed = [text for name in pair for text in texts[name]]
        names = [name for name in pair for _ in texts[name]]
        found = divide_texts(mixed, names)
        with patch("hlta.text.stop_words.language_of_each", _no_votes):
            without = divide_texts(mixed, names)
        gains.append((*found, *without))
        print(
            f"| {', '.join(pair)} | {found[0]:d} | {found[1]:.3f} | {without[0]:d} | {without[1]:.3f} |"
        )
    shares = [fmean(column) for column in zip(*gains, strict=True)]
    print(f"| mean of {len(gains)} pairs | {' | '.join(f'{share:.3f}' for share in shares)} |")
    for name, k in (("found", 0), ("at home", 1)):
        differences = [row[k] - row[k + 2] for row in gains]
        error = stdev(differences) / len(differences) ** 0.5
        print(f"Gain of votes, {name}: {fmean(differences):.3f}, standard error {error:.3f}")


if __name__ == "__main__":
    main()
