"""The command `hlta`, which is also `python -m hlta`."""

import signal
import sys


def main() -> None:
    """Run the command; while it is being imported, Ctrl-C ends it without a traceback.

    If an error is raised and a required package is missing or too old, report both, with the remedy.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        from hlta.cli import main as run

        run()
    except Exception as error:
        from hlta._support.dependencies import unmet_requirements

        unmet = unmet_requirements()
        if not unmet:
            raise
        problems = (f"{type(error).__name__}: {error}", *unmet)
        sys.exit("\n".join(f"hlta: {problem}" for problem in problems))


if __name__ == "__main__":
    if not sys.flags.safe_path:
        del sys.path[0]  # the current folder, whose modules could shadow those of packages
    main()
