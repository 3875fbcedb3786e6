"""Names of words and titles of topics that are given to a fitted model."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from sklearn.utils.validation import check_is_fitted

from hlta.documents.corpus import checked_words
from hlta.edits.edited import Edited
from hlta.edits.entries import Rename
from hlta.errors import DocumentsError, OptionError
from hlta.estimator.inputs import plain_words
from hlta.estimator.updating import UpdatableModel
from hlta.topics.naming import asked_titles
from hlta.tree.latent_tree import LatentTree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Self

    from hlta.topics.naming import Family


class NamedModel(UpdatableModel):
    """The part of `HLTA` that takes other names of words and titles of topics."""

    def set_words(self, words: Iterable[str]) -> Self:
        """Name the words of a model that was learned from a matrix without names.

        Keywords change, and titles that are made of them; titles that you gave, and ids, stay.

        Parameters
        ----------
        words
            Names of the columns, such as `vectorizer.get_feature_names_out()`.

        Returns
        -------
        HLTA
            The model itself.

        Raises
        ------
        DocumentsError
            If the model was learned from texts or a data frame, which name the words themselves, or
            there is not one distinct name per column.
        OptionError
            If an edit of the model names a word.

        Examples
        --------
        >>> from sklearn.feature_extraction.text import CountVectorizer
        >>> from sklearn.pipeline import make_pipeline
        >>> from hlta import HLTA
        >>> texts = ["deep neural networks", "dark matter in galaxies", "apples and pears"]
        >>> pipe = make_pipeline(CountVectorizer(stop_words="english"), HLTA(samples=1))
        >>> print(pipe.fit(texts * 20)[-1].set_words(pipe[:-1].get_feature_names_out()).topics_)
        [0.33] dark galaxies matter
        [0.33] deep networks neural
        [0.34] apples pears
        """
        check_is_fitted(self)
        if self.text_options_ is not None or hasattr(self, "feature_names_in_"):
            raise DocumentsError(
                "the words of this model are those of the texts, or of the data frame, that it was "
                "learned from; only the words of a matrix can be named afterwards"
            )
        tree, known = self._learned
        words_of_edits = {name for r in self._log.records for name in r.entry.mentioned}
        if not words_of_edits.isdisjoint(tree.words):
            raise OptionError(
                "edits of the model name its words; undo them, set the words, and make them again"
            )
        names = checked_words(plain_words(words), tree.n_words)
        renamed = LatentTree(**(tree.fields._asdict() | {"words": names}))
        given = {name: title for name, title in known.titles.items() if name in known.titled}
        model = Edited(renamed, known._replace(titles=given))
        self._set_learned(model, self._log.completed(model))
        if self._kept is not None:
            self._kept = self._kept.renamed(dict(zip(tree.words, names, strict=True)))
        return self

    def set_titles(self, titles: Mapping[str, str]) -> Self:
        """Give topics other titles, which change nothing else.

        Parameters
        ----------
        titles
            Titles by the ids of topics of `topics_`; the others keep theirs.

        Returns
        -------
        HLTA
            The model itself.

        Raises
        ------
        OptionError
            If an id is unknown, or a title is empty, too long, or that of a topic beside or above.
        """
        check_is_fitted(self)
        now = {topic.id: topic.title for topic in self.topics_}
        changed = {name: title for name, title in titles.items() if title != now.get(name)}
        if changed:
            self.edit.make(Rename(changed))
        return self

    def name_topics(self, name: Callable[[Family], Mapping[str, str]]) -> Self:
        """Let a function give titles, to all topics below one parent at a time, parents first.

        Parameters
        ----------
        name
            A function from a `hlta.topics.Family` to titles by id, such as
            `hlta.topics.ChatNames`, which asks a language model. A topic that it leaves out, or gives
            a title that `set_titles` refuses, keeps its own; a warning names the latter.

        Returns
        -------
        HLTA
            The model itself; it stays as it was if the function fails.

        Raises
        ------
        OptionError
            If the function does not return a dictionary.

        Examples
        --------
        >>> from hlta import HLTA
        >>> texts = ["deep neural networks", "dark matter in galaxies", "apples and pears"]
        >>> model = HLTA(samples=1).fit(texts * 20)
        >>> named = model.name_topics(lambda family: {t.id: t.title.title() for t in family.topics})
        >>> named.topics_.roots[0].title
        'Dark Matter In Galaxies'
        """
        check_is_fitted(self)
        titles, refused = asked_titles(self.topics_, name)
        if refused:
            shown = "; ".join(refused[:3])
            warnings.warn(f"{len(refused):,} titles are not used: {shown}", stacklevel=2)
        return self.set_titles(titles)
