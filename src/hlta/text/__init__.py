"""From text to words: what counts as a word, and which words are kept."""
