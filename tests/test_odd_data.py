"""Odd data, which have little or no structure, give a sensible model all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import pytest

from hlta import HLTA

if TYPE_CHECKING:
    from numpy.typing import NDArray


def odd_data() -> dict[str, NDArray[np.int64]]:
    rng = np.random.default_rng(0)
    noise = (rng.random((60, 25)) < 0.5).astype(int)
    constant = noise.copy()
    constant[:, :5], constant[:, 5:9] = 1, 0
    empty = noise.copy()
    empty[::2] = 0
    return {
        "constant columns": constant,
        "all constant": np.ones((20, 8), dtype=int),
        "nothing present": np.zeros((20, 8), dtype=int),
        "empty documents": empty,
        "identical documents": np.tile(noise[0], (30, 1)),
        "two words": noise[:, :2],
        "three words": noise[:, :3],
        "four words": noise[:, :4],
        "two documents": noise[:2],
        "duplicated columns": np.tile(noise[:, :6], 3),
        "no structure": (rng.random((500, 60)) < 0.5).astype(int),
        "more words than documents": (rng.random((10, 300)) < 0.1).astype(int),
        "complements": np.concatenate((noise[:, :5], 1 - noise[:, :5]), axis=1),
    }


DATA: Final = odd_data()


@pytest.mark.parametrize("em", ["batch", "stepwise"])
@pytest.mark.parametrize("name", DATA)
def test_the_model_is_one_of_topics_and_no_worse_than_independent_words(name: str, em: str) -> None:
    X = DATA[name]
    model = HLTA(em=em, em_updates=20, batch_size=10, max_top_topics=2).fit(X)
    posteriors = model.transform(X)
    assert ((posteriors >= 0.0) & (posteriors <= 1.0)).all()  # which NaN is not
    tree, topics = model.tree_, model.topics_
    assert min(len(tree.children[v]) for v in range(tree.n_words, tree.n_nodes)) >= 2
    assert len(str(topics).splitlines()) >= 1
    assert len(topics.to_text(whole=True).splitlines()) == len(topics)
    p = np.clip(X.mean(axis=0), 1e-3, 1 - 1e-3)
    independent = (X * np.log(p) + (1 - X) * np.log(1 - p)).sum(axis=1).mean()
    assert np.isfinite(model.score_samples(X)).all()
    assert model.score(X) >= independent - 0.1 * abs(independent) - 0.1
