"""The command `hlta`, which is also `python -m hlta`."""

import signal
import sys


def main() -> None:
    """Run the command; while it is being loaded, Ctrl-C ends it without a word."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from hlta.cli import main as run

    run()


if __name__ == "__main__":
    if not sys.flags.safe_path:
        del sys.path[0]  # the current folder, whose modules are not for this program
    main()
