"""`hlta fit` and `hlta demo`: the folders that they write."""

import json
import re
from itertools import combinations
from pathlib import Path

import pytest

from hlta import HLTA
from tests.command import mistake, page_data, printed, ran, rows_in, run
from tests.reads import read
from tests.scanning import TEXTS
from tests.there import there


def test_fit_writes_a_folder_and_records_the_run(fitted: Path, texts_file: Path) -> None:
    assert {path.name for path in fitted.iterdir()} == {
        *("model.hlta", "topics.json", "topics.csv", "documents.csv", "shares.csv"),
        *("index.html", "run.json"),
    }
    assert not [path for path in fitted.parent.iterdir() if path.name.startswith(".")]
    model = HLTA.load(fitted)
    assert (fitted / "topics.csv").read_text() == model.topics_.to_csv()
    record = json.loads((fitted / "run.json").read_text())
    assert record["source"] == str(texts_file)
    assert (record["documents"], record["words"]) == (30, model.tree_.n_words)
    assert record["log_likelihood"] == pytest.approx(model.score(TEXTS))
    assert record["options"]["em_steps"] == 5
    assert record["text"]["ngrams"] == 2
    assert (record["skipped"], record["skipped_first"]) == (0, [])


def test_fit_prints_topics_and_progress_or_the_record(texts_file: Path, tmp_path: Path) -> None:
    fit = ("fit", texts_file, "--em-steps", 1, "--no-refine", "-o")
    done = ran(*fit, tmp_path / "out")
    assert done.stdout == printed(HLTA.load(tmp_path / "out").topics_)
    assert "fitting probabilities" in done.stderr
    assert "index.html" in done.stderr
    done = ran(*fit, tmp_path / "again", "--json")
    assert done.stderr == ""
    assert json.loads(done.stdout) == json.loads((tmp_path / "again" / "run.json").read_text())


def test_documents_on_no_topic_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text("\n".join([*TEXTS, *[f"alone{k}" for k in range(4)]]))
    done = ran("fit", path, "-o", tmp_path / "out", "--em-steps", 1)
    (line,) = [line for line in done.stderr.splitlines() if "on no topic" in line]
    rows = rows_in(tmp_path / "out" / "documents.csv")
    root = next(name for name in rows[0] if name.startswith("topic"))
    none = sum(row[root] == "none" for row in rows)
    assert none >= 4
    assert line.startswith(f"{none} of {len(rows)} documents are on no topic: ")


TYPED = (
    "--no-refine --structure-sample 0 --max-top-topics 3 --max-island-size 7 --ud-threshold 2.5 "
    "--seed 4 --association any --samples 5 --states 3 --lowest-level 1 --keywords 4 --topics 2 "
    "--em stepwise --em-steps 2 --batch-size 11 --step-exponent 0.6 --em-updates 3"
)
OTHER_NAMES = {"seed": "random_state", "keywords": "n_keywords", "topics": "n_topics"}


def test_options_of_the_model_and_of_the_page_reach_them(texts_file: Path, tmp_path: Path) -> None:
    done = run(
        *("fit", texts_file, "-o", tmp_path / "out", "-q", "--jobs", 2),
        *("--heading", "A < B", "--page-documents", 7),
        *TYPED.split(),
    )
    assert (done.exit_code, done.output) == (0, "")
    recorded = json.loads((tmp_path / "out" / "run.json").read_text())["options"]
    typed = re.findall(r"--([\w-]+) ([^-]\S*)", TYPED)
    expected = {OTHER_NAMES.get(name, name.replace("-", "_")): value for name, value in typed}
    expected |= {"structure_sample": "None", "refine": "False", "seeds": "None", "apart": "None"}
    assert {name: str(value) for name, value in recorded.items()} == expected
    topics, documents = page_data(tmp_path / "out" / "index.html")
    assert topics["title"] == "A < B"
    assert len(there(documents)["rows"]) == 7


def test_seeds_reach_the_model_and_are_reported(texts_file: Path, tmp_path: Path) -> None:
    words = HLTA(samples=1, em_steps=1).fit(TEXTS).tree_.words[:5]
    seeds, apart = {"Mine": list(words[:2])}, [[words[2], words[3]]]
    (tmp_path / "seeds.json").write_text(json.dumps(seeds))
    (tmp_path / "apart.json").write_text(json.dumps(apart))
    done = ran(
        *("fit", texts_file, "-o", tmp_path / "out", "--em-steps", 1, "--samples", 3),
        *("--seeds", tmp_path / "seeds.json", "--apart", tmp_path / "apart.json"),
    )
    record = json.loads((tmp_path / "out" / "run.json").read_text())
    assert (record["options"]["seeds"], record["options"]["apart"]) == (seeds, apart)
    assert record["text"]["include"] == [*words[:4]]
    mine, other = record["seeds"]
    assert (mine["title"], mine["words"], mine["apart"]) == ("Mine", seeds["Mine"], False)
    assert (other["words"], other["topic"]) == (apart[0], None)
    assert f"  {mine['topic']} Mine: " in done.stdout
    assert HLTA.load(tmp_path / "out").topics_[mine["topic"]].title == "Mine"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is not valid JSON"),
        ("null", "holds nothing"),
        ('{"A": ["x", "y"], "A": ["z", "w"]}', "gives a title twice: 'A'"),
        ('{"A": ' * 5000 + '["x", "y"]' + ', "B": ["x", "y"]}' * 5000, "nested too deeply"),
        ('{"A": ["x"]}', "the seed 'A' has fewer than two words"),
    ],
)
def test_odd_seeds_are_refused(texts_file: Path, tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "seeds.json").write_text(text)
    shown = mistake("fit", texts_file, "-o", tmp_path / "out", "--seeds", tmp_path / "seeds.json")
    assert message in shown
    assert not (tmp_path / "out").exists()


def test_the_demo(demo_files: Path) -> None:
    assert "2,034 abstracts" in (demo_files / "stderr.txt").read_text(encoding="utf-8")
    assert "market" in (demo_files / "stdout.txt").read_text(encoding="utf-8")
    results = demo_files / "results"
    assert json.loads((results / "run.json").read_text())["documents"] == 2034
    header, documents = page_data(results / "index.html")
    assert header["title"] == "Abstracts of arXiv papers"
    assert "theorem" in header["words"]
    assert there(documents)["documents"] == 2034


def test_files_that_cannot_be_read_are_skipped_and_recorded(tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    for k, text in enumerate(TEXTS):
        (folder / f"emoji 🙂\n{k}.txt").write_text(text)
    (folder / "binary.txt").write_bytes(b"\0\1")
    (folder / "empty.txt").write_bytes(b"")
    (folder / "enormous.txt").write_text("enormous document " * 1_000_000)
    done = ran("fit", folder, "-o", tmp_path / "out", "--em-steps", 1)
    assert "Skipped 'binary.txt': it holds no text" in done.stderr
    assert "Skipped 'empty.txt': it has no text" in done.stderr
    record = json.loads((tmp_path / "out" / "run.json").read_text())
    assert (record["documents"], record["skipped"]) == (31, 2)
    assert list(record["skipped_reasons"].values()) == [1, 1]
    assert [entry["what"] for entry in record["skipped_first"]] == ["binary.txt", "empty.txt"]
    score = ("score", tmp_path / "out")
    assert "Skipped" not in ran(*score).stderr  # once more
    (folder / "more.txt").write_bytes(b"")
    assert "Skipped" in ran(*score).stderr


WORDS = [f"{letter}oat" for letter in "bcdfghlmst"]


def test_topics_of_few_documents_are_said_to_be_chance(tmp_path: Path) -> None:
    texts = [" ".join(three * 4) for three in combinations(WORDS, 3)]
    for count, warned in ((99, True), (100, False)):
        (tmp_path / "texts.txt").write_text("\n".join([*texts[:count], texts[0]]))
        done = ran(
            *("fit", tmp_path / "texts.txt", "-o", tmp_path / "out"),
            *("--overwrite", "--samples", 1, "--stop-words", "english", "--min-df", 2),
        )
        assert (f"{count} documents are too few for reliable topics" in done.stderr) is warned


def test_every_file_holds_the_same_abstracts(tmp_path: Path) -> None:
    ran("demo", "--files", tmp_path / "new" / "files")
    folder = tmp_path / "new" / "files"
    papers, new = (
        [json.loads(line) for line in (folder / name).read_text("utf-8").splitlines()]
        for name in ("papers.jsonl", "new.jsonl")
    )
    assert (len(papers), len(new)) == (1834, 200)
    assert max(paper["year"] for paper in papers) <= min(paper["year"] for paper in new)
    of_lines, of_table = read(folder / "papers.jsonl"), read(folder / "papers.csv")
    assert of_lines == of_table
    assert [record.id for record in of_lines] == [paper["id"] for paper in papers]
    shards = [one.text for shard in sorted((folder / "shards").iterdir()) for one in read(shard)]
    assert sorted(shards) == sorted(record.text for record in of_lines)
    titles = [record.text for record in read(folder / "titles.txt")]
    assert titles == [paper["title"] for paper in papers]
    mails, reports = read(folder / "Inbox.mbox"), read(folder / "reports")
    assert len(mails) == len(reports) > 300
    assert {mail.title for mail in mails} <= {paper["title"] for paper in papers}
    fields = {report.group for report in reports}
    assert len(fields) > 10
    assert fields <= {paper["venue"].split(".")[0] for paper in papers}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "nothing to do: give a folder for --output, --files, or both"),
        (["--files", "x", "--seed", "3"], "--seed applies to learning; add --output"),
        (["--files", "."], "exists; choose another folder for --files, or add --overwrite"),
    ],
)
def test_what_cannot_be_written_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "titles.txt").write_text("mine")
    assert message in mistake("demo", *options)
    assert [path.name for path in tmp_path.iterdir()] == ["titles.txt"]
    assert (tmp_path / "titles.txt").read_text() == "mine"


@pytest.mark.parametrize(
    ("dates", "shown"),
    [
        (("03/04/2024", "25/04/2024"), "dates such as 03/04/2024 are read with the day first"),
        (("03/04/2024", "04/25/2024"), "dates such as 03/04/2024 are read with the month first"),
        (("2024-04-03", "25/04/2024"), None),
    ],
)
def test_the_order_of_day_and_month_is_told(
    tmp_path: Path, dates: tuple[str, ...], shown: str | None
) -> None:
    rows = [f"{text},{dates[k % 2]}" for k, text in enumerate(TEXTS)]
    (tmp_path / "a.csv").write_text("\n".join(["text,date", *rows]))
    done = ran("fit", tmp_path / "a.csv", "-o", tmp_path / "out", "--samples", 1, "--min-df", 1)
    assert shown in done.stderr if shown else "dates such as" not in done.stderr
