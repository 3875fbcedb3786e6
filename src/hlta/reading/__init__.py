"""Files become documents: folders, tables, lines, matrices; compressed or not; one after the other."""
