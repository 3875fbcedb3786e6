"""Any sequence of edits, updates, undo, saving and loading leaves a valid model."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from hlta import HLTA, OptionError, TopicTree
from hlta.tree.reshaping import members, topic_above
from tests.editable import DOCUMENTS, learn, state

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray


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

    @rule(data=st.data(), title=st.sampled_from(["one", "two", "", "x" * 90]))
    def rename(self, data: st.DataObject, title: str) -> None:
        topic = self.topic(data)
        self.attempt(lambda: self.model.edit.rename(topic, title))

    @rule(data=st.data(), text=st.sampled_from(["", "of one line", "of\ntwo"]))
    def note(self, data: st.DataObject, text: str) -> None:
        topic = self.topic(data)
        self.attempt(lambda: self.model.edit.note(topic, text))

    @rule(data=st.data(), kind=st.sampled_from(["hide", "show", "pin", "unpin"]))
    def show(self, data: st.DataObject, kind: str) -> None:
        topic = self.topic(data)
        self.attempt(lambda: getattr(self.model.edit, kind)(topic))

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
    def relearn(self) -> None:
        edits = len(self.model.edit)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=".* could not be repeated")
            self.model.partial_fit(self.documents(), relearn=True)
        assert len(self.model.edit) <= edits
        assert len(set(self.model.tree_.names)) == self.model.tree_.n_nodes
        self.learned = self.path.with_name("relearned.hlta")
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
        every = TopicTree.from_tree(
            self.model.tree_,
            lowest_level=1,
            annotations=known._replace(hidden=frozenset()),
            fold=False,
        )
        assert 0.9 < sum(topic.size for topic in every.roots) < 1.0 + 1e-6
        for topic in every:
            assert sum(child.size for child in topic.children) <= topic.size + 1e-6


AnyEdits.TestCase.settings = settings(max_examples=15, stateful_step_count=12)


@pytest.mark.slow
def test_any_sequence_of_edits_leaves_a_valid_model(tmp_path: Path) -> None:
    AnyEdits.path = learn(tmp_path / "model.hlta")
    AnyEdits.TestCase("runTest").runTest()
