"""The parameters of `HLTA`: which of them a file holds, and the options of `text` by their names."""

from __future__ import annotations

from typing import Any, Final, Self

from hlta.documents.corpus import make_text_options
from hlta.errors import OptionError
from hlta.options import TextOptions

OF_THE_RUN: Final = frozenset({"n_jobs", "progress", "checkpoint", "client"})
"""Parameters of `HLTA` that say where it runs, reports and writes: no file decides on them."""
OF_THE_MODEL: Final = frozenset(
    {
        *("max_top_topics", "max_island_size", "ud_threshold", "association"),
        *("em", "em_steps", "batch_size", "step_exponent", "em_updates"),
        *("structure_sample", "refine", "samples", "states", "seeds", "apart"),
        *("random_state", "lowest_level", "n_keywords", "n_topics", "text"),
    }
)
"""Parameters of `HLTA` that say how a model is learned and shown: the only ones that files hold."""
_PREFIX: Final = "text__"


class TextParameters:
    """The part of `HLTA` that lets scikit-learn's searches set `text__ngrams` and the like.

    `TextOptions` never change, so setting one of them replaces `text`. It goes before `BaseEstimator`
    among the bases of a class.
    """

    text: TextOptions | None

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters, and each option of `text` by itself, such as `text__ngrams`.

        Parameters
        ----------
        deep
            Whether to give the options of `text`, if there are any.

        Returns
        -------
        dict
            Values by name.
        """
        parameters: dict[str, Any] = super().get_params(deep=False)  # type: ignore[misc]
        if deep and isinstance(self.text, TextOptions):
            parameters |= {_PREFIX + name: value for name, value in self.text.keywords.items()}
        return parameters

    def set_params(self, **params: Any) -> Self:
        """Set parameters, among them options of `text` by themselves, such as `text__ngrams`.

        Parameters
        ----------
        **params
            Values by name.

        Returns
        -------
        HLTA
            The estimator itself.

        Raises
        ------
        OptionError
            If an option of `text` is unknown or out of range.
        """
        options = {name for name in params if name.startswith(_PREFIX)}
        super().set_params(  # type: ignore[misc]
            **{name: value for name, value in params.items() if name not in options}
        )
        if options:
            given = {name.removeprefix(_PREFIX): params[name] for name in options}
            self.text = make_text_options(check_text_options(self.text).keywords | given)
        return self


def check_text_options(text: Any) -> TextOptions:
    """The options that `text` stands for; None for the usual ones."""
    if text is None:
        return TextOptions()
    if not isinstance(text, TextOptions):
        raise OptionError(f"text={text!r:.80}: use hlta.TextOptions(...), or None for its defaults")
    return text
