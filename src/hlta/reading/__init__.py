"""From files to documents: folders, tables, lines and matrices, compressed or not."""
