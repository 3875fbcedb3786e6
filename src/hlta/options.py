"""The options of each stage with their defaults, which the estimator and the command line share.

Each dataclass checks its values when it is made and raises `OptionError`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, fields, replace
from numbers import Integral
from typing import Any, Final, TypeAlias, TypedDict

from hlta._support.checks import check_choice, check_flag, check_real, check_whole
from hlta.errors import OptionError

MUCH_AVOIDANCE: Final = 0.2
"""association="auto" means "any" if avoiding pairs have at least this share of squared correlation."""

WHITESPACE: Final = "whitespace"
"""The tokenizer that splits a text at whitespace and nowhere else."""
SEGMENTED: Final = ("chinese", "japanese", "korean", "thai")
"""Languages whose words a package has to find in runs of letters; each has an extra of its name."""

STATES_TRIED: Final = (4, 8, 16, 24)
"""Numbers of states grow to these in turn; with states="auto", as long as that predicts better."""
KEYWORDS: Final = 10
"""Keywords of a topic, unless stated; topics are ordered and compared by as many."""
IN_PART: Final = 0.2
"""A document is on a topic if the topic's share of its words is at least this."""
LISTED: Final = 0.05
"""`shares.csv` and the lists of a page leave out smaller shares."""
ON_TOPIC: Final = 0.5
"""A split of a topic is learned from the documents whose P(topic | document) exceeds this."""
LEAST_SIMILARITY: Final = 0.2
"""Topics of two models correspond only if their similarity is at least this, unless stated otherwise."""
AUTO_PRESENCES: Final = 5_000_000
"""em="auto" means batch EM for corpora with at most this many presences."""


@dataclass(frozen=True, kw_only=True)
class StructureOptions:
    """How the structure of the tree is learned.

    max_top_topics    levels are added until the top one has at most this many latent variables (the
                      paper's tau)
    max_island_size   the largest number of variables in one island, from 3 to 60 (the paper's mu)
    ud_threshold      the UD-test splits an island when two latent variables beat one by this much BIC
                      (delta)
    association       which pairs of variables count as related: "positive", those that occur together
                      more often than by chance; "any", as in the paper, also those that avoid each
                      other; or "auto", which is "positive" unless avoidance carries much of the
                      information, as it never does in text
    structure_sample  how many documents the structure is learned from (N'); None for all documents. Where
                      samples vote, each has half of all documents, but at most twice this number
    refine            whether samples vote on the structure, which goes beyond the paper
    samples           how many samples vote; 1 for a single vote, from all documents; or "auto", for 50,
                      up to 200 where documents are few or short, and down to 12 where they are many
    states            how many states a latent variable has: None for 4 per island of words and 2 per
                      topic above, 2 as in the paper, another number up to 64, or "auto", for the number
                      that predicts held-out documents best
    """

    max_top_topics: int = 20
    max_island_size: int = 15
    ud_threshold: float = 3.0
    association: str = "auto"
    structure_sample: int | None = 10_000
    refine: bool = True
    samples: int | str = "auto"
    states: int | str | None = None

    def __post_init__(self) -> None:
        check_whole("max_top_topics", self.max_top_topics, least=1)
        check_whole("max_island_size", self.max_island_size, least=3, most=60)
        check_real("ud_threshold", self.ud_threshold)
        check_choice("association", self.association, ("auto", "positive", "any"))
        check_whole("structure_sample", self.structure_sample, least=2, none="all documents")
        check_flag("refine", self.refine)
        if not isinstance(self.samples, str) or self.samples != "auto":
            check_whole("samples", self.samples, least=1, also='"auto"')
        if self.states is not None and self.states != "auto":
            check_whole("states", self.states, least=2, most=64, also='"auto"')


@dataclass(frozen=True, kw_only=True)
class EMOptions:
    """How the parameters of the tree are learned.

    em             "batch", "stepwise", or "auto", which chooses by the size of the corpus
    em_steps       number of steps of batch EM (the paper's kappa)
    batch_size     stepwise EM: number of documents per minibatch
    step_exponent  stepwise EM: exponent of the step size, from 0 to 1 (the paper's alpha)
    em_updates     stepwise EM: number of updates
    """

    em: str = "auto"
    em_steps: int = 50
    batch_size: int = 1000
    step_exponent: float = 0.75
    em_updates: int = 100

    def __post_init__(self) -> None:
        check_choice("em", self.em, ("auto", "batch", "stepwise"))
        check_whole("em_steps", self.em_steps, least=0)
        check_whole("batch_size", self.batch_size, least=1)
        check_real("step_exponent", self.step_exponent, least=0.0, most=1.0)
        check_whole("em_updates", self.em_updates, least=0)


def _check_words(argument: str, value: Any, use: str) -> None:
    words = isinstance(value, Collection) and not isinstance(value, str)
    if not words or not all(isinstance(word, str) for word in value):
        raise OptionError(f"{argument}={value!r:.80}: use {use}")


def languages_in(names: str) -> tuple[str, ...]:
    """The languages in a list with commas between the names."""
    return tuple(name.strip() for name in names.split(","))


def _languages() -> set[str]:
    """The languages that have a list of stop words, or are in `SEGMENTED`."""
    from stop_words import AVAILABLE_LANGUAGES

    return {*AVAILABLE_LANGUAGES, *SEGMENTED}


def _check_languages(given: str, names: Collection[str], use: str) -> None:
    if not _languages().issuperset(names):
        raise OptionError(f"{given}: use {use} one or several of {', '.join(sorted(_languages()))}")


Passage: TypeAlias = "tuple[int, tuple[str, ...]]"
"""In how many documents a passage is, and its words."""
LeftOut: TypeAlias = "tuple[str, float]"
"""A word, and the share of the documents that it is in."""


def _words(given: Any) -> tuple[str, ...]:
    if isinstance(given, str) or not all(isinstance(word, str) for word in given):
        raise TypeError
    return tuple(given)


def _phrases(turns: Any) -> tuple[tuple[tuple[str, ...], ...], ...]:
    found = tuple(tuple(map(_words, turn)) for turn in turns)
    if any(len(phrase) < 2 for turn in found for phrase in turn):
        raise ValueError
    return found


def _passages(given: Any) -> tuple[Passage, ...]:
    found = tuple((documents, _words(words)) for documents, words in given)
    if not all(type(documents) is int for documents, _ in found):
        raise TypeError
    return found


def _read_left_out(given: Any) -> tuple[LeftOut, ...]:
    found = tuple((word, share) for word, share in given)
    for word, share in found:
        if not isinstance(word, str) or type(share) is not float or not 0.0 <= share <= 1.0:
            raise TypeError
    return found


def _read_count(given: Any) -> int:
    if type(given) is not int:
        raise TypeError
    if not 1 <= given <= sys.maxsize:
        raise ValueError
    return given


_FOUND: Final[dict[str, tuple[Callable[[Any], Any], str]]] = {
    "joined": (_phrases, "phrases as lists of words, in turns"),
    "passages": (_passages, "numbers of documents, each with words"),
    "left_out": (_read_left_out, "words, each with a share of the documents"),
    "style": (_words, "a list of words"),
    "n_read": (_read_count, "a number of documents"),
}
"""The fields that reading sets, each with a function that reads it, or raises, and a description."""


@dataclass(frozen=True, kw_only=True)
class TextOptions:
    """How text becomes words, and which of them are kept.

    Parameters
    ----------
    lowercase
        Whether to turn all letters into lower case.
    min_length, max_length
        How many characters a word may have; None for at least 3, or 2 if it is written in Chinese,
        Japanese or Korean letters, or with the `tokenizer` of a language, or 1 with the tokenizer
        "whitespace".
    numbers
        Whether words may hold digits beside letters.
    stop_words
        "auto", the stop words of all `languages`; one or several languages, such as "english" or
        "english, russian"; a list of words; or None for no stop words.
    tokenizer
        "auto": words are runs of letters, except in texts in Chinese, Japanese, Korean or Thai, whose
        words are found by the package for the language, and in documents that are lists of words
        already; "chinese", "japanese", "korean" or "thai": this package finds the words of all texts;
        "whitespace": texts are split at whitespace; a function from a text to its words; or None: words
        are runs of letters in every language.
    languages
        The languages of the texts, such as ("english", "chinese"); None to detect them. Those detected
        are in the options of a corpus or a model, so that new texts are read in the same way.
    lemmas
        A language whose words are replaced by their base forms, or None to leave words unchanged.
    n_words
        How many words to keep; None to choose by the number of documents.
    min_df, max_df
        In how many documents a word must be at least, and may be at most: a whole number of
        documents, or a share of them as a float. None to choose from the number of documents.
    ngrams
        How many words a phrase that becomes a word of its own may have; 1 for no phrases.
    include, exclude
        Words to keep, and words to drop, whatever the other options say. A phrase to keep, such as
        "neural network", becomes a word wherever it occurs.
    count_repeats
        Whether a text of at least ten words that repeats an earlier one word for word counts in
        learning. If not, a text counts once, however often it occurs; its copies still have topics.
    drop_passages
        Whether to leave out words that belong to a passage that occurs in many documents, such as a
        signature or a licence. Passages are reported in either case.
    keep_style
        Whether filler words are kept: those that rarely recur within a document, such as "recently",
        unlike the words that say what it is about.
    joined
        Not an option, but set by reading: the words that were joined to phrases, usually in pairs, in
        order, so that further texts get the same phrases. None before texts are read.
    passages
        Not an option either, but the passages that reading found in many documents, each with the
        number of documents with its most frequent part. None before texts are read.
    left_out
        Not an option either, but the most frequent words that reading could have kept and left out,
        10,000 at most, each with the share of the documents that it is in. Further texts are compared
        with these shares. None before texts are read.
    style
        Not an option either, but the filler words that reading left out, the most frequent ones
        first, 100,000 at most. None before texts are read.
    n_read
        Not an option either, but the number of documents among which words were chosen, each section
        of a long one as a document. None before texts are read.

    Raises
    ------
    OptionError
        If an option has a value outside its range.

    Examples
    --------
    >>> TextOptions(ngrams=2, n_words=1000)
    TextOptions(n_words=1000, ngrams=2)
    >>> TextOptions(ngrams=0)
    Traceback (most recent call last):
    hlta.errors.OptionError: ngrams=0: use a whole number, from 1 to 8
    """

    lowercase: bool = True
    min_length: int | None = None
    max_length: int = 40
    numbers: bool = False
    stop_words: Any = "auto"
    tokenizer: Any = "auto"
    languages: tuple[str, ...] | None = None
    lemmas: str | None = None
    n_words: int | None = None
    min_df: Any = None
    max_df: Any = None
    ngrams: int = 1
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    count_repeats: bool = False
    drop_passages: bool = False
    keep_style: bool = False
    joined: tuple[tuple[tuple[str, ...], ...], ...] | None = field(default=None, compare=False)
    passages: tuple[Passage, ...] | None = field(default=None, compare=False)
    left_out: tuple[LeftOut, ...] | None = field(default=None, compare=False)
    style: tuple[str, ...] | None = field(default=None, compare=False)
    n_read: int | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        for name in ("lowercase", "numbers", "count_repeats", "drop_passages", "keep_style"):
            check_flag(name, getattr(self, name))
        check_whole("min_length", self.min_length, least=1, none="the usual length")
        check_whole("max_length", self.max_length, least=max(self.shortest))
        check_whole("ngrams", self.ngrams, least=1, most=8)
        by_size = "a number that follows from the number of documents"
        check_whole("n_words", self.n_words, least=2, none=by_size)
        for name in ("min_df", "max_df"):
            value = getattr(self, name)
            if value is not None:
                check_real(
                    name, value, least=0.0, most=None if isinstance(value, Integral) else 1.0
                )
        self._check_stop_words()
        named = self.tokenizer is None or self.tokenizer in ("auto", WHITESPACE, *SEGMENTED)
        if not (named or callable(self.tokenizer)):
            raise OptionError(
                f"tokenizer={self.tokenizer!r}: use one of 'auto', "
                f"{', '.join(map(repr, (WHITESPACE, *SEGMENTED)))}, a function from a text to its words, "
                "or None"
            )
        if self.languages is not None:
            _check_words("languages", self.languages, "a list of languages, or None to find them")
            object.__setattr__(self, "languages", tuple(self.languages))
            _check_languages(
                f"languages={self.languages!r}", self.languages, "None to find them, or"
            )
        if self.lemmas is not None and not isinstance(self.lemmas, str):
            raise OptionError(f"lemmas={self.lemmas!r}: use the name of a language, or None")
        for name in ("include", "exclude"):
            _check_words(name, getattr(self, name), "a list of words")
            object.__setattr__(self, name, tuple(getattr(self, name)))
        for name, (read, what) in _FOUND.items():
            if (value := getattr(self, name)) is not None:
                try:
                    object.__setattr__(self, name, read(value))
                except (TypeError, ValueError):
                    use = f"use {what}, as reading found them"
                    raise OptionError(f"{name}={value!r:.80}: {use}") from None

    def _check_stop_words(self) -> None:
        given = self.stop_words
        if given is None or given == "auto":
            return
        if isinstance(given, str):
            _check_languages(
                f"stop_words={given!r}", languages_in(given), '"auto", None, a list of words, or'
            )
            return
        _check_words("stop_words", given, "a language, a list of words, or None")
        if given and _languages().issuperset(given):
            names = ", ".join(given)
            raise OptionError(
                f"stop_words={list(given)!r} is a list of words, and these are names of languages; for "
                f'the stop words of languages use "{names}", and to drop these words use exclude'
            )

    def __repr__(self) -> str:
        defaults = {field.name: field.default for field in fields(self)}
        changed = (f"{k}={v!r}" for k, v in self.keywords.items() if v != defaults[k])
        return f"TextOptions({', '.join(changed)})"

    @property
    def shortest(self) -> tuple[int, int]:
        """The least number of characters of a word, and of one of Chinese, Japanese or Korean letters."""
        if self.min_length is not None:
            return self.min_length, self.min_length
        if self.tokenizer == WHITESPACE:
            return (1, 1)
        return (2, 2) if self.tokenizer in SEGMENTED else (3, 2)

    @property
    def own_words(self) -> Callable[[str], Iterable[str]] | None:
        """The function from a text to its words that replaces the usual rules, if there is one."""
        if self.tokenizer == WHITESPACE:
            return str.split
        return self.tokenizer if callable(self.tokenizer) else None

    @property
    def keywords(self) -> dict[str, Any]:
        """The options as keywords, without what reading found."""
        return {name: getattr(self, name) for name in TextKeywords.__annotations__}

    def forget_texts(self) -> TextOptions:
        """The options without what reading found, but for the languages."""
        nothing: dict[str, Any] = dict.fromkeys(_FOUND)
        return replace(self, **nothing)

    def plain(self) -> dict[str, Any]:
        """The options, and what reading found, as values that JSON can hold."""
        if callable(self.tokenizer):
            raise OptionError(
                "the texts were read with a tokenizer of your own, which no file can hold; before "
                "saving, drop the options of text (model.text_options_ = None)"
            )
        plain = self.keywords
        found = {name: getattr(self, name) for name in _FOUND}
        plain |= {name: value for name, value in found.items() if value is not None}
        if plain["stop_words"] is not None and not isinstance(plain["stop_words"], str):
            plain["stop_words"] = sorted(plain["stop_words"])
        return plain


class TextKeywords(TypedDict, total=False):
    """The fields of `TextOptions` as keyword arguments, for type checkers and editors."""

    lowercase: bool
    min_length: int | None
    max_length: int
    numbers: bool
    stop_words: str | Collection[str] | None
    tokenizer: str | Callable[[str], Iterable[str]] | None
    languages: Collection[str] | None
    lemmas: str | None
    n_words: int | None
    min_df: float | None
    max_df: float | None
    ngrams: int
    include: Collection[str]
    exclude: Collection[str]
    count_repeats: bool
    drop_passages: bool
    keep_style: bool
