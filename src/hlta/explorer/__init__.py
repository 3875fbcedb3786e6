"""The explorer: topics and documents as one page that works offline."""
