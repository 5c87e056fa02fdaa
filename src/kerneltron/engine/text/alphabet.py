"""Which characters make up words: tables by byte and by code point, the same for ever.

They are written out, not asked of Python: a newer Unicode must not change the features of a saved model.
"""

import numpy as np

# Kinds of characters, as small as in the tables. WIDE: a byte of a character that has several.
BETWEEN, LETTER, SIGN, JOINER, WIDE = np.arange(5, dtype=np.uint8)

# Punctuation, blanks and symbols that part words, as ranges (first, last) of code points.
PARTING = (
    (0x80, 0xA9), (0xAB, 0xB4), (0xB6, 0xB9), (0xBB, 0xBF), (0xD7, 0xD7), (0xF7, 0xF7),  # Latin-1
    (0x37E, 0x37E), (0x387, 0x387), (0x55A, 0x55F), (0x589, 0x58A),  # Greek, Armenian
    (0x5BE, 0x5BE), (0x5C0, 0x5C0), (0x5C3, 0x5C3), (0x5C6, 0x5C6), (0x5F3, 0x5F4),  # Hebrew
    (0x600, 0x60F), (0x61B, 0x61F), (0x66A, 0x66D), (0x6D4, 0x6D4), (0x700, 0x70D),  # Arabic, Syriac
    (0x964, 0x965), (0x1680, 0x1680),  # Devanagari, Ogham
    (0x2000, 0x206F), (0x20A0, 0x20CF), (0x2E00, 0x2E7F), (0x3000, 0x303F), (0x30FB, 0x30FB),
    (0xFE00, 0xFE1F), (0xFE30, 0xFE6F), (0xFEFF, 0xFEFF), (0xFF00, 0xFF0F), (0xFF1A, 0xFF20),
    (0xFF3B, 0xFF40), (0xFF5B, 0xFF65), (0xFFE0, 0xFFFF),
)  # fmt: skip
PICTURES = ((0x2190, 0x2BFF), (0x1F000, 0x1FAFF))  # arrows, symbols, emoji
SIGNS = "!?$%£€"  # with the pictures: each a word of its own, for messages are told apart by them
APOSTROPHES = "'\u2019"  # between letters they belong to the word


def _kinds() -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    kinds = np.full(0x10000, LETTER, np.uint8)
    for code in range(0x80):
        kinds[code] = LETTER if chr(code).isalnum() or chr(code) == "_" else BETWEEN
    for first, last in PARTING:
        kinds[first : last + 1] = BETWEEN
    kinds[PICTURES[0][0] : PICTURES[0][1] + 1] = SIGN
    kinds[[ord(sign) for sign in SIGNS]] = SIGN
    kinds[[ord(apostrophe) for apostrophe in APOSTROPHES]] = JOINER
    return kinds


def _lowered() -> np.ndarray[tuple[int], np.dtype[np.uint16]]:
    """Return the lower case of each character of two bytes, itself where that has another size."""
    lowered = np.arange(0x800, dtype=np.uint16)
    for code in range(0x80, 0x800):
        low = chr(code).lower()
        if len(low) == 1 and 0x80 <= ord(low) < 0x800:
            lowered[code] = ord(low)
    return lowered


KIND_OF_CODE = _kinds()  # by code point, below 0x10000
KIND_OF_BYTE = np.concatenate([KIND_OF_CODE[:0x80], np.full(0x80, WIDE, np.uint8)])
LOWERED = _lowered()
