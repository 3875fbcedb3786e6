"""Edits of a tree: move a node, merge two latent variables, split one, leave out a word.

A node with a new parent gets P(node | new parent) of the old tree, by exact inference, so no
marginal changes. Parameters that an edit does not affect keep their bits.
"""

from __future__ import annotations

from itertools import count, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hlta.tree.latent_tree import LatentTree
from hlta.tree.parameters import MAX_STATES, Parameters, bound_estimate, reverse_path

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping

    from scipy.sparse import csr_array

    from hlta._support.arrays import Bools, Floats, Indices, Ints32

    Table = Floats
    """P(node = k | another node = j) or P(both), float64 (K, K); a word has states 0 and 1."""


def move_below(tree: LatentTree, node: int, below: int | None) -> LatentTree:
    """The tree with a node moved below a latent variable, or to the top level if `below` is None.

    `below` must be neither the node nor below it. If it is not at a higher level than the node, it is
    raised, and so are those above it where needed.
    """
    is_top = tree.level[node] == tree.level.max()
    if below is None:
        return _rehang(tree, {node: top_above(tree, node)}, _level_of(tree, node, tree.level.max()))
    if is_top:
        tree = _with_top(tree, below)
    above = {link: int(tree.parent[node]) for link in links(tree, node)} if is_top else {}
    above[node] = below
    return _rehang(tree, above, _raise_levels(tree, node, below))


def merge_latents(tree: LatentTree, into: int, other: int) -> LatentTree:
    """The tree with `other` merged into `into`, which is then on where either of them was.

    `into` keeps its name, place and level; its level must not be lower than that of `other`.
    """
    tree = _with_top(tree, into)
    n_words, above = tree.n_words, int(tree.parent[into])
    of_both, background = _joint_states(tree.parameters, into - n_words, other - n_words)
    given = _pairs_given_parent(tree, into, other)  # [j, a, b]
    together = joint(tree, into, other)  # [a, b]
    share = np.einsum("ab,abm->m", together, of_both)
    weight = np.divide(of_both, share, out=np.zeros_like(of_both), where=share > 0.0)
    most = max(tree.parameters.most_states, of_both.shape[2])
    parameters = _pad_states(tree, most)
    parameters.states[into - n_words] = of_both.shape[2]
    parameters.background[into - n_words] = background
    _set_table(parameters, n_words, into, above, np.einsum("jab,abm->jm", given, of_both))
    for child in tree.children[into].tolist():
        if child != other:
            with_both = _child_and_both(tree, child, into, other)
            rows = np.einsum("abk,abm->mk", with_both, weight)
            _set_table(parameters, n_words, child, into, rows)
    for child in tree.children[other].tolist():
        with_both = np.einsum("ab,bk->abk", together, table(tree, child))
        rows = np.einsum("abk,abm->mk", with_both, weight)
        _set_table(parameters, n_words, child, into, rows)
    parent = tree.parent.copy()
    parent[parent == other] = into
    parent[into] = above
    return _without(tree, other, parent, parameters)


def without_word(tree: LatentTree, word: int) -> LatentTree:
    """The tree without a word; the distribution of the other words does not change."""
    return _without(tree, word, tree.parent.copy(), tree.parameters)


def split_latent(tree: LatentTree, node: int, name: str, apart: Iterable[int]) -> LatentTree:
    """The tree with a copy of a latent variable beside it, as the parent of the children `apart`.

    The copy, called `name`, is the last latent variable. It has the marginal of the original, and only
    their children distinguish the two: learning starts from here.
    """
    own, is_top = node - tree.n_words, tree.level[node] == tree.level.max()
    parent = np.append(tree.parent, node if is_top else tree.parent[node])
    parent[list(apart)] = tree.n_nodes
    rows = tree.parameters.latent[own]
    if is_top:
        rows = np.where(_exists(tree, node)[:, None], tree.state_marginals[own], 0.0)
    return LatentTree(
        tree.words,
        parent,
        np.append(tree.level, tree.level[node]),
        Parameters(
            np.append(tree.parameters.states, tree.parameters.states[own]),
            tree.parameters.word,
            np.concatenate((tree.parameters.latent, rows[None])),
            np.append(tree.parameters.background, tree.parameters.background[own]),
        ),
        (*tree.latent_names, name),
        allow_irregular=True,
    )


def with_tables(tree: LatentTree, tables: Mapping[str, Any]) -> Parameters:
    """The parameters of the tree with other P(node = k | parent = j) for some nodes, by their names.

    Raises ValueError, TypeError or OverflowError if one is not a table of numbers for a node.
    """
    parameters, n_words = _pad_states(tree, tree.parameters.most_states), tree.n_words
    for name, rows in tables.items():
        node, values = tree.names.index(name), np.asarray(rows, dtype=np.float64)
        if values.shape != parameters.latent.shape[1:]:
            raise ValueError(f"{name!r} has numbers of shape {values.shape}")
        if node < n_words:
            parameters.word[node] = values[:, 1]
        else:
            parameters.latent[node - n_words] = values
    return parameters


def unused_name(level: int, used: Container[str]) -> str:
    """A name for a new latent variable of this level."""
    return next(name for k in count(1) if (name := f"Z{level}-{k}") not in used)


# ---- members and the topics above ----------------------------------------------------------------


def links(tree: LatentTree, node: int) -> list[int]:
    """The children of a latent variable at its own level, to which it is linked."""
    return [v for v in tree.children[node].tolist() if tree.level[v] == tree.level[node]]


def members(tree: LatentTree, node: int) -> list[int]:
    """The children of a latent variable at lower levels: the words and topics directly below it."""
    return [v for v in tree.children[node].tolist() if tree.level[v] < tree.level[node]]


def topic_above(tree: LatentTree, node: int) -> int:
    """The latent variable of which a node is a member; -1 at the top."""
    up = int(tree.parent[node])
    return up if up >= 0 and tree.level[up] > tree.level[node] else -1


def topics_over(tree: LatentTree, node: int) -> list[int]:
    """All latent variables above a node, the lowest first."""
    found = []
    while (node := topic_above(tree, node)) >= 0:
        found.append(node)
    return found


def topics_above(tree: LatentTree) -> Indices:
    """`topic_above` of every latent variable, all counted from 0: intp (n_latents,)."""
    n, up = tree.n_words, tree.parent[tree.n_words :]
    is_member = (up >= 0) & (tree.level[up] > tree.level[n:])
    return np.where(is_member, up - n, -1).astype(np.intp)


def topics_within(tree: LatentTree) -> csr_array:
    """1 where the topic of a column is that of the row, or below it: int32 (n_latents, n_latents)."""
    from scipy.sparse import csr_array

    every = np.arange(tree.n_latents)
    above, below = above_and_below(tree, every + tree.n_words)
    where = np.append(every, above), np.append(every, below - tree.n_words)
    ones = np.ones(len(where[0]), dtype=np.int32)
    return csr_array((ones, where), shape=(tree.n_latents, tree.n_latents))


def above_and_below(tree: LatentTree, nodes: Indices) -> tuple[Indices, Indices]:
    """All pairs of a latent variable, counted from 0, and one of `nodes` below it, as two arrays."""
    above, below, at = [nodes[:0]], [nodes[:0]], nodes
    while len(at):
        up = tree.parent[at].astype(np.intp)
        is_member = (up >= 0) & (tree.level[up] > tree.level[at])
        at, nodes = up[is_member], nodes[is_member]
        above.append(at - tree.n_words)
        below.append(nodes)
    return np.concatenate(above), np.concatenate(below)


def top_above(tree: LatentTree, node: int) -> int:
    """The top-level latent variable above a node, or the node itself if nothing is above it."""
    return [node, *topics_over(tree, node)][-1]


def is_below(tree: LatentTree, node: int, other: int) -> bool:
    """Whether a node is the other one, or anywhere below it."""
    return other in (node, *topics_over(tree, node))


# ---- exact inference between two nodes -----------------------------------------------------------


def table(tree: LatentTree, node: int) -> Table:
    """P(node = k | parent = j); for the root, P(root = k) in each row."""
    own = node - tree.n_words
    if own >= 0:
        return np.asarray(tree.parameters.latent[own])
    present = tree.parameters.word[node]
    rows = np.zeros((len(present), len(present)))
    rows[:, 1] = present
    rows[:, 0] = np.where(present > 0.0, 1.0 - present, 0.0)
    return rows


def joint(tree: LatentTree, one: int, other: int) -> Table:
    """P(one = a, other = b), computed along the path between them."""
    ups = [_path_up(tree, node) for node in (one, other)]
    shared = set(ups[0])
    meeting = next(node for node in ups[1] if node in shared)
    down = [_along(tree, up[: up.index(meeting) + 1]) for up in ups]
    prior = tree.state_marginals[meeting - tree.n_words]
    return np.asarray(np.einsum("c,ca,cb->ab", prior, *down))


def conditional(tree: LatentTree, node: int, given: int) -> Table:
    """P(node = k | given = j), for any two nodes of which the latter is latent."""
    both = joint(tree, given, node)
    total = both.sum(axis=1, keepdims=True)
    usual = np.where(_exists(tree, given)[:, None], both.sum(axis=0), 0.0)
    return np.asarray(np.divide(both, total, out=usual, where=total > 0.0))


def _path_up(tree: LatentTree, node: int) -> list[int]:
    path = [node] if node >= tree.n_words else [node, int(tree.parent[node])]
    while tree.parent[path[-1]] >= 0:
        path.append(int(tree.parent[path[-1]]))
    return path


def _along(tree: LatentTree, path: list[int]) -> Table:
    """P(first node of the path | last node), for an upward path."""
    result = np.eye(tree.parameters.most_states)
    for lower, _ in pairwise(path):
        result = np.einsum("jk,ka->ja", table(tree, lower), result)
    return result


def _exists(tree: LatentTree, latent: int) -> Bools:
    return np.asarray(tree.parameters.has_state[latent - tree.n_words])


# ---- changes -------------------------------------------------------------------------------------


def _with_top(tree: LatentTree, node: int) -> LatentTree:
    """The tree, rerooted at the top-level latent variable above a node."""
    top = top_above(tree, node)
    return tree if top == tree.root else reroot(tree, top)


def reroot(tree: LatentTree, latent: int) -> LatentTree:
    """The same distribution with another latent variable of the top level as the root."""
    path = _path_up(tree, latent)
    parent = tree.parent.copy()
    parent[path[1:]] = path[:-1]
    parent[latent] = -1
    latents = [node - tree.n_words for node in path]
    parameters = reverse_path(tree.parameters, tree.state_marginals, latents)
    return LatentTree(**(tree.fields._asdict() | {"parent": parent, "probability": parameters}))


def _rehang(tree: LatentTree, above: dict[int, int], level: Ints32) -> LatentTree:
    """The tree with the parents `above` for some nodes, and these levels."""
    parent, parameters = tree.parent.copy(), _pad_states(tree, tree.parameters.most_states)
    for node, up in above.items():
        parent[node] = up
        _set_table(parameters, tree.n_words, node, up, conditional(tree, node, up))
    fields = {"parent": parent, "level": level, "probability": parameters, "allow_irregular": True}
    return LatentTree(**(tree.fields._asdict() | fields))


def _level_of(tree: LatentTree, node: int, level: int) -> Ints32:
    changed = tree.level.copy()
    changed[node] = level
    return changed


def _raise_levels(tree: LatentTree, node: int, below: int) -> Ints32:
    """The levels, with `below` and those above it raised as needed; the top level stays one level."""
    level = tree.level.copy()
    tops = level == level.max()
    tops[node] = False
    child, up = node, below
    while up >= 0 and level[up] <= level[child]:
        level[tops if tops[up] else up] = level[child] + 1
        child, up = up, -1 if tops[up] else int(tree.parent[up])
    return level


class _Joined(NamedTuple):
    states: Floats  # (K, K, M): 1 where states a and b of two variables are state m
    background: int  # how many of the M states are the background


def _joint_states(parameters: Parameters, into: int, other: int) -> _Joined:
    """Which state of the merged variable each pair of states of the two becomes.

    The merged variable has the states of `into`, and one for each state in which `other` is on while
    `into` is not. It has two states if both have two, or if there would be more than `MAX_STATES`.
    """
    most, on = parameters.most_states, parameters.is_on
    kept, extra = int(parameters.states[into]), int(on[other].sum())
    both = parameters.states[[into, other]]
    if both.max() == 2 or kept + extra > MAX_STATES:
        either = on[into][:, None] | on[other]
        exists = parameters.has_state[into][:, None] & parameters.has_state[other]
        return _Joined(np.stack((exists & ~either, exists & either), axis=2).astype(float), 1)
    states = np.zeros((most, most, kept + extra))
    for a in range(kept):
        for b in range(int(parameters.states[other])):
            alone = on[other, b] and not on[into, a]
            states[a, b, kept + b - int(parameters.background[other]) if alone else a] = 1.0
    return _Joined(states, int(parameters.background[into]))


def _pairs_given_parent(tree: LatentTree, into: int, other: int) -> Floats:
    """P(into = a, other = b | parent of `into` = j) as [j, a, b]; for the root, P(a, b) in each row."""
    above, own = int(tree.parent[into]), table(tree, into)
    if above < 0 or is_below(tree, other, into):
        return own[:, :, None] * conditional(tree, other, into)
    return own[:, :, None] * conditional(tree, other, above)[:, None, :]


def _child_and_both(tree: LatentTree, child: int, into: int, other: int) -> Floats:
    """P(into = a, other = b, child = k) as [a, b, k], for a child of `into`."""
    if child in _path_up(tree, other):
        prior = tree.state_marginals[into - tree.n_words]
        return np.asarray(
            np.einsum("a,ak,kb->abk", prior, table(tree, child), conditional(tree, other, child))
        )
    return np.asarray(np.einsum("ab,ak->abk", joint(tree, into, other), table(tree, child)))


def _pad_states(tree: LatentTree, most: int) -> Parameters:
    """A copy of the parameters, padded to `most` states."""
    parameters, more = tree.parameters, most - tree.parameters.most_states
    latent = np.pad(parameters.latent, ((0, 0), (0, more), (0, more)))
    latent[tree.root - tree.n_words] = latent[tree.root - tree.n_words, 0]
    word = np.pad(parameters.word, ((0, 0), (0, more)))
    return Parameters(parameters.states.copy(), word, latent, parameters.background.copy())


def _set_table(parameters: Parameters, n_words: int, node: int, up: int, rows: Table) -> None:
    """Set P(node | `up`), bounded and normalised, with 0 for states that the node or `up` lacks."""
    most = parameters.most_states
    padded = np.zeros((most, most))
    padded[: rows.shape[0], : rows.shape[1]] = bound_estimate(rows)
    if up >= 0:
        padded[np.arange(most) >= parameters.states[up - n_words]] = 0.0
    else:
        padded[:] = padded[0]
    if node < n_words:
        parameters.word[node] = padded[:, 1]
        return
    padded[:, np.arange(most) >= parameters.states[node - n_words]] = 0.0
    total = padded.sum(axis=1, keepdims=True)
    parameters.latent[node - n_words] = padded / np.where(total > 0.0, total, 1.0)


def _without(tree: LatentTree, node: int, parent: Ints32, parameters: Parameters) -> LatentTree:
    """The tree without a node, which must have no children in `parent`."""
    kept = np.arange(tree.n_nodes) != node
    parent = np.where(parent > node, parent - 1, parent)[kept]
    n_words = tree.n_words
    states, word, latent, background = parameters
    return LatentTree(
        [name for name, stays in zip(tree.words, kept, strict=False) if stays],
        parent,
        tree.level[kept],
        Parameters(
            states[kept[n_words:]],
            word[kept[:n_words]],
            latent[kept[n_words:]],
            background[kept[n_words:]],
        ),
        [name for name, stays in zip(tree.latent_names, kept[n_words:], strict=True) if stays],
        allow_irregular=True,
    )
