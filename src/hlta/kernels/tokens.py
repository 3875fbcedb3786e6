"""Words out of text: one scan over code points, with a table of the words met so far.

Words are told apart by their letters, not by their hashes: equal hashes are compared letter by
letter, so two words are never taken for one.
"""

from __future__ import annotations

from numba import int32, int64, uint8, uint32, uint64, void
from numba.core.types import Array, Tuple

from hlta.kernels.compiling import helper, kernel

# Classes of characters.
SPACE, BREAK, LETTER, DIGIT, JOINER, GLUE = range(6)
LETTERS, GLUED = uint64(1 << LETTER), uint64(1 << GLUE)
ONE = uint64(1)
SLASH, COLON, BACKSLASH = 47, 58, 92
GAP = -1  # in a stream of words: what stands on either side is no phrase
END = -2  # the end of a document

_codes = Array(uint32, 1, "C", readonly=True)
_ints = Array(int64, 1, "C")
# slots int32 (a power of two,): word in each place of the hash table, -1 for none
# hashes uint64 (room,), begin int64 (room + 1,): of each word, its hash and where its letters are
# letters uint32 (pool,)
# documents int64 (room,), last int64 (room,): in how many documents it is, and the last of them
table = Tuple(
    (Array(int32, 1, "C"), Array(uint64, 1, "C"), _ints, Array(uint32, 1, "C"), _ints, _ints)
)


START = uint64(1469598103934665603)
PRIME = uint64(1099511628211)


@helper()
def find_word(codes, begin, end, code, count, words):
    """The number of the word codes[begin:end] with hash `code`; a new one is `count`, and remembered."""
    slots, hashes, starts, letters, documents, last = words
    code ^= code >> uint64(29)
    mask = uint64(slots.size - 1)
    place = code & mask
    size = end - begin
    while slots[place] >= 0:
        word = uint64(slots[place])
        if hashes[word] == code and uint64(starts[word + ONE] - starts[word]) == size:
            at = uint64(starts[word])
            same = True
            for k in range(size):
                if letters[at + k] != codes[begin + k]:
                    same = False
                    break
            if same:
                return word
        place = (place + ONE) & mask
    slots[place] = int32(count)
    hashes[count] = code
    at = uint64(starts[count])
    for k in range(size):
        letters[at + k] = codes[begin + k]
    starts[count + ONE] = int64(at + size)
    documents[count] = 0
    last[count] = -1
    return count


@kernel(
    Tuple((int64, int64))(
        _codes,
        Array(int64, 1, "C", readonly=True),
        Array(uint8, 1, "C", readonly=True),
        int64,
        int64,
        int64,
        int64,
        int64,
        int64,
        table,
        Array(int32, 1, "C"),
    )
)
def scan_text(
    codes, ends, classes, shortest, longest, longest_chunk, numbers, first, count, words, out
):
    """Turn text into a stream of word numbers.

    Parameters
    ----------
    codes, ends
        Code points of documents one after the other, and where each ends.
    classes
        uint8: SPACE to GLUE of each code point.
    shortest, longest
        How many characters a word may have.
    longest_chunk
        Characters between spaces that are more than this are no text (encoded data). They are
        skipped, as are those that hold a GLUE character or ":/" (addresses).
    numbers
        1 to keep words with digits, else they are dropped whole.
    first
        Number of the first document.
    count, words
        The words met so far, see above; there must be room for a new one every two characters.
    out
        int32 (codes + documents,): word numbers, GAP where a phrase is interrupted, END.

    Returns
    -------
    How many entries of `out` are filled, and how many words there are now.
    """
    documents, last = words[4], words[5]
    known = uint64(count)
    filled = uint64(0)
    p = uint64(0)
    for d in range(ends.size):
        end = uint64(ends[d])
        phrase = False  # whether a gap would interrupt anything
        while p < end:
            if classes[codes[p]] == SPACE:
                p += ONE
                continue
            # To the next space; most of the time what stands there is letters and nothing else.
            stop = p
            kinds = uint64(0)
            code = START
            while stop < end:
                character = codes[stop]
                kind = classes[character]
                if kind == SPACE:
                    break
                kinds |= ONE << uint64(kind)
                code = (code ^ uint64(character)) * PRIME
                stop += ONE
            plain = kinds == LETTERS
            skipped = (kinds & GLUED) != uint64(0) or int64(stop - p) > longest_chunk
            if not plain and not skipped:
                for q in range(p + ONE, stop):
                    if codes[q] == SLASH and codes[q - ONE] == COLON:
                        skipped = True
            if skipped:
                p = stop
                if phrase:
                    out[filled] = GAP
                    filled += ONE
                    phrase = False
                continue
            while p < stop:
                begin = p
                digits = False
                letters = plain
                if plain:
                    p = stop
                else:
                    kind = classes[codes[p]]
                    if kind not in (LETTER, DIGIT):
                        if kind == BREAK and phrase:
                            out[filled] = GAP
                            filled += ONE
                            phrase = False
                        p += ONE
                        continue
                    code = START
                    while p < stop:
                        character = codes[p]
                        kind = classes[character]
                        if kind == LETTER:
                            letters = True
                        elif kind == DIGIT:
                            digits = True
                        else:
                            break
                        code = (code ^ uint64(character)) * PRIME
                        p += ONE
                size = int64(p - begin)
                fits = shortest <= size <= longest and letters and (numbers == 1 or not digits)
                # After a backslash: a command of LaTeX.
                if fits and begin > uint64(0) and codes[begin - ONE] == BACKSLASH:
                    fits = False
                if fits:
                    word = find_word(codes, begin, p, code, known, words)
                    if word == known:
                        known += ONE
                    if last[word] != first + d:
                        last[word] = first + d
                        documents[word] += 1
                    out[filled] = int32(word)
                    filled += ONE
                    phrase = True
                elif phrase:
                    out[filled] = GAP
                    filled += ONE
                    phrase = False
        out[filled] = END
        filled += ONE
    return int64(filled), int64(known)


@kernel(int64(table, int64, table, int64, Array(int32, 1, "C")))
def merge_words(part, part_count, words, count, number):
    """Take the words of one table into another, with the documents they are in.

    number  int32 (part_count,): filled in, the number of each word in the other table
    There must be room for all of them. Returns how many words there are now.
    """
    _, _, starts, letters, documents, _ = part
    known = uint64(count)
    for w in range(part_count):
        begin, end = uint64(starts[w]), uint64(starts[w + 1])
        code = START
        for p in range(begin, end):
            code = (code ^ uint64(letters[p])) * PRIME
        word = find_word(letters, begin, end, code, known, words)
        if word == known:
            known += ONE
        words[4][word] += documents[w]
        number[w] = int32(word)
    return int64(known)


@kernel(int64(Array(int32, 1, "C"), Array(int64, 1, "C", readonly=True), int64))
def join_pairs(stream, pairs, base):
    """Make each occurrence of a pair one word, in place, from the left; returns what is left over.

    pairs  int64 (k,) ascending: first * base + second of the pairs; pair number i becomes base + i.
    """
    kept = 0
    p = int64(0)
    while p < stream.size:
        word = stream[p]
        if word >= 0 and p + 1 < stream.size and stream[p + 1] >= 0:
            key = int64(word) * base + int64(stream[p + 1])
            low = 0
            high = pairs.size
            while low < high:
                middle = (low + high) >> 1
                if pairs[middle] < key:
                    low = middle + 1
                else:
                    high = middle
            if low < pairs.size and pairs[low] == key:
                stream[kept] = base + low
                kept += 1
                p += 2
                continue
        stream[kept] = word
        kept += 1
        p += 1
    return kept


@kernel(void(Array(int32, 1, "C", readonly=True), _ints, _ints, _ints))
def count_words(stream, documents, occurrences, last):
    """In how many documents each word is, and how often it occurs. All int64 (words,), zero before."""
    d = 1
    for p in range(stream.size):
        word = stream[p]
        if word == END:
            d += 1
        elif word >= 0:
            occurrences[word] += 1
            if last[word] != d:
                last[word] = d
                documents[word] += 1


@kernel(
    int64(
        Array(int32, 1, "C", readonly=True),
        Array(int32, 1, "C", readonly=True),
        _ints,
        _ints,
        Array(uint32, 1, "C"),
    )
)
def collect_rows(stream, column, last, indptr, indices):
    """The columns of each document's words, each once, in order of appearance.

    column  int32 (words,): of each word, -1 for those left out
    last    int64 (columns,): working memory, all -1
    indptr  int64 (documents + 1,), indices uint32: filled in; returns how many indices
    """
    filled = 0
    d = 0
    indptr[0] = 0
    for p in range(stream.size):
        word = stream[p]
        if word == END:
            d += 1
            indptr[d] = filled
        elif word >= 0 and column[word] >= 0:
            c = column[word]
            if last[c] != d:
                last[c] = d
                indices[filled] = c
                filled += 1
    return filled
