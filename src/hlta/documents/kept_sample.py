"""A sample of documents that come in portions, of a size that does not grow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from hlta.documents.corpus import Corpus
from hlta.documents.matrix import Documents
from hlta.documents.sampling import fingerprints, mix_bits
from hlta.documents.writer import DocumentsWriter

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from hlta._support.arrays import Floats

_SALT: Final = np.uint64(0x5851F42D4C957F2D)  # so that lots differ from those of other samples
_BITS: Final = 53  # of a lot


class KeptSample(NamedTuple):
    """Some of the documents that came so far, each as likely to be kept as it weighs.

    corpus   Corpus: their words, and nothing else
    lots     float64 (documents,): the lot of each, ascending. Whoever drew the smallest is kept, and
             the lots of documents that fade grow (Efraimidis and Spirakis, 2006)
    bound    float: who drew this or more was not kept, even if there is more room now
    offered  int: how many documents came, repeats among them
    """

    corpus: Corpus
    lots: Floats
    bound: float
    offered: int

    @classmethod
    def of(cls, corpus: Corpus, *, most: int, offered: int) -> KeptSample:
        """At most so many of some documents, whose order does not matter."""
        return cls(corpus, _lots(corpus), np.inf, offered).cut(most)

    def with_more(
        self, corpus: Corpus, words: Sequence[str], *, most: int, fading: float, offered: int
    ) -> KeptSample:
        """The sample after further documents came, and the weight of the earlier ones faded."""
        writer = DocumentsWriter(len(words))
        writer.append(self.corpus.aligned(words))
        new = Corpus(corpus.aligned(words), words)
        writer.append(new.documents)
        with np.errstate(divide="ignore", over="ignore"):
            lots = np.concatenate((self.lots / fading, _lots(new)))
            bound = float(np.float64(self.bound) / fading)
        every = Corpus(writer.read(), words)
        return KeptSample(every, lots, bound, self.offered + offered).cut(most)

    def cut(self, most: int) -> KeptSample:
        """The documents with the smallest lots."""
        order = np.argsort(self.lots, kind="stable")
        order = order[: np.searchsorted(self.lots[order], self.bound)]
        bound = self.bound if len(order) <= most else float(self.lots[order[most]])
        documents = self.corpus.documents.with_vectors(None).take(order[:most])
        chosen = Corpus(documents, self.corpus.words)
        return self._replace(corpus=chosen, lots=self.lots[order[:most]], bound=bound)

    def renamed(self, names: Mapping[str, str]) -> KeptSample:
        """The sample with other names of the words."""
        words = [names.get(word, word) for word in self.corpus.words]
        return self._replace(corpus=Corpus(self.corpus.documents, words))

    def plain(self) -> dict[str, Any]:
        """What is not in `arrays`, as JSON can hold it."""
        bound = self.bound if np.isfinite(self.bound) else None
        return {"words": list(self.corpus.words), "bound": bound, "offered": self.offered}

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """The sample as a file holds it."""
        indptr, indices = self.corpus.documents.presences()
        return {"kept_indptr": indptr, "kept_indices": indices, "kept_lots": self.lots}

    @classmethod
    def read(cls, plain: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> KeptSample:
        """From a file; raises ValueError, LookupError or TypeError if it is damaged."""
        words, offered, lots = plain["words"], int(plain["offered"]), arrays["kept_lots"]
        documents = Documents(arrays["kept_indptr"], arrays["kept_indices"], len(words))
        bound = np.inf if plain["bound"] is None else float(plain["bound"])
        if lots.shape != (len(documents),) or not ((lots > 0.0) & (lots <= bound)).all():
            raise ValueError("the kept documents do not have one valid lot each")
        if offered < len(documents):
            raise ValueError("more documents are kept than were offered")
        return cls(Corpus(documents, words), lots, bound, offered)


def _lots(corpus: Corpus) -> Floats:
    """A lot for each document, which its words decide: exponential, with mean 1."""
    drawn = mix_bits(fingerprints(corpus.documents, corpus.words) ^ _SALT)
    uniform = ((drawn >> np.uint64(64 - _BITS)).astype(np.float64) + 0.5) / 2.0**_BITS
    return -np.log(uniform)
