"""`HLTA`: hierarchical topic detection as a scikit-learn estimator."""

from __future__ import annotations

from dataclasses import replace
from numbers import Integral
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted, check_random_state

from hlta._support.messages import warn
from hlta.errors import OptionError
from hlta.estimator.changes import Editable
from hlta.estimator.face import OF_THE_MODEL
from hlta.estimator.questions import DocumentQuestions
from hlta.model.file import read_model, refuse_damage, write_model
from hlta.model.fitting import fit_model
from hlta.model.inputs import read_further, read_given
from hlta.model.updating import learn_further
from hlta.monitor import as_monitor
from hlta.options import KEYWORDS, EMOptions, StructureOptions, TextOptions
from hlta.seeds.given import Given
from hlta.seeds.reports import SeedReport, warn_of_doubts
from hlta.tree.latent_tree import LatentTree, tree_from_file
from hlta.tree.model_file import ESTIMATOR, SavedTree, model_in, read_tree

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from numpy.typing import NDArray

    from hlta.drift import Drift
    from hlta.model.value import Model


class HLTA(Editable, DocumentQuestions, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Hierarchical latent tree analysis: a tree of topics, learned from documents.

    A tree of latent variables is learned over the words, together with its depth, its width and
    their number. Each latent variable is a soft partition of the documents in two, and is read as a
    topic; it has two `states`, or more.

    Parameters
    ----------
    n_topics
        With a number, `topics_` is a flat list of that many topics, see `TopicTree.cut`; None for
        the tree.
    lowest_level
        Level of the most specific topics of `topics_`; at level 1, each has few words.
    n_keywords
        Keywords per topic; None for every word below it.
    seeds
        Topics that are known beforehand: a dictionary of titles and lists of words, or a list of lists
        of words. The words of a seed are below one topic, which has its title and no word of another
        seed. Instead of words, a title may have a dictionary of seeds, which are then below one topic.
        In texts, these words count as in `TextOptions.include`. A word that the documents then lack is
        an error.
    apart
        Lists of words; no topic has two words of the same list below it.
    states
        How many states a latent variable has; the tree is the same. By default, None, topics have 2,
        and the islands below them, which join a few words each, have 4. With 2, all have two, as in
        the paper; up to 64 are possible; "auto" chooses the number by the likelihood of
        held-out documents. More states predict better and take longer.
    text
        How texts become words, as `TextOptions(ngrams=2)`; None for its defaults.
    random_state
        Seed of all random choices. The same seed gives the same model, bit for bit, for any `n_jobs`.
    samples
        How many samples vote: the more, the more stable the tree. "auto" means 50; up to 200 if
        documents are few or short, so that a vote is quick but has little evidence; and as few as 12 if
        documents are many, so that each vote has much. With 1, there is a single vote, from all
        documents or `structure_sample` of them, in a fraction of the time.
    n_jobs
        Threads; None for all processors.
    client
        Where passes over documents run, see "On a cluster" in the documentation: a client of Dask, the
        address of a scheduler, or "local" for processes on this machine; None for the client that is
        active, or for threads. The model is the same, bit for bit. Needs `hlta[dask]`.
    checkpoint
        A folder in which `fit` keeps what it has finished, every few seconds. If it is stopped, even
        by a crash, the next `fit` of the same documents with the same parameters goes on from there
        and gives the same model, bit for bit. The folder stays; delete it when the model is saved.
    progress
        True to report on stderr, or an `hlta.Monitor`.
    max_top_topics
        Levels are added until the top one has at most this many topics (the paper's tau).
    max_island_size
        The most words, or topics, directly below a topic, from 3 to 60 (mu).
    ud_threshold
        Split a group of words in two only if that raises its BIC by more than this (delta).
    association
        Which pairs of words, or of topics, count as related: "positive", those that occur together
        more often than by chance; "any", as in the paper, also those that avoid each other; or
        "auto": "any" for data whose columns often avoid each other, "positive" for all text.
    structure_sample
        Number of documents to learn the structure from (N'); None for all. Where samples vote, each
        of them has half of all documents, but at most twice this number.
    refine
        Whether samples of the documents vote on the structure, which goes beyond the paper. If not, a
        single search learns it, as in the paper.
    em
        How parameters are learned: "batch", "stepwise", or "auto", by the size of the data.
    em_steps
        Batch EM: number of steps (kappa).
    batch_size, step_exponent, em_updates
        Stepwise EM: documents per minibatch, exponent of the step size (alpha), number of updates.

    Attributes
    ----------
    tree_ : LatentTree
        The model. State 0 of a latent variable, or its first few, are its background; in any other
        state, its topic is on.
    topics_ : TopicTree
        The topics.
    stability_ : float64 (latent variables,) or None
        The stability of each latent variable's topic, see `Topic.stability`; None unless several
        samples voted.
    em_ : str
        How parameters were learned, "batch" or "stepwise".
    log_likelihoods_ : float64 (steps,)
        Mean log P(document) before each step of EM, over all documents or the minibatch; with `states`
        above 2, or where "auto" finds more, of the model with two states that comes first.
    seeds_ : list of SeedReport
        A report on each of the `seeds`, and then on each list of words `apart`: its topic, how much
        samples put its words together, in how many documents these meet, and what speaks against it.
    drift_ : Drift
        After `partial_fit` of a fitted model: how the new documents differ from the earlier ones.
    text_options_ : TextOptions or None
        How texts are turned into words; None if the model was learned from a matrix.
    coverage_ : float or None
        The usual share of the words of a document that the model knows: the median over the documents
        that it was learned from, see `coverage`. None if it was learned from a matrix.
    n_features_in_ : int
        Number of words.

    Examples
    --------
    >>> from hlta import HLTA
    >>> texts = ["deep neural networks", "dark matter in galaxies", "apples and pears"]
    >>> model = HLTA().fit(texts * 20)
    >>> print(model)
    [0.34] apples and pears
    [0.33] dark matter in galaxies
    [0.33] deep neural networks
    >>> model.transform(["dark galaxies", "neural networks"]).round(2)
    array([[0.02, 0.85, 0.14],
           [0.02, 0.14, 0.85]])
    """

    stability_: NDArray[np.float64] | None
    em_: str
    log_likelihoods_: NDArray[np.float64]
    seeds_: list[SeedReport]
    drift_: Drift
    text_options_: TextOptions | None
    n_features_in_: int

    def __init__(
        self,
        *,
        n_topics: int | None = None,
        lowest_level: int = 2,
        n_keywords: int | None = KEYWORDS,
        seeds: Any = None,
        apart: Any = None,
        states: int | str | None = StructureOptions.states,
        text: TextOptions | None = None,
        random_state: int | np.random.RandomState | None = 0,
        samples: int | str = StructureOptions.samples,
        n_jobs: int | None = None,
        client: Any = None,
        checkpoint: str | PathLike[str] | None = None,
        progress: Any = False,
        max_top_topics: int = StructureOptions.max_top_topics,
        max_island_size: int = StructureOptions.max_island_size,
        ud_threshold: float = StructureOptions.ud_threshold,
        association: str = StructureOptions.association,
        structure_sample: int | None = StructureOptions.structure_sample,
        refine: bool = StructureOptions.refine,
        em: str = EMOptions.em,
        em_steps: int = EMOptions.em_steps,
        batch_size: int = EMOptions.batch_size,
        step_exponent: float = EMOptions.step_exponent,
        em_updates: int = EMOptions.em_updates,
    ) -> None:
        self.n_topics = n_topics
        self.lowest_level = lowest_level
        self.n_keywords = n_keywords
        self.seeds = seeds
        self.apart = apart
        self.states = states
        self.text = text
        self.random_state = random_state
        self.samples = samples
        self.n_jobs = n_jobs
        self.client = client
        self.checkpoint = checkpoint
        self.progress = progress
        self.max_top_topics = max_top_topics
        self.max_island_size = max_island_size
        self.ud_threshold = ud_threshold
        self.association = association
        self.structure_sample = structure_sample
        self.refine = refine
        self.em = em
        self.em_steps = em_steps
        self.batch_size = batch_size
        self.step_exponent = step_exponent
        self.em_updates = em_updates

    def fit(
        self,
        X: Any,
        y: Any = None,  # noqa: ARG002
        *,
        words: Sequence[str] | None = None,
        vectors: Any = None,
    ) -> Self:
        """Learn topics from documents.

        Parameters
        ----------
        X
            A matrix of documents by words, sparse or dense, 0/1 or counts; a `Corpus`; or texts, as
            a list, an iterator or a column of a data frame, read as `text` says.
        y
            Ignored.
        words
            Names of the columns; by default those of a data frame, otherwise x0, x1, ...
        vectors
            An array with a row per document, such as an encoder of sentences makes; see
            `Corpus.with_vectors`. Topics are learned from words alone; which topics a document is
            about depends on its vector, too. The model keeps a vector per topic.

        Returns
        -------
        HLTA
            The model itself.

        Raises
        ------
        DocumentsError
            If X or `vectors` cannot be used; the message says why.
        OptionError
            If a parameter of the estimator is out of range, or seeds contradict each other or name
            words that the documents do not have.
        """
        seeds = Given.read(self.seeds, self.apart)
        structure = StructureOptions(**_parameters_of(self, StructureOptions))
        em = EMOptions(**_parameters_of(self, EMOptions))
        seed, monitor = _seed(self.random_state), as_monitor(self.progress)
        if not isinstance(self.text, TextOptions | None):
            raise OptionError(
                f"text={self.text!r:.80}: use hlta.TextOptions(...), or None for its defaults"
            )
        view = self._view
        with self._running():
            corpus, is_named = read_given(X, words, self.text, include=seeds.words)
            corpus = corpus if vectors is None else corpus.with_vectors(vectors)
            model = fit_model(
                corpus,
                seeds,
                structure,
                em,
                view,
                is_named=is_named,
                seed=seed,
                checkpoint=self.checkpoint,
                monitor=monitor,
            )
        self._show(model)
        warn_of_doubts(model.seeds)
        if self.n_topics is not None and len(self.topics_) < self.n_topics:
            warn(
                f"n_topics={self.n_topics}: the model has only {len(self.topics_):,} topics "
                "of which none is below another"
            )
        return self

    def partial_fit(
        self,
        X: Any,
        y: Any = None,
        *,
        words: Sequence[str] | None = None,
        half_life: float | None = None,
        vectors: Any = None,
    ) -> Self:
        """Learn from further documents; the topics, their ids and the words stay.

        A model that is not fitted yet is fitted. Otherwise the parameters become nearly those that all
        documents together would give, in a time that does not grow with the number of earlier ones;
        `drift_` says how the new documents differ from those. Edits made so far become part of the
        model and can no longer be undone. `Topic.documents` counts each document by its shares when it
        was new, repeats included; in learning and in the words of `drift_`, a text of X counts once.

        Parameters
        ----------
        X
            New documents, see `fit`. Texts are read as the earlier ones were.
        y
            Ignored.
        words
            Names of the columns of a matrix; None for those of the model.
        half_life
            After how many new documents the earlier ones count half as much; None for never.
        vectors
            A row per document, if the model was learned with vectors: see `fit`.

        Returns
        -------
        HLTA
            The model itself.

        Raises
        ------
        DocumentsError
            If X cannot be used, or none of the documents has a word of the model.
        OptionError
            If `half_life` is not a number of 1 or more, or the model is from a file that does not say
            how many documents it was learned from.

        Examples
        --------
        >>> from hlta import HLTA
        >>> texts = ["deep neural networks", "dark matter in galaxies", "apples and pears"]
        >>> model = HLTA(samples=1).fit(texts * 20)
        >>> model = model.partial_fit(texts[:1] * 60 + texts[1:] * 15)
        >>> print(model.topics_)
        [0.50] deep neural networks
        [0.26] dark matter in galaxies
        [0.24] apples and pears
        >>> [change.title for change in model.drift_.topics]
        ['deep neural networks']
        """
        if not hasattr(self, "tree_"):
            return self.fit(X, y, words=words, vectors=vectors)
        model, view = self._fitted, self._view
        with self._running():
            given = read_further(model, X, words, vectors)
            after = learn_further(model, given, self.topics_, view, half_life=half_life)
        self._show(after)
        return self

    def save(self, path: str | PathLike[str]) -> None:
        """Write the fitted model to a file, which is replaced as a whole or not at all.

        A `random_state` is kept only if it is a number, and `text` only together with `text_options_`.
        `n_jobs`, `client`, `checkpoint` and `progress` are not kept: they concern a run, not the model.

        Parameters
        ----------
        path
            The file; `HLTA.load` and `hlta.load` read it.
        """
        check_is_fitted(self)
        text = self.text_options_  # None if a user set it so
        held = OF_THE_MODEL if text is not None else OF_THE_MODEL - {"text"}
        options = {k: v for k, v in self.get_params(deep=False).items() if k in held}
        write_model(replace(self._fitted, text=text), options, path)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """Read a model that `save` wrote.

        Parameters
        ----------
        path
            The file, or a folder that `hlta fit` wrote.

        Returns
        -------
        HLTA
            The model, as it was saved.

        Raises
        ------
        FormatError
            If the file is damaged, foreign, of an unknown version, or holds something else.
        """
        saved = read_tree(model_in(path), ESTIMATOR)
        return cls.restore(saved, tree_from_file(saved.fields, saved.refusal))

    @classmethod
    def restore(cls, saved: SavedTree, tree: LatentTree) -> Self:
        """The fitted estimator from a file that has been read, and its tree.

        Parameters
        ----------
        saved, tree
            What `hlta.tree.model_file.read_tree` gave, and the tree constructed from it.

        Returns
        -------
        HLTA
        """
        options, model = read_model(saved, tree, OF_THE_MODEL)
        with refuse_damage(saved.path):
            estimator = cls(**options)
            estimator._show(model)
        return estimator

    def _show(self, model: Model) -> None:
        """Set the attributes to those of a model; nothing else changes a fitted estimator."""
        tree, known = model.edited
        shown: dict[str, Any] = {
            "tree_": tree,
            "topics_": self._view.topics_of(model),
            "stability_": known.stability,
            "em_": model.em,
            "log_likelihoods_": model.log_likelihoods,
            "seeds_": list(model.seeds),
            "drift_": model.drift,
            "text_options_": model.text,
            "coverage_": model.coverage,
            "n_features_in_": tree.n_words,
            "feature_names_in_": np.array(tree.words, dtype=object) if model.is_named else None,
            "_fitted": model,
        }
        for name in ("drift_", "feature_names_in_"):  # these exist only if they have a value
            if shown[name] is None:
                del shown[name]
                self.__dict__.pop(name, None)
        self.__dict__.update(shown)

    def __str__(self) -> str:
        """The topics, once the model is fitted."""
        return str(self.topics_) if hasattr(self, "topics_") else repr(self)

    def __sklearn_clone__(self) -> HLTA:
        """An unfitted model with the same parameters; a client is shared, since none can be copied."""
        client, self.client = self.client, None
        try:
            copy: HLTA = super().__sklearn_clone__()
        finally:
            self.client = client
        copy.client = client
        return copy

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        return tags


def _parameters_of(model: HLTA, options: Any) -> dict[str, Any]:
    """The parameters of the estimator that belong to these options."""
    return {name: getattr(model, name) for name in options.__dataclass_fields__}


def _seed(random_state: Any) -> int | None:
    """The seed as a number, drawn from a `RandomState` if that is given; None for a random one."""
    if random_state is None:
        return None
    if not isinstance(random_state, bool) and isinstance(random_state, Integral):
        if random_state < 0:
            raise OptionError(f"random_state={random_state}: use a seed of 0 or more")
        return int(random_state)
    try:
        return int(check_random_state(random_state).randint(2**31 - 1))
    except ValueError:
        raise OptionError(
            f"random_state={random_state!r:.60}: use a seed of 0 or more, or a RandomState"
        ) from None
