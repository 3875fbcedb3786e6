"""Compiled loops over arrays: no options, no logging, no SciPy, no files but those of `cache`.

Numba and type checkers both take a kernel's types from its annotations; see `compiling`.
"""
