"""A corpus on disk: a folder of plain arrays, mapped into memory when they are used.

The documents are cut into shards, two files each, so that a few can be read without the others. Words
and metadata are stored once for all shards.
"""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from hlta._support.formats import CORPUS, METADATA, check_fields, check_version
from hlta._support.writing import replacing_folder, write_text
from hlta.documents.fields import GROUP
from hlta.documents.matrix import Documents, Sections
from hlta.documents.phrases import Phrases
from hlta.documents.shards import StoredShard, check, map_array, write_array, write_shard
from hlta.documents.strings import Strings
from hlta.errors import FormatError, HltaError
from hlta.options import TextOptions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from os import PathLike

    import numpy as np
    from numpy.typing import NDArray


FORMAT: Final = "hlta-corpus"
VERSION: Final = 4  # with sections of long documents
_SHARDED: Final = 3  # with numbered shards; lower versions have a single one, without a number
SHARD: Final = 1 << 22
"""About how many presences a shard has."""
_FIELDS: Final = {
    *("format", "version", "documents", "words", "text", "about"),
    *("shards", "sections", "phrases", "coverage", "originals", "vectors", "group", "fields"),
}


def write_corpus_folder(
    path: str | PathLike[str], known: Mapping[str, Any], *, overwrite: bool
) -> None:
    """Write the attributes of a corpus to a folder, which is replaced as a whole or not at all."""
    documents: Documents = known["documents"]
    fields: dict[str, Strings] = known["fields"]
    phrases: Phrases | None = known["phrases"]
    metadata: dict[str, Strings] = {n: known[n] for n in METADATA if known[n] is not None}
    text_options: TextOptions | None = known["text_options"]
    header = {
        "format": FORMAT,
        "version": VERSION,
        "documents": len(documents),
        "words": list(known["words"]),
        "text": None if text_options is None else text_options.plain(),
        "about": list(metadata),
    }
    shards = _cut(documents)
    header["shards"] = [[len(shard), shard.n_presences] for shard in shards]
    arrays: dict[str, NDArray[Any]] = {}
    if known["group_name"] != GROUP:
        header["group"] = known["group_name"]
    if fields:
        header["fields"] = list(fields)
    of_fields = {f"fields.{number}": values for number, values in enumerate(fields.values())}
    for name, strings in (metadata | of_fields).items():
        arrays |= {name: strings.data, f"{name}.ends": strings.ends}
    if documents.sections is not None:
        header["sections"] = len(documents.units)
        indptr, indices = documents.units.presences()
        arrays |= {
            "sections.starts": documents.sections.starts,
            "sections.indptr": indptr,
            "sections.indices": indices,
        }
    if documents.vectors is not None:
        header["vectors"] = True
        arrays["vectors"] = documents.vectors
    if phrases is not None:
        header["phrases"] = list(phrases.names)
        arrays |= {
            "phrases.rows": phrases.rows,
            "phrases.indptr": phrases.documents.indptr,
            "phrases.indices": phrases.documents.indices,
        }
    for name in ("coverage", "originals"):
        if known[name] is not None:
            header[name] = True
            arrays[name] = known[name]
    with replacing_folder(path, overwrite=overwrite) as folder:
        write_text(folder / CORPUS, json.dumps(header, ensure_ascii=True, indent=1))
        for number, shard in enumerate(shards):
            write_shard(folder, _name(number), shard.presences())
        for name, array in arrays.items():
            write_array(folder / f"{name}.npy", array)


def store_shards(folder: Path, documents: Documents) -> Documents:
    """The documents without sections and vectors, as shards in an empty folder, for other processes."""
    place, stored = str(folder.resolve()), []
    for number, shard in enumerate(_cut(documents)):
        write_shard(folder, _name(number), shard.presences())
        size = (len(shard), shard.n_presences)
        stored.append(StoredShard.of_files(place, _name(number), *size, documents.n_words))
    return Documents.of_shards(stored, documents.n_words)


def holds_corpus(path: str | PathLike[str]) -> bool:
    """Whether a path is a folder that `write_corpus_folder` wrote."""
    return (Path(path) / CORPUS).is_file()


def read_corpus_folder(path: str | PathLike[str]) -> dict[str, Any]:
    """The arguments of a `Corpus` that `write_corpus_folder` wrote; arrays stay on disk until used."""
    folder, name = Path(path), os.fspath(path)
    header = _read_header(folder, name)
    with _naming_damage(name):
        words, n_documents = _strings(header, "words"), header.get("documents")
        if not isinstance(n_documents, int):
            raise ValueError(f'"documents" in {CORPUS} is not a whole number')
        documents = _documents(folder, header, n_documents, len(words))
        known: dict[str, Any] = {
            "documents": documents.with_sections(
                _sections(folder, header, len(words))
            ).with_vectors(_vectors(folder, header, n_documents)),
            "words": words,
            "text_options": _text_options(header),
        }
        for column in _strings(header, "about"):
            check(column in METADATA, f"{column!r} is not one of {', '.join(METADATA)}")
            known[column] = _map_strings(folder, column)
        if "group" in header:
            known["group_name"] = header["group"]
        if "fields" in header:
            known["fields"] = {
                name: _map_strings(folder, f"fields.{number}")
                for number, name in enumerate(_strings(header, "fields"))
            }
        if "phrases" in header:
            known["phrases"] = _phrases(folder, _strings(header, "phrases"), n_documents)
        for name, dtype in (("coverage", "<f8"), ("originals", "<i8")):
            if header.get(name):
                known[name] = map_array(folder, name, dtype)
    return known


@contextmanager
def _naming_damage(name: str) -> Iterator[None]:
    """Turn errors about a folder into a `FormatError` that names it."""
    try:
        yield
    except (HltaError, ValueError, OSError) as error:
        raise FormatError(
            f"{name} holds no corpus, or it is damaged: {error}; use another copy, or save the "
            "corpus again"
        ) from error


def _read_header(folder: Path, name: str) -> dict[str, Any]:
    with _naming_damage(name):
        try:
            header: dict[str, Any] = json.loads((folder / CORPUS).read_text(encoding="utf-8"))
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{CORPUS} is not JSON ({error})") from None
        check(isinstance(header, dict), f"{CORPUS} is not an object with names and values")
    if header.get("format") != FORMAT:
        raise FormatError(
            f'{name} holds no corpus: the "format" in {CORPUS} is {header.get("format")!r:.80}, '
            f"not {FORMAT!r}"
        )
    check_version(name, header.get("version"), VERSION)
    check_fields(f"{name}: its {CORPUS} has", header, _FIELDS)
    return header


def _strings(header: dict[str, Any], key: str) -> list[str]:
    values = header.get(key)
    strings = isinstance(values, list) and all(isinstance(value, str) for value in values)
    check(strings, f'"{key}" in {CORPUS} is not a list of strings')
    return cast("list[str]", values)


def _map_strings(folder: Path, name: str) -> Strings:
    data = map_array(folder, name, "|u1")
    ends = map_array(folder, f"{name}.ends", "<i8")
    ascending = not len(ends) or (int(ends[0]) >= 0 and bool((ends[1:] >= ends[:-1]).all()))
    check(ascending, f"{name}.ends does not ascend")
    last = int(ends[-1]) if len(ends) else 0
    check(last == len(data), f"{name}.ends ends at {last:,} instead of {len(data):,}")
    return Strings(data, ends)


def _text_options(header: dict[str, Any]) -> TextOptions | None:
    options = header.get("text")
    if options is None:
        return None
    try:
        return TextOptions(**options)
    except TypeError as error:
        raise ValueError(
            f'"text" in {CORPUS} does not hold the options of a text ({error})'
        ) from None


def _phrases(folder: Path, names: list[str], n_documents: int) -> Phrases:
    rows = map_array(folder, "phrases.rows", "<i8")
    ascending = len(rows) == 0 or (
        int(rows[0]) >= 0 and int(rows[-1]) < n_documents and bool((rows[1:] > rows[:-1]).all())
    )
    check(ascending, "phrases.rows are not numbers of documents in ascending order")
    return Phrases(tuple(names), rows, _map_documents(folder, "phrases.", len(rows), len(names)))


def _sections(folder: Path, header: dict[str, Any], n_words: int) -> Sections | None:
    count = header.get("sections")
    if count is None:
        return None
    check(type(count) is int and count >= 0, f'"sections" in {CORPUS} is not a number of sections')
    starts = map_array(folder, "sections.starts", "<i8")
    check(len(starts) > 0, "sections.starts is empty")
    return Sections(_map_documents(folder, "sections.", count, n_words), starts)


def _vectors(folder: Path, header: dict[str, Any], n_documents: int) -> NDArray[np.int16] | None:
    if not header.get("vectors"):
        return None
    vectors = map_array(folder, "vectors", "<i2", dimensions=2)
    check(len(vectors) == n_documents, "vectors does not fit the number of documents")
    return vectors


def _documents(folder: Path, header: dict[str, Any], n_documents: int, n_words: int) -> Documents:
    """The documents in the shards that the header lists, or in the single one of a lower version."""
    if header["version"] < _SHARDED:
        return _map_documents(folder, "", n_documents, n_words)
    listed: Any = header.get("shards")
    pairs = isinstance(listed, list) and all(
        isinstance(size, list)
        and len(size) == 2
        and all(type(count) is int and 0 <= count < 2**63 for count in size)
        for size in listed
    )
    check(pairs, f'"shards" in {CORPUS} is not a list of pairs of numbers')
    sizes: list[tuple[int, int]] = listed
    fits = sum(documents for documents, _ in sizes) == n_documents
    check(fits, f'"shards" in {CORPUS} does not fit the number of documents')
    place = str(folder.resolve())
    shards = [StoredShard.of_files(place, _name(k), *size, n_words) for k, size in enumerate(sizes)]
    for shard in shards:
        shard.verify()
    return Documents.of_shards(shards, n_words)


def _map_documents(folder: Path, prefix: str, n_documents: int, n_words: int) -> Documents:
    """The matrix of documents by words whose arrays' names begin with `prefix`."""
    indptr = map_array(folder, f"{prefix}indptr", "<i8")
    indices = map_array(folder, f"{prefix}indices", "<u4")
    check(len(indptr) == n_documents + 1, f"{prefix}indptr does not fit the number of documents")
    try:
        return Documents(indptr, indices, n_words)
    except HltaError as error:
        raise ValueError(f"in {prefix}indptr and {prefix}indices, {error}") from None


def _cut(documents: Documents) -> list[Documents]:
    """The shards in which documents are stored, which depend on the documents alone."""
    return documents.cut(-(-documents.n_presences // SHARD))


def _name(number: int) -> str:
    """The beginning of the names of a shard's files."""
    return f"{number:05d}."
