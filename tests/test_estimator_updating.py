"""`partial_fit` and `hlta update`: what stays, what moves, edits that are settled, files, refusals."""

import json
import shutil
from collections.abc import Callable
from copy import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hlta import HLTA, Corpus, DocumentsError, FormatError, OptionError, TextOptions
from tests.command import ran, run
from tests.editable import siblings
from tests.model_files import change_file
from tests.synthetic import planted

SOURCE = planted(60)
FIRST, SECOND, THIRD = (SOURCE.sample(600, seed=seed).toarray() for seed in range(3))
NAMES = [f"x{k}" for k in range(60)]
TEXTS = ["deep neural networks", "dark matter in galaxies", "apples and pears"]


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("updates") / "model.hlta"
    HLTA(samples=1, lowest_level=1, max_top_topics=4).fit(FIRST).save(path)
    return path


def rare_topics() -> list[list[str]]:
    """40 topics of words that are rare, so that words which were left out were rarer still."""
    return [[f"{a}{b}x{c}" for c in "pqrst"] for a in "abcdefgh" for b in "mnopq"]


def shown(model: HLTA) -> list[tuple[Any, ...]]:
    return [(t.id, t.title, t.size, t.documents, t.words, t.pinned) for t in model.topics_]


def test_an_estimator_that_is_not_fitted_is_fitted() -> None:
    one = HLTA(samples=1).partial_fit(FIRST)
    assert shown(one) == shown(HLTA(samples=1).fit(FIRST))
    assert not hasattr(one, "drift_")


def test_ids_and_structure_stay_and_parameters_move(model: HLTA) -> None:
    before, counted = model.tree_, {t.id: t.documents for t in model.topics_}
    model.partial_fit(SECOND)
    after = model.tree_
    assert after.names == before.names
    assert np.array_equal(after.parent, before.parent)
    assert not np.array_equal(after.parameters.word, before.parameters.word)
    assert model.score(THIRD) > float(before.log_likelihood(THIRD).mean())
    on = (model.transform(SECOND) >= 0.2).sum(axis=0).tolist()
    assert len(set(counted).intersection(topic.id for topic in model.topics_)) > 10
    for topic, number in zip(model.topics_, on, strict=True):
        if topic.id in counted:
            assert topic.documents == (counted[topic.id] or 0) + number


def test_any_form_of_documents_gives_the_same(learned: Path) -> None:
    words = HLTA.load(learned).tree_.words
    order = np.random.default_rng(0).permutation(len(words))
    names = [words[k] for k in order]
    forms: list[Callable[[HLTA], HLTA]] = [
        lambda m: m.partial_fit(SECOND),
        lambda m: m.partial_fit(Corpus(SECOND[:, order], names)),
        lambda m: m.partial_fit(SECOND[:, order], words=names),
        lambda m: m.partial_fit(Corpus(SECOND, words).documents),
    ]
    one, *others = (shown(form(HLTA.load(learned))) for form in forms)
    assert all(one == other for other in others)


def test_words_that_were_too_frequent_or_too_rare_to_be_chosen_are_no_news() -> None:
    topics = [" ".join(topic) for topic in rare_topics()] * 40
    texts = [f"{text} report" if k % 5 < 2 else text for k, text in enumerate(topics)]
    assert len(texts) >= 1000
    model = HLTA(samples=1).fit(texts)
    assert "report" not in model.tree_.words  # in two fifths, too many
    new = [*texts[:300], *["quantum qubits"] * 60, "stray words", "stray words"]
    drift = model.partial_fit(new).drift_
    assert set(drift.new_words) == {"quantum", "qubits"}
    assert "quantum" not in model.tree_.words
    assert drift.unknown_words == {"quantum": 60, "qubits": 60, "stray": 2, "words": 2}
    assert "60 documents: quantum" in str(drift)
    assert "stray" not in str(drift)
    assert drift.to_dict()["new_words"] == list(drift.new_words)


def test_which_words_can_be_new_does_not_depend_on_updates_in_between() -> None:
    texts = [" ".join(topic) for topic in rare_topics()] * 30
    new = [f"{text} quantum" if k % 5 < 2 else text for k, text in enumerate(texts[:200])]
    # More than 1,000 documents have a stricter default of max_df, together or in the last update.
    for between, times in ((0, 1), (150, 1), (0, 6)):
        model = HLTA(samples=1).fit(texts[:900])
        if between:
            model.partial_fit(texts[900 : 900 + between])
        further = [f"{text} {'x' * k}" for k in range(times) for text in new]
        assert "quantum" in model.partial_fit(further).drift_.new_words


def test_edits_are_no_drift(learned: Path) -> None:
    """Shares that follow from an edit were not counted, and are not compared."""
    model = HLTA.load(learned)
    one, other, third, *_ = siblings(model)
    model.edit.merge(other, into=one)
    target = next(root for root in model.topics_.roots if root.id != third.parent.id)  # type: ignore[union-attr]
    model.edit.move(third, below=target)
    assert not model.partial_fit(SECOND).drift_.topics
    assert not model.partial_fit(THIRD).drift_.topics


def test_words_that_were_left_out_are_no_news_if_they_are_as_frequent_as_before() -> None:
    rng = np.random.default_rng(0)
    letters = "abcdefghijklmnopqrstuvwxyz"
    common, loud = ([f"{kind}{a}{b}" for a in "xy" for b in letters] for kind in ("usual", "loud"))
    usual = [rng.choice(common, 6).tolist() for _ in range(1600)]
    texts = [
        " ".join([*words, *(k % 3 == 0) * 9 * [loud[k % 52]]]) for k, words in enumerate(usual)
    ]
    model = HLTA(samples=1, text=TextOptions(n_words=70, min_df=2)).fit(texts[:800])
    lacking = set(common).difference(model.tree_.words)
    assert model.text_options_ is not None
    assert lacking <= {word for word, _ in model.text_options_.left_out or ()}
    assert len(lacking) > 20
    drift = model.partial_fit([*texts[800:], *["quantum qubits"] * 60]).drift_
    assert set(drift.new_words) == {"quantum", "qubits"}
    assert lacking <= set(drift.unknown_words)


def test_words_that_a_person_removed_are_no_news(learned: Path) -> None:
    model, often = HLTA.load(learned), NAMES[int(np.argmax(FIRST.sum(axis=0)))]
    model.edit.remove(often)
    for documents in (SECOND, THIRD):
        drift = model.partial_fit(Corpus(documents, NAMES)).drift_
        assert drift.new_words == ()
        assert list(drift.unknown_words) == [often]


def test_a_half_life_lets_the_model_follow() -> None:
    """Sizes are means over all documents, in which the earlier ones count less."""
    first = HLTA(samples=1, max_top_topics=4).fit(FIRST)
    some = SECOND[first.predict(SECOND) == 1]
    old = {topic.id: topic.size for topic in first.topics_}
    sizes = [first.topics_.roots[1].size]
    for half_life in (None, 300.0, 100.0):
        model = copy(first).partial_fit(some, half_life=half_life)
        weight = len(FIRST) * (1.0 if half_life is None else 0.5 ** (len(some) / half_life))
        new = model.transform(some).mean(axis=0)
        for topic, share in zip(model.topics_, new.tolist(), strict=True):
            expected = (weight * old[topic.id] + len(some) * share) / (weight + len(some))
            assert topic.size == pytest.approx(expected, abs=1e-6)
        sizes.append(model.topics_[first.topics_.roots[1].id].size)
    assert sizes == sorted(set(sizes))


@pytest.mark.parametrize("states", [2, 3])
def test_an_update_after_a_file_is_the_same(states: int, tmp_path: Path) -> None:
    model = HLTA(samples=1, states=states).fit(FIRST)
    model.save(tmp_path / "model.hlta")
    again = HLTA.load(tmp_path / "model.hlta")
    for one in (model, again):
        one.partial_fit(SECOND).partial_fit(THIRD, half_life=1000)
    assert shown(model) == shown(again)
    again.save(tmp_path / "model.hlta")
    assert shown(HLTA.load(tmp_path / "model.hlta")) == shown(model)


def test_a_consensus_tree_keeps_its_topics_within_their_parents() -> None:
    model = HLTA(samples=4, lowest_level=1).fit(FIRST).partial_fit(SECOND)
    for topic in model.topics_:
        if topic.parent is not None:
            assert topic.size <= topic.parent.size + 1e-6


def test_edits_are_settled_by_an_update(model: HLTA, tmp_path: Path) -> None:
    one, other, *_ = (t for t in model.topics_.level(1) if t.parent and len(t.parent.children) > 2)
    model.edit.rename(one, "A title")
    model.edit.pin(one)
    model.edit.hide(other)
    model.edit.move(model.topics_.level(1)[-1].words[-1], below=one)
    model.partial_fit(SECOND)
    assert model.topics_[one.id].title == "A title"
    assert model.topics_[one.id].pinned
    assert other.id not in model.topics_
    assert str(model.edit).count("(settled)") == len(model.edit) == 4
    with pytest.raises(OptionError, match="the 4 made before the model was updated cannot"):
        model.edit.undo()
    model.edit.rename(one, "Another title")
    model.save(tmp_path / "model.hlta")
    again = HLTA.load(tmp_path / "model.hlta")
    assert shown(again) == shown(model)
    assert list(again.edit) == list(model.edit)
    again.edit.undo()
    assert again.topics_[one.id].title == "A title"
    with pytest.raises(OptionError, match="undo 1: the model has 0 edits that can be undone"):
        again.edit.undo()


def test_a_log_tells_which_edits_are_settled(model: HLTA, learned: Path, tmp_path: Path) -> None:
    topic = model.topics_.roots[-1]
    model.edit.pin(topic)
    model.edit.save(tmp_path / "before.json")
    model.partial_fit(SECOND)
    with pytest.raises(OptionError, match="another model"):
        model.edit.replay(tmp_path / "before.json")
    model.edit.rename(topic, "A title")
    model.edit.save(tmp_path / "after.json")
    model.edit.undo()
    model.edit.replay(tmp_path / "after.json")
    assert (model.topics_[topic.id].title, len(model.edit)) == ("A title", 2)
    other = HLTA.load(learned)
    assert other.edit.replay(tmp_path / "after.json", match=True) == []
    assert (other.topics_[topic.id].title, other.topics_[topic.id].pinned) == ("A title", True)
    log = json.loads((tmp_path / "after.json").read_text())
    (tmp_path / "after.json").write_text(json.dumps(log | {"settled": 3}))
    with pytest.raises(FormatError, match="3 of 2 edits"):
        model.edit.replay(tmp_path / "after.json")


def test_a_model_without_some_word_learns_on(model: HLTA) -> None:
    word = max(model.topics_.level(1), key=lambda topic: len(topic.words)).words[0]
    column = model.tree_.words.index(word)
    model.edit.remove(word)
    model.partial_fit(np.delete(SECOND, column, axis=1))
    assert word not in model.tree_.words
    assert not model.drift_


@pytest.mark.parametrize(
    ("X", "options", "message"),
    [
        (np.zeros((3, 60), dtype=int), {}, "none of the 3 new documents has a word"),
        (FIRST[:0], {}, "0 sample"),
        (FIRST[:, :59], {}, "59 features"),
        ([], {}, "X is empty"),
        (["a text"], {}, "learned from a matrix"),
        (Corpus([[1, 1]], ["other", "words"]), {}, "none of the 1 new documents has a word"),
        (Corpus(SECOND, NAMES), {"words": NAMES}, "leave it out"),
        *((SECOND, {"half_life": odd}, "half_life=") for odd in (0.5, "long", float("nan"))),
    ],
)
def test_what_cannot_be_used_is_refused(model: HLTA, X: Any, options: Any, message: str) -> None:
    before = shown(model)
    with pytest.raises((DocumentsError, OptionError), match=message):
        model.partial_fit(X, **options)
    assert shown(model) == before


def test_a_warning_tells_of_words_that_a_corpus_lacks(model: HLTA) -> None:
    words = model.tree_.words
    with pytest.warns(UserWarning, match="2 of the 60 words of the model are not among"):
        model.partial_fit(Corpus(SECOND[:, :58], words[:58]))


def test_a_model_that_does_not_know_its_documents(learned: Path, tmp_path: Path) -> None:
    path = tmp_path / "old.hlta"
    shutil.copy(learned, path)
    change_file(path, without={"statistics"})  # as in files of earlier versions
    with pytest.raises(OptionError, match="does not say how many documents"):
        HLTA.load(path).partial_fit(SECOND)


OLD, NEW = TEXTS * 20, [*TEXTS[:1] * 60, *TEXTS[1:] * 15]


def test_commands_after_an_update_read_folders_again(tmp_path: Path) -> None:
    for name, texts in (("old", OLD), ("new", NEW)):
        (tmp_path / name).mkdir()
        for k, text in enumerate(texts):
            (tmp_path / name / f"{name}{k}.txt").write_text(text)
    target = tmp_path / "run"
    ran("fit", tmp_path / "old", "-o", target, "--samples", 1, "--quiet")
    done = ran("update", target, tmp_path / "new")
    command = f"hlta assign {target} --main -o {target / 'documents.csv'} --overwrite"
    assert f"    {command}\n" in done.stderr
    ran(*command.split()[1:])
    rows = (target / "documents.csv").read_text().splitlines()
    assert len(rows) == 1 + len(OLD) + len(NEW)


def test_an_update_writes_the_model_and_the_report(tmp_path: Path) -> None:
    folder, target = tmp_path, tmp_path / "run"
    (folder / "old.txt").write_text("\n".join(OLD))
    (folder / "new.txt").write_text("\n".join(NEW))
    ran("fit", folder / "old.txt", "-o", target, "--samples", 1, "--quiet")
    before, page = HLTA.load(target), (target / "index.html").read_bytes()
    done = ran("update", target, folder / "new.txt")
    grew = "Topics that grew, with a 95% interval for the new share:\n    33.0% to 60.5%"
    assert grew in done.stdout
    assert "documents.csv, shares.csv and index.html still show the earlier model" in done.stderr
    assert f"all documents, in place of PATH:\n    hlta assign {target} PATH --main" in done.stderr
    model = HLTA.load(target)
    neural = next(t for t in model.topics_ if "neural" in t.words)
    assert neural.documents == 20 + 60
    new = model.transform(TEXTS[:1] * 60 + TEXTS[1:] * 15, topics=[neural]).mean()
    assert neural.size == pytest.approx((60 * before.topics_[neural.id].size + 90 * new) / 150)
    topics = json.loads((target / "topics.json").read_text())["topics"]
    assert {t["id"]: t["size"] for t in topics}[neural.id] == pytest.approx(neural.size)
    assert (target / "index.html").read_bytes() == page
    (folder / "newer.txt").write_text("\n".join(NEW[1:]))
    again = run("update", target, folder / "newer.txt", "--json", "--quiet", "--half-life", 100)
    assert again.stderr == ""
    first, second = json.loads((target / "run.json").read_text())["updates"]
    assert first["source"] == str(folder / "new.txt")
    assert (first["half_life"], second["half_life"]) == (None, 100.0)
    assert second["drift"] == json.loads(again.stdout)
    alone = Path(shutil.copy(target / "model.hlta", folder))
    assert ran("update", alone, folder / "new.txt").stderr == ""
    assert run("update", alone, folder / "new.txt", "--half-life", 0).exit_code == 2


COPIED = "one text on galaxies and dark matter and many more words that somebody copied again"
OTHERS = [f"{text} of {name} and more" for text in TEXTS for name in ("ann", "bob", "carl", "dora")]


def test_a_text_weighs_once_in_an_update_however_often_it_stands_there() -> None:
    copied, single = (HLTA(samples=1).fit(TEXTS * 20) for _ in range(2))
    copied.partial_fit([COPIED, *OTHERS, *[COPIED] * 40])
    single.partial_fit([COPIED, *OTHERS])
    assert copied.tree_ == single.tree_
    assert copied.drift_.n_documents == single.drift_.n_documents == 13
    counts = [[topic.documents or 0 for topic in model.topics_] for model in (copied, single)]
    more = (np.array(counts[0]) - counts[1]).tolist()
    assert sorted(more) == [0, 0, 40]  # copies are on topics all the same
