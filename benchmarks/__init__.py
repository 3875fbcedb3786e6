"""Measurements of `hlta`; each module is a program: `python -m benchmarks.inference`."""
