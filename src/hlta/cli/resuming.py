"""What a fit that was stopped leaves behind, for `--resume`."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from hlta.cli.printing import tell
from hlta.errors import HltaError, OptionError

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def checkpoint_beside(output: Path, *, resume: bool, overwrite: bool) -> Iterator[Path]:
    """Where a fit keeps what it has finished; the folder goes when the block has ended well.

    What is there already is neither used nor deleted unless the user asked for it.
    """
    from hlta.learning.checkpoint_folder import STATE, discard

    target = Path(os.path.realpath(output))
    folder = target.with_name(f"{target.name}.checkpoint")
    state = folder / STATE
    if not resume:
        if state.exists() and not overwrite:
            raise OptionError(
                f"{str(folder)!r} holds what another fit has finished; if it was stopped, add "
                "--resume to go on with it, or --overwrite to begin anew"
            )
        discard(folder)
    try:
        yield folder
    except BaseException as error:
        if state.exists() and not isinstance(error, HltaError):
            tell(f"hlta: {str(folder)!r} holds what is finished; --resume goes on from there")
        raise
    discard(folder)
