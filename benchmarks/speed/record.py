"""The committed record: ratios, not times, and which of them are worse by now."""

import json
from pathlib import Path
from typing import NamedTuple

PATH = Path(__file__).parent.parent / "speed.json"
WORSE = 1.15  # times the recorded ratio


class Headline(NamedTuple):
    """One ratio, our time over the reference's, beside the one on record."""

    name: str
    reference: str
    clock: str
    ratio: float
    recorded: float | None

    @property
    def key(self) -> str:
        """Its name in the record."""
        return f"{self.name} ({self.clock})"

    @property
    def is_worse(self) -> bool:
        """Whether it is more than 15 % slower than on record."""
        return self.recorded is not None and self.ratio > WORSE * self.recorded

    @property
    def change(self) -> str:
        """How it compares with the record, in words."""
        if self.recorded is None:
            return "not on record"
        percent = 100 * (self.ratio / self.recorded - 1)
        return f"{percent:+.0f} %" + (", WORSE" if self.is_worse else "")


def load(path: Path = PATH) -> dict[str, float]:
    """Return the recorded ratios; none where there is no record."""
    return dict(json.loads(path.read_text())["ratios"]) if path.is_file() else {}


def save(headlines: list[Headline], path: Path = PATH) -> None:
    """Write the ratios with three digits; those of headlines that were not measured stay as they are."""
    ratios = load(path) | {headline.key: float(f"{headline.ratio:.3g}") for headline in headlines}
    path.write_text(json.dumps({"unit": "our time / the reference's", "ratios": ratios}, indent=1) + "\n")
