"""The files that the commands write."""

import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import pytest

from hlta import HLTA, Corpus, OptionError
from hlta.cli import results
from hlta.cli.results import main_lines, main_parts, page_title, share_lines, share_parts
from hlta.explorer.container import unpack
from tests.command import mistake, ran, start
from tests.scanning import TEXTS
from tests.synthetic import planted

# ---- where they go -------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="devices have other names there")
@pytest.mark.parametrize("option", [(), ("--overwrite",)])
def test_no_command_replaces_what_it_reads_or_a_device(
    option: tuple[str, ...], fitted: Path, texts_file: Path, tmp_path: Path
) -> None:
    model, link, source = fitted / "model.hlta", tmp_path / "link", tmp_path / "a" / "b.csv"
    link.symlink_to(texts_file)
    source.parent.mkdir()
    shutil.copy(texts_file, source)
    before, table = model.read_bytes(), texts_file.read_bytes()
    commands: list[tuple[object, ...]] = [
        ("assign", fitted, texts_file, "-o", model),
        ("assign", model, texts_file, "-o", model),
        ("report", fitted, "-o", model),
        ("compare", fitted, model, "-o", model),
        ("convert", model, model),
        ("assign", fitted, texts_file, "-o", texts_file),
        ("assign", fitted, texts_file, "-o", link),
        ("fit", source, "-o", source.parent),
        ("assign", fitted, "no.csv", "-o", "/dev/null"),  # before it is seen that there is none
        ("report", fitted, "no.csv", "-o", "/dev/null"),
        ("compare", fitted, fitted, "-o", "/dev/null"),
        ("fit", "no.csv", "-o", "/dev/null"),
    ]
    refused = ("is what the command reads", "exists; choose", "is a device or", "is not a folder")
    for command in commands:
        shown = mistake(*command, *option)
        assert any(reason in shown for reason in refused)
    assert (model.read_bytes(), texts_file.read_bytes()) == (before, table)
    assert Path("/dev/null").is_char_device()


def test_shares_replace_a_file_if_asked(fitted: Path, texts_file: Path, tmp_path: Path) -> None:
    target = tmp_path / "mine.csv"
    target.write_text("mine")
    assign = ("assign", fitted, texts_file, "-o", target)
    assert "exists; choose another name" in mistake(*assign)
    assert target.read_text() == "mine"
    for options, name in ((["--main"], "documents"), (["--least", 0.05], "shares")):
        ran(*assign, "--overwrite", *options)
        assert target.read_text() == (fitted / f"{name}.csv").read_text()


def test_two_fits_into_one_folder(texts_file: Path, tmp_path: Path) -> None:
    """The second is refused while the first one still reads."""
    target = tmp_path / "out"
    with start("fit", "-", "-o", target, stdin=subprocess.PIPE) as first:
        assert first.stdin is not None
        first.stdin.write("some words\n" * 100_000)  # more than a pipe holds: returns when it reads
        shown = mistake("fit", texts_file, "-o", target)
        assert f"another run is writing {str(target)!r}; wait until it ends" in shown
        first.kill()
        first.communicate()
    ran("fit", texts_file, "-o", target, "-q", "--samples", 1)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_fit_and_a_change_do_not_meet(fitted: Path, texts_file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    shutil.copytree(fitted, folder)
    busy = pytest.raises(OptionError, match="another run is writing")
    with results.output_folder(folder, overwrite=True) as made:
        shutil.copytree(fitted, made, dirs_exist_ok=True)
        for change in (results.changing(folder), results.output_folder(folder, overwrite=True)):
            with busy, change:
                pass
    with results.changing(folder):
        for other in (
            results.changing(folder),
            results.changing(folder / "model.hlta"),
            results.output_folder(folder, texts_file, overwrite=True),
        ):
            with busy, other:
                pass
    assert sorted(os.listdir(folder)) == sorted(os.listdir(fitted))


def test_links_of_a_page_that_is_written_again_start_from_its_folder(tmp_path: Path) -> None:
    source, out = tmp_path / "texts", tmp_path / "out"
    source.mkdir()
    for number, text in enumerate(TEXTS):
        (source / f"{number}.txt").write_text(text)

    def links() -> bytes:
        page = (out / "index.html").read_text(encoding="utf-8")
        (packed,) = re.findall(r'id="documents">([^<]*)<', page)
        return unpack(packed).arrays["links"].tobytes()

    ran("fit", source, "-o", out, "-q", "--samples", 1)
    before = links()
    assert before.startswith(b"../texts/")
    ran("report", out, source, "--overwrite", "-q")
    assert links() == before
    ran("edit", out, "--documents", source, "-q")
    assert links() == before


# ---- what they hold ------------------------------------------------------------------------------


def test_a_page_is_titled_by_its_source() -> None:
    for source, title in {
        "a/papers.jsonl.xz": "papers",
        "-": "Topics",
        "v1.2": "v1.2",
        "x.tar.gz": "x",
        "papers/*.csv": "papers",
        "papers/a.csv papers/more/b.csv": "papers",
    }.items():
        assert page_title(source.split()) == title


@pytest.fixture(scope="module")
def themes() -> tuple[HLTA, Corpus]:
    """A model with several levels, and documents of which it does not know the last two."""
    tree = planted(90, 3)
    X = tree.sample(300, seed=1)
    model = HLTA(max_top_topics=4, samples=1).fit(X, words=tree.words)
    rows = np.vstack([X[:40].toarray(), np.zeros((2, 90), dtype=int)])
    return model, Corpus(rows, tree.words)


def test_shares_are_the_same_in_csv_and_json(themes: tuple[HLTA, Corpus]) -> None:
    model, corpus = themes
    rows = list(csv.DictReader(io.StringIO("".join(share_parts(model, corpus, 0.1)))))
    objects = [json.loads(line) for line in share_lines(model, corpus, 0.1)]
    assert [entry["coverage"] for entry in objects] == model.coverage(corpus).tolist()
    assert rows == [
        {"document": entry["document"], **t, "level": str(t["level"]), "share": f"{t['share']:.4f}"}
        for entry in objects
        for t in entry["topics"]
    ]
    shares = model.transform(corpus)
    assert len(rows) == (shares >= 0.1).sum() > 42
    ids = [topic.id for topic in model.topics_]
    for row in rows:
        topic = model.topics_[row["topic"]]
        share = shares[int(row["document"]) - 1, ids.index(topic.id)]
        assert float(row["share"]) == pytest.approx(share, abs=1e-4)
        assert (row["title"], int(row["level"])) == (topic.title, topic.level)


def test_main_topics_are_the_same_in_csv_json_and_the_table(themes: tuple[HLTA, Corpus]) -> None:
    model, corpus = themes
    table = model.main_table(corpus)
    rows = list(csv.DictReader(io.StringIO("".join(main_parts(model, corpus)))))
    objects = [json.loads(line) for line in main_lines(model, corpus)]
    levels = sorted({topic.level for topic in model.topics_}, reverse=True)
    assert len(levels) > 1
    assert list(rows[0]) == table.columns
    for row, entry, expected in zip(rows, objects, table.iter_rows(named=True), strict=True):
        assert row["document"] == entry["document"] == str(expected["document"] + 1)
        for level in levels:
            topic, title, share = (expected[f"{n}_{level}"] for n in ("topic", "title", "share"))
            assert row[f"topic_{level}"] == (topic or "none")
            assert row[f"title_{level}"] == (title or "none")
            assert row[f"share_{level}"] == ("" if share is None else f"{share:.4f}")
            shown = topic and {"topic": topic, "title": title, "share": round(share, 4)}
            assert entry[f"main_{level}"] == shown
    assert all(set(row.values()) == {row["document"], "none", ""} for row in rows[40:])


@pytest.mark.parametrize("write", [share_parts, share_lines, main_parts, main_lines])
def test_what_is_written_does_not_depend_on_batches(
    write: Callable[..., Iterable[str]],
    themes: tuple[HLTA, Corpus],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    threshold = [0.05] if write in (share_parts, share_lines) else []
    at_once = list(write(*themes, *threshold))
    monkeypatch.setattr(results, "_AT_ONCE", 7)
    in_batches = list(write(*themes, *threshold))
    assert len(in_batches) in (1 + 6, 42)
    assert "".join(in_batches) == "".join(at_once)
