"""`Known`: what a fitted model knows of its topics besides the tree, in memory and in files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Known(NamedTuple):
    """What is known of the topics besides the tree; each is None in files that lack it."""

    documents: NDArray[np.int64] | None  # per latent variable, see `Topic.documents`
    stability: NDArray[np.float64] | None  # per latent variable, see `Topic.stability`
    titles: dict[str, str] | None  # by the id of the topic

    def plain(self) -> dict[str, Any]:
        """As JSON can hold it."""
        documents, stability, titles = self
        return {
            "documents": None if documents is None else documents.tolist(),
            "stability": None if stability is None else stability.tolist(),
            "titles": titles,
        }

    @classmethod
    def read(cls, header: dict[str, Any], n_latents: int) -> Known:
        """From the header of a file; raises ValueError or TypeError if it is damaged."""
        documents, stability, titles = map(header.get, cls._fields)
        if documents is not None:
            documents = np.array(documents, dtype=np.int64)
            if documents.shape != (n_latents,) or (documents < 0).any():
                raise ValueError("documents is not a number per latent variable")
        if stability is not None:
            stability = np.array(stability, dtype=np.float64)
            within = (stability >= 0.0) & (stability <= 1.0)
            if stability.shape != (n_latents,) or not within.all():
                raise ValueError("stability is not a share per latent variable")
        if titles is not None and not (
            isinstance(titles, dict) and all(isinstance(title, str) for title in titles.values())
        ):
            raise ValueError("titles are not strings by the ids of topics")
        return cls(documents, stability, titles)
