"""Helpers for all packages of hlta: threads, files that appear once complete, checks of arguments."""
