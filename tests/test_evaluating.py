"""`hlta evaluate`: figures of models and of lists of words."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hlta import HLTA, Corpus
from hlta.cli import evaluating
from hlta.cli.topic_measures import TopicMeasures
from hlta.errors import OptionError
from hlta.evaluate import HierarchyMeasures, WordList, agreement, hierarchy_measures, nmf_topics
from hlta.evaluate.coherence import topic_coherence, topic_npmi
from tests.command import mistake, ran, run
from tests.scanning import TEXTS

NAMES = set(HierarchyMeasures._fields)


def figures(*arguments: object) -> dict[str, Any]:
    """What `hlta evaluate` prints as JSON."""
    result: dict[str, Any] = json.loads(ran("evaluate", *arguments, "--json").stdout)
    return result


@pytest.fixture(scope="module")
def full(fitted: Path, texts_file: Path) -> dict[str, Any]:
    """The figures of the model with its documents."""
    return figures(fitted, texts_file, "--words", 3, "--top-words", 4)


def test_without_documents_topics_are_counted(fitted: Path) -> None:
    model = HLTA.load(fitted)
    bare = figures(fitted, "--topics-alone")
    assert (bare["topics"], bare["words"]) == (len(model.topics_), model.tree_.n_words)
    assert sum(level["topics"] for level in bare["levels"]) == bare["topics"]
    assert not {"documents", "log_likelihood", "coherence", "compactness", "stability"} & set(bare)


def test_scores_are_means_over_topics_and_documents(full: dict[str, Any], fitted: Path) -> None:
    model = HLTA.load(fitted)
    documents, tree = model.documents_from_texts(TEXTS), model.tree_
    coherence = topic_coherence(model.topics_, documents, tree.words, n_words=3)
    npmi = topic_npmi(model.topics_, documents, tree.words, n_words=4)
    levels = np.array([topic.level for topic in model.topics_])
    for entry in (full, *full["levels"]):
        at = levels == entry["level"] if "level" in entry else np.full(len(levels), True)
        for name, scores in (("coherence", coherence[at]), ("npmi", npmi[at])):
            assert entry[name] == pytest.approx(np.nanmean(scores))
            assert entry[f"topics_with_{name}"] == np.isfinite(scores).sum()
        assert entry["words_in_documents"] == 1.0
    X, p = documents.to_csr().toarray(), tree.marginals[: tree.n_words]
    independent = np.where(X == 1, np.log(p), np.log1p(-p)).sum(axis=1).mean()
    assert full["log_likelihood"] == pytest.approx(tree.log_likelihood(X).mean())
    assert full["log_likelihood_of_independent_words"] == pytest.approx(independent)


def test_a_long_document_counts_as_a_whole(fitted: Path, tmp_path: Path) -> None:
    file = tmp_path / "texts.jsonl"
    long = " ".join(TEXTS * 60)  # two sections
    file.write_text("".join(json.dumps({"text": text}) + "\n" for text in (*TEXTS, long)))
    found = json.loads(run("score", fitted, file, "--json").stdout)["log_likelihood"]
    assert figures(fitted, file)["log_likelihood"] == pytest.approx(found)


def test_topics_that_edits_made_have_no_stability(fitted: Path, tmp_path: Path) -> None:
    model = HLTA.load(fitted)
    one, other = model.topics_.roots[:2]
    model.edit.merge(other, into=one)
    model.save(tmp_path / "m.hlta")
    known = [topic.stability for topic in model.topics_ if topic.stability is not None]
    assert len(known) < len(model.topics_)
    assert figures(tmp_path / "m.hlta")["stability_in_samples"] == pytest.approx(np.mean(known))
    assert f"is {np.mean(known):.2f}." in run("report", tmp_path / "m.hlta", "--methods").stdout


def test_the_table_shows_every_figure(full: dict[str, Any], fitted: Path, texts_file: Path) -> None:
    done = run("evaluate", fitted, texts_file, "--words", 3, "--top-words", 4)
    head, *lines = done.stdout.partition("\n\n")[0].splitlines()
    columns = (full, *full["levels"])
    assert len(re.split(r" {2,}", head.strip())) == len(columns)
    assert len(lines) == len({name for entry in columns for name in entry} - {"level", "levels"})
    row = next(line.split() for line in lines if line.startswith("coherence"))
    assert row[1:] == [f"{entry['coherence']:,.4f}" for entry in columns]
    assert figures(fitted, texts_file, "--words", 500)["coherence"] is None
    done = run("evaluate", fitted, texts_file, "--words", 500)
    assert (done.exit_code, done.stderr) == (0, "")
    assert re.search(r"^coherence +-( +-)*$", done.stdout, re.MULTILINE)  # it is not known


def test_topics_are_compared_with_nmf(full: dict[str, Any], fitted: Path, tmp_path: Path) -> None:
    model = HLTA.load(fitted)
    documents, words = model.documents_from_texts(TEXTS), model.tree_.words
    for entry in full["levels"]:
        topics, _ = nmf_topics(documents, words, entry["topics"], n_words=4)
        scores = topic_npmi(topics, documents, words, n_words=4)
        assert entry["npmi_of_nmf"] == pytest.approx(np.nanmean(scores))
    (tmp_path / "others.txt").write_text("\n".join(TEXTS[:20]))
    others = figures(fitted, tmp_path / "others.txt", "--words", 3, "--top-words", 4)
    assert not any("npmi_of_nmf" in entry for entry in others["levels"])
    assert others["npmi"] is not None


def test_topics_are_not_compared_where_few_are_scored() -> None:
    topics = [WordList(pair) for pair in (["a", "b"], ["a", "z"], ["c", "y"], ["d", "x"])]
    corpus = Corpus([[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1]], ["a", "b", "c", "d"])
    measures = TopicMeasures(topics, words=2, top_words=2)
    measures.add_documents(corpus, quiet=True)
    measures.add_factors(corpus, [2, 4])
    assert "npmi_of_nmf" not in measures.of(range(4))
    assert "npmi_of_nmf" not in measures.of([0, 1])


@pytest.mark.parametrize(
    ("theirs", "verdict"), [(0.1, "not surely different"), (0.05, "higher"), (0.5, "lower")]
)
def test_the_verdict_is_about_sure_differences(theirs: float, verdict: str) -> None:
    entry = {"level": 2, "topics": 9, "topics_with_npmi": 9, "npmi": 0.2}
    entry |= {"npmi_of_nmf": theirs, "npmi_difference_error": 0.06}
    said = next(evaluating._verdict({"npmi": 0.2, "levels": [entry]}))
    assert f"documents: {verdict} for level 2 (0.200, NMF {theirs:.3f})." in said
    assert list(evaluating._verdict({"npmi": 0.2, "levels": []})) == []
    unscored = {"level": 3, "npmi": 0.1, "topics": 12, "topics_with_npmi": 6}
    cuts = [{"topics": 5, "nmi": 0.4}]
    lines = list(evaluating._verdict({"npmi": 0.2, "levels": [entry, unscored], "cuts": cuts}))
    assert lines[1:-1] == ["Too few topics of level 3 are scored to compare them with NMF."]


def test_factors_are_refused_beyond_the_documents() -> None:
    topics, weights = nmf_topics([[1, 1, 0], [0, 0, 1]], ["a", "b", "c"], 2)
    assert sorted(sorted(topic.words) for topic in topics) == [["a", "b"], ["c"]]
    assert (weights.argmax(axis=1) != weights.argmin(axis=1)).all()
    with pytest.raises(OptionError, match="number=3 topics are more than"):
        nmf_topics([[1, 1, 0], [0, 0, 1]], ["a", "b", "c"], 3)


def test_compactness_and_stability(fitted: Path, tmp_path: Path) -> None:
    known = {word for topic in HLTA.load(fitted).topics_ for word in topic.words[:2]}
    vectors, other = tmp_path / "vectors.txt", tmp_path / "other.json"
    vectors.write_text("".join(f"{word} 1 {k % 3}\n" for k, word in enumerate(sorted(known))))
    close = figures(fitted, "--vectors", vectors, "--words", 2)
    assert 0.0 < close["compactness"] < 1.0
    assert close["words_with_vectors"] == 1.0
    assert figures(fitted, "--vectors", vectors)["words_with_vectors"] < 1.0
    other.write_text('[["zebra", "gnu", "okapi"]]')
    assert figures(fitted, "--other", fitted)["stability"] == pytest.approx(1.0)
    assert figures(fitted, "--other", other)["stability"] == 0.0
    assert 0.0 < figures(fitted, "--other", fitted, "--other", other)["stability"] < 1.0


def test_lists_of_words_are_measured_like_the_model(
    full: dict[str, Any], fitted: Path, texts_file: Path, tmp_path: Path
) -> None:
    plain = tmp_path / "plain.json"
    plain.write_text(json.dumps([topic.words for topic in HLTA.load(fitted).topics_]))
    options = (texts_file, "--words", 3, "--top-words", 4)
    theirs, flat = (figures(file, *options) for file in (fitted / "topics.json", plain))
    for name in ("topics", "documents", "coherence", "npmi", "diversity"):
        assert theirs[name] == pytest.approx(full[name])
        assert flat[name] == pytest.approx(full[name])
    counts = [(entry["level"], entry["topics"]) for entry in full["levels"]]
    assert [(entry["level"], entry["topics"]) for entry in theirs["levels"]] == counts
    assert flat["levels"] == []


def test_a_hierarchy_is_measured_as_a_whole(
    full: dict[str, Any], fitted: Path, texts_file: Path, tmp_path: Path
) -> None:
    model = HLTA.load(fitted)
    a, b, c, *rest = model.tree_.words
    below = [{"words": [b.upper(), c], "children": [[a]]}, {"words": rest}]
    file = tmp_path / "lists.json"
    file.write_text(json.dumps([{"words": [a, b], "level": 2, "children": below}, ["zebra"]]))
    root = WordList([a, b])
    first, other = WordList([b, c], parent=root), WordList(rest, parent=root)
    lists = [root, first, WordList([a], parent=first), other, WordList(["zebra"])]
    documents = model.documents_from_texts(TEXTS)
    expected = hierarchy_measures(lists, documents, model.tree_.words, n_words=4)
    found = figures(file, texts_file, "--top-words", 4, "-q")
    assert found["parent_non_child_diversity"] is None  # all are children
    assert [found[name] for name in expected._fields[:3]] == pytest.approx(expected[:3])
    assert not any(NAMES & entry.keys() for entry in found["levels"])
    assert not NAMES & figures(file).keys()  # without documents
    assert not NAMES & full.keys()  # with a single level


@pytest.fixture
def spelling(tmp_path: Path) -> Path:
    """Documents about machine learning, AI and R2."""
    lines = ["Machine learning is an R2 thing", "machine learning of AI", "R2 and AI", "nothing"]
    (tmp_path / "texts.txt").write_text("\n".join(lines * 3))
    return tmp_path / "texts.txt"


@pytest.mark.parametrize("words", ["machine-learning ai r2", "machine_learning AI R2"])
def test_words_are_found_as_others_spell_them(words: str, spelling: Path, tmp_path: Path) -> None:
    file, other, vectors = (tmp_path / name for name in ("lists.json", "other.json", "v.txt"))
    file.write_text(json.dumps([words.split()]))
    other.write_text('[["machine learning", "ai", "r2"]]')
    vectors.write_text("machine_learning 1 0\nAI 1 0\nai 1 0\nr2 1 0\n")
    compared = ("--other", other, "--vectors", vectors, "--words", 3)
    found = figures(file, spelling, *compared)
    assert found["words_in_documents"] == found["words_with_vectors"] == 1.0
    # D: machine-learning 6, ai 6, r2 6; every two of them 3.
    assert found["coherence"] == pytest.approx(3 * np.log(4 / 6))
    assert found["compactness"] == pytest.approx(1.0)
    assert found["stability"] == figures(file, *compared)["stability"] == 1.0


def test_missing_words_are_named(spelling: Path, tmp_path: Path) -> None:
    (file := tmp_path / "lists.json").write_text('[["machine learning", "ai", "zebra"]]')
    part = figures(file, spelling, "--words", 3, "-q")
    assert part["words_in_documents"] == pytest.approx(2 / 3)
    assert (part["coherence"], part["topics_with_coherence"]) == (None, 0)
    assert "1 of 3 words are in no document: zebra" in run("evaluate", file, spelling).stderr
    assert run("evaluate", file, spelling, "--quiet").stderr == ""


def test_topics_are_compared_with_classes(fitted: Path, tmp_path: Path, texts_file: Path) -> None:
    table = tmp_path / "classes.csv"
    texts = texts_file.read_text().splitlines()
    rows = [f'"{text}",{"even" if k % 2 == 0 else "odd"}' for k, text in enumerate(texts)]
    table.write_text("\n".join(["text,kind", *rows]) + "\n")
    found = figures(fitted, table, "--classes", "kind")
    model = HLTA.load(fitted)
    most = model.topics_.most_in_cut
    assert [cut["topics"] for cut in found["cuts"]] == [n for n in (10, 30, 100) if n <= most]
    documents = model.documents_from_texts(texts)
    kinds = ["even" if k % 2 == 0 else "odd" for k in range(len(texts))]
    for entry in found["levels"]:
        topics = model.topics_.level(entry["level"])
        main = model.predict(documents, topics=topics)
        expected = agreement(model.transform(documents, topics=topics), kinds, main=main)
        assert entry["nmi"] == pytest.approx(expected.nmi)
        assert entry["f1"] == pytest.approx(expected.f1)
    shown = run("evaluate", fitted, table, "--classes", "kind").stdout
    assert re.search(r"^NMI with classes +\d", shown, re.MULTILINE)


def test_documents_without_one_class_are_pointed_out(fitted: Path, tmp_path: Path) -> None:
    table = tmp_path / "classes.jsonl"

    def evaluated(last: Any) -> tuple[object, ...]:
        kinds = [*("odd" if k % 2 else "even" for k in range(len(TEXTS) - 1)), last]
        rows = ({"text": text, "kind": kind} for text, kind in zip(TEXTS, kinds, strict=True))
        table.write_text("\n".join(map(json.dumps, rows)))
        return "evaluate", fitted, table, "--classes", "kind"

    for none in ("", " "):
        assert "1 document without a class is left out" in ran(*evaluated(none)).stderr
    assert "left out" not in ran(*evaluated("odd\n")).stderr
    assert "1 document with several classes; name a column" in mistake(*evaluated(["odd", "even"]))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{model}", "--vectors", "{none}"], "vectors"),
        (["{model}", "--topics-alone", "--text", "body"], "--text applies to documents"),
        (["{unknown}", "{texts}"], "is in any of the documents"),
        (["{none}"], "none.json"),
        (["{model}", "--topics-alone", "--classes", "kind"], "--classes compares a model with"),
        (["{unknown}", "{texts}", "--classes", "kind"], "--classes compares a model with"),
    ],
)
def test_mistakes_are_a_line(
    arguments: list[str], message: str, fitted: Path, texts_file: Path, tmp_path: Path
) -> None:
    places = {"model": fitted, "texts": texts_file}
    for name, text in (("none", "nothing"), ("unknown", '[["zebra", "gnu", "okapi"]]')):
        places[name] = tmp_path / f"{name}.json"
        places[name].write_text(text)
    assert message in mistake("evaluate", *(argument.format(**places) for argument in arguments))
