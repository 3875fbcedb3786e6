"""Latent tree models: the tree, exact inference in it, and its files."""
