"""Everything about a given latent tree."""
