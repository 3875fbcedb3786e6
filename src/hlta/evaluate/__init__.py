"""How good topics are, by numbers that need no reader."""
