"""Learning a tree from documents. `recipe` runs all steps; `paper` holds the paper's algorithms.

Beyond the paper, samples of the documents vote on the structure (`structure`, `free_moves`, `votes`).
EM learns the parameters (`given_structure`, `em`, `states`) of their consensus (`consensus`, with
`embedding` and `grouping`).
"""
