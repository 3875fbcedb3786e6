"""Targets that take matrices: files of them, arrays, saved corpora, and word vectors."""

import io
import shutil
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import sparse

from hlta import Corpus, Documents, read_corpus
from hlta.documents.given_matrices import as_documents
from hlta.documents.vectors import LENGTH
from hlta.evaluate import read_vectors
from hlta.reading.vectors import with_vectors_of
from tests.fuzz.mutations import mutated, mutated_archive, mutated_array, npy, one_of
from tests.fuzz.targets import Target, expect, target
from tests.zipped import zipped

WORDS: Final = ("apple", "pear", "plum", "größe")
_VOCABULARY: Final = "\n".join(WORDS).encode()


def check(documents: Documents) -> None:
    """Say so if an accepted matrix would lead compiled code astray."""
    indptr, indices = documents.indptr, documents.indices.astype(np.int64)
    lengths = np.diff(indptr)
    fit = indptr[0] == 0 and indptr[-1] == len(indices) and (lengths >= 0).all()
    expect(fit, "pointers do not fit")
    ascends = np.diff(indices, prepend=-1) > 0
    ascends[indptr[:-1][lengths > 0]] = True  # the first word of a document
    expect(ascends.all(), "words of a document do not ascend")
    expect((indices >= 0).all() and (indices < documents.n_words).all(), "there is no such word")


def present(documents: Documents) -> set[tuple[int, int]]:
    """The pairs of a document and a word in it."""
    rows = np.repeat(np.arange(len(documents)), np.diff(documents.indptr))
    return set(zip(rows.tolist(), documents.indices.tolist(), strict=True))


# ---- files -----------------------------------------------------------------------------------


def matrix(name: str, file: str, seeds: list[bytes], tokens: list[bytes] = []) -> Target:  # noqa: B006
    """A target that reads a matrix with a file of words beside it."""

    def use(rng: Random, folder: Path) -> None:
        (folder / file).write_bytes(one_of(rng, seeds, tokens))
        words = mutated(rng, _VOCABULARY) if rng.random() < 0.1 else _VOCABULARY
        (folder / "vocab.txt").write_bytes(words)
        check(read_corpus(folder / file).documents)

    use.__name__ = name
    return target()(use)


_MARKET: Final = b"%%MatrixMarket matrix coordinate integer general\n"
matrix(
    "matrix_market",
    "a.mtx",
    [
        _MARKET + b"% remark\n3 4 4\n1 1 2\n2 3 1\n3 4 5\n1 2 1\n",
        b"%%MatrixMarket matrix coordinate pattern general\n2 4 2\n1 1\n2 4\n",
        b"%%MatrixMarket matrix coordinate real general\n4 4 2\n2 1 0.5\n4 4 1e0\n",
    ],
    b"array coordinate pattern symmetric hermitian skew-symmetric complex".split(),
)
matrix("uci", "docword.a.txt", [b"3\n4\n4\n1 1 2\n1 3 1\n2 4 5\n3 2 1\n"])
matrix("lda_c", "a.ldac", [b"2 0:1 3:2\n1 1:4\n3 0:1 1:1 2:7\n"], [b":", b"-", b" "])
matrix("tuples", "a.sparse.txt", [b"d1, apple\nd1, pear\nd2, apple\n", b"a\tb\nc d e\n"], [b","])


@target()
def shuffled(rng: Random, folder: Path) -> None:
    """A file in which lines changed places, or stand twice, holds the same matrix."""
    pairs = [(d, w) for d in range(3) for w in range(4) if rng.random() < 0.5] or [(0, 0)]
    lines = [f"{d + 1} {w + 1} {rng.randrange(1, 9)}\n" for d, w in pairs]
    lines += rng.sample(lines, rng.randrange(len(lines)))
    rng.shuffle(lines)
    kind, head = rng.choice((("a.mtx", _MARKET.decode() + "3 4 "), ("docword.a.txt", "3\n4\n")))
    (folder / kind).write_text(f"{head}{len(lines)}\n{''.join(lines)}")
    (folder / "vocab.txt").write_bytes(_VOCABULARY)
    options: dict[str, Any] = {"stop_words": None, "min_df": 1, "max_df": 1.0, "keep_style": True}
    corpus = read_corpus(folder / kind, **options)
    check(corpus.documents)
    found = {(row, corpus.words[column]) for row, column in present(corpus.documents)}
    expect(found == {(d, WORDS[w]) for d, w in pairs}, "lines in another order make another matrix")


_DENSE: Final = np.array([[1, 0, 2, 0], [0, 3, 0, 0], [0, 0, 1, 1], [1, 1, 0, 0]])


def _npz(kind: str) -> dict[str, bytes]:
    """The members of a matrix that SciPy saved."""
    made: Any = getattr(sparse, f"{kind}_array")(_DENSE)
    names = {"coo": ("data", "row", "col"), "dia": ("data", "offsets")}
    arrays = {name: getattr(made, name) for name in names.get(kind, ("data", "indices", "indptr"))}
    arrays |= {"shape": np.array(_DENSE.shape), "format": np.array(kind.encode())}
    return {f"{name}.npy": npy(array) for name, array in arrays.items()} | {
        "words.npy": npy(np.array(WORDS))
    }


_NPZ: Final = {kind: _npz(kind) for kind in ("csr", "csc", "coo", "bsr", "dia")}
_HEADS: Final = [
    *(b"'descr': '|O'", b"'fortran_order': True", b"'shape': (0,)", b"(-1,)", b"(9999999999,)"),
    *(b"()", b"(1, 1, 1)", b"'<f8'", b"'|V8'", b"'<U99999999'", b"{", b"}", b"(" * 200),
    b"\x93NUMPY",
]


@target()
def npz(rng: Random, folder: Path) -> None:
    """SciPy's archives: their bytes, their members, or the numbers in their arrays are changed."""
    members = dict(_NPZ[rng.choice(list(_NPZ))])
    if rng.random() < 0.5:
        name = rng.choice([name for name in members if name not in {"words.npy", "format.npy"}])
        loaded = np.frombuffer(members[name][128:], _type_of(members[name]))
        members[name] = npy(mutated_array(rng, loaded))
        data = zipped(members)
    else:
        data = mutated_archive(rng, members, _HEADS)
    (path := folder / "a.npz").write_bytes(data)
    (folder / "vocab.txt").write_bytes(_VOCABULARY)
    check(read_corpus(path).documents)


def _type_of(data: bytes) -> np.dtype[Any]:
    """The type in the head of a small array, which is 128 bytes long."""
    return np.dtype(data.split(b"'descr': '", 1)[1].split(b"'", 1)[0].decode())


# ---- arrays ----------------------------------------------------------------------------------


@target()
def documents(rng: Random, folder: Path) -> None:
    """The constructor of `Documents`: what it accepts, kernels may trust."""
    made = as_documents(_DENSE)
    arrays: dict[str, Any] = {"indptr": made.indptr, "indices": made.indices}
    for name in rng.sample(list(arrays), rng.choice((1, 2))):
        arrays[name] = mutated_array(rng, arrays[name])
    n_words = rng.choice((4, 4, 4, 3, 0, -1, 2**31, 2**40))
    (folder / "arrays").write_text(f"{arrays!r} {n_words}")
    accepted = Documents(**arrays, n_words=n_words)
    check(accepted)
    expect(len(accepted.document_frequency) == n_words, "there are other words")


@target()
def sparse_matrices(rng: Random, folder: Path) -> None:
    """SciPy's matrices, whose arrays may be changed behind its back, and whose flags may lie."""
    kind = rng.choice(("csr", "csc", "coo", "bsr", "lil", "dok", "dia"))
    made: Any = getattr(sparse, f"{kind}_{rng.choice(('array', 'matrix'))}")(_DENSE)
    if kind == "csr" and rng.random() < 0.5:
        made.has_canonical_format = made.has_sorted_indices = True
    names = [name for name in ("data", "indices", "indptr", "offsets") if hasattr(made, name)]
    if kind == "coo":
        numbers = tuple(mutated_array(rng, one) for one in made.coords)
        if hasattr(made, "coords"):
            made.coords = numbers
    elif kind == "lil":
        part = rng.choice((made.rows, made.data))
        odd = ([1, [2]], [None], 3, [9], [2**70], ["x"], [-1])
        part[rng.randrange(len(part))] = rng.choice(odd)
    elif names:
        name = rng.choice(names)
        setattr(made, name, mutated_array(rng, getattr(made, name)))
    (folder / "arrays").write_text(f"{kind} {[(n, getattr(made, n)) for n in names]!r}")
    accepted = as_documents(made)
    check(accepted)
    expect(accepted.shape == _DENSE.shape, "the shape is another")


@target()
def orders(rng: Random, folder: Path) -> None:
    """A CSR matrix in disorder, with entries in parts and zeros, is the matrix that it stands for."""
    pairs = [(rng.randrange(4), rng.randrange(5), rng.choice((0, 1, 3))) for _ in range(12)]
    pairs.sort(key=lambda pair: pair[0])
    indptr = np.searchsorted([row for row, *_ in pairs], np.arange(5))
    made = sparse.csr_array(
        (np.array([v for *_, v in pairs]), np.array([w for _, w, _ in pairs]), indptr), shape=(4, 5)
    )
    made.has_sorted_indices = made.has_canonical_format = rng.random() < 0.5
    (folder / "pairs").write_text(repr(pairs))
    accepted = as_documents(made)
    check(accepted)
    truth = {(row, word) for row, word, value in pairs if value}
    expect(present(accepted) == truth, "other words are present")


@target()
def dense_matrices(rng: Random, folder: Path) -> None:
    """Arrays and lists of any type."""
    made: Any = mutated_array(rng, _DENSE.astype(rng.choice(("i8", "f8", "u1", "?", "f4"))))
    if rng.random() < 0.2:
        made = made.tolist()
    if isinstance(made, list) and made and rng.random() < 0.5:
        made[0] = rng.choice((None, "x", [1], [[1]], {}, 10**30, [1, None, 2, 3]))
    (folder / "array").write_text(repr(made))
    accepted = as_documents(made)
    check(accepted)
    expect(len(present(accepted)) == int((np.asarray(made) != 0).sum()), "entries are lost")


# ---- saved corpora ---------------------------------------------------------------------------


@target(cost=4)
def corpus_folders(rng: Random, folder: Path) -> None:
    """A saved corpus of which a file is damaged: the numbers in it, or its bytes."""
    path = folder / "corpus"
    _save(path)
    for file in rng.sample(sorted(path.iterdir()), rng.choice((1, 1, 2))):
        if file.suffix == ".npy" and rng.random() < 0.6:
            array: NDArray[Any] = np.load(file)
            file.write_bytes(npy(mutated_array(rng, array)))
        elif rng.random() < 0.05:
            file.unlink()
        else:
            file.write_bytes(mutated(rng, file.read_bytes(), _HEADS))
    corpus = Corpus.load(path)
    check(corpus.documents)
    for strings in corpus.metadata.values():
        expect(len(list(strings)) == len(corpus), "a document is lost")


_saved: Final = dict[str, bytes]()


def _save(path: Path) -> None:
    """A corpus in a folder, as it was saved once."""
    if not _saved:
        texts = ["deep neural network", "neural network nets", "social größe network", "deep nets"]
        made = Corpus.from_texts(
            texts, min_df=1, max_df=1.0, ngrams=2, ids=list("abcd"), dates=["2020"] * 4
        )
        shutil.rmtree(path, ignore_errors=True)
        made.save(path)
        _saved.update({file.name: file.read_bytes() for file in path.iterdir()})
    path.mkdir(exist_ok=True)
    for name, data in _saved.items():
        (path / name).write_bytes(data)


# ---- word vectors ----------------------------------------------------------------------------

_VECTORS: Final = [
    b"3 2\napple 0.6 0.8\npear 1 0\nplum 3 4\n",
    b"apple 0.6 0.8 0.1\npear 1 0 0\n",
    b"2 2\n" + b"".join(w + b" " + np.array([1, 2], "<f4").tobytes() for w in (b"apple", b"pear")),
]


@target()
def vectors(rng: Random, folder: Path) -> None:
    """Vectors that are accepted have length 1, or 0."""
    data = one_of(rng, _VECTORS, [b"PK\x03\x04", b"1e39", b"nan"])
    (path := folder / "vectors").write_bytes(data)
    found = read_vectors(path, WORDS)
    norms = np.linalg.norm(found.vectors, axis=1)
    expect(np.isfinite(found.vectors).all(), "a vector is not finite")
    expect(((abs(norms - 1) < 1e-3) | (norms == 0)).all(), "a vector is not of length 1")


@target()
def taking(rng: Random, folder: Path) -> None:
    """Documents by their numbers are those documents, or refused."""
    corpus = Corpus(_DENSE, WORDS, ids=list("abcd"))
    rows: Any = mutated_array(rng, np.array([0, 2, 3]))
    rows = rows.tolist() if rng.random() < 0.3 else rows
    (folder / "rows").write_text(repr(rows))
    taken = corpus.take(rows)
    check(taken.documents)
    numbers = np.asarray(rows)
    if numbers.dtype == bool:
        numbers = np.flatnonzero(numbers)
    ids = ["abcd"[int(row)] for row in numbers.ravel()]
    expect(list(taken.ids or ()) == ids, "other documents are taken")
    truth = {
        (document, word)
        for document, row in enumerate(numbers.ravel().tolist())
        for word in np.flatnonzero(_DENSE[row]).tolist()
    }
    expect(present(taken.documents) == truth, "documents have other words")


# ---- vectors of documents ----------------------------------------------------------------------

_ROWS: Final = np.array([[3.0, 4.0], [0.5, -0.1], [1.0, 0.0], [2.0, 2.0]])
_IDS: Final = np.array(list("abcd"))


@target()
def document_vectors(rng: Random, folder: Path) -> None:
    """Files of vectors beside documents: their bytes, their members, or their numbers are changed."""
    corpus = Corpus(_DENSE, WORDS, ids=_IDS.tolist())
    rows = mutated_array(rng, _ROWS) if rng.random() < 0.5 else _ROWS
    kind = rng.choice((".npy", ".npz", ".parquet"))
    if kind == ".npy":
        data = npy(rows)
        data = data if rng.random() < 0.5 else mutated(rng, data, _HEADS)
    elif kind == ".npz":
        ids = mutated_array(rng, _IDS) if rng.random() < 0.3 else _IDS
        members = {"vectors.npy": npy(rows), "ids.npy": npy(ids)}
        data = zipped(members) if rng.random() < 0.5 else mutated_archive(rng, members, _HEADS)
    else:
        data = mutated(rng, _parquet())
    (path := folder / f"a{kind}").write_bytes(data)
    vectors = with_vectors_of(corpus, path).documents.vectors
    assert vectors is not None
    expect(vectors.shape[0] == len(corpus), "a vector is lost")
    length = np.linalg.norm(vectors.astype(np.float64), axis=1)
    expect((np.abs(length - LENGTH) <= 1 + vectors.shape[1] ** 0.5).all(), "lengths differ")


@cache
def _parquet() -> bytes:
    file = io.BytesIO()
    pl.DataFrame({"id": _IDS, "vector": _ROWS.tolist()}).write_parquet(file)
    return file.getvalue()
