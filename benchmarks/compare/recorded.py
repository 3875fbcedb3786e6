"""Figures of others: the paper's own tables, and runs of the authors' program.

The paper's figures are for other selections of documents and words from the same sources, on a
machine of 2015 with a limit of 72 hours.
"""

from __future__ import annotations

from typing import NamedTuple

# "-" means that the method did not finish, "." that the paper has no such entry.
_LOG_LIKELIHOOD = """
          HLTA-batch  HLTA-step  nCRP-bin  nHDP-bin  hPAM-bin  CorEx
nips-1k   -393        .          -671      -1,188    -1,183    -445
nips-5k   -1,121      .          -3,034    -3,272    -         -1,243
news-1k   -114        -114       -         -183      -183      -149
news-5k   -242        -243       -         -407      -         -323
"""
_MINUTES = """
          HLTA-batch  HLTA-step  nCRP-bin  nHDP-bin  hPAM-bin  nCRP-bow  nHDP-bow  hPAM-bow  CorEx
nips-1k   5.6         .          782       152       261       853       379       850       53
nips-5k   86.1        .          3,608     288       -         3,939     416       -         371
news-1k   66.1        9.6        -         162       328       -         250       604       779
news-5k   432         133        -         263       -         -         332       -         4,287
"""
_COHERENCE = """
          HLTA-batch  HLTA-step  nCRP-bow  nHDP-bow  hPAM-bow  nCRP-bin  nHDP-bin  hPAM-bin  CorEx
nips-1k   -5.95       .          -7.46     -7.66     -6.86     -7.01     -8.95     -6.83     -7.20
nips-5k   -7.74       .          -9.03     -9.70     -         -9.83     -11.59    -         -9.76
news-1k   -12.00      -11.66     -         -13.51    -11.74    -         -13.45    -12.63    -13.49
news-5k   -12.67      -12.08     -         -13.93    -         -         -14.17    -         -14.71
"""
_COMPACTNESS = """
          HLTA-batch  HLTA-step  nCRP-bow  nHDP-bow  hPAM-bow  nCRP-bin  nHDP-bin  hPAM-bin  CorEx
nips-1k   0.253       .          0.163     0.164     0.215     0.176     0.119     0.145     0.243
nips-5k   0.279       .          0.153     0.147     -         0.137     0.107     -         0.162
news-1k   0.239       0.250      -         0.150     0.210     -         0.138     0.169     0.185
news-5k   0.239       0.243      -         0.148     -         -         0.134     -         0.156
"""


def _parsed(table: str) -> dict[str, dict[str, str]]:
    """The entries of a table by corpus and method."""
    head, *rows = (line.split() for line in table.strip().splitlines())
    return {
        corpus: {method: value for method, value in zip(head, row, strict=True) if value != "."}
        for corpus, *row in rows
    }


PAPER = {
    "log_likelihood": _parsed(_LOG_LIKELIHOOD),
    "minutes": _parsed(_MINUTES),
    "coherence": _parsed(_COHERENCE),
    "compactness": _parsed(_COMPACTNESS),
}
"""The paper's Tables 6 to 9, as printed: figure, corpus, method."""


class Java(NamedTuple):
    """One run of the authors' program on the prepared files, on a machine like ours."""

    log_likelihood: float
    coherence: float
    topics: int
    seconds: float
    cpu_seconds: float


JAVA = {
    "batch": {"nips-1k": Java(-430.64, -5.419, 157, 1447.0, 1380.0)},
    "stepwise": {
        "nips-1k": Java(-439.40, -5.333, 111, 265.0, 234.0),
        "news-1k": Java(-118.32, -11.238, 109, 870.0, 740.0),
    },
}
"""The authors' program by mode and corpus."""
