"""Fields: columns that documents are compared by, from files of any kind to tables of their topics."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlta import HLTA, Corpus, read_corpus
from hlta._support.passes import passes_at
from hlta.documents.fields import columns_of, fields_of, value_list
from hlta.documents.strings import Strings
from hlta.errors import DocumentsError, OptionError
from hlta.reading.recording import FEW, LONGEST, MOST_VALUES
from hlta.reading.records import MOST_KEPT
from tests.command import ran, rows_in, run
from tests.portions import cut_small, shown, write
from tests.scanning import TEXTS
from tests.there import there

COUNTRIES = ("Chile", "Kenya", "")
ROWS = [
    {"text": text, "desk": f"desk {k % 2}", "country": COUNTRIES[k % 3], "link": f"u{k}"}
    for k, text in enumerate(TEXTS * 2)
]
WITH_TAGS = [row | {"tags": ["red", "new"] if k % 2 else ["red"]} for k, row in enumerate(ROWS)]


def lists(corpus: Corpus) -> dict[str, list[list[str]]]:
    """The values of each field, by name."""
    return {field.name: list(map(value_list, field.values)) for field in corpus.all_fields}


def expected(rows: Iterable[dict[str, Any]], *names: str) -> dict[str, list[list[str]]]:
    def values(value: Any) -> list[str]:
        return value if isinstance(value, list) else [value] if value else []

    return {name: [values(row[name]) for row in rows] for name in names}


def table(path: Path, rows: list[dict[str, Any]], delimiter: str = ",") -> Path:
    pl.DataFrame(rows).write_csv(path, separator=delimiter)
    return path


@pytest.mark.parametrize("written", [str, json.dumps])
def test_lists_in_cells_are_several_values(tmp_path: Path, written: Any) -> None:
    rows = [row | {"tags": written(row["tags"])} for row in WITH_TAGS]
    path = table(tmp_path / "a.csv", rows)
    assert lists(read_corpus(path, keep=["tags"])) == expected(WITH_TAGS, "tags")
    groups = there(read_corpus(path, group="tags").groups)
    assert list(map(value_list, groups)) == expected(WITH_TAGS, "tags")["tags"]
    odd = ["[1, 2]", "['a", "[a] [b]", "['a'] 'b'", "[['a']]", "[]", " ['a']"]
    cells = [row | {"tags": odd[k % len(odd)]} for k, row in enumerate(ROWS)]
    kept = lists(read_corpus(table(tmp_path / "b.csv", cells), keep=["tags"]))["tags"]
    assert kept[:7] == [["[1, 2]"], ["['a"], ["[a] [b]"], ["['a'] 'b'"], ["[['a']]"], [], ["['a']"]]


def test_every_kind_of_table_keeps_the_same_columns(tmp_path: Path) -> None:
    frame = pl.DataFrame(ROWS)
    frame.write_parquet(tmp_path / "a.parquet")
    frame.write_ipc(tmp_path / "a.arrow")
    table(tmp_path / "a.csv", ROWS)
    table(tmp_path / "a.tsv", ROWS, "\t")
    write(tmp_path / "a.jsonl", map(json.dumps, ROWS))
    (tmp_path / "a.json").write_text(json.dumps(ROWS))
    frame.write_excel(tmp_path / "a.xlsx")
    wanted = expected(ROWS, "desk", "country")
    for file in sorted(tmp_path.iterdir()):
        corpus = read_corpus(file, group="desk", keep="country", min_df=1)
        assert lists(corpus) == wanted, file
    for one in (frame, pd.DataFrame(ROWS)):
        assert lists(Corpus.from_frame(one, group="desk", keep=["country"], min_df=1)) == wanted


def test_a_document_has_several_values_as_a_list_or_as_lines(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", map(json.dumps, WITH_TAGS))
    pl.DataFrame(WITH_TAGS).write_parquet(tmp_path / "a.parquet")
    read = [read_corpus(file, keep="tags", min_df=1) for file in tmp_path.iterdir()]
    read.append(Corpus.from_frame(pl.DataFrame(WITH_TAGS), keep="tags", min_df=1))
    tags = [row["tags"] for row in WITH_TAGS]
    read.append(Corpus.from_texts(TEXTS * 2, fields={"tags": tags}, min_df=1))
    for corpus in read:
        assert lists(corpus) == expected(WITH_TAGS, "tags")
    groups: Any
    for groups in ([["a", "b"], "c", ()], ["a\nb", "c", ""], ["a\n b\na", "c\n", " "]):
        corpus = Corpus(np.eye(3), list("abc"), groups=groups)
        assert lists(corpus) == {"group": [["a", "b"], ["c"], []]}
    with pytest.raises(DocumentsError, match="entry 1 of groups"):
        Corpus(np.eye(3), list("abc"), groups=["a", 2, "b"])  # type: ignore[list-item]


def test_all_keeps_columns_of_few_values_and_says_which_others_there_are() -> None:
    rows = [row | {"same": "x", "empty": "", "many": k % 50} for k, row in enumerate(ROWS)]
    with pytest.warns(UserWarning, match="columns that are not kept") as warned:
        corpus = Corpus.from_frame(pl.DataFrame(rows), group="desk", keep="all", min_df=1)
    assert lists(corpus) == expected(rows, "desk", "country")
    message = str(warned[0].message)
    for part in (
        "'link' (more than one value for every two documents)",
        "'many' (more than one value for every two documents)",
        "'same' (one value)",
        "'empty' (no values)",
        'name those that you need, as in keep="country" (--keep country)',
    ):
        assert part in message


@pytest.mark.parametrize(
    ("keep", "values", "why"),
    [
        ("all", range(FEW + 1), f"'other' (more than {FEW} values)"),
        ("other", range(MOST_VALUES + 1), f"'other' (more than {MOST_VALUES:,} values)"),
        ("other", ["0" * (LONGEST + 1), "1"] * 4, f"more than {LONGEST} characters"),
        ("other", [" "] * 8, "'other' (no values)"),
    ],
)
def test_a_column_that_does_not_suit_is_left_out(keep: str, values: Any, why: str) -> None:
    columns = {"text": ["neural network"] * len(values), "other": list(map(str, values))}
    frame = pl.DataFrame(columns | {"kind": [k % 2 for k in range(len(values))]})
    with pytest.warns(UserWarning, match="not kept") as warned:
        corpus = Corpus.from_frame(frame, keep=keep, min_df=1, max_df=1.0)
    assert list(corpus.fields) == ["kind"] * (keep == "all")
    assert why in str(warned[0].message)


def test_at_most_some_columns_are_kept() -> None:
    rows = [{"text": "neural net"} | {f"c{k}": str(n % 2) for k in range(100)} for n in range(8)]
    with pytest.warns(UserWarning, match=f"'c{MOST_KEPT}' .one of more than {MOST_KEPT} columns"):
        corpus = Corpus.from_frame(pl.DataFrame(rows), keep="all", min_df=1)
    assert list(corpus.fields) == [f"c{k}" for k in range(MOST_KEPT)]
    assert lists(corpus)["c0"] == [[str(row % 2)] for row in range(8)]
    with pytest.raises(OptionError, match="give the names of at most"):
        Corpus.from_frame(pl.DataFrame(rows), keep=[f"c{k}" for k in range(100)])
    odd: list[Any] = [[3], 3, [""]]
    for keep in odd:
        with pytest.raises(OptionError, match="keep holds"):
            Corpus.from_frame(pl.DataFrame(rows), keep=keep)


def test_columns_of_parquet_that_hold_no_text_are_no_trouble(tmp_path: Path) -> None:
    frame = pl.DataFrame(ROWS).with_columns(
        pl.lit(b"\xff").alias("bytes"),
        pl.lit(1).cast(pl.Duration).alias("long"),
        pl.struct(a=pl.lit(1)).alias("both"),
        pl.lit(None).alias("none"),
    )
    frame.write_parquet(tmp_path / "a.parquet")
    with pytest.warns(UserWarning, match="'bytes' .no values"):
        corpus = read_corpus(tmp_path / "a.parquet", group="desk", keep="all", min_df=1)
    assert lists(corpus) == expected(ROWS, "desk", "country")


def test_the_group_is_not_kept_twice_and_has_the_name_of_its_column(tmp_path: Path) -> None:
    rows = [{"text": row["text"], "venue": row["desk"], "country": row["country"]} for row in ROWS]
    corpus = read_corpus(table(tmp_path / "a.csv", rows), keep=["venue", "country"], min_df=1)
    assert (corpus.group_name, list(corpus.fields)) == ("venue", ["country"])
    assert [field.key for field in corpus.all_fields] == ["group", "country"]
    renamed = [{"text": row["text"], "section": row["desk"]} for row in ROWS]
    table(tmp_path / "b.csv", renamed)
    assert read_corpus([tmp_path / "a.csv", tmp_path / "b.csv"], min_df=1).group_name == "group"


@pytest.mark.parametrize("file", ["a.csv", "a.jsonl", "a.txt"])
def test_a_column_that_no_file_has_is_refused(tmp_path: Path, file: str) -> None:
    table(tmp_path / "a.csv", ROWS)
    write(tmp_path / "a.jsonl", map(json.dumps, ROWS))
    write(tmp_path / "a.txt", TEXTS)
    own = {
        "a.csv": "there is no column 'kind'; the columns are 'text'",
        "a.jsonl": "no document has a column 'kind'; name one",
        "a.txt": "names a column, but there is no table",
    }[file]
    with pytest.raises((DocumentsError, OptionError), match=own):
        read_corpus(tmp_path / file, keep=["kind"])


def test_documents_without_a_column_that_others_have_are_read(tmp_path: Path) -> None:
    table(tmp_path / "a.csv", ROWS)
    table(tmp_path / "b.csv", [{"text": row["text"]} for row in ROWS])
    lines = [{"text": "neural network"}, *ROWS]
    write(tmp_path / "c.jsonl", map(json.dumps, lines))
    files = [tmp_path / name for name in ("b.csv", "a.csv", "c.jsonl")]
    corpus = read_corpus(files, keep=["country"], min_df=1)
    known = [row["country"] for row in ROWS]
    assert list(corpus.fields["country"]) == ["" for _ in ROWS] + known + ["", *known]


def test_portions_are_kept_like_the_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.test_portions import Elsewhere

    cut_small(monkeypatch)
    for k in range(4):
        rows = [row | {f"only {k}": str(n % 2), "link": f"{k} {n}"} for n, row in enumerate(ROWS)]
        table(tmp_path / f"{k}.csv", rows)
        keys = [{f"key {n * 7 % 90}": "ab"[k % 2]} for n in range(len(ROWS))]
        rows_of_keys = zip(ROWS, keys, strict=True)
        others = [{"text": row["text"], "desk": "x"} | key for row, key in rows_of_keys]
        write(tmp_path / f"{k}.jsonl", map(json.dumps, others))
    options: dict[str, Any] = {"group": "desk", "keep": "all", "min_df": 1}
    with pytest.warns(UserWarning, match=r"'link'.*beyond the first \d+ columns"):
        here = shown(tmp_path, **options)
    place = Elsewhere()
    with passes_at(place), pytest.warns(UserWarning, match=r"'link'.*beyond the first \d+ columns"):
        there = shown(tmp_path, **options)
    assert there == here
    assert max(place.shards) > 2
    assert list(here[0]["fields"])[:2] == ["country", "only 0"]
    assert len(here[0]["fields"]) == MOST_KEPT


def test_a_table_beside_a_matrix_has_columns_to_keep(tmp_path: Path) -> None:
    corpus = Corpus.from_texts(TEXTS * 2, min_df=1, ids=[f"u{k}" for k in range(len(ROWS))])
    file = table(tmp_path / "about.csv", ROWS[::-1])
    corpus.save(tmp_path / "saved")
    read = read_corpus(tmp_path / "saved", metadata=file, id="link", group="desk", keep=["country"])
    assert lists(read) == expected(ROWS, "desk", "country")
    with pytest.raises(OptionError, match="holds words already; leave it out"):
        read_corpus(tmp_path / "saved", keep="country")


VALUES = st.lists(st.lists(st.sampled_from("abc"), max_size=2, unique=True), min_size=3, max_size=3)


@given(st.dictionaries(st.text(min_size=1, max_size=5), VALUES, max_size=4))
def test_fields_have_keys_that_stand_in_addresses(values: dict[str, list[list[str]]]) -> None:
    corpus = Corpus([[1, 0], [0, 1], [1, 1]], ["a", "b"], groups=["x", "", "y"], fields=values)
    assert lists(corpus) == {"group": [["x"], [], ["y"]]} | values
    keys = [field.key for field in corpus.all_fields]
    assert len({*keys}) == len(keys)
    assert all(key.replace("_", "a").isalnum() for key in keys)
    for field in corpus.all_fields[1:]:
        assert corpus.field(field.key) is field
    assert lists(corpus.take([2, 0]))["group"] == [["y"], ["x"]]


def test_names_of_other_terms_are_no_keys_and_those_of_a_table_get_a_number() -> None:
    one = Strings.of(["a"])
    columns = dict.fromkeys(("topic", "Date", "Group", "date!", "文 種", "?", "period"), one)
    keys = [field.key for field in fields_of(one, "desk", columns)]
    wanted = ["topic_2", "date_2", "group_2", "date_3", "文_種", "field", "period_2"]
    assert keys == ["group", *wanted]
    columns = columns_of(dict.fromkeys(["kind", "topic", "topic 2"], one), ["topic", "share"])
    assert list(columns) == ["kind", "topic 2", "topic 2 2"]


def test_fields_are_saved_and_loaded(tmp_path: Path) -> None:
    fields = {"Länge / cm": ["1\n2", "", *TEXTS[2:]]}
    corpus = Corpus.from_texts(TEXTS, groups=["a"] * len(TEXTS), fields=fields, min_df=1)
    corpus.save(tmp_path / "saved")
    assert lists(Corpus.load(tmp_path / "saved")) == lists(corpus)
    corpus.save(tmp_path / "saved", overwrite=True)  # all files in it are known to be ours


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"fields": ["a"]}, "fields is of type list; give a dictionary"),
        ({"fields": {"kind": "ab"}}, r"fields\['kind'\] is a single string"),
        ({"fields": {"kind": ["a"]}}, r"fields\['kind'\] has 1 entries for 2 documents"),
        ({"fields": {"": ["a", "b"]}}, "fields holds ''"),
        ({"group_name": ""}, "group_name holds ''"),
        ({"dates": [2020, 2020.5]}, r"entry 1 of dates is 2020\.5, of type float"),
        *(
            ({"coverage": odd}, "coverage must be one number from 0 to 1")
            for odd in ([0.5], [0.5, 1.5], [0.5, np.nan], [[0.5, 0.5]], ["a", "b"], [10**400] * 2)
        ),
    ],
)
def test_what_no_document_can_have_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(DocumentsError, match=message):
        Corpus([[1, 0], [0, 1]], ["a", "b"], **given)


def test_shares_by_a_field_are_those_by_such_groups(small: tuple[HLTA, Corpus]) -> None:
    model, corpus = small
    kinds = ["a", "b\na", "c"] * (len(corpus) // 3) + [""] * (len(corpus) % 3)
    as_field = Corpus(corpus.documents, corpus.words, dates=corpus.dates, fields={"kind": kinds})
    as_group = Corpus(corpus.documents, corpus.words, dates=corpus.dates, groups=kinds)
    tree = model.topics_
    wanted = tree.by_group(as_group)
    assert tree.by_group(as_field, field="kind").equals(wanted)
    over_time = tree.over_time(as_field, by_group="kind")
    assert over_time.equals(tree.over_time(as_group, by_group=True))
    with pytest.raises(DocumentsError, match="no field 'country', only 'kind'; keep its column"):
        tree.by_group(as_field, field="country")
    with pytest.raises(DocumentsError, match=r"shares by group need .*--group"):
        tree.by_group(as_field)


@pytest.mark.filterwarnings("ignore:left out")
def test_commands_keep_columns(tmp_path: Path) -> None:
    file, topics = table(tmp_path / "a.csv", ROWS), tmp_path / "topics"
    columns = ("--group", "desk", "--keep", "country", "--keep", "desk")
    ran("fit", file, "-o", topics, "--samples", 1, "--em-steps", 2, "--min-df", 1, *columns)
    written = rows_in(topics / "documents.csv")
    for name in ("desk", "country"):
        assert [row[name] for row in written] == [row[name] for row in ROWS]
    assigned = run("assign", topics, file, "--main", *columns)
    assert assigned.stdout == (topics / "documents.csv").read_text()
    as_json = run("assign", topics, file, "--main", "--json", "--keep", "country")
    assert json.loads(as_json.stdout.splitlines()[0])["fields"] == {
        "desk": ["desk 0"],  # the group, as in the fit
        "country": ["Chile"],
    }

    shares = json.loads(run("trends", topics, file, "--by", "country", "--json").stdout)
    assert {row["group"]: row["documents"] for row in shares} == {"Chile": 20, "Kenya": 20}
    ran("convert", file, tmp_path / "saved", "--min-df", 1, *columns)
    saved = run("trends", topics, tmp_path / "saved", "--by", "country", "--json")
    assert json.loads(saved.stdout) == shares
    for name in ("desk", "group"):
        by_group = run("trends", topics, tmp_path / "saved", "--by", name, "--json")
        assert {row["group"] for row in json.loads(by_group.stdout)} == {"desk 0", "desk 1"}
    refused = run("trends", topics, tmp_path / "saved", "--by", "kind")
    assert "no field 'kind', only 'desk', 'country'" in refused.stderr

    options = ("--search", "neural", "--keep", "country")
    found = json.loads(run("documents", topics, file, *options, "--json").stdout)["documents"]
    assert {one["country"] for one in found} <= {*COUNTRIES}


def test_the_values_of_documents_are_no_formulas_in_tables(tmp_path: Path, fitted: Path) -> None:
    file = table(tmp_path / "a.csv", [{"text": text, "=a": "=1+0"} for text in TEXTS])
    assigned = ran("assign", fitted, file, "--main", "--keep", "=a")
    head, first, *_ = assigned.stdout.splitlines()
    assert (head.endswith(",'=a"), first.endswith(",'=1+0")) == (True, True)
