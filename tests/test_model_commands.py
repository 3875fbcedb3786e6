"""`hlta topics`, `assign`, `score`, `report` and `convert`."""

import json
import os
import shutil
from pathlib import Path

import numpy as np
import pytest

from hlta import HLTA, LatentTree, read_corpus
from tests.command import mistake, page_data, printed, ran, rows_in, run
from tests.scanning import TEXTS, THEMES


def test_topics_are_printed(fitted: Path) -> None:
    assert run("topics", fitted).stdout == printed(HLTA.load(fitted).topics_)
    shown = json.loads(run("topics", fitted, "--json").stdout)
    assert shown == json.loads((fitted / "topics.json").read_text())
    topics = HLTA.load(fitted).topics_
    few = run("topics", fitted / "model.hlta", "--words", 2, "--depth", 1, "--ids").stdout
    assert few == printed(topics.flat(topics.roots), n_words=2, ids=True)


def test_a_number_of_topics_is_a_flat_list(fitted: Path) -> None:
    most = HLTA.load(fitted).topics_.most_in_cut
    lines = run("topics", fitted, "--number", most).stdout.splitlines()
    assert len(lines) == most
    assert not any(line.startswith(" ") for line in lines)
    table = fitted.with_name("table.csv")
    ran("topics", fitted, "--number", most, "-o", table)
    assert len(rows_in(table)) == most
    stderr = mistake("topics", fitted, "--depth", 1, "-o", table)
    assert "--all, --ids and --depth are for what is printed; leave them out" in stderr
    stderr = mistake("topics", fitted, "--number", 5000)
    assert "--number 5000: use a whole number, from 1 to" in stderr


def test_topics_are_found_by_their_words(fitted: Path) -> None:
    topics = HLTA.load(fitted).topics_
    word = topics.roots[-1].words[0]
    shown = run("topics", fitted, "--search", word).stdout
    assert shown == printed(topics.flat(topics.search(word)))
    assert word in shown.splitlines()[0].replace(" ", "-")  # a title has spaces in phrases
    stderr = mistake("topics", fitted, "--search", "zebra")
    assert (
        "--search zebra: no topic has any of these words: 'zebra' is not among the words" in stderr
    )
    assert "choose one" in run("topics", fitted, "--search", word, "--number", 2).stderr


def test_all_topics_are_shown_on_request(tmp_path: Path) -> None:
    """One of three topics is taken for vague: neither stable nor about anything in particular."""
    model = HLTA(samples=1).fit(THEMES)
    last = model.topics_.roots[-1]
    contrast = np.ones(model.tree_.n_words)
    contrast[[model.tree_.words.index(word) for word in last.words]] = 0.1
    stability = np.where(np.array(model.tree_.latent_names) == last.id, 0.1, 0.5)
    learned = model._fitted.learned
    known = learned.annotations._replace(contrast=contrast, stability=stability)
    model._show(model._fitted.with_learned(learned._replace(annotations=known)))
    model.save(tmp_path / "m.hlta")
    topics = HLTA.load(tmp_path / "m.hlta").topics_
    assert topics[last.id].is_vague
    shown = run("topics", tmp_path / "m.hlta", "--ids")
    assert last.id not in shown.stdout
    hint = f"set aside; `hlta topics {tmp_path / 'm.hlta'} --all` shows all\n"
    assert hint in shown.stderr
    whole = run("topics", tmp_path / "m.hlta", "--all", "--ids")
    assert whole.stdout == printed(topics, ids=True, whole=True)
    assert (last.id in whole.stdout, whole.stderr) == (True, "")
    assert last.id in run("topics", tmp_path / "m.hlta", "--json").stdout
    assert "--all is for the tree" in mistake("topics", tmp_path / "m.hlta", "--all", "--number", 2)


def test_assign_prints_what_fit_wrote_and_by_default_from_a_fifth(
    fitted: Path, texts_file: Path
) -> None:
    main, some = ((fitted / f"{name}.csv").read_text() for name in ("documents", "shares"))
    assert run("assign", fitted, texts_file, "--main").stdout == main
    assert run("assign", fitted, texts_file, "--least", 0.05).stdout == some
    head, *rows = some.splitlines(keepends=True)
    large = [row for row in rows if float(row.rpartition(",")[2]) >= 0.2]
    assert run("assign", fitted, texts_file).stdout == "".join([head, *large])
    assert len(large) < len(rows)
    shown = mistake("assign", fitted, texts_file, "--least", 2)
    assert "--least 2.0: use a number, from 0 to 1" in shown
    shown = mistake("assign", fitted, texts_file, "--main", "--least", 0.2)
    assert "--least chooses from all topics, --main takes one; leave" in shown


def test_assign_tells_of_documents_on_no_topic_and_of_one_that_is_unknown(
    fitted: Path, texts_file: Path, tmp_path: Path
) -> None:
    done = run("assign", fitted, texts_file, "--least", 1)
    (note,) = done.stderr.splitlines()
    count = len(texts_file.read_text().splitlines()) - 1
    assert done.stdout == "document,topic,title,level,share\n"
    why = "because no topic has a share of at least 1 (--least)"
    assert note == f"{count:,} documents with known words are on no topic, {why}"
    assert run("assign", fitted, texts_file, "--least", 1, "--quiet").stderr == ""
    lines = run("assign", fitted, texts_file, "--least", 1, "--json")
    assert (len(lines.stdout.splitlines()), lines.stderr) == (count, f"{note}\n")
    (tmp_path / "strange.txt").write_text("xyzzy plugh\n")
    done = run("assign", fitted, tmp_path / "strange.txt")
    assert done.stdout == "document,topic,title,level,share\n"
    unknown = (
        "1 of 1 document is unknown to the model, and on no topic: the model has none of its words"
    )
    assert done.stderr.startswith(unknown)


def test_few_unknown_documents_of_the_fit_are_as_usual(tmp_path: Path) -> None:
    texts = tmp_path / "texts.txt"
    texts.write_text("\n".join([*TEXTS * 40, "xyzzy plugh"]))
    ran("fit", texts, "-o", tmp_path / "topics", "--samples", 1, "--max-df", 1.0, "-q")
    assert "unknown to the model" not in ran("assign", tmp_path / "topics").stderr
    assert "unknown to the model" not in ran("assign", tmp_path / "topics", texts).stderr
    (tmp_path / "new.txt").write_text(texts.read_text())
    new = ran("assign", tmp_path / "topics", tmp_path / "new.txt").stderr
    assert f"1 of {40 * len(TEXTS) + 1:,} documents is unknown to the model" in new
    (tmp_path / "topics" / "run.json").write_text("damaged")
    assert ran("assign", tmp_path / "topics", tmp_path / "new.txt").stderr == new


def test_score(fitted: Path, texts_file: Path) -> None:
    mean = HLTA.load(fitted).score(TEXTS)
    scored = json.loads(run("score", fitted, texts_file, "--json").stdout)
    assert scored == {"documents": 30, "log_likelihood": pytest.approx(mean)}
    shown = run("score", fitted, texts_file).stdout
    assert shown == f"Mean log-likelihood of 30 documents: {mean:.4f} (natural logarithm)\n"


@pytest.mark.parametrize("verb", ["assign", "score", "evaluate", "report"])
def test_run_options(verb: str, fitted: Path, texts_file: Path, tmp_path: Path) -> None:
    target = ["-o", tmp_path / "page.html"] if verb == "report" else []
    done = run(verb, fitted, texts_file, *target, "--jobs", 1, "--quiet")
    assert (done.exit_code, done.stderr) == (0, "")


def test_a_report_shows_documents_or_the_topics_alone(
    fitted: Path, texts_file: Path, tmp_path: Path
) -> None:
    target = tmp_path / "page.html"
    done = run("report", fitted, texts_file, "-o", target)
    assert (done.exit_code, done.stderr) == (0, f"Wrote {target}\n")
    topics, documents = page_data(target)
    assert topics["title"] == "texts"
    assert documents is not None
    assert documents["documents"] == len(TEXTS)
    assert target.read_bytes() == (fitted / "index.html").read_bytes()
    ran("report", fitted, texts_file, "-o", target, "--overwrite", "--page-documents", 7)
    documents = page_data(target)[1]
    assert documents is not None
    assert len(documents["rows"]) == 7
    done = run("report", fitted, texts_file, "-o", target, "--overwrite", "--page-documents", 0)
    assert done.exit_code == 2
    assert run("report", fitted, "--topics-alone", "-o", tmp_path / "a.html").exit_code == 0
    topics, documents = page_data(tmp_path / "a.html")
    assert (topics["title"], documents) == (fitted.name, None)
    ran("report", fitted, "-o", tmp_path / "b.html", "--heading", "A < B")
    assert page_data(tmp_path / "b.html")[0]["title"] == "A < B"


def test_a_report_without_documents_takes_no_options_for_them(fitted: Path, tmp_path: Path) -> None:
    model = fitted / "model.hlta"
    shutil.copy(model, tmp_path / "alone.hlta")
    for option in (("--text", "body"), ("--page-documents", 7)):
        for path, *more in ((model, "--topics-alone"), (tmp_path / "alone.hlta",)):
            shown = mistake("report", path, *more, "-o", tmp_path / "page.html", *option)
            assert f"{option[0]} applies to documents" in shown
    assert os.listdir(tmp_path) == ["alone.hlta"]


ORDERED = ("docword.x.txt", "y.ldac", "x.npz", "z.mtx", "corpus")


@pytest.fixture(scope="module")
def converted(texts_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the texts in every format."""
    folder = tmp_path_factory.mktemp("converted")
    for name in (*ORDERED, "x.sparse.txt"):
        done = run("convert", texts_file, folder / name)
        assert (done.exit_code, done.stdout) == (0, "")
        assert "30 documents" in done.stderr
        assert f"Wrote {folder / name}" in done.stderr
    return folder


def test_every_format_holds_the_same_documents(converted: Path) -> None:
    corpus = read_corpus(converted / "corpus")
    expected = corpus.documents.to_csr().toarray()
    for name in (*ORDERED, "x.sparse.txt"):  # in these tuples, words stand in another order
        read = read_corpus(converted / name)
        columns = [corpus.words.index(word) for word in read.words]
        assert (read.documents.to_csr().toarray() == expected[:, columns]).all()
        assert read.words == corpus.words or name == "x.sparse.txt"


def test_models_are_converted(fitted: Path, tmp_path: Path) -> None:
    for source in (fitted, fitted / "model.hlta"):
        done = run("convert", source, tmp_path / "m.bif", "--overwrite")
        assert (done.exit_code, done.stderr) == (0, f"Wrote {tmp_path / 'm.bif'}\n")
    ran("convert", tmp_path / "m.bif", tmp_path / "m.hlta")
    ran("convert", tmp_path / "m.hlta", tmp_path / "again.hlta", "-q")
    assert LatentTree.load(tmp_path / "again.hlta").words == HLTA.load(fitted).tree_.words
    assert "holds a tree alone" in mistake("topics", tmp_path / "m.hlta")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{model}", "m.npz"], "converted to .bif or .hlta"),
        (["{model}", "m.bif", "--text", "body"], "--text applies to documents"),
        (["{model}", "m.bif", "--cluster", "local"], "--cluster applies to documents"),
        (["{matrix}", "x.mtx", "--text", "body"], "text"),
        (["{texts}", "x.npz", "--vocabulary", "{texts}"], "vocabulary"),
        (["{texts}", "x.xlsx"], "x.xlsx': use docword"),
        (["{texts}", "m.bif"], "would be a model"),
    ],
)
def test_what_cannot_be_converted_is_told(
    arguments: list[object],
    message: str,
    converted: Path,
    fitted: Path,
    texts_file: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    places = {"model": fitted / "model.hlta", "matrix": converted / "x.npz", "texts": texts_file}
    monkeypatch.chdir(tmp_path)
    stderr = mistake("convert", *(str(argument).format(**places) for argument in arguments))
    assert message in stderr
    assert not list(tmp_path.iterdir())


def test_files_are_kept_unless_overwritten(converted: Path, tmp_path: Path) -> None:
    for name in ("x.mtx", "x.words.txt"):
        (tmp_path / name).write_text("mine")
        assert "exists" in mistake("convert", converted / "x.npz", tmp_path / "x.mtx")
        assert [path.read_text() for path in tmp_path.iterdir()] == ["mine"]
        ran("convert", converted / "x.npz", tmp_path / "x.mtx", "--overwrite")
        assert (tmp_path / name).read_text() != "mine"
        for path in tmp_path.iterdir():
            path.unlink()


def test_new_documents_are_made_of_the_columns_of_the_fit(tmp_path: Path) -> None:
    def table(name: str, *columns: str) -> Path:
        rows = (f"{text},head {k},{2000 + k % 2}" for k, text in enumerate(TEXTS))
        (tmp_path / name).write_text("\n".join((",".join(columns), *rows)))
        return tmp_path / name

    named = ("--text", "Body", "--title", "Head", "--date", "Since")
    model = tmp_path / "model"
    ran("fit", table("old.csv", "Body", "Head", "Since"), *named, "-o", model, "--em-steps", 1)
    new = table("new.csv", "Body", "Head", "Since")
    done = ran("trends", model, new, "--json")
    assert (
        "Columns as in the fit: text from 'Body', title from 'Head', date from 'Since'"
        in done.stderr
    )
    assert done.stdout == ran("trends", model, new, *named, "--json").stdout
    assert "Columns" not in ran("trends", model, "--json").stderr
    assert "text from 'Body'" in ran("trends", model, tmp_path / "old.csv", "--json").stderr
    (tmp_path / "further.csv").write_text("Body,description\n" + f"{TEXTS[0]},zebras\n" * 3)
    assert "text from 'Body'" in ran("update", model, tmp_path / "further.csv").stderr
    other = ran("trends", model, table("other.csv", "Body", "Name", "Year"), "--json").stderr
    assert "Columns as in the fit: text from 'Body'\n" in other
    assert "Columns" not in ran("score", model, table("usual.csv", "text", "title", "year")).stderr
