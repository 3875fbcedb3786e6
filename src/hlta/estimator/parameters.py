"""The parameters of `HLTA`: which of them a file holds."""

from __future__ import annotations

from typing import Any, Final

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


def check_text_options(text: Any) -> TextOptions:
    """The options that `text` stands for; None for the usual ones."""
    if text is None:
        return TextOptions()
    if not isinstance(text, TextOptions):
        raise OptionError(f"text={text!r:.80}: use hlta.TextOptions(...), or None for its defaults")
    return text
