"""Archives for tests, with what is kept for them."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from hlta import Corpus, LatentTree, Monitor, TopicTree
from hlta.explorer.serve.archive import Archive
from hlta.explorer.serve.keeping import make
from hlta.explorer.serve.store import Store, write


@contextmanager
def archive_of(
    folder: Path, tree: LatentTree, topics: TopicTree, corpus: Corpus, most: int | None = None
) -> Iterator[Archive]:
    """An archive over a corpus, whose page shows `most` documents."""
    kept = make(tree, topics, corpus, most, Monitor())
    write(folder / "x.served", "key", kept, corpus, tree.words, Monitor())
    with closing(Store(folder / "x.served", "key")) as store:
        yield Archive(corpus, store, topics.shares().sharing)
