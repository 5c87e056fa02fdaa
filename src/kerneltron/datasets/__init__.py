"""Data: sets that ship with scikit-learn or lie in a folder, and generators whose truth is known.

>>> from kerneltron.datasets import separable
>>> X, y, _, truth, _ = separable(100, d=5, margin=0.1, seed=0)
>>> X.shape, bool((y * (X @ truth.w) >= 0.0999).all())
((100, 5), True)
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
