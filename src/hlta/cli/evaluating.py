"""`hlta evaluate`: figures about the topics of a model, or of any tool."""

from __future__ import annotations

import json
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hlta._support.messages import plural
from hlta.cli import inputs
from hlta.cli.common_options import AsJson, Reading, ReadingIds, Run, grouped
from hlta.cli.printing import show, tell
from hlta.cli.run_record import documents_of, has_documents, record_beside
from hlta.documents.fields import value_list
from hlta.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from hlta.cli.topic_measures import TopicMeasures
    from hlta.documents.corpus import Corpus
    from hlta.documents.matrix import Documents
    from hlta.estimator import HLTA
    from hlta.evaluate.coding import CoderAgreement
    from hlta.evaluate.word_lists import Words
    from hlta.tree.latent_tree import LatentTree

_CUTS: Final = (10, 30, 100)  # in which topics are compared with classes
_SURE: Final = 2  # standard errors, beyond which a difference is significant
_MOST_NGRAMS = 3
_MIN_LENGTH = 3  # of the words of documents, unless a topic has a shorter one
# In the order in which they are shown.
_LABELS: Final = {
    "documents": "documents",
    "words": "words",
    "topics": "topics",
    "npmi": "NPMI",
    "topics_with_npmi": "  topics scored",
    "npmi_of_nmf": "  of as many topics of NMF",
    "npmi_difference_error": "  standard error of the difference",
    "compactness": "compactness",
    "words_with_vectors": "  words with vectors",
    "mean_size": "mean size",
    "stability_in_samples": "stability in samples",
    "log_likelihood": "log-likelihood",
    "log_likelihood_of_independent_words": "  of independent words",
    "words_in_documents": "keywords found in documents",
    "coherence": "coherence",
    "topics_with_coherence": "  topics scored",
    "diversity": "diversity",
    "parent_child_coherence": "parent-child coherence",
    "parent_child_diversity": "parent-child diversity",
    "sibling_diversity": "sibling diversity",
    "parent_non_child_diversity": "parent-non-child diversity",
    "nmi": "NMI with classes",
    "nmi_of_nmf": "  of as many topics of NMF",
    "purity": "purity",
    "f1": "best F1 per class",
    "average_precision": "best average precision",
    "stability": "stability over runs",
}


@grouped
def evaluate(
    model_path: Path,
    paths: list[str] | None = None,
    *,
    topics_alone: bool = False,
    words: int = 4,
    top_words: int = 10,
    vectors: Path | None = None,
    classes: str | None = None,
    coder: Path | None = None,
    other: list[Path] | None = None,
    reading: ReadingIds,
    run: Run,
    as_json: AsJson = False,
) -> None:
    """Measure topics, overall and by level: coherence and likelihood in documents, diversity, and so on.

    Parameters
    ----------
    model_path : MODEL
        A model file, the folder that `hlta fit` wrote, or topics of any tool: a JSON file with lists
        of words.
    paths : PATH, default those that the model was learned from
        Documents, in any form that `hlta fit` reads.
    topics_alone
        Leave documents out.
    words : from 2
        Keywords per topic in coherence and compactness (M).
    top_words : from 2
        Keywords per topic in all other measures.
    vectors : FILE, default none
        Word vectors for compactness: word2vec (binary or text) or GloVe.
    classes : COLUMN, default none
        Column or field with each document's class, to see how well topics agree with it.
    coder : FILE, default none
        Topics that a person gave to documents: CSV with the columns document and topic, to see how
        well both agree (Cohen's kappa).
    other : MODEL, default none
        Another run, for stability: how well its topics match. Can be repeated.
    """
    from hlta.cli.topic_measures import TopicMeasures, normalize_topics
    from hlta.evaluate.coding import read_codes
    from hlta.evaluate.distinctness import topic_stability

    model, topics = _load_topics(model_path)
    alone = topics_alone or not has_documents(model_path, paths)
    if alone:
        inputs.refuse_documents(paths, reading)
    for flag, given in (("--classes", classes), ("--coder", coder)):
        if given is not None and (alone or model is None):
            raise OptionError(f"{flag} compares a model with documents; give both")
    codes = None if coder is None else read_codes(coder)
    corpus = None
    if not alone:
        remedy = "give PATH, or add --topics-alone"
        paths, reading = documents_of(model_path, paths, reading, run, remedy)
        corpus = _read(model, topics, paths, reading, run, classes, model_path)
        if classes is not None:
            _check_classes(corpus, quiet=run.quiet)
    measures = TopicMeasures(topics, words=words, top_words=top_words)
    if corpus is not None:
        measures.add_documents(corpus, quiet=run.quiet)
        if model is not None and _is_learned_from(model_path, model, corpus):
            levels = [topic.level for topic in topics]
            numbers = [levels.count(level) for level in set(levels)]
            measures.add_factors(corpus, numbers + [*_CUTS] * (classes is not None))
    if vectors is not None:
        measures.add_vectors(vectors)
    result = _result(model, topics, corpus, measures)
    if model is not None and corpus is not None:
        if classes is not None:
            _add_agreement(result, model, corpus, measures)
        if codes is not None:
            result["coder"] = _coder_agreement(codes, model, corpus)
    if other:
        runs = [topics, *(_load_topics(one)[1] for one in other)]
        result["stability"] = topic_stability(list(map(normalize_topics, runs)), n_words=top_words)
    lines = (_table(result), *_legend(result), *_verdict(result), *_coder_lines(result))
    show(json.dumps(result, indent=1) if as_json else "\n".join(lines))


def _read(
    model: HLTA | None,
    topics: Sequence[Words],
    paths: list[str],
    reading: ReadingIds,
    run: Run,
    classes: str | None,
    home: Path,
) -> Corpus:
    if model is None:
        return _read_for_lists(topics, paths, reading, run)
    how = reading if classes is None else Reading(**vars(reading) | {"group": classes})
    return inputs.read_for_model(model, paths, how, run, home=home)


def _load_topics(path: Path) -> tuple[HLTA | None, list[Any]]:
    """The topics of a file, and the model if it holds one."""
    if path.suffix.lower() == ".json" and path.is_file():
        from hlta.evaluate.word_lists import read_word_lists

        return None, list(read_word_lists(path))
    model = inputs.load_model(path)
    return model, list(model.topics_)


def _read_for_lists(
    topics: Sequence[Words], paths: list[str], reading: ReadingIds, run: Run
) -> Corpus:
    """Documents with the words of the topics as columns, in either spelling."""
    from hlta.evaluate.word_lists import as_read
    from hlta.options import TextOptions

    every = dict.fromkeys(word for topic in topics for word in topic.words)
    words = list(dict.fromkeys(form for word in every for form in (word, as_read(word))))
    parts = 1 + max(word.count("-") for word in words)
    shortest = min((len(part) for word in words for part in word.split("-") if part), default=1)
    text = TextOptions(
        ngrams=min(parts, _MOST_NGRAMS),
        min_length=min(shortest, _MIN_LENGTH),
        numbers=any(letter.isdigit() for word in words for letter in word),
    )
    return inputs.read_with_words(paths, words, text, reading, run)


def _result(
    model: HLTA | None, topics: Sequence[Any], corpus: Corpus | None, measures: TopicMeasures
) -> dict[str, Any]:
    """All figures, in the form of the JSON output."""
    result: dict[str, Any] = {"topics": len(topics)}
    if model is not None:
        result["words"] = model.tree_.n_words
    if corpus is not None:
        result["documents"] = len(corpus)
    if corpus is not None and model is not None:
        tree = model.tree_
        documents = corpus.aligned(tree.words)
        # Sections of a document are independent: its log-likelihood is the sum over these.
        units, count = documents.units, len(documents)
        result["log_likelihood"] = float(tree.log_likelihood(units).sum() / count)
        result["log_likelihood_of_independent_words"] = _of_independent_words(tree, units) / count
    has_stability = model is not None and model.stability_ is not None

    def figures(rows: Sequence[int]) -> dict[str, Any]:
        known = [
            topics[k].stability for k in rows if has_stability and topics[k].stability is not None
        ]
        mean = sum(known) / len(known) if known else None  # topics that edits made have none
        return ({"stability_in_samples": mean} if has_stability else {}) | measures.of(rows)

    result |= figures(range(len(topics))) | measures.of_hierarchy
    levels = sorted({topic.level for topic in topics if topic.level is not None}, reverse=True)
    result["levels"] = []
    for level in levels:
        at = [k for k, topic in enumerate(topics) if topic.level == level]
        entry: dict[str, Any] = {"level": level, "topics": len(at)}
        if model is not None:
            entry["mean_size"] = sum(topics[k].size for k in at) / len(at)
        result["levels"].append(entry | figures(at))
    return result


def _of_independent_words(tree: LatentTree, documents: Documents) -> float:
    """The log-likelihood of all documents if words are independent, with their marginals in the tree."""
    import numpy as np

    from hlta.tree.parameters import MAX_PROBABILITY, MIN_PROBABILITY

    share = np.clip(tree.marginals[: tree.n_words], MIN_PROBABILITY, MAX_PROBABILITY)
    present = documents.document_frequency
    absent = len(documents) - present
    return float(present @ np.log(share) + absent @ np.log1p(-share))


def _check_classes(corpus: Corpus, *, quiet: bool) -> None:
    """Refuse documents without classes or with several, and count those without one."""
    if corpus.groups is None:
        raise OptionError("--classes: the documents have no classes")
    if several := sum(len(value_list(one)) > 1 for one in corpus.groups):
        raise OptionError(
            f"--classes: {plural(several, 'document')} with several classes; name a column with one each"
        )
    if without := sum(not one.strip() for one in corpus.groups):
        are = "is" if without == 1 else "are"
        tell(f"{plural(without, 'document')} without a class {are} left out", quiet=quiet)


def _add_agreement(
    result: dict[str, Any], model: HLTA, corpus: Corpus, measures: TopicMeasures
) -> None:
    """Add to `result` how well topics agree with the groups of the documents, by level and by cut."""
    from hlta.evaluate.agreement import agreement

    groups = ["".join(value_list(one)) for one in corpus.groups or ()]
    documents = corpus.aligned(model.tree_.words)

    def figures(topics: Sequence[Any]) -> dict[str, float]:
        main = model.predict(documents, topics=topics)
        found = agreement(model.transform(documents, topics=topics), groups, main=main)
        names = ("nmi", "purity", "f1", "average_precision")
        figures = {name: getattr(found, name) for name in names}
        weights = measures.weights_of_factors(len(topics))
        if weights is not None:
            figures["nmi_of_nmf"] = agreement(weights, groups, main=weights.argmax(axis=1)).nmi
        return figures

    for entry in result["levels"]:
        entry.update(figures(model.topics_.level(entry["level"])))
    most = model.topics_.most_in_cut
    result["cuts"] = [
        {"topics": n, **figures(model.topics_.cut(n))} for n in _CUTS if 2 <= n <= most
    ]


def _legend(result: dict[str, Any]) -> Iterator[str]:
    """What levels and stability mean; not said of word lists, which may count levels in another way."""
    levels = [entry["level"] for entry in result["levels"]]
    said = []
    if "words" in result and len(levels) > 1:
        said.append(
            f"Root topics are at level {max(levels)}, and those below them at lower levels."
        )
    if result.get("stability_in_samples") is not None:
        said.append(
            "Stability is 1 for topics that came back whole in all samples of the documents."
        )
    if said:
        yield "\n" + " ".join(said)


def _verdict(result: dict[str, Any]) -> Iterator[str]:
    """How the NPMI of the topics compares with that of as many topics of NMF."""
    said: dict[str, list[str]] = {}
    for name, entry in _columns(result).items():
        if "npmi_of_nmf" in entry and name != "all":  # parents and children are not independent
            ours, theirs = entry["npmi"], entry["npmi_of_nmf"]
            sure = abs(ours - theirs) > _SURE * entry["npmi_difference_error"]
            how = ("higher" if ours > theirs else "lower") if sure else "not surely different"
            said.setdefault(how, []).append(f"{name} ({ours:.3f}, NMF {theirs:.3f})")
    if said:
        found = "; ".join(f"{how} for {' and '.join(some)}" for how, some in said.items())
        yield f"\nNPMI beside as many topics of NMF on the same documents: {found}."
        if unscored := [str(one["level"]) for one in result["levels"] if _is_unscored(one)]:
            yield f"Too few topics of level {' and '.join(unscored)} are scored to compare them with NMF."
        yield (
            "NPMI is no judgement: people's ratings of topics agree with it moderately (rank correlation "
            "0.4), and hardly with coherence (0.1)."
        )


def _is_unscored(entry: dict[str, Any]) -> bool:
    """Whether at most half of the topics of a level have an NPMI."""
    return bool(2 * entry.get("topics_with_npmi", entry["topics"]) <= entry["topics"])


def _is_learned_from(model_path: Path, model: HLTA, corpus: Corpus) -> bool:
    """Whether these documents are those of the model's fit, by the log-likelihood in its record."""
    from hlta.writeup import learned_from

    record = record_beside(model_path)
    return record is not None and learned_from(record, model.score(corpus))


def _coder_agreement(codes: dict[str, set[str]], model: HLTA, corpus: Corpus) -> dict[str, Any]:
    """How far a coder and the model agree, overall and by topic, for the topics that either gave."""
    from hlta.evaluate.coding import coder_agreement
    from hlta.options import IN_PART

    if corpus.ids is None:
        raise OptionError("--coder: the documents have no ids; name their column with --id")
    topics = list(model.topics_)
    is_on = model.transform(corpus, topics=topics) >= IN_PART
    whole, found = coder_agreement(codes, list(corpus.ids), topics, is_on)
    by_topic = [
        {"id": topic.id, "title": topic.title, **_plain(one)}
        for topic, one in zip(topics, found, strict=True)
        if one.coder or one.model
    ]
    return {"documents": len(codes), "kappa": _plain(whole)["kappa"], "topics": by_topic}


def _plain(one: CoderAgreement) -> dict[str, Any]:
    return one._asdict() | {"kappa": None if isnan(one.kappa) else one.kappa}


def _coder_lines(result: dict[str, Any]) -> Iterator[str]:
    """How far the coder and the model agree overall, and a line per topic that the coder gave."""
    found = result.get("coder")
    if found is None:
        return
    given = [one for one in found["topics"] if one["coder"]]
    were = "was" if found["documents"] == 1 else "were"
    yield (
        f"\n{plural(found['documents'], 'document')} {were} coded; kappa is "
        f"{_kappa(found['kappa']).strip()} over all pairs of a document and a topic."
    )
    if given:
        yield "\nkappa   coder  model   both  topic"
    for one in given:
        numbers = f"{one['coder']:6,} {one['model']:6,} {one['both']:6,}"
        yield f"{_kappa(one['kappa'])}  {numbers}  {one['id']} {one['title']}"
    if others := len(found["topics"]) - len(given):
        yield (
            f"The model also gives these documents {plural(others, 'topic')} that the coder gave to "
            "none; --json lists all disagreements."
        )


def _kappa(value: float | None) -> str:
    return "    -" if value is None else f"{round(value, 2) + 0.0:5.2f}"


def _columns(result: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The figures of all topics, of each level and of each cut."""
    columns = {"all": result} | {f"level {entry['level']}": entry for entry in result["levels"]}
    return columns | {f"cut {entry['topics']}": entry for entry in result.get("cuts", [])}


def _number(value: float | None) -> str:
    """A figure as the table shows it."""
    if isinstance(value, float):
        return f"{value:,.4f}"
    return "-" if value is None else f"{value:,}"


def _table(result: dict[str, Any]) -> str:
    """One line per figure, with a column for all topics, for each level and for each cut."""
    columns = _columns(result)
    named = [name for name in _LABELS if any(name in figures for figures in columns.values())]
    table = [_pad(["", *(_LABELS[name] for name in named)], str.ljust)]
    for head, figures in columns.items():
        cells = [_number(figures[name]) if name in figures else "" for name in named]
        table.append(_pad([head, *cells], str.rjust))
    return "\n".join("  ".join(row).rstrip() for row in zip(*table, strict=True))


def _pad(cells: list[str], pad: Callable[[str, int], str]) -> list[str]:
    """The cells of a column, all as wide as the widest."""
    return [pad(cell, max(map(len, cells))) for cell in cells]
