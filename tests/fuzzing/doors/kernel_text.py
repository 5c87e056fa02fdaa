"""Texts of kernels, damaged: a kernel whose text reads back, or an error that quotes the place."""

from kerneltron.kernels import Kernel, parse

QUICK = 2000
TEXTS = [
    "Polynomial(3) + 0.5 * Gaussian(2.0)",
    "(Linear() + 1) ** 3",
    "(Linear() / 4).exp().normalized()",
    "Gaussian(1.0, over=Polynomial(2))",
    "Linear().polynomial([0, 1, 0.5]) * Gaussian(3.0)",
    "Conjunctions(size=3)",
    "AllSubsets(2).normalized()",
    'On("text", Spectrum(3)) + 0.5 * On("tree", PartialTrees()) * On("age", Gaussian(20))',
    "WeisfeilerLehman(2)",
    'Mismatch(3, 1, "ACGT")',
]
PIECES = [
    "(",
    ")",
    "[",
    "]",
    ",",
    "+",
    "-",
    "*",
    "**",
    "/",
    ".",
    "1e308",
    "-1",
    "0",
    "nan",
    "10**9",
    "9" * 30,
]
PIECES += [
    "None",
    "True",
    "'",
    '"',
    "Linear()",
    ".exp()",
    ".normalized()",
    "over=",
    "__class__",
    "é",
    "\0",
    "\n",
]


def case(rng, folder):
    text = str(rng.choice(TEXTS))
    for _ in range(rng.integers(1, 4)):
        place = int(rng.integers(0, len(text) + 1))
        cut = int(rng.integers(0, 4))
        text = text[:place] + (str(rng.choice(PIECES)) if rng.random() < 0.7 else "") + text[place + cut :]
    try:
        kernel = parse(text)
    except (ValueError, TypeError):  # of which SyntaxError is none: a user's text is no program
        return
    assert isinstance(kernel, Kernel)
    assert parse(repr(kernel)) == kernel
