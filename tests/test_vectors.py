"""Vectors of documents: with the words they decide what a document is about, and nothing else."""

import json
import zipfile
from copy import copy
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from hlta import HLTA, Corpus, DocumentsError, FormatError
from hlta.documents.vectors import LENGTH, cosines, read_vectors
from hlta.explorer.container import unpack
from hlta.explorer.page_data import about_documents
from hlta.explorer.page_documents import select_page_documents
from hlta.explorer.serve.keeping import key_of
from hlta.options import LISTED
from hlta.reading.vectors import with_vectors_of
from hlta.topics import vector_learning
from hlta.topics.shares import VECTOR_WORDS, Sharing, given_topics
from hlta.topics.vectors import TopicVectors
from hlta.tree.reshaping import topics_above
from tests.command import mistake, ran, run
from tests.model_files import array_of, change_file
from tests.served import archive_of
from tests.synthetic import in_root_topics
from tests.there import there

TOPIC = np.random.default_rng(0).integers(0, 3, 600)  # of each document of `in_root_topics`
VECTORS = np.eye(3, 8)[TOPIC] + np.random.default_rng(1).normal(0.0, 0.4, (600, 8))


@cache
def corpus() -> Corpus:
    """Documents of three topics, every tenth of which has lost its words."""
    X = in_root_topics(0)
    X[::10] = 0
    words = ["".join("abcdefghij"[int(digit)] for digit in f"{k:03}") for k in range(X.shape[1])]
    return Corpus(X, words, ids=map(str, range(600))).with_vectors(VECTORS)


@cache
def model() -> HLTA:
    return HLTA(samples=20, random_state=0).fit(corpus())


def only_words() -> Corpus:
    whole = corpus()
    return Corpus(whole.documents.with_vectors(None), whole.words, ids=whole.ids)


@cache
def model_of_words() -> HLTA:
    return HLTA(samples=20, random_state=0).fit(only_words())


def vectors_of(model: HLTA) -> TopicVectors:
    counts = there(model.topics_.counts)
    return there(counts.vectors)


def agreement(found: NDArray[Any]) -> float:
    """The share of documents that are on the commonest topic of their kind."""
    return float(np.mean([np.bincount(found[k == TOPIC] + 1).max() for k in range(3)]) / 200)


# ---- the array -------------------------------------------------------------------------------


@given(arrays(np.float64, (5, 7), elements=st.floats(-1e300, 1e300)))
def test_all_vectors_have_the_same_length_and_keep_their_direction(rows: NDArray[Any]) -> None:
    if not np.abs(rows).max(axis=1).all():
        with pytest.raises(DocumentsError, match="holds zeros only"):
            read_vectors(rows, 5)
        return
    scaled = rows / np.abs(rows).max(axis=1, keepdims=True)
    expected = LENGTH * scaled / np.linalg.norm(scaled, axis=1, keepdims=True)
    found = read_vectors(rows, 5)
    np.testing.assert_allclose(found, expected, atol=0.5 + 1e-9)


@pytest.mark.parametrize("dimensions", [1, 3, 384, 4096])
def test_cosines_are_exact_whatever_the_order_of_sums(dimensions: int) -> None:
    rng = np.random.default_rng(dimensions)
    some, others = (read_vectors(rng.normal(size=(n, dimensions)), n) for n in (50, 30))
    whole = some.astype(np.int64) @ others.astype(np.int64).T
    np.testing.assert_array_equal(cosines(some, others), whole / LENGTH**2)


@pytest.mark.parametrize(
    ("vectors", "message"),
    [
        (VECTORS[:-1], "vectors has 599 rows for 600 documents; give one row for each"),
        (VECTORS[:, 0], r"type float64 and shape \(600,\); give one of numbers, with a row per"),
        (np.ma.masked_less(VECTORS, 0.0), "masked numbers; give a whole vector to every"),
        (VECTORS[:, :0], "give at least one dimension"),
        ([["a", "b"]] * 600, "give one of numbers, with a row per document"),
        ([[1.0, 2.0], [3.0]] * 300, "vectors is no array"),
        (np.where(np.arange(600)[:, None] == 7, np.nan, VECTORS), "row 7 .* is not finite"),
        (np.where(np.arange(600)[:, None] == 599, 0, VECTORS), "row 599 .* holds zeros only"),
    ],
)
def test_what_is_no_vector_per_document_is_refused(vectors: Any, message: str) -> None:
    with pytest.raises(DocumentsError, match=message):
        corpus().with_vectors(vectors)


def test_vectors_and_those_of_sections_go_with_their_documents(tmp_path: Path) -> None:
    whole, rows = corpus(), np.array([5, 3, 3, 599])
    expected = read_vectors(VECTORS, 600)
    whole.save(tmp_path / "saved")
    for one in (whole, Corpus.load(tmp_path / "saved")):
        vectors = there(one.documents.vectors)
        np.testing.assert_array_equal(vectors, expected)
        for part, those in (
            (one.take(rows).documents, expected[rows]),
            (one.aligned(one.words[::-1])[10:20], expected[10:20]),
            (next(iter(one.documents.shards(1)[-1:])), expected[-1:]),
        ):
            np.testing.assert_array_equal(there(part.vectors)[-len(those) :], those)
    np.save(tmp_path / "saved" / "vectors.npy", expected[1:])
    with pytest.raises(FormatError, match="vectors does not fit the number of documents"):
        Corpus.load(tmp_path / "saved")
    counts = np.full((3, 40), 30)
    counts[1] = np.arange(40) < 2
    documents = Corpus(counts, [f"w{k}" for k in range(40)]).documents
    expected = read_vectors(VECTORS[:3], 3)
    sectioned = documents.with_vectors(expected)
    assert sectioned.sections is not None
    of_sections = there(sectioned.sections.documents.vectors)
    number = np.repeat([0, 1, 2], np.diff(sectioned.sections.starts))
    np.testing.assert_array_equal(of_sections, expected[number])
    assert len(number) > 3


# ---- what documents are about ----------------------------------------------------------------


def test_vectors_tell_what_documents_are_about_where_words_do_not() -> None:
    assert model().tree_ == model_of_words().tree_
    by_words, by_both = model().predict(only_words()), model().predict(corpus())
    assert (by_words[::10] == -1).all()
    assert (by_both[::10] >= 0).mean() > 0.9
    assert agreement(by_both) > agreement(by_words) + 0.05
    learner = HLTA(samples=20)
    assert agreement(learner.fit_predict(in_root_topics(0), vectors=VECTORS)) > 0.9
    shares = learner.fit_transform(in_root_topics(0), vectors=VECTORS)
    np.testing.assert_array_equal(shares, learner.transform(in_root_topics(0), vectors=VECTORS))


def test_shares_with_vectors_add_up_and_parts_make_them_up() -> None:
    sharing = model().topics_.shares().sharing
    documents = corpus().aligned(model().tree_.words)
    shares, likely = sharing.shares(documents), sharing.of_vectors(documents)
    assert likely is not None
    for above in np.unique(sharing.above).tolist():
        below = sharing.above == above
        for values in (shares, likely):
            whole = values[:, above] if above >= 0 else 1.0
            np.testing.assert_allclose(values[:, below].sum(axis=1), whole, atol=1e-12)
    for k in (0, 1, 17, 300):
        own = shares[k], likely[k], documents[k : k + 1]
        parts = sharing.parts(own[2], own[0])
        total = parts.sum(axis=0) + VECTOR_WORDS * own[1]
        np.testing.assert_allclose(total / (len(parts) + VECTOR_WORDS), own[0], atol=5e-3)
        why = model().why(model().topics_.roots[0], corpus().take([k]))
        assert f"{there(why.vector):.2f} (vector)" in str(why)
        expected = model().transform(corpus().take([k]), topics=model().topics_.roots)[0, 0]
        assert why.share == pytest.approx(expected, abs=5e-3)


def test_words_are_divided_with_the_vector_for_a_prior() -> None:
    """The shares are where the likelihood of words and the vector's words rises no further."""
    sharing = Sharing(model().tree_, model().topics_.counts, [[*latents_of_roots()]])
    documents = corpus().aligned(model().tree_.words)[:40]
    shares, likely = sharing.shares(documents), sharing.of_vectors(documents)
    assert likely is not None
    for k, (own, vector) in enumerate(zip(shares, likely, strict=True)):
        given = given_topics(sharing.codes[documents[k : k + 1].indices])
        count = len(given)
        part = own * (count + VECTOR_WORDS) + sharing.prior
        part /= part.sum()
        gradient = (given / (given @ part)[:, None]).sum(axis=0)
        gradient += (VECTOR_WORDS * vector + sharing.prior) / part
        np.testing.assert_allclose(gradient, count + VECTOR_WORDS + sharing.prior.sum(), rtol=0.02)


def latents_of_roots() -> list[int]:
    names = model().tree_.latent_names
    return [names.index(topic.id) for topic in model().topics_.roots]


def test_the_concentration_predicts_main_topics_by_words_from_the_other_documents_best() -> None:
    tree, counts = model().tree_, model().topics_.counts
    assert counts is not None
    sharing = Sharing.of_tree(tree, counts._replace(vectors=None), 2)
    documents = only_words().aligned(tree.words)
    shares, given = sharing.shares(documents), read_vectors(VECTORS, 600).astype(float)
    counting = np.where(shares >= LISTED, shares, 0.0)
    counting[:, ~vector_learning._lowest(sharing)] = 0.0
    for column in reversed(range(len(sharing.above))):
        if sharing.above[column] >= 0:
            counting[:, sharing.above[column]] += counting[:, column]
    near = np.zeros_like(shares)
    for k in range(600):
        others = np.arange(600) != k
        sums = counting[others].T @ given[others]
        length = np.linalg.norm(sums, axis=1) * np.linalg.norm(given[k])
        near[k] = np.where(length > 1.0, sums @ given[k] / np.maximum(length, 1.0), 0.0)
    rows = np.flatnonzero(documents.lengths)

    def unlikely(concentration: float) -> float:
        total = 0.0
        for row in rows.tolist():
            up = -1
            while len(family := np.flatnonzero(sharing.above == up)):
                weight = sharing.prior[family] * np.exp(concentration * near[row, family])
                up = int(family[shares[row, family].argmax()])
                total += np.log(weight[family == up].sum() / weight.sum())
        return -float(total)

    expected = minimize_scalar(unlikely, bounds=(0, 200), method="bounded").x
    assert vectors_of(model()).concentration == pytest.approx(expected, abs=0.02)
    assert vector_learning._concentration(sharing, shares, -near) == 0.0


def test_threads_and_the_lengths_of_vectors_change_no_bit() -> None:
    scaled = VECTORS * np.exp2(np.arange(600) % 9)[:, None]
    other = HLTA(samples=20, n_jobs=3).fit(only_words(), vectors=scaled)
    found = other.transform(only_words(), vectors=scaled)
    assert found.tobytes() == model().transform(corpus()).tobytes()


# ---- the model -------------------------------------------------------------------------------


def test_a_model_keeps_a_vector_per_topic_in_its_file(tmp_path: Path) -> None:
    model().save(tmp_path / "m.hlta")
    back = HLTA.load(tmp_path / "m.hlta")
    assert back.transform(corpus()).tobytes() == model().transform(corpus()).tobytes()
    assert array_of(tmp_path / "m.hlta", "vectors").shape == (model().tree_.n_latents, 8)
    with zipfile.ZipFile(tmp_path / "m.hlta") as archive:
        assert not [name for name in archive.namelist() if "600" in name]
    change_file(tmp_path / "m.hlta", arrays={"vectors": np.zeros((1, 8), dtype=np.float32)})
    with pytest.raises(FormatError, match="there is not a vector per latent variable"):
        HLTA.load(tmp_path / "m.hlta")


def test_a_merged_topic_has_the_vectors_of_both() -> None:
    edited = copy(model())
    first, second = edited.topics_.roots[:2]
    before = {
        topic.id: vectors_of(edited).centres(edited.tree_, np.array([latent]))[0].astype(float)
        for topic, latent in zip(edited.topics_.roots, latents_of_roots(), strict=True)
    }
    edited.edit.merge(first, second)
    left = {topic.id for topic in edited.topics_.roots} & {first.id, second.id}
    latent = edited.tree_.latent_names.index(left.pop())
    merged = vectors_of(edited).centres(edited.tree_, np.array([latent]))[0]
    between = before[first.id] + before[second.id]  # of about as many documents
    cosine = merged @ between / np.linalg.norm(between) / LENGTH
    assert cosine > 0.95
    assert len(np.unique(edited.predict(corpus()))) == len(before) - 1
    edited.edit.undo()
    assert edited.transform(corpus()).tobytes() == model().transform(corpus()).tobytes()


def test_further_documents_bring_further_vectors() -> None:
    updated = copy(model())
    before = vectors_of(updated).own.copy()
    updated.partial_fit(corpus().take(np.arange(300)))
    added = vectors_of(updated).own - before
    assert np.linalg.norm(added) > 0.2 * np.linalg.norm(before)
    np.testing.assert_allclose(agreement(updated.predict(corpus())), 0.95, atol=0.05)
    updated.partial_fit(only_words())
    np.testing.assert_array_equal(vectors_of(updated).own, before + added)


def test_vectors_of_another_kind_are_refused() -> None:
    other = only_words().with_vectors(VECTORS[:, :5])
    about: dict[str, Any] = {"dates": ["2020", "2021"] * 300, "groups": ["a", "b"] * 300}
    dated = Corpus(other.documents, other.words, **about)
    calls: list[Any] = [model().predict, model().transform, model().partial_fit]
    for call in (*calls, model().topics_.over_time, model().topics_.by_group):
        with pytest.raises(DocumentsError, match="have 5 dimensions, but those"):
            call(dated)
    by_words = model_of_words()
    for call in (by_words.predict, by_words.transform, by_words.partial_fit):
        with pytest.raises(DocumentsError, match="the model goes by words alone; leave it out"):
            call(only_words(), vectors=VECTORS)
    np.testing.assert_array_equal(by_words.predict(corpus()), by_words.predict(only_words()))
    assert not by_words.knows(corpus())[::10].any()
    assert corpus().with_vectors(None).documents.vectors is None


def test_a_new_topic_lies_where_the_one_above_does() -> None:
    tree, vectors = model().tree_, vectors_of(model())
    latents = np.arange(tree.n_latents)
    assert vectors.centres(tree, latents).any(axis=1).all()
    leaf = int(np.flatnonzero(vectors.own.any(axis=1))[0])
    without = vectors.with_own(leaf, np.zeros(8, dtype=np.float32))
    above = int(topics_above(tree)[leaf])
    expected = without.centres(tree, latents[[above]]) if above >= 0 else None
    if expected is None or not expected.any():
        expected = read_vectors(without.own.astype(float).sum(axis=0)[None], 1)
    np.testing.assert_allclose(without.centres(tree, latents[[leaf]]), expected, atol=1)


def test_the_vector_of_a_long_document_counts_as_much_as_that_of_a_short_one() -> None:
    counts = np.zeros((2, len(corpus().words)))
    counts[:, :40] = [[1], [60]]  # the second has sections
    long = Corpus(counts, corpus().words).with_vectors(VECTORS[:2])
    assert long.documents.sections is not None
    root = model().topics_.roots[0]
    for row in (0, 1):
        share = model().transform(long.take([row]), topics=model().topics_.roots)[0, 0]
        assert model().why(root, long.take([row])).share == pytest.approx(share, abs=5e-3)


def test_the_page_and_the_server_have_what_vectors_say_of_topics(tmp_path: Path) -> None:
    tree, topics, documents = model().tree_, model().topics_, corpus()
    sharing = topics.shares().sharing
    with archive_of(tmp_path, tree, topics, documents) as archive:
        block = unpack(archive.document(7))
    expected = there(sharing.vector_codes(documents.aligned(tree.words)[7:8]))
    columns = np.flatnonzero(expected[0])
    np.testing.assert_array_equal(np.cumsum(block.arrays["vectors"]), columns)
    np.testing.assert_array_equal(block.arrays["vectors.code"], expected[0, columns])
    page = about_documents(select_page_documents(tree, topics, documents, None), None, None)
    assert page.arrays["vectors.start"][8] - page.arrays["vectors.start"][7] == len(columns)
    keys = {key_of(tree, topics, one, None) for one in (documents, only_words())}
    assert len(keys) == 2


# ---- files -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("table")
    words = corpus().words
    ids = [f"d{k}" for k in range(200)]
    rows = (" ".join(words[j] for j in np.flatnonzero(row)) for row in in_root_topics(0)[:200])
    lines = [json.dumps({"id": name, "text": row}) for name, row in zip(ids, rows, strict=True)]
    (folder / "documents.jsonl").write_text("\n".join(lines))
    np.save(folder / "v.npy", VECTORS[:200])
    np.savez(folder / "v.npz", vectors=VECTORS[199::-1], ids=np.array(ids[::-1]))
    frame = pl.DataFrame({"id": [*ids, "more"], "embedding": VECTORS[:201].tolist()})
    frame.write_parquet(folder / "v.parquet")
    return folder


def test_files_of_vectors_are_read_alike(table: Path) -> None:
    named = Corpus(
        only_words().documents[:200], only_words().words, ids=[f"d{k}" for k in range(200)]
    )
    expected = read_vectors(VECTORS[:200], 200)
    for name in ("v.npy", "v.npz", "v.parquet"):
        found = there(with_vectors_of(named, table / name).documents.vectors)
        np.testing.assert_array_equal(found, expected)


OTHER_IDS = [f"x{k}" for k in range(600)]
TOO_MANY = b"\x93NUMPY\1\0\x76\0" + (  # rows, for which there is no memory
    b"%-117s\n" % b"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000, 8), }"
)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("v.txt", b"1", "is no file of vectors; save the array as .npy"),
        ("v.npy", b"\x93NUMPY", "is not a whole array of numbers"),
        ("v.npy", TOO_MANY, "is not a whole array of numbers"),
        ("v.npy", VECTORS[:3], "does not fit .* 3 rows for 600 documents"),
        ("v.npz", b"PK", "is damaged"),
        ("v.npz", {"other": VECTORS}, "has none of 'vectors', "),
        ("v.npz", {"vectors": VECTORS, "ids": ["0"]}, "there are 1 for 600 vectors"),
        ("v.npz", {"vectors": VECTORS, "ids": ["0"] * 600}, "'0' is there twice"),
        ("v.npz", {"vectors": VECTORS, "ids": OTHER_IDS}, "document '0', and begin with 'x0'"),
        ("v.npz", {"vectors": np.float64(1.0)}, "are a single value; give a row per document"),
        ("v.npz", {"vectors": VECTORS, "ids": [["0"]] * 600}, "have 2 dimensions; give a list"),
        ("v.parquet", {"vector": [[1.0], [1.0, 2.0]]}, "not hold a list of numbers in each row"),
        ("v.parquet", {"vector": ["a", "b"]}, "does not hold a list of numbers in each row"),
        ("v.parquet", {"vector": [None, [1.0]]}, "no vector in 1 rows; give one to every document"),
        ("v.parquet", {"other": ["a", "b"]}, "has none of 'vectors', "),
    ],
)
def test_a_file_that_is_odd_is_told(tmp_path: Path, name: str, content: Any, message: str) -> None:
    path = tmp_path / name
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif isinstance(content, np.ndarray):
        np.save(path, content)
    elif path.suffix == ".npz":
        np.savez(path, **content)
    else:
        pl.DataFrame(content).write_parquet(path)
    with pytest.raises(DocumentsError, match=message):
        with_vectors_of(only_words(), path)


def test_the_command_takes_vectors_and_says_if_none_come(table: Path, tmp_path: Path) -> None:
    given = table / "documents.jsonl"
    ran("fit", given, "--vectors", table / "v.npz", "-o", tmp_path / "run", "--samples", 1)
    record = json.loads((tmp_path / "run" / "run.json").read_text())
    assert record["read"]["vectors"].endswith("v.npz")
    written = (tmp_path / "run" / "documents.csv").read_text()
    again = run("assign", tmp_path / "run", given, "--vectors", table / "v.npz", "--main", "-q")
    assert again.output == written
    without = run("assign", tmp_path / "run", given, "--main", "-o", tmp_path / "out.csv")
    assert "go by their words alone" in without.output
    ran("fit", given, "-o", tmp_path / "words", "--samples", 1)
    shown = mistake("assign", tmp_path / "words", given, "--vectors", table / "v.npz")
    assert "the model was learned without vectors" in shown
    refused = run("convert", given, tmp_path / "x.npz", "--vectors", table / "v.npy")
    assert "no matrix file holds them" in refused.output
