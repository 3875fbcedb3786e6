"""The paper's experiments, side by side with other methods: `python -m benchmarks --help`."""
