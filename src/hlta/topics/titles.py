"""Titles of topics: phrases of the documents that tell what a topic is about."""

from __future__ import annotations

import re
from functools import cache
from itertools import combinations, pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from scipy import sparse

from hlta._support.arrays import SURE_DIGITS, gather_lists, offsets, ranges
from hlta.options import IN_PART, LISTED
from hlta.topics.contrast import title_weights
from hlta.topics.shares import Sharing
from hlta.topics.spelling import Spelling
from hlta.topics.topic import Topic, inflections_last, same_word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from hlta._support.arrays import Bools, Floats, Indices, Ints
    from hlta.documents.corpus import Corpus
    from hlta.documents.matrix import Documents
    from hlta.documents.phrases import Phrases
    from hlta.topics.word_counts import WordCounts
    from hlta.tree.latent_tree import LatentTree

_TRIED: Final = 8  # phrases per topic that are tried, the best ones
_DIGITS: Final = 5  # digits of scores; further ones depend on the order of documents
_LEAST: Final = 0.1  # score of a phrase, at least, see `_telling_phrases`
_ENOUGH: Final = 0.3  # likewise, of a phrase that is a title alone
_EDGE: Final = 1e-9  # in place of counts and shares of 0
_STEM: Final = 5  # letters that two words begin with, to be taken for forms of one
_UNSPACED: Final = "[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]"  # Thai, Japanese, Chinese
_WITHIN_UNSPACED: Final = re.compile(f"(?<={_UNSPACED}) (?={_UNSPACED})")


class Part(NamedTuple):
    """A phrase or a keyword that may be part of a title."""

    text: str
    score: float  # of a phrase, relative to the best keyword, see `_telling_phrases`
    weight: float  # the mean weight of its keywords, which follows from their contrast
    keyword: str = ""  # that the phrase stands for, see `_Sample.write_in_phrases`

    def shares_word(self, other: Part) -> bool:
        """Whether a word of one is a word of the other, an inflection of it, or begins like it."""
        one, two = (part.text.replace("-", " ").split() for part in (self, other))
        return any(same_word(a, b) or _alike(a, b) for a in one for b in two)


def _alike(a: str, b: str) -> bool:
    """Whether two words begin with the same five letters: "encoded" and "encodings"."""
    return len(min(a, b, key=len)) >= _STEM and a[:_STEM] == b[:_STEM]


def find_titles(
    tree: LatentTree,
    roots: Iterable[Topic],
    corpus: Corpus | None = None,
    *,
    counts: WordCounts | None = None,
    contrast: Floats | None = None,
    given: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, str]:
    """A title per topic, by its id, unlike those of its siblings and of the topics above.

    A fit finds them in its documents (`hlta.model.fitting`), and the model keeps them. Where topics are
    made from a tree, these titles are `given`, and only the other topics get theirs here.

    Topics that are `given` a title keep it, and no other topic gets it.

    A title is a phrase of the documents that is in at least a fifth of those of the topic, contains a
    keyword and has a high score (`_telling_phrases`). If the score is too low for a title alone, a
    second part follows that is in other documents of the topic: another phrase, or a keyword. A root
    topic is broad and has a second part if there is one. Where no phrase is in so many documents, the
    parts are keywords. A keyword is written in the phrase that most of the topic's documents with it
    have, as "Oscar Wilde" for "Oscar". If the `contrast` of the words is known, float64 (n_words,),
    words of low contrast count for less: they are frequent in the topic, but not specific to a subject.
    Phrases that the title of a sibling has, inflected or not, are avoided if there are others, as
    "neural network" beside "neural networks".

    A vague topic would look like a subject if its title were a phrase that few of its documents have.
    So it gets a phrase only if its score is high enough for a title alone, or else two keywords by
    mutual information, whatever their contrast.

    Without a corpus, or in one without phrases, titles are keywords by mutual information and contrast.
    """
    roots = list(roots)
    topics = [topic for root in roots for topic in root]
    weight = np.ones(tree.n_words) if contrast is None else title_weights(contrast)
    weights = dict(zip(tree.words, weight.tolist(), strict=True))
    sample, phrases = None, dict[str, list[Part]]()
    if corpus is not None and corpus.phrases is not None and len(corpus.phrases.rows):
        sample = _Sample.of(tree, counts, corpus.documents, corpus.phrases)
        phrases = _telling_phrases(topics, sample, weight)
    spell = _spelling(corpus)
    titles: dict[str, str] = {}

    def title_family(siblings: Sequence[Topic], above: frozenset[str]) -> None:
        beside = {_plain(given[topic.id]) for topic in siblings if topic.id in given}
        said = [phrase for title in beside for phrase in title.split(", ")]
        taken = set(above | beside)
        for topic in siblings:
            title = given.get(topic.id)
            if title is None:
                parts = [*phrases.get(topic.id, ()), *_keywords(topic, weights, sample)]
                title = _title(topic, _unsaid(parts, said), taken, sample, spell)
            titles[topic.id] = title
            taken.add(_plain(spell(title)))
            said += _plain(title).split(", ")
        for topic in siblings:
            title_family(topic.children, above | {_plain(spell(titles[topic.id]))})

    title_family(roots, frozenset(map(_plain, given.values())))
    return {topic: given.get(topic, spell(title)) for topic, title in titles.items()}


def _title(
    topic: Topic,
    parts: list[Part],
    taken: set[str],
    sample: _Sample | None,
    spell: Callable[[str], str],
) -> str:
    """The first title of these parts, the best first, whose spelled form is not taken yet."""
    for place, part in enumerate(parts):
        others = [other for other in parts[place + 1 :] if not part.shares_word(other)]
        if sample is not None:
            others = _further(part, others, sample, topic)
        titles = [f"{part.text}, {other.text}" for other in others]
        alone = topic.parent is not None or topic.is_vague
        if not others or (part.score >= _ENOUGH and alone):
            titles = [part.text, *titles]
        for title in titles:
            if _plain(spell(title)) not in taken:
                return title
    return ", ".join([*topic.words, topic.id])


def _further(first: Part, others: list[Part], sample: _Sample, topic: Topic) -> list[Part]:
    """The parts in other documents of the topic than the first, by the information that they add."""
    present = sample.present([first, *others])
    own = sample.of_topic(topic)
    either = present[0] | present
    both = (either & own).sum(axis=1)
    added = both[1:] - both[0]
    mutual = _mutual_information(both, either.sum(axis=1), own.sum(), len(own))
    gain = (mutual[1:] - mutual[0]) * [part.weight for part in others]
    order = np.argsort(-np.round(gain, SURE_DIGITS), kind="stable").tolist()
    return [others[k] for k in order if added[k] > 0.0 and gain[k] > 0.0]


def _keywords(topic: Topic, weights: Mapping[str, float], sample: _Sample | None) -> list[Part]:
    """The keywords by weighted mutual information with the topic, inflections of earlier ones last.

    Those in less than a fifth of its documents come after the others, the more frequent ones first.
    Those rarer there than elsewhere come last. In a vague topic, weights do not count. Each is written
    in the phrase around it, if there is one; the bare keywords follow, in case no such title is free.
    """
    keywords = topic.keywords
    parts = [Part(keyword.word, 0.0, weights[keyword.word]) for keyword in keywords]
    mutual = np.array([keyword.mutual_information for keyword in keywords])
    share = np.ones(len(parts))
    if sample is not None:
        own = sample.of_topic(topic)
        words, size = sample.present(parts), own.sum()
        both = (words & own).sum(axis=1)
        mutual = _mutual_information(both, words.sum(axis=1), size, len(own))
        share = np.minimum(both / max(size, _EDGE), IN_PART)
    if not topic.is_vague:
        mutual = mutual * [part.weight for part in parts]
    avoids = np.array([keyword.p_topic <= keyword.p_background for keyword in keywords])
    order = np.lexsort((np.arange(len(parts)), -np.round(mutual, SURE_DIGITS), -share, avoids))
    by_word = {parts[k].text: parts[k] for k in order.tolist()}
    ordered = [by_word[word] for word in inflections_last(by_word)]
    if sample is not None:
        ordered = [*sample.write_in_phrases(ordered, own), *ordered]
    return ordered


def _plain(title: str) -> str:
    """A title as titles are compared: in lower case, with spaces for hyphens."""
    return title.replace("-", " ").casefold()


def _unsaid(parts: list[Part], said: Iterable[str]) -> list[Part]:
    """The parts without the phrases that titles of siblings have; all parts if no others are left."""
    return [part for part in parts if not _is_said(part.text, said)] or parts


def _is_said(phrase: str, said: Iterable[str]) -> bool:
    """Whether a phrase of several words is among the others, with the same words or inflections."""
    words = _plain(phrase).split()
    if len(words) == 1:
        return False
    as_long = (other for other in map(str.split, said) if len(other) == len(words))
    return any(all(map(same_word, words, other)) for other in as_long)


def _spelling(corpus: Corpus | None) -> Callable[[str], str]:
    """A function that spells the phrases of a title as the documents write them."""
    if corpus is None:
        return str
    spelled = cache(Spelling(corpus).of)
    return lambda title: _WITHIN_UNSPACED.sub("", ", ".join(map(spelled, title.split(", "))))


# ---- how well phrases describe topics ------------------------------------------------------------


class _Sample(NamedTuple):
    """The documents in which phrases were noted: what is in them, and which of them each topic has.

    A topic has the documents whose main topic it is; if there are none, those that are on it.
    """

    phrases: sparse.csc_array  # (documents, phrases): 1 where a phrase is present
    words: sparse.csc_array  # (documents, words)
    holds: sparse.csc_array  # (phrases, words): 1 where a phrase contains a word
    members: sparse.csc_array  # (documents, latent variables): 1 where a topic has the document
    phrase_number: dict[str, int]
    word_number: dict[str, int]
    latent_number: dict[str, int]

    @classmethod
    def of(
        cls, tree: LatentTree, counts: WordCounts | None, documents: Documents, phrases: Phrases
    ) -> _Sample:
        """The sample of the documents whose phrases were noted."""
        chosen = documents.take(phrases.rows)
        present, of_words = (
            part.to_csr(np.float32).tocsc() for part in (phrases.documents, chosen)
        )
        names = (phrases.names, tree.words, tree.latent_names)
        numbers = [{name: k for k, name in enumerate(some)} for some in names]
        holds = _keywords_in(phrases.names, numbers[1]).tocsc()
        return cls(present, of_words, holds, _members(tree, counts, chosen), *numbers)

    def of_topic(self, topic: Topic) -> Bools:
        """Which documents a topic has, bool (documents,)."""
        return np.asarray(self._has(self.members, [self.latent_number[topic.id]])[0])

    def present(self, parts: Sequence[Part]) -> Bools:
        """Which documents have each phrase or keyword, bool (parts, documents)."""
        names = [part.keyword or part.text for part in parts]
        out = np.zeros((len(parts), self.members.shape[0]), dtype=np.bool_)
        for table, number in ((self.phrases, self.phrase_number), (self.words, self.word_number)):
            rows = [k for k, name in enumerate(names) if name in number]
            out[rows] = self._has(table, [number[names[k]] for k in rows])
        return out

    def write_in_phrases(self, parts: Sequence[Part], own: Bools) -> Iterator[Part]:
        """Keywords, each as the phrase that most of a topic's documents with it have, or as it is."""
        names = list(self.phrase_number)
        for part, with_word in zip(parts, self.present(parts) & own, strict=True):
            _, phrases = _rows_of(self.holds, [self.word_number[part.text]])
            starts, documents = _rows_of(self.phrases, phrases)
            both = np.diff(offsets(with_word[documents])[starts])
            if 2 * both.max(initial=0) <= with_word.sum():
                yield part
            else:
                yield part._replace(text=names[phrases[both.argmax()]], keyword=part.text)

    def _has(self, table: sparse.csc_array, columns: Sequence[int]) -> Bools:
        """Which documents have a 1 in each of these columns of a table, bool (columns, documents)."""
        out = np.zeros((len(columns), table.shape[0]), dtype=np.bool_)
        starts, rows = _rows_of(table, columns)
        out[np.repeat(np.arange(len(columns)), np.diff(starts)), rows] = True
        return out


def _rows_of(table: sparse.csc_array, columns: Sequence[int] | Indices) -> tuple[Ints, Ints]:
    """The rows with a 1 in each of these columns, one list after the other, and where each begins."""
    columns = np.asarray(columns, dtype=np.intp)
    begin = table.indptr[columns]
    starts, entries = gather_lists(begin, table.indptr[columns + 1] - begin)
    return starts, table.indices[entries]


def _members(tree: LatentTree, counts: WordCounts | None, documents: Documents) -> sparse.csc_array:
    """Which documents each topic has, float32 (documents, latent variables)."""
    # With a smaller share of a topic, a document is neither on it nor on a topic below it.
    sharing = Sharing.of_tree(tree, counts, 1, least=LISTED)
    on, main = [], []
    for _, part in sharing.chunks(documents):
        shares = sharing.shares(part)
        on.append(sparse.csr_array(shares >= IN_PART))
        main.append(sparse.csr_array(sharing.are_main(shares)))
    on_any, main_of = (sparse.vstack(some, format="csc", dtype=np.float32) for some in (on, main))
    without = np.diff(main_of.indptr) == 0
    members = main_of + on_any @ sparse.diags_array(without.astype(np.float32))
    return sparse.csc_array(members)[:, np.argsort(sharing.latents)]


def _telling_phrases(
    topics: Sequence[Topic], sample: _Sample, weight: Floats
) -> dict[str, list[Part]]:
    """The phrases with the highest scores for each topic, best first, by the topic's id.

    They are in at least a fifth of its documents. A keyword's worth is its mutual information with the
    topic times its weight. The score of a phrase is its mutual information with the topic times the
    mean weight of its keywords, times the square root of the sum of their worths, both relative to the
    greatest worth: a phrase of two keywords is better than one of a keyword and any other word.
    """
    found: dict[str, list[Part]] = {}
    names = list(sample.phrase_number)
    frequency = np.diff(sample.phrases.indptr)
    n_documents = sample.members.shape[0]
    for begin, end in ranges(len(topics)):
        block = topics[begin:end]
        information = _information(block, sample.word_number)
        worth = information @ sparse.diags_array(weight)
        most = worth.max(axis=1).toarray().ravel()
        plain, weighted = ((sample.holds @ table.T).tocsc() for table in (information, worth))
        members = sample.members[:, [sample.latent_number[topic.id] for topic in block]]
        together = np.asarray((sample.phrases.T @ members).toarray(), dtype=np.float64)
        size = np.asarray(members.sum(axis=0), dtype=np.float64).ravel()
        for k, topic in enumerate(block):
            column = slice(plain.indptr[k], plain.indptr[k + 1])
            candidates, keywords = plain.indices[column], weighted.data[column]
            if not len(candidates) or most[k] <= 0.0:
                continue
            both, one = together[candidates, k], frequency[candidates]
            mutual = _mutual_information(both, one, float(size[k]), n_documents)
            weights = keywords / np.maximum(plain.data[column], _EDGE)
            least = _ENOUGH if topic.is_vague else _LEAST
            score = np.round(mutual * weights / most[k] * np.sqrt(keywords / most[k]), _DIGITS)
            score[both < IN_PART * size[k]] = 0.0
            best = np.lexsort((candidates, -score))[:_TRIED]
            found[topic.id] = [
                Part(names[candidates[i]], float(score[i]), float(weights[i]))
                for i in best.tolist()
                if score[i] >= least
            ]
    return found


def _keywords_in(phrases: Sequence[str], number: Mapping[str, int]) -> sparse.csr_array:
    """Phrases by words of the model: 1 where a phrase contains a word, which may be a phrase itself.

    A phrase that says a word twice in a row, such as "COPYRIGHT Copyright", has none.
    """
    rows: list[int] = []
    columns: list[int] = []
    for row, phrase in enumerate(phrases):
        parts = phrase.split(" ")
        if any(word == following for word, following in pairwise(parts)):
            continue
        ends = combinations(range(len(parts) + 1), 2)
        within = [number.get("-".join(parts[begin:end]), -1) for begin, end in ends]
        known = {word for word in within if word >= 0}
        rows += [row] * len(known)
        columns += known
    shape = (len(phrases), len(number))
    return sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape=shape)


def _information(topics: Sequence[Topic], number: Mapping[str, int]) -> sparse.csr_array:
    """Topics by words of the model: the mutual information of each keyword."""
    entries = [
        (row, number[keyword.word], keyword.mutual_information)
        for row, topic in enumerate(topics)
        for keyword in topic.keywords
    ]
    rows, columns, values = zip(*entries, strict=True)
    return sparse.csr_array((values, (rows, columns)), shape=(len(topics), len(number)))


def _mutual_information(both: Floats, one: Ints, other: float, count: int) -> Floats:
    """Mutual information of two binary variables from counts; 0 where they avoid each other."""
    total = np.zeros(len(both))
    for joint, a, b in (
        (both, one, other),
        (one - both, one, count - other),
        (other - both, count - one, other),
        (count - one - other + both, count - one, count - other),
    ):
        share = np.maximum(joint, _EDGE) / count
        total += share * np.log(share / np.maximum(a * b / count**2, _EDGE**2))
    return np.where(both * count > one * other, total, 0.0)
