"""How well topics agree with classes that people have given to the documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from sklearn.metrics import average_precision_score, normalized_mutual_info_score

from hlta.errors import DocumentsError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hlta._support.arrays import Bools, Floats, Indices


@dataclass(frozen=True)
class ClassAgreement:
    """The topics that fit one class best.

    Attributes
    ----------
    documents : int
        The number of documents of the class.
    f1, f1_topic : float, int
        The best F1 score of "the document's main topic is this one" for the class, and the position
        of that topic.
    average_precision, average_precision_topic : float, int
        The best average precision of a topic's memberships, and the position of that topic.
    """

    documents: int
    f1: float
    f1_topic: int
    average_precision: float
    average_precision_topic: int


@dataclass(frozen=True)
class Agreement:
    """How well topics agree with classes; 1 is best.

    Attributes
    ----------
    nmi : float
        Normalised mutual information of class and main topic.
    purity : float
        The share of documents whose class is the most frequent one among those with the same main
        topic.
    f1, average_precision : float
        Means over the classes of the figures of the best topic for each class.
    by_class : dict
        The figures of each class.
    """

    nmi: float
    purity: float
    f1: float
    average_precision: float
    by_class: dict[str, ClassAgreement]


def agreement(
    memberships: Any,
    classes: Sequence[Any] | NDArray[Any],
    *,
    main: Sequence[int] | NDArray[np.integer[Any]],
) -> Agreement:
    """Compare topics with classes.

    In `nmi` and `purity`, the documents without a main topic together count as one more topic.

    Parameters
    ----------
    memberships
        Documents by topics, dense or sparse: shares of topics, as `HLTA.transform` or any other tool
        gives them.
    classes
        The class of each document; documents whose class is None or empty are left out.
    main
        The main topic of each document, as `HLTA.predict` gives it: its position, -1 for none.

    Returns
    -------
    Agreement

    Raises
    ------
    DocumentsError
        If there is not one class, or main topic, per document; if no document has a class; or if a
        main topic is not among the topics.

    Examples
    --------
    >>> from hlta.evaluate import agreement
    >>> shares = [[0.9, 0.1], [0.8, 0.0], [0.1, 0.7]]
    >>> found = agreement(shares, ["car", "car", "space"], main=[0, 0, 1])
    >>> found.nmi, found.f1, found.by_class["space"].f1_topic
    (1.0, 1.0, 1)
    """
    table = memberships.toarray() if sparse.issparse(memberships) else memberships
    p = np.asarray(table, dtype=np.float64)
    if p.ndim != 2:
        raise DocumentsError("memberships must be a matrix of documents by topics")
    if len(classes) != len(p):
        raise DocumentsError(
            f"classes has {len(classes):,} entries for {len(p):,} documents; give one per document"
        )
    main = _check_main(main, p.shape)
    kept = [k for k, name in enumerate(classes) if name is not None and str(name) != ""]
    if not kept:
        raise DocumentsError("no document has a class")
    p, main, names = p[kept], main[kept], np.array([str(classes[k]) for k in kept])
    kinds, of = np.unique(names, return_inverse=True)
    counts = np.zeros((len(kinds), p.shape[1] + 1))
    np.add.at(counts, (of, main), 1.0)  # -1, for no main topic, is the last column
    by_class = {
        str(kind): _of_class(of == k, counts[k], counts.sum(axis=0), p)
        for k, kind in enumerate(kinds.tolist())
    }
    return Agreement(
        nmi=float(normalized_mutual_info_score(of, main)),
        purity=float(counts.max(axis=0).sum() / len(names)),
        f1=float(np.mean([found.f1 for found in by_class.values()])),
        average_precision=float(np.mean([f.average_precision for f in by_class.values()])),
        by_class=by_class,
    )


def _check_main(main: Sequence[int] | NDArray[np.integer[Any]], shape: tuple[int, ...]) -> Indices:
    """Main topics as an array of positions, if they fit the numbers of documents and topics."""
    found = np.asarray(main)
    if found.shape != shape[:1]:
        raise DocumentsError(
            f"main has {len(found):,} entries for {shape[0]:,} documents; give one per document"
        )
    if found.dtype.kind not in "iu" or not ((found >= -1) & (found < shape[1])).all():
        raise DocumentsError(f"main must hold positions of the {shape[1]:,} topics, or -1 for none")
    return found.astype(np.intp)


def _of_class(inside: Bools, with_main: Floats, all_with_main: Floats, p: Floats) -> ClassAgreement:
    """The best topics for one class, given how many of its documents have each main topic."""
    f1 = (2.0 * with_main / (inside.sum() + all_with_main))[:-1]
    precision = np.array([average_precision_score(inside, column) for column in p.T])
    return ClassAgreement(
        int(inside.sum()),
        float(f1.max()),
        int(f1.argmax()),
        float(precision.max()),
        int(precision.argmax()),
    )
