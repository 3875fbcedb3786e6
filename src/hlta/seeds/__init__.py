"""Seeds: topics that a person gives beforehand, and reports on them after learning."""
