"""Files to read in portions, and all that reading them gives and tells."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hlta import Corpus, HltaError, Monitor, read_corpus

BLOCK = 2_000
WORDS = [f"{a}{b}{c}" for a in "bdkl" for b in ("ara", "eni", "uto") for c in "mnrs"]


class Notes(Monitor):
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.done = 0

    def note(self, text: str) -> None:
        self.notes.append(text)

    def advance(self, steps: int = 1) -> None:
        self.done += steps


def shown(path: Any, **options: Any) -> tuple[Any, list[tuple[str, str]], list[str]]:
    """All that reading gives, and tells: a corpus as plain values, or the error."""
    skipped, monitor = [], Notes()
    try:
        corpus = read_corpus(
            path, on_skip=lambda *a: skipped.append(a), progress=monitor, **options
        )
    except HltaError as error:
        return (type(error), str(error)), skipped, monitor.notes
    return plain(corpus), skipped, monitor.notes


def plain(corpus: Corpus) -> dict[str, Any]:
    """Everything in a corpus, to the bit."""
    assert corpus.phrases is not None
    assert corpus.coverage is not None
    phrases = corpus.phrases
    return {
        "documents": [array.tobytes() for array in corpus.documents.presences()],
        "words": corpus.words,
        "options": corpus.text_options,
        "coverage": corpus.coverage.tobytes(),
        "originals": None if corpus.originals is None else corpus.originals.tolist(),
        "phrases": (
            phrases.names,
            phrases.rows.tobytes(),
            [array.tobytes() for array in phrases.documents.presences()],
        ),
        "fields": {name: list(values) for name, values in corpus.fields.items()},
        "group": corpus.group_name,
        **{name: list(values) for name, values in corpus.metadata.items()},
    }


def texts(n: int, seed: int = 0) -> list[str]:
    """Texts, some of which repeat others, and a passage that stands in many."""
    rng = random.Random(seed)
    made: list[str] = []
    for k in range(n):
        text = " ".join(rng.choices(WORDS, k=rng.randint(3, 30)))
        made.append(made[k // 2] if k % 10 == 9 else text)
        if k % 4 == 1:
            made[-1] += " sent with care from the desk of the editor of this journal"
    return made


def rows(n: int, quote: str = "") -> Iterator[str]:
    yield "title\tabstract\tcategory\tdate"
    for k, text in enumerate(texts(n)):
        yield "\t".join(
            (f"on {WORDS[k % 48]}", f"{quote}{text}{quote}", f"g{k % 3}", f"20{k % 20:02}")
        )


def write(path: Path, lines: Any, end: str = "\n", encoding: str = "utf-8") -> Path:
    path.write_bytes(end.join([*lines, ""]).encode(encoding))
    return path


def cut_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let portions be small, and blocks of files that are cut."""
    monkeypatch.setattr("hlta.reading.portions.LEAST", BLOCK)
    monkeypatch.setattr("hlta.reading.portions._OF_A_FILE", 100)
    monkeypatch.setattr("hlta.reading.tables.blocks.BLOCK", BLOCK)
    for module in ("tables.blocks", "cutting"):
        monkeypatch.setattr(f"hlta.reading.{module}.FIRST", BLOCK)


def folder_of_many_kinds(root: Path) -> Path:
    """A folder of files, of which some cannot be read."""
    for k, text in enumerate(texts(60)):
        below = root / f"group{k % 3}" / f"deep{k % 2}"
        below.mkdir(parents=True, exist_ok=True)
        (below / f"{k}.txt").write_text(f"{text} {text}")
    write(root / "large.tsv", rows(100))
    write(root / "lines.jsonl", [json.dumps({"text": text}) for text in texts(100, 3)])
    (root / "array.json").write_text(json.dumps([{"text": text} for text in texts(20, 4)]))
    (root / "group1" / "no.docx").write_bytes(b"PK\3\4 no archive")
    (root / "group1" / "cut.csv.gz").write_bytes(b"\x1f\x8b\x08\0\0\0\0\0")
    (root / "group1" / "empty.txt").write_text(" ")
    (root / "group1" / "damaged.txt").write_bytes("été ".encode() * 50 + b"\xff bara")
    (root / "group1" / ".hidden").write_text("hidden")
    (root / "old.doc").write_text("old")
    (root / "picture.png").write_text("picture")
    return root
