"""How much to measure."""

from typing import NamedTuple

from benchmarks.problem import DENSE_ROWS, ROWS


class Settings(NamedTuple):
    """`quick` is a tenth of the rows: whether it runs, not how fast."""

    repeats: int
    quick: bool

    @property
    def rows(self) -> int:
        """Rows of the sparse problem."""
        return ROWS // 10 if self.quick else ROWS

    @property
    def dense_rows(self) -> int:
        """Rows of the dense problem."""
        return DENSE_ROWS // 10 if self.quick else DENSE_ROWS
