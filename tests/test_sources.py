"""Where documents come from: paths, patterns, folders; what is skipped; the corpus of what is read."""

import gzip
import json
import lzma
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from hlta import DocumentsError, OptionError, TextOptions, read_corpus
from hlta.cli.output import report_skipped
from hlta.options import TextKeywords
from hlta.reading import sources
from hlta.reading.corpus_reader import CorpusKeywords, read_with_words
from hlta.reading.matrices.matrix_files import Matrix, write_matrix
from hlta.reading.records import ReadKeywords, ReadOptions
from hlta.reading.skipped import Skipped, ending_not_read
from hlta.reading.sources import read_documents
from tests.command import run
from tests.portions import Notes
from tests.reads import read, read_and_skipped, texts_in


def test_a_folder_is_searched_in_order_but_not_what_is_hidden_or_of_a_run(tmp_path: Path) -> None:
    for name, text in {
        "b/two.txt": "second\ndocument",
        "a.md": "first",
        "42": "no suffix",
        "emoji 🙂\n.txt": "odd name",
        "results/model.hlta": "a model",
        "results/index.html": "<p>a page",
        ".git/config": "hidden folder",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert [(r.text, r.id, r.group) for r in read(tmp_path)] == [
        ("no suffix", "42", ""),
        ("first", "a.md", ""),
        ("odd name", "emoji 🙂\n.txt", ""),
        ("second\ndocument", str(Path("b", "two.txt")), "b"),
    ]


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("x.doc", b"\xd0", "save it as .docx"),
        ("x.bin", b"some text", "rename them to .txt"),
        ("x.bin", b"\x00\x01", "files that end in .bin are not read"),
        ("binary.txt", b"\x00\x01\x02", "it holds no text"),
        ("empty.txt", b"", "it has no text"),
        (".hidden", b"hidden", "hidden files are not read"),
        ("~$open.docx", b"hidden", "hidden files are not read"),
        ("y.txt.gz", b"no gzip", "Not a gzipped file"),
        ("cut.txt.xz", lzma.compress(b"text" * 1000)[:-20], "it ends too early"),
        ("bent.txt.gz", gzip.compress(b"text" * 1000, mtime=0)[:12] + b"bent" * 9, "Error -3"),
        ("results.served", b"SQLite format 3", "hlta serve keeps it beside a model"),
        ("results/model.hlta", b"a model", "it holds results of hlta"),
    ],
)
def test_what_else_is_there_is_told(tmp_path: Path, name: str, data: bytes, reason: str) -> None:
    (tmp_path / "a.txt").write_text("text")
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)
    records, skipped = read_and_skipped(tmp_path)
    assert [record.id for record in records] == ["a.txt"]
    assert list(skipped) == [name.split("/", maxsplit=1)[0]]
    assert reason in next(iter(skipped.values()))


@pytest.mark.parametrize("name", ["x.pdf", "x.csv", "x.jsonl"])
def test_whatever_a_reader_raises_is_that_files_fault(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("text")
    (tmp_path / "b.json").write_text('["text"]')
    for error in (ValueError("odd"), RecursionError("odd"), AttributeError("odd")):
        shown = f"it cannot be read ({type(error).__name__}: odd)"
        with failing(error):
            records, skipped = read_and_skipped(tmp_path)
            with pytest.raises(DocumentsError) as caught:
                read(tmp_path / name)
        assert [record.text for record in records] == ["text"]
        assert skipped == {name: shown}
        assert str(caught.value) == f"{str(tmp_path / name)!r}: {shown}"


@contextmanager
def failing(error: Exception) -> Iterator[None]:
    """Every reader raises an error."""

    def fail(*_: Any) -> Any:
        raise error

    with pytest.MonkeyPatch.context() as patch:
        for reader in ("read_single", "table", "json_lines"):
            patch.setattr(sources, reader, fail)
        yield


@pytest.mark.parametrize("error", [OptionError("no such column"), ImportError("too old")])
def test_what_is_no_files_fault_ends_the_run(tmp_path: Path, error: Exception) -> None:
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text("text")
    with failing(error), pytest.raises(type(error), match=str(error)):
        read(tmp_path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes in folders")
def test_only_regular_files_of_a_folder_are_read(tmp_path: Path) -> None:
    for name in ("pipe.txt", "pipe.pdf", "pipe.gz"):
        os.mkfifo(tmp_path / name)  # which waits for a writer for ever
    (tmp_path / "zero.txt").symlink_to("/dev/zero")
    (tmp_path / "gone.txt").symlink_to("nowhere")
    (tmp_path / "a.txt").write_text("text")
    (tmp_path / "b.txt").symlink_to("a.txt")
    records, skipped = read_and_skipped(tmp_path)
    assert [record.id for record in records] == ["a.txt", "b.txt"]
    no_file = "it is not a regular file; only those are read from a folder"
    pipes = {name for name, why in skipped.items() if why == no_file}
    assert pipes == {"pipe.txt", "pipe.pdf", "pipe.gz", "zero.txt"}
    assert skipped["gone.txt"] == "No such file or directory"
    os.mkfifo(tmp_path / "pipe")
    with ThreadPoolExecutor() as pool:  # one that is named is read
        pool.submit((tmp_path / "pipe").write_text, "one\ntwo\n")
        assert texts_in(tmp_path / "pipe") == ["one", "two"]


def test_a_file_beyond_memory_is_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(file: Any) -> bytes:
        data: bytes = file.read()
        if data == b"large":
            raise MemoryError
        return data

    monkeypatch.setattr(sources, "read_document", full)
    for name, text in (("a.txt", "text"), ("b.txt", "large")):
        (tmp_path / name).write_text(text)
    records, skipped = read_and_skipped(tmp_path)
    assert [record.text for record in records] == ["text"]
    assert skipped == {"b.txt": "it does not fit into memory"}


def test_a_folder_without_texts_is_refused_by_reason(tmp_path: Path) -> None:
    for k in range(30):
        (tmp_path / f"{k:02}.png").write_bytes(b"PNG")
    (tmp_path / "empty\x1b]0;.txt").write_bytes(b"")
    reasons = r"Not read: 30, such as '00.png': .* \.png .*; 'empty.*txt': it has no text\."
    with pytest.raises(DocumentsError, match=reasons):
        read(tmp_path)


@pytest.mark.parametrize(
    ("name", "data", "options", "message"),
    [
        ("x.txt", b"\x00\x01", {}, r"holds no text"),
        ("x.txt", b"", {}, r"has no documents that can be read; give at least one text"),
        ("x.txt", b"\xff", {"encoding": "utf-8"}, r"line 1 on, is not utf-8: byte 0 is 0xff"),
        ("x.parquet", b"PAR1", {}, r"x.parquet' cannot be read"),
        ("x.parquet.gz", b"PAR1", {}, r"decompress it first"),
        ("x.pdf", b"%PDF", {}, r"x.pdf' cannot be read: it is not a readable PDF"),
        ("\x1b]0;.csv", b"a,b\n1,2\n", {}, r"no column is named text"),
        (
            "x.csv",
            b"id,text\n1,\n2,\n",
            {},
            r"2, such as '.*x.csv, record 1': it has no text; give",
        ),
    ],
)
def test_files_that_cannot_be_read_are_named(
    tmp_path: Path, name: str, data: bytes, options: dict[str, Any], message: str
) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(DocumentsError, match=message) as refused:
        read(tmp_path / name, **options)
    assert str(refused.value).isprintable()


# ---- which files are meant -----------------------------------------------------------------------


SHARD = "id,text,group\n,deep nets,x\nmine,social graphs,\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder, which is also the current one, with shards, texts and what is neither."""
    for name, text in {
        "shards/a.csv": SHARD,
        "shards/b.csv": SHARD.replace("mine", "other"),
        "texts/one.txt": "one\ntext",
        "texts/two.md": "two",
        "labels.csv": "name,score\na,1\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ids(*paths: str) -> list[str]:
    return [record.id for record in read(list(paths))]


def test_a_mixed_folder_is_read_as_each_file_is(folder: Path) -> None:
    (folder / "c.jsonl").write_text('{"text": "one"}\n{"text": "two"}')
    (folder / "d.json").write_text('["three", {"text": "four", "id": 4}]')
    (folder / "e.json").write_text('{"text": "five", "id": "5"}')
    (folder / "texts" / "again").symlink_to(folder / "shards")
    records, skipped = read_and_skipped(folder)
    assert [(record.id, record.group) for record in records] == [
        *(("c.jsonl:1", ""), ("c.jsonl:2", ""), ("d.json:1", ""), ("4", ""), ("5", "")),
        *(("shards/a.csv:1", "x"), ("mine", "shards")),
        *(("shards/b.csv:1", "x"), ("other", "shards")),
        *(("texts/one.txt", "texts"), ("texts/two.md", "texts")),
    ]
    assert skipped["labels.csv"].startswith("no column is named text")
    assert "link to a folder" in skipped["texts/again"]
    assert len(skipped) == 2


@pytest.mark.usefixtures("folder")
def test_several_paths_are_read_as_if_in_one_folder() -> None:
    expected = ["texts/one.txt", "shards/a.csv:1", "mine", "shards/b.csv:1", "other"]
    assert ids("texts/one.txt", "shards", "texts/one.txt") == expected
    groups = [record.group for record in read(["texts", "./shards/"])]
    assert groups == ["texts", "texts", "x", "shards", "x", "shards"]


def test_patterns_that_the_shell_did_not_expand_unless_there_is_such_a_file(folder: Path) -> None:
    for pattern in ("shards/*.csv", "shards/[ab].csv", "**/[ab].csv", "shards/?.csv"):
        assert ids(pattern) == ["shards/a.csv:1", "mine", "shards/b.csv:1", "other"]
        assert read(pattern) == read([pattern])
    (folder / "a[1].txt").write_text("x\ny")
    (folder / "a1.txt").write_text("other")
    assert texts_in("a[1].txt") == ["x", "y"]


@pytest.mark.parametrize(
    ("paths", "message"),
    [
        (["*.none"], r"'\*.none' matches no file; check the pattern and the folder"),
        (["texts", "nowhere"], "'nowhere' does not exist"),
        ([], "there is no path"),
        (["-"], "standard input is closed"),
        (["texts", "-"], "standard input, must be the only path"),
        (["https://a.org/b.csv"], "is an address"),
        (["labels.csv", "texts/none*", "texts"], "matches no file"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_paths_of_no_files_are_told(monkeypatch: Any, paths: list[str], message: str) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(DocumentsError, match=message):
        read(paths)


def test_texts_that_are_mail_are_told(tmp_path: Path) -> None:
    posts = [f"From: x\nSubject: s{k}\n\n> quoted\nbody" for k in range(2)]
    (tmp_path / "x.jsonl").write_text("".join(json.dumps({"text": post}) + "\n" for post in posts))
    (tmp_path / "post.txt").write_text(posts[0])
    for path, shown in ((tmp_path, 3), (tmp_path / "x.jsonl", 2), (tmp_path / "post.txt", 1)):
        for options, mails in ((ReadOptions(), shown), (ReadOptions(mail="keep"), 0)):
            skipped = Skipped()
            texts = [one.text for one in read_documents(path, options, on_skip=skipped)]
            assert any("quoted" in text for text in texts) == (mails == 0)
            assert (skipped.mails, skipped.count) == (mails, 0)


def test_maildirs_and_posts_without_suffix_are_recognised(tmp_path: Path) -> None:
    (tmp_path / "cur").mkdir()
    (tmp_path / "cur" / "1234.M1P2.host:2,S").write_text("From: x\nSubject: First\n\nbody")
    (tmp_path / "cur" / "notes.cfg").write_text("key: value\n\nno mail")
    records, skipped = read_and_skipped(tmp_path)
    assert [record.title for record in records] == ["First"]
    assert [*skipped] == [os.path.join("cur", one) for one in ("1234.M1P2.host:2,S", "notes.cfg")]


def test_commands_take_several_paths(folder: Path, texts_file: Path, fitted: Path) -> None:
    lines = texts_file.read_text().splitlines()
    for number in range(2):
        part = [json.dumps({"text": line}) for line in lines[number::2]]
        (folder / f"{number}.jsonl").write_text("\n".join(part))
    several = ("0.jsonl", "1.jsonl")
    done = run("convert", *several, "both")
    assert (done.exit_code, f"{len(lines):,} documents" in done.stderr) == (0, True)
    assigned = run("assign", fitted, *several).stdout.splitlines()[1:]
    assert {row.split(":")[0] for row in assigned} == set(several)
    for paths in (several, ("[01].jsonl",)):
        assert f"{len(lines):,} documents" in run("score", fitted, *paths).stdout


def test_reasons_are_counted_each_with_an_example_and_endings_are_one() -> None:
    skipped = Skipped()
    assert skipped.by_reason() == []
    for k in range(1500):
        skipped(f"{k}.png", "no text")
    others = ["bent", "cut", "torn", "old", "new", "long", "short", "round"]
    for k, reason in enumerate(["odd", "odd", *others]):
        skipped(f"{k}.txt", reason)
    assert skipped.count == 1510
    assert skipped.reasons == {"no text": 1500, "odd": 2, **dict.fromkeys(others, 1)}
    assert skipped.by_reason() == [
        "1,500, such as '0.png': no text",
        "2, such as '0.txt': odd",
        *(f"'{k}.txt': {reason}" for k, reason in enumerate(others[:6], start=2)),
        "2 for other reasons",
    ]
    assert skipped.by_reason("; see x")[-1] == "2 for other reasons; see x"
    for k in range(3000):  # which memory is bounded for
        skipped(str(k), f"reason {k}")
    assert (skipped.count, len(skipped.first), len(skipped.reasons)) == (4510, 1000, 1000)
    assert skipped.first[-1] == {"what": "999.png", "reason": "no text"}
    skipped = Skipped()
    skipped("\x1b[31m.so", ending_not_read(".so", text=False))
    for k in range(12):
        skipped(f"a.{k}x", ending_not_read(f".{k}x", text=True))
    many, one = skipped.by_reason()
    assert ".0x, .1x, .2x, .3x, .4x, .5x, .6x, .7x or 4 other endings are not read" in many
    assert one.endswith(".so': files that end in .so are not read")
    assert one.isprintable()


def test_what_is_read_despite_a_defect_is_not_skipped(tmp_path: Path, capsys: Any) -> None:
    rows = ("20-05-19,PAR größe über é", "2020,naïve Straße", "2021,häufig öfter", "2020,")
    text = "\n".join(["date,text", *rows, ""])
    path = tmp_path / "x.csv"
    path.write_bytes(text.encode().replace(b"PAR", b"p\xe4r"))
    skipped, options = Skipped(), ReadOptions(date_format="%y-%m-%d")
    assert len([*read_documents(path, options, on_skip=skipped)]) == 3
    report_skipped(skipped, quiet=False)
    damage, dates, empty = capsys.readouterr().err.splitlines()
    assert damage.endswith(
        "1'\" has U+FFFD in place of characters that could not be decoded, by hlta or before"
    )
    assert dates.startswith("2 dates, such as that of ")
    assert dates.endswith("are not in the format '%y-%m-%d', and were read as usual")
    assert empty.startswith("Skipped ")
    assert (skipped.count, len(skipped.reasons)) == (4, 3)  # as in run.json


# ---- a corpus of what is read --------------------------------------------------------------------


OPTIONS: dict[str, Any] = {"min_df": 1, "stop_words": None}


@pytest.fixture
def table(tmp_path: Path) -> Path:
    rows = ("7,Nets,deep nets learn,2020", "8,,deep nets,", "9,Graphs,graphs learn,2021")
    (tmp_path / "x.csv").write_text("\n".join(["id,title,abstract,year", *rows]))
    return tmp_path / "x.csv"


@pytest.fixture
def matrix(tmp_path: Path) -> Path:
    write_matrix(tmp_path / "m.npz", Matrix(csr_array(np.array([[2, 0], [1, 1]])), ("a", "b")))
    return tmp_path / "m.npz"


def test_a_corpus_knows_what_the_table_does(table: Path) -> None:
    corpus = read_corpus(table, **OPTIONS)
    assert {name: list(values) for name, values in corpus.metadata.items()} == {
        "ids": ["7", "8", "9"],
        "titles": ["Nets", "", "Graphs"],
        "dates": ["2020", "", "2021"],
        "texts": ["deep nets learn", "deep nets", "graphs learn"],
    }
    assert corpus.text_options == TextOptions(**OPTIONS, languages=())
    assert set(corpus.words) == {"deep", "nets", "learn", "graphs"}
    assert "texts" not in read_corpus(table, keep_texts=False, **OPTIONS).metadata


def test_words_take_no_text_options(matrix: Path, tmp_path: Path) -> None:
    corpus = read_corpus(matrix, **OPTIONS)
    assert (corpus.words, corpus.text_options) == (("a", "b"), None)
    corpus.save(tmp_path / "saved")
    assert read_corpus(tmp_path / "saved").words == ("a", "b")
    given: dict[str, Any] = {"ngrams": 1, "n_words": None, "text": "body", "mail": "keep"}
    for name, value in given.items():
        for path in (matrix, tmp_path / "saved"):
            with pytest.raises(OptionError, match=f"{name} is an option for texts, but .* holds"):
                read_corpus(path, **{name: value})


@pytest.mark.parametrize(
    ("paths", "options", "message"),
    [
        ("x.csv", {"vocabulary": "x.csv"}, "is not a matrix file; leave it out"),
        ("x.csv", {"n_gram": 2}, r"'n_gram' is not an option for texts; use one of text, .*ngrams"),
        ("nowhere.npz", {}, r"'nowhere\.npz' does not exist"),
        (["x.csv", "m.npz"], {}, r"'m\.npz' holds words already, so .* only path"),
    ],
)
@pytest.mark.usefixtures("table", "matrix")
def test_what_makes_no_sense_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, paths: Any, options: Any, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises((OptionError, DocumentsError), match=message):
        read_corpus(paths, **options)


def test_progress_and_the_columns_that_were_taken_are_told_once(tmp_path: Path) -> None:
    def shown(path: Path, **options: Any) -> list[str]:
        monitor = Notes()
        read_corpus(path, progress=monitor, max_df=1.0, **options)
        assert monitor.done >= 200  # in hundreds
        return [note for note in monitor.notes if note.startswith("Reading")]

    rows = ["Abstract,year,keywords", *(f"words of text {k},2001,none" for k in range(250))]
    entries = ['{"gist": "further words of text", "created": "2002"}'] * 250
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text("\n".join(rows))
    (tmp_path / "c.jsonl").write_text("\n".join(entries))
    of_rows = 'Reading a.csv: text from "Abstract", date from "year"; unused: \'keywords\''
    assert shown(tmp_path / "a.csv") == [of_rows]
    assert shown(tmp_path / "c.jsonl", text="gist", id="created") == [
        'Reading c.jsonl: text from "gist", id from "created", date from "created"'
    ]
    assert shown(tmp_path) == [of_rows]  # of two tables that are alike, the first is told
    named = ["Headline,Comment,type", *(f"great head {k},words of text {k},a" for k in range(250))]
    (tmp_path / "d.csv").write_text("\n".join(named))
    of_comments = 'Reading d.csv: text from "Comment", title from "Headline", group from "type"'
    assert shown(tmp_path / "d.csv") == [of_comments]
    (tmp_path / "e.csv").write_text("\n".join(row.replace("Comment", "x") for row in named))
    assert shown(tmp_path / "e.csv") == [
        'Reading e.csv: text from "Headline", group from "type"; unused: \'x\''
    ]


def test_documents_are_read_with_given_words_unless_those_of_a_matrix(table: Path) -> None:
    corpus = read_with_words(table, ["nets", "new"], TextOptions())
    assert corpus.documents.to_csr().toarray().tolist() == [[1, 0], [1, 0], [0, 0]]
    assert corpus.ids is not None
    with pytest.raises(DocumentsError, match="learned from a matrix and cannot read texts"):
        read_with_words(table, ["nets"], None)


@pytest.mark.parametrize(
    ("keywords", "options"), [(TextKeywords, TextOptions), (ReadKeywords, ReadOptions)]
)
def test_keywords_are_the_fields_of_the_options(keywords: Any, options: Any) -> None:
    chosen = [field.name for field in fields(options) if field.compare]  # not what reading found
    assert list(keywords.__annotations__) == chosen
    assert not keywords.__required_keys__
    assert set(CorpusKeywords.__annotations__) >= set(keywords.__annotations__)
