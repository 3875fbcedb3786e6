"""What the commands read: documents, models, and lists of words."""

from __future__ import annotations

import json
import os
import shlex
from collections import Counter
from contextlib import suppress
from dataclasses import fields, replace
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hlta._support.formats import MODEL
from hlta._support.messages import plural
from hlta.cli.common_options import flag_of, options_of
from hlta.cli.output import report_skipped, report_warnings
from hlta.cli.printing import tell
from hlta.cli.run_record import AnyReading, paths_in, record_beside
from hlta.errors import FormatError, HltaError, OptionError
from hlta.reading.skipped import Skipped

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hlta.cli.common_options import Reading, Run, Words
    from hlta.documents.corpus import Corpus
    from hlta.estimator import HLTA
    from hlta.options import TextOptions
    from hlta.reading.paths import Paths
    from hlta.reading.records import ReadOptions

_DELIMITERS: Final = {"tab": "\t", "\\t": "\t"}  # by names that are easy to type in a shell
_FEW_UNKNOWN: Final = 0.01
"""The share of the documents of a fit that may be unknown to the model without a message about it."""
NEEDS_DOCUMENTS: Final = "applies to documents, and none are given; add PATH, or leave it out"


def read_options(reading: Reading) -> ReadOptions:
    """The options of a command as `ReadOptions`."""
    from hlta.reading.records import ReadOptions

    given: dict[str, Any] = {
        one.name: getattr(reading, one.name, one.default) for one in fields(ReadOptions)
    }
    given["delimiter"] = _DELIMITERS.get(reading.delimiter or "", reading.delimiter)
    given["keep"] = given["keep"] or None
    given["mail"] = "keep" if reading.keep_mail else "auto"
    given["broken"] = "skip" if reading.skip_broken else "stop"
    return ReadOptions(**given)


def text_options(words: Words) -> dict[str, Any]:
    """The fields of `TextOptions` that are not at their defaults; giving any for a matrix is an error."""
    every = {one.name: (getattr(words, one.name), one.default) for one in fields(words)}
    given = {name: value for name, (value, default) in every.items() if value != default}
    if given.pop("keep_case", False):
        given["lowercase"] = False
    if "segment" in given:
        segment = given.pop("segment")
        given["tokenizer"] = None if segment == "none" else segment
    for name, least in (("min_df", 1), ("max_df", 2)):
        if name in given:
            given[name] = _whole_if(given[name], least=least)
    for name in ("include", "exclude"):
        if name in given:
            given[name] = read_word_list(given[name])
    if words.stop_words == "none":
        given["stop_words"] = None
    elif "stop_words" in given and (file := Path(words.stop_words)).is_file():
        given["stop_words"] = read_word_list(file)
    return given


def _whole_if(value: float, *, least: int) -> float:
    """A value of `least` or more, which is a number of documents, as an int; a share is unchanged."""
    return int(value) if least <= value < inf else value


def read_word_list(path: Path) -> list[str]:
    """The words of a file that has one per line."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise OptionError(f"{str(path)!r} is not valid UTF-8 ({error}); save it as UTF-8") from None
    return [line.strip() for line in text.splitlines() if line.strip()]


def read_json(path: Path) -> Any:
    """The content of a JSON file; null is refused, and so is a key of an object that occurs twice."""

    def distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            title, _ = Counter(key for key, _ in pairs).most_common(1)[0]
            raise OptionError(f"{str(path)!r} gives a title twice: {title!r:.60}")
        return found

    try:
        found = json.loads(path.read_text(encoding="utf-8-sig"), object_pairs_hook=distinct)
    except OptionError:
        raise
    except RecursionError:
        raise OptionError(f"{str(path)!r} is nested too deeply") from None
    except ValueError as error:
        raise OptionError(f"{str(path)!r} is not valid JSON: {error}") from None
    if found is None:
        raise OptionError(f"{str(path)!r} holds nothing; leave it out")
    return found


def refuse_options(why: str, *groups: Any) -> None:
    """Refuse options of these groups if they are given; in the message, `why` follows the flag."""
    for group in groups:
        for field in fields(group):
            if getattr(group, field.name) != field.default:
                raise OptionError(f"{flag_of(field.name)} {why}")


def refuse_documents(paths: list[str] | None, *groups: Any) -> None:
    """Refuse documents with --topics-alone; without any, refuse the options that apply to them."""
    if paths:
        raise OptionError("--topics-alone takes no documents, and some are given; leave one out")
    refuse_options(NEEDS_DOCUMENTS, *groups)


def refuse_other_files(path: Path) -> None:
    """Refuse a path that looks like documents where a model is expected."""
    from hlta.documents.corpus_folder import holds_corpus

    if path.is_dir():
        other = not (path / MODEL).exists() and not holds_corpus(path)
    else:
        with path.open("rb") as file:
            other = path.suffix != Path(MODEL).suffix and not file.read(4).startswith(b"PK")
    if not other:
        return
    typed = shlex.quote(str(path))
    if path.suffix.lower() == ".bif":
        remedy = f"to make one of it, run `hlta convert {typed} model{Path(MODEL).suffix}`"
    elif (path.parent / MODEL).exists():
        remedy = f"give the folder with the model, {shlex.quote(str(path.parent))}"
    else:
        remedy = (
            f"to learn one from documents, run `hlta fit {typed} -o FOLDER`, and give that folder"
        )
    raise OptionError(f"{str(path)!r} is not a model; {remedy}")


def load_model(path: Path) -> HLTA:
    """The model that `hlta fit` wrote to a file or a folder; a tree alone, or a corpus, is refused."""
    from hlta import HLTA, LatentTree, load

    refuse_other_files(path)
    model = load(path)
    if isinstance(model, LatentTree):
        raise OptionError(
            f"{str(path)!r} holds a tree alone, such as one that was converted from .bif, without titles "
            "or options of text; use the model that `hlta fit` wrote, or hlta.load in Python"
        )
    if not isinstance(model, HLTA):
        raise OptionError(f"{str(path)!r} holds a corpus; give a model that `hlta fit` wrote")
    return model


def reading_arguments(reading: Reading, skipped: Skipped) -> dict[str, Any]:
    """The options of reading as keyword arguments of `read_corpus` and `read_with_words`."""
    options = vars(read_options(reading))
    beside = {"vocabulary": reading.vocabulary, "metadata": reading.metadata}
    return {**beside, "on_skip": skipped, **options}


def keeping(reading: Reading, column: str, paths: Paths) -> Reading:
    """The options of reading with a column to keep; unchanged for a corpus or a matrix alone."""
    from hlta.reading.corpus_reader import matrix_among

    if column in ("", "all"):
        raise OptionError(f"--by={column!r} names no column; give period, group, both or a column")
    if reading.metadata is None and matrix_among(paths) is not None:
        return reading
    return replace(reading, keep=list(dict.fromkeys([*(reading.keep or ()), column])))


def add_vectors(corpus: Corpus, reading: Reading) -> Corpus:
    """The documents with the vectors in the file of --vectors, if it is given."""
    if reading.vectors is None:
        return corpus
    from hlta.reading.vectors import with_vectors_of

    return with_vectors_of(corpus, reading.vectors)


def read_by(
    read: Callable[..., Corpus],
    reading: Reading,
    run: Run,
    *given: Any,
    record: dict[str, Any] | None = None,
    **more: Any,
) -> Corpus:
    """The documents that a function of `hlta.reading` gives; a message says what was skipped.

    There is no message if the `record` of the fit has the same numbers.
    """
    skipped = Skipped()
    with report_warnings():
        corpus = read(*given, **reading_arguments(reading, skipped), **more)
    counts = {"skipped": skipped.count, "mails": skipped.mails}
    report_skipped(skipped, quiet=run.quiet or counts.items() <= (record or {}).items())
    return add_vectors(corpus, reading)


def read_with_words(
    path: Paths,
    words: Sequence[str],
    text: TextOptions | None,
    reading: Reading,
    run: Run,
    *,
    with_texts: bool = False,
    further_words: bool = False,
    record: dict[str, Any] | None = None,
) -> Corpus:
    """Documents with these words for columns, perhaps `with_texts`; for `record`, see `read_by`."""
    from hlta.reading.corpus_reader import read_with_words

    more = {"keep_texts": with_texts, "further_words": further_words}
    return read_by(read_with_words, reading, run, path, words, text, record=record, **more)


def check_vectors(model: HLTA, corpus: Corpus, reading: Reading, run: Run) -> None:
    """Refuse vectors if a model was learned without any; print a message if they are missing."""
    if not model.topics_.goes_by_vectors:
        if reading.vectors is not None:
            raise OptionError(
                "--vectors: the model was learned without vectors; leave it out, or learn the model "
                "with --vectors"
            )
        return
    takes_vectors = any(option.name == "vectors" for option in options_of(type(reading)))
    if takes_vectors and corpus.documents.vectors is None and not run.quiet:
        tell(
            "The model was learned with vectors, and these documents go by their words alone; "
            "--vectors FILE gives theirs"
        )


def read_for_model(
    model: HLTA,
    path: Paths,
    reading: Reading,
    run: Run,
    *,
    home: Path | None = None,
    **more: bool,
) -> Corpus:
    """Documents as a model reads them; `more` are arguments of `read_with_words`.

    The columns are those of the fit of the model at `home`, if these exist and no others are given. Those
    of standard input are found by their usual names. If the record of the fit names the paths, a few
    documents may be unknown to the model without a message.
    """
    words, text = model.tree_.words, model.text_options_
    record = _record_beside(home)
    paths = [os.fspath(one) for one in ([path] if isinstance(path, str | os.PathLike) else path)]
    reading = _with_columns_of(record, reading, paths, run)
    if not set(paths) <= set(paths_in(record)):
        record = {}
    corpus = read_with_words(path, words, text, reading, run, record=record, **more)
    check_vectors(model, corpus, reading, run)
    n_unknown = int((~model.knows(corpus)).sum())
    usual = _FEW_UNKNOWN * len(corpus) if record else 0.0
    if n_unknown > usual and not run.quiet:
        are, their = ("is", "its") if n_unknown == 1 else ("are", "their")
        tell(
            f"{n_unknown:,} of {plural(len(corpus), 'document')} {are} unknown to the model, and on no "
            f"topic: the model has none of {their} words, or far fewer than usual"
        )
    return corpus


def _record_beside(home: Path | None) -> dict[str, Any]:
    """The record of the fit of a model; empty if there is none, or a damaged one."""
    try:
        return (None if home is None else record_beside(home)) or {}
    except FormatError:  # commands that need the record refuse it when they read it themselves
        return {}


def _with_columns_of(
    record: dict[str, Any], reading: AnyReading, paths: list[str], run: Run
) -> AnyReading:
    """The options of reading with the columns that a fit named, where none is given and these exist."""
    from hlta.reading.records import USUAL_NAMES
    from hlta.reading.sources import read_documents

    recorded, taken = record.get("read") or {}, []
    for name in USUAL_NAMES if "-" not in paths else ():
        if recorded.get(name) and getattr(reading, name, "") is None:
            like_fit = replace(reading, **{name: recorded[name]})
            with suppress(HltaError):
                next(read_documents(paths, read_options(like_fit)), None)
                reading = like_fit
                taken.append(f"{name} from {recorded[name]!r:.60}")
    if taken:
        tell(f"Columns as in the fit: {', '.join(taken)}", quiet=run.quiet)
    return reading
