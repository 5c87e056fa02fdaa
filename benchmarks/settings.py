"""How much to measure."""

from typing import NamedTuple

from benchmarks.problem import DENSE_ROWS, ROWS


class Settings(NamedTuple):
    """`quick` is a tenth of the rows: whether it runs, not how fast."""

    repeats: int
    quick: bool
    most: int | None = None  # rows to learn from, in the cases that ask

    def at_most(self, rows: int) -> int:
        """Return how many of so many rows to learn from."""
        return min(rows // 10 if self.quick else rows, self.most or rows)

    @property
    def rows(self) -> int:
        """Rows of the sparse problem."""
        return ROWS // 10 if self.quick else ROWS

    @property
    def dense_rows(self) -> int:
        """Rows of the dense problem."""
        return DENSE_ROWS // 10 if self.quick else DENSE_ROWS
