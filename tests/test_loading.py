"""Every loader reads what its `save` wrote, refuses what was tampered with, and knows files of hlta."""

import io
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hlta
from hlta import HLTA, Corpus, FormatError, LatentTree, load
from hlta._support.formats import is_ours
from hlta._support.writing import check_unlocked, drafting
from tests.model_files import array_of, change_file, header_of
from tests.strategies import random_tree
from tests.synthetic import planted

TREE = random_tree(0, 20, 4)
DAMAGED = pytest.raises(FormatError, match=r"model\.hlta is damaged")


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one file or folder of each kind."""
    folder = tmp_path_factory.mktemp("saved")
    documents = TREE.sample(300, seed=0)
    TREE.save(folder / "tree.hlta")
    HLTA(em_steps=1, refine=False).fit(documents).save(folder / "model.hlta")
    Corpus(documents, TREE.words).save(folder / "corpus")
    return folder


@pytest.fixture
def fitted_folder(saved: Path, tmp_path: Path) -> Path:
    """A folder with a model in it, as `hlta fit` writes it."""
    shutil.copy(saved / "model.hlta", tmp_path)
    return tmp_path


def test_load_reads_every_kind(saved: Path, fitted_folder: Path) -> None:
    assert hlta.load(saved / "tree.hlta") == hlta.load(str(saved / "tree.hlta")) == TREE
    assert isinstance(hlta.load(saved / "corpus"), Corpus)
    for path in (saved / "model.hlta", fitted_folder):
        assert isinstance(hlta.load(path), HLTA)


def test_anything_else_is_refused_with_the_right_loader_or_is_missing(
    saved: Path, tmp_path: Path
) -> None:
    refusals: list[tuple[Callable[[Path], object], str, str]] = [
        (HLTA.load, "tree.hlta", "of kind 'latent-tree', not a fitted model; .* LatentTree.load"),
        (LatentTree.load, "model.hlta", "is of kind 'estimator', not a latent tree; .* HLTA.load"),
        (HLTA.load, "corpus", r"corpus holds a corpus, not a fitted model; .*Corpus"),
    ]
    for loader, name, message in refusals:
        with pytest.raises(FormatError, match=message):
            loader(saved / name)
    with pytest.raises(FormatError, match=r"holds no fitted model: it has no model\.hlta"):
        HLTA.load(tmp_path)
    with pytest.raises(FileNotFoundError):
        HLTA.load(tmp_path / "nothing.hlta")


def test_a_model_is_loaded_whose_run_was_killed_meanwhile(fitted_folder: Path, saved: Path) -> None:
    with drafting(fitted_folder / "model.hlta") as draft:
        pass
    (draft / "moving").mkdir(parents=True)
    shutil.copy(saved / "tree.hlta", draft / "moving" / "model.hlta")
    (draft / "moving" / "topics.json").write_text('{"format": "hlta-topics"}')
    before = sorted(fitted_folder.rglob("*"))
    assert isinstance(hlta.load(fitted_folder), HLTA)  # the old one, as it is moved last
    assert sorted(fitted_folder.rglob("*")) == before
    check_unlocked(fitted_folder / "model.hlta")  # as the next run that writes it does
    assert hlta.load(fitted_folder) == TREE
    assert {path.name for path in fitted_folder.iterdir()} == {"model.hlta", "topics.json"}


# ---- what hlta writes is recognised by its content, and nothing else is --------------------------


def test_every_file_of_a_run_and_of_a_corpus_is_ours(fitted: Path, tmp_path: Path) -> None:
    texts, dates = ["deep net", "deep sea", "a net in the deep sea"], ["2001", "2002", ""]
    about: dict[str, Any] = {"ids": texts, "titles": texts, "dates": dates, "groups": texts}
    Corpus.from_texts(texts, min_df=1, ngrams=2, **about).save(tmp_path / "corpus")
    for folder, least in ((fitted, 7), (tmp_path / "corpus", 13)):
        files = list(folder.iterdir())
        assert len(files) >= least
        assert [file.name for file in files if not is_ours(file)] == []


def test_tables_that_people_edit_or_that_are_older_are_ours(fitted: Path, tmp_path: Path) -> None:
    text = (fitted / "topics.csv").read_text()
    tables = [
        ("topics.csv", "\ufeff" + text),  # as another program saves it
        ("topics.csv", text.replace(",", ";")),
        ("topics.csv", text.replace("id,level", '"id","level"')),
        ("documents.csv", "document,topic_3,title_3,share_3,topic_2,title_2,share_2\n"),
        ("documents.csv", "document,topic,title,share\r\n"),  # of a flat list of topics
        ("documents.csv", "document,topic,level,probability\n"),  # of an earlier version
        ("shares.csv", "document,topic,title,level,share\n"),
    ]
    for name, content in tables:
        (tmp_path / name).write_bytes(content.encode())
        assert is_ours(tmp_path / name)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("index.html", "<!doctype html><title>My page</title>"),
        ("topics.json", '{"topics": []}'),
        ("topics.csv", "id,price\n1,2\n"),
        ("documents.csv", "document,topic\n"),
        ("shares.csv", "document,topic,title,share\n"),
        ("run.json", '{"speed": 3}'),
        ("corpus.json", '{"format": "other"}'),
        ("model.hlta", "a text"),
        ("00000.indices.npy", "a text"),
    ],
)
def test_files_of_others_are_not_ours(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    assert not is_ours(tmp_path / name)


def test_neither_are_folders_links_or_other_names(fitted: Path, tmp_path: Path) -> None:
    (tmp_path / "run.json").mkdir()
    (tmp_path / "model.hlta").symlink_to(fitted / "model.hlta")
    (tmp_path / "my.hlta").write_bytes((fitted / "model.hlta").read_bytes())
    (tmp_path / "my.npy").write_bytes(b"\x93NUMPY")
    assert not any(is_ours(path) for path in tmp_path.iterdir())


def test_little_of_a_file_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "index.html").write_text("<!doctype html>" + "x" * 10_000)
    read = list[int]()

    class File(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            read.append(size or 0)
            return b""

    monkeypatch.setattr("pathlib.Path.open", lambda *_: File())
    assert not is_ours(tmp_path / "index.html")
    assert read == [4096]


# ---- fitted models -------------------------------------------------------------------------------


X = planted(12, seed=1).sample(200, seed=2)


def loaded(path: Path) -> HLTA:
    model = load(path)
    assert isinstance(model, HLTA)
    return model


def test_a_model_is_the_same_after_a_round_trip(tmp_path: Path) -> None:
    model = HLTA(em_steps=2, max_top_topics=5).fit(X, words=[f"word{k}" for k in range(12)])
    model.save(tmp_path / "model.hlta")
    back = loaded(tmp_path / "model.hlta")
    assert back.get_params() == model.get_params()
    assert back.tree_ == model.tree_
    assert back.em_ == model.em_
    np.testing.assert_array_equal(back.log_likelihoods_, model.log_likelihoods_)
    assert str(back.topics_) == str(model.topics_)
    assert back.topics_.to_dict() == model.topics_.to_dict()
    assert {"stability", "contrast"} <= back.topics_.roots[0].to_dict().keys()
    assert back.topics_.roots[0].keywords[0].stability is not None
    for kind in ("share", "probability", "evidence"):
        found, expected = (one.transform(X, kind=kind) for one in (back, model))
        np.testing.assert_array_equal(found, expected)
    assert back.main_table(X).equals(model.main_table(X))


def test_parameters_of_numpy_become_plain_ones(tmp_path: Path) -> None:
    model = HLTA(em_steps=2, random_state=np.random.RandomState(0))
    model.set_params(max_top_topics=np.int64(3)).fit(X).save(tmp_path / "model.hlta")
    parameters = loaded(tmp_path / "model.hlta").get_params()
    assert (parameters["max_top_topics"], type(parameters["max_top_topics"])) == (3, int)
    assert parameters["random_state"] is None  # the state of a generator is not kept


@pytest.mark.parametrize(
    "changes",
    [
        {"em": None, "log_likelihoods": "none"},
        {"titles": ["a"]},
        {"titles": {"Z1-1": 3}},
        {"text": {"n_words": -1}},
        {"text": []},
        {"options": None},
        {"counted": {}},
        {"sizes": "none"},
        {"counts": 5},
        {"counts": {"documents": [1.0], "length": 3.0}},
        {"counts": {"length": 3.0}},
        {"contrast": []},
        {"word_stability": [[0.5]]},
        {"contrast": [None] * TREE.n_words},
    ],
)
def test_a_header_that_was_changed_is_refused(fitted_folder: Path, changes: dict[str, Any]) -> None:
    change_file(fitted_folder / "model.hlta", changes)
    with DAMAGED:
        load(fitted_folder)


def test_counts_that_were_tampered_with_are_refused(saved: Path, tmp_path: Path) -> None:
    path = tmp_path / "model.hlta"
    fractions = array_of(saved / "model.hlta", "counts").astype(float)
    changes: list[Any] = [{"arrays": {"counts": fractions}}, {"without": {"counts_words"}}]
    for change in changes:
        shutil.copy(saved / "model.hlta", path)
        change_file(path, **change)
        with DAMAGED:
            load(path)


def test_a_file_of_an_earlier_version_is_read_counted_and_updated(tmp_path: Path) -> None:
    """With what that knew of documents: other numbers, and corrections."""
    path = tmp_path / "model.hlta"
    model = HLTA(em_steps=2, samples=1).fit(X)
    first = model.topics_.roots[0]
    model.edit.rename(first, "Mine")
    model.save(path)
    on = [150] * model.tree_.n_latents
    change_file(
        path,
        {"documents": on, "corrections": [0], "counted": on},
        {"corrections": np.zeros((1, X.shape[1]), dtype=np.int8)},
        without={"sizes", "counts", "counts_indptr", "counts_words"},
    )
    model = loaded(path)
    assert model.topics_[first.id].title == "Mine"
    for topic in model.topics_:
        assert topic.documents is topic.main_documents is None
        node = model.tree_.names.index(topic.id)
        assert topic.size == model.tree_.marginals[node]  # P(topic)
    shares = model.transform(X, topics=model.topics_.roots)
    np.testing.assert_allclose(shares.sum(axis=1), model.knows(X))
    assert all(topic.documents is None for topic in loaded(path).partial_fit(X).topics_)
    model.edit.recount(X)
    shares = model.transform(X)
    counted = (shares >= 0.2).sum(axis=0).tolist()
    assert [topic.documents for topic in model.topics_] == counted
    np.testing.assert_allclose([topic.size for topic in model.topics_], shares.mean(axis=0))
    model.save(path)
    again = loaded(path)
    assert [topic.documents for topic in again.topics_] == counted
    assert not {"documents", "corrections"} & header_of(path).keys()
    again.partial_fit(X)
    new = (again.transform(X) >= 0.2).sum(axis=0).tolist()
    both = [before + after for before, after in zip(counted, new, strict=True)]
    assert [topic.documents for topic in again.topics_] == both
