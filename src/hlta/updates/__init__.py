"""Learning from new documents: parameters, and words that a model lacks."""
