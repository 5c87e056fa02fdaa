"""A file of generated mail in VW text, as large as wanted: users, Zipf's words, labels from a known truth."""

from pathlib import Path

import numpy as np

EXAMPLES = 500_000  # 179 MB
WORDS = 60  # in a mail
VOCABULARY = 60_000
USERS = 2_000
AT_A_TIME = 10_000


def write_mail(path: Path, examples: int, seed: int = 0) -> None:
    """Write lines `1 |u u17 |t word word ...`; the odds of a label are those of the words and the user."""
    rng = np.random.default_rng(seed)
    words = _words(rng)
    share = 1.0 / (np.arange(VOCABULARY) + 5.0) ** 1.05
    heap = np.cumsum(share / share.sum())
    weight, taste = 0.45 * rng.standard_normal(VOCABULARY), 0.5 * rng.standard_normal(USERS)
    with path.open("w") as file:
        for first in range(0, examples, AT_A_TIME):
            n = min(AT_A_TIME, examples - first)
            text = np.minimum(np.searchsorted(heap, rng.random((n, WORDS))), VOCABULARY - 1)
            user = rng.integers(0, USERS, n)
            positive = rng.random(n) < 1.0 / (1.0 + np.exp(-weight[text].sum(axis=1) - taste[user]))
            for is_positive, who, what in zip(positive, user, text, strict=True):
                file.write(f"{'1' if is_positive else '-1'} |u u{who} |t {' '.join(words[what])}\n")


def _words(rng: np.random.Generator) -> np.ndarray[tuple[int], np.dtype[np.object_]]:
    """Return different words of three to six letters, in a random order."""
    letters = np.array(list("abcdefghijklmnopqrstuvwxyz"))
    words: dict[str, None] = {}
    while len(words) < VOCABULARY:
        words["".join(rng.choice(letters, rng.integers(3, 7)))] = None
    return np.array(list(words), dtype=object)
