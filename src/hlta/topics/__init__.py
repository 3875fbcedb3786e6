"""Topics: what the latent variables of a tree say about words and documents."""
