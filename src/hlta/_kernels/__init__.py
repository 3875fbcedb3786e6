"""Compiled loops over arrays: no options, no logging, no SciPy, no files but those of `cache`.

A kernel's annotations are its types, for Numba and for type checkers alike; see `compiling`.
"""
