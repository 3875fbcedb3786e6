"""One branch of the hierarchies of HLTA and nHDP, side by side, as in Section 9.5 of the paper.

`python -m benchmarks.compare.branches nips-1k cells`
"""

from __future__ import annotations

import argparse

import numpy as np

from benchmarks.compare.corpora import PREPARED, Split, split
from benchmarks.compare.learned import live
from benchmarks.compare.methods import HLTA_TOPICS
from benchmarks.compare.mixtures import branching
from benchmarks.compare.nhdp import NestedHDP, Settings

_WORDS = 5


def of_hlta(data: Split, word: str) -> list[str]:
    """The branch below the root whose word it is most."""
    from hlta import HLTA, Corpus

    topics = HLTA().fit(Corpus(data.train, data.words)).topics_

    def place(words: list[str]) -> int:
        return words.index(word) if word in words else len(words)

    root = min(topics.roots, key=lambda topic: min(place(t.words) for t in topic))
    lines: list[str] = []

    def write(topic: object, depth: int) -> None:
        words = " ".join(topic.label_words(_WORDS))  # type: ignore[attr-defined]
        lines.append(f"{'    ' * depth}[{topic.size:.2f}] {words}")  # type: ignore[attr-defined]
        for child in topic.children:  # type: ignore[attr-defined]
            write(child, depth + 1)

    write(root, 0)
    return lines


def of_nhdp(data: Split, word: str, topics: int) -> list[str]:
    """The branch in which the word is most at home, of nodes that words come from."""
    model = NestedHDP(Settings(branching=branching(topics))).fit(data.train)
    alive = live(model.words_on.sum(axis=1))
    phi, column = model.phi, data.words.index(word)
    node = int(model.words_on[:, column].argmax())
    while model.tree.parent[node] >= 0:
        node = int(model.tree.parent[node])
    lines: list[str] = []

    def write(v: int, depth: int) -> None:
        best = np.argsort(-phi[v], kind="stable")[:_WORDS]
        lines.append("    " * depth + " ".join(data.words[k] for k in best))
        for child in np.flatnonzero(alive & (model.tree.parent == v)).tolist():
            write(child, depth + 1)

    write(node, 0)
    return lines


def main() -> None:
    """Print both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", choices=PREPARED)
    parser.add_argument("word")
    chosen = parser.parse_args()
    data = split(chosen.corpus, 0)
    if chosen.word not in data.words:
        parser.error(f"{chosen.word!r} is no word of {chosen.corpus}")
    for name, lines in (
        ("HLTA", of_hlta(data, chosen.word)),
        ("nHDP", of_nhdp(data, chosen.word, HLTA_TOPICS[chosen.corpus])),
    ):
        print(f"{name}\n" + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
