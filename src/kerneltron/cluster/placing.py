"""Which worker learns from which shard: the one that has read it, as long as all have about as much to do."""

from collections.abc import Mapping, Sequence
from math import ceil


def homes(before: Sequence[str | None], threads: Mapping[str, int]) -> list[str | None]:
    """Return a worker for each shard, None where there are no workers.

    Parameters
    ----------
    before
        Where each shard was, None where it was nowhere yet. It stays there, if that is a worker still and has
        no more than its share.
    threads
        How many shards each worker can learn from at a time.

    Examples
    --------
    >>> homes([None] * 5, {"a": 1, "b": 1})
    ['a', 'b', 'a', 'b', 'a']
    >>> homes(["a", "b", "a", "b"], {"b": 1, "c": 1})
    ['c', 'b', 'c', 'b']
    """
    if not threads:
        return [None] * len(before)
    total = sum(threads.values())
    share = {worker: ceil(len(before) * own / total) for worker, own in threads.items()}
    found: list[str | None] = []
    counts = dict.fromkeys(threads, 0)
    for home in before:
        stays = home if home in counts and counts[home] < share[home] else None
        found.append(stays)
        if stays is not None:
            counts[stays] += 1
    for number, home in enumerate(found):
        if home is None:
            chosen = min(counts, key=lambda worker: (counts[worker] / threads[worker], worker))
            found[number] = chosen
            counts[chosen] += 1
    return found
