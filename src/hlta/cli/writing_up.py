"""What an article about the topics needs: `hlta report --methods`, `--appendix` and `--codebook`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hlta._support.formats import RESULTS
from hlta._support.writing import write_text
from hlta.cli.inputs import load_model, read_for_model
from hlta.cli.printing import show, tell
from hlta.cli.results import output_file, refuse_existing
from hlta.cli.updating import record_beside
from hlta.errors import OptionError

if TYPE_CHECKING:
    from pathlib import Path

    from hlta.cli.common_options import Reading, Run, WriteUp

NO_PAGE: Final = "applies to the page, which is not written; leave it out"
_FORMS: Final = {".csv": "as_csv", ".md": "as_markdown", ".tex": "as_latex"}


def write_up(
    model_path: Path,
    paths: list[str] | None,
    reading: Reading,
    run: Run,
    wanted: WriteUp,
    *,
    overwrite: bool,
) -> None:
    """Print or write what is wanted."""
    from hlta import writeup

    form = None if wanted.appendix is None else _FORMS.get(wanted.appendix.suffix.lower())
    if wanted.appendix is not None and form is None:
        raise OptionError(
            f"--appendix {str(wanted.appendix)!r}: use a name that ends in .csv, .md or .tex"
        )
    targets = [one for one in (wanted.appendix, wanted.codebook) if one is not None]
    if overwrite and not targets:
        raise OptionError("--overwrite applies to files, and none is written; leave it out")
    if len({target.resolve() for target in targets}) < len(targets):
        raise OptionError("--appendix and --codebook name the same file; give each its own")
    for target in targets:
        refuse_existing(target, overwrite=overwrite)
        if target.name in RESULTS:
            raise OptionError(
                f"{target.name!r} is the name of a result of `hlta fit`; choose another name"
            )
    model = load_model(model_path)
    corpus = read_for_model(model, paths, reading, run, with_texts=True) if paths else None
    files = {}
    if wanted.methods:
        show(writeup.methods(model, corpus, run=record_beside(model_path)).rstrip("\n"))
    if wanted.appendix is not None and form is not None:
        files[wanted.appendix] = getattr(writeup, form)(writeup.appendix(model, corpus))
    if wanted.codebook is not None:
        files[wanted.codebook] = writeup.codebook(model, corpus)
    for target, text in files.items():
        with output_file(target, model_path, *(paths or []), overwrite=overwrite) as file:
            write_text(file, text)
        tell(f"Wrote {target}", quiet=run.quiet)
