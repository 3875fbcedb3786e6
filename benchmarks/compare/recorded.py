"""Figures of others: the paper's own tables, and runs of the authors' program.

The paper's are for other selections of documents and words from the same sources, on a machine of
2015, its limit 72 hours. "-": it did not end.
"""

from __future__ import annotations

from typing import NamedTuple

PAPER: dict[str, dict[str, dict[str, str]]] = {
    "log_likelihood": {
        "nips-1k": {"HLTA-batch": "-393", "nCRP-bin": "-671", "nHDP-bin": "-1,188"}
        | {"hPAM-bin": "-1,183", "CorEx": "-445"},
        "nips-5k": {"HLTA-batch": "-1,121", "nCRP-bin": "-3,034", "nHDP-bin": "-3,272"}
        | {"hPAM-bin": "-", "CorEx": "-1,243"},
        "news-1k": {"HLTA-batch": "-114", "HLTA-step": "-114", "nCRP-bin": "-"}
        | {"nHDP-bin": "-183", "hPAM-bin": "-183", "CorEx": "-149"},
        "news-5k": {"HLTA-batch": "-242", "HLTA-step": "-243", "nCRP-bin": "-"}
        | {"nHDP-bin": "-407", "hPAM-bin": "-", "CorEx": "-323"},
    },
    "minutes": {
        "nips-1k": {"HLTA-batch": "5.6", "nCRP-bin": "782", "nHDP-bin": "152", "hPAM-bin": "261"}
        | {"nCRP-bow": "853", "nHDP-bow": "379", "hPAM-bow": "850", "CorEx": "53"},
        "nips-5k": {"HLTA-batch": "86.1", "nCRP-bin": "3,608", "nHDP-bin": "288", "hPAM-bin": "-"}
        | {"nCRP-bow": "3,939", "nHDP-bow": "416", "hPAM-bow": "-", "CorEx": "371"},
        "news-1k": {"HLTA-batch": "66.1", "HLTA-step": "9.6", "nCRP-bin": "-", "nHDP-bin": "162"}
        | {"hPAM-bin": "328", "nCRP-bow": "-", "nHDP-bow": "250", "hPAM-bow": "604"}
        | {"CorEx": "779"},
        "news-5k": {"HLTA-batch": "432", "HLTA-step": "133", "nCRP-bin": "-", "nHDP-bin": "263"}
        | {"hPAM-bin": "-", "nCRP-bow": "-", "nHDP-bow": "332", "hPAM-bow": "-", "CorEx": "4,287"},
    },
    "coherence": {
        "nips-1k": {"HLTA-batch": "-5.95", "nCRP-bow": "-7.46", "nHDP-bow": "-7.66"}
        | {"hPAM-bow": "-6.86", "nCRP-bin": "-7.01", "nHDP-bin": "-8.95", "hPAM-bin": "-6.83"}
        | {"CorEx": "-7.20"},
        "nips-5k": {"HLTA-batch": "-7.74", "nCRP-bow": "-9.03", "nHDP-bow": "-9.70"}
        | {"hPAM-bow": "-", "nCRP-bin": "-9.83", "nHDP-bin": "-11.59", "hPAM-bin": "-"}
        | {"CorEx": "-9.76"},
        "news-1k": {"HLTA-batch": "-12.00", "HLTA-step": "-11.66", "nCRP-bow": "-"}
        | {"nHDP-bow": "-13.51", "hPAM-bow": "-11.74", "nCRP-bin": "-", "nHDP-bin": "-13.45"}
        | {"hPAM-bin": "-12.63", "CorEx": "-13.49"},
        "news-5k": {"HLTA-batch": "-12.67", "HLTA-step": "-12.08", "nCRP-bow": "-"}
        | {"nHDP-bow": "-13.93", "hPAM-bow": "-", "nCRP-bin": "-", "nHDP-bin": "-14.17"}
        | {"hPAM-bin": "-", "CorEx": "-14.71"},
    },
    "compactness": {
        "nips-1k": {"HLTA-batch": "0.253", "nCRP-bow": "0.163", "nHDP-bow": "0.164"}
        | {"hPAM-bow": "0.215", "nCRP-bin": "0.176", "nHDP-bin": "0.119", "hPAM-bin": "0.145"}
        | {"CorEx": "0.243"},
        "nips-5k": {"HLTA-batch": "0.279", "nCRP-bow": "0.153", "nHDP-bow": "0.147"}
        | {"hPAM-bow": "-", "nCRP-bin": "0.137", "nHDP-bin": "0.107", "hPAM-bin": "-"}
        | {"CorEx": "0.162"},
        "news-1k": {"HLTA-batch": "0.239", "HLTA-step": "0.250", "nCRP-bow": "-"}
        | {"nHDP-bow": "0.150", "hPAM-bow": "0.210", "nCRP-bin": "-", "nHDP-bin": "0.138"}
        | {"hPAM-bin": "0.169", "CorEx": "0.185"},
        "news-5k": {"HLTA-batch": "0.239", "HLTA-step": "0.243", "nCRP-bow": "-"}
        | {"nHDP-bow": "0.148", "hPAM-bow": "-", "nCRP-bin": "-", "nHDP-bin": "0.134"}
        | {"hPAM-bin": "-", "CorEx": "0.156"},
    },
}


class Java(NamedTuple):
    """One run of the authors' program on these very files, on a machine like ours."""

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
