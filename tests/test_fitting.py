"""`hlta fit` and `hlta demo`: the folder that they write."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING

import pytest

from hlta import HLTA
from tests.command import page_data, printed, run
from tests.scanning import TEXTS

if TYPE_CHECKING:
    from pathlib import Path


def test_fit_writes_a_folder(fitted: Path) -> None:
    assert {path.name for path in fitted.iterdir()} == {
        *("model.hlta", "topics.json", "topics.csv", "documents.csv", "shares.csv"),
        *("index.html", "run.json"),
    }
    assert not [path for path in fitted.parent.iterdir() if path.name.startswith(".")]


def test_topics_csv_lists_the_topics(fitted: Path) -> None:
    topics = list(HLTA.load(fitted).topics_)
    with (fitted / "topics.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["id"] for row in rows] == [topic.id for topic in topics]
    assert [row["parent"] for row in rows] == [t.parent.id if t.parent else "" for t in topics]
    assert [row["words"] for row in rows] == [" ".join(topic.words) for topic in topics]


def test_shares_csv_lists_what_transform_gives(fitted: Path) -> None:
    model = HLTA.load(fitted)
    ids = [topic.id for topic in model.topics_]
    with (fitted / "shares.csv").open() as file:
        rows = list(csv.DictReader(file))
    shares = model.transform(TEXTS)
    assert len(rows) == (shares >= 0.05).sum() > len(TEXTS)
    for row in rows:
        share = shares[int(row["document"].removeprefix("doc")), ids.index(row["topic"])]
        assert float(row["share"]) == pytest.approx(share, abs=1e-4)
        assert row["title"] == model.topics_[row["topic"]].title


def test_documents_csv_has_the_main_topics_of_every_document(fitted: Path) -> None:
    model = HLTA.load(fitted)
    with (fitted / "documents.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["document"] for row in rows] == [f"doc{k}" for k in range(len(TEXTS))]
    main = model.predict(TEXTS)
    assert [row["topic_1"] for row in rows] == [model.topics_.roots[k].id for k in main]
    assert [row["title_1"] for row in rows] == [model.topics_.roots[k].title for k in main]


def test_run_json_records_the_run(fitted: Path, texts_file: Path) -> None:
    model = HLTA.load(fitted)
    record = json.loads((fitted / "run.json").read_text())
    assert record["source"] == str(texts_file)
    assert (record["documents"], record["words"]) == (30, model.tree_.n_words)
    assert record["log_likelihood"] == pytest.approx(model.score(TEXTS))
    assert record["options"]["em_steps"] == 5
    assert record["text"]["ngrams"] == 2
    assert (record["skipped"], record["skipped_first"]) == (0, [])


def test_fit_prints_topics_and_progress(texts_file: Path, tmp_path: Path) -> None:
    done = run("fit", texts_file, "-o", tmp_path / "out", "--em-steps", 1, "--no-refine")
    assert done.exit_code == 0
    assert done.stdout == printed(HLTA.load(tmp_path / "out").topics_)
    assert "batch EM" in done.stderr
    assert "index.html" in done.stderr


def test_a_quiet_fit_prints_nothing(texts_file: Path, tmp_path: Path) -> None:
    done = run("fit", texts_file, "-o", tmp_path / "out", "-q", "--em-steps", 1, "--no-refine")
    assert (done.exit_code, done.output) == (0, "")


def test_json_is_the_record_and_nothing_else(texts_file: Path, tmp_path: Path) -> None:
    done = run("fit", texts_file, "-o", tmp_path / "out", "--json", "--em-steps", 1)
    assert (done.exit_code, done.stderr) == (0, "")
    assert json.loads(done.stdout) == json.loads((tmp_path / "out" / "run.json").read_text())


def test_options_of_the_model_reach_it(texts_file: Path, tmp_path: Path) -> None:
    done = run(
        *("fit", texts_file, "-o", tmp_path / "out", "-q", "--structure-sample", 0, "--no-refine"),
        *("--max-top-topics", 3, "--max-island-size", 7, "--ud-threshold", 2.5, "--seed", 4),
        *("--association", "any", "--em", "stepwise", "--em-steps", 2, "--batch-size", 11),
        *("--step-exponent", 0.6, "--em-updates", 3, "--lowest-level", 1, "--keywords", 4),
        *("--jobs", 2, "--states", 3, "--samples", 5, "--topics", 2, "--keep-documents", 9),
    )
    assert done.exit_code == 0, done.output
    assert json.loads((tmp_path / "out" / "run.json").read_text())["options"] == {
        "states": 3,
        "samples": 5,
        "n_topics": 2,
        "structure_sample": None,
        "refine": False,
        "max_top_topics": 3,
        "max_island_size": 7,
        "ud_threshold": 2.5,
        "random_state": 4,
        "association": "any",
        "em": "stepwise",
        "em_steps": 2,
        "batch_size": 11,
        "step_exponent": 0.6,
        "em_updates": 3,
        "lowest_level": 1,
        "n_keywords": 4,
        "keep_documents": 9,
        "seeds": None,
        "apart": None,
    }


def test_seeds_reach_the_model_and_are_reported(texts_file: Path, tmp_path: Path) -> None:
    words = HLTA(samples=1, em_steps=1).fit(TEXTS).tree_.words[:5]
    seeds, apart = {"Mine": list(words[:2])}, [[words[2], words[3]]]
    (tmp_path / "seeds.json").write_text(json.dumps(seeds))
    (tmp_path / "apart.json").write_text(json.dumps(apart))
    done = run(
        *("fit", texts_file, "-o", tmp_path / "out", "--em-steps", 1, "--samples", 3),
        *("--seeds", tmp_path / "seeds.json", "--apart", tmp_path / "apart.json"),
    )
    assert done.exit_code == 0, done.output
    record = json.loads((tmp_path / "out" / "run.json").read_text())
    assert (record["options"]["seeds"], record["options"]["apart"]) == (seeds, apart)
    assert record["text"]["include"] == [*words[:4]]
    mine, other = record["seeds"]
    assert (mine["title"], mine["words"], mine["apart"]) == ("Mine", seeds["Mine"], False)
    assert (other["words"], other["topic"]) == (apart[0], None)
    assert f"  {mine['topic']} Mine: " in done.stdout
    assert "of log-likelihood per document; its words meet in" in done.stdout
    assert "the smaller the cost, the better" in done.stdout
    assert HLTA.load(tmp_path / "out").topics_[mine["topic"]].title == "Mine"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is not valid JSON"),
        ("null", "holds nothing"),
        ('{"A": ["x", "y"], "A": ["z", "w"]}', "gives a title twice"),
        ('"words"', "seeds='words': use titles with words"),
        ('{"A": ["x"]}', "the seed 'A' has fewer than two words"),
        ('{"A": ["qqqq", "zzzz"]}', "no text has the words 'qqqq', 'zzzz'"),
    ],
)
def test_files_of_seeds_that_make_no_sense_are_refused(
    texts_file: Path, tmp_path: Path, text: str, message: str
) -> None:
    (tmp_path / "seeds.json").write_text(text)
    done = run("fit", texts_file, "-o", tmp_path / "out", "--seeds", tmp_path / "seeds.json")
    assert done.exit_code == 1
    assert message in done.stderr
    assert not (tmp_path / "out").exists()


def test_options_of_the_page_reach_it(texts_file: Path, tmp_path: Path) -> None:
    run(
        *("fit", texts_file, "-o", tmp_path / "out", "-q", "--em-steps", 1),
        *("--heading", "A < B", "--page-documents", 7),
    )
    topics, documents = page_data(tmp_path / "out" / "index.html")
    assert topics["title"] == "A < B"
    assert documents is not None
    assert len(documents["rows"]) == 7


@pytest.mark.slow
def test_the_demo(tmp_path: Path) -> None:
    done = run("demo", "-o", tmp_path / "demo")
    assert done.exit_code == 0, done.output
    assert "2,034 abstracts" in done.stderr
    assert "market" in done.stdout
    topics = json.loads((tmp_path / "demo" / "topics.json").read_text())["topics"]
    assert len(topics) >= 3
    assert json.loads((tmp_path / "demo" / "run.json").read_text())["documents"] == 2034
    header, documents = page_data(tmp_path / "demo" / "index.html")
    assert header["title"] == "Abstracts of arXiv papers"
    assert "theorem" in header["words"]
    assert documents is not None
    assert documents["documents"] == 2034


def test_an_existing_folder_is_kept_unless_overwritten(texts_file: Path, tmp_path: Path) -> None:
    fit = ("fit", texts_file, "-o", tmp_path / "out", "--em-steps", 1, "-q")
    assert run(*fit).exit_code == 0
    before = (tmp_path / "out" / "run.json").read_text()
    done = run(*fit)
    assert done.exit_code == 1
    assert "exists; choose another" in done.stderr
    assert (tmp_path / "out" / "run.json").read_text() == before
    assert run(*fit, "--overwrite", "--seed", 1).exit_code == 0
    assert (tmp_path / "out" / "run.json").read_text() != before


def test_a_folder_of_other_files_is_never_overwritten(texts_file: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.txt").write_text("years of work")
    done = run("fit", texts_file, "-o", tmp_path / "thesis", "--overwrite")
    assert done.exit_code == 1
    assert "choose another folder" in done.stderr
    assert (tmp_path / "thesis" / "chapter.txt").read_text() == "years of work"


def test_files_that_cannot_be_read_are_skipped_and_recorded(tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    for k, text in enumerate(TEXTS):
        (folder / f"emoji 🙂\n{k}.txt").write_text(text)
    (folder / "binary.txt").write_bytes(b"\0\1")
    (folder / "empty.txt").write_bytes(b"")
    (folder / "enormous.txt").write_text("enormous document " * 1_000_000)
    done = run("fit", folder, "-o", tmp_path / "out", "--em-steps", 1)
    assert done.exit_code == 0, done.output
    assert "Skipped 'binary.txt': it holds no text" in done.stderr
    assert "Skipped 'empty.txt': it has no text" in done.stderr
    record = json.loads((tmp_path / "out" / "run.json").read_text())
    assert (record["documents"], record["skipped"]) == (31, 2)
    assert list(record["skipped_reasons"].values()) == [1, 1]
    assert [entry["what"] for entry in record["skipped_first"]] == ["binary.txt", "empty.txt"]


def test_broken_lines_stop_or_are_skipped(tmp_path: Path) -> None:
    lines = [json.dumps({"text": text}) for text in TEXTS]
    lines[7] = lines[7][:-3]
    (tmp_path / "x.jsonl").write_text("\n".join(lines))
    done = run("fit", tmp_path / "x.jsonl", "-o", tmp_path / "out", "-q")
    assert done.exit_code == 1
    assert "x.jsonl, line 8, is" in done.stderr
    done = run("fit", tmp_path / "x.jsonl", "-o", tmp_path / "out", "--skip-broken")
    assert done.exit_code == 0
    assert "line 8': is" in done.stderr


WORDS = [
    "apple",
    "boat",
    "chair",
    "desk",
    "engine",
    "flower",
    "garden",
    "house",
    "island",
    "jacket",
]


def test_topics_of_few_documents_are_said_to_be_chance(tmp_path: Path) -> None:
    texts = [f"{a} {b} {c} " * 4 for a in WORDS for b in WORDS for c in WORDS if a < b < c]
    for count, warned in ((99, True), (100, False)):
        (tmp_path / "texts.txt").write_text("\n".join([*texts[:count], texts[0]]))
        done = run(
            *("fit", tmp_path / "texts.txt", "-o", tmp_path / "out"),
            *("--overwrite", "--samples", 1, "--stop-words", "english", "--min-df", 2),
        )
        assert done.exit_code == 0
        assert (
            f"topics learned from only {count} documents are largely chance" in done.stderr
        ) is warned


def test_options_are_checked_before_reading(tmp_path: Path) -> None:
    done = run("fit", tmp_path / "nothing", "-o", tmp_path / "out", "--em", "foo")
    assert done.exit_code == 1
    assert "--em foo:" in done.stderr


@pytest.mark.parametrize("verb", ["fit", "assign"])
def test_help_shows_no_value_behind_options_that_take_none(verb: str) -> None:
    shown = run(verb, "--help").stdout
    assert "--quiet" in shown
    assert "bool" not in shown
