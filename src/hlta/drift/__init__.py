"""Drift: how new documents differ from those that a model was learned from."""

from hlta.drift.changes import Misfit, TopicChange, WordChange
from hlta.drift.report import Drift
from hlta.drift.themes import Theme

__all__ = ["Drift", "Misfit", "Theme", "TopicChange", "WordChange"]
