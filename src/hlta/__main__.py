"""`python -m hlta` is the command `hlta`."""

from hlta.cli import main

main()
