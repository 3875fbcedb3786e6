"""Topics: what the latent variables of a tree say about words and documents."""

from hlta.topics.chat import ChatError, ChatNames
from hlta.topics.comparison import Comparison, Pair, Unpaired
from hlta.topics.naming import Family
from hlta.topics.narrow import NarrowTopics, narrow_topics
from hlta.topics.representatives import TopDocuments
from hlta.topics.topic import Keyword, Topic
from hlta.topics.topic_tree import TopicTree

__all__ = [
    "ChatError",
    "ChatNames",
    "Comparison",
    "Family",
    "Keyword",
    "NarrowTopics",
    "Pair",
    "TopDocuments",
    "Topic",
    "TopicTree",
    "Unpaired",
    "narrow_topics",
]
