"""Texts as they come, one string each."""

from typing import Any

import numpy as np

from benchmarks.defaults.tables import shuffled
from kerneltron.datasets import load_plays, load_questions
from kerneltron.datasets.folder import find, found_folder, json_lines, lines_of
from kerneltron.datasets.plays import speeches
from kerneltron.experiments.origins import advice

PLAYS = ("hamlet", "othello", "lear", "coriolanus", "merry_wives", "much_ado", "twelfth_night", "asyoulikeit")
LEAST_WORDS = 10  # of a speech
TESTED_SCENES = 4  # every fourth scene of a play


def messages() -> tuple[Any, Any]:
    """Return short messages, wanted and not."""
    origin = advice("sms_spam")
    path = find(found_folder("sms_spam", None, origin), "SMSSpamCollection", origin)
    labels, lines = zip(*(line.split("\t", 1) for line in lines_of(path)), strict=True)
    return list(lines), np.array(labels)


def newsgroups() -> tuple[Any, ...]:
    """Return letters to twenty groups with their headers; those to test on are of a later date."""
    origin = advice("newsgroups")
    folder, parts = found_folder("newsgroups", None, origin), list[Any]()
    for name in ("train", "test"):
        lines = json_lines(find(folder, f"{name}.jsonl", origin), ("label", "text"))
        order = shuffled(len(lines))
        parts += [
            [lines[place]["text"] for place in order],
            np.array([lines[place]["label"] for place in order]),
        ]
    return tuple(parts)


def questions() -> tuple[Any, ...]:
    """Return questions, of which it is asked what kind of answer they want."""
    data = load_questions()
    order = shuffled(len(data.y))
    training = [data.X[place]["text"] for place in order]
    return training, data.y[order], [record["text"] for record in data.X_test], data.y_test


def plays() -> tuple[Any, ...]:
    """Return speeches of ten words or more: which of eight plays are they from? Scenes are kept apart."""
    said = [
        speech
        for play in load_plays()
        if play.name in PLAYS
        for speech in speeches(play)
        if len(speech.text.split()) >= LEAST_WORDS
    ]
    said = [said[place] for place in shuffled(len(said))]
    is_tested = np.array([speech.scene % TESTED_SCENES == 0 for speech in said])
    spoken, y = np.array([speech.text for speech in said], object), np.array([speech.play for speech in said])
    return list(spoken[~is_tested]), y[~is_tested], list(spoken[is_tested]), y[is_tested]
