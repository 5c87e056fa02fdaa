"""How words of texts become features, unless it is said otherwise. docs/texts.md has the figures."""

NGRAMS = 2
BITS = 22  # with two classes: a weight and what is kept with it take 80 MB
BITS_OF_MANY = 20  # with more, each of which has weights of its own
MANY, BITS_OF_VERY_MANY = 64, 18


def settings_for(labels: int) -> dict[str, object]:
    """Return settings of `hashing.Hashing` for texts, where this many labels came among the first.

    Damped counts keep the values of numbers that stand beside a text, as binary features would not, and do as
    well. Where one label came, the file may be sorted by labels: so there may be many.

    Examples
    --------
    >>> settings_for(labels=2)
    {'damped': True, 'normalize': True, 'ngrams': 2, 'bits': 22}
    """
    bits = BITS if labels == 2 else BITS_OF_MANY if labels <= MANY else BITS_OF_VERY_MANY
    return {"damped": True, "normalize": True, "ngrams": NGRAMS, "bits": bits}
