"""The estimator: scikit-learn's conventions, odd data, the same bits for any number of threads."""

from __future__ import annotations

import io
import signal
import subprocess
import sys
import textwrap
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

import hlta
from hlta import HLTA, Corpus, DocumentsError, FormatError, OptionError, TextMonitor
from tests.synthetic import planted

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def data() -> sparse.csr_array:
    return planted(120, 0).sample(1500, seed=0)


@pytest.fixture(scope="module")
def fitted(data: sparse.csr_array) -> HLTA:
    return HLTA(max_top_topics=5).fit(data, words=[f"word{i}" for i in range(120)])


@parametrize_with_checks([HLTA(), HLTA(em="stepwise", batch_size=5, em_updates=10)])
def test_scikit_learn_conventions(estimator: HLTA, check: Any) -> None:
    if "array_api" in str(check):
        pytest.skip("needs SCIPY_ARRAY_API; kernels take NumPy arrays")
    check(estimator)


def test_what_a_fit_leaves(fitted: HLTA, data: sparse.csr_array) -> None:
    assert fitted.tree_.words[:2] == ("word0", "word1")
    assert len(fitted.topics_.roots) <= 5
    assert fitted.em_ == "batch"
    assert len(fitted.log_likelihoods_) == 50
    assert (np.diff(fitted.log_likelihoods_) >= -1e-9).all()
    assert fitted.score(data) == pytest.approx(fitted.tree_.log_likelihood(data).mean())
    got = fitted.transform(data)
    assert got.shape == (1500, len(fitted.topics_))
    names = fitted.get_feature_names_out().tolist()
    assert names == [topic.id for topic in fitted.topics_]
    latents = [fitted.tree_.names.index(name) - 120 for name in names]
    np.testing.assert_array_equal(got, fitted.tree_.posteriors(data).dense()[:, latents])
    # Sizes are what the model says of the documents it was learned from.
    sizes = [topic.size for topic in fitted.topics_]
    np.testing.assert_allclose(got.mean(axis=0), sizes, atol=0.02)


def test_the_same_seed_gives_the_same_bits_for_any_threads(data: sparse.csr_array) -> None:
    for options in (
        {"em": "batch"},
        {"em": "stepwise", "batch_size": 200, "structure_sample": 600},
    ):
        one = HLTA(n_jobs=1, random_state=3, **options).fit(data)
        three = HLTA(n_jobs=3, random_state=3, **options).fit(data)
        assert one.tree_ == three.tree_
        assert one.transform(data).tobytes() == three.transform(data).tobytes()
    other = HLTA(random_state=4, **options).fit(data)
    assert other.tree_ != one.tree_


def test_random_states(data: sparse.csr_array) -> None:
    options = {"structure_sample": 500, "em_steps": 2}
    state = np.random.RandomState(0)
    first = HLTA(random_state=state, **options).fit(data)
    second = HLTA(random_state=state, **options).fit(data)
    assert first.tree_ != second.tree_
    HLTA(random_state=None, **options).fit(data)
    for odd in (-1, "seed", 2.5):
        with pytest.raises(OptionError, match=r"seed"):
            HLTA(random_state=odd).fit(data)


def test_every_form_of_the_same_documents(data: sparse.csr_array, fitted: HLTA) -> None:
    words = [f"word{i}" for i in range(120)]
    for X in (data.toarray(), data.tocsc(), 3 * data.astype(float), sparse.csr_matrix(data)):
        assert HLTA(max_top_topics=5).fit(X, words=words).tree_ == fitted.tree_
    corpus = Corpus(data, words)
    model = HLTA(max_top_topics=5).fit(corpus)
    assert model.tree_ == fitted.tree_
    turned = Corpus(data[:, ::-1], words[::-1])
    np.testing.assert_array_equal(model.transform(turned), fitted.transform(data))
    with pytest.raises(DocumentsError, match="Corpus names its words itself"):
        HLTA().fit(corpus, words=words)


def test_data_frames_name_their_words(data: sparse.csr_array) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(data.toarray()[:, :30], columns=[f"w{i}" for i in range(30)])
    model = HLTA(em_steps=2).fit(frame)
    assert model.tree_.words[3] == "w3"
    out = model.set_output(transform="pandas").transform(frame)
    assert out.columns.tolist() == model.get_feature_names_out().tolist()


def test_in_a_pipeline_with_clone() -> None:
    texts = ["space nasa orbit"] * 20 + ["hockey team game"] * 20 + ["nasa team"] * 3
    model = make_pipeline(CountVectorizer(), HLTA(em_steps=5))
    assert clone(model).fit_transform(texts).shape[0] == 43
    assert clone(HLTA(max_top_topics=3)).max_top_topics == 3


def test_columns_of_texts_from_anywhere() -> None:
    texts = [f"{a} team" for a in ("space nasa orbit", "hockey game puck", "nasa orbit")] * 9
    model = HLTA(em_steps=5).fit(texts)
    expected = model.transform(texts)
    columns = [np.array(texts), iter(texts), tuple(texts)]
    columns.extend(pytest.importorskip(name).Series(texts) for name in ("pandas", "polars"))
    for column in columns:
        again = clone(model).fit(column)
        np.testing.assert_array_equal(again.transform(texts), expected)
    np.testing.assert_array_equal(model.transform(columns[-1]), expected)
    np.testing.assert_array_equal(model.transform(iter(texts)), expected)


def test_options_are_obeyed(data: sparse.csr_array) -> None:
    small = HLTA(max_island_size=4, em_steps=1, refine=False).fit(data)
    assert max(len(c) for c in small.tree_.children) <= 4 + 1 + 3  # bridges at the top, one orphan
    one_level = HLTA(max_top_topics=120, em_steps=3).fit(data)
    assert len(one_level.tree_.levels) == 2
    assert len(one_level.log_likelihoods_) == 3
    strict = HLTA(ud_threshold=1e9, em_steps=1).fit(data)
    assert strict.tree_.n_latents < one_level.tree_.n_latents
    refined = HLTA(max_top_topics=5).fit(data)
    assert refined.score(data) > HLTA(max_top_topics=5, refine=False).fit(data).score(data)
    with pytest.raises(OptionError, match="refine='yes'"):
        HLTA(refine="yes").fit(data)
    pairs = HLTA(lowest_level=1, n_keywords=None, em_steps=1, max_top_topics=5).fit(data)
    assert len(pairs.topics_) == pairs.tree_.n_latents
    sampled = HLTA(structure_sample=300, em_steps=1).fit(data)
    assert sampled.tree_ != HLTA(structure_sample=None, em_steps=1).fit(data).tree_
    stepwise = HLTA(em="stepwise", em_updates=7, batch_size=100).fit(data)
    assert stepwise.em_ == "stepwise"
    assert len(stepwise.log_likelihoods_) == 7


def test_auto_chooses_by_size_and_says_so(
    data: sparse.csr_array, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = io.StringIO()
    monitor = TextMonitor(stream)
    assert HLTA(em_steps=1, progress=monitor).fit(data).em_ == "batch"
    assert 'em="auto": batch EM' in stream.getvalue()
    assert "level 1: pairs (120)" in stream.getvalue()
    monkeypatch.setattr("hlta.algorithm.hlta.AUTO_PRESENCES", 100)
    model = HLTA(em_updates=3, batch_size=100, progress=monitor).fit(data)
    assert model.em_ == "stepwise"
    assert "(batch up to 100)" in stream.getvalue()


def test_round_trip(fitted: HLTA, data: sparse.csr_array, tmp_path: Path) -> None:
    path = tmp_path / "model.hlta"
    fitted.save(path)
    back = hlta.load(path)
    assert isinstance(back, HLTA)
    assert back.get_params() == fitted.get_params()
    assert back.tree_ == fitted.tree_
    assert back.em_ == fitted.em_
    np.testing.assert_array_equal(back.log_likelihoods_, fitted.log_likelihoods_)
    assert str(back.topics_) == str(fitted.topics_)
    np.testing.assert_array_equal(back.transform(data), fitted.transform(data))
    with pytest.raises(FormatError, match=r"'estimator', not a latent tree; use hlta\.load"):
        hlta.LatentTree.load(path)
    with pytest.raises(NotFittedError):
        HLTA().save(path)


def test_narrow_topics_have_only_documents_with_their_words(
    fitted: HLTA, data: sparse.csr_array
) -> None:
    narrow = fitted.narrow_topics(data)
    assert narrow.ids == tuple(fitted.get_feature_names_out())
    assert ((narrow.sizes > 0.0) & (narrow.sizes < 1.0)).all()
    assert (narrow.elsewhere < 0.5).all()
    # A broad topic has documents without any of its words, on it because of others.
    broad = fitted.assign(data)
    without_words = (narrow.memberships != 0).toarray() < (broad != 0).toarray()
    assert without_words.any()


# ---- bad input -----------------------------------------------------------------------------------


def odd_data() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    noise = (rng.random((60, 25)) < 0.5).astype(int)
    constant = noise.copy()
    constant[:, :5], constant[:, 5:9] = 1, 0
    doubled = np.concatenate((noise[:, :6], noise[:, :6], noise[:, :6]), axis=1)
    empty = noise.copy()
    empty[::2] = 0
    return {
        "constant columns": constant,
        "all constant": np.ones((20, 8), dtype=int),
        "nothing present": np.zeros((20, 8), dtype=int),
        "empty documents": empty,
        "identical documents": np.tile(noise[0], (30, 1)),
        "two words": noise[:, :2],
        "three words": noise[:, :3],
        "four words": noise[:, :4],
        "two documents": noise[:2],
        "duplicated columns": doubled,
        "no structure": (rng.random((500, 60)) < 0.5).astype(int),
        "more words than documents": (rng.random((10, 300)) < 0.1).astype(int),
        "complements": np.concatenate((noise[:, :5], 1 - noise[:, :5]), axis=1),
    }


@pytest.mark.parametrize("name", odd_data())
@pytest.mark.parametrize("em", ["batch", "stepwise"])
def test_odd_data_gives_a_sensible_model(name: str, em: str) -> None:
    X = odd_data()[name]
    model = HLTA(em=em, em_updates=20, batch_size=10, max_top_topics=2).fit(X)
    tree = model.tree_
    assert np.isfinite(model.score_samples(X)).all()
    got = model.transform(X)
    assert np.isfinite(got).all()
    assert ((got >= 0.0) & (got <= 1.0)).all()
    assert len(str(model.topics_).splitlines()) == len(model.topics_) >= 1
    children = [len(tree.children[v]) for v in range(tree.n_words, tree.n_nodes)]
    assert min(children) >= 2
    # No worse than taking words for independent.
    p = np.clip(X.mean(axis=0), 1e-3, 1 - 1e-3)
    independent = (X * np.log(p) + (1 - X) * np.log(1 - p)).sum(axis=1).mean()
    assert model.score(X) >= independent - 0.1 * abs(independent) - 0.1


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.ones((1, 10)), "1 sample"),
        (np.ones((10, 1)), "1 feature"),
        (np.ones((0, 10)), "0 sample"),
        (-np.ones((5, 5)), "Negative values"),
        (np.full((5, 5), np.nan), "NaN"),
        ("some raw text", "a single string"),
        (["so it is", "or is it"], "0 of 0 words are left"),
        (np.ones(5), "1D array"),
        (Corpus(np.ones((1, 3)), list("abc")), "1 document"),
        (Corpus(np.ones((3, 1)), ["a"]), "1 word"),
    ],
)
def test_hopeless_data_is_refused(X: Any, message: str) -> None:
    with pytest.raises(DocumentsError, match=message):
        HLTA().fit(X)


def test_mistakes_are_named(fitted: HLTA, data: sparse.csr_array) -> None:
    with pytest.raises(DocumentsError, match="3 entries for 120 columns"):
        HLTA().fit(data, words=["a", "b", "c"])
    with pytest.raises(DocumentsError, match="120"):
        fitted.transform(data[:, :50])
    with pytest.raises(OptionError, match="em='fast'"):
        HLTA(em="fast").fit(data)
    with pytest.raises(OptionError, match="n_jobs=0"):
        HLTA(n_jobs=0).fit(data)
    with pytest.raises(OptionError, match="progress=3"):
        HLTA(progress=3).fit(data)
    with pytest.raises(NotFittedError):
        HLTA().transform(data)


def test_interrupted_it_leaves_a_usable_process_and_no_file(tmp_path: Path) -> None:
    code = textwrap.dedent("""
        import os, signal, sys, threading
        import numpy as np
        from hlta import HLTA, Monitor

        class Interrupting(Monitor):
            def begin(self, name, total):
                if name == sys.argv[1]:
                    os.kill(os.getpid(), signal.SIGINT)

        X = (np.random.default_rng(0).random((300, 80)) < 0.2).astype(int)
        try:
            HLTA(progress=Interrupting(), max_top_topics=2).fit(X).save(sys.argv[2])
        except KeyboardInterrupt:
            print("interrupted")
        HLTA(em_steps=2).fit(X)
        print("usable", threading.active_count() < 10)
    """)
    for stage in ("pairs", "islands", "bridges", "assignment", "batch EM"):
        done = subprocess.run(
            [sys.executable, "-c", code, stage, str(tmp_path / "model.hlta")],
            capture_output=True,
            text=True,
            check=True,
            timeout=100,
        )
        assert done.stdout.split() == ["interrupted", "usable", "True"], stage
    assert not list(tmp_path.iterdir())
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_columns_that_avoid_each_other_are_noticed(data: sparse.csr_array) -> None:
    turned = data.toarray()
    turned[:, ::2] = 1 - turned[:, ::2]
    stream = io.StringIO()
    model = HLTA(progress=TextMonitor(stream), em_steps=2).fit(turned)
    assert 'association="auto": "any", as' in stream.getvalue()
    assert model.tree_ == HLTA(association="any", em_steps=2).fit(turned).tree_
    assert model.tree_ != HLTA(association="positive", em_steps=2).fit(turned).tree_
    positive = HLTA(association="positive", em_steps=2).fit(data)
    assert positive.tree_ == HLTA(em_steps=2).fit(data).tree_
