"""The files that the commands write."""

from __future__ import annotations

import csv
import errno
import io
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hlta import HLTA, Corpus, OptionError
from hlta._support.writing import write_text
from hlta.cli import results
from hlta.cli.results import (
    main_lines,
    main_parts,
    page_title,
    read_titles,
    share_lines,
    share_parts,
)
from hlta.explorer.container import unpacked
from tests.command import run, start
from tests.scanning import TEXTS
from tests.synthetic import planted

# ---- where they go -------------------------------------------------------------------------------


def test_a_file_is_written_and_no_other_run_may_write_it(tmp_path: Path) -> None:
    target = tmp_path / "x"
    with results.output_file(target, "-", None, overwrite=False) as file:
        write_text(file, "new")
        with (
            pytest.raises(OptionError, match="another run is writing"),
            results.output_file(target, overwrite=True),
        ):
            pass
    assert [path.name for path in tmp_path.iterdir()] == ["x"]
    assert target.read_text() == "new"


def test_a_link_stays_and_what_it_leads_to_is_replaced(fitted: Path, tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "link.csv").symlink_to("a/real.bif")
    (tmp_path / "a" / "real.bif").write_text("old")
    done = run("convert", fitted / "model.hlta", tmp_path / "link.csv", "--overwrite")
    assert (done.exit_code, done.stderr) == (0, f"Wrote {tmp_path}/a/real.bif\n")
    assert "network" in (tmp_path / "link.csv").read_text()
    assert run("report", fitted, "-o", tmp_path / "link.csv", "--overwrite").exit_code == 0
    assert (tmp_path / "link.csv").is_symlink()
    assert "hlta" in (tmp_path / "a" / "real.bif").read_text()
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["a", "link.csv", "real.bif"]


def test_what_is_read_is_not_replaced(fitted: Path, tmp_path: Path) -> None:
    source = tmp_path / "a" / "b.csv"
    source.parent.mkdir()
    source.touch()
    (tmp_path / "link").symlink_to(source)
    for target, read in (
        (source, source),
        (tmp_path / "link", source),
        (source.parent, source),
        (fitted / "model.hlta", fitted),
    ):
        with pytest.raises(OptionError, match="is what the command reads; choose another name"):
            results.refuse_sources(target, None, "-", read)
    results.refuse_sources(source, fitted, tmp_path / "a" / "c.csv")


@pytest.mark.parametrize("option", [(), ("--overwrite",)])
def test_no_command_replaces_its_model(
    option: tuple[str, ...], fitted: Path, texts_file: Path
) -> None:
    model = fitted / "model.hlta"
    before, table = model.read_bytes(), texts_file.read_bytes()
    commands: list[tuple[object, ...]] = [
        ("assign", fitted, texts_file, "-o"),
        ("assign", model, texts_file, "-o"),
        ("report", fitted, "-o"),
        ("compare", fitted, model, "-o"),
        ("convert", model),
    ]
    for command in commands:
        done = run(*command, model, *option)
        assert done.exit_code == 1
        assert "is what the command reads" in done.stderr or "exists; choose" in done.stderr
    assert run("assign", fitted, texts_file, "-o", texts_file, *option).exit_code == 1
    assert (model.read_bytes(), texts_file.read_bytes()) == (before, table)


def test_shares_replace_a_file_only_if_asked(
    fitted: Path, texts_file: Path, tmp_path: Path
) -> None:
    target = tmp_path / "mine.csv"
    target.write_text("mine")
    done = run("assign", fitted, texts_file, "-o", target)
    assert done.exit_code == 1
    assert "exists; choose another name, or add --overwrite" in done.stderr
    assert target.read_text() == "mine"
    assign = ("assign", fitted, texts_file, "-o", target, "--overwrite")
    assert run(*assign, "--main").exit_code == 0
    assert target.read_text() == (fitted / "documents.csv").read_text()
    assert run(*assign, "--least", 0.05).exit_code == 0
    assert target.read_text() == (fitted / "shares.csv").read_text()


@pytest.mark.skipif(sys.platform == "win32", reason="devices have other names there")
def test_devices_are_refused_before_any_work(fitted: Path) -> None:
    """The documents do not even exist."""
    commands: list[tuple[object, ...]] = [
        ("assign", fitted, "no.csv", "-o", "/dev/null"),
        ("assign", fitted, "no.csv", "-o", "/dev/null", "--overwrite"),
        ("report", fitted, "no.csv", "-o", "/dev/null", "--overwrite"),
        ("compare", fitted, fitted, "-o", "/dev/null", "--overwrite"),
    ]
    for command in commands:
        done = run(*command)
        assert (done.exit_code, "is a device or a pipe" in done.stderr) == (1, True)
    with start("assign", fitted, "no.csv", "-o", "/dev/stdout", "--overwrite") as process:
        assert "is a device or a pipe" in process.communicate()[1]
    done = run("fit", "no.csv", "-o", "/dev/null", "--overwrite")
    assert (done.exit_code, "it is not a folder" in done.stderr) == (1, True)
    assert Path("/dev/null").is_char_device()


def test_a_folder_that_does_not_exist_is_told(fitted: Path, tmp_path: Path) -> None:
    done = run("assign", fitted, "no.csv", "-o", tmp_path / "no" / "x.csv")
    assert done.exit_code == 1
    assert done.stderr.startswith(f"hlta: '{tmp_path}/no/x.csv': cannot be written: No such file")


def test_a_full_disk_and_a_folder_that_may_not_be_written_are_told_with_the_remedy(
    fitted: Path, texts_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "x.csv"
    assign = ("assign", fitted, texts_file, "-o", target)
    failures = {
        errno.ENOSPC: "No space left on device; make room and try again",
        errno.EDQUOT: "Disk quota exceeded; make room and try again",
        errno.EROFS: "Read-only file system; choose another place, or change its permissions",
        errno.EACCES: "Permission denied; choose another place, or change its permissions",
    }
    for number, message in failures.items():
        for name in ("open", "mkdir"):

            def fail(path: Path, *_: int, number: int = number, **__: Any) -> None:
                raise OSError(number, os.strerror(number), os.fspath(path))

            with monkeypatch.context() as patch:
                patch.setattr(os, name, fail)
                done = run(*assign)
            assert done.exit_code == 1
            assert done.stderr == f"hlta: {str(target)!r}: cannot be written: {message}\n"
    long = tmp_path / ("x" * 256)
    done = run("assign", fitted, texts_file, "-o", long)
    assert f"{long.name}': " in done.stderr
    assert done.stderr.endswith("File name too long; choose a shorter name\n")
    assert list(tmp_path.iterdir()) == []


def test_two_fits_into_one_folder(texts_file: Path, tmp_path: Path) -> None:
    """The second is refused while the first one still reads."""
    target = tmp_path / "out"
    with start("fit", "-", "-o", target, stdin=subprocess.PIPE) as first:
        assert first.stdin is not None
        first.stdin.write("some words\n" * 100_000)  # more than a pipe holds: returns when it reads
        second = run("fit", texts_file, "-o", target)
        assert second.exit_code == 1
        assert f"another run is writing {str(target)!r}; wait until it ends" in second.stderr
        first.kill()
        first.communicate()
    assert run("fit", texts_file, "-o", target, "-q", "--samples", 1).exit_code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_fit_and_a_change_of_its_model_do_not_meet(
    fitted: Path, texts_file: Path, tmp_path: Path
) -> None:
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
        return unpacked(packed).arrays["links"].tobytes()

    assert run("fit", source, "-o", out, "-q", "--samples", 1).exit_code == 0
    before = links()
    assert before.startswith(b"../texts/")
    assert run("report", out, source, "--overwrite", "-q").exit_code == 0
    assert links() == before
    assert run("edit", out, "--documents", source, "-q").exit_code == 0
    assert links() == before


# ---- what they hold ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sources", "title"),
    [
        (["a/papers.jsonl.xz"], "papers"),
        (["-"], "Topics"),
        (["v1.2"], "v1.2"),
        (["x.tar.gz"], "x"),
        (["papers/*.csv"], "papers"),
        (["papers/a.csv", "papers/more/b.csv"], "papers"),
    ],
)
def test_a_page_is_titled_by_its_source(sources: list[str], title: str) -> None:
    assert page_title(sources) == title


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
    rows = [
        (row["document"], row["topic"], row["title"], int(row["level"]), row["share"])
        for row in csv.DictReader(io.StringIO("".join(share_parts(model, corpus, 0.1))))
    ]
    objects = [json.loads(line) for line in share_lines(model, corpus, 0.1)]
    assert [entry["document"] for entry in objects] == [str(k + 1) for k in range(42)]
    assert [entry["coverage"] for entry in objects] == model.coverage(corpus).tolist()
    assert rows == [
        (entry["document"], t["topic"], t["title"], t["level"], f"{t['share']:.4f}")
        for entry in objects
        for t in entry["topics"]
    ]
    shares = model.transform(corpus)
    assert len(rows) == (shares >= 0.1).sum() > 42
    ids = [topic.id for topic in model.topics_]
    for document, topic, title, level, share in rows:
        assert float(share) == pytest.approx(shares[int(document) - 1, ids.index(topic)], abs=1e-4)
        assert (title, level) == (model.topics_[topic].title, model.topics_[topic].level)


def test_main_topics_are_the_same_in_csv_json_and_the_table(themes: tuple[HLTA, Corpus]) -> None:
    model, corpus = themes
    table = model.main_table(corpus)
    rows = list(csv.DictReader(io.StringIO("".join(main_parts(model, corpus)))))
    objects = [json.loads(line) for line in main_lines(model, corpus)]
    assert list(rows[0]) == table.columns
    assert len(rows) == len(objects) == 42
    levels = sorted({topic.level for topic in model.topics_}, reverse=True)
    assert len(levels) > 1
    for k, (row, entry) in enumerate(zip(rows, objects, strict=True)):
        assert row["document"] == entry["document"] == str(k + 1)
        assert list(entry) == ["document", "coverage", *(f"main_{level}" for level in levels)]
        for level in levels:
            topic, title, share = (
                table[f"{name}_{level}"][k] for name in ("topic", "title", "share")
            )
            assert row[f"topic_{level}"] == (topic or "none")
            assert row[f"title_{level}"] == (title or "none")
            assert row[f"share_{level}"] == ("" if share is None else f"{share:.4f}")
            expected = topic and {"topic": topic, "title": title, "share": round(share, 4)}
            assert entry[f"main_{level}"] == expected
    assert all(set(row.values()) == {row["document"], "none", ""} for row in rows[40:])


def test_what_is_written_does_not_depend_on_batches(
    themes: tuple[HLTA, Corpus], monkeypatch: pytest.MonkeyPatch
) -> None:
    model, corpus = themes
    named = Corpus(corpus.documents, corpus.words, ids=[f"document {k}" for k in range(42)])

    def written() -> list[list[str]]:
        return [
            list(share_parts(model, named, 0.05)),
            list(share_lines(model, named, 0.05)),
            list(main_parts(model, named)),
            list(main_lines(model, named)),
        ]

    at_once = written()
    monkeypatch.setattr(results, "_AT_ONCE", 7)
    in_batches = written()
    assert [len(parts) for parts in in_batches] == [1 + 6, 42, 1 + 6, 42]
    assert list(map("".join, in_batches)) == list(map("".join, at_once))


def test_a_model_of_named_columns_assigns_without_a_warning() -> None:
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    on = np.repeat(rng.random((200, 3)) < 0.4, 4, axis=1)
    data = (rng.random(on.shape) < np.where(on, 0.7, 0.1)).astype(int)
    frame = pandas.DataFrame(data, columns=[f"word{k}" for k in range(12)])
    model = HLTA(em_steps=3, lowest_level=1).fit(frame)
    lines = "".join(share_parts(model, Corpus(data, list(frame.columns)), 0.2)).splitlines()
    assert len(lines) == 1 + (model.transform(frame) >= 0.2).sum()


def test_titles_that_are_not_utf_8_are_refused(tmp_path: Path) -> None:
    (tmp_path / "titles.csv").write_bytes(b"id,title\nZ1-1,gr\xf6\xdfe\n")
    with pytest.raises(OptionError, match=r"titles\.csv' is not a CSV file in UTF-8"):
        read_titles(tmp_path / "titles.csv")
