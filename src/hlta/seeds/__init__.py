"""Topics that a person knows beforehand, and what became of them."""
