"""Files that an earlier version wrote: every later version reads the same from them.

`tests/frozen/README.md` says what the files are, and why they are never written anew.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array, load_npz
from typer.testing import CliRunner

import hlta
from hlta import HLTA, ClippedProbabilityWarning, Corpus, LatentTree, TextOptions, read_corpus
from hlta.cli import app
from hlta.evaluate import read_word_lists
from hlta.tree.model_file import VERSION
from tests.model_files import header_of

FROZEN = Path(__file__).parent / "frozen"
EXPECTED: dict[str, Any] = json.loads((FROZEN / "expected.json").read_text(encoding="utf-8"))
EVERY_WORD: dict[str, Any] = {"stop_words": None, "min_df": 1, "max_df": 1.0, "keep_style": True}


def dense(presences: list[list[int]], n_words: int) -> np.ndarray[Any, np.dtype[np.int8]]:
    """Rows of zeros and ones from the word numbers of each document."""
    X = np.zeros((len(presences), n_words), dtype=np.int8)
    for row, words in enumerate(presences):
        X[row, words] = 1
    return X


def check_arrays(tree: LatentTree, expected: dict[str, Any]) -> None:
    """The words, the structure and the parameters of a tree, bit for bit."""
    assert tree.words == tuple(expected["words"])
    assert tree.latent_names == tuple(expected["latent_names"])
    assert tree.parent.tolist() == expected["parent"]
    assert tree.level.tolist() == expected["level"]
    assert tree.probability.tolist() == expected["probability"]


def check_inference(tree: LatentTree, expected: dict[str, Any]) -> None:
    """What a tree says of a few documents."""
    X = dense(expected["documents"], tree.n_words)
    np.testing.assert_allclose(tree.log_likelihood(X), expected["log_likelihood"], rtol=1e-12)
    np.testing.assert_allclose(tree.posteriors(X).dense(), expected["posteriors"], rtol=1e-12)


@pytest.fixture
def model() -> HLTA:
    found = hlta.load(FROZEN / "model.hlta")
    assert isinstance(found, HLTA)
    return found


@pytest.mark.parametrize("name", ["tree", "irregular"])
def test_a_tree_of_version_1_is_read_and_saved_anew(name: str, tmp_path: Path) -> None:
    assert header_of(FROZEN / f"{name}.hlta")["version"] == 1
    tree = hlta.load(FROZEN / f"{name}.hlta")
    assert isinstance(tree, LatentTree)
    check_arrays(tree, EXPECTED[name])
    check_inference(tree, EXPECTED[name])
    assert tree.parameters.is_binary
    assert LatentTree.from_bif(FROZEN / f"{name}.bif", allow_irregular=name == "irregular") == tree
    tree.save(tmp_path / "again.hlta")
    assert header_of(tmp_path / "again.hlta")["version"] == VERSION
    assert LatentTree.load(tmp_path / "again.hlta") == tree


def test_bif_of_the_authors_program() -> None:
    with pytest.warns(ClippedProbabilityWarning, match=r"authors\.bif"):
        tree = LatentTree.from_bif(FROZEN / "authors.bif")
    check_arrays(tree, EXPECTED["authors"])
    check_inference(tree, EXPECTED["authors"])


def test_model(model: HLTA) -> None:
    expected = EXPECTED["model"]
    check_arrays(model.tree_, EXPECTED["tree"])
    # Choices that came later.
    since = {"states": None, "samples": HLTA().samples}
    later = dict.fromkeys(("n_topics", "text", "seeds", "apart", "checkpoint", "client"))
    kept = expected["parameters"] | since | later | {"progress": False}
    assert model.get_params() == kept
    assert model.em_ == expected["em"]
    assert model.log_likelihoods_.tolist() == expected["log_likelihoods"]
    assert model.text_options_ == TextOptions(**expected["text_options"])
    assert {topic.id for topic in model.topics_} == set(expected["topics"])


def test_model_reads_new_texts(model: HLTA) -> None:
    expected, texts = EXPECTED["model"], EXPECTED["model"]["texts"]
    np.testing.assert_allclose(model.score_samples(texts), expected["score_samples"], rtol=1e-12)
    column = [expected["topics"].index(topic.id) for topic in model.topics_]
    transformed = np.array(expected["transform"])[:, column]
    found = model.transform(texts, kind="probability")  # which was the only kind
    np.testing.assert_allclose(found, transformed, rtol=1e-12)
    shares = model.transform(texts, topics=model.topics_.roots)
    np.testing.assert_allclose(shares.sum(axis=1), model.knows(texts).astype(float))


def test_topics(model: HLTA, tmp_path: Path) -> None:
    """`topics.json` as it would be written today, but for titles, order and the last digits."""

    def close(values: dict[str, Any]) -> dict[str, Any]:
        return {
            k: pytest.approx(v, rel=1e-12) if isinstance(v, float) else v for k, v in values.items()
        }

    def by_id(topics: list[dict[str, Any]]) -> dict[str, Any]:
        for topic in topics:
            topic.pop("title", None)
        return {topic["id"]: {**topic, "children": by_id(topic["children"])} for topic in topics}

    model.topics_.to_json(tmp_path / "topics.json")
    written = json.loads((tmp_path / "topics.json").read_text(encoding="utf-8"))
    frozen = json.loads((FROZEN / "topics.json").read_text(encoding="utf-8"), object_hook=close)
    assert by_id(written.pop("topics")) == by_id(frozen.pop("topics"))
    assert written == frozen


def test_topics_as_word_lists(model: HLTA) -> None:
    lists = read_word_lists(FROZEN / "topics.json")
    found = sorted((list(one.words), one.level) for one in lists)
    assert found == sorted((topic.words, topic.level) for topic in model.topics_)


def test_corpus() -> None:
    loaded, expected = hlta.load(FROZEN / "corpus"), EXPECTED["corpus"]
    assert isinstance(loaded, Corpus)
    corpus: Corpus = loaded
    assert corpus.words == tuple(expected["words"])
    assert corpus.text_options == TextOptions(**expected["text_options"])
    X = dense(expected["documents"], len(corpus.words))
    np.testing.assert_array_equal(corpus.documents.to_csr().toarray(), X)
    for name in ("ids", "titles", "dates", "groups", "texts"):
        assert list(getattr(corpus, name)) == expected[name], name


def converted(name: str, target: Path) -> csr_array:
    """A frozen matrix with its counts, which `hlta convert` keeps."""
    options = ["--stop-words", "none", "--min-df", "1", "--max-df", "1.0", "--keep-style"]
    done = CliRunner().invoke(app, ["convert", str(FROZEN / name), str(target), *options])
    assert done.exit_code == 0, done.output
    return csr_array(load_npz(target))


@pytest.mark.parametrize("name", ["docword.counts.txt", "counts.ldac", "counts.npz", "market.mtx"])
def test_matrix(name: str, tmp_path: Path) -> None:
    """All words that documents have are kept on request."""
    counts, words = np.array(EXPECTED["counts"]["matrix"]), EXPECTED["counts"]["words"]
    known = np.flatnonzero(counts.any(axis=0))
    counts, words = counts[:, known], [words[k] for k in known]
    corpus = read_corpus(FROZEN / name, **EVERY_WORD)
    assert corpus.words == tuple(words)
    np.testing.assert_array_equal(corpus.documents.to_csr().toarray(), counts > 0)
    np.testing.assert_array_equal(converted(name, tmp_path / "again.npz").toarray(), counts)


def test_tuples() -> None:
    """Tuples know neither counts nor words that no document has."""
    words, counts = EXPECTED["counts"]["words"], np.array(EXPECTED["counts"]["matrix"])
    corpus = read_corpus(FROZEN / "counts.sparse.txt", **EVERY_WORD)
    assert set(words) - set(corpus.words) == {"never"}
    column = [words.index(word) for word in corpus.words]
    np.testing.assert_array_equal(corpus.documents.to_csr().toarray(), counts[:, column] > 0)
    assert corpus.ids is not None
    assert list(corpus.ids) == ["0", "1", "2"]
