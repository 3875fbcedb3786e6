"""One branch of the hierarchies of HLTA and nHDP, side by side, as in Section 9.5 of the paper.

    python -m benchmarks.compare.branches nips-1k cells

It prints the branch in which a word matters most: a topic per line with its first five keywords,
children indented, and for HLTA the size of the topic in brackets.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.compare.corpora import PREPARED, Split, split
from benchmarks.compare.learned import live
from benchmarks.compare.methods import HLTA_TOPICS
from benchmarks.compare.mixtures import branching
from benchmarks.compare.nhdp import NestedHDP, Settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hlta import Topic

_WORDS = 5
_INDENT = "    "


def of_hlta(data: Split, word: str) -> list[str]:
    """HLTA's branch: that of the root topic in which a topic has the word as high as possible."""
    from hlta import HLTA, Corpus

    topics = HLTA().fit(Corpus(data.train, data.words)).topics_

    def place(words: Sequence[str]) -> int:
        return words.index(word) if word in words else len(words)

    root = min(topics.roots, key=lambda topic: min(place(t.words) for t in topic))
    lines: list[str] = []

    def write(topic: Topic, depth: int) -> None:
        words = " ".join(topic.label_words(_WORDS))
        lines.append(f"{_INDENT * depth}[{topic.size:.2f}] {words}")
        for child in topic.children:
            write(child, depth + 1)

    write(root, 0)
    return lines


def of_nhdp(data: Split, word: str, topics: int) -> list[str]:
    """nHDP's branch: that of the node to which most of the word's occurrences are assigned.

    Dead nodes are left out.
    """
    model = NestedHDP(Settings(branching=branching(topics))).fit(data.train)
    alive = live(model.words_on.sum(axis=1))
    phi, column = model.phi, data.words.index(word)
    node = int(model.words_on[:, column].argmax())
    while model.tree.parent[node] >= 0:
        node = int(model.tree.parent[node])
    lines: list[str] = []

    def write(v: int, depth: int) -> None:
        best = np.argsort(-phi[v], kind="stable")[:_WORDS]
        lines.append(_INDENT * depth + " ".join(data.words[k] for k in best))
        for child in np.flatnonzero(alive & (model.tree.parent == v)).tolist():
            write(child, depth + 1)

    write(node, 0)
    return lines


def main() -> None:
    """Print both branches."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", choices=PREPARED)
    parser.add_argument("word", help="a word of the corpus")
    chosen = parser.parse_args()
    data = split(chosen.corpus, 0)
    if chosen.word not in data.words:
        parser.error(f"{chosen.word!r} is not a word of {chosen.corpus}")
    for name, lines in (
        ("HLTA", of_hlta(data, chosen.word)),
        ("nHDP", of_nhdp(data, chosen.word, HLTA_TOPICS[chosen.corpus])),
    ):
        print(f"{name}\n" + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
