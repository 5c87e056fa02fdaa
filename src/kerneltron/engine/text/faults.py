"""What can be wrong with a record, by number: compiled code has no text to say it with."""

COMMENT = -1  # not a fault, but not an example either
NO_BAR, NO_NAME, BAD_VALUE, BAD_WEIGHT, BASE_SCORE, TOO_LONG, BAD_LABEL, BAD_INDEX = range(1, 9)
FEW_FIELDS, MANY_FIELDS, OPEN_QUOTE, AFTER_QUOTE = range(9, 13)  # of delimited text
BAD_JSON, WRONG_KIND, TOO_DEEP = range(13, 16)
OVERFLOW, LONG_RECORD, TOO_LARGE = 16, 17, 18
