r"""Accents as LaTeX writes them and numbers of glyphs become letters, and nothing else changes."""

from __future__ import annotations

from unicodedata import normalize

import pytest

from hlta import Corpus
from hlta._support.letters import _MARKS, with_letters
from hlta.options import TextOptions
from hlta.text.scanner import scan


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"Schr\"odinger, Schr\"{o}dinger, Schr{\"o}", "Schrödinger, Schrödinger, Schrö"),
        (r"Erd\H{o}s, \c{c}a, Na\"{\i}ve", "Erdős, ça, Naïve"),
        (r"it\'s l\'eau, said \"open\" and \"a\"", r"it\'s l\'eau, said \"open\" and \"a\""),
        (r"\varepsilon, \cal O, \url{x}, \u{q}", r"\varepsilon, \cal O, \url{x}, \u{q}"),
        (r"\emph{\'{E}tale cohomology}, {\"u}ber", r"\emph{Étale cohomology}, über"),
        (r"\mathbf{\v{r}}, \emph{Erd\H{o}}, Erd{\H{o}}s", r"\mathbf{ř}, \emph{Erdő}, Erdős"),
        (r"said:\n\"Our plan, foo\"and\"bar, {\"a\"", r"said:\n\"Our plan, foo\"and\"bar, {\"a\""),
        ("C:\\users", "C:\\users"),
        ("", ""),
    ],
)
def test_accents_of_latex(text: str, expected: str) -> None:
    assert with_letters(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("classi(cid:12)cation, e(cid:11)ective", "classification, effective"),
        ("optimiza(cid:173) tion, re(cid:173)\nward, x(cid:173)", "optimization, reward, x"),
        ("soft (cid:15)-tubes, V(cid:2)C, by (cid:15).", "soft  -tubes, V C, by  ."),
        ("(cid:12)", " "),
        ("(cid: 12), (CID:12), (cid:1234567)", "(cid: 12), (CID:12), (cid:1234567)"),
    ],
)
def test_numbers_of_glyphs(text: str, expected: str) -> None:
    assert with_letters(text) == expected


def test_words_and_shown_texts_have_them() -> None:
    texts = [r"the Schr\"odinger equation", r"a Schr\"{o}dinger operator"] * 2
    assert "schrödinger" in scan(texts, TextOptions()).words
    corpus = Corpus.from_texts(texts, min_df=1, stop_words=None)
    assert "schrödinger" in corpus.words
    assert corpus.texts is not None
    assert list(corpus.texts[:2]) == ["the Schrödinger equation", "a Schrödinger operator"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("infor\u00admation over\u00ad\n   flow", "information overflow"),
        ("environment vari\u2010\n       able, x\u2010ray", "environment variable, x\u2010ray"),
        ("in 1990\u2010\n1995, and \u2010\n  so", "in 1990\u2010\n1995, and \u2010\n  so"),
        ("vari\u2010\n\n\n  ation", "variation"),
        ("a long-\nterm plan", "a long-\nterm plan"),
    ],
)
def test_hyphens_where_lines_end(text: str, expected: str) -> None:
    assert with_letters(text) == expected


@pytest.mark.parametrize("mark", [*_MARKS])
def test_every_accent_is_found_in_every_form(mark: str) -> None:
    marked = ((plain, normalize("NFC", plain + _MARKS[mark])) for plain in "aeouc")
    plain, letter = next(pair for pair in marked if len(pair[1]) == 1)
    assert with_letters(f"\\{mark}{{{plain}}}{{\\{mark}{{{plain}}}}}") == letter * 2
