"""Documents in several languages, divided into one corpus per language."""

from __future__ import annotations

from dataclasses import replace
from itertools import compress
from typing import TYPE_CHECKING

import numpy as np

from hlta._support.messages import plural, warn
from hlta.documents.strings import with_title
from hlta.errors import DocumentsError
from hlta.options import SEGMENTED
from hlta.text.scanner import scan
from hlta.text.segmentation import language_of, language_of_short
from hlta.text.stop_words import language_of_each
from hlta.text.vocabulary import choose_vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hlta._support.arrays import Bools
    from hlta.documents.corpus import Corpus
    from hlta.options import TextOptions


def by_language(corpus: Corpus) -> Iterator[tuple[str, Corpus]]:
    """Each language of a corpus, with a corpus of its documents, for which words are chosen anew."""
    options, bodies = corpus.text_options, corpus.texts
    if options is None or bodies is None:
        raise DocumentsError(
            "the corpus has no texts, which tell the languages; read texts, with keep_texts=True"
        )
    if not options.languages:
        raise DocumentsError(
            "no language was found by its stop words; name some, as in languages=['english', 'german']"
        )
    titles = corpus.titles or [""] * len(corpus)
    texts = [
        body if body.startswith(title) else with_title(title, body)
        for title, body in zip(titles, bodies, strict=True)
    ]
    # These were found in the texts of all languages together, and are found anew.
    options = options.forget_texts()
    anew = replace(options, languages=None)
    for language, rows in _rows_of_each(texts, options):
        part = corpus.take(rows)
        try:
            read = choose_vocabulary(scan(compress(texts, rows), anew), anew, part.titles or ())
        except DocumentsError as error:
            which = f"{plural(len(part), 'document')} in {language.title()}"
            are = "is" if len(part) == 1 else "are"
            warn(f"{which} {are} left out: {error}")
            continue
        documents = read.documents.with_vectors(part.documents.vectors)
        yield language, replace(part, **read._replace(documents=documents)._asdict())


def _rows_of_each(texts: Sequence[str], options: TextOptions) -> Iterator[tuple[str, Bools]]:
    """Which texts are in each language, by their letters or by their stop words."""
    names = list(options.languages or ())
    spaced = [name for name in names if name not in SEGMENTED] or names
    short = language_of_short(names)
    by_letters = [language_of(text, short=short) for text in texts]
    by_words = language_of_each(scan(texts, options), spaced).clip(min=0)
    pairs = zip(by_letters, by_words, strict=True)
    found = np.array([one if one in names else spaced[k] for one, k in pairs])
    for name in names:
        if (rows := found == name).any():
            yield name, rows
