"""Kernels over trees, twice: by listing every fragment, and by dynamic programmes in plain Python.

A tree is a nested tuple, its label first and then its children, which are tuples too.
"""

from collections import Counter, defaultdict
from itertools import combinations, product


class Nodes:
    """The nodes of a tree in post-order, by their numbers."""

    def __init__(self, tree):
        self.labels, self.children, self.productions = [], [], []
        self.with_label, self.with_production = defaultdict(list), defaultdict(list)
        self._add(tree)

    def _add(self, tree):
        label, *below = tree
        children = [self._add(child) for child in below]
        number = len(self.labels)
        self.labels.append(label)
        self.children.append(children)
        self.with_label[label].append(number)
        self.productions.append((label, tuple(self.labels[child] for child in children)))
        if children:
            self.with_production[self.productions[number]].append(number)
        return number

    def __len__(self):
        return len(self.labels)


# -- dynamic programmes: only pairs that match are visited, children before their parents ---------------


def subset_trees(x, z, decay=1.0):
    worth = {}
    for n, children in enumerate(x.children):
        if children:
            for m in z.with_production.get(x.productions[n], ()):
                value = decay
                for pair in zip(children, z.children[m], strict=True):
                    if pair in worth:
                        value *= 1 + worth[pair]
                worth[n, m] = value
    return sum(worth.values())


def partial_trees(x, z, decay=0.4, gap_decay=0.4, terminal_factor=1.0):
    worth = {}
    alone = decay * gap_decay**2
    for n, label in enumerate(x.labels):
        for m in z.with_label.get(label, ()):
            left, right = x.children[n], z.children[m]
            if left and right:
                worth[n, m] = alone + decay * subsequences(left, right, worth, gap_decay)
            else:
                is_pair_of_leaves = not left and not right
                worth[n, m] = alone * (terminal_factor if is_pair_of_leaves else min(1, terminal_factor))
    return sum(worth.values())


def subsequences(left, right, worth, gap):
    """Sum over the common subsequences of children, length by length."""
    ends = [[worth.get((n, m), 0.0) for m in right] for n in left]
    total = 0.0
    for length in range(1, min(len(left), len(right)) + 1):
        found = sum(map(sum, ends))
        if not found:
            break
        total += found
        if length < min(len(left), len(right)):
            ends = longer(ends, left, right, worth, gap)
    return total


def longer(ends, left, right, worth, gap):
    """Return the sums over the subsequences with one more child, by the last one in both trees."""
    after = [[0.0] * len(right) for _ in left]
    above = [0.0] * len(right)  # decayed sums over all that end before, up to each column
    for i, n in enumerate(left):
        running, row = 0.0, []
        for j, m in enumerate(right):
            if i and j and (n, m) in worth:
                after[i][j] = worth[n, m] * above[j - 1]
            running = gap * running + ends[i][j]
            row.append(gap * above[j] + running)
        above = row
    return after


# -- by definition: every fragment that stands in a tree, and how much of it there is -------------------


def every_node(tree):
    yield tree
    for child in tree[1:]:
        yield from every_node(child)


def size(fragment):
    return 1 + sum(map(size, fragment[1:]))


def subtrees(tree):
    return Counter(every_node(tree))


def subset_fragments(tree):
    """Count the fragments of a tree that keep all children of a node, or none; not the single nodes."""
    return Counter(fragment for node in every_node(tree) for fragment in expanded(node))


def expanded(node):
    label, *children = node
    if children:
        ways = [[(child[0],), *expanded(child)] for child in children]
        for chosen in product(*ways):
            yield (label, *chosen)


def productions(fragment):
    return sum(1 for node in every_node(fragment) if len(node) > 1)


def partial_fragments(tree, gap_decay, terminal_factor=1.0):
    """Return how much there is of each fragment of a tree that keeps any children of a node.

    A node without children in the fragment is also marked by what it is in the tree: "leaf" or "inner", where
    that is a feature of its own.
    """
    found = defaultdict(float)
    for node in every_node(tree):
        for fragment, amount in partial_at(node, gap_decay, terminal_factor):
            found[fragment] += amount
    return found


def partial_at(node, gap, factor):
    label, *children = node
    yield (label,), 1.0
    if factor > 1 and not children:
        yield ("leaf", label), 1.0
    if factor < 1 and children:
        yield ("inner", label), 1.0
    below = [list(partial_at(child, gap, factor)) for child in children]
    for length in range(1, len(children) + 1):
        for places in combinations(range(len(children)), length):
            left_out = places[-1] - places[0] + 1 - length
            for chosen in product(*(below[place] for place in places)):
                amount = gap**left_out
                for _, part in chosen:
                    amount *= part
                yield ("of", label, *(fragment for fragment, _ in chosen)), amount


def partial_weight(fragment, decay, gap, factor):
    """Return what a product of two amounts of a fragment weighs, and its number of nodes."""
    if fragment[0] == "of":
        parts = [partial_weight(part, decay, gap, factor) for part in fragment[2:]]
        weight, nodes = decay, 1
        for part, count in parts:
            weight, nodes = weight * part, nodes + count
        return weight, nodes
    own = {1: min(1.0, factor)}.get(len(fragment), abs(factor - 1))
    return decay * gap**2 * own, 1


def weighted_sum(left, right, weight):
    return sum(weight(f) * amount * right[f] for f, amount in left.items() if f in right)
