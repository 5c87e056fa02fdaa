"""What the user's function is told after each pass."""

from typing import Any

from kerneltron._validate import check_structure, is_sparse
from kerneltron.learning.pass_report import PassReport


def call_back(learner: Any, callback: Any, report: PassReport, X: Any) -> object:
    """Call `callback(learner, report)`, if there is one; return what it returns, True to stop.

    It may have written into X, which the next pass would not notice.
    """
    if callback is None:
        return None
    answer: object = callback(learner, report)
    if is_sparse(X):
        check_structure(X)
    return answer
