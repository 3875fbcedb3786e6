"""The map of the documents: where each one lies, and where the names of the topics stand."""
