"""What people change in a model: entries of a log that can be read, undone and replayed."""
