"""Who does the work."""
