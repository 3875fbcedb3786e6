"""A fitted model as a value: what it holds, how it is shown, edited, updated, written and read.

Models are immutable: functions that edit or update one return another. `hlta.HLTA` wraps a model as a
scikit-learn estimator.
"""
