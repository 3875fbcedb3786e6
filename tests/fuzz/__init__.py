"""The fuzzer: damaged and hostile input for every reader, loader and public constructor.

`scripts/fuzz` runs it for as long as one likes, `tests/test_fuzz.py` for a minute. The targets are in
`documents`, `tables`, `matrices` and `models`; `mutations` damages what they make.
"""
