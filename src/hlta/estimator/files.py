"""Files of estimators: the model as it was learned, its edits, and how it was learned."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from sklearn.utils.validation import check_is_fitted

from hlta._support.formats import check_fields
from hlta.documents.kept_sample import KeptSample
from hlta.edits.edited import Edited
from hlta.edits.log import EditLog
from hlta.errors import FormatError
from hlta.estimator.seed_reports import SeedReport
from hlta.estimator.text_parameters import TextParameters, restored_text_options
from hlta.estimator.updating import UpdatableModel
from hlta.learning.statistics import Statistics
from hlta.options import TextOptions
from hlta.topics.known import FIELDS as FIELDS_OF_KNOWN
from hlta.topics.known import Known
from hlta.topics.sizes import Sizes
from hlta.tree.fingerprint import fingerprint
from hlta.tree.latent_tree import LatentTree, tree_from_file
from hlta.tree.model_file import ESTIMATOR, FIELDS, model_in, read_tree, save_tree

if TYPE_CHECKING:
    from os import PathLike
    from typing import Self

    from hlta.tree.model_file import SavedTree

OF_THE_RUN: Final = frozenset({"n_jobs", "progress", "checkpoint", "client"})
"""Parameters of `HLTA` that say where it runs, reports and writes: no file decides on them."""
_PARAMETERS: Final = frozenset(
    {
        *("max_top_topics", "max_island_size", "ud_threshold", "association"),
        *("em", "em_steps", "batch_size", "step_exponent", "em_updates"),
        *("structure_sample", "refine", "samples", "states", "seeds", "apart", "keep_documents"),
        *("random_state", "lowest_level", "n_keywords", "n_topics", "text"),
    }
)
"""Parameters of `HLTA` that say how a model is learned and shown: the only ones that files hold."""
_FIELDS: Final = frozenset(
    {
        *("options", "em", "log_likelihoods", "seeds", "edits", "settled", "origin"),
        *("statistics", "kept", "counted", "named", "text", "coverage"),
    }
)
"""The fields of the header besides those of a tree and of `Known`."""
_STATISTICS: Final = frozenset(
    {*Statistics._fields, "nested", "seen"}
)  # the last two in older files


class SavedModel(UpdatableModel, TextParameters):
    """The part of `HLTA` that is saved and loaded."""

    def save(self, path: str | PathLike[str]) -> None:
        """Write the fitted model to a file, which is replaced as a whole or not at all.

        A `random_state` is kept only if it is a number, and `text` only together with `text_options_`.
        `n_jobs`, `client`, `checkpoint` and `progress` are not kept: they are up to whoever loads it.

        Parameters
        ----------
        path
            The file; `HLTA.load` and `hlta.load` read it.
        """
        check_is_fitted(self)
        counted = self._edited.known.sizes
        if counted is self._learned.known.sizes:
            counted = None
        more = {
            "options": self._plain_options(),
            "em": self.em_,
            "log_likelihoods": self.log_likelihoods_.tolist(),
            "seeds": [seed.plain() for seed in self.seeds_],
            **self._learned.known.plain(),
            "edits": [record.plain() for record in self._log.history],
            "settled": len(self._log.settled),
            "origin": self._log.origin,
            "statistics": None if self._statistics is None else self._statistics.plain(),
            "kept": None if self._kept is None else self._kept.plain(),
            "counted": None if counted is None else counted.plain(),
            "named": hasattr(self, "feature_names_in_"),
            "text": None if self.text_options_ is None else self.text_options_.plain(),
            "coverage": self.coverage_,
        }
        arrays = self._learned.known.arrays | ({} if self._kept is None else self._kept.arrays)
        save_tree(self._learned.tree.fields, path, kind=ESTIMATOR, more=more, arrays=arrays)

    def _plain_options(self) -> dict[str, Any]:
        held = _PARAMETERS if self.text_options_ is not None else _PARAMETERS - {"text"}
        parameters = self.get_params(deep=False).items()
        return {name: _plain(value) for name, value in parameters if name in held}

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """Read a model that `save` wrote.

        Parameters
        ----------
        path
            The file, or a folder that `hlta fit` wrote.

        Returns
        -------
        HLTA
            The model, as it was saved.

        Raises
        ------
        FormatError
            If the file is damaged, foreign, of an unknown version, or holds something else.
        """
        saved = read_tree(model_in(path), ESTIMATOR)
        return cls.restored(saved, tree_from_file(saved.fields, saved.refusal))

    @classmethod
    def restored(cls, saved: SavedTree, tree: LatentTree) -> Self:
        """The model of a file that has been read, with its tree.

        Parameters
        ----------
        saved, tree
            What `hlta.tree.model_file.read_tree` gave, and the tree constructed from it.

        Returns
        -------
        HLTA
        """
        header, path = saved.header, saved.path
        check_fields(f"{path}: its header has", header, FIELDS | _FIELDS | FIELDS_OF_KNOWN)
        try:
            options = dict(header["options"])
            options.pop("n_jobs", None)  # in older files
            check_fields(f"{path}: its options have", options, _PARAMETERS)
            model = cls(**options | {"text": restored_text_options(options.get("text"))})
            model.em_ = str(header["em"])
            model.log_likelihoods_ = np.array(header["log_likelihoods"], dtype=np.float64)
            model.seeds_ = [SeedReport.read(entry) for entry in header.get("seeds", [])]
            model.n_features_in_ = tree.n_words
            if header["named"]:
                model.feature_names_in_ = np.array(tree.words, dtype=object)
            model.text_options_ = restored_text_options(header.get("text"))
            usual = header.get("coverage")
            model.coverage_ = None if usual is None else float(usual)
            known = Known.read(header, tree.n_words, tree.n_latents, saved.arrays)
            learned = Edited(tree, known)
            origin = str(header.get("origin") or fingerprint(tree))
            log = EditLog.of(origin, header.get("edits", []), header.get("settled", 0))
            model._set_learned(learned, log)
            statistics = header.get("statistics")
            if statistics is not None:
                check_fields(f"{path}: its statistics have", statistics, _STATISTICS)
                statistics = Statistics.read(statistics)
            model._statistics = statistics
            kept = header.get("kept")
            model._kept = None if kept is None else KeptSample.read(kept, saved.arrays)
            counted = header.get("counted")
            if isinstance(counted, dict):  # in older files it is a list, of another kind of number
                model._set_counted(Sizes.read(counted, model.tree_.n_latents))
        except FormatError:
            raise
        except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
            raise FormatError(f"{path} is damaged: {error}") from error
        return model


def _plain(value: Any) -> Any:
    """A parameter as JSON can hold it."""
    if isinstance(value, TextOptions):
        return value.plain()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inner) for inner in value]
    return value if value is None or isinstance(value, (bool, int, float, str)) else None
