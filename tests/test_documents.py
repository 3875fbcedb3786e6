"""Documents apart from their words: samples of them, their originals and their dates."""

from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from hlta import Corpus, DocumentsError, OptionError
from hlta.documents import dates as of_dates
from hlta.documents.dates import day_first, iso_date, parse_date, parse_in_format
from hlta.documents.given_matrices import as_documents
from hlta.documents.matrix import Documents
from hlta.documents.originals import check_originals, originals_among
from hlta.documents.sampling import draw_rows, fingerprints, in_own_order
from tests.synthetic import planted

WORDS = tuple(f"w{k}" for k in range(30))
SEED = np.random.SeedSequence(0)


@pytest.fixture(scope="module")
def documents() -> Documents:
    X = planted(30, 0).sample(300, seed=0).toarray()
    X[10:13] = X[10]  # copies, and empty documents
    X[20:24] = 0
    return as_documents(X)


def shuffled(documents: Documents, seed: int) -> tuple[NDArray[np.intp], Documents, list[str]]:
    """The documents in another order, with their words in another one."""
    rng = np.random.default_rng(seed)
    rows, columns = rng.permutation(len(documents)), rng.permutation(len(WORDS))
    other = as_documents(documents.to_csr()[rows][:, columns])
    return rows, other, [WORDS[k] for k in columns]


def test_fingerprints_hang_on_words_alone_and_differ_for_copies_too(documents: Documents) -> None:
    marks = fingerprints(documents, WORDS)
    assert len(np.unique(marks)) == len(documents)
    rows, other, words = shuffled(documents, 1)
    found = fingerprints(other, words)
    np.testing.assert_array_equal(np.sort(found), np.sort(marks))
    X = documents.to_csr().toarray()
    _, kind, copies = np.unique(X[rows], axis=0, return_inverse=True, return_counts=True)
    single = copies[kind] == 1
    np.testing.assert_array_equal(found[single], marks[rows[single]])
    renamed = fingerprints(documents, ("other", *WORDS[1:]))
    np.testing.assert_array_equal(marks == renamed, X[:, 0] == 0)


def test_the_own_order_is_the_same_for_every_given_order(documents: Documents) -> None:
    _, other, words = shuffled(documents, 2)
    one, names, marks = in_own_order(documents, WORDS)
    two, other_names, other_marks = in_own_order(other, words)
    assert names == other_names == tuple(sorted(WORDS))
    np.testing.assert_array_equal(marks, other_marks)
    for ours, theirs in zip(one.presences(), two.presences(), strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert one.document_frequency.sum() == documents.document_frequency.sum()


def test_samples_follow_their_seed_hang_together_and_hold_all_equally_often(
    documents: Documents,
) -> None:
    marks = fingerprints(documents, WORDS)
    one, same, other = (draw_rows(marks, 100, np.random.SeedSequence(seed)) for seed in (0, 0, 1))
    assert len(np.unique(one)) == len(one) == 100
    assert (np.diff(one) > 0).all()
    np.testing.assert_array_equal(one, same)
    assert not np.array_equal(one, other)
    for size in (300, 301):
        np.testing.assert_array_equal(draw_rows(marks, size, SEED), np.arange(300))
    sample = set(marks[one].tolist())
    for left_out in range(0, len(marks), 7):  # without a document, a sample loses that one at most
        rest = np.delete(marks, left_out)
        assert len(sample - set(rest[draw_rows(rest, 100, SEED)].tolist())) <= 1
    samples = [draw_rows(marks, 150, seed) for seed in SEED.spawn(400)]
    often = np.bincount(np.concatenate(samples), minlength=len(marks)) / len(samples)
    assert np.abs(often - 0.5).max() < 5 * np.sqrt(0.25 / len(samples))


@pytest.mark.parametrize("wrong", [[0], [1, 1], [0, -1], [0, 0, 1], [0.0, 0.0], ["a", "b"], 3])
def test_originals_are_numbers_of_earlier_documents(wrong: Any) -> None:
    assert check_originals(None, 2) is None
    assert check_originals([0, 1], 2) is None  # each its own
    with pytest.raises(DocumentsError, match="originals must hold"):
        check_originals(wrong, 3 if len(np.atleast_1d(wrong)) == 3 else 2)


@given(st.lists(st.sampled_from("abcde"), min_size=1), st.data())
def test_originals_of_chosen_documents(texts: list[str], data: st.DataObject) -> None:
    originals = np.array([texts.index(text) for text in texts])
    rows = st.lists(st.integers(0, len(texts) - 1), min_size=1, unique=True)
    chosen = data.draw(rows)
    left = [texts[row] for row in chosen]
    found = originals_among(originals, np.array(chosen)).tolist()
    lone = [texts.count(text) == 1 for text in left]
    assert found == [k if alone else left.index(left[k]) for k, alone in enumerate(lone)]
    # One without repeats may be chosen twice.
    assert originals_among(np.array([0, 1, 0]), np.array([1, 1, 2, 0])).tolist() == [0, 1, 2, 2]


def test_corpora_keep_originals(tmp_path: Path) -> None:
    corpus = Corpus([[1, 0], [0, 1], [1, 0], [1, 0]], ["a", "b"], originals=[0, 1, 0, 0])
    assert (corpus.n_repeats, len(corpus.distinct())) == (2, 2)
    assert corpus.distinct().originals is None
    for _ in range(2):
        corpus.save(tmp_path / "corpus", overwrite=True)
    loaded = Corpus.load(tmp_path / "corpus")
    np.testing.assert_array_equal(loaded.originals, [0, 1, 0, 0])
    np.testing.assert_array_equal(corpus.take([3, 1, 2]).originals, [0, 1, 0])


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Sat, 3 Apr 1993 10:00:00 GMT", "1993-04-03"),
        ("Sat Apr  3 10:00:00 1993", "1993-04-03"),
        ("2020/5", "2020-05"),
        ("2024-11-25T10:00:00Z", "2024-11-25"),
        ("20241125", "2024-11-25"),
        ("1577836800", "2020-01-01"),
        ("3. 4. 2024 10:30", "2024-04-03"),
        ("11/25/2024 10:30 AM", "2024-11-25"),
        ("11/2024", "2024-11"),
        ("Friday, January 5th, 2024", "2024-01-05"),
        ("the 5th of May 2024", "2024"),
        ("5th of May, 2024", "2024-05-05"),
        ("05-Sept-2024", "2024-09-05"),
        ("MAY 2024", "2024-05"),
        ("2024, June", "2024-06"),
        ("03/04/2024", "2024"),
        ("31.02.2024", "2024"),
        ("31 Feb 2024", "2024"),
        ("Mayor 2024", "2024"),
        ("c. 1989", "1989"),
        ("in spring", "in spring"),
        ("13/1/20", "2020-01-13"),
        ("20-1-13", "20-1-13"),
        ("87/03/15", "87/03/15"),  # may begin with the year
        ("10.30.45", "10.30.45"),
        ("9999-12-31", "9999-12-31"),
        ("9999999999", "9999999999"),  # seconds until 2286
        ("", ""),
    ],
)
def test_dates_are_written_alike(text: str, written: str) -> None:
    assert iso_date(text) == written


@pytest.mark.parametrize(
    ("dates", "expected"),
    [
        (["03/04/2024", "25/11/2024"], True),
        (["03/04/2024", "11/25/2024"], False),
        (["03/04/2024", "5/5/2024", "2024-11-25", "25.11.2024", "30/30/2024"], None),
        (["25/11/2024", "11/25/2024"], None),
        ([], None),
    ],
)
def test_the_column_tells_which_number_is_the_day(dates: list[str], expected: bool | None) -> None:
    assert day_first(dates) is expected


@given(st.dates(date(1500, 1, 1), date(2099, 12, 31)), st.sampled_from("/-"), st.booleans())
def test_numbers_are_read_in_either_order(day: date, between: str, first: bool) -> None:
    order = "%d{0}%m{0}%Y" if first else "%m{0}%d{0}%Y"
    text = day.strftime(order.format(between))
    assert parse_date(text, first) == (day.year, day.month, day.day)
    known = day.day > 12 or day.day == day.month
    assert of_dates.is_ambiguous(text) is not known
    assert parse_date(text) == ((day.year, day.month, day.day) if known else (day.year,))


@given(st.dates(date(1969, 1, 1), date(2068, 12, 31)), st.booleans())
def test_years_may_have_two_digits(day: date, first: bool) -> None:
    text = day.strftime("%d/%m/%y" if first else "%m/%d/%y")
    assert parse_date(text, first) == (day.year, day.month, day.day)
    assert parse_date(day.strftime("%d.%m.%y 10:30")) == (day.year, day.month, day.day)
    assert parse_date(day.strftime("%y-%m-%d")) is None
    assert parse_date(day.strftime("%d - %m - %y")) is None


FORMATS = ("%d/%m/%y", "%y-%m-%d", "%Y%m%d", "%B %d of %Y", "%j.%Y", "%%%x", "%G-W%V-%u")


@given(st.dates(date(1969, 1, 1), date(2068, 12, 31)), st.sampled_from(FORMATS))
def test_dates_in_a_format(day: date, given_format: str) -> None:
    of_dates.check_date_format(given_format)
    assert parse_in_format(f" {day.strftime(given_format)} ", given_format) == day.isoformat()
    assert parse_in_format("in May", given_format) is None


def test_a_format_gives_as_much_as_it_holds_and_must_hold_a_year() -> None:
    assert parse_in_format("5/19", "%m/%y") == "2019-05"
    assert parse_in_format("fy19", "fy%y") == "2019"
    assert parse_in_format("%d19", "%%d%y") == "2019"
    for odd in ("", "%", "%d/%m", "year", "%Q%Y", "%Y %Y"):
        with pytest.raises(OptionError, match=r"date_format='.*': use the codes of strptime"):
            of_dates.check_date_format(odd)


NAMED = ("%d %B %Y", "%d %b %Y", "%B %d, %Y", "%b. %d %Y", "%A, %d %B %Y", "%Y-%b-%d", "%d.%m.%Y")


@given(st.dates(date(1500, 1, 1), date(2099, 12, 31)), st.sampled_from(NAMED))
def test_months_have_english_names(day: date, form: str) -> None:
    assert parse_date(day.strftime(form)) == (day.year, day.month, day.day)


def test_what_tells_more_than_a_year_and_which_number_is_the_day() -> None:
    for text, more in {"2019": False, "2019.0": False, "c. 1989": False, "1987/88": True}.items():
        assert of_dates.says_more_than_year(text) is more
    corpus = Corpus([[1, 0], [0, 1]], ["a", "b"], dates=["03/04/2024", "25/04/2024"])
    assert corpus.day_first is True
    assert corpus.take([0]).day_first is None
    assert Corpus([[1, 0], [0, 1]], ["a", "b"]).day_first is None
