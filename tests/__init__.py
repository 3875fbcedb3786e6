"""The tests, a package: its helpers have one name, `tests.strategies` and so on."""
