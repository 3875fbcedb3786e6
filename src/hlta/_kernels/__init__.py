"""Compiled loops over arrays: they know nothing else.

A kernel's annotations are its types, for Numba and for type checkers alike; see `compiling`.
"""
