"""Learning on a cluster: iterative parameter mixing on Dask.

>>> from kerneltron import cluster
>>> cluster.fit.__name__
'fit'
"""

from kerneltron.cluster.fitting import fit

__all__ = ["fit"]
