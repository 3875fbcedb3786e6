"""The errors a user can meet, all under one roof so that one `except` catches them."""

from __future__ import annotations


class HltaError(Exception):
    """Base of every error that `hlta` raises on purpose."""


class TreeError(HltaError, ValueError):
    """The arrays given do not describe a latent tree model; the message names the node."""


class DocumentsError(HltaError, ValueError):
    """The documents given cannot be used; the message names what is wrong and the remedy."""


class OptionError(HltaError, ValueError):
    """An argument has a value outside its range."""


class FormatError(HltaError, ValueError):
    """A file is damaged, foreign or of an unknown version; the message names the file and the place."""


class ClippedProbabilityWarning(UserWarning):
    """Probabilities of 0 or 1 in an imported model were moved inside (0, 1)."""
