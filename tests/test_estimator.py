"""`HLTA`: scikit-learn's conventions, what a fit leaves, and what each parameter does."""

import copy
import dataclasses
import inspect
import io
import pickle
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import parametrize_with_checks

from hlta import HLTA, OptionError, TextMonitor
from hlta.estimator import face
from hlta.learning import grouping
from hlta.options import EMOptions, StructureOptions
from hlta.topics.nodes import topic_nodes
from hlta.topics.shares import evidence_for
from tests.synthetic import planted

STAGES = (StructureOptions, EMOptions)
OPTIONS = [field.name for stage in STAGES for field in dataclasses.fields(stage)]


@pytest.fixture(scope="module", name="X")
def documents() -> csr_array:
    return planted(120, 0).sample(1500, seed=0)


@pytest.fixture(scope="module")
def model(X: csr_array) -> HLTA:
    return fit(X, max_top_topics=5)


def fit(X: csr_array, **options: Any) -> HLTA:
    """A model of three votes, after one step of EM."""
    return HLTA(**({"em_steps": 1, "samples": 3} | options)).fit(X)


@pytest.mark.filterwarnings("ignore:X holds numbers that are not whole")
@parametrize_with_checks([HLTA()])  # type: ignore[untyped-decorator]  # it has no annotations
def test_scikit_learn_conventions(estimator: HLTA, check: Any) -> None:
    if "array_api" in str(check):
        pytest.skip("needs SCIPY_ARRAY_API; kernels take NumPy arrays")
    check(estimator)


def test_transform_gives_the_posteriors_of_the_topics_on_request(model: HLTA, X: csr_array) -> None:
    every, some = list(model.topics_), model.topics_.roots[::-1]
    for asked, topics in ((None, every), (some, some)):
        latents = [model.tree_.names.index(topic.id) - 120 for topic in topics]
        expected = model.tree_.posteriors(X).dense()[:, latents]
        found = model.transform(X, kind="probability", topics=asked)
        np.testing.assert_array_equal(found, expected)


def test_evidence_is_the_sum_of_what_words_say(model: HLTA, X: csr_array) -> None:
    """Of how much likelier each word is in documents about the topic than in all, in nats."""
    nodes = topic_nodes(model.tree_, model.topics_)
    nats = evidence_for(model.tree_, model.topics_.counts, nodes - model.tree_.n_words).words
    for k in range(0, X.shape[0], 100):
        expected = sum(nats[word] for word in X[[k]].indices) + np.zeros(len(nodes))
        found = model.transform(X[[k]], kind="evidence")[0]
        np.testing.assert_allclose(found, expected, atol=1e-9)
    nothing = model.transform(np.zeros((1, 120)), kind="evidence")
    assert not nothing.any()


def test_what_no_estimator_can_do_is_refused(model: HLTA, X: csr_array, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="kind='odds': use one of 'share', 'probability', 'evid"):
        model.transform(X, kind="odds")
    with pytest.raises(NotFittedError):  # as its other methods do, by the conventions above
        HLTA().save(tmp_path / "model.hlta")


@pytest.mark.parametrize("stage", STAGES)
def test_every_option_is_a_parameter_with_the_same_default(stage: Any) -> None:
    defaults = {field.name: field.default for field in dataclasses.fields(stage)}
    parameters = inspect.signature(HLTA).parameters
    assert {name: parameters[name].default for name in defaults} == defaults


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        *((name, "strange", f"{name}='strange'") for name in OPTIONS),
        ("n_jobs", 0, "n_jobs=0"),
        ("lowest_level", 0, "lowest_level=0: use a whole number, 1 or more"),
        ("n_keywords", 0, "n_keywords=0"),
        ("progress", 3, "progress=3"),
        ("random_state", -1, "random_state=-1: use a seed"),
        ("random_state", np.random.default_rng(0), "use a seed of 0 or more, or a RandomState"),
        ("random_state", "seed", "seed"),
        ("random_state", 2.5, "seed"),
    ],
)
def test_parameters_are_checked_by_a_fit(X: csr_array, name: str, value: Any, message: str) -> None:
    options: dict[str, Any] = {name: value}
    with pytest.raises(OptionError, match=message):
        HLTA(**options).fit(X)


def test_votes_make_a_better_model() -> None:
    documents = planted(120, 2).sample(900, seed=2)
    voted, single = (HLTA(refine=refine).fit(documents[:500]) for refine in (True, False))
    assert voted.score(documents[500:]) > single.score(documents[500:]) + 0.05


def test_the_structure_is_learned_from_a_sample(X: csr_array) -> None:
    sampled, whole = fit(X, structure_sample=300), fit(X, structure_sample=None)
    assert sampled.tree_ != whole.tree_
    assert whole.tree_ == fit(X, structure_sample=1500).tree_


def test_em_takes_the_steps_asked_for_and_large_data_have_stepwise_em(
    X: csr_array, monkeypatch: pytest.MonkeyPatch
) -> None:
    few: dict[str, Any] = {"em_steps": 3, "em_updates": 7, "batch_size": 100}
    for em, steps in (("batch", 3), ("stepwise", 7)):
        model = fit(X, em=em, **few)
        assert (model.em_, len(model.log_likelihoods_)) == (em, steps)
    report = io.StringIO()
    assert fit(X, samples="auto", progress=TextMonitor(report)).em_ == "batch"
    assert "fitting probabilities (1)" in report.getvalue()
    assert 'em="auto"' not in report.getvalue()
    assert "learning trees from samples of the documents (12)" in report.getvalue()
    monkeypatch.setattr("hlta.learning.recipe.AUTO_PRESENCES", 100)
    assert fit(X, **few, progress=TextMonitor(report)).em_ == "stepwise"
    assert "(batch up to 100)" in report.getvalue()


def test_words_that_avoid_each_other_are_noticed(X: csr_array) -> None:
    turned = X.toarray()
    turned[:, ::2] = 1 - turned[:, ::2]
    report = io.StringIO()
    auto = fit(turned, progress=TextMonitor(report))
    assert 'association="auto" chose "any": ' in report.getvalue()
    assert auto.tree_ == fit(turned, association="any").tree_
    assert auto.tree_ != fit(turned, association="positive").tree_
    assert fit(X).tree_ == fit(X, association="positive").tree_  # words of text do not


def test_level_1_and_all_keywords_are_shown_on_request(X: csr_array) -> None:
    model = fit(X, lowest_level=1, n_keywords=None, max_top_topics=5)
    every = {topic.id for level in (1, 2, 3) for topic in model.topics_.level(level)}
    assert every == set(model.tree_.latent_names)
    assert {word for root in model.topics_.roots for word in root.words} == set(model.tree_.words)


def test_any_number_of_threads_gives_the_same_bits(X: csr_array) -> None:
    one, three = (fit(X, n_jobs=n_jobs, samples=7, em_steps=3) for n_jobs in (1, 3))
    assert one.tree_ == three.tree_
    assert one.transform(X).tobytes() == three.transform(X).tobytes()


def test_another_seed_a_state_that_moved_on_and_no_seed_give_other_models(X: csr_array) -> None:
    state = np.random.RandomState(0)
    seeds = (3, 4, state, state, None)
    trees = [fit(X, structure_sample=500, random_state=seed).tree_ for seed in seeds]
    assert all(one != other for one, other in combinations(trees, 2))


def test_a_failed_fit_leaves_the_model_as_it_was(X: csr_array) -> None:
    def fail(*_: object, **__: object) -> None:
        raise MemoryError

    model = fit(X, samples=1)
    before = model.transform(X)
    for step in ("learn_model", "report_seeds", "find_titles", "count_words"):
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(f"hlta.model.fitting.{step}", fail)
            with pytest.raises(MemoryError):
                model.fit(X[:, :10])
        assert model.n_features_in_ == X.shape[1]
        np.testing.assert_array_equal(model.transform(X), before)


INTERRUPTED = (
    *("pairs", "islands", "bridges", "assignment"),  # of a fit without votes
    *("learning trees from samples of the documents", "joining these trees into one"),
    "fitting probabilities",
)


def test_an_interrupted_fit_leaves_a_usable_process_and_no_file(tmp_path: Path) -> None:
    code = textwrap.dedent("""
        import os, signal, sys, threading
        import numpy as np
        from hlta import HLTA, Monitor

        class Interrupting(Monitor):
            def __init__(self, where):
                self.where = where

            def begin(self, name, total):
                if name == self.where:
                    os.kill(os.getpid(), signal.SIGINT)

        X = (np.random.default_rng(0).random((300, 80)) < 0.2).astype(int)
        once = {"refine": False, "max_top_topics": 2}
        for number, stage in enumerate(sys.argv[2:]):
            try:
                how = once if number < 4 else {}
                HLTA(progress=Interrupting(stage), **how).fit(X).save(sys.argv[1])
            except KeyboardInterrupt:
                HLTA(em_steps=2, samples=3).fit(X)
                print("usable after", stage, threading.active_count() < 10)
    """)
    command = [sys.executable, "-c", code, str(tmp_path / "model.hlta"), *INTERRUPTED]
    shown = subprocess.check_output(command, text=True, timeout=300)
    assert shown.splitlines() == [f"usable after {stage} True" for stage in INTERRUPTED]
    assert not list(tmp_path.iterdir())


def test_a_fit_can_go_on(X: csr_array, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hlta.learning.checkpoint_folder.PACE", 0.0)
    options: dict[str, Any] = {"samples": 3, "em_steps": 3}
    with monkeypatch.context() as patch:
        patch.setattr("hlta.learning.recipe.run_em", None)  # cannot be called
        with pytest.raises(TypeError):
            HLTA(**options, checkpoint=tmp_path / "kept").fit(X)
    options |= {"n_keywords": 4, "lowest_level": 1}  # which learning does not depend on
    HLTA(**options, checkpoint=tmp_path / "kept").fit(X).save(tmp_path / "resumed.hlta")
    HLTA(**options).fit(X).save(tmp_path / "whole.hlta")
    assert (tmp_path / "resumed.hlta").read_bytes() == (tmp_path / "whole.hlta").read_bytes()


@pytest.mark.parametrize("samples", [1, 6])
def test_the_order_of_rows_and_columns_changes_nothing_else(X: csr_array, samples: int) -> None:
    words = np.array([f"w{k}" for k in range(X.shape[1])])
    rng = np.random.default_rng(3)
    rows, columns = rng.permutation(X.shape[0]), rng.permutation(X.shape[1])
    options: dict[str, Any] = {"samples": samples, "em_steps": 3, "structure_sample": 800}
    one = HLTA(**options).fit(X, words=words.tolist())
    two = HLTA(**options).fit(X[rows][:, columns], words=words[columns].tolist())
    assert two.tree_.with_words(one.tree_.words) == one.tree_
    assert two.topics_.to_dict() == one.topics_.to_dict()
    np.testing.assert_array_equal(two.log_likelihoods_, one.log_likelihoods_)


def test_samples_tell_how_stable_each_topic_is(X: csr_array) -> None:
    model = fit(X, samples=6)
    assert model.stability_ is not None
    assert ((model.stability_ > 0) & (model.stability_ <= 1)).all()
    node = {name: k for k, name in enumerate(model.tree_.latent_names)}
    for topic in model.topics_:
        assert topic.stability is not None
        assert topic.stability == model.stability_[node[topic.id]]
        assert ("?" in str(topic).split(" ")[0]) == topic.is_vague
    once = fit(X, samples=1)  # of which nothing is said
    assert once.stability_ is None
    assert not any("stability" in topic.to_dict() or topic.is_vague for topic in once.topics_)


def test_many_words_vote_in_bounded_memory(X: csr_array, monkeypatch: pytest.MonkeyPatch) -> None:
    """No table of the distances of all words: those of a root topic at a time, from 50 words up."""
    longest = []
    own = grouping._halved_squares

    def watched(rows: csr_array) -> NDArray[np.float64]:
        longest.append(rows.shape[0])
        return own(rows)

    monkeypatch.setattr("hlta.learning.consensus.MOST_AT_ONCE", 50)
    monkeypatch.setattr("hlta.learning.embedding.MOST_AT_ONCE", 50)
    monkeypatch.setattr("hlta.learning.grouping._halved_squares", watched)
    model = fit(X)
    assert model.stability_ is not None
    assert max(longest) < X.shape[1]
    islands = np.bincount(model.tree_.parent[: X.shape[1]])
    assert islands[islands > 0].min() >= 2


def test_a_fitted_model_can_be_pickled_and_copied(of_themes: HLTA) -> None:
    shares = of_themes.transform(["dark pears"])
    main = of_themes.main_table(["dark pears", "zebras"])
    pickled = [pickle.loads(pickle.dumps(of_themes, k)) for k in range(pickle.HIGHEST_PROTOCOL + 1)]
    for again in (*pickled, copy.deepcopy(of_themes)):
        assert again.topics_.to_text() == of_themes.topics_.to_text()
        np.testing.assert_array_equal(again.transform(["dark pears"]), shares)
        assert again.main_table(["dark pears", "zebras"]).equals(main)
        again.edit.rename(again.topics_.roots[0], "Another title")
        assert again.topics_.to_text() != of_themes.topics_.to_text()


def test_a_question_begins_one_cluster(X: csr_array, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[Any] = []

    @contextmanager
    def begin(client: Any, *_: Any) -> Iterator[None]:
        begun.append(client)
        yield

    monkeypatch.setattr(face, "passes_on", begin)
    model = fit(X, samples=1, client="local")
    topic = model.topics_.roots[0]
    for ask, times in (
        (lambda: model.fit(X), 1),
        (lambda: model.transform(X), 1),
        (lambda: model.predict(X), 1),
        (lambda: model.share_table(X), 1),
        (lambda: model.score(X), 1),
        (lambda: model.documents(topic, X), 1),
        (lambda: model.edit.recount(X), 1),
        (lambda: model.partial_fit(X), 1),
        (lambda: model.why(topic, X[:1]), 0),
        (lambda: model.transform(X[:1], kind="probability"), 0),
        (lambda: model.edit.hide(topic), 0),
    ):
        begun.clear()
        ask()
        assert begun.count("local") == times
