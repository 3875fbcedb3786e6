"""Inputs that coverage guides: `python -m tests.fuzz.guided [-max_total_time=SECONDS]`.

It needs Atheris (`pip install atheris`), whose options it takes. The first byte of an input says what
kind of file the others are; the first inputs are some of the other targets'. What reads a file by another
process, as PDF and Parquet, is left out: its coverage is not seen.

`python -m tests.fuzz.guided --seeds FOLDER` writes the first inputs. As a program of its own, as
ClusterFuzzLite builds it, it is given them: it could not start the processes that they take.
"""

import sys
from contextlib import suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Never

import atheris

with atheris.instrument_imports(include=["hlta"]):
    from hlta import HltaError
    from hlta.reading import sources
    from hlta.reading.records import ReadOptions
    from hlta.reading.sources import read_documents
    from hlta.tree.latent_tree import LatentTree

from tests.fuzz.documents import expect_strings
from tests.fuzz.targets import targets_in

MODEL = ".hlta"
ENDINGS = (
    *(".txt", ".csv", ".tsv", ".json", ".jsonl", ".ipynb", ".html", ".xml", ".eml", ".mbox"),
    *(".rtf", ".srt", ".vtt", ".docx", ".pptx", ".xlsx", ".odt", ".epub", ".gz", MODEL),
)
EACH = 20  # inputs of each other target


def write_seeds(folder: Path) -> None:
    """Write inputs of other targets, as this one takes them."""
    for name, other in targets_in(["documents", "tables"]).items():
        for number in range(EACH):
            made = folder / f"{name}-{number}"
            made.mkdir()
            with suppress(HltaError):
                other.use(Random(number), made)
            for file in made.glob("input.*"):
                if file.suffix in ENDINGS:
                    kind = bytes([ENDINGS.index(file.suffix)])
                    (folder / f"{name}-{number}{file.suffix}").write_bytes(kind + file.read_bytes())


def unforeseen(error: Exception) -> Never:
    """Elsewhere, an error that no reader foresaw leaves out its file; here, it is a finding."""
    raise error


def use(data: bytes, folder: Path) -> None:
    """Read a file, or a model."""
    ending = ENDINGS[data[0] % len(ENDINGS)] if data else MODEL
    path = folder / f"input{ending}"
    path.write_bytes(data[1:])
    with suppress(HltaError):
        if ending == MODEL:
            LatentTree.load(path)
        else:
            for record in read_documents(path, ReadOptions()):
                expect_strings(record)


def main() -> None:
    """Run until something is found, or the time is over."""
    if sys.argv[1:2] == ["--seeds"]:
        write_seeds(Path(sys.argv[2]))
        return
    sources._unforeseen = unforeseen
    with TemporaryDirectory() as scratch, TemporaryDirectory() as seeds:
        if not getattr(sys, "frozen", False):
            write_seeds(Path(seeds))
        atheris.Setup([*sys.argv, seeds], lambda data: use(data, Path(scratch)))
        atheris.Fuzz()


if __name__ == "__main__":
    main()
