"""Words of documents divided among topics, from the roots of a tree of topics downwards."""

from __future__ import annotations

from typing import Final, NamedTuple

from hlta._kernels import types as t
from hlta._kernels.compiling import helper, kernel
from hlta._kernels.postings import Rows

_MOST_STEPS: Final = 500  # of EM; only topics of nearly the same words take more, to little effect


class Families(NamedTuple):
    """Topics of a tree, in families: topics with the same topic above, numbered consecutively.

    Family f has the topics first[f] to last[f] - 1, and comes after the family of the topic above.
    """

    codes: t.CodeTable  # (n_words, topics): log of P(word | topic) / P(word), in steps
    of_code: t.Singles  # (codes,): P(word | topic) for each code, up to a factor of the word
    first: t.Ints  # (families,)
    last: t.Ints  # (families,)
    above: t.Ints  # (families,): the topic above, -1 for family 0
    below: t.Ints  # (topics,): the family below each topic, -1 if there is none


class Desk(NamedTuple):
    """Scratch memory for one document."""

    mass: t.OutRealTable  # (depth, longest): the part of each word that belongs to the family
    chance: t.OutRealTable  # (depth, longest): P(word) in the family
    given: t.OutSingleTable  # (longest, widest): P(word | topic) for the topics of a family
    part: t.OutReals  # (topics,): the part of its family's words that each topic gets
    seen: t.OutReals  # (topics,): sums over words, see `sum_parts`
    family: t.OutInts  # (depth,): the family being divided at each depth
    next: t.OutInts  # (depth,): the topic of that family whose family below comes next
    is_small: t.OutFlags  # (families,): whether a family has too few words to be divided


@helper
def given_topic(families: Families, word: int, topic: int) -> float:
    """P(word | topic), up to a factor that depends on the word alone."""
    return families.of_code[families.codes[word, topic] + families.of_code.size // 2]


@helper
def sum_parts(n_words: int, depth: int, begin: int, end: int, desk: Desk) -> None:
    """Fill `chance`, and `seen` with sum(mass / chance * given), for the topics begin to end - 1."""
    mass, chance = desk.mass[depth], desk.chance[depth]
    for k in range(begin, end):
        desk.seen[k] = 0.0
    for j in range(n_words):
        given = desk.given[j]
        total = 0.0
        for k in range(begin, end):
            total += desk.part[k] * given[k - begin]
        chance[j] = total
        ratio = mass[j] / total
        for k in range(begin, end):
            desk.seen[k] += ratio * given[k - begin]


@helper
def divide_family(
    words: t.Ids,
    depth: int,
    begin: int,
    end: int,
    present: float,
    families: Families,
    prior: t.Reals,
    desk: Desk,
    close: float,
) -> None:
    """Divide the `present` words of a family among its topics, into `part`.

    EM maximises sum(mass * log(given @ part)) + sum(prior * log(part)), which is concave. It stops when
    a step moves no topic by more than `close` words, or after `_MOST_STEPS`. A step in NumPy:
    `part = (prior + (mass / (given @ part)) @ given * part) / (present + prior.sum())`.
    """
    part = desk.part
    for j in range(words.size):
        for k in range(begin, end):
            desk.given[j, k - begin] = given_topic(families, words[j], k)
    before = 0.0
    for k in range(begin, end):
        before += prior[k]
    for k in range(begin, end):
        part[k] = prior[k] / before
    for _ in range(_MOST_STEPS):
        sum_parts(words.size, depth, begin, end, desk)
        moved = 0.0
        for k in range(begin, end):
            now = (prior[k] + part[k] * desk.seen[k]) / (present + before)
            moved = max(moved, abs(now - part[k]) * (present + before))
            part[k] = now
        if moved <= close:
            break
    sum_parts(words.size, depth, begin, end, desk)


@helper
def spread_small(families: Families, prior: t.Reals, desk: Desk, shares: t.OutReals) -> None:
    """Divide the shares of small families, and of those below them, in proportion to `prior`."""
    for f in range(1, families.first.size):
        if desk.is_small[f]:
            begin, end = families.first[f], families.last[f]
            before = 0.0
            for k in range(begin, end):
                before += prior[k]
            for k in range(begin, end):
                shares[k] = shares[families.above[f]] * prior[k] / before
                if families.below[k] >= 0:
                    desk.is_small[families.below[k]] = 1


@kernel
def divide_words(
    documents: Rows,
    families: Families,
    priors: t.RealTable,
    close: float,
    least: float,
    desk: Desk,
    shares: t.OutRealTable,
) -> None:
    """shares[d, k]: the share of topic k in document d; 0 if the document has no words.

    priors  (documents or 1, topics): pseudo-counts, the words that are added for each topic, above 0; a
            single row is for all documents
    close   EM stops when a step moves no topic by more than this share of a document's words
    least   a family with no larger share is divided in proportion to `priors`
    """
    indptr, below, has_own = documents.indptr, families.below, priors.shape[0] > 1
    for d in range(indptr.size - 1):
        words = documents.indices[indptr[d] : indptr[d + 1]]
        prior = priors[d if has_own else 0]
        shares[d, :] = 0.0
        if not words.size:
            continue
        desk.is_small[:] = 0
        for j in range(words.size):
            desk.mass[0, j] = 1.0
        depth, enters = 0, True
        desk.family[0] = 0
        while depth >= 0:
            f = desk.family[depth]
            begin, end = families.first[f], families.last[f]
            if enters:
                up = families.above[f]
                present = words.size * (shares[d, up] if up >= 0 else 1.0)
                if present <= least * words.size:
                    desk.is_small[f] = 1
                    enters = False
                    depth -= 1
                    continue
                divide_family(
                    words, depth, begin, end, present, families, prior, desk, close * words.size
                )
                for k in range(begin, end):
                    shares[d, k] = desk.part[k] * desk.seen[k] / words.size
                desk.next[depth] = begin
            k = desk.next[depth]
            while k < end and below[k] < 0:
                k += 1
            enters = k < end
            if not enters:
                depth -= 1
                continue
            desk.next[depth] = k + 1
            for j in range(words.size):
                own = desk.part[k] * given_topic(families, words[j], k)
                desk.mass[depth + 1, j] = desk.mass[depth, j] * own / desk.chance[depth, j]
            depth += 1
            desk.family[depth] = below[k]
        spread_small(families, prior, desk, shares[d])
