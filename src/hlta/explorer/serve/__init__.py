"""All documents of a corpus, for the page and for agents: `hlta serve` and `hlta mcp`."""
