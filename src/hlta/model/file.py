"""Files of models: what was learned, the edits, and the parameters of `HLTA`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hlta._support.formats import check_fields
from hlta.edits.annotated_tree import AnnotatedTree
from hlta.edits.log import EditLog
from hlta.errors import FormatError
from hlta.learning.statistics import Statistics
from hlta.model.value import Model
from hlta.options import TextOptions
from hlta.seeds.reports import SeedReport
from hlta.topics.annotations import FIELDS as FIELDS_OF_ANNOTATIONS
from hlta.topics.annotations import Annotations, Sizes
from hlta.tree.fingerprint import fingerprint
from hlta.tree.model_file import ESTIMATOR, FIELDS, SavedTree, save_tree

if TYPE_CHECKING:
    from os import PathLike

    from hlta.tree.latent_tree import LatentTree

_FIELDS: Final = {
    *("options", "em", "log_likelihoods", "seeds", "edits", "settled", "origin"),
    *("statistics", "counted", "named", "text", "coverage"),
    "kept",  # in older files
}
"""The fields of the header besides those of a tree and of `Annotations`."""
# The last three are in older files.
_STATISTICS: Final = frozenset({*Statistics._fields, "nested", "seen", "most"})


def write_model(model: Model, options: Mapping[str, Any], path: str | PathLike[str]) -> None:
    """Write a model, and the parameters with which it was learned; see `HLTA.save`.

    The file holds the tree as it was learned, and the log of edits, which `read_model` applies to it.
    """
    known, log, sizes = model.learned.annotations, model.log, model.annotations.sizes
    counted = None if sizes is None or sizes is known.sizes else sizes.plain()
    more = {
        "options": {name: _plain(value) for name, value in options.items()},
        "em": model.em,
        "log_likelihoods": model.log_likelihoods.tolist(),
        "seeds": [seed.plain() for seed in model.seeds],
        **known.plain(),
        "edits": [record.plain() for record in log.history],
        "settled": len(log.settled),
        "origin": log.origin,
        "statistics": None if model.statistics is None else model.statistics._asdict(),
        "counted": counted,
        "named": model.is_named,
        "text": None if model.text is None else model.text.plain(),
        "coverage": model.coverage,
    }
    save_tree(model.learned.tree.fields, path, kind=ESTIMATOR, more=more, arrays=known.arrays)


@contextmanager
def refuse_damage(path: str | PathLike[str]) -> Iterator[None]:
    """Raise `FormatError` in place of errors that damaged contents of a file cause."""
    try:
        yield
    except FormatError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise FormatError(f"{path} is damaged: {error}") from error


def read_model(
    saved: SavedTree, tree: LatentTree, names: Collection[str]
) -> tuple[dict[str, Any], Model]:
    """The parameters in a file, which may have these `names`, and its model with the given tree."""
    header, path = saved.header, saved.path
    check_fields(f"{path}: its header has", header, FIELDS | _FIELDS | FIELDS_OF_ANNOTATIONS)
    with refuse_damage(path):
        options = dict(header["options"])
        for name in ("n_jobs", "keep_documents"):  # in older files
            options.pop(name, None)
        check_fields(f"{path}: its options have", options, names)
        options["text"] = _text_options(options.get("text"))
        known = Annotations.read(header, tree.n_words, tree.n_latents, saved.arrays)
        learned = AnnotatedTree(tree, known)
        origin = str(header.get("origin") or fingerprint(tree))
        log = EditLog.of(origin, header.get("edits", []), header.get("settled", 0))
        statistics = header.get("statistics")
        if statistics is not None:
            check_fields(f"{path}: its statistics have", statistics, _STATISTICS)
            statistics = Statistics.read(statistics)
        usual = header.get("coverage")
        model = Model(
            learned=learned,
            edited=log.apply(learned),
            log=log,
            text=_text_options(header.get("text")),
            coverage=None if usual is None else float(usual),
            is_named=bool(header["named"]),
            statistics=statistics,
            em=str(header["em"]),
            log_likelihoods=np.array(header["log_likelihoods"], dtype=np.float64),
            seeds=tuple(SeedReport.read(entry) for entry in header.get("seeds", [])),
        )
        counted = header.get("counted")
        if isinstance(counted, dict):  # in older files it is a list, of another kind of number
            model = model.with_sizes(Sizes.read(counted, model.tree.n_latents))
    return options, model


def _text_options(plain: Mapping[str, Any] | None) -> TextOptions | None:
    """The options that a file holds in the form of `TextOptions.plain`."""
    return None if plain is None else TextOptions(**plain)


def _plain(value: Any) -> Any:
    """A parameter as JSON can hold it; None if it cannot."""
    if isinstance(value, TextOptions):
        return value.plain()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inner) for inner in value]
    return value if value is None or isinstance(value, (bool, int, float, str)) else None
