"""A model and all documents of a corpus, prepared for questions, for `hlta serve` and `hlta mcp`."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hlta._support.formats import KEPT_FOR_SERVING
from hlta._support.writing import check_folder
from hlta.cli.inputs import load_model, read_for_model
from hlta.cli.output import monitoring
from hlta.cli.printing import tell
from hlta.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hlta.cli import common_options as options
    from hlta.documents.corpus import Corpus
    from hlta.estimator import HLTA
    from hlta.explorer.container import Part
    from hlta.serving.archive import Archive
    from hlta.serving.keeping import Arrays


class Opened(NamedTuple):
    """What can be asked, and the page over it: the block of its topics, and that of its documents."""

    model: HLTA
    corpus: Corpus
    archive: Archive
    topics: Part
    documents: str


@contextmanager
def opened(
    model_path: Path,
    paths: list[str],
    reading: options.Reading,
    run: options.Run,
    *,
    most: int | None = None,
) -> Iterator[Opened]:
    """A model and documents; what is computed from them is kept beside the model.

    The page shows `most` documents, see `--page-documents`.
    """
    from hlta.explorer.container import unpack
    from hlta.serving.archive import Archive

    model = load_model(model_path)
    corpus = read_for_model(model, paths, reading, run, with_texts=True)
    with ExitStack() as temporary:
        arrays = _kept(model_path, model, corpus, most, run, temporary)
        topics = unpack(arrays["page.topics"].tobytes().decode("ascii"))
        archive = Archive(corpus, topics.header["topics"], topics.header["words"], arrays)
        documents = arrays["page.documents"].tobytes().decode("ascii")
        yield Opened(model, corpus, archive, topics, documents)


def _kept(
    model_path: Path,
    model: HLTA,
    corpus: Corpus,
    most: int | None,
    run: options.Run,
    temporary: ExitStack,
) -> Arrays:
    """What was computed from the model and the documents; it is computed if it is not there yet."""
    from hlta.serving.keeping import key_of, make, read, write

    folder = model_path.resolve().with_name(f"{model_path.resolve().name}{KEPT_FOR_SERVING}")
    key = key_of(model.tree_, model.topics_, corpus, most)
    arrays = read(folder, key)
    if arrays is not None:
        return arrays
    if folder.is_symlink():
        raise OptionError(f"{str(folder)!r} is a link, which is not followed; remove the link")
    check_folder(folder, overwrite=True)
    with monitoring(quiet=run.quiet) as monitor:
        made = make(model.tree_, model.topics_, corpus, most, monitor)
    try:
        write(folder, key, made)
    except (OSError, OptionError):  # it is read-only, or another server is writing the same
        tell(f"{str(folder)!r} cannot be written, so what is computed is not kept for next time")
        place = tempfile.TemporaryDirectory(prefix="hlta-", ignore_cleanup_errors=True)
        folder = Path(temporary.enter_context(place)) / folder.name
        write(folder, key, made)
    arrays = read(folder, key)
    assert arrays is not None
    return arrays
