"""Learning a tree from documents. `recipe` is the whole of it; `paper` holds the paper's algorithms.

Beyond the paper, samples of the documents vote on the structure (`structure`, `free_moves`, `votes`),
and their consensus (`consensus`, of `embedding` and `grouping`) is fitted by EM (`given_structure`,
`em`, `states`).
"""
