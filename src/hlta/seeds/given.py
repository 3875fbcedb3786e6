"""Seeds and words apart, as a person gives them to `HLTA(seeds=..., apart=...)`."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from hlta.errors import OptionError
from hlta.learning.seeds import Wishes
from hlta.topics.naming import check_title

if TYPE_CHECKING:
    from hlta.documents.corpus import Corpus
    from hlta.options import TextOptions

_SEEDS: Final = 'titles with words, as {"Tennis": ["racket", "serve"]}, or lists of words'
_APART: Final = 'lists of words, as [["apple", "pear"]]'
_SHOWN: Final = 5  # unknown words in a message


class Seed(NamedTuple):
    """Words that belong together, or that must be apart.

    Attributes
    ----------
    title : str or None
        The title that their topic gets.
    parts : tuple of tuple of str
        The groups of words that should co-occur in documents: a group per word, or one per seed that
        it is made of.
    apart : bool
        Whether its words must be apart.
    """

    title: str | None
    parts: tuple[tuple[str, ...], ...]
    apart: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(word for part in self.parts for word in part)

    @property
    def has_seeds(self) -> bool:
        """Whether it is made of other seeds."""
        return len(self.words) > len(self.parts)

    @property
    def name(self) -> str:
        """Its title, or else its first words, for messages."""
        return repr(self.title) if self.title else ", ".join(map(repr, self.words[:3]))

    def spell(self, spelling: Mapping[str, str]) -> Seed:
        """The seed with its words as the model spells them."""
        return self._replace(parts=tuple(tuple(spelling[w] for w in part) for part in self.parts))


class Given(NamedTuple):
    """All seeds, each before those that it is made of; words that must be apart come last."""

    seeds: tuple[Seed, ...]

    @classmethod
    def read(cls, seeds: Any, apart: Any) -> Given:
        """Read seeds as a user gives them; raises `OptionError` if they are malformed."""
        found = () if seeds is None else tuple(_read(seeds))
        titles = [seed.title.casefold() for seed in found if seed.title]
        if len(set(titles)) < len(titles):
            title, _ = Counter(titles).most_common(1)[0]
            raise OptionError(f"seeds: the title {title!r} is given twice; give each its own")
        sets = () if apart is None else _word_lists("apart", apart, _APART)
        return cls((*found, *(_seed(None, words, apart=True) for words in sets)))

    @property
    def words(self) -> tuple[str, ...]:
        """All words."""
        return tuple(dict.fromkeys(word for seed in self.seeds for word in seed.words))

    def within(self, corpus: Corpus) -> Given:
        """The seeds as the corpus spells their words.

        Raises `OptionError` if the corpus lacks some, or seeds contradict each other.
        """
        known = set(corpus.words)
        spelling, unknown = dict[str, str](), list[str]()
        for word in self.words:
            found = next((w for w in _spellings(word) if w in known), None)
            if found is None:
                unknown.append(word)
            else:
                spelling[word] = found
        if unknown:
            raise OptionError(_unknown(unknown, corpus.text_options))
        given = Given(tuple(seed.spell(spelling) for seed in self.seeds))
        given._refuse_contradictions()
        for seed in given.seeds:
            if seed.has_seeds and len(seed.words) == len(corpus.words):
                raise OptionError(
                    f"the seed {seed.name} holds all words, so nothing is beside it; leave it out and "
                    "give the seeds in it"
                )
        return given

    def _refuse_contradictions(self) -> None:
        home: dict[str, Seed] = {}
        holding: dict[str, list[int]] = defaultdict(list)  # the seeds with each word, without apart
        for number, seed in enumerate(self.seeds):
            words, has_words = seed.words, not (seed.has_seeds or seed.apart)
            word, often = Counter(words).most_common(1)[0]
            if often > 1:
                raise OptionError(f"the seed {seed.name} holds {word!r} twice; leave one out")
            for word in words:
                if has_words and home.setdefault(word, seed) is not seed:
                    raise OptionError(
                        f"{word!r} is in two seeds, {home[word].name} and {seed.name}; a word has one "
                        "place in the tree, so leave it out of one"
                    )
                if not seed.apart:
                    holding[word].append(number)
            if not seed.apart:
                continue
            for k, in_both in Counter(k for word in words for k in holding.get(word, ())).items():
                if in_both > 1:
                    both = sorted(set(words).intersection(self.seeds[k].words))
                    raise OptionError(
                        f"apart keeps {both[0]!r} and {both[1]!r} apart, but the seed "
                        f"{self.seeds[k].name} puts them together; leave out one of the two"
                    )

    @property
    def wishes(self) -> Wishes:
        """The seeds as learning takes them."""
        return Wishes(
            tuple(seed.words for seed in self.seeds if not seed.apart),
            tuple(seed.words for seed in self.seeds if seed.apart),
        )


def _read(value: Any) -> list[Seed]:
    """The seeds in a list or a nested dictionary, each before those that it is made of."""
    if not isinstance(value, Mapping):
        return [_seed(None, words) for words in _word_lists("seeds", value, _SEEDS)]
    try:
        return [seed for title, inner in value.items() for seed in _branch(title, inner)]
    except RecursionError:
        raise OptionError("seeds are nested too deeply for a tree; use fewer layers") from None


def _branch(title: Any, value: Any) -> list[Seed]:
    """A seed, and all those that it is made of."""
    title = check_title(title, "a seed")
    if not isinstance(value, Mapping):
        return [_seed(title, _words(value, f"the seed {title!r}"))]
    if len(value) < 2:
        raise OptionError(
            f"the seed {title!r} is made of {len(value)} seeds; give it two or more, or words"
        )
    branches = [_branch(*item) for item in value.items()]
    parts = tuple(branch[0].words for branch in branches)
    return [Seed(title, parts), *(seed for branch in branches for seed in branch)]


def _seed(title: str | None, words: tuple[str, ...], *, apart: bool = False) -> Seed:
    return Seed(title, tuple((word,) for word in words), apart)


def _word_lists(name: str, value: Any, expected: str) -> list[tuple[str, ...]]:
    if not _is_list(value) or any(isinstance(words, str) for words in value):
        raise OptionError(f"{name}={value!r:.60}: use {expected}")
    return [_words(words, f"list {k} of {name}") for k, words in enumerate(value, start=1)]


def _words(value: Any, name: str) -> tuple[str, ...]:
    """The words of a list, of which there must be two or more."""
    if not _is_list(value):
        raise OptionError(f"{name} is {value!r:.60}; use a list of words")
    for word in value:
        if not isinstance(word, str) or not word.strip():
            raise OptionError(f"{name} holds {word!r:.60}; every word must be a non-empty string")
    if len(value) < 2:
        raise OptionError(f"{name} has fewer than two words; give it more")
    return tuple(str(word) for word in value)


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple))


def _spellings(word: str) -> Iterable[str]:
    """A word as given, and as it is usually read in texts: in lower case, with hyphens in phrases."""
    return word, word.lower(), "-".join(word.split()), "-".join(word.lower().split())


def _unknown(words: list[str], options: TextOptions | None) -> str:
    """The message that says why the documents lack some words, and what to do."""
    shown = ", ".join(map(repr, words[:_SHOWN]))
    shown += f" and {len(words) - _SHOWN:,} more" if len(words) > _SHOWN else ""
    if options is None:
        return f"seeds: no columns are called {shown}; leave them out, or rename columns"
    if set(words) <= set(options.include):
        reasons = ("check how the texts spell them", *_hints(words, options))
        return f"seeds: no text has the words {shown}; {'; '.join(reasons)}"
    return (
        f"seeds: the vocabulary does not have {shown}: too rare, a stop word, a filler word, a phrase "
        "that was not chosen, or in no text; read the texts with include= and these words (--include)"
    )


def _hints(words: list[str], options: TextOptions) -> list[str]:
    """Further reasons why words may not be read, as clauses of that message."""
    forms = ["-".join(word.replace("-", " ").split()) for word in (*words, *options.include)]
    parts = [part for form in forms[: len(words)] for part in form.split("-")]
    hints = []
    has_digits = any(map(str.isdigit, "".join(parts)))
    if has_digits and not (options.numbers or options.own_words is not None):
        hints.append("words with digits are read with numbers=True (--numbers)")
    if any(len(part) < min(*options.shortest, 2) for part in parts):
        hints.append("words of one letter are read with min_length=1 (--min-length)")
    shown = forms[: min(len(words), _SHOWN)]
    if any(one != two and f"-{one}-" in f"-{two}-" for one in shown for two in forms):
        hints.append("where a phrase of the seeds stands, its words do not count")
    return hints
