"""Where the vectors of documents about a topic lie, if documents have vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hlta.documents.vectors import LENGTH
from hlta.tree.reshaping import topics_above, topics_within

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from hlta._support.arrays import Floats32, Indices
    from hlta.tree.latent_tree import LatentTree


class TopicVectors(NamedTuple):
    """The vectors of the documents that are about topics.

    Attributes
    ----------
    own : float32 (n_latents, dimensions)
        The sum of the vectors of documents, each times the topic's share, without topics below it.
    concentration : float
        How fast the log odds of a topic rise with the cosine of a document and the topic.
    """

    own: Floats32
    concentration: float

    def carry(self, latents: Indices) -> TopicVectors:
        """Vectors for another tree, whose latent variables have these numbers here; -1 for new ones."""
        empty = np.zeros((1, self.own.shape[1]), dtype=np.float32)
        return self._replace(own=np.concatenate((self.own, empty))[latents])

    def with_own(self, latent: int, vector: Floats32) -> TopicVectors:
        """The same with another sum for one topic, without those below it."""
        own = self.own.copy()
        own[latent] = vector
        return self._replace(own=own)

    def centres(self, tree: LatentTree, latents: Indices) -> NDArray[np.int16]:
        """The directions of the sums of topics and those below them, as vectors of length `LENGTH`.

        A topic without documents, such as a new one, gets that of the topic above, or of all documents.
        """
        own = self.own.astype(np.float64)
        sums = np.vstack((topics_within(tree) @ own, own.sum(axis=0)))
        length, above = np.sqrt(np.einsum("ij,ij->i", sums, sums)), topics_above(tree)
        place = latents.copy()
        while (empty := (place >= 0) & (length[place] == 0.0)).any():
            place[empty] = above[place[empty]]  # -1, the last row, without one
        scale = LENGTH / np.where(length > 0.0, length, 1.0)
        return np.rint(sums[place] * scale[place, None]).astype(np.int16)

    def plain(self) -> dict[str, Any]:
        """The fields that are not in `arrays`, as JSON values."""
        return {"concentration": self.concentration}

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """The fields that a file stores as arrays."""
        return {"vectors": self.own}

    @classmethod
    def read(
        cls, plain: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], n_latents: int
    ) -> TopicVectors:
        """Read vectors from a file; raises ValueError if it is damaged."""
        own, concentration = arrays["vectors"], float(plain["concentration"])
        if own.ndim != 2 or len(own) != n_latents or not np.isfinite(own).all():
            raise ValueError("there is not a vector per latent variable")
        if not 0.0 <= concentration < np.inf:
            raise ValueError("the concentration of vectors is not a number from 0 up")
        return cls(own, concentration)
