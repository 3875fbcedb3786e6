"""`hlta update`: a model learns from further documents."""

from __future__ import annotations

import json
import os
import shlex
from typing import TYPE_CHECKING, Any, NamedTuple

from hlta._support.formats import DOCUMENTS, PAGE, SHARES
from hlta._support.messages import joined
from hlta.cli import common_options as options
from hlta.cli import results
from hlta.cli.inputs import load_model, read_for_model
from hlta.cli.output import monitoring, reported_warnings
from hlta.cli.printing import show, tell
from hlta.cli.run_record import place_of, run_record, sources_of
from hlta.options import LISTED

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator
    from pathlib import Path

    from hlta.estimator import HLTA
    from hlta.topics.topic import Topic
    from hlta.tree.latent_tree import LatentTree


@options.grouped
def update(
    model_path: options.ModelPath,
    paths: list[str],
    *,
    half_life: float | None = None,
    grow: bool = False,
    number: int = 10,
    reading: options.ReadingTextAndId,
    run: options.Run,
    as_json: options.AsJson = False,
) -> None:
    """Learn from further documents, and report how they differ from the earlier ones.

    The topics, their ids and the words stay; shares and keywords follow the documents. With --grow,
    new words join the topics that they tell most about, or become new topics. The model is written
    again, and in the folder of a run also topics.json, topics.csv and, with the report, run.json.

    Parameters
    ----------
    paths : NEW
        The further documents, in any form that `hlta fit` reads.
    half_life : from 1.0, default never
        After how many new documents the earlier ones count half as much.
    grow
        Add the words that the model lacks and that are surely more frequent than before.
    number : from 1
        Most entries to print in each part.
    """
    with results.changing(model_path) as made:
        model = load_model(model_path)
        corpus = read_for_model(model, paths, reading, run, further_words=True)
        record = run_record(model_path)
        before = model.tree_
        with reported_warnings(), monitoring(quiet=run.quiet or as_json) as monitor:
            model.set_params(progress=monitor)
            model.partial_fit(corpus, half_life=half_life, grow=grow)
        drift, changes = model.drift_, _Changes.of(before, model)
        found = drift.to_dict()
        if grow:
            found["added_words"] = changes.words
            found["new_topics"] = [topic.id for topic in changes.new]
        if record is not None:
            source = paths[0] if len(paths) == 1 else paths
            folder = place_of(os.getcwd(), model_path)
            entry = {"source": source, "folder": folder, "half_life": half_life, "drift": found}
            record["updates"] = [*record.get("updates", []), entry]
        results.rewrite_model(made, model_path, model, record)
    if as_json:
        show(json.dumps(found, ensure_ascii=False))
    else:
        show(drift.to_text(number, ids=corpus.ids))
        if grow:
            show("\n".join(changes.lines(number)))
    if not run.quiet:
        tell_of_stale_files(model_path, record)


class _Changes(NamedTuple):
    """What an update changed in the tree."""

    words: list[str]  # that were added
    joined: dict[str, list[str]]  # those of them that joined earlier topics, by topic
    new: list[Topic]  # of those that are shown

    @classmethod
    def of(cls, before: LatentTree, model: HLTA) -> _Changes:
        known, topics = set(before.words), set(before.latent_names)
        words = [word for word in model.tree_.words if word not in known]
        return cls(
            words,
            _joined(words, model, topics),
            [topic for topic in model.topics_ if topic.id not in topics],
        )

    def lines(self, most: int) -> Iterator[str]:
        yield f"{len(self.words):,} words were added."
        if self.joined:
            yield "Earlier topics that they joined; rename those that are about something else now:"
            yield from (
                f"    {topic}: {' '.join(words[:most])}{' …' * (len(words) > most)}"
                for topic, words in self.joined.items()
            )
        if self.new:
            yield "New topics:"
        yield from (f"    {topic.id} {topic.label}" for topic in self.new[:most])
        if len(self.new) > most:
            yield f"    and {len(self.new) - most:,} more"


def _joined(words: Iterable[str], model: HLTA, earlier: Container[str]) -> dict[str, list[str]]:
    """The words by the most specific of the `earlier` topics that is shown above each."""
    tree = model.tree_
    shown = {
        topic.id: f"{topic.id} {topic.title}" for topic in model.topics_ if topic.id in earlier
    }
    number = {word: k for k, word in enumerate(tree.words)}
    found: dict[str, list[str]] = {}
    for word in words:
        node = int(tree.parent[number[word]])
        while node >= 0 and tree.names[node] in earlier and tree.names[node] not in shown:
            node = int(tree.parent[node])
        if node >= 0 and tree.names[node] in shown:
            found.setdefault(shown[tree.names[node]], []).append(word)
    return dict(sorted(found.items(), key=lambda entry: -len(entry[1])))


# ---- results of a run that an update leaves as they were, and the commands to write them again -


def tell_of_stale_files(folder: Path, record: dict[str, Any] | None) -> None:
    """Tell the commands that write what shows documents again, if the folder has it."""
    commands = {
        DOCUMENTS: ["assign", "--main", "-o", str(folder / DOCUMENTS)],
        SHARES: ["assign", "--least", str(LISTED), "-o", str(folder / SHARES)],
        PAGE: ["report"],
    }
    there = [name for name in commands if (folder / name).exists()]
    if not there:
        return
    paths = [] if sources_of(record or {}) else ["PATH"]
    lines = [
        shlex.join(["hlta", verb, str(folder), *paths, *more, "--overwrite"])
        for verb, *more in (commands[name] for name in there)
    ]
    place = ", in place of PATH" if paths else ""
    tell(
        f"{joined(there)} still {'show' if len(there) > 1 else 'shows'} the earlier model; write "
        f"{'them' if len(there) > 1 else 'it'} again with all documents{place}:\n    "
        + "\n    ".join(lines)
    )
