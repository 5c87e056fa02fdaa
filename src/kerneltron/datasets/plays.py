"""Shakespeare's 37 plays: who says what in which scene, sentence by sentence.

A file holds a play as it is printed: headings (`ACT I`, `SCENE II. A room.`), stage directions on lines of
their own or in square brackets, and after a blank line each speech, under a line `NAME:`. Directions are told
by their looks: names in capitals, words that begin them (Enter, Exeunt, Aside, Dies), short lines without a
full stop. About a hundred short ones still pass for speech, among 108,000 lines that are.

Genres are those of the First Folio (1623): 14 comedies, 10 histories and 12 tragedies. Troilus and Cressida,
which its catalogue leaves out, stands there with the tragedies. Pericles is not in it, and unlisted here.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from kerneltron.datasets.folder import find, found_folder, json_lines

COMEDY, HISTORY, TRAGEDY, UNLISTED = "comedy", "history", "tragedy", "unlisted"
FOLIO = {
    COMEDY: "tempest two_gentlemen merry_wives measure comedy_errors much_ado lll midsummer merchant "
    "asyoulikeit taming_shrew allswell twelfth_night winters_tale",
    HISTORY: "john richardii 1henryiv 2henryiv henryv 1henryvi 2henryvi 3henryvi richardiii henryviii",
    TRAGEDY: "troilus_cressida coriolanus titus romeo_juliet timon julius_caesar macbeth hamlet lear othello "
    "cleopatra cymbeline",
}
GENRES = {name: genre for genre, names in FOLIO.items() for name in names.split()}
ORIGIN = (
    "The plays are in the public domain; write them as plays.jsonl.gz, one object per line with the keys "
    "play (hamlet, romeo_juliet, ...) and text, with blank lines between speeches and `NAME:` above each."
)

HEADING = re.compile(r"(?:ACT|SCENE|Scene) [IVX]+\b.*|PROLOGUE|EPILOGUE|None")
SPOKEN = ("PROLOGUE", "EPILOGUE")  # headings below which someone may speak without a name
NAME = re.compile(r"(.{1,40}?) ?:+")
VERSE = re.compile(r".*[a-z] I")  # "Here stand I:" and two more lines that look like names
PART = re.compile(r"(?!SONG|.*LOGUE)[A-Z]{3,}|Ghosts?|Varro's")  # ANTIPHOLUS, if OF EPHESUS: comes next
BRACKETS = re.compile(r"\[[^\]]*\]?")
MOVE = re.compile(
    r"(?:.*\b(?:Exit|Exeunt)|(?:.*[.'] )?(?:Enter|Re-enter)|Alarum|Flourish)(?![\w']).*(?<![,;])"
)
CAPITALS = re.compile(r".*\b[A-Z]{3,}\b.*(?<![,;'])")  # letters are signed 'HAMLET.'
BRIEF = 4  # words
DEED = re.compile(
    r"""(?:Aside|Aloud|Reads|Reading|Writes|Writing|Sings|Singing|Song|Music|Flourish|Alarums?|Sennet|Tucket
    |Trumpets?|Drums?|Hautboys|Horns|Cornets|Thunder|Storm|Noise|Shouts?|Knocking|Knocks|Clock|Bell|March|Retreat
    |Excursions|Solemn|Guns|Dies|Faints|Swoons|Falls|Falling|Rises|Rising|Kneels|Kneeling|Sleeps|Wakes|Awakes|Weeps
    |Sits|Sitting|Retires|Retiring|Advances|Advancing|Descends|Ascends|Stabs|Stabbing|Kills|Strikes|Striking|Beats
    |Beating|Draws|Drawing|Throws|Throwing|Leaps|Runs|Snatches|Snatching|Seizes|Seizing|Tears|Tearing|Kisses|Kissing
    |Embraces|Embracing|Whispers|Whispering|Gives|Giving|Takes|Taking|Puts|Putting|Laying|Shows|Showing|Presenting
    |Offers|Offering|Opens|Opening|Points|Pointing|Drinks|Drinking|Turning|Goes|Going|Coming|Steps|Digs|Digging
    |Dances?|Dancing|Unmasks|Unmasking|Unveiling|Discovers|Seeing|Seats|Burthen|Spoken|Ghost|A\ dance|To\ the
    |To\ \w+$)(?![\w'])|.*\b(?:within|sound(?:ed|s)?|heard|vanish|afar|brought\ in)(?:\ off)?$""",
    re.VERBOSE,
)
THEY = re.compile(r"(?:They|He|She) \w")
STOPPED = re.compile(r".*[.!?-]")

SENTENCE = re.compile(r"(?:(?<=[.!?])|(?<=[.!?]'))\s+(?='?[A-Z])")
WORD = re.compile(r"[a-z]+(?:['-][a-z]+)*")


class Play(NamedTuple):
    """A play as it is printed."""

    name: str
    genre: str  # COMEDY, HISTORY, TRAGEDY or UNLISTED
    text: str


class Speech(NamedTuple):
    """What someone says without being interrupted, line by line as in the text."""

    play: str
    genre: str
    scene: int  # from 1 through all acts; prologues and epilogues count
    speaker: str
    text: str


class Census(NamedTuple):
    """How much is said."""

    tokens: int  # N
    types: int  # V, the different words
    bigrams: int  # different pairs of words that follow each other in a speech

    @property
    def possible(self) -> int:
        """The pairs of words that there could be, V^2."""
        return self.types**2


def load_plays(folder: str | Path | None = None) -> list[Play]:
    """Return the plays in the order of the file.

    Parameters
    ----------
    folder
        Where plays.jsonl is, packed by gzip or not. None looks into `shakespeare` in the folder that the
        variable KERNELTRON_DATA names.
    """
    path = find(found_folder("shakespeare", folder, ORIGIN), "plays.jsonl", ORIGIN)
    rows = json_lines(path, ("play", "text"))
    return [Play(row["play"], GENRES.get(row["play"], UNLISTED), row["text"]) for row in rows]


def speeches(play: Play) -> Iterator[Speech]:
    r"""Yield the speeches of a play, without headings and stage directions.

    Examples
    --------
    >>> text = "SCENE I. Elsinore.\nEnter BERNARDO\n\nBERNARDO:\nWho's there?\nAside\nA mouse.\nExit"
    >>> for speech in speeches(Play("hamlet", TRAGEDY, text)):
    ...     print(speech.scene, speech.speaker, sentences(speech.text))
    1 BERNARDO ["Who's there?", 'A mouse.']
    """
    scene, speaker, said = 0, "", list[str]()
    is_new, is_silent, is_first, before = True, False, True, ""
    for printed in [*play.text.split("\n"), "ACT I"]:  # the last heading ends the last speech
        line = " ".join(BRACKETS.sub(" ", printed).split())
        name = NAME.fullmatch(line) if is_first else None
        is_heading = bool(HEADING.fullmatch(name[1] if name else line))
        is_name = name is not None and not VERSE.fullmatch(name[1])
        if said and (is_heading or is_name):
            scene += is_new
            is_new = False
            yield Speech(play.name, play.genre, scene, speaker, "\n".join(said))
            said.clear()
        if is_heading:
            speaker = line.title() if line in SPOKEN else ""
            is_new, is_silent = True, line not in SPOKEN  # what follows SCENE describes it
        elif name is not None and is_name:
            speaker = f"{before} {name[1]}" if PART.fullmatch(before) else name[1]
        elif line and not is_silent and not is_direction(line, before):
            said.append(line)
        is_first = not printed.strip()
        is_silent = is_silent and not is_first
        before = line or before


def is_direction(line: str, before: str = "") -> bool:
    """Return whether a line, printed below the line `before`, is a stage direction.

    Examples
    --------
    >>> [is_direction(line) for line in ("Exeunt", "He stabs LAERTES", "Dies", "Enter his chamber,")]
    [True, True, True, False]
    """
    if MOVE.fullmatch(line) or CAPITALS.fullmatch(line):
        return True
    is_brief = line.count(" ") < BRIEF and line[-1] not in ".,;:!?-'"
    return is_brief and bool(DEED.match(line) or (THEY.match(line) and STOPPED.fullmatch(before)))


def sentences(text: str) -> list[str]:
    r"""Return the sentences of a speech: they end in a stop before a capital letter.

    Examples
    --------
    >>> sentences("Say,\nWhat, is Horatio there? Ay? and who else?")
    ['Say, What, is Horatio there?', 'Ay? and who else?']
    """
    return SENTENCE.split(" ".join(text.split()))


def words(text: str) -> list[str]:
    """Return the words of a text in lower case, with apostrophes and hyphens inside them.

    Examples
    --------
    >>> words("'Tis o'er: farewell, post-horse--")
    ['tis', "o'er", 'farewell', 'post-horse']
    """
    return WORD.findall(text.lower())


def census(said: Sequence[Speech]) -> Census:
    """Count words, different words, and different pairs of them."""
    texts = [words(speech.text) for speech in said]
    counts = Counter(word for text in texts for word in text)
    pairs = {pair for text in texts for pair in pairwise(text)}
    return Census(counts.total(), len(counts), len(pairs))
