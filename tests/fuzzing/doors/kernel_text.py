"""Texts of kernels, damaged: a kernel whose text reads back, or an error that quotes the place.

What can be read costs no more than its data: its width is known at once, and it compares a few examples.
"""

import contextlib
import warnings
from functools import cache

import numpy as np

from kerneltron.kernels import Kernel, parse
from kerneltron.models.representation import Setting, choose
from tests.fuzzing.guard import bounded

QUICK = 600
SECONDS = 20  # for one text
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
    "Polynomial(400).normalized() + AllSubsets()",
    "MonotoneConjunctions(2) * 3 + 1",
    "Subsequences(2, 0.5).normalized()",
    "SubsetTrees(0.4, 3) + Subtrees()",
    "WeightedDegree(3) + Spectrum(2, blended=True) + Substrings(0.5, 4)",
    "ShortestPaths() + RandomWalks(0.01)",
    "((Linear() + 1) ** 3) ** 2",
]
GENERATOR = np.random.default_rng(0)
ROWS = np.round(GENERATOR.normal(size=(4, 3)), 2)
EXAMPLES = {
    "vectors": ROWS,
    "anything": ROWS,
    "similarities": ROWS @ ROWS.T,
    "booleans": (ROWS > 0).astype(float),
    "strings": ["GATTACA", "CAT", "", "ACGTACGT"],
    "trees": ["(S (NP John) (VP joins))", "(A (B b) (C c))", "A", "(S (NP John) (VP (VB eats) (NP cake)))"],
    "graphs": [([(0, 1), (1, 2)], ["C", "C", "O"]), ([(0, 1)], ["C", "O"]), ([], ["N"])],
}
EXAMPLES["records"] = [
    {"text": text, "tree": tree, "age": age}
    for text, tree, age in zip(
        EXAMPLES["strings"], EXAMPLES["trees"], ([1.0], [2.0], [3.0], [4.0]), strict=True
    )
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
    "9" * 300,
    "1000000000",
    "100000",
    "1001",
    "** 99999999",
    "** 400",
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


@cache
def warm():
    """Compile what kernels need, which takes its time."""
    for text in TEXTS:
        evaluate(parse(text))


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
    warm()
    with bounded(seconds=SECONDS), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        evaluate(kernel)


def evaluate(kernel):
    """Choose its form for wide rows, and compare a few examples; it may say that numbers are too large."""
    for inputs in (0, 3, 784, 2**18):
        for form in ("auto", "primal"):
            with contextlib.suppress(ValueError):
                str(choose(kernel, form, Setting(1000, inputs, 3, False)))
    examples = EXAMPLES[kernel.domain]
    try:
        pack = kernel.pack(examples)
        gram = kernel.gram(pack, pack)
    except (ValueError, TypeError):
        return
    assert gram.shape == (len(examples), len(examples))
