"""Updates: portions one after the other against all at once, and drift that is found or imagined.

    python -m benchmarks.updates [portions] [planted] [groups] [texts] [--runs 50]

`portions`: 20 Newsgroups in random order, and arXiv abstracts by date, are learned in ten portions.
The model of the first learns from the others by `partial_fit`. Beside it: batch EM on all documents
for the same tree; the same portions where the model keeps 10,000 documents, from which it learns its
structure again with the last portion; and a fit on all documents, which learns a tree of its own.
How many topics of a model correspond to topics of that fit, and how alike these are in the mean,
stands in the last columns; so do the same figures of a fit on nine tenths of the documents, drawn at
random.

`planted`: documents are drawn from synthetic trees, and half as many new ones are like them, or hold
one change. A row tells in how many runs it was found, and in how many each part of the report said
anything.

`groups`: the same with 20 Newsgroups, where one group at a time is missing before, or missing among
the new documents; and with posts drawn at random, where nothing changed.

`texts`: the demo's abstracts, drawn at random, where nothing changed; most words are rare in so few.
"""

from __future__ import annotations

import argparse
import time
from copy import copy
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from scipy import sparse

from benchmarks import prepared, synthetic
from benchmarks.corpora import DEMO
from benchmarks.prepared import DATA
from hlta import HLTA, Corpus, batch_em, read_corpus
from tests.synthetic import planted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from hlta import LatentTree
    from hlta.drift import Drift

PORTIONS: Final = 10
_KEPT: Final = 10_000  # documents
_BEFORE = 6_000  # documents of trees as text has it; half as many are new
_CLEAR_WORDS, _CLEAR = 200, 2_000  # the same of trees with clear topics
_SHARE: Final = 0.05  # of new documents that are on a planted theme
_THEME: Final = 12  # words, of which such a document has six tenths
_WORDS, _LENGTH = 1_000, 25  # of synthetic trees: words, and words per document
_POSTS: Final = 6_000  # newsgroup posts before, and half as many new ones


# ---- portions ------------------------------------------------------------------------------------


def newsgroups() -> tuple[list[Corpus], Corpus]:
    """Portions in random order, and held-out documents."""
    data = prepared.read("news-1k")
    order = np.random.default_rng(0).permutation(data.train.shape[0])
    parts = [Corpus(data.train[np.sort(part)], data.words) for part in np.array_split(order, 10)]
    return parts, Corpus(data.test, data.words)


def abstracts() -> tuple[list[Corpus], Corpus]:
    """Portions by date, with the words of the first; one document in ten is held out."""
    corpus = read_corpus(DATA / "arxiv-50k.tsv.xz", text="abstract", date="created", n_words=4_000)
    assert corpus.dates is not None
    order = np.argsort(np.array(list(corpus.dates)), kind="stable")
    held_out = np.arange(len(order)) % 10 == 9
    parts = np.array_split(order[~held_out], PORTIONS)
    frequent = np.argsort(-corpus.take(parts[0]).documents.document_frequency, kind="stable")
    words = [corpus.words[k] for k in np.sort(frequent[:2_000])]
    aligned = Corpus(corpus.aligned(words), words)
    return [aligned.take(part) for part in parts], aligned.take(order[held_out])


def show_one(name: str, parts: list[Corpus], test: Corpus, samples: int | str) -> None:
    """Print how well the models predict held-out documents."""
    options: dict[str, Any] = {"samples": samples, "structure_sample": None}
    options["keep_documents"] = _KEPT
    matrices = [part.documents.to_csr() for part in parts]
    everything = Corpus(sparse.csr_array(sparse.vstack(matrices)), test.words)
    model = HLTA(**options).fit(parts[0])
    before, tree = copy(model), model.tree_
    seconds = []
    for part in parts[1:]:
        keeping = copy(model)
        start = time.perf_counter()
        model.partial_fit(part)
        seconds.append(time.perf_counter() - start)
    start = time.perf_counter()
    keeping.partial_fit(parts[-1], relearn=True)
    relearn_seconds = time.perf_counter() - start
    again = batch_em(tree, everything.documents)
    same_tree = float(again.tree.log_likelihood(test.documents).mean())
    start = time.perf_counter()
    whole = HLTA(**options).fit(everything)
    fit_seconds = time.perf_counter() - start
    rows = np.random.default_rng(0).permutation(len(everything))[len(everything) // 10 :]
    most = HLTA(**options).fit(everything.take(np.sort(rows)))
    first, updated, relearned, at_once = (
        one.score(test) for one in (before, model, keeping, whole)
    )
    print(
        f"| {name} | {samples} | {first:.2f} | {updated:.2f} | {same_tree:.2f} "
        f"({updated / same_tree - 1:.2%}) | {at_once:.2f} ({updated / at_once - 1:.2%}) "
        f"| {relearned:.2f} ({relearned / at_once - 1:.2%}) "
        f"| {', '.join(f'{s:.2f}' for s in seconds)} | {relearn_seconds:.1f} | {fit_seconds:.1f} "
        f"| {len(whole.topics_)} | "
        f"{' | '.join(matched(one, whole) for one in (before, model, keeping, most))} |",
        flush=True,
    )


def matched(model: HLTA, whole: HLTA) -> str:
    """How many topics correspond to topics of the other model, of how many, and how alike they are."""
    pairs = model.topics_.compare(whole.topics_).pairs
    alike = float(np.mean([pair.similarity for pair in pairs]))
    return f"{len(pairs)} of {len(model.topics_)}, {alike:.2f}"


def show_portions() -> None:
    """Print the table of portions."""
    print(
        "| corpus | samples | first portion | ten portions | batch EM, same tree | fit on all "
        "| relearned | s | s, relearned | s, fit on all | topics, fit on all "
        "| matched: first portion | ten portions | relearned | nine tenths at random |"
    )
    print(f"|{'---|' * 15}")
    for name, read in (("20 Newsgroups", newsgroups), ("arXiv by date", abstracts)):
        parts, test = read()
        for samples in (1, HLTA().samples):
            show_one(name, parts, test, samples)


# ---- drift ---------------------------------------------------------------------------------------


class Case(NamedTuple):
    """Documents before and new ones, and whether a report has found what changed."""

    before: Corpus
    new: Corpus | list[str]
    found: Callable[[Drift, HLTA], bool]


class Reported(NamedTuple):
    """In how many runs something was found, or reported."""

    found: int
    anything: int
    topics: int
    words: int
    themes: int
    misfits: int
    new_words: int


def reports(cases: Iterator[Case], samples: int) -> tuple[int, Reported]:
    """Learn, update, and count."""
    rows = []
    for case in cases:
        model = HLTA(samples=samples, lowest_level=1).fit(case.before)
        drift = model.partial_fit(case.new).drift_
        parts = (drift.topics, drift.words, drift.themes, drift.misfits, drift.new_words)
        rows.append((case.found(drift, model), bool(drift), *map(bool, parts)))
    return len(rows), Reported(*np.sum(rows, axis=0).tolist())


def nothing(drift: Drift, _: HLTA) -> bool:
    """Whether nothing was reported."""
    return not drift


def themes(kind: str, runs: int) -> Iterator[Case]:
    """Documents of trees with words as frequent as in text; a tenth of them is not in the model."""
    for run in range(runs):
        tree = synthetic.hierarchy(_WORDS, _LENGTH, seed=run)
        rng = np.random.default_rng(run)
        before = tree.sample(_BEFORE, seed=2 * run).toarray()
        new = tree.sample(_BEFORE // 2, seed=2 * run + 1).toarray()
        kept = np.sort(np.argsort(-before.sum(axis=0), kind="stable")[: int(0.9 * tree.n_words)])
        words = list(tree.words)
        found: Callable[[Drift, HLTA], bool] = nothing
        if kind != "nothing":
            columns = rng.choice(kept, _THEME, replace=False)
            if kind == "a theme of new words":
                columns = np.arange(len(words), len(words) + _THEME)
                new = np.pad(new, ((0, 0), (0, _THEME)))
                words += [f"new{k}" for k in range(_THEME)]
            on = np.flatnonzero(rng.random(len(new)) < _SHARE)
            new[on] = rng.random((len(on), new.shape[1])) < new.mean(axis=0) / 2.0
            new[np.ix_(on, columns)] |= rng.random((len(on), _THEME)) < 0.6
            found = theme_of({words[k] for k in columns})
        old = Corpus(before[:, kept], [words[k] for k in kept.tolist()])
        yield Case(old, Corpus(new, words), found)


def topics(kind: str, runs: int) -> Iterator[Case]:
    """Documents of trees with clear topics, one of which changes its size."""
    for run in range(runs):
        tree = changed = planted(_CLEAR_WORDS, seed=run)
        found: Callable[[Drift, HLTA], bool] = nothing
        if kind != "nothing":
            rises = kind == "a topic doubles"
            latent = topic_of_size(tree, 0.05, 0.3, np.random.default_rng(run))
            changed = resized(tree, latent, rises=rises)
            found = changed_topic(tree, latent, rises)
        old, new = tree.sample(_CLEAR, seed=2 * run), changed.sample(_CLEAR // 2, seed=2 * run + 1)
        yield Case(Corpus(old, tree.words), Corpus(new, tree.words), found)


def topic_of_size(tree: LatentTree, low: float, high: float, rng: np.random.Generator) -> int:
    """A latent variable of the lowest level, drawn at random, with a size within bounds."""
    size = tree.marginals[tree.n_words :]
    lowest = tree.level[tree.n_words :] == 1
    return int(rng.choice(np.flatnonzero(lowest & (size > low) & (size < high))))


def resized(tree: LatentTree, latent: int, *, rises: bool) -> LatentTree:
    """The tree with one topic twice as probable, or next to impossible."""
    values = tree.probability.copy()
    row = values[tree.n_words + latent]
    values[tree.n_words + latent] = np.minimum(2.0 * row, 0.95) if rises else 1e-3
    return tree.with_probability(values)


def changed_topic(tree: LatentTree, latent: int, rises: bool) -> Callable[[Drift, HLTA], bool]:
    """Whether a topic with mostly the words of this one grew or shrank."""
    own = {
        tree.words[v] for v in np.flatnonzero(tree.parent[: tree.n_words] == tree.n_words + latent)
    }

    def found(drift: Drift, model: HLTA) -> bool:
        of_topic = {topic.id: set(topic.words) for topic in model.topics_}
        moved = [of_topic[t.topic] for t in drift.topics if (t.after > t.before) == rises]
        return any(2 * len(words & own) >= len(words) for words in moved)

    return found


def theme_of(words: set[str]) -> Callable[[Drift, HLTA], bool]:
    """Whether a theme with at least half of the words, and few others, was found."""

    def found(drift: Drift, _: HLTA) -> bool:
        shared = [(len(words.intersection(t.words)), len(t.words)) for t in drift.themes]
        return any(2 * both >= max(len(words), size) for both, size in shared)

    return found


def posts(kind: str, runs: int) -> Iterator[Case]:
    """Newsgroup posts, where a group is missing, or none is."""
    data = prepared.read("news-1k")
    ids = (DATA / "news-1k" / "train.ids.txt").read_text(encoding="utf-8").split()
    groups = np.array([name.split("/")[-2] for name in ids])
    names: Sequence[str | None] = [None] * runs
    if kind != "nothing":
        names = np.unique(groups).tolist()
    for run, missing in enumerate(names):
        order = np.random.default_rng(run).permutation(len(groups))[: _POSTS * 3 // 2]
        parts = [order[:_POSTS], order[_POSTS:]]
        if missing is not None:
            which = 0 if kind == "a group is new" else 1
            parts[which] = parts[which][groups[parts[which]] != missing]
        before, new = (Corpus(data.train[np.sort(rows)], data.words) for rows in parts)
        found = nothing if missing is None else told_of(kind == "a group is new")
        yield Case(rare_left_out(before), new, found)


def rare_left_out(corpus: Corpus) -> Corpus:
    """The corpus with nine tenths of its words, the most frequent ones."""
    frequency = corpus.documents.document_frequency
    kept = np.sort(np.argsort(-frequency, kind="stable")[: int(0.9 * len(frequency))])
    words = [corpus.words[k] for k in kept.tolist()]
    return Corpus(corpus.aligned(words), words)


def texts(kind: str, runs: int) -> Iterator[Case]:
    """Abstracts of the demo, of which so many come before and so many are new."""
    every = np.array(read_corpus(DEMO, text="abstract").texts, dtype=object)
    before, new = map(int, kind.removeprefix("nothing, ").split(" and "))
    for run in range(runs):
        order = np.random.default_rng(run).permutation(len(every))[: before + new]
        old = Corpus.from_texts(every[order[:before]].tolist())
        yield Case(old, every[order[before:]].tolist(), nothing)


def told_of(is_new: bool) -> Callable[[Drift, HLTA], bool]:
    """Whether topics grew or themes appeared, or topics shrank."""

    def found(drift: Drift, _: HLTA) -> bool:
        moved = any((t.after > t.before) == is_new for t in drift.topics)
        return moved or (is_new and bool(drift.themes))

    return found


def show_drift(
    source: Callable[[str, int], Iterator[Case]], kinds: Sequence[str], runs: int, samples: int
) -> None:
    """Print the table of drift."""
    print(
        "| documents | change | runs | found | anything | topics | words | themes | misfits | new words |"
    )
    print(f"|{'---|' * 10}")
    for kind in kinds:
        count, seen = reports(source(kind, runs), samples)
        print(
            f"| {source.__name__} | {kind} | {count} | {' | '.join(map(str, seen))} |", flush=True
        )


def main() -> None:
    """Print the tables that are asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    tables = ("portions", "planted", "groups", "texts")
    parser.add_argument("tables", nargs="*", default=tables, metavar="TABLE", help=str(tables))
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--samples", type=int, default=1, help="votes on the structure, for drift")
    chosen = parser.parse_args()
    if chosen.tables != ["texts"]:
        prepared.require()
    if "portions" in chosen.tables:
        show_portions()
    if "planted" in chosen.tables:
        kinds: tuple[str, ...] = ("nothing", "a topic doubles", "a topic vanishes")
        show_drift(topics, kinds, chosen.runs, chosen.samples)
        kinds = ("nothing", "a theme of new words", "a theme of known words")
        show_drift(themes, kinds, chosen.runs, chosen.samples)
    if "groups" in chosen.tables:
        kinds = ("nothing", "a group is new", "a group vanishes")
        show_drift(posts, kinds, chosen.runs, chosen.samples)
    if "texts" in chosen.tables:
        kinds = ("nothing, 1400 and 600", "nothing, 600 and 600", "nothing, 300 and 100")
        show_drift(texts, kinds, chosen.runs, chosen.samples)


if __name__ == "__main__":
    main()
