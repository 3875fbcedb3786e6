"""Documents as data: the document-word matrix, and metadata such as ids, titles and dates."""
