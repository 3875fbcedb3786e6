"""Words out of text: one scan over code points, with a table of the words met so far.

Words are identified by their letters, not by their hashes: words of equal hash are compared letter
by letter, so two words are never mistaken for one. Hashes depend on a secret, so nobody can write a
text whose words all collide; the numbers of words do not depend on the secret.
"""

from __future__ import annotations

from typing import NamedTuple

from numba import int32, int64, uint64

from hlta._kernels import types as t
from hlta._kernels.compiling import helper, inlined, kernel

# Classes of characters. Those of a to z hold the letter's number, from 1, in their higher bits: these
# numbers form the key of a word of at most twelve such letters, which are then never compared.
SPACE, BREAK, LETTER, DIGIT, JOINER, GLUE, LATIN = range(7)
CLASS_BITS, LETTER_BITS, SHORT = 3, 5, 12
DOT, SLASH, COLON, LESS, BACKSLASH, W = 46, 47, 58, 60, 92, 119
GAP = -1  # in a stream of words: the words on either side form no phrase
END = -2  # the end of a document

# Keys of the words com, edu, gov and org.
COM, EDU, GOV, ORG = uint64(3565), uint64(5269), uint64(7670), uint64(15943)
ONE = uint64(1)
GAP_KEY, END_KEY = uint64(1 << 62), uint64((1 << 62) + 1)
HASHED = uint64(1 << 63)  # marks a key that is a hash and not the letters themselves
FIRST = 3  # in a table END is 1 and GAP is 2, then words follow; 0 is an empty slot
START = uint64(1469598103934665603)
HALF = uint64(32)
SCATTER = uint64(11400714819323198485)
TOKENS = 4096
SPARE = 128  # tokens that the characters up to one space may add to a buffer that is nearly full


class WordTable(NamedTuple):
    """The words met so far, with room for more."""

    slots: t.OutKeyTable  # (a power of two, 2): key of the word in each slot, number + FIRST
    keys: t.OutKeys  # (room,): the key of each word
    starts: t.OutInts  # (room + 1,): where its letters begin in `letters`
    letters: t.OutIds  # (pool,): code points
    counts: t.OutIntTable  # (room + FIRST, 3): documents, occurrences, last document
    secret: t.Unsigned  # an odd number from which hashes are computed


class TokenBuffers(NamedTuple):
    """Working memory for the tokens of one turn, uint64 (TOKENS,) each."""

    keys: t.OutKeys  # the key of each token
    begins: t.OutKeys  # where its letters begin
    sizes: t.OutKeys  # how many letters it has
    numbers: t.OutKeys  # the number of its word + FIRST


class TokenLimits(NamedTuple):
    """What counts as a word."""

    shortest: int  # fewest characters of a word
    longest: int  # most characters of a word
    longest_chunk: int  # a longer run without spaces is encoded data, not text: skipped
    numbers: int  # 1 to keep words that have digits beside letters, 0 to drop them


@inlined
def place_of(key: t.Unsigned, secret: t.Unsigned, mask: t.Unsigned) -> t.Unsigned:
    """Where in a table the search for a key begins."""
    mixed = key * secret
    mixed ^= mixed >> HALF
    return ((mixed * SCATTER) >> HALF) & mask


@kernel
def number_words(
    codes: t.Ids,
    keys: t.OutKeys,
    begins: t.OutKeys,
    sizes: t.OutKeys,
    size: int,
    count: int,
    table: WordTable,
    numbers: t.OutKeys,
) -> int:
    """Look tokens up in the table, and add those that it lacks as new words.

    One loop over many tokens: in a call per token, counting references to the table's arrays would
    take ten times as long as the look-up.

    Parameters
    ----------
    codes, keys, begins, sizes, size
        uint64: key of each of `size` tokens, and where in `codes`, uint32, its letters are.
    count, table
        The number of words, and their table, with room for all that may be new.
    numbers
        uint64: filled in, number + FIRST of each token.

    Returns
    -------
    The new number of words.
    """
    slots, known, starts = table.slots, table.keys, table.starts
    letters, counts, secret = table.letters, table.counts, table.secret
    new = uint64(count)
    mask = uint64(slots.shape[0] - 1)
    for token in range(uint64(size)):
        key = keys[token]
        place = place_of(key, secret, mask)
        number = uint64(0)
        while slots[place, 1] != uint64(0):
            if slots[place, 0] == key:
                number = slots[place, 1]
                if key < HASHED:
                    break
                word = number - uint64(FIRST)
                at = uint64(starts[word])
                same = uint64(starts[word + ONE]) - at == sizes[token]
                if same:
                    for k in range(sizes[token]):
                        if letters[at + k] != codes[begins[token] + k]:
                            same = False
                            break
                if same:
                    break
                number = uint64(0)
            place = (place + ONE) & mask
        if number == uint64(0):
            number = new + uint64(FIRST)
            slots[place, 0] = key
            slots[place, 1] = number
            known[new] = key
            at = uint64(starts[new])
            for k in range(sizes[token]):
                letters[at + k] = codes[begins[token] + k]
            starts[new + ONE] = int64(at + sizes[token])
            counts[number, 0] = 0
            counts[number, 1] = 0
            counts[number, 2] = -1
            new += ONE
        numbers[token] = number
    return int64(new)


@inlined
def ends_domain(key: t.Unsigned) -> bool:
    """Whether a key is that of com, edu, gov or org, which are seldom words of a text."""
    return key in (COM, EDU, GOV, ORG)


@helper
def is_address(codes: t.Ids, classes: t.Flags, begin: t.Unsigned, end: t.Unsigned) -> bool:
    """Whether a run of characters without spaces holds an address, or the path of a file.

    Examples are "me@here", "https://here/page", "www.here" and "/home/me"; "</b>me</b>" is none.
    """
    plain = True  # no letter and no digit so far
    rooted = False  # a slash came before any letter or digit: a path may begin
    for at in range(begin, end):
        kind = uint64(classes[codes[at]])
        if kind == uint64(GLUE):
            return True
        if kind != uint64(BREAK):
            plain &= kind == uint64(JOINER)
            continue
        code = codes[at]
        if code == SLASH:
            if (rooted and not plain) or (at > begin and codes[at - ONE] == COLON):
                return True
            rooted |= plain and (at == begin or codes[at - ONE] != LESS)
        elif code == DOT and begin + uint64(3) <= at < end - ONE:
            w = codes[at - ONE] == W and codes[at - uint64(2)] == W
            if w and codes[at - uint64(3)] == W:
                return True
    return False


# Longer than a screen: one scan, which keeps all of its state in registers.
@helper
def find_tokens(
    codes: t.Ids,
    ends: t.Ints,
    classes: t.Flags,
    limits: TokenLimits,
    secret: t.Unsigned,
    document: t.Unsigned,
    p: t.Unsigned,
    phrase: t.Unsigned,
    keys: t.OutKeys,
    begins: t.OutKeys,
    sizes: t.OutKeys,
) -> tuple[t.Unsigned, t.Unsigned, t.Unsigned, t.Unsigned]:
    """Fill the buffers with tokens, from character `p` of `codes`, in `document`, onwards.

    Returns the number of tokens, and where to go on: document, character, and `phrase`, which is 1
    where a gap would interrupt a phrase. Branches are avoided, because the lengths of words make
    them unpredictable.
    """
    shortest, longest = limits.shortest, limits.longest
    longest_chunk, numbers = limits.longest_chunk, limits.numbers
    short, shift = uint64(SHORT), uint64(LETTER_BITS)
    lowest = uint64(1 << CLASS_BITS)  # classes from here on are those of a to z
    room = uint64(keys.size - SPARE)
    found = uint64(0)
    d = uint64(document)
    while d < uint64(ends.size) and found < room:
        end = uint64(ends[d])
        if p >= end:
            keys[found] = END_KEY
            found += ONE
            phrase = uint64(0)
            d += ONE
            continue
        if classes[codes[p]] == SPACE:
            p += ONE
            continue
        # Most often: some of the letters a to z, perhaps one punctuation mark, and a space.
        begin = p
        stop = p
        key = uint64(0)
        while stop < end:
            kind = uint64(classes[codes[stop]])
            if kind < lowest:
                break
            key = (key << shift) | (kind >> uint64(CLASS_BITS))
            stop += ONE
        size = stop - p
        after = uint64(SPACE) if stop == end else uint64(classes[codes[stop]])
        mark = after == uint64(BREAK) and (stop + ONE == end or classes[codes[stop + ONE]] == SPACE)
        if uint64(0) < size <= short and (after == uint64(SPACE) or mark):
            p = stop + uint64(mark)
            fits = uint64(int64(size) >= shortest) & uint64(int64(size) <= longest)
            keys[found] = key
            begins[found] = begin
            sizes[found] = size
            found += fits
            phrase |= fits
            gap = phrase & (uint64(mark) | (fits ^ ONE))
            keys[found] = GAP_KEY
            found += gap
            phrase ^= gap
            continue
        # Anything else, up to the next space.
        while stop < end and classes[codes[stop]] != SPACE:
            stop += ONE
        if int64(stop - p) > longest_chunk or is_address(codes, classes, p, stop):
            keys[found] = GAP_KEY
            found += phrase
            phrase = uint64(0)
            p = stop
        first = p
        while p < stop:
            kind = uint64(classes[codes[p]])
            if kind < lowest and kind != uint64(LETTER) and kind != uint64(DIGIT):
                if kind == uint64(BREAK):
                    keys[found] = GAP_KEY
                    found += phrase
                    phrase = uint64(0)
                p += ONE
                continue
            begin = p
            digits = False
            letters = False
            latin = True
            key = uint64(0)
            code = START
            while p < stop:
                kind = uint64(classes[codes[p]])
                if kind >= lowest:
                    letters = True
                elif kind == uint64(LETTER):
                    letters = True
                    latin = False
                elif kind == uint64(DIGIT):
                    digits = True
                    latin = False
                else:
                    break
                key = (key << shift) | (kind >> uint64(CLASS_BITS))
                code = (code ^ uint64(codes[p])) * secret
                p += ONE
            size = p - begin
            if not latin or size > short:
                key = HASHED | (code ^ (code >> uint64(29)))
            fits = shortest <= int64(size) <= longest and letters and (numbers == 1 or not digits)
            # After a backslash: a command of LaTeX. After a dot: perhaps the end of a domain.
            if fits and begin > first:
                before = codes[begin - ONE]
                if before == BACKSLASH or (before == DOT and ends_domain(key)):
                    fits = False
            keys[found] = key if fits else GAP_KEY
            begins[found] = begin
            sizes[found] = size
            found += uint64(fits) | phrase
            phrase = uint64(fits)
    return found, d, p, phrase


@kernel
def scan_text(
    codes: t.Ids,
    ends: t.Ints,
    classes: t.Flags,
    limits: TokenLimits,
    first: int,
    count: int,
    table: WordTable,
    buffers: TokenBuffers,
    out: t.OutStream,
) -> tuple[int, int]:
    """Turn text into a stream of word numbers.

    Tokens are found and looked up in turns: two loops, in which memory accesses overlap, are
    several times faster than one loop that does both.

    Parameters
    ----------
    codes, ends
        Code points of the documents, one after the other, and where each document ends.
    classes
        uint8: the class of each code point, SPACE to LATIN, with the letter's number for a to z.
    limits
        What counts as a word. Addresses are skipped, too.
    first
        Number of the first document.
    count, table
        The number of words met so far, and their table, with room for a new word every
        `limits.shortest` characters.
    buffers
        Working memory.
    out
        int32 (codes + documents,): word numbers, GAP where a phrase is interrupted, END.

    Returns
    -------
    The number of entries of `out`, and the new number of words.
    """
    keys, begins = buffers.keys, buffers.begins
    sizes, numbers = buffers.sizes, buffers.numbers
    counts = table.counts
    filled = uint64(0)
    document = uint64(0)
    now = int64(first)
    p = uint64(0)
    phrase = uint64(0)  # 1 where a gap would interrupt a phrase
    while document < uint64(ends.size):
        found, document, p, phrase = find_tokens(
            codes, ends, classes, limits, table.secret, document, p, phrase, keys, begins, sizes
        )
        count = number_words(codes, keys, begins, sizes, int64(found), count, table, numbers)
        for token in range(found):
            number = numbers[token]
            counts[number, 0] += int64(counts[number, 2] != now)
            counts[number, 1] += 1
            counts[number, 2] = now
            now += int64(number == ONE)
            out[filled] = int32(int64(number) - FIRST)
            filled += ONE
    return int64(filled), count


@kernel
def place_words(keys: t.OutKeys, count: int, slots: t.OutKeyTable, secret: t.Unsigned) -> None:
    """Fill an empty hash table with END, GAP and the words of these keys, in order."""
    mask = uint64(slots.shape[0] - 1)
    for v in range(ONE, uint64(count + FIRST)):
        if v == ONE:
            key = END_KEY
        elif v < uint64(FIRST):
            key = GAP_KEY
        else:
            key = keys[v - uint64(FIRST)]
        place = place_of(key, secret, mask)
        while slots[place, 1] != uint64(0):
            place = (place + ONE) & mask
        slots[place, 0] = key
        slots[place, 1] = v
