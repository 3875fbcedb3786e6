"""Measurements of `hlta`. Each module is a program: `python -m benchmarks.inference`."""
