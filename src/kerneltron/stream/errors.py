"""What can go wrong with input, said so that it can be mended."""

from typing import NamedTuple

from kerneltron.engine.text import faults
from kerneltron.engine.text.items import MOST_FEATURES

UNKNOWN_LABEL, MISSING_LABEL = 1000, 1001  # which no parser finds: it knows no classes
REASONS = {
    faults.NO_BAR: "no '|' before the features",
    faults.NO_NAME: "a feature without a name",
    faults.BAD_VALUE: "this is not a finite number",
    faults.TOO_LARGE: "this is beyond 3.4e38, the largest number that can be stored (single precision): "
    "scale such values down",
    faults.BAD_WEIGHT: "the weight of an example must be a number of at least 0",
    faults.BASE_SCORE: "a third word before '|': initial scores are not supported",
    faults.TOO_LONG: f"more than {MOST_FEATURES:,} features",
    faults.BAD_LABEL: "a label is missing",
    faults.BAD_INDEX: "a feature is written index:value, with a whole index of at least 0",
    faults.FEW_FIELDS: "fewer fields than there are columns",
    faults.MANY_FIELDS: "more fields than there are columns",
    faults.OPEN_QUOTE: "this quote is never closed",
    faults.AFTER_QUOTE: "something follows a closing quote: write quotes inside a field twice",
    faults.BAD_JSON: "not a JSON object, or not a valid one from here on",
    faults.WRONG_KIND: "a list or an object cannot be a label, tag, weight or number",
    faults.OVERFLOW: "values that are added up in a slot, or multiplied in a group or cross, come to more "
    "than single precision holds: scale them down",
    faults.LONG_RECORD: "a longer record than the record limit",
    UNKNOWN_LABEL: "this label is not among the classes that were given",
    MISSING_LABEL: "this stands for a missing label, unless `classes` names it as one",
    faults.TOO_DEEP: "nested too deeply for features: flatten it, or give its key the role ignore",
}


class Fault(NamedTuple):
    """A line that is not of its format."""

    source: str
    line: int  # from 1
    column: int  # byte within the record, from 1
    reason: int
    exceeded: int = 0  # bytes: the limit that the record is longer than, if that is the reason
    text: str = ""  # what is wrong there, where that is not plain from the reason

    def __str__(self) -> str:
        more = f" of {self.exceeded / 2**20:g} MB; `record_limit` sets another" if self.exceeded else ""
        text = f" ({self.text!r})" if self.text else ""
        return f"{self.source}, line {self.line}, byte {self.column}: {REASONS[self.reason]}{more}{text}"


class InputError(ValueError):
    """Input that cannot be read as it should be."""


class BadLineError(InputError):
    """A bad line, where bad lines are to stop the reading."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(f"{fault}. Mend the line, or leave such lines out with `skip_faults=True`.")
        self.fault = fault
