"""Measures of topics and models: coherence, compactness, distinctness, hierarchy."""

from hlta.evaluate.agreement import Agreement, ClassAgreement, agreement
from hlta.evaluate.coding import CoderAgreement, coder_agreement, read_codes
from hlta.evaluate.coherence import Compactness, topic_coherence, topic_compactness, topic_npmi
from hlta.evaluate.distinctness import topic_diversity, topic_stability
from hlta.evaluate.factors import nmf_topics
from hlta.evaluate.hierarchies import HierarchyMeasures, hierarchy_measures
from hlta.evaluate.word_lists import WordList, read_word_lists
from hlta.reading.word_vectors import WordVectors, read_vectors

__all__ = [
    "Agreement",
    "ClassAgreement",
    "CoderAgreement",
    "Compactness",
    "HierarchyMeasures",
    "WordList",
    "WordVectors",
    "agreement",
    "coder_agreement",
    "hierarchy_measures",
    "nmf_topics",
    "read_codes",
    "read_vectors",
    "read_word_lists",
    "topic_coherence",
    "topic_compactness",
    "topic_diversity",
    "topic_npmi",
    "topic_stability",
]
