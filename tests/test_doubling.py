"""Twice as many documents, rows, tags or parts are about twice as much work, for readers and commands.

What counts as work, and what is not seen, is said in `tests.work`. PDFium is among the latter.
"""

import json
import shutil
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, nullcontext
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import numpy as np
import pytest

from hlta import HLTA, Corpus, TopicTree
from hlta.cli.inputs import read_json, read_word_list
from hlta.cli.results import read_titles
from hlta.documents import corpus_folder
from hlta.documents.dates import day_first, iso_date
from hlta.edits.log import EditLog
from hlta.evaluate import read_vectors
from hlta.evaluate.coding import read_codes
from hlta.evaluate.word_lists import read_word_lists
from hlta.explorer.serve.archive import ORDERS, Archive
from hlta.explorer.serve.guide import Guide
from hlta.explorer.serve.server import _ANSWERS, Server
from hlta.learning import checkpoint_folder
from hlta.reading.formats.pdf_process import texts
from hlta.reading.matrices.beside_matrices import with_metadata
from hlta.reading.matrices.matrix_files import read_matrix
from hlta.reading.records import ReadOptions
from hlta.reading.sources import read_documents
from hlta.seeds.given import Given
from hlta.tree.bif import read_bif
from tests import growing
from tests.command import ran
from tests.examples import HIERARCHY
from tests.nightly import nightly
from tests.scanning import TEXTS
from tests.served import archive_of
from tests.trees import small_tree
from tests.work import assert_linear

pytestmark = pytest.mark.slow  # counting the lines that run makes them slow

# How many units there are, and twice as many: fewer of those that take more work each.
FILES = {
    100: growing.OTHERS | growing.PAGES | growing.XML | growing.WORKBOOKS,
    60: growing.TABLES,
    25: growing.ARCHIVES,
    15: growing.MAIL,
}


def grown(folder: Path, name: str, make: growing.Maker, *sizes: int) -> dict[int, Path]:
    """Files of some sizes."""
    paths = {}
    for size in sizes:
        paths[size] = folder / str(size) / name
        paths[size].parent.mkdir()
        paths[size].write_bytes(make(size))
    return paths


@pytest.mark.parametrize(
    ("name", "make", "n"),
    [
        pytest.param(name, make, n, id=name)
        for n, files in FILES.items()
        for name, make in files.items()
    ],
)
def test_files_of_documents(name: str, make: growing.Maker, n: int, tmp_path: Path) -> None:
    paths = grown(tmp_path, name, make, 1, n, 2 * n)
    options = ReadOptions(broken="skip")
    assert_linear(lambda size: list(read_documents(paths[size], options)), n)


@pytest.mark.parametrize("name", growing.PDF)
def test_pdf(name: str) -> None:
    data = {size: growing.PDF[name](size) for size in (1, 50, 100)}
    assert_linear(lambda size: texts(data[size], 1000), 50)


@pytest.mark.parametrize("name", growing.MATRICES)
def test_matrices(name: str, tmp_path: Path) -> None:
    paths = grown(tmp_path, name, growing.MATRICES[name], 1, 1000, 2000)
    for path in paths.values():
        (path.parent / "vocab.txt").write_text("".join(f"w{k}\n" for k in range(3000)))
    assert_linear(lambda size: read_matrix(paths[size]), 1000)


def test_tables_beside_matrices(tmp_path: Path) -> None:
    paths = grown(tmp_path, "a.csv", growing.TABLES["columns.csv"], 1, 200, 400)
    corpus, options = Corpus(np.eye(3), list("abc")), ReadOptions(keep="all")

    def read(n: int) -> None:
        with warnings.catch_warnings(action="ignore"):  # of columns that are not kept
            with_metadata(corpus, paths[n], options)

    assert_linear(read, 200)


BESIDE: dict[str, tuple[Callable[[Path], object], dict[str, growing.Maker]]] = {
    "vectors": (partial(read_vectors, words=[f"w{k}" for k in range(500)]), growing.VECTORS),
    "word lists": (read_word_lists, growing.WORD_LISTS),
    "codes": (read_codes, growing.ROWS),
    "titles": (read_titles, growing.ROWS),
    "words": (read_word_list, growing.WORDS),
    "seeds": (lambda path: _seeds_of(read_json(path)), growing.SEEDS),
    "apart": (
        lambda path: _seeds_of(None, read_json(path)),
        {name: growing.SEEDS[name] for name in ("lists.json", "a list.json")},
    ),
    "trees": (read_bif, growing.BIF),
}


def _seeds_of(seeds: Any, apart: Any = None) -> object:
    given = Given.read(seeds, apart)
    words = [*given.words, "other"]
    return given.within(Corpus(np.ones((1, len(words))), words)).wishes


@pytest.mark.parametrize(
    ("read", "make"),
    [
        pytest.param(read, make, id=f"{kind}, {name}")
        for kind, (read, files) in BESIDE.items()
        for name, make in files.items()
    ],
)
def test_files_beside_documents(read: Any, make: growing.Maker, tmp_path: Path) -> None:
    paths = grown(tmp_path, "file", make, 1, 100, 200)
    assert_linear(lambda size: read(paths[size]), 100)


@pytest.mark.parametrize(
    "written", ["{}", "{}/{}/{}", "{0:02}.{0:02}.2020", "1 Jan 2020 {}", "mon,{}"]
)
def test_dates(written: str) -> None:
    def read(n: int) -> None:
        dates = [written.format(*[1 + k % 28] * 3) for k in range(n)]
        dates += [written.format(*[mark * n] * 3) for mark in "1 .,/(:"]
        first = day_first(dates)
        assert all(iso_date(date, first) for date in dates)

    assert_linear(read, 200)


def _corpus(n: int) -> Corpus:
    """Documents of some words, and all that is kept of documents."""
    X = np.random.default_rng(0).random((n, len(HIERARCHY.words))) < 0.4
    X[0] = True
    return Corpus(
        X,
        HIERARCHY.words,
        ids=[f"d{k}" for k in range(n)],
        titles=[f"title {k}" for k in range(n)],
        dates=[f"{2000 + k % 9}-01" for k in range(n)],
        groups=[f"g{k}\n{'ab'[k % 2]}" for k in range(n)],
        texts=[f"deep network number {k}" for k in range(n)],
        fields={"Field": ["xy"[k % 2] for k in range(n)]},
    )


def test_kept_corpora(tmp_path: Path) -> None:
    """Of many documents and of many shards, which are few documents here."""
    runs = count()

    def keep(n: int) -> None:
        _corpus(n).save(folder := tmp_path / str(next(runs)))
        Corpus.load(folder)

    assert_linear(keep, 100)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(corpus_folder, "SHARD", 1)
        assert_linear(keep, 20)


def test_logs_of_edits(tmp_path: Path) -> None:
    edit = '{"edit": "note", "topic": "Z1-1", "text": "#", "words": {"Z1-1": ["a"]}}, '
    head = '{"format": "hlta-edits", "version": 1, "model": "m", "edits": ['
    make = growing.each(edit, head, f"{edit[:-2]}]}}")
    paths = grown(tmp_path, "edits.json", make, 1, 200, 400)
    assert_linear(lambda size: EditLog.load(paths[size]).to_json(), 200)


def test_checkpoints(tmp_path: Path) -> None:
    """Of many steps, each a tree and arrays."""
    fit: dict[str, Any] = {}
    value = (small_tree(), np.zeros(9), (1.0, None))
    runs = count()

    def keep(n: int) -> None:
        path = tmp_path / str(next(runs))
        checkpoint_folder._write(path, fit, {f"vote {k}": value for k in range(n)})
        assert len(checkpoint_folder._read(path, fit)) == n

    assert_linear(keep, 20)


TOPICS = TopicTree.from_tree(HIERARCHY, lowest_level=1)
TOPIC = TOPICS.roots[0].id
_ASKED = 250


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[int, Archive]]:
    with ExitStack() as open_:
        found = {}
        for n in (20, _ASKED, 2 * _ASKED):
            folder = tmp_path_factory.mktemp("kept")
            found[n] = open_.enter_context(archive_of(folder, HIERARCHY, TOPICS, _corpus(n)))
        yield found


def _again(archive: Archive) -> Archive:
    """An archive that remembers no answers."""
    return Archive(archive.corpus, archive.store, TOPICS.shares().sharing)


_SETS = (
    *("with=all", "with=none", "with=copies", f"with=topic:{TOPIC}&without=main:{TOPIC}"),
    *("with=word:a", "with=text:deep", 'with=text:"deep+network"', "with=text:ne*"),
    *("with=group:a&or=group:g7", "with=date:2001..2003", "with=area:0,0,9,0,9,9"),
)


@pytest.mark.parametrize(
    "asked",
    [
        *(f"found?{one}" for one in _SETS),
        *("words?", "divided?by=date", "divided?by=group", "document?row=1"),
        *(f"rows?{_SETS[5]}&by=topic:{TOPIC}&from=0&to=99&order={order}&fold=" for order in ORDERS),
    ],
)
def test_questions_of_the_page(asked: str, archives: dict[int, Archive]) -> None:
    path, question = asked.split("?")
    parts = parse_qsl(question, keep_blank_values=True)
    assert_linear(lambda n: _ANSWERS[path](_again(archives[n]), parts), _ASKED, least=20)


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("outline", {}),
        ("topic", {"topic": TOPIC}),
        ("search", {"query": 'group:a OR NOT "deep network" AND ne*'}),
        ("documents", {"topic": TOPIC, "text": "deep", "word": "a", "group": "a"}),
        ("document", {"number": 1}),
        ("why", {"topic": TOPIC, "document": 1}),
        *(("trends", {"topic": TOPIC, "by": by}) for by in ("time", "group", "Field")),
        ("compare", {"first": TOPIC, "second": TOPICS.roots[-1].id}),
    ],
)
@pytest.mark.filterwarnings("ignore:only the 500 largest of")
def test_questions_of_agents(tool: str, given: Any, archives: dict[int, Archive]) -> None:
    def ask(n: int) -> None:
        archive = _again(archives[n])
        getattr(Guide(HIERARCHY, TOPICS, archive.corpus, archive), tool)(**given)

    assert_linear(ask, _ASKED, least=20)


_DOCUMENTS = 100


def _documents(n: int) -> bytes:
    """Documents of a few words, which have ids, dates and groups."""
    rows = (
        {"id": f"d{k}", "date": f"{2000 + k % 9}", "group": "ab"[k % 2], "text": TEXTS[k % 30]}
        for k in range(n)
    )
    return "\n".join(map(json.dumps, rows)).encode()


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    folder = tmp_path_factory.mktemp("documents")
    return grown(folder, "a.jsonl", _documents, 10, _DOCUMENTS, 2 * _DOCUMENTS)


@nightly
@pytest.mark.parametrize(
    "command",
    [
        "fit {} -o {new} --samples 1 --em-steps 1 --min-df 1",
        "convert {} {new}.npz --min-df 1",
        "update {model} {}",
        "assign {model} {}",
        "score {model} {}",
        "documents {model} {} --search network",
        "documents {model} {} --like d1",
        "trends {model} {}",
        "trends {model} {} --by group",
        "evaluate {model} {}",
        "trends {model} {} --by both",
        "evaluate {model} {} --classes group",
        "report {model} {} --overwrite",
        "report {model} {} --methods",
        "report {model} {} --appendix {new}.csv",
        "report {model} {} --codebook {new}.md",
        "serve {model} {} --port 0",
        "mcp {model} {}",
    ],
)
def test_documents_of_commands(
    command: str, sources: Any, fitted: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if command.startswith("mcp"):
        pytest.importorskip("mcp")
        monkeypatch.setattr("mcp.server.MCPServer.run", lambda _: None)
    monkeypatch.setattr(Server, "in_background", lambda _: nullcontext())
    monkeypatch.setattr(Server, "serve_forever", lambda _: None)
    runs = count()

    def do(n: int) -> None:
        model = tmp_path / str(next(runs))
        shutil.copytree(fitted, model)
        paths = {"model": model, "new": model / "new"}
        ran(*command.format(sources[n], **paths).split(), "-q", "--jobs", 1)

    assert_linear(do, _DOCUMENTS, least=10)


@nightly
@pytest.mark.parametrize("command", ["edit {model} {log}", "compare {model} {model}"])
def test_edits(command: str, fitted: Path, tmp_path: Path) -> None:
    """A log of edits is made again edit by edit."""
    runs = count()
    models: dict[int, Path] = {}
    for n in (1, 20, 40):
        shutil.copytree(fitted, models.setdefault(n, tmp_path / f"of-{n}"))
        model = HLTA.load(models[n])
        for k in range(n):
            model.edit.rename(model.topics_.roots[k % len(model.topics_.roots)], f"Title {k}")
        model.edit.save(tmp_path / f"{n}.json")
        model.save(models[n] / "model.hlta")

    def do(n: int) -> None:
        model = models[n] if "compare" in command else tmp_path / str(next(runs))
        if not model.exists():
            shutil.copytree(fitted, model)
        typed = command.format(model=model, log=tmp_path / f"{n}.json").split()
        ran(*typed, "-q", "--jobs", 1)

    assert_linear(do, 20)
