"""What the first examples of a stream look like: texts, numbers or both, and how many labels there are."""

import warnings
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np

from kerneltron.stream.chunks import chunks
from kerneltron.stream.errors import InputError
from kerneltron.stream.formats.format import Format
from kerneltron.stream.hashing import Hashing
from kerneltron.stream.origins import Origin, Text
from kerneltron.stream.sources import STANDARD_INPUT, head_of, is_read_once, opened
from kerneltron.stream.spelling import Spelled, Speller

EXAMPLES = 200  # that are looked at
HEAD = 1 << 20  # bytes of a pipe, which is read as a file is once they were looked at
PIECE = 1 << 16  # bytes of a file at a time
MOSTLY = 0.5  # of the features
# How much texts differ in length, as standard deviation over mean: 0.4 for questions, 0.7 for short messages,
# 1 for letters. Rows that list categories are all equally long, or nearly so where some are missing.
VARIES = 0.15


class FirstLook(NamedTuple):
    """What was seen: examples and features, how many of these are words of running text, and the labels.

    `numbers` is how many features have another value than 0 and 1, and are not marks that something is there;
    `spread` is the standard deviation of the features of an example over their mean; `tells_text` whether the
    format itself says what running text is.
    """

    examples: int = 0
    features: int = 0
    words: int = 0
    spread: float = 0.0
    labels: frozenset[str] = frozenset()
    tells_text: bool = False
    numbers: int = 0

    @property
    def is_text(self) -> bool:
        """Whether most features are words of texts."""
        is_mostly_words = self.words > MOSTLY * self.features
        return is_mostly_words and (self.tells_text or self.spread > VARIES)

    @property
    def is_numbers(self) -> bool:
        """Whether most features are not words: numbers, and categories beside them."""
        return self.features > 0 and self.words <= MOSTLY * self.features

    @property
    def has_numbers(self) -> bool:
        """Whether there are numbers, whose units would count: a large one would swamp all else."""
        return self.is_numbers or self.numbers > 0


def first_look(sources: Sequence[Origin], format: Format) -> FirstLook:
    r"""Look at the first examples of the first source that has any; all of them are still to be read.

    `format` is told of the file and must not be used for anything else. Bad lines are left out, and input
    that cannot be read looks like nothing: whoever reads it says what is wrong.

    Examples
    --------
    >>> import tempfile
    >>> from kerneltron.stream.formats import named
    >>> with tempfile.NamedTemporaryFile("w", suffix=".vw") as file:
    ...     print("1 |text win a prize today\n0 |text see you", file=file, flush=True)
    ...     first_look([file.name], named("vw")()).is_text
    True
    """
    for name in sources:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # whoever reads the source warns of it
                seen = list(islice(_seen(name, format), EXAMPLES))
        except (InputError, ValueError):
            break
        if seen:
            sizes = np.array([spelled.features for spelled in seen])
            total = int(sizes.sum())
            return FirstLook(
                len(seen),
                total,
                sum(spelled.words for spelled in seen),
                float(sizes.std() / sizes.mean()) if total else 0.0,
                frozenset(spelled.label for spelled in seen) - {""},
                format.tells_text,
                sum(spelled.numbers for spelled in seen),
            )
    return FirstLook()


class _Seen(NamedTuple):
    features: int
    words: int
    numbers: int
    label: str


def _seen(origin: Origin, format: Format) -> Iterator[_Seen]:
    """Yield what is to be known of each example of a source."""
    if isinstance(origin, str) and (origin == STANDARD_INPUT or is_read_once(origin)):
        origin = Text(origin, head_of(origin, HEAD))
    speller = Speller(format, Hashing(), skip_faults=True)
    with opened(origin, format.records) as source:
        for chunk in chunks(source, format, PIECE):
            yield from (_of_example(spelled, format) for spelled in speller.examples(chunk))


def _of_example(spelled: Spelled, format: Format) -> _Seen:
    origins = spelled.items.origins
    numbers = int(np.count_nonzero((spelled.items.values != 0) & (spelled.items.values != 1)))
    return _Seen(len(origins), format.words_among(spelled.text, origins), numbers, spelled.label)
