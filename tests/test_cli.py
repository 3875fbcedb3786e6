"""The command, from files to results, and how it fails."""

from __future__ import annotations

import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from test_vocabulary import TEXTS
from typer.testing import CliRunner, Result

import hlta
from hlta import TextOptions
from hlta.cli import app, arguments
from hlta.evaluate.coherence import topic_coherence
from hlta.evaluate.level_likelihoods import level_likelihoods
from hlta.explorer.container import unpacked

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("source") / "texts.csv"
    with path.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["id", "text"])
        table.writerows([f"doc{i}", text] for i, text in enumerate(TEXTS))
    return path


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(a) for a in arguments])


@pytest.fixture(scope="module")
def output(source: Path) -> Path:
    folder = source.parent / "out"
    done = run("fit", source, "-o", folder, "--em-steps", 5, "--ngrams", 2)
    assert done.exit_code == 0, done.output
    assert "[0." in done.stdout
    assert "batch EM" in done.stderr
    return folder


def test_fit_leaves_a_folder(output: Path, source: Path) -> None:
    assert {p.name for p in output.iterdir()} == {
        "model.hlta",
        "topics.json",
        "topics.csv",
        "documents.csv",
        "index.html",
        "run.json",
    }
    model = hlta.load(output / "model.hlta")
    ids = [topic.id for topic in model.topics_]
    with (output / "topics.csv").open() as file:
        assert [row["id"] for row in csv.DictReader(file)] == ids
    with (output / "documents.csv").open() as file:
        rows = list(csv.DictReader(file))
    expected = model.transform(TEXTS)
    assert len(rows) == (expected >= 0.5).sum()
    for row in rows[:20]:
        p = expected[int(row["document"][3:]), ids.index(row["topic"])]
        assert float(row["probability"]) == pytest.approx(p, abs=1e-4)
    ran = json.loads((output / "run.json").read_text())
    assert ran["documents"] == 30
    assert ran["source"] == str(source)
    assert ran["options"]["em_steps"] == 5
    assert not [p for p in output.parent.iterdir() if p.name.startswith(".")]


def test_the_other_verbs(output: Path, source: Path, tmp_path: Path) -> None:
    model = hlta.load(output / "model.hlta")
    assert run("topics", output).stdout == str(model.topics_) + "\n"
    assert (
        json.loads(run("topics", output / "model.hlta", "--json").stdout)["format"] == "hlta-topics"
    )
    assert run("assign", output, source).stdout == (output / "documents.csv").read_text()
    run("assign", output, source, "-o", tmp_path / "all.csv", "--least", 0)
    lines = (tmp_path / "all.csv").read_text().splitlines()
    assert len(lines) == 1 + 30 * len(model.topics_)
    scored = json.loads(run("score", output, source, "--json").stdout)
    assert scored == {"documents": 30, "log_likelihood": pytest.approx(model.score(TEXTS))}
    assert "30 documents" in run("score", output, source).stdout


def test_evaluate(output: Path, source: Path) -> None:
    model = hlta.load(output / "model.hlta")
    bare = json.loads(run("evaluate", output, "--json").stdout)
    assert bare["topics"] == len(model.topics_)
    assert sum(level["topics"] for level in bare["levels"]) == bare["topics"]
    full = json.loads(run("evaluate", output, source, "--json", "--words", 3).stdout)
    assert full["log_likelihood"] == pytest.approx(model.score(TEXTS))
    documents = model.read(TEXTS)
    expected = topic_coherence(model.topics_, documents, model.tree_.words, n_words=3)
    assert full["coherence"] == pytest.approx(np.nanmean(expected))
    shown = run("evaluate", output, source, "--words", 3).stdout.splitlines()
    every = {name for entry in (full, *full["levels"]) for name in entry} - {"level", "levels"}
    assert len(shown) == 1 + len(every)
    assert shown[0].split()[:3] == ["all", "level", str(max(e["level"] for e in full["levels"]))]
    line = next(line.split() for line in shown if line.startswith("coherence"))
    assert line == [
        "coherence",
        *(f"{entry['coherence']:,.4f}" for entry in (full, *full["levels"])),
    ]
    known = [word for topic in model.topics_ for word in topic.words[:2]]
    vectors = output.parent / "vectors.txt"
    vectors.write_text("".join(f"{word} 1 {k % 3}\n" for k, word in enumerate(known)))
    close = json.loads(run("evaluate", output, "--vectors", vectors, "--json").stdout)
    assert 0.0 < close["compactness"] <= 1.0
    assert 0.0 < close["words_with_vectors"] <= 1.0
    steps = level_likelihoods(model.tree_, model.read(TEXTS))
    gains = [level["log_likelihood_gain"] for level in reversed(full["levels"])]
    rest = (full.get(f"log_likelihood_gain_of_{k}", 0) for k in ("level_1", "links_at_the_top"))
    assert sum(gains) + sum(rest) == pytest.approx(steps[-1] - steps[0])
    same = json.loads(run("evaluate", output, "--other", output, "--json").stdout)
    assert same["stability"] == pytest.approx(1.0)
    vectors.write_text("nothing")
    assert "holds no word vectors" in run("evaluate", output, "--vectors", vectors).stderr


def test_evaluate_topics_of_any_tool(output: Path, source: Path, tmp_path: Path) -> None:
    ours = json.loads(run("evaluate", output, source, "--json", "--words", 3).stdout)
    again = run("evaluate", output / "topics.json", source, "--json", "--words", 3)
    theirs = json.loads(again.stdout)
    for name in ("topics", "coherence", "diversity", "redundancy"):
        assert theirs[name] == pytest.approx(ours[name])
    assert [entry["topics"] for entry in theirs["levels"]] == [
        entry["topics"] for entry in ours["levels"]
    ]
    plain = tmp_path / "plain.json"
    plain.write_text(json.dumps([t.words for t in hlta.load(output / "model.hlta").topics_]))
    flat = json.loads(run("evaluate", plain, source, "--json", "--words", 3).stdout)
    assert flat["coherence"] == pytest.approx(ours["coherence"])
    assert flat["levels"] == []
    shown = run("evaluate", plain, "--other", output / "topics.json").stdout
    assert re.search(r"^stability +1\.0000$", shown, re.MULTILINE)
    unknown = tmp_path / "unknown.json"
    unknown.write_text('[["zebra", "gnu", "okapi"]]')
    done = run("evaluate", unknown, source)
    assert (done.exit_code, "is in any of the documents" in done.stderr) == (1, True)
    deep = "[" * 100_000
    long = f'[{{"words": ["a"], "level": {"9" * 5000}}}]'
    for bad in ("{}", "[]", "[[]]", "[[1]]", '{"topics": [{"level": 2}]}', "[", "\xff", deep, long):
        plain.write_text(bad, encoding="latin-1")
        done = run("evaluate", plain)
        assert (done.exit_code, "plain.json" in done.stderr) == (1, True), bad


def test_evaluate_takes_words_as_other_tools_write_them(tmp_path: Path) -> None:
    texts = tmp_path / "texts.txt"
    lines = [
        "Machine learning is an R2 thing",
        "machine learning of AI",
        "R2 and AI",
        "nothing",
    ] * 3
    texts.write_text("\n".join(lines))

    def figures(*words: str) -> dict:
        file = tmp_path / "lists.json"
        file.write_text(json.dumps([words]))
        return json.loads(run("evaluate", file, texts, "--words", 3, "--json").stdout)

    plain = figures("machine-learning", "ai", "r2")
    assert plain["words_in_documents"] == 1.0
    # D: machine-learning 6, ai 6, r2 6; every two of them 3.
    assert plain["coherence"] == pytest.approx(3 * np.log(4 / 6))
    assert figures("machine_learning", "AI", "R2") == plain
    assert figures("Machine Learning", "ai", "r2") == plain
    part = figures("machine learning", "ai", "zebra")
    assert part["words_in_documents"] == pytest.approx(2 / 3)
    assert (part["coherence"], part["topics_with_coherence"]) == (None, 0)
    lists = tmp_path / "lists.json"
    assert "1 of 3 words are in no document: zebra" in run("evaluate", lists, texts).stderr
    # What is compared, and looked up, is spelt alike with documents and without.
    other, vectors = tmp_path / "other.json", tmp_path / "vectors.txt"
    lists.write_text('[["Machine_Learning", "AI", "R2"]]')
    other.write_text('[["machine learning", "ai", "r2"]]')
    vectors.write_text("machine_learning 1 0\nAI 1 0\nr2 1 0\n")
    for path in ((), (texts,)):
        done = run("evaluate", lists, *path, "--other", other, "--vectors", vectors, "--json")
        found = json.loads(done.stdout)
        assert found["stability"] == 1.0
        assert found["compactness"] == pytest.approx(1.0)
        assert found["words_with_vectors"] == 1.0


def test_the_demo(tmp_path: Path) -> None:
    done = run("demo", "-o", tmp_path / "demo")
    assert done.exit_code == 0, done.output
    topics = json.loads((tmp_path / "demo" / "topics.json").read_text())["topics"]
    assert len(topics) >= 3
    assert "theorem" in done.stdout
    assert json.loads((tmp_path / "demo" / "run.json").read_text())["documents"] > 1900
    header, documents = page_data(tmp_path / "demo" / "index.html")
    assert header["title"] == "Abstracts of arXiv papers"
    assert "theorem" in header["words"]
    assert documents["documents"] > 1900


def test_quiet_is_quiet(source: Path, tmp_path: Path) -> None:
    done = run("fit", source, "-o", tmp_path / "out", "-q", "--em-steps", 1, "--no-refine")
    assert (done.exit_code, done.output) == (0, "")


def test_an_existing_folder_is_kept(output: Path, source: Path) -> None:
    before = (output / "run.json").read_text()
    done = run("fit", source, "-o", output)
    assert done.exit_code == 1
    assert "exists; choose another folder, or overwrite it" in done.stderr
    assert (output / "run.json").read_text() == before
    done = run("fit", source, "-o", output, "--overwrite", "--em-steps", 5, "--ngrams", 2, "-q")
    assert done.exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["fit", "nowhere", "-o", "{out}"], "'nowhere' does not exist"),
        (["fit", "{source}", "-o", "{out}", "--text", "body"], "there is no column 'body'"),
        (["fit", "{source}", "-o", "{out}", "--em", "fast"], "em='fast'"),
        (["fit", "{source}", "-o", "{out}", "--stop-words", "klingon"], "stop_words='klingon'"),
        (["topics", "nowhere"], "'nowhere': No such file"),
        (["topics", "{source}"], "not a file written by hlta"),
    ],
)
def test_mistakes_are_a_line(
    arguments: list[str], message: str, source: Path, tmp_path: Path
) -> None:
    places = {"source": source, "out": tmp_path / "out"}
    done = run(*(a.format(**places) for a in arguments))
    assert done.exit_code == 1
    assert message in done.stderr
    assert "Traceback" not in done.output
    assert not list(tmp_path.iterdir())


def test_python_dash_m_and_help() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "hlta", "fit", "--help"], capture_output=True, text=True, check=True
    )
    for shown in ("tau", "(mu)", "(delta)", "(kappa)", "(alpha)", "(N')", "--structure-sample"):
        assert shown in done.stdout
    code = "import sys, hlta.cli; print({'numba', 'sklearn', 'numpy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_matrices_and_corpora(source: Path, tmp_path: Path) -> None:
    for name in ("docword.x.txt", "y.ldac", "x.sparse.txt", "x.npz", "z.mtx", "corpus"):
        done = run("convert", source, tmp_path / name)
        assert (done.exit_code, done.stdout) == (0, "")
        assert "30 documents" in done.stderr
    runs = set()
    for name in ("docword.x.txt", "y.ldac", "x.npz", "z.mtx", "corpus"):
        done = run("fit", tmp_path / name, "-o", tmp_path / "out", "--overwrite", "--json")
        found = json.loads(done.stdout)
        assert found["documents"] == 30
        runs.add((found["words"], found["log_likelihood"]))
        assert run("evaluate", tmp_path / "out", tmp_path / name).exit_code == 0
    assert len(runs) == 1
    done = run("convert", tmp_path / "x.npz", tmp_path / "z.mtx")
    assert done.exit_code == 1
    assert "exists" in done.stderr
    done = run("fit", tmp_path / "x.npz", "-o", tmp_path / "o2", "--ngrams", 2)
    assert "ngrams is an option for texts" in done.stderr
    done = run("assign", tmp_path / "out", source)
    assert "learned from a matrix and cannot read texts" not in done.stderr  # a corpus knows how
    run("fit", tmp_path / "x.npz", "-o", tmp_path / "out", "--overwrite", "-q")
    done = run("assign", tmp_path / "out", source)
    assert "learned from a matrix and cannot read texts" in done.stderr


def test_what_is_ignored_is_refused(source: Path, tmp_path: Path) -> None:
    run("convert", source, tmp_path / "x.npz")
    for options in (["--text", "body"], ["--keep-mail"], ["--ngrams", 2]):
        for verb, target in (("fit", "out"), ("convert", "x.mtx")):
            to = ["-o"] if verb == "fit" else []
            done = run(verb, tmp_path / "x.npz", *to, tmp_path / target, *options)
            assert done.exit_code == 1
            assert "is an option for texts" in done.stderr
    done = run("fit", source, "-o", tmp_path / "out", "--vocabulary", source)
    assert "is not a matrix file; leave it out" in done.stderr
    (tmp_path / "y.words.txt").write_text("my own list")
    done = run("convert", tmp_path / "x.npz", tmp_path / "y.mtx")
    assert "where the words would go, exists" in done.stderr
    assert (tmp_path / "y.words.txt").read_text() == "my own list"
    assert {p.name for p in tmp_path.iterdir()} == {"x.npz", "y.words.txt"}


def test_only_own_folders_are_overwritten(source: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.txt").write_text("years of work")
    done = run("fit", source, "-o", tmp_path / "thesis", "--overwrite")
    assert done.exit_code == 1
    assert "holds other files than hlta's" in done.stderr
    run("convert", source, tmp_path / "thesis", "--overwrite")
    assert (tmp_path / "thesis" / "chapter.txt").read_text() == "years of work"
    (tmp_path / "empty").mkdir()
    done = run("convert", source, tmp_path / "empty", "--overwrite")
    assert done.exit_code == 0
    assert run("convert", source, tmp_path / "empty", "--overwrite").exit_code == 0


@pytest.mark.parametrize("verb", ["topics", "assign", "score", "evaluate", "report"])
def test_every_verb_takes_the_common_options(verb: str, output: Path, source: Path) -> None:
    more = {"topics": [], "report": ["--overwrite"]}.get(verb, [source])
    done = run(verb, output, *more, "--seed", 1, "--jobs", 1, "--quiet")
    assert (done.exit_code, done.stderr) == (0, "")


def test_no_score_is_no_number(source: Path, output: Path) -> None:
    done = run("evaluate", output, source, "--words", 500)
    assert (done.exit_code, done.stderr) == (0, "")
    assert re.search(r"^coherence +-( +-)*$", done.stdout, re.MULTILINE)
    assert (
        json.loads(run("evaluate", output, source, "--words", 500, "--json").stdout)["coherence"]
        is None
    )


def test_models_are_converted(output: Path, tmp_path: Path) -> None:
    assert run("convert", output / "model.hlta", tmp_path / "m.bif").exit_code == 0
    assert run("convert", tmp_path / "m.bif", tmp_path / "m.hlta").exit_code == 0
    tree = hlta.load(tmp_path / "m.hlta")
    assert tree.words == hlta.load(output).tree_.words
    assert "holds no model that hlta fit left" in run("topics", tmp_path / "m.hlta").stderr
    assert run("convert", tmp_path / "m.bif", tmp_path / "m.npz").exit_code == 1


def page_data(page: Path) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """What the page tells of topics, and of documents."""
    found = dict(re.findall(r'id="(topics|documents)">([^<]*)<', page.read_text(encoding="utf-8")))
    documents = found.get("documents")
    return unpacked(found["topics"])[0], None if documents is None else unpacked(documents)[0]


def test_report(output: Path, source: Path, tmp_path: Path) -> None:
    assert run("report", output, source, "--overwrite").exit_code == 0
    topics, documents = page_data(output / "index.html")
    assert topics["title"] == "texts"
    assert documents is not None
    assert documents["documents"] == len(TEXTS)
    page = (output / "index.html").read_bytes()
    assert "exists" in run("report", output).stderr
    assert (output / "index.html").read_bytes() == page
    alone = tmp_path / "alone.html"
    assert run("report", output, "-o", alone, "--heading", "A < B").exit_code == 0
    topics, documents = page_data(alone)
    assert topics["title"] == "A < B"
    assert documents is None
    assert run("report", output, source, "--overwrite", "--page-documents", 7).exit_code == 0
    topics, documents = page_data(output / "index.html")
    assert documents is not None
    assert len(documents["rows"]) == 7
    assert run("report", output, source, "--overwrite").exit_code == 0
    assert (output / "index.html").read_bytes() == page
    assert run("report", output, source, "--page-documents", 0, "--overwrite").exit_code == 2


@pytest.mark.parametrize(
    ("source", "heading"),
    [("a/papers.jsonl.xz", "papers"), ("-", "Topics"), ("v1.2", "v1.2"), ("x.tar.gz", "x")],
)
def test_heading(source: str, heading: str) -> None:
    assert arguments.heading(source) == heading


def test_options_of_words_are_heeded(source: Path, tmp_path: Path) -> None:
    (tmp_path / "keep").write_text("zebra\ndata\n")
    (tmp_path / "drop").write_text("market\n")
    run(
        *("convert", source, tmp_path / "c", "--include", tmp_path / "keep"),
        *("--exclude", tmp_path / "drop", "--stop-words", tmp_path / "drop", "--min-df", 1),
        *("--max-df", 1.0, "--min-length", 4, "--words", 9, "--keep-case", "--numbers"),
    )
    corpus = hlta.load(tmp_path / "c")
    assert len(corpus.words) == 9
    assert "market" not in corpus.words
    assert min(map(len, corpus.words)) >= 4
    assert corpus.text_options == TextOptions(
        stop_words=["market"],
        include=("zebra", "data"),
        exclude=("market",),
        min_df=1,
        max_df=1.0,
        min_length=4,
        n_words=9,
        lowercase=False,
        numbers=True,
    )


def test_json_lines_of_memberships(output: Path, source: Path) -> None:
    lines = run("assign", output, source, "--json").stdout.splitlines()
    assert len(lines) == 30
    found = [
        (entry["document"], t["topic"], f"{t['probability']:.4f}")
        for entry in map(json.loads, lines)
        for t in entry["topics"]
    ]
    rows = csv.DictReader(run("assign", output, source).stdout.splitlines())
    assert found == [(row["document"], row["topic"], row["probability"]) for row in rows]


def test_good_documents_go_on(tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    for k, text in enumerate(TEXTS):
        (folder / f"emoji 🙂\n{k}.txt").write_text(text)
    (folder / "binary.txt").write_bytes(b"\0\1")
    (folder / "empty.txt").write_bytes(b"")
    (folder / "enormous.txt").write_text("enormous document " * 1_000_000)
    done = run("fit", folder, "-o", tmp_path / "out", "--em-steps", 1)
    assert done.exit_code == 0, done.output
    assert "Not read: 'binary.txt', it holds no text" in done.stderr
    assert "and 1 more" in done.stderr
    ran = json.loads((tmp_path / "out" / "run.json").read_text())
    assert (ran["documents"], ran["skipped"]) == (31, 2)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "there are no documents"),
        (b"one\ntwo\nthree\n", "words are left"),
        (b"the of and\n" * 50, "words are left"),
        (b"\0\1\2", "holds no text"),
    ],
)
def test_too_little_is_said(data: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_bytes(data)
    done = run("fit", tmp_path / "x.txt", "-o", tmp_path / "out")
    assert done.exit_code == 1
    assert message in done.stderr
    assert [p.name for p in tmp_path.iterdir()] == ["x.txt"]


def test_broken_lines(tmp_path: Path) -> None:
    lines = [json.dumps({"text": text}) for text in TEXTS]
    lines[7] = lines[7][:-3]
    (tmp_path / "x.jsonl").write_text("\n".join(lines))
    done = run("fit", tmp_path / "x.jsonl", "-o", tmp_path / "out", "-q")
    assert done.exit_code == 1
    assert "x.jsonl, line 8, is not valid JSON" in done.stderr
    done = run("fit", tmp_path / "x.jsonl", "-o", tmp_path / "out", "--skip-broken")
    assert done.exit_code == 0
    assert "line 8', is not valid JSON" in done.stderr


def hlta_process(*arguments: object, **more: Any) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "hlta", *map(str, arguments)]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more
    )


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX")
def test_a_full_disk_leaves_nothing(tmp_path: Path) -> None:
    import resource

    def small_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))

    (tmp_path / "x.txt").write_text("\n".join(TEXTS))
    done = hlta_process("fit", tmp_path / "x.txt", "-o", tmp_path / "out", preexec_fn=small_files)
    _, told = done.communicate(timeout=120)
    assert done.returncode == 1
    assert "File too large; make room and try again" in told
    assert "Traceback" not in told
    assert [p.name for p in tmp_path.iterdir()] == ["x.txt"]


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_leaves_nothing(number: signal.Signals, tmp_path: Path) -> None:
    done = hlta_process(
        "fit", "-", "-o", tmp_path / "out", stdin=subprocess.PIPE, start_new_session=True
    )
    for _ in range(600):  # until it reads
        if any(tmp_path.iterdir()):
            break
        time.sleep(0.1)
    time.sleep(1.0)
    done.send_signal(number)
    _, told = done.communicate(timeout=120)
    assert done.returncode == 128 + number
    assert "Traceback" not in told
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may do anything")
def test_what_is_forbidden_is_said(source: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("text")
    (tmp_path / "secret.txt").chmod(0)
    done = run("fit", tmp_path / "secret.txt", "-o", tmp_path / "out")
    assert (done.exit_code, "Permission denied" in done.stderr) == (1, True)
    (tmp_path / "shut").mkdir(mode=0o500)
    done = run("fit", source, "-o", tmp_path / "shut" / "out")
    assert (done.exit_code, "cannot be written: Permission denied" in done.stderr) == (1, True)


def test_version_and_completion() -> None:
    assert run("--version").stdout == f"hlta {hlta.__version__}\n"
    assert "--show-completion" in run("--help").stdout
