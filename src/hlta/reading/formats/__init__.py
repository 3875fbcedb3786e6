"""Formats of files that hold one document or several: mail, office documents, books, pages."""
