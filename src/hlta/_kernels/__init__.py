"""Compiled loops over arrays: they know nothing else."""
