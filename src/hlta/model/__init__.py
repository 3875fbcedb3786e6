"""A fitted model as a value: what it holds, how it is shown, edited, updated, written and read.

Nothing here changes a model: whatever does so takes one and returns another. `hlta.HLTA` is the face of
it that scikit-learn knows.
"""
