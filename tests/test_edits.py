"""Edits of a model: what each does, their log, undo, replays, what is refused; any sequence of them."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from numpy.typing import NDArray

from hlta import HLTA, DocumentsError, FormatError, OptionError, TextOptions, TopicTree, load
from hlta.edits.entries import Note, Remove
from hlta.edits.log import EditLog, Record
from hlta.tree.reshaping import members, topic_above
from tests.editable import DOCUMENTS, learn, members_of, siblings, state
from tests.there import there


@pytest.fixture(scope="module")
def learned_elsewhere() -> HLTA:
    return HLTA(samples=1, lowest_level=1, max_top_topics=4).fit(DOCUMENTS[:500])


@pytest.fixture
def other(learned_elsewhere: HLTA) -> HLTA:
    """Another model of the same words."""
    return copy(learned_elsewhere)


def test_a_merged_topic_has_the_shares_of_both(model: HLTA) -> None:
    one, other = siblings(model)[-2:]
    place = {topic.id: k for k, topic in enumerate(model.topics_)}
    both = model.transform(DOCUMENTS)[:, [place[one.id], place[other.id]]].sum(axis=1)
    words = {*one.words, *other.words}
    model.edit.merge(other, into=one)
    after = model.topics_[one.id]
    assert other.id not in model.topics_
    assert set(after.words) <= words
    assert after.documents is after.main_documents is None
    share = model.transform(DOCUMENTS, topics=[after])[:, 0]
    assert np.corrcoef(share, both)[0, 1] > 0.9
    assert after.size == pytest.approx(one.size + other.size)
    assert after.size == pytest.approx(share.mean(), abs=0.03)


def largest(model: HLTA) -> tuple[str, list[str]]:
    """The topic of most words at the lowest level, and its members."""
    found = {topic.id: members_of(model, topic.id) for topic in model.topics_.level(1)}
    return max(found.items(), key=lambda item: len(item[1]))


def test_a_moved_word_is_a_keyword_of_its_new_topic(model: HLTA) -> None:
    source, words = largest(model)
    target = next(topic.id for topic in model.topics_.level(1) if topic.id != source)
    model.edit.move(words[-1], below=target)
    assert words[-1] in members_of(model, target)
    assert words[-1] not in members_of(model, source)
    every = TopicTree.from_tree(model.tree_, lowest_level=1, n_keywords=None)
    assert words[-1] in every[target].words


def test_a_moved_topic_takes_what_is_below_it_along(model: HLTA) -> None:
    child = next(t for t in model.topics_ if t.parent and len(t.parent.children) > 2)
    target = next(root for root in model.topics_.roots if root is not child.parent)
    for _ in range(2):  # from below another, and, as any root topic can be, from the top
        model.edit.move(child, below=target)
        moved = model.topics_[child.id]
        assert there(moved.parent).id == target.id
        assert set(moved.words) == set(child.words)
        model.edit.move(child, below=None)
        assert model.topics_[child.id] in model.topics_.roots


def test_a_removed_word_is_gone_everywhere(model: HLTA) -> None:
    word = largest(model)[1][0]
    model.edit.remove(word)
    assert word not in model.tree_.words
    assert model.n_features_in_ == len(DOCUMENTS.T) - 1
    assert not any(word in topic.words for topic in model.topics_)
    with pytest.raises(DocumentsError):
        model.transform(DOCUMENTS)
    column = int(word.removeprefix("x"))
    assert len(model.transform(np.delete(DOCUMENTS, column, axis=1))) == len(DOCUMENTS)


def test_a_split_tells_two_themes_apart(model: HLTA) -> None:
    """Two topics of separate words are merged; the documents tell them apart again."""
    one, other = siblings(model)[:2]
    first, second = set(members_of(model, one.id)), set(members_of(model, other.id))
    model.edit.merge(other, into=one)
    new = model.edit.split(one.id, DOCUMENTS)
    parts = {frozenset(members_of(model, name)) for name in (one.id, new)}
    assert parts == {frozenset(first), frozenset(second)}
    assert new not in (one.id, other.id)


def test_a_split_can_be_given_and_has_an_id_of_its_own(model: HLTA, other: HLTA) -> None:
    topic, own = largest(model)
    old, score = model.tree_, model.score(DOCUMENTS)
    new = model.edit.split(topic, DOCUMENTS, apart=own[:2])
    assert members_of(model, new) == own[:2]
    assert members_of(model, topic) == own[2:]
    assert model.score(DOCUMENTS) > score - 1.0
    tree = model.tree_
    elsewhere = [k for k, word in enumerate(tree.words) if word not in own]
    np.testing.assert_array_equal(tree.parameters.word[elsewhere], old.parameters.word[elsewhere])
    for name in set(old.latent_names) - {topic}:
        then, now = old.latent_names.index(name), tree.latent_names.index(name)
        np.testing.assert_array_equal(tree.parameters.latent[now], old.parameters.latent[then])
    model.edit.merge(new, into=topic)
    assert model.edit.split(topic, DOCUMENTS, apart=own[:2]) != new
    other.edit.replay(model.edit, DOCUMENTS, match=True)
    ids = [entry["new"] for entry in other.edit if entry["edit"] == "split"]
    assert len(set(ids)) == len(ids) == 2


def test_what_is_shown_follows_hide_show_and_pin(model: HLTA) -> None:
    shown = model.topics_.roots
    last = shown[-1]
    model.edit.pin(last)
    assert model.topics_.roots[0].id == last.id
    assert model.topics_.roots[0].pinned
    assert not model.topics_.roots[0].is_vague
    model.edit.hide(shown[0])
    assert shown[0].id not in model.topics_
    assert not any(child.id in model.topics_ for child in shown[0].children)
    assert model.transform(DOCUMENTS).shape[1] == len(model.topics_)
    assert shown[0].id not in {topic.id for topic in model.topics_.cut(5)}
    model.edit.show(shown[0].id)
    model.edit.unpin(last.id)
    assert [root.id for root in model.topics_.roots] == [root.id for root in shown]
    model.n_topics = 5  # a flat list, in which pinned topics come first, too
    model.edit.pin(model.topics_.roots[0])
    last = model.topics_.roots[-1]
    model.edit.pin(last)
    assert last.id in [topic.id for topic in model.topics_.roots[:2]]


def test_topics_keep_their_shares_when_others_are_hidden(model: HLTA) -> None:
    for shown, columns in (
        (model, DOCUMENTS),
        (HLTA(samples=1).fit(DOCUMENTS[:, :12]), DOCUMENTS[:, :12]),  # whose topics are roots alone
    ):
        ids = [topic.id for topic in shown.topics_]
        before, sizes = shown.transform(columns), {t.id: t.size for t in shown.topics_}
        hidden = shown.topics_.roots[0]
        gone = {topic.id for topic in hidden}
        shown.edit.hide(hidden)
        assert [topic.id for topic in shown.topics_] == [name for name in ids if name not in gone]
        kept = [k for k, name in enumerate(ids) if name not in gone]
        np.testing.assert_array_equal(shown.transform(columns), before[:, kept])
        assert all(topic.size == sizes[topic.id] for topic in shown.topics_)
        shown.edit.recount(columns)
        assert all(topic.size == sizes[topic.id] for topic in shown.topics_)


def test_a_note_stays_with_its_topic(model: HLTA, tmp_path: Path) -> None:
    one, other = siblings(model)[:2]
    model.edit.note(one, " of  one\tline\r\n\nand of another ")
    model.edit.merge(other, into=one)
    assert model.topics_[one.id].note == "of one line\n\nand of another"
    assert str(model.edit).startswith(f"1 note {one.id}: 'of one line and of another'\n2 ")
    model.partial_fit(DOCUMENTS)  # the edits are settled
    model.save(tmp_path / "model.hlta")
    again = HLTA.load(tmp_path / "model.hlta")
    notes = [topic["note"] for topic in plain_topics(again) if "note" in topic]
    assert notes == ["of one line\n\nand of another"]
    again.edit.note(one.id, "")
    assert not any("note" in topic for topic in plain_topics(again))
    again.edit.undo()
    again.edit.note(one.id, "another")
    above = there(again.topics_[one.id].parent)
    again.edit.merge(one.id, into=above)
    assert not any(topic.note for topic in again.topics_)


def plain_topics(model: HLTA) -> list[dict[str, Any]]:
    """All topics as in topics.json."""
    found = list(model.topics_.to_dict()["topics"])
    for topic in found:
        found += topic["children"]
    return found


def test_edits_of_several_threads_are_all_made(model: HLTA) -> None:
    name = model.topics_.roots[0].id
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda k: model.edit.note(name, str(k)), range(30)))
    assert {entry["text"] for entry in model.edit} == {str(k) for k in range(30)}


def test_edits_that_cannot_be_made_change_nothing(model: HLTA) -> None:
    parent = next(root for root in model.topics_.roots if root.children)
    child, word = parent.children[0], model.tree_.words[0]
    before = state(model)
    edit = model.edit
    odd: Any = edit
    for make, message in (
        (lambda: edit.rename("Z9-9", "x"), "there is no topic 'Z9-9'"),
        (lambda: edit.merge(child, into=child), "cannot be merged into itself"),
        (lambda: edit.merge(parent, into=child), f"{child.id}.; merge {child.id} into {parent.id}"),
        (lambda: edit.move(parent, below=child), "cannot hang below itself"),
        (lambda: edit.move(child, below=parent), "is directly below .* already"),
        (lambda: edit.move(parent, below=None), "is a root topic already"),
        (lambda: edit.move(word, below=None), "is a word, which cannot be a root topic"),
        (lambda: edit.move(word, below=word), "there is no topic"),
        (lambda: edit.remove("zebra"), "the model has no word 'zebra'"),
        (lambda: edit.show(child), "is not hidden"),
        (lambda: edit.unpin(child), "is not pinned"),
        (lambda: edit.note(child, "x" * 2001), "has 2,001 characters; give at most 2,000"),
        (lambda: edit.note(child, "a\x07"), "holds a control character"),
        (lambda: edit.make(Note(child.id, 5)), "is 5, not a string"),  # type: ignore[arg-type]
        (lambda: odd.rename([], "x"), "is not a topic, nor the id"),
        (lambda: odd.split(child, DOCUMENTS, apart="data"), "apart="),
        (lambda: odd.split(child, DOCUMENTS, apart=5), "apart="),
        (lambda: odd.replay([]), "log"),
        (lambda: odd.undo(0), "n=0: use a whole number"),
        (edit.undo, "undo 1: the model has 0 edits that can be undone"),
        (lambda: edit.split(child, DOCUMENTS[:5]), "of the documents are on|needs 4 or more"),
        (lambda: edit.split(child, DOCUMENTS, apart=[parent]), "is not directly below"),
        (lambda: edit.split(child, DOCUMENTS, apart=[]), "at least 2 of its"),
    ):
        with pytest.raises(OptionError, match=message):
            make()
        assert state(model) == before


def called(name: str) -> str:
    """A pattern for a topic in a message: its id, after its title if it has one."""
    return rf"(?:'[^']+' \({name}\)|{name})"


def test_no_topic_is_left_with_one_member(model: HLTA) -> None:
    topic = min(model.topics_.level(1), key=lambda topic: len(members_of(model, topic.id)))
    own = members_of(model, topic.id)
    for word in own[:-2]:
        model.edit.remove(word)
    name = called(topic.id)
    message = f"^without '{own[-1]}', {name} would be left with .* '{own[-2]}'; merge {name}"
    with pytest.raises(OptionError, match=message):
        model.edit.remove(own[-1])


def test_a_merged_topic_has_the_title_and_the_note_that_either_was_given(model: HLTA) -> None:
    one, other = (topic.id for topic in siblings(model)[:2])
    for named, title, note in ((other, "Mine", "As in the survey"), (one, "Its own", "Kept")):
        model.edit.rename(named, title)
        model.edit.note(named, note)
        model.edit.merge(other, into=one)
        assert (model.topics_[one].title, model.topics_[one].note) == (title, note)
        model.edit.undo()


def test_topics_that_are_all_there_is_below_another_can_be_merged_into_it(model: HLTA) -> None:
    above = next(root for root in model.topics_.roots if len(root.children) > 2)
    for child in above.children[2:]:
        model.edit.merge(child, into=above.children[0])
    for word in set(members_of(model, above.id)) & set(model.tree_.words):
        model.edit.move(word, below=above.children[0])
    one, other = members_of(model, above.id)
    up, left = called(above.id), f"would be left with one member, {called(other)}"
    with pytest.raises(OptionError, match=f"{up} {left}; merge both into {up} instead$"):
        model.edit.merge(one, into=other)
    remedies = f"first merge {called(other)} into {up}, or merge {up} into another topic"
    with pytest.raises(OptionError, match=f"^without {called(one)}, {up} {left}; {remedies}$"):
        model.edit.move(one, below=None)
    model.edit.merge(other, into=above.id)  # the remedy
    model.edit.move(one, below=None)


def test_one_topic_at_least_is_shown_and_nothing_goes_below_hidden_ones(model: HLTA) -> None:
    one, other, *others = model.topics_.roots
    model.edit.hide(other)
    message = f"is hidden; show {called(other.id)} first"
    refused: list[Callable[[], object]] = [
        lambda: model.edit.merge(one, into=other.id),
        lambda: model.edit.move(one, below=other.id),
        lambda: model.edit.show(other.children[0]),
    ]
    for make in refused:
        with pytest.raises(OptionError, match=message):
            make()
    for root in others:
        model.edit.hide(root)
    with pytest.raises(OptionError, match="no topic would be left to show"):
        model.edit.hide(one)
    assert [root.id for root in model.topics_.roots] == [one.id]


def edited(model: HLTA) -> HLTA:
    """A model after an edit of each kind."""
    one, other, third = siblings(model)[:3]
    model.edit.rename(third, "The third")
    model.edit.merge(other, into=one)
    model.edit.split(one.id, DOCUMENTS)
    model.edit.move(members_of(model, one.id)[0], below=third.id)
    model.edit.pin(third.id)
    above = there(one.parent).id
    model.edit.hide(next(root for root in model.topics_.roots if root.id != above))
    return model


def test_a_log_replays_to_the_same_bits_or_not(model: HLTA, learned: Path, tmp_path: Path) -> None:
    edited(model).edit.save(tmp_path / "log.json")
    again = HLTA.load(learned)
    assert again.edit.replay(tmp_path / "log.json") == []
    assert state(again) == state(model)
    whole = json.loads((tmp_path / "log.json").read_text(encoding="utf-8"))
    whole["edits"].append({"edit": "hide", "topic": "Z9-9"})
    (tmp_path / "log.json").write_text(json.dumps(whole), encoding="utf-8")
    with pytest.raises(OptionError, match="edit 7, hide Z9-9: there is no topic 'Z9-9'"):
        again.edit.replay(tmp_path / "log.json")
    again.save(tmp_path / "model.hlta")
    kept = load(tmp_path / "model.hlta")
    assert isinstance(kept, HLTA)
    assert state(kept) == state(again) == state(model)
    assert (len(kept.edit), "merge" in str(kept.edit)) == (6, True)
    again.edit.undo(len(again.edit))
    assert state(again) == state(HLTA.load(learned))


def test_logs_of_other_models_are_matched_by_words(
    model: HLTA, other: HLTA, tmp_path: Path
) -> None:
    edited(model).edit.save(tmp_path / "log.json")
    before = state(other)
    with pytest.raises(OptionError, match="the log is of another model; with match"):
        other.edit.replay(tmp_path / "log.json")
    assert state(other) == before
    refused = other.edit.replay(tmp_path / "log.json", DOCUMENTS, match=True)
    assert len(other.edit) + len(refused) == 6
    assert len(other.edit) >= 4
    assert "The third" in {topic.title for topic in other.topics_}
    without = other.edit.replay(model.edit, match=True)
    assert any("split" in reason and "needs documents" in reason for reason in without)


UNNAMED = {"edit": "split", "topic": "Z1-1", "apart": [], "new": "", "learned": {}}


@pytest.mark.parametrize(
    ("log", "message"),
    [
        ("", "is not JSON"),
        ("[]", 'not a log of edits: "format" is not'),
        ({"version": 9}, "format version 9"),
        ({"model": None}, '"model" does not name a model'),
        ({"edits": 5}, "the edits are not a list"),
        ({"edits": [{"edit": "fly"}]}, "edit 1 is of kind 'fly', not one of rename, note"),
        ({"edits": [{"edit": []}]}, r"edit 1 is of kind \[\]"),
        ({"edits": [{"edit": "hide"}]}, "edit 1, hide, has no valid 'topic'"),
        ({"edits": [{"edit": "move", "name": "Z1-1"}]}, "edit 1, move, has no valid 'below'"),
        ({"edits": [UNNAMED]}, "cannot be the id"),
        ({"edits": [{"edit": "hide", "topic": "\x1b[31m" + "x" * 500}]}, r"1, hide \\x1b\[31mxxx"),
    ],
)
def test_what_is_no_log_is_refused_by_name(
    model: HLTA, log: str | dict[str, Any], message: str, tmp_path: Path
) -> None:
    text = log if isinstance(log, str) else json.dumps(json.loads(model.edit.to_json()) | log)
    (tmp_path / "log.json").write_text(text, encoding="utf-8")
    with pytest.raises((OptionError, FormatError), match=message) as caught:
        model.edit.replay(tmp_path / "log.json")
    assert len(str(caught.value)) < 600
    assert "\x1b" not in str(caught.value)


def test_a_refused_edit_does_not_stop_the_others(model: HLTA, other: HLTA, tmp_path: Path) -> None:
    one, two = siblings(model)[:2]
    model.edit.merge(two, into=one)
    model.edit.pin(one)
    log = json.loads(model.edit.to_json())
    log["edits"][0]["words"] = dict.fromkeys((one.id, two.id), one.words[:10])
    (tmp_path / "edits.json").write_text(json.dumps(log))
    (refused,) = other.edit.replay(tmp_path / "edits.json", match=True)
    assert "itself" in refused
    assert [topic.pinned for topic in other.topics_].count(True) == 1


def test_titles_that_clash_later_leave_a_model_readable(model: HLTA, tmp_path: Path) -> None:
    one, other = siblings(model)[:2]
    model.edit.hide(other)
    model.edit.rename(one, other.title)
    model.edit.show(other)
    model.save(tmp_path / "model.hlta")
    again = HLTA.load(tmp_path / "model.hlta")
    assert state(again) == state(model)
    assert again.edit.replay(model.edit) == []
    again.edit.undo()
    assert other.id not in again.topics_


def counts(model: HLTA) -> list[tuple[int | None, int | None, float]]:
    return [(topic.documents, topic.main_documents, topic.size) for topic in model.topics_]


def test_a_count_is_kept_until_the_tree_changes(model: HLTA, other: HLTA, tmp_path: Path) -> None:
    model.edit.recount(DOCUMENTS[:100])
    counted = counts(model)
    model.save(tmp_path / "model.hlta")
    again = HLTA.load(tmp_path / "model.hlta")
    assert counts(again) == counted
    again.edit.pin(again.topics_.roots[0])
    again.edit.undo()
    assert counts(again) == counted
    before = state(again)
    with pytest.raises(DocumentsError):
        again.edit.replay(other.edit, X=5, match=True)
    assert state(again) == before


def test_what_a_split_learned_is_about_its_own_nodes(model: HLTA, tmp_path: Path) -> None:
    topic, own = largest(model)
    model.edit.split(topic, DOCUMENTS, apart=own[:2])
    whole = json.loads(model.edit.to_json())
    learned = whole["edits"][0]["learned"]
    name = next(iter(learned))
    stray = next(word for word in model.tree_.words if word not in learned)
    for changed in (
        {**learned, stray: learned[name]},
        {k: v for k, v in learned.items() if k != name},
        {**learned, name: [[10**400]]},
        {**learned, name: [[float("nan")] * 2] * 2},
        {**learned, name: "x"},
    ):
        whole["edits"][0]["learned"] = changed
        (tmp_path / "log.json").write_text(json.dumps(whole), encoding="utf-8")
        with pytest.raises(OptionError, match=r"edit 1, split .*: what the split of .* is damaged"):
            model.edit.replay(tmp_path / "log.json")


def test_a_title_goes_with_a_word_of_several_parts() -> None:
    texts = ["neural network learning fast", "dark matter far away", "apple pear plum fig"] * 20
    model = HLTA(samples=1, text=TextOptions(ngrams=2, min_df=1, max_df=1.0)).fit(texts)
    topic = next(t for t in model.topics_ if len(members_of(model, t.id)) > 2)
    word = next(word for word in members_of(model, topic.id) if "-" in word)
    model.edit.rename(topic, "mine")
    model.edit.undo()
    model.edit.remove(word)
    title = model.topics_[topic.id].title
    assert not set(word.split("-")) <= set(title.replace(",", "").replace("-", " ").split())


def test_a_log_can_hold_any_word(tmp_path: Path) -> None:
    """A lone half of a pair of UTF-16, as in a file name that is not UTF-8, cannot be encoded."""
    log = EditLog("0123456789abcdef", (Record(Remove("caf\udce9 \u2028 \U0001f600"), {}),))
    log.save(tmp_path / "edits.json")
    assert EditLog.load(tmp_path / "edits.json") == log


SMALL_EDITS = [
    *((kind,) for kind in ("hide", "show", "pin", "unpin")),
    *(("rename", title) for title in ("one", "two", "", "x" * 90)),
    *(("note", text) for text in ("", "of one line", "of\ntwo")),
]


class AnyEdits(RuleBasedStateMachine):
    """Random edits, updates, undo, saving and loading; after each, all that is shown agrees."""

    path: Path

    @initialize()
    def load(self) -> None:
        self.model = HLTA.load(self.path)
        self.learned = self.path  # what the edits that can be undone begin from

    def topic(self, data: st.DataObject) -> str:
        return str(data.draw(st.sampled_from(self.model.tree_.latent_names)))

    def attempt(self, make: Any) -> None:
        """Make an edit, or if it cannot be made, see that nothing changed."""
        before = state(self.model)
        try:
            make()
        except OptionError:
            assert state(self.model) == before

    @rule(data=st.data())
    def merge(self, data: st.DataObject) -> None:
        one, other = self.topic(data), self.topic(data)
        self.attempt(lambda: self.model.edit.merge(one, other))

    @rule(data=st.data(), word=st.booleans())
    def move(self, data: st.DataObject, word: bool) -> None:
        names = self.model.tree_.words if word else self.model.tree_.latent_names
        name = data.draw(st.sampled_from(names))
        below = data.draw(st.sampled_from([None, *self.model.tree_.latent_names]))
        self.attempt(lambda: self.model.edit.move(name, below))

    @rule(data=st.data())
    def remove(self, data: st.DataObject) -> None:
        word = data.draw(st.sampled_from(self.model.tree_.words))
        self.attempt(lambda: self.model.edit.remove(word))

    @rule(data=st.data())
    def split(self, data: st.DataObject) -> None:
        topic = self.topic(data)
        self.attempt(lambda: self.model.edit.split(topic, self.documents()))

    @rule(data=st.data(), edit=st.sampled_from(SMALL_EDITS))
    def annotate(self, data: st.DataObject, edit: tuple[str, ...]) -> None:
        kind, *text = edit
        topic = self.topic(data)
        self.attempt(lambda: getattr(self.model.edit, kind)(topic, *text))

    @rule(n=st.integers(1, 3))
    def undo(self, n: int) -> None:
        before = list(self.model.edit)
        self.attempt(lambda: self.model.edit.undo(n))
        assert list(self.model.edit) in (before, before[:-n])

    @rule()
    def update(self) -> None:
        names, edits = self.model.tree_.names, list(self.model.edit)
        self.model.partial_fit(self.documents())
        assert self.model.tree_.names == names
        assert list(self.model.edit) == edits
        self.learned = self.path.with_name("updated.hlta")
        self.model.save(self.learned)

    @rule()
    def recount(self) -> None:
        self.model.edit.recount(self.documents())

    @precondition(lambda self: len(self.model.edit) > 0)
    @rule()
    def save_and_load(self) -> None:
        path = self.path.with_name("other.hlta")
        self.model.save(path)
        again = HLTA.load(path)
        assert state(again) == state(self.model)
        self.model = again

    @rule()
    def replay(self) -> None:
        again = HLTA.load(self.learned)
        again.edit.replay(self.model.edit)
        assert again.tree_ == self.model.tree_
        assert list(again.edit) == list(self.model.edit)

    def documents(self) -> NDArray[np.int8]:
        columns = [int(word.removeprefix("x")) for word in self.model.tree_.words]
        return np.asarray(DOCUMENTS[:60, columns])

    @invariant()
    def everything_agrees(self) -> None:
        if not hasattr(self, "model"):
            return
        model = self.model
        tree, documents = model.tree_, self.documents()
        shares = model.transform(documents)
        assert shares.shape == (60, len(model.topics_))
        assert ((shares >= 0.0) & (shares <= 1.0 + 1e-9)).all()
        assert np.isfinite(model.score_samples(documents)).all()
        assert model.get_feature_names_out().tolist() == [topic.id for topic in model.topics_]
        for topic in model.topics_:
            node = tree.names.index(topic.id)
            up = topic_above(tree, node)
            while up >= 0 and tree.names[up] not in model.topics_:  # a topic that is left out
                up = topic_above(tree, up)
            assert (topic.parent is None) == (up < 0)
            assert topic.parent is None or topic.parent.id == tree.names[up]
            assert topic.level == tree.level[node]
        self.sizes_agree()
        for v in range(tree.n_words, tree.n_nodes):
            assert len(members(tree, v)) >= 2

    def sizes_agree(self) -> None:
        """The sizes of root topics add up to nearly 1, those below a topic to its own at most."""
        known = self.model._fitted.annotations
        options: dict[str, Any] = {"annotations": known._replace(hidden=frozenset()), "fold": False}
        every = TopicTree.from_tree(self.model.tree_, lowest_level=1, **options)
        assert 0.9 < sum(topic.size for topic in every.roots) < 1.0 + 1e-6
        for topic in every:
            assert sum(child.size for child in topic.children) <= topic.size + 1e-6


AnyEdits.TestCase.settings = settings(max_examples=15, stateful_step_count=12)


@pytest.mark.slow
def test_any_sequence_of_edits_leaves_a_valid_model(tmp_path: Path) -> None:
    AnyEdits.path = learn(tmp_path / "model.hlta")
    AnyEdits.TestCase("runTest").runTest()
