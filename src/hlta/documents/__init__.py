"""Documents as data: the document-word matrix, and what else is known of each document."""
