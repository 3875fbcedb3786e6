"""Edits of a model, each of which returns another model."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hlta._support.checks import check_whole
from hlta._support.messages import plural
from hlta.documents.corpus import Corpus
from hlta.edits.entries import Entry, Split
from hlta.edits.log import EditLog, Record, match_edits
from hlta.errors import OptionError
from hlta.model.inputs import read_documents
from hlta.tree.reshaping import unused_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hlta.edits.annotated_tree import AnnotatedTree
    from hlta.model.value import Model


def make(model: Model, entry: Entry) -> Model:
    """Make an edit, and record it in the log; raises `OptionError` if it cannot be made."""
    edited, record = entry.apply(model.edited), Record.of(entry, model.edited)
    log = model.log.with_records((*model.log.records, record))
    return replace(model, edited=edited, log=log)


def undo(model: Model, n: int) -> Model:
    """Take back the last `n` edits."""
    check_whole("n", n, least=1)
    records, settled = model.log.records, len(model.log.settled)
    if n > len(records):
        but = f"; the {settled:,} made before the model was updated cannot" if settled else ""
        raise OptionError(
            f"undo {n:,}: the model has {plural(len(records), 'edit')} that can be undone{but}"
        )
    return model.with_log(model.log.with_records(records[:-n]))


def replay(model: Model, log: EditLog, X: Any, *, match: bool = False) -> tuple[Model, list[str]]:
    """The model with the edits of a log in place of its own, and why edits were left out.

    See `Edits.replay`.
    """
    if log.origin == model.log.origin:
        same = model.log.with_records(log.records)
        return model.with_log(same.complete(model.learned)), []
    if not match:
        raise OptionError(
            "the log is of another model; with match (--match), its topics are found again by their "
            "words"
        )
    # Without edits, because the columns of X are the words as they were learned.
    model = model.with_log(model.log.with_records(()))
    corpus = None if X is None else _corpus(model, X)

    def split(edited: AnnotatedTree, topic: str, apart: list[str], made: Sequence[Record]) -> Entry:
        if corpus is None:
            raise OptionError("a split in another model needs documents")
        here = replace(model, edited=edited, log=model.log.with_records(made))
        return _split(here, topic, apart, corpus)

    records, refused = match_edits(log.history, model.learned, split)
    return model.with_log(model.log.with_records(records)), refused


def split_by(model: Model, topic: str, apart: Iterable[str] | None, X: Any) -> Split:
    """The edit that splits a topic, learned from documents, see `Edits.split`."""
    return _split(model, topic, apart, _corpus(model, X))


def _split(model: Model, topic: str, apart: Iterable[str] | None, corpus: Corpus) -> Split:
    edited = model.edited
    level = int(edited.tree.level[edited.topic(topic)])
    new = unused_name(level, {*edited.tree.names, *model.ids_used})
    documents = corpus.aligned(edited.tree.words)
    return Split.from_documents(edited, topic, apart, new, documents)


def _corpus(model: Model, X: Any) -> Corpus:
    return Corpus(read_documents(model, X).documents, model.tree.words)
