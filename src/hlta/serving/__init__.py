"""The page over all documents of a large corpus: `hlta serve`."""
