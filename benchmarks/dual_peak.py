"""How far memory rises while a learner in dual form is fitted.

Run as `python -m benchmarks.dual_peak ROWS CLASSES MEGABYTES`, in a process of its own. Prints JSON.
"""

import gc
import json
import sys
import tracemalloc

from benchmarks.digits import digits
from benchmarks.dual import learner
from benchmarks.peak import resident, settle
from kerneltron import Perceptron

PASSES = 2  # in the second, examples have scores and the log is long


def main(rows: int, classes: str, megabytes: float) -> None:
    """Print the rise of the resident memory in one fit, and of what NumPy and Python allocated in another."""
    data = digits(rows)
    y = data.nine if classes == "two" else data.y

    def fit(count: int) -> Perceptron:
        return learner(PASSES, working_memory=megabytes).fit(data.X[:count], y[:count])

    fit(2000)  # compiles and loads code, and lets the matrix product take its buffers
    settle()
    before = resident("VmRSS")
    fitted = fit(rows)
    risen = resident("VmHWM") - before
    support = fitted.support_.size * data.X.shape[1] * data.X.itemsize + fitted.dual_coef_.nbytes
    del fitted
    gc.collect()
    tracemalloc.start()
    fit(rows)
    allocated = tracemalloc.get_traced_memory()[1]
    sizes = {"resident": risen, "allocated": allocated, "support": support, "data": data.X.nbytes}
    print(json.dumps(sizes))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], float(sys.argv[3]))
