"""The errors and warnings that a user can meet; `except HltaError` catches every error."""

from __future__ import annotations


class HltaError(Exception):
    """Base class of every error that `hlta` raises on purpose.

    Examples
    --------
    >>> from hlta import HltaError, LatentTree
    >>> try:
    ...     LatentTree(("a", "a"), [2, 2, -1], [0, 0, 1], [[0.5, 0.5]] * 3)
    ... except HltaError as error:
    ...     print(error)
    words holds 'a' 2 times; every word must be distinct
    """


class TreeError(HltaError, ValueError):
    """The arrays do not describe a latent tree model; the message names the node."""


class DocumentsError(HltaError, ValueError):
    """The documents cannot be used; the message names the problem and the remedy."""


class OptionError(HltaError, ValueError):
    """An argument has a value outside its range."""


class UnknownTopicError(OptionError, KeyError):
    """No topic has this name, or several have it."""

    __str__ = Exception.__str__  # that of KeyError puts the message in quotes


class FormatError(HltaError, ValueError):
    """A file is damaged, not one of ours, or of an unknown version; the message names the file."""


class ClusterError(HltaError, RuntimeError):
    """A cluster cannot run the work; the message names the worker or the scheduler."""


class ClippedProbabilityWarning(UserWarning):
    """Probabilities of 0 or 1 in an imported model were moved inside (0, 1)."""
