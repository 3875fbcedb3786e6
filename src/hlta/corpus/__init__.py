"""From documents to arrays."""
