"""`hlta evaluate`: numbers about topics, of a model or from any tool."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from hlta.cli import arguments as a
from hlta.cli.model_commands import load_model, model_corpus
from hlta.cli.output import Skipped, told
from hlta.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from hlta.documents.corpus import Corpus
    from hlta.estimator import HLTA
    from hlta.evaluate.occurrences import Words
    from hlta.reading.records import ReadOptions

_MOST_NGRAMS = 3
_TOLD = 10  # missing words
# In the order in which they are shown.
_LABELS: Final = {
    "documents": "documents",
    "words": "words",
    "topics": "topics",
    "mean_size": "mean size",
    "log_likelihood": "log likelihood",
    "log_likelihood_of_independent_words": "  of independent words",
    "log_likelihood_gain_of_level_1": "  gain of level 1",
    "log_likelihood_gain": "  gain of the level",
    "log_likelihood_gain_of_links_at_the_top": "  gain of links at the top",
    "words_in_documents": "words in documents",
    "coherence": "coherence",
    "topics_with_coherence": "  of so many topics",
    "npmi": "NPMI",
    "topics_with_npmi": "  of so many topics",
    "compactness": "compactness",
    "words_with_vectors": "  words with vectors",
    "diversity": "diversity",
    "redundancy": "redundancy",
    "stability": "stability",
}
_SHORT = 3  # letters of a word, if none of the topics has fewer


def evaluate(
    model: Annotated[
        Path,
        typer.Argument(
            metavar="MODEL",
            help="A model, the folder that `hlta fit` left, or topics of any tool: a JSON file of lists "
            "of words.",
        ),
    ],
    path: Annotated[
        str | None, typer.Argument(metavar="[PATH]", help="Documents, as for fit.")
    ] = None,
    words: Annotated[
        int, typer.Option(min=2, help="Keywords that count in coherence and compactness (M).")
    ] = 4,
    top_words: Annotated[
        int,
        typer.Option(
            min=2, help="Keywords that count in NPMI, diversity, redundancy and stability."
        ),
    ] = 10,
    vectors: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Word vectors, of word2vec (binary or text) or GloVe, for compactness.",
            show_default="none",
        ),
    ] = None,
    other: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="MODEL",
            help="Another run, to see whether its topics are the same; can be given several times.",
            show_default="none",
        ),
    ] = None,
    text: a.TextColumn = None,
    title: a.TitleColumn = None,
    id_: a.IdColumn = None,
    encoding: a.Encoding = None,
    keep_mail: a.KeepMail = False,
    skip_broken: a.SkipBroken = False,
    vocabulary: a.Vocabulary = None,
    seed: a.NoSeed = 0,
    jobs: a.Jobs = None,
    quiet: a.Quiet = False,
    as_json: a.AsJson = False,
) -> None:
    """Print numbers about topics, overall and by level; with documents, likelihood and coherence."""
    with told():
        learned, topics = _topics(model, jobs)
        read = a.read_options(text, title, id_, None, None, encoding, keep_mail, skip_broken)
        corpus = None
        if path is not None and learned is not None:
            corpus = model_corpus(learned, path, read, vocabulary, quiet=quiet)
        elif path is not None:
            corpus = _corpus_of_lists(topics, path, read, vocabulary, jobs, quiet=quiet)
        measures = _measures(topics, corpus, vectors, words, top_words, quiet=quiet)
        result = _result(learned, topics, corpus, measures)
        if other:
            result["stability"] = _stability(topics, other, top_words, jobs)
        typer.echo(json.dumps(result, indent=1) if as_json else _shown(result))


def _topics(path: Path, jobs: int | None) -> tuple[HLTA | None, list[Any]]:
    """A model, if it is one, and topics."""
    if path.suffix.lower() == ".json" and path.is_file():
        from hlta.evaluate.word_lists import read_word_lists

        return None, list(read_word_lists(path))
    learned = load_model(path, jobs)
    return learned, list(learned.topics_)


def _corpus_of_lists(
    topics: Sequence[Words],
    path: str,
    read: ReadOptions,
    vocabulary: Path | None,
    jobs: int | None,
    *,
    quiet: bool,
) -> Corpus:
    """Documents with the words of the topics."""
    from hlta.evaluate.word_lists import as_read
    from hlta.options import TextOptions
    from hlta.reading.corpus_reader import read_with_words

    every = dict.fromkeys(word for topic in topics for word in topic.words)
    words = list(dict.fromkeys(form for word in every for form in (word, as_read(word))))
    parts = 1 + max(word.count("-") for word in words)
    shortest = min((len(part) for word in words for part in word.split("-") if part), default=1)
    skipped = Skipped()
    corpus = read_with_words(
        path,
        words,
        TextOptions(
            ngrams=min(parts, _MOST_NGRAMS),
            min_length=min(shortest, _SHORT),
            numbers=any(letter.isdigit() for word in words for letter in word),
        ),
        read=read,
        vocabulary=vocabulary,
        snippet=0,
        on_skip=skipped,
        n_jobs=jobs,
    )
    skipped.tell(quiet=quiet)
    return corpus


def _spelt(
    topics: Sequence[Words], spellings: Callable[[str], Sequence[str]], known: Container[str]
) -> list[Any]:
    """The topics, each word in the first of its spellings that is known."""
    from hlta.evaluate.word_lists import WordList

    def as_known(word: str) -> str:
        return next((form for form in spellings(word) if form in known), word)

    return [WordList([as_known(word) for word in topic.words]) for topic in topics]


def _in_documents(topics: Sequence[Words], corpus: Corpus, *, quiet: bool) -> tuple[Any, set[str]]:
    """The topics as the documents spell them, and the words that some document has."""
    import numpy as np

    from hlta.evaluate.word_lists import as_read

    present = {corpus.words[k] for k in np.unique(corpus.documents.indices)}
    columns = {as_read(word): word for word in sorted(present)}
    found = _spelt(
        topics, lambda word: (word, as_read(word), columns.get(as_read(word), word)), present
    )
    every = dict.fromkeys(word for topic in found for word in topic.words)
    missing = [word for word in every if word not in present]
    if len(missing) == len(every):
        raise OptionError("none of the words of the topics is in any of the documents")
    if missing and not quiet:
        some = ", ".join(missing[:_TOLD]) + (", …" if len(missing) > _TOLD else "")
        typer.echo(f"{len(missing):,} of {len(every):,} words are in no document: {some}", err=True)
    return found, present


def _measures(
    topics: Sequence[Any],
    corpus: Corpus | None,
    vectors: Path | None,
    words: int,
    top_words: int,
    *,
    quiet: bool,
) -> dict[str, Callable[[Sequence[int]], float | None]]:
    """What can be said of some topics, given by their numbers."""
    import numpy as np

    from hlta.evaluate import coherence, compactness, distinctness
    from hlta.evaluate.occurrences import first_words
    from hlta.evaluate.word_lists import as_read
    from hlta.reading.word_vectors import read_vectors

    def mean_of(scores: NDArray[np.float64]) -> Callable[[Sequence[int]], float | None]:
        return lambda chosen: _mean(scores[list(chosen)])

    def count_of(scores: NDArray[np.float64]) -> Callable[[Sequence[int]], int]:
        return lambda chosen: int(np.isfinite(scores[list(chosen)]).sum())

    def share_in(
        known: Container[str], spelt: Sequence[Words], first: int
    ) -> Callable[[Sequence[int]], float]:
        def share(chosen: Sequence[int]) -> float:
            looked = [word for k in chosen for word in first_words(spelt[k], first)]
            return sum(word in known for word in looked) / len(looked)

        return share

    found: dict[str, Callable[[Sequence[int]], float | None]] = {}
    if corpus is not None:
        read, present = _in_documents(topics, corpus, quiet=quiet)
        documents, names = corpus.documents, corpus.words
        scores = coherence.topic_coherence(read, documents, names, n_words=words)
        found["coherence"] = mean_of(scores)
        found["topics_with_coherence"] = count_of(scores)
        npmi = coherence.topic_npmi(read, documents, names, n_words=top_words)
        found["npmi"] = mean_of(npmi)
        found["topics_with_npmi"] = count_of(npmi)
        found["words_in_documents"] = share_in(present, read, max(words, top_words))
    if vectors is not None:

        def forms(word: str) -> tuple[str, ...]:
            return word, as_read(word), as_read(word).replace("-", "_")

        used = {form for topic in topics for word in topic.words for form in forms(word)}
        known = read_vectors(vectors, used)
        close = _spelt(topics, forms, known.number)
        found["compactness"] = mean_of(
            compactness.topic_compactness(close, known, n_words=words).scores
        )
        found["words_with_vectors"] = share_in(known.number, close, words)
    plain = _plain(topics)
    found["diversity"] = lambda chosen: distinctness.topic_diversity(
        [plain[k] for k in chosen], n_words=top_words
    )
    found["redundancy"] = lambda chosen: _mean(
        distinctness.topic_redundancy([plain[k] for k in chosen], n_words=top_words)
    )
    return found


def _plain(topics: Sequence[Words]) -> list[Any]:
    """The topics in one spelling, so that those of different tools can be compared."""
    from hlta.evaluate.word_lists import WordList, as_read

    return [WordList([as_read(word) for word in topic.words]) for topic in topics]


def _result(
    learned: HLTA | None,
    topics: Sequence[Any],
    corpus: Corpus | None,
    measures: dict[str, Callable[[Sequence[int]], float | None]],
) -> dict[str, Any]:
    every = range(len(topics))
    result: dict[str, Any] = {"topics": len(topics)}
    gains: dict[int, float] = {}
    if learned is not None:
        result["words"] = learned.tree_.n_words
    if corpus is not None:
        result["documents"] = len(corpus)
    if corpus is not None and learned is not None:
        from hlta.evaluate.level_likelihoods import level_likelihoods

        tree = learned.tree_
        steps = level_likelihoods(tree, corpus.aligned(tree.words), n_jobs=learned.n_jobs)
        result["log_likelihood"] = float(steps[-1])
        result["log_likelihood_of_independent_words"] = float(steps[0])
        gains = {
            level: float(steps[level] - steps[level - 1]) for level in range(1, len(steps) - 1)
        }
        gains[len(steps) - 1] = float(steps[-1] - steps[-2])
    result |= {name: measure(every) for name, measure in measures.items()}
    levels = sorted({topic.level for topic in topics if topic.level is not None}, reverse=True)
    result["levels"] = []
    for level in levels:
        at = [k for k in every if topics[k].level == level]
        entry: dict[str, Any] = {"level": level, "topics": len(at)}
        if learned is not None:
            entry["mean_size"] = sum(topics[k].size for k in at) / len(at)
        entry |= {name: measure(at) for name, measure in measures.items()}
        if level in gains:
            entry["log_likelihood_gain"] = gains[level]
        result["levels"].append(entry)
    if gains:
        top = max(gains)
        if 1 not in levels:
            result["log_likelihood_gain_of_level_1"] = gains[1]
        result["log_likelihood_gain_of_links_at_the_top"] = gains[top]
    return result


def _stability(
    topics: Sequence[Any], others: Sequence[Path], top_words: int, jobs: int | None
) -> float:
    from hlta.evaluate.distinctness import topic_stability

    runs = [_plain(run) for run in (topics, *(_topics(path, jobs)[1] for path in others))]
    if any(not run for run in runs):
        raise OptionError("stability needs topics in every run")
    return topic_stability(runs, n_words=top_words)


def _mean(scores: NDArray[np.float64]) -> float | None:
    """The mean of those topics that have a score; None if none has enough words for one."""
    import numpy as np

    return float(np.nanmean(scores)) if np.isfinite(scores).any() else None


def _number(value: float | None) -> str:
    if isinstance(value, float):
        return f"{value:,.4f}"
    return "-" if value is None else f"{value:,}"


def _shown(result: dict[str, Any]) -> str:
    """A figure a line, for all topics and for each level."""
    levels = result["levels"]
    present = {*result, *(name for entry in levels for name in entry)} - {"level", "levels"}
    named = [name for name in _LABELS if name in present]
    columns = [("all", result), *((f"level {entry['level']}", entry) for entry in levels)]
    rows = [["", *(head for head, _ in columns)]]
    for name in named:
        known = (_number(column[name]) if name in column else "" for _, column in columns)
        rows.append([_LABELS[name], *known])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for label, *cells in rows:
        right = (cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True))
        lines.append("  ".join((label.ljust(widths[0]), *right)).rstrip())
    return "\n".join(lines)
