"""`hlta documents` and the methods of a corpus that it uses."""

import json
import re
import shutil
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlta import HLTA, Corpus, Monitor, OptionError, TextOptions
from hlta.cli import workbook
from hlta.cli.common_options import Reading, Run
from hlta.cli.serving import prepare_archive, read_model_and_documents
from hlta.text import search
from hlta.text.search import tokens_of
from hlta.topics.searching import unknown_words
from hlta.topics.tables import csv_text
from tests.command import mistake, ran, rows_in, run
from tests.reads import read
from tests.scanning import TEXTS

ROWS = [
    {"id": f"d{k}", "title": f"Paper {k}", "year": 2000 + k, "venue": ["a", "b"], "text": text}
    for k, text in enumerate(TEXTS)
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("finding")
    lines = (json.dumps(row) for row in ROWS)
    (place / "papers.jsonl").write_text("\n".join(lines))
    ran("fit", place / "papers.jsonl", "-o", place / "topics", "--samples", 1, "--min-df", 1)
    return place


def given_paths(folder: Path) -> tuple[Path, Path]:
    return folder / "topics", folder / "papers.jsonl"


def found(folder: Path, *options: object) -> Any:
    return json.loads(ran("documents", *given_paths(folder), *options, "--json", "-q").stdout)


def test_documents_with_words_are_found(folder: Path) -> None:
    word = TEXTS[3].split()[0]
    answer = found(folder, "--search", f"{word.upper()} paper", "-n", len(TEXTS))
    having = [str(row["id"]) for row in ROWS if word in str(row["text"]).split()]
    assert sorted(one["document"] for one in answer["documents"]) == sorted(having)
    assert answer["documents_found"] == len(having)
    first = answer["documents"][0]
    row = ROWS[int(first["document"][1:])]
    expected = (row["title"], str(row["year"]), "a, b")
    assert (first["title"], first["date"], first["group"]) == expected
    assert first["share"] is None
    assert found(folder, "--search", "zebra") == {"documents_found": 0, "documents": []}


def test_documents_on_a_topic_are_found_and_conditions_are_joined(folder: Path) -> None:
    model = HLTA.load(folder / "topics" / "model.hlta")
    topic = model.topics_.roots[0]
    everything = found(folder, "--topic", topic.title, "-n", len(TEXTS))["documents"]
    shares = [one["share"] for one in everything]
    assert shares == sorted(shares, reverse=True)
    assert min(shares) >= 0.2
    texts = [f"{ROWS[int(one['document'][1:])]['title']}\n\n{one['passage']}" for one in everything]
    main = [model.topics_.roots[k].title if k >= 0 else "none" for k in model.predict(texts)]
    assert [one["main_topic"] for one in everything] == main
    some = found(folder, "--topic", topic.id, "--search", "Paper", "-n", 1)
    assert some["documents_found"] == len(everything)
    assert some["documents"] == [everything[0] | {"passage": some["documents"][0]["passage"]}]
    near = found(folder, "--topic", topic.id, "--like", everything[0]["document"], "-n", 2)
    assert len(near["documents"]) == near["documents_found"] <= 2
    assert everything[0]["document"] not in {one["document"] for one in near["documents"]}


def test_tables_of_main_topics_say_what_documents_are(folder: Path) -> None:
    rows = rows_in(folder / "topics" / "documents.csv")
    assert [row["document_title"] for row in rows] == [row["title"] for row in ROWS]
    assert [row["date"] for row in rows] == [str(row["year"]) for row in ROWS]
    assert {row["venue"] for row in rows} == {"a, b"}
    documents = given_paths(folder)
    first = json.loads(run("assign", *documents, "--main", "--json").stdout.splitlines()[0])
    assert (first["title"], first["date"]) == (ROWS[0]["title"], str(ROWS[0]["year"]))
    assert first["fields"] == {"venue": ["a", "b"]}
    for option in ("--date", "--group", "--keep"):
        refused = run("assign", *documents, option, "year")
        assert f"{option} applies to --main; add it, or leave this out" in refused.stderr


def test_a_column_that_is_kept_is_searched(folder: Path, tmp_path: Path) -> None:
    table = tmp_path / "kept.jsonl"
    rows = (row | {"country": f"C{k % 2}"} for k, row in enumerate(ROWS))
    table.write_text("\n".join(map(json.dumps, rows)))
    question = ("documents", folder / "topics", table, "--search", "country:C1 date:2000..2099")
    done = run(*question, "--json", "--keep", "country")
    assert (json.loads(done.stdout)["documents_found"], done.stderr) == (len(ROWS) // 2, "")
    done = run(*question, "--json")
    assert json.loads(done.stdout)["documents_found"] == 0
    assert "no field 'country'; if it is a column of theirs, --keep country reads it" in done.stderr


@pytest.mark.parametrize("harm", ["none", "other documents", "damage", "another's file"])
def test_what_is_kept_for_serving_is_searched(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, harm: str
) -> None:
    query = ("--search", '"social network" OR NOT (neural data)')
    texts_read = []

    def reading(*given: Any) -> Any:
        texts_read.append(given)
        return tokens_of(*given)

    monkeypatch.setattr(search, "tokens_of", reading)
    expected = found(folder, *query)
    assert len(texts_read) == 1
    shutil.copytree(folder / "topics", tmp_path / "topics")
    papers = shutil.copy(folder / "papers.jsonl", tmp_path)
    question = read_model_and_documents(
        tmp_path / "topics", [str(papers)], Reading(), Run(quiet=True)
    )
    with ExitStack() as ending:
        prepare_archive(question, Monitor(), ending)
    kept = tmp_path / "topics.served"
    if harm == "other documents":
        new = {"id": "new", "text": "a network that is social, as a social network is"}
        with (tmp_path / "papers.jsonl").open("a") as file:
            file.write(f"\n{json.dumps(new)}")
    elif harm == "damage":
        kept.write_bytes(kept.read_bytes()[:-5_000])
    elif harm == "another's file":
        kept.write_text("mine")
    texts_read.clear()
    done = run("documents", tmp_path / "topics", papers, *query, "--json")
    answer = json.loads(done.stdout)
    assert bool(texts_read) == (harm != "none")
    assert ("hlta serve makes it again; now, all texts are read" in done.stderr) == (
        harm in ("other documents", "damage")
    )
    assert answer["documents_found"] == expected["documents_found"] + (harm == "other documents")
    if harm != "other documents":
        assert answer == expected


def test_they_are_written_as_csv_and_printed(folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "found.csv"
    ran("documents", *given_paths(folder), "--search", "paper", "-o", target)
    rows = rows_in(target)
    assert [row["document"] for row in rows] == [row["id"] for row in ROWS]
    shown = run("documents", *given_paths(folder), "--search", "paper", "-n", 1).stdout
    assert f"{len(ROWS)} documents; the first 1:" in shown
    assert "\nPaper 0 (d0, 2000, a, b)\n  main topic: " in shown


def test_a_table_may_be_xlsx(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = []
    for name in ("found.csv", "found.xlsx"):
        options = ["--topic", HLTA.load(folder / "topics").topics_.roots[0].id]
        ran("documents", *given_paths(folder), *options, "-o", tmp_path / name)
        columns = {"id": "document", "date": "share", "group": "main_topic"}
        tables.append(read(tmp_path / name, text="passage", **columns))
    shares = [[float(record.date) for record in table] for table in tables]
    assert shares[0] == shares[1]
    tables = [[record._replace(date="") for record in table] for table in tables]
    assert tables[0] == tables[1]
    ran("documents", *given_paths(folder), "--search", "a*", "-o", tmp_path / "a.csv")
    head = (tmp_path / "a.csv").read_text().splitlines()[0]
    assert head == "document,title,date,group,main_topic,passage"  # no share of a topic
    monkeypatch.setattr(workbook, "_MOST_ROWS", 3)
    done = run("documents", *given_paths(folder), "--search", "paper", "-o", tmp_path / "more.xlsx")
    assert "a workbook holds 3 rows; use a name that ends in .csv" in done.output
    assert not (tmp_path / "more.xlsx").exists()


def test_cells_of_text_stay_text_but_for_their_length(folder: Path, tmp_path: Path) -> None:
    texts = ["=1+1", "'=x", "http://a", "\x1b", "", "0704.01", "nan", "1e5"]
    long = {"title": "a" * 200_000, "share": "", "passage": "x"}
    rows = [{"title": text, "share": text, "passage": "x"} for text in texts]
    with workbook.output_table(tmp_path / "a.xlsx", overwrite=False) as table:
        table.write_text(csv_text(list(long), [*rows, long], {}), encoding="utf-8")
    *records, cut = read(tmp_path / "a.xlsx", text="passage", title="title", group="share")
    assert [record.title for record in records] == texts
    assert cut.title == "a" * 32_766 + "…"
    numbers = {"0704.01": 704.01, "1e5": 1e5}
    for record, text in zip(records, texts, strict=True):
        assert float(record.group) == numbers[text] if text in numbers else record.group == text
    done = run("assign", *given_paths(folder), "--json", "-o", tmp_path / "b.xlsx")
    assert "--json writes JSON Lines, and no workbook" in done.output


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "nothing to find: give --search, --topic or --like"),
        (["goalies"], "give --search, --topic or --like, such as --search 'goalies'"),
        (["--search", " * "], "has no words; give one or more"),
        (["--like", "d"], "--like d: no document has this id"),
        (["--search", " ".join(map(str, range(101)))], "a search has 100 words at most"),
        (["--search", "a", "--json", "-o", "x.csv"], "choose one"),
    ],
)
def test_what_cannot_be_found_is_reported(folder: Path, options: list[str], message: str) -> None:
    done = run("documents", *given_paths(folder), *options)
    assert done.exit_code in {1, 2}
    assert message in done.output


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("paper zebra", "No document has 'zebra'\n"),
        ('zebra "paper hole" -gnu', "No document has 'zebra' or 'paper hole'\n"),
        ("paper NOT paper", ""),
    ],
)
def test_words_that_no_document_has_are_named(folder: Path, query: str, message: str) -> None:
    done = ran("documents", *given_paths(folder), "--search", query)
    assert done.stdout == "0 documents\n"
    assert done.stderr.endswith(message)
    assert ("No document has" in done.stderr) == bool(message)


def test_a_topic_that_is_not_there_is_told_before_documents_are_read(folder: Path) -> None:
    message = mistake("documents", folder / "topics", "--topic", "zebras")
    assert re.fullmatch(r"hlta: there is no topic 'zebras'; [^;]+\n", message)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("deep", [0, 2, 4]),
        ('deep -"blue sea"', [0, 4]),
        ("deep nets OR sea", [0, 2]),
        ('nets OR "blue sea" OR well', [0, 1, 2, 4]),
        ("OR deep", [0, 2, 4]),
        ("deep OR -nets", [0, 2, 3, 4]),
        ("- deep", [0, 2, 4]),
        *(("", []), ("? -?", []), ("deep -?", [0, 2, 4])),
        ("deep AND nets OR that", [0, 3]),
        ("that OR deep AND nets AND NOT sea", [0, 3]),
        ("NOT NOT deep", [0, 2, 4]),
        ('deep AND(nets OR"blue sea")', [0, 2]),
        ("deep ((nets) OR well", [0, 4]),
        ("deep) OR nets", [0, 1, 2, 4]),
        ("f(x) OR (deep nets", [0]),
        ("() OR nets ( )", [0, 1]),
        ("or", [3]),
    ],
)
def test_queries_have_alternatives_and_exceptions(query: str, expected: list[int]) -> None:
    texts = ["deep nets", "nets", "the deep, blue sea", "this or that", "a deep well"]
    corpus = Corpus(np.ones((5, 2)), ["a", "b"], texts=texts)
    assert sorted(corpus.search(query).tolist()) == expected


EVERY = frozenset(range(16))  # documents: each has the letters of the bits of its number
QUERIES = st.recursive(
    st.sampled_from([(c, frozenset(n for n in EVERY if n >> k & 1)) for k, c in enumerate("abcd")]),
    lambda one: (
        st.builds(
            lambda a, no: (f"{no}({a[0]})", EVERY - a[1]), one, st.sampled_from(["NOT ", "-"])
        )
        | st.builds(lambda a, b: (f"({a[0]}) AND {b[0]}", a[1] & b[1]), one, one)
        | st.builds(lambda a, b: (f"({a[0]}) ({b[0]})", a[1] & b[1]), one, one)
        | st.builds(lambda a, b: (f"(({a[0]}) OR ({b[0]}))", a[1] | b[1]), one, one)
    ),
    max_leaves=8,
)


@given(QUERIES)
def test_groups_of_a_query_mean_what_they_say(drawn: tuple[str, frozenset[int]]) -> None:
    query, expected = drawn
    texts = [" ".join(c for k, c in enumerate("abcd") if n >> k & 1) for n in sorted(EVERY)]
    corpus = Corpus(np.ones((16, 1)), ["a"], texts=texts)
    assert set(corpus.search(query).tolist()) == expected


def test_queries_of_too_many_parts_are_refused() -> None:
    corpus = Corpus(np.ones((2, 2)), ["a", "b"], texts=["deep nets", "nets"])
    with pytest.raises(OptionError, match="combines too many parts"):
        corpus.search(" OR ".join(f"(a{k} -b{k})" for k in range(9)))
    with pytest.raises(OptionError, match="combines too many parts"):
        corpus.search("-a " * 201)
    assert len(corpus.search(" OR ".join(f"a{k}" for k in range(120)) + " OR deep")) == 1
    assert not len(corpus.search("(" * 100_000))


def test_documents_that_match_equally_well_keep_their_order() -> None:
    body = "deep deep nets nets nets nets"  # whose sums differ by rounding
    corpus = Corpus.from_texts([body, body], titles=["deep", "nets"], min_df=1, max_df=1.0)
    assert corpus.search("deep nets").tolist() == [0, 1]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("country:Chile", [0, 1]),
        ('country:"New Zealand"', [1, 2]),
        ("country:Chile mine", [0]),
        ("mine -country:Chile", [2]),
        ("country:Chile OR sea", [0, 1, 3]),
        ("kind:letter", [3]),
        ("group:letter", [3]),
        ("date:2019", [0, 1]),
        ("date:2019-05 mine", [0]),
        ("date:2020..2021", [2]),
        ("NOT date:2019", [2, 3]),
        ("date:2019-Q2", [0, 1]),
        ("date:2019-w18", [0]),
        ("DATE:2010S", [0, 1]),
        ('date:" 2010s .. 2010s "', [0, 1]),
        ("date:2010s..2020", [0, 1, 2]),
        ("date:2019/5..6/2019", [0, 1]),
        ("country:chile", [0, 1]),
        ('country:""', [3]),
        ("country:“New Zealand”", [1, 2]),
        ('town:"le «port»"', [2]),
        ("town:Lima", []),
        ("at:sea", [3]),
    ],
)
def test_queries_ask_for_fields_and_dates(query: str, expected: list[int]) -> None:
    """What names no field is text, as on the page."""
    corpus = Corpus(
        np.ones((4, 2)),
        ["a", "b"],
        texts=["a mine", "a farm", "the mine", "at sea"],
        dates=["2019-05-01", "6/2019", "2020", ""],
        groups=["report", "report", "report", "letter"],
        fields={
            "country": ["Chile", "Chile\nNew Zealand", "New Zealand", ""],
            "town": ["", "", "le «port»", ""],
        },
        group_name="kind",
    )
    assert sorted(corpus.search(query).tolist()) == expected
    for day in ('""', "spring", "2019-Q5", "2019-W53", "2019-13", "2019-02-30", "2019..2020-02-30"):
        with pytest.raises(OptionError, match=rf"'date:{day}' has no date .* write date:2019, "):
            corpus.search(f"{query} date:{day}")
    with pytest.raises(OptionError, match=r"'date:' has no date .* write date:2019, "):
        corpus.search("date: 2019")
    with pytest.raises(OptionError, match=r"'date:2020\.\.2019-05' ends before it begins"):
        corpus.search(f"{query} date:2020..2019-05")
    with pytest.raises(OptionError, match=r"'date:2019' asks for a date, .* \(--date\)"):
        replace(corpus, dates=None).search("date:2019")


rows = st.lists(st.lists(st.integers(0, 5), max_size=6, unique=True), min_size=1, max_size=9)


@given(rows, st.data())
def test_similar_documents_are_those_of_the_cosine(documents: list[list[int]], data: Any) -> None:
    matrix = np.zeros((len(documents), 6))
    for row, words in enumerate(documents):
        matrix[row, words] = 1
    corpus = Corpus(matrix, list("abcdef"))
    row = data.draw(st.sampled_from(range(len(documents))))
    weighted = matrix * np.log(len(matrix) / np.maximum(1, matrix.sum(axis=0)))
    products, lengths = weighted @ weighted[row], np.linalg.norm(weighted, axis=1)
    alike = [other for other in range(len(matrix)) if other != row and products[other] > 0]
    expected = {other: products[other] / (lengths[other] * lengths[row]) for other in alike}
    near = corpus.similar(row, len(matrix)).tolist()
    assert set(near) == set(expected)
    cosines = [expected[other] for other in near]
    np.testing.assert_allclose(cosines, sorted(cosines, reverse=True))
    assert corpus.similar(row, 2).tolist() == near[:2]


def test_what_a_corpus_cannot_find_is_refused() -> None:
    corpus = Corpus([[1, 0], [0, 1]], ["a", "b"])
    with pytest.raises(OptionError, match="query=3: use a string"):
        corpus.search(3)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="row"):
        corpus.similar(2)


def test_words_of_a_query_that_no_topic_has_are_explained() -> None:
    options = TextOptions(stop_words=["the"], style=("recently",), left_out=(("people", 0.625),))
    topics: Any = [SimpleNamespace(title="Deep networks")]
    query = "The zebras, recently: People network data deep zebras"
    unknown = unknown_words(["neural-network", "data"], topics, query, options)
    assert unknown == {
        "the": "a stop word",
        "zebras": "not among the words of the model, because it is too rare or in no document",
        "recently": "left out as a filler word",
        "people": "left out, as it is in 62.5% of the documents",
    }
    expected = dict.fromkeys(("2nd", "x3d"), "left out for its digits")
    expected["ai"] = "shorter than 3 letters"
    assert unknown_words(["a"], [], "ai 2nd x3d", options) == expected
    assert unknown_words(["a"], [], "a b", None) == {"b": "not a word of the matrix"}
