"""Data frames of pandas and Polars: their columns, rows and values as documents."""

import datetime as dt
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlta import HLTA, Corpus, DocumentsError, OptionError, read_corpus
from hlta.documents.frames import is_frame, plain

TEXTS: Final = ["deep nets learn", "deep nets", "graphs learn"]
COLUMNS: Final[dict[str, list[Any]]] = {
    "doi": ["a", "b", "c"],
    "headline": ["Nets", None, "Graphs"],
    "body": TEXTS,
    "published": ["2020-01-31", None, "2021"],
    "desk": ["x", "y", None],
}
NAMES: Final[dict[str, Any]] = {"date": "published", "group": "desk", "min_df": 1}


@pytest.fixture(params=[pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
def make(request: pytest.FixtureRequest) -> Any:
    return request.param


def known(corpus: Corpus) -> dict[str, list[str]]:
    return {name: list(values) for name, values in corpus.metadata.items()}


def test_a_frame_is_read_as_a_file_of_the_same_table(make: Any, tmp_path: Path) -> None:
    pl.DataFrame(COLUMNS).write_csv(tmp_path / "table.csv")
    from_file = read_corpus(tmp_path / "table.csv", **NAMES)
    corpus = Corpus.from_frame(make(COLUMNS), **NAMES)
    assert known(corpus) == known(from_file)
    assert corpus.words == from_file.words
    assert corpus.text_options == from_file.text_options
    found, expected = (one.documents.to_csr().toarray() for one in (corpus, from_file))
    np.testing.assert_array_equal(found, expected)


def test_columns_are_named_or_have_usual_names(make: Any) -> None:
    frame = make({"one": TEXTS, "two": ["p", "q", "r"], "text": ["comets orbit stars"] * 3})
    found = known(Corpus.from_frame(frame, text="one", group="two", min_df=1))
    assert found == {"ids": ["0", "1", "2"], "groups": ["p", "q", "r"], "texts": TEXTS}
    usual = Corpus.from_frame(frame, min_df=1, max_df=3)
    assert usual.words == ("comets", "orbit", "stars")
    whole = Corpus.from_frame(frame, text="one", keep_texts=False, min_df=1, ngrams=2)
    assert whole.texts is None
    assert whole.text_options is not None
    assert whole.text_options.ngrams == 2


def test_columns_and_rows_of_pandas_may_be_numbered_in_any_way() -> None:
    numbered = pd.DataFrame(list(zip(TEXTS, [1, 2, 3], strict=True)))
    assert known(Corpus.from_frame(numbered, text="0", group="1", min_df=1))["groups"] == [*"123"]
    moved = Corpus.from_frame(pd.DataFrame(COLUMNS).iloc[[2, 0]], min_df=1)
    assert known(moved)["ids"] == ["c", "a"]
    assert known(moved)["dates"] == ["2021", "2020-01-31"]


DATES: Final[dict[str, tuple[list[Any], list[str]]]] = {
    "years": ([2020, 1999], ["2020", "1999"]),
    "years, some missing": ([2020.0, None], ["2020", ""]),
    "years, some nan": ([2020.0, float("nan")], ["2020", ""]),
    "dates": ([dt.date(2020, 1, 31), None], ["2020-01-31", ""]),
    "times": ([dt.datetime(2020, 1, 31, 23, 59), None], ["2020-01-31", ""]),
    "zones": ([dt.datetime(2020, 1, 31, tzinfo=dt.UTC)] * 2, ["2020-01-31"] * 2),
    "strings": (["May 2020", None], ["May 2020", ""]),
}


@pytest.mark.parametrize("kind", DATES)
def test_dates_may_be_of_any_common_type(make: Any, kind: str) -> None:
    values, expected = DATES[kind]
    frame = make({"text": TEXTS[:2], "when": values})
    assert list(Corpus.from_frame(frame, date="when", min_df=1).dates or ()) == expected
    X = [[1, 0], [0, 1]]
    for column in (frame["when"], values):
        assert list(Corpus(X, ["a", "b"], dates=column).dates or ()) == expected
    texts = Corpus.from_texts(TEXTS[:2], dates=frame["when"], min_df=1)
    assert list(texts.dates or ()) == expected


@pytest.mark.parametrize(
    ("values", "dtype", "expected"),
    [
        (["2020-01-31", "NaT"], "datetime64[ns]", ["2020-01-31", ""]),
        ([2020, None], "Int64", ["2020", ""]),
        ([None, "x"], "string", ["", "x"]),
        (["x", None], "category", ["x", ""]),
        (["2020-01", "2020-02"], "period[M]", ["2020-01", "2020-02"]),
    ],
)
def test_types_of_pandas(values: list[Any], dtype: str, expected: list[str]) -> None:
    series = pd.Series(values, dtype=dtype)
    assert [plain(value) for value in series] == expected


@pytest.mark.parametrize(
    ("unit", "expected"),
    [("Y", "2020"), ("M", "2020-01"), ("D", "2020-01-31"), ("ns", "2020-01-31")],
)
def test_dates_of_numpy_are_as_exact_as_they_were(unit: str, expected: str) -> None:
    assert plain(np.datetime64("2020-01-31").astype(f"datetime64[{unit}]")) == expected
    assert plain(np.array(["NaT"], dtype=f"datetime64[{unit}]")[0]) == ""


@given(st.integers(), st.text() | st.booleans() | st.floats(0.1, 0.9))
def test_whole_numbers_keep_all_digits_and_other_values_stay(number: int, other: Any) -> None:
    assert plain(number) == str(number)
    assert plain(float(number % 2**53)) == str(number % 2**53)
    assert plain(other) is other


@pytest.mark.parametrize("odd", [None, 3.5, b"deep nets"])
def test_a_text_that_is_missing_is_named_by_its_row(odd: Any) -> None:
    assert len(Corpus.from_frame(pl.DataFrame({"body": [*TEXTS, ""]}), min_df=1)) == 4
    with pytest.raises(DocumentsError, match="row 2 of column 'body', counted from 0, holds"):
        Corpus.from_frame(pd.DataFrame({"body": [TEXTS[0], "", odd]}), min_df=1)


def test_columns_that_are_not_there_or_twice_are_named(make: Any) -> None:
    frame, unknown = make(COLUMNS), dict[str, Any](dates="published")
    with pytest.raises(DocumentsError, match=r"the data frame: there is no column 'day'.*'doi'"):
        Corpus.from_frame(frame, date="day")
    with pytest.raises(DocumentsError, match="the data frame: no column is named text, abstract"):
        Corpus.from_frame(frame[["doi", "desk"]])
    with pytest.raises(OptionError, match="'dates' is not an option for texts"):
        Corpus.from_frame(frame, **unknown)
    twice = pd.DataFrame({"body": TEXTS, "x": TEXTS}).rename(columns={"x": "body"})
    with pytest.raises(DocumentsError, match="several columns 'body'"):
        Corpus.from_frame(twice)


LONG: Final = "an article " * 50


def test_what_is_no_frame_is_refused_and_shows_no_article(make: Any, tmp_path: Path) -> None:
    frame = make({"body": [LONG] * 3, "year": [1, 2, 3]})
    for other in (TEXTS, frame["body"], np.ones((3, 3)), pl.LazyFrame(COLUMNS)):
        assert not is_frame(other)
        with pytest.raises(DocumentsError, match="give a data frame of pandas or Polars"):
            Corpus.from_frame(other)
    model = HLTA(samples=1, em_steps=1).fit(TEXTS * 3)
    for call in (HLTA().fit, model.transform, Corpus.from_texts, lambda X: Corpus(X, ["a", "b"])):
        with pytest.raises(DocumentsError, match=r"Corpus\.from_frame") as refused:
            call(frame)
        assert "article" not in str(refused.value)
    texts: list[Any] = [[LONG.encode()] * 3, [None, LONG], np.array([[LONG, "a"]], dtype=object)]
    for odd in texts:
        for call in (HLTA().fit, Corpus.from_texts):
            with pytest.raises(DocumentsError) as refused:
                call(odd)
            assert len(str(refused.value)) < 200
    (tmp_path / "x.csv").write_text(f"1,{LONG}\n2,{LONG}\n")
    with pytest.raises(DocumentsError, match="no column is named text") as refused:
        read_corpus(tmp_path / "x.csv")  # of which the first row gives the names
    assert len(str(refused.value)) < 300
