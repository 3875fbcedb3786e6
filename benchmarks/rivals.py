"""Methods that find topics, mostly with the defaults of their packages.

Each takes a task and numbers of topics, and yields the topics of documents and the words of topics for
each number. A method that finds the number itself yields a single result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hlta.evaluate import WordList

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from hlta import Corpus

    Found = Iterator[tuple[int, "Topics"]]
    One = Callable[["Task", int], "Topics"]

WORDS = 10
_GIBBS_STEPS = 300


class Task(NamedTuple):
    """Documents, as words and as texts, perhaps with vectors."""

    corpus: Corpus
    texts: list[str]
    vectors: NDArray[Any] | None
    seed: int


class Topics(NamedTuple):
    """What a method found.

    Attributes
    ----------
    main : intp (documents,)
        The topic of each document, -1 for none.
    weights : float64 (documents, topics) or None
        The weight of each topic in each document.
    words
        The first words of each topic; none if the method gives no words.
    tree
        All topics with those above them, if there is a hierarchy.
    upper : intp (documents,) or None
        The broader topic of each document, if there is a hierarchy.
    """

    main: NDArray[np.intp]
    weights: NDArray[np.float64] | None = None
    words: list[WordList] = []  # noqa: RUF012  (of a named tuple)
    tree: list[WordList] = []  # noqa: RUF012
    upper: NDArray[np.intp] | None = None


class Rival(NamedTuple):
    """A method, the packages that it needs, and whether it needs vectors of the documents."""

    find: Callable[[Task, Sequence[int]], Found]
    package: str
    needs_vectors: bool = False


def _hlta(task: Task, numbers: Sequence[int], vectors: Any = None) -> Found:
    from hlta import HLTA

    model = HLTA(random_state=task.seed).fit(task.corpus, vectors=vectors)
    tree: dict[str, WordList] = {}
    for topic in model.topics_:  # parents first
        above = None if topic.parent is None else tree[topic.parent.id]
        tree[topic.id] = WordList(topic.words, topic.level, above)
    upper = model.predict(task.corpus, vectors=vectors)
    for number in numbers:
        if number <= model.topics_.most_in_cut:
            topics = model.topics_.cut(number)
            main = model.predict(task.corpus, topics=topics, vectors=vectors)
            weights = model.transform(task.corpus, topics=topics, vectors=vectors)
            words = [WordList(topic.words) for topic in topics]
            yield number, Topics(main, weights, words, list(tree.values()), upper)


def _with_vectors(task: Task, numbers: Sequence[int]) -> Found:
    return _hlta(task, numbers, task.vectors)


def _each(one: One) -> Callable[[Task, Sequence[int]], Found]:
    """A method that learns anew for every number."""

    def find(task: Task, numbers: Sequence[int]) -> Found:
        return ((number, one(task, number)) for number in numbers)

    return find


def largest(weights: NDArray[np.float64]) -> NDArray[np.intp]:
    """The topic with the largest weight, -1 where all are 0."""
    return np.where(weights.max(axis=1) > 0.0, weights.argmax(axis=1), -1)


def _of_words(weights: Any, by_word: Any, words: Sequence[str]) -> Topics:
    """Topics from their weights in documents, (documents, topics), and in words, (topics, words)."""
    best = np.argsort(-np.asarray(by_word), axis=1, kind="stable")[:, :WORDS]
    weights = np.asarray(weights, dtype=np.float64)
    return Topics(largest(weights), weights, [WordList([words[k] for k in row]) for row in best])


def _nmf(task: Task, number: int) -> Topics:
    from hlta.evaluate import nmf_topics

    corpus = task.corpus
    words, weights = nmf_topics(corpus.documents, corpus.words, number, n_words=WORDS)
    return Topics(largest(weights), weights, words)


def _lda_sklearn(task: Task, number: int) -> Topics:
    from sklearn.decomposition import LatentDirichletAllocation

    model = LatentDirichletAllocation(number, random_state=task.seed)
    weights = model.fit_transform(task.corpus.documents.to_csr())
    return _of_words(weights, model.components_, task.corpus.words)


def _trained(model: Any, task: Task) -> Any:
    """One of tomotopy's models, trained on the words of the documents."""
    documents, words = task.corpus.documents, task.corpus.words
    for row in np.split(documents.indices, documents.indptr[1:-1]):
        model.add_doc([words[k] for k in row] or ["_"])  # it refuses empty documents
    model.train(_GIBBS_STEPS, workers=1)
    return model


def _list(model: Any, topic: int, parent: WordList | None = None) -> WordList:
    found = [word for word, _ in model.get_topic_words(topic, top_n=WORDS)]
    return WordList(found, None, parent)


def _lda_tomotopy(task: Task, number: int) -> Topics:
    import tomotopy

    model = _trained(tomotopy.LDAModel(k=number, seed=task.seed + 1), task)
    weights = np.array([document.get_topic_dist() for document in model.docs])
    return Topics(largest(weights), weights, [_list(model, k) for k in range(number)])


def _pachinko(task: Task, number: int) -> Topics:
    """Pachinko allocation, with five topics per upper topic."""
    import tomotopy

    upper = max(2, number // 5)
    model = _trained(tomotopy.PAModel(k1=upper, k2=number, seed=task.seed + 1), task)
    weights = np.array([document.get_sub_topic_dist() for document in model.docs])
    above = largest(np.array([document.get_topic_dist() for document in model.docs]))
    words = [_list(model, k) for k in range(number)]
    return Topics(largest(weights), weights, words, upper=above)


def _nested_restaurant(task: Task, numbers: Sequence[int]) -> Found:  # noqa: ARG001
    """HLDA with three levels. tomotopy 0.14 gives no path of a document, so the likeliest one is used."""
    import tomotopy

    model = _trained(tomotopy.HLDAModel(depth=3, seed=task.seed + 1), task)
    tree: dict[int, WordList] = {}
    words: dict[int, NDArray[np.float64]] = {}  # P(word | path) down to each topic, unnormalized
    for k in sorted(filter(model.is_live_topic, range(model.k)), key=model.level):
        above = model.parent_topic(k) if model.level(k) else None
        tree[k] = _list(model, k, None if above is None else tree[above])
        words[k] = model.get_topic_word_dist(k) + (0.0 if above is None else words[above])
    leaves = [k for k in tree if model.level(k) == model.depth - 1]
    place = {word: column for column, word in enumerate(model.used_vocabs)}
    columns = [place[word] for word in task.corpus.words]
    likely = np.log(np.stack([words[k] for k in leaves])[:, columns])
    main = np.asarray(task.corpus.documents.to_csr() @ likely.T).argmax(axis=1)
    upper = np.array([model.parent_topic(k) for k in leaves])[main]
    yield len(leaves), Topics(main, None, [tree[k] for k in leaves], [*tree.values()], upper)


def _corex(task: Task, number: int) -> Topics:
    from corextopic.corextopic import Corex

    words = task.corpus.words
    present = task.corpus.documents.to_csr() > 0
    model = Corex(n_hidden=number, seed=task.seed).fit(present.astype(float), words=words)
    weights = np.asarray(model.p_y_given_x, dtype=np.float64)
    found = [
        WordList([one[0] for one in model.get_topics(topic=k, n_words=WORDS) if one[2] > 0])
        for k in range(number)
    ]
    # The main topic has the largest relative entropy of its probability to its mean, if it is above that.
    p, size = (np.clip(values, 1e-12, 1 - 1e-12) for values in (weights, weights.mean(axis=0)))
    learned = p * np.log(p / size) + (1 - p) * np.log((1 - p) / (1 - size))
    learned[p <= size] = 0.0
    main = np.where(learned.max(axis=1) > 0.0, learned.argmax(axis=1), -1)
    return Topics(main, weights, found)


def _topica(task: Task, number: int) -> Topics:
    import topica

    documents, words = task.corpus.documents, task.corpus.words
    rows = np.split(documents.indices, documents.indptr[1:-1])
    texts = [[words[k] for k in row] or ["_"] for row in rows]
    model = topica.LDA(number, seed=task.seed + 1)
    model.fit(texts)
    return _of_words(model.doc_topic, model.topic_word, list(model.vocabulary))


def _k_means(task: Task, number: int) -> Topics:
    from sklearn.cluster import KMeans

    main = KMeans(number, n_init=3, random_state=task.seed).fit_predict(task.vectors)
    return Topics(main.astype(np.intp))


def _bertopic(task: Task, numbers: Sequence[int]) -> Found:
    """BERTopic of the vectors. Outliers have no topic, and there may be fewer topics than asked for."""
    from bertopic import BERTopic
    from umap import UMAP

    for number in numbers:
        umap = UMAP(
            n_neighbors=15, n_components=5, min_dist=0.0, metric="cosine", random_state=task.seed
        )
        model = BERTopic(nr_topics=number + 1, umap_model=umap)  # one is for outliers
        main = np.array(model.fit_transform(task.texts, task.vectors)[0])
        topics = range(main.max() + 1)
        words = [WordList([word for word, _ in model.get_topic(k)]) for k in topics]
        yield len(topics), Topics(main, None, words)


def _turftopic(task: Task, number: int) -> Topics:
    """A mixture of Gaussians of the vectors, whose words are those of its documents."""
    from turftopic import GMM
    from turftopic.encoders.base import ExternalEncoder

    class Given(ExternalEncoder):  # type: ignore[misc]
        def encode(self, sentences: Any) -> Any:
            raise NotImplementedError("the vectors are given")

    model = GMM(number, encoder=Given(), random_state=task.seed)
    weights = model.fit_transform(task.texts, embeddings=task.vectors)
    return _of_words(weights, model.components_, list(model.get_vocab()))


RIVALS = {
    "hlta": Rival(_hlta, "hlta"),
    "hlta, vectors": Rival(_with_vectors, "hlta", needs_vectors=True),
    "NMF of TF-IDF": Rival(_each(_nmf), "scikit-learn"),
    "LDA, scikit-learn": Rival(_each(_lda_sklearn), "scikit-learn"),
    "LDA, tomotopy": Rival(_each(_lda_tomotopy), "tomotopy"),
    "LDA, topica": Rival(_each(_topica), "topica"),
    "HLDA, tomotopy": Rival(_nested_restaurant, "tomotopy"),
    "PA, tomotopy": Rival(_each(_pachinko), "tomotopy"),
    "CorEx": Rival(_each(_corex), "corextopic"),
    "k-means of vectors": Rival(_each(_k_means), "scikit-learn", needs_vectors=True),
    "GMM, turftopic": Rival(_each(_turftopic), "turftopic", needs_vectors=True),
    "BERTopic": Rival(_bertopic, "bertopic", needs_vectors=True),
}
