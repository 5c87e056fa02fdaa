"""Short messages, wanted and not, written by chance from phrases: a file to try the command line on.

    python -m kerneltron.datasets.messages > messages.csv

Columns are label, user and text. To most users what is sold is spam; gardeners want to hear of seeds.
"""

import csv
import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import IO

import numpy as np

MESSAGES = 2_000
USERS = ("ada", "bela", "cyd", "dora", "emil", "finn", "gus", "hana", "ivo", "jule", "kim", "lars")
GARDENERS = USERS[::3]
MIXED_UP = 0.01  # messages with the wrong label

OPENINGS = ("hi", "hello", "hey there", "good morning", "ok", "sorry", "thanks", "quick question")
HAM = (
    "are we still on for lunch {time}",
    "running late, see you at the station {time}",
    "can you send me the notes from {day}",
    "mum says dinner is at seven {time}",
    "the meeting on {day} has moved to the small room",
    "happy birthday! let us meet {day}",
    "did you win the match on {day}?",
    "call me when you are free",
    "I left my keys at your place {time}",
    "the prize for the best cake goes to you",
)
SPAM = (
    "win a free prize now! call {number}",
    "urgent: your account needs you, reply {number}",
    "free entry to our draw, text WIN to {number}",
    "you have won £{money}! claim before {day}",
    "cheap loans of £{money}, no questions, call {number}",
    "last chance! free ringtones {day}, text {number}",
)
GARDEN = (
    "new seeds for sale {day}: tomatoes, beans and sunflowers",
    "half price on all garden tools until {day}",
    "our spring catalogue of bulbs is out, order by {day}",
)
ENDINGS = ("", "", "thanks", "see you", "bye", "x", "!!")
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
TIMES = ("today", "tomorrow", "tonight", "at noon", "after work")


def messages(count: int = MESSAGES, seed: int = 0) -> Iterator[tuple[str, str, str]]:
    """Yield label, user and text.

    Examples
    --------
    >>> for label, user, text in messages(2):
    ...     print(f"{label}, to {user}: {text}")
    ham, to kim: sorry did you win the match on wednesday? !!
    spam, to gus: sorry you have won £1800! claim before friday
    """
    rng = np.random.default_rng(seed)
    for _ in range(count):
        user = str(rng.choice(USERS))
        phrases, is_spam = (
            (HAM, False),
            (SPAM, True),
            (GARDEN, user not in GARDENERS),
        )[rng.choice(3, p=(0.6, 0.25, 0.15))]
        text = str(rng.choice(phrases)).format(
            day=rng.choice(DAYS),
            time=rng.choice(TIMES),
            number=rng.integers(80_000, 90_000),
            money=rng.integers(1, 20) * 100,
        )
        if rng.random() < MIXED_UP:
            is_spam = not is_spam
        whole = f"{rng.choice(OPENINGS)} {text} {rng.choice(ENDINGS)}".strip()
        yield "spam" if is_spam else "ham", user, whole


def write(file: IO[str], count: int = MESSAGES, seed: int = 0) -> None:
    """Write messages as CSV."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(("label", "user", "text"))
    writer.writerows(messages(count, seed))


def main() -> None:
    """Write messages to standard output."""
    parser = ArgumentParser(prog="python -m kerneltron.datasets.messages", description=__doc__)
    parser.add_argument("--count", type=int, default=MESSAGES, help="how many (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="other messages for another number")
    given = parser.parse_args()
    if given.count < 0 or given.seed < 0:
        parser.error("the count and the seed must be at least 0")
    if sys.stdout is None:
        sys.exit(f"{parser.prog}: standard output is closed")
    try:
        write(sys.stdout, given.count, given.seed)
        sys.stdout.flush()
    except OSError as error:
        # Python would write what is left when the process ends, and fail once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):  # else whoever read has enough, as in `| head`
            sys.exit(f"{parser.prog}: standard output cannot be written ({error.strerror})")


if __name__ == "__main__":
    main()
