"""The kernels that an expression may name, where they are defined, and hints for other names."""

# Names, and the modules of this package that define them: a new kernel is one line.
KERNELS = {
    "AllSubsets": "all_subsets",
    "Conjunctions": "conjunctions",
    "Constant": "constant",
    "Gaussian": "gaussian",
    "Linear": "linear",
    "Mismatch": "strings.mismatch",
    "MonotoneConjunctions": "conjunctions",
    "On": "on",
    "PartialTrees": "trees.partial_trees",
    "Polynomial": "polynomial",
    "Precomputed": "precomputed",
    "QuadraticForm": "quadratic_form",
    "RandomWalks": "graphs.random_walks",
    "ShortestPaths": "graphs.shortest_paths",
    "Spectrum": "strings.spectrum",
    "Subsequences": "strings.subsequences",
    "SubsetTrees": "trees.subset_trees",
    "Substrings": "strings.substrings",
    "Subtrees": "trees.subtrees",
    "WeightedDegree": "strings.weighted_degree",
    "WeisfeilerLehman": "graphs.weisfeiler_lehman",
}
CONSTRUCTORS = {"Gaussian": ("from_gamma", "from_width")}
NO_TEXT = "a kernel that holds a Python function has no text: build it in Python, and pass the kernel itself."
HINTS = {
    "rbf": "write Gaussian(sigma), or Gaussian.from_gamma(gamma).",
    "poly": "write Polynomial(degree).",
    "cosine": "write Linear().normalized().",
    "sigmoid": "tanh of an inner product is no kernel: its Gram matrix can have negative eigenvalues.",
    "Sum": "write k1 + k2.",
    "Product": "write k1 * k2.",
    "Scaled": "write 2.0 * k.",
    "Power": "write k ** 2.",
    "Exponential": "write k.exp().",
    "Normalized": "write k.normalized().",
    "Series": "write k.polynomial([1, 2]).",
    "inf": "numbers must be finite.",
    "nan": "numbers must be finite.",
    "after": NO_TEXT,
    "weighted": NO_TEXT,
    "After": NO_TEXT,
    "Weighted": NO_TEXT,
    "FromFunction": NO_TEXT,
}
