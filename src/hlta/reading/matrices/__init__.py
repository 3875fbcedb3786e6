"""Files of document-word matrices, and what stands beside them."""
