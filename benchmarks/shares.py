"""Shares of topics, judged by classes and by the documents' own words.

    python -m benchmarks.shares [--only NAME ...] [--parts topics titles marks words numbers length]
                                [--documents 8000] [--seeds 1]

The corpora are those of `benchmarks.corpora`. Models learn from the documents that they are judged on,
without classes or tags.

topics   Whether documents shown as on a topic are: precision and recall of the documents with a share of
         a fifth, and of those with P(topic | document) > 0.5, against the documents that hold the first
         part of the topic's title; the share of the largest class among them; and topics per document.
         Figures are medians over topics, weighted by their documents. Titles are chosen by main topics,
         which favours shares, and each of the two weights topics by its own documents.
titles   The share of a topic's main documents that hold the first part of its title: the median over
         topics, and how many have less than 15%. Beside it is the same for the word or phrase that names
         these documents best, by F1: one that is in more of them is in more others, too.
marks    For topics by their stability, and for vague ones: the share of their documents, those with a
         share of a fifth, that are in the largest class, as the mean over topics with its standard error;
         and the same for as many documents drawn at random, where fewer documents give a larger share.
words    The first 5 and 10 keywords, as counted in half of the documents and by the tree alone, in the
         other half: their mean normalised pointwise mutual information; and F1 of the documents with two
         of them for the documents whose main topic it is, where main topics are found by the tree alone
         and by counted words, each of which favours its own keywords. The mean difference over topics has
         its standard error. The vocabulary comes from all documents.
numbers  Adjusted mutual information of the topic with the largest share, among root topics and among 30,
         with classes, for other values of constants: the words of the prior, the weight of the tree in
         counts, the steps of EM, and the step to which P(word | topic) is rounded.
length   How shares of root topics change, as the sum of absolute differences over topics (at most 2):
         from half of the distinct words of a document, not cut into sections, to all of them; and from
         the mean of two documents, weighted by their numbers of words, to both put together.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import numpy as np
from scipy.sparse import csc_array, csr_array, hstack
from sklearn.metrics import (
    adjusted_mutual_info_score,
)

from benchmarks.corpora import CORPORA, Labelled, can_read
from hlta import HLTA, Corpus, Topic, TopicTree
from hlta.evaluate import WordList, topic_npmi
from hlta.options import IN_PART
from hlta.topics import shares, word_counts
from hlta.topics.annotations import Annotations

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

PARTS = ("topics", "titles", "marks", "words", "numbers", "length")
_FEWEST_MAIN = 5  # unseen documents of a topic
_STABILITIES = (0.0, 0.1, 0.15, 0.2, 0.3, 0.4, 1.0)
_RARE = 0.15  # titles in a smaller share of the main documents are counted
_FEWEST_ON = 10  # documents of a topic whose purity counts
_DRAWS = 20


# ---- what is shown as on a topic -----------------------------------------------------------------


def of_topics(model: HLTA, corpus: Corpus, documents: Labelled) -> Iterator[str]:
    """Precision, recall, purity and topics per document, by shares and by probabilities."""
    topics = list(model.topics_)
    words = _first_parts(corpus, topics)
    classes = next(iter(documents.classes.values()))
    for name, is_on in (
        ("share >= 1/5", model.transform(corpus) >= IN_PART),
        ("P > 1/2", model.transform(corpus, kind="probability") > 0.5),
    ):
        size = is_on.sum(axis=0)
        some = np.flatnonzero((size > 0) & (words.sum(axis=0) > 0))
        both = (is_on & words)[:, some].sum(axis=0)
        precision, recall = both / size[some], both / words[:, some].sum(axis=0)
        largest = contingency(classes, is_on[:, some]).max(axis=0) / size[some]
        figures = (_weighted_median(one, size[some]) for one in (precision, recall, largest))
        yield f"{name}: {' / '.join(f'{one:.2f}' for one in figures)}, {size.sum() / len(is_on):.1f}"


def _first_parts(corpus: Corpus, topics: list[Topic]) -> NDArray[np.bool_]:
    """Which documents hold the first part of each title, bool (documents, topics)."""
    number = {_plain(word): k for k, word in enumerate(corpus.words)}
    found = np.zeros((len(corpus), len(topics)), dtype=bool)
    words = corpus.documents.to_csr().tocsc()
    phrases = corpus.phrases
    assert phrases is not None
    of_phrases = phrases.documents.to_csr().tocsc()
    names = {_plain(name): k for k, name in enumerate(phrases.names)}
    for k, topic in enumerate(topics):
        first = _plain(topic.title.split(", ")[0])
        if first in names:
            found[phrases.rows[of_phrases[:, [names[first]]].indices], k] = True
        elif first in number:
            found[words[:, [number[first]]].indices, k] = True
    return found


def of_titles(model: HLTA, corpus: Corpus) -> Iterator[str]:
    """The share of main documents that hold the first part of the title, or the best word or phrase."""
    topics, phrases = list(model.topics_), corpus.phrases
    assert phrases is not None
    rows = phrases.rows  # the documents whose phrases were noted
    documents = corpus.aligned(model.tree_.words)
    main = model.topics_.shares(topics).with_flags(documents)[1][rows]
    size = main.sum(axis=0)
    some = np.flatnonzero(size)
    main, size = main[:, some], size[some]
    first = (_first_parts(corpus, topics)[rows][:, some] & main).sum(axis=0) / size
    words = corpus.documents.to_csr()[rows]
    present = csc_array(hstack([words, phrases.documents.to_csr()]) > 0).astype(np.int64)
    both = np.asarray(present.T @ main.astype(np.int64))
    f1 = 2 * both / (np.asarray(present.sum(axis=0))[:, None] + size)
    best = both[f1.argmax(axis=0), np.arange(len(size))] / size
    for name, share in (("first part", first), ("best word or phrase", best)):
        rare = f"{(share < _RARE).sum()} of {len(share)} below {_RARE:.0%}"
        yield f"{name}: median {np.median(share):.2f}, {rare}"


def of_marks(model: HLTA, corpus: Corpus, documents: Labelled, seed: int) -> Iterator[str]:
    """The share of the largest class in topics, by their stability, and in vague ones."""
    classes = np.unique(next(iter(documents.classes.values())), return_inverse=True)[1]
    is_on = model.transform(corpus) >= IN_PART
    rng = np.random.default_rng(seed)

    def purity(rows: NDArray[np.intp]) -> float:
        return float(np.bincount(classes[rows]).max() / len(rows))

    found: dict[str, list[tuple[float, float]]] = {}
    for k, topic in enumerate(model.topics_):
        rows = np.flatnonzero(is_on[:, k])
        if len(rows) < _FEWEST_ON or topic.stability is None:
            continue
        drawn = rng.integers(len(classes), size=(_DRAWS, len(rows)))
        both = purity(rows), float(np.mean([purity(some) for some in drawn]))
        at = int(np.searchsorted(_STABILITIES, topic.stability, side="right"))
        low, high = _STABILITIES[max(0, at - 1) : at + 1] if at < len(_STABILITIES) else (0.4, 1.0)
        for name in (f"stability {low:g} to {high:g}", "vague" if topic.is_vague else "not vague"):
            found.setdefault(name, []).append(both)
    for name in sorted(found):
        own, drawn = np.array(found[name]).T
        error = own.std() / np.sqrt(len(own))
        yield f"{name}: {own.mean():.2f} ± {error:.2f}, at random {drawn.mean():.2f} ({len(own)} topics)"


def of_words(corpus: Corpus, seed: int) -> Iterator[str]:
    """NPMI and F1 of keywords in documents held out of learning, by the tree and as counted."""
    halves = np.array_split(np.random.default_rng(seed).permutation(len(corpus)), 2)
    learned, unseen = (corpus.take(np.sort(half)) for half in halves)
    model = HLTA(random_state=seed).fit(learned)
    both = TopicTree.from_tree(model.tree_, fold=False), model.topics_
    documents = unseen.aligned(model.tree_.words)
    mains = {
        name: topics.shares(model.topics_).with_flags(documents)[1]
        for name, topics in (("tree", both[0]), ("counted", model.topics_))
    }
    for number in (5, 10):
        lists = [[WordList(topics[t.id].words[:number]) for t in model.topics_] for topics in both]
        npmi = [topic_npmi(some, unseen.documents, unseen.words, n_words=number) for some in lists]
        yield f"first {number}, NPMI: {_compared(*npmi)}"
        for name, main in mains.items():
            named = [_named(some, unseen, main) for some in lists]
            yield f"first {number}, F1 of two, main topics {name}: {_compared(*named)}"


def _named(lists: list[WordList], corpus: Corpus, main: NDArray[np.bool_]) -> NDArray[np.float64]:
    """For each list: F1 of the documents with two of its words for those in its column of `main`."""
    place = {word: k for k, word in enumerate(corpus.words)}
    present = csc_array(corpus.documents.to_csr())
    found = np.full(len(lists), np.nan)
    for k, some in enumerate(lists):
        if main[:, k].sum() >= _FEWEST_MAIN:
            columns = [place[word] for word in some.words]
            has = np.asarray(present[:, columns].sum(axis=1)).ravel() >= 2
            found[k] = 2 * (has & main[:, k]).sum() / (has.sum() + main[:, k].sum())
    return found


def _compared(tree: NDArray[np.float64], counted: NDArray[np.float64]) -> str:
    """Two means, and the mean difference with its standard error."""
    known = np.isfinite(tree) & np.isfinite(counted)
    more = (counted - tree)[known]
    return (
        f"tree {tree[known].mean():.3f}, counted {counted[known].mean():.3f}, "
        f"{more.mean():+.3f} ± {more.std() / np.sqrt(len(more)):.3f} ({len(more)} topics)"
    )


def _plain(name: str) -> str:
    return name.replace("-", " ").casefold()


def contingency(classes: NDArray[Any], is_on: NDArray[np.bool_]) -> NDArray[np.int64]:
    """How many documents of each class are on each topic."""
    number = np.unique(classes, return_inverse=True)[1]
    table = csr_array((np.ones(len(number), int), (number, np.arange(len(number)))))
    return np.asarray(table @ is_on.astype(np.int64))


def _weighted_median(values: NDArray[np.float64], weight: NDArray[np.int64]) -> float:
    order = np.argsort(values)
    total = np.cumsum(weight[order])
    return float(values[order][np.searchsorted(total, total[-1] / 2.0)])


# ---- numbers ---------------------------------------------------------------------------------------

VARIED: dict[str, tuple[Any, str, tuple[float, ...]]] = {
    "words of the prior": (shares, "PRIOR_WORDS", (1.0, 3.0, 10.0)),
    "weight of the tree": (word_counts, "_WORTH", (0.3, 1.0, 3.0, 10.0)),
    "steps of EM": (word_counts, "_STEPS", (0, 3, 10, 30)),
    "step of words": (shares, "STEP", (1 / 48, 1 / 12, 1 / 4)),
}


def of_numbers(model: HLTA, corpus: Corpus, documents: Labelled) -> Iterator[str]:
    """The agreement of the largest shares with classes, for several values of each constant."""
    tree, learned = model.tree_, corpus.aligned(model.tree_.words)
    for name, (module, constant, values) in VARIED.items():
        for value in values:
            with patch.object(module, constant, value):
                counts = word_counts.count_words(tree, learned.units)
                topics = TopicTree.from_tree(tree, annotations=Annotations(counts=counts))
                lists = topics.roots, topics.cut(min(30, topics.most_in_cut))
                main = [topics.shares(some).of(learned).argmax(axis=1) for some in lists]
            scores = (
                f"{kind} "
                + " / ".join(f"{adjusted_mutual_info_score(classes, one):.3f}" for one in main)
                for kind, classes in documents.classes.items()
            )
            yield f"{name} {value:.3g}: {', '.join(scores)}"


# ---- length -----------------------------------------------------------------------


def of_length(model: HLTA, corpus: Corpus) -> Iterator[str]:
    """How shares change with the length of documents."""
    table = corpus.aligned(model.tree_.words).to_csr().tocoo()
    rng = np.random.default_rng(0)
    words, rows = csr_array(table), np.flatnonzero(np.bincount(table.row) >= 10)

    def shares(matrix: Any) -> NDArray[np.float64]:
        present = csr_array(matrix > 0).astype(int)
        return model.transform(Corpus(present, model.tree_.words), topics=model.topics_.roots)

    half = table.copy()
    half.data = half.data * (rng.random(table.nnz) < 0.5)
    one, other = shares(csr_array(half))[rows], shares(words)[rows]
    moved = np.abs(one - other).sum(axis=1).mean()
    larger = (other.max(axis=1) - one.max(axis=1)).mean()
    yield f"half to whole: {moved:.2f}, the largest share by {larger:+.3f}"
    pairs = rng.permutation(rows)[: len(rows) // 2 * 2].reshape(2, -1)
    together = shares(words[pairs[0]] + words[pairs[1]])
    whole, lengths = shares(words), np.asarray(words.sum(axis=1)).ravel()
    weight = lengths[pairs] / lengths[pairs].sum(axis=0)
    mean = (weight[:, :, None] * whole[pairs]).sum(axis=0)
    apart = np.abs(whole[pairs[0]] - whole[pairs[1]]).sum(axis=1).mean()
    yield f"two together: {np.abs(together - mean).sum(axis=1).mean():.2f}, apart {apart:.2f}"


# ---- the program -----------------------------------------------------------------------------------


def main() -> None:
    """Print what was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", choices=list(CORPORA), nargs="+", default=list(CORPORA))
    parser.add_argument("--parts", choices=PARTS, nargs="+", default=PARTS)
    parser.add_argument("--documents", type=int, default=8000, help="drawn of larger corpora")
    parser.add_argument("--seeds", type=int, default=1, help="of learning")
    chosen = parser.parse_args()
    for name in chosen.only:
        if not can_read(name):
            print(f"{name}: left out, because this is no Debian system with lists of packages")
            continue
        documents = CORPORA[name]().drawn(chosen.documents)
        for seed in range(chosen.seeds):
            for line in report(documents, set(chosen.parts), seed):
                print(f"{name}, seed {seed}, {line}", flush=True)


def report(documents: Labelled, parts: set[str], seed: int) -> Iterator[str]:
    """The figures of a corpus, a line each."""
    corpus = Corpus.from_texts(documents.texts)
    model = HLTA(random_state=seed).fit(corpus)
    n = len(corpus)
    yield f"{n:,} documents, {len(model.topics_.roots)} root topics of {len(model.topics_)}"
    if "topics" in parts:
        yield from (f"topics, {line}" for line in of_topics(model, corpus, documents))
    if "titles" in parts:
        yield from (f"titles, {line}" for line in of_titles(model, corpus))
    if "marks" in parts:
        yield from (f"marks, {line}" for line in of_marks(model, corpus, documents, seed))
    if "words" in parts:
        yield from (f"words, {line}" for line in of_words(corpus, seed))
    if "numbers" in parts:
        yield from (f"numbers, {line}" for line in of_numbers(model, corpus, documents))
    if "length" in parts:
        yield from (f"length, {line}" for line in of_length(model, corpus))


if __name__ == "__main__":
    main()
