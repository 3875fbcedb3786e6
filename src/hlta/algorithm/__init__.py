"""Learning the tree: pairs of variables, islands of them, bridges between islands, levels."""
