"""Where the data sets of the experiments come from, and whether they are there."""

import os

from kerneltron.datasets.folder import VARIABLE, folder_of

# By the folder below the one that KERNELTRON_DATA names: where anyone gets the files.
ORIGINS = {
    "a9a": "a9a and a9a.t are among the LIBSVM data sets, www.csie.ntu.edu.tw/~cjlin/libsvmtools",
    "graphs": "MUTAG and NCI1 are among the TUDatasets, chrsmrrs.github.io/datasets",
    "mnist": "the four idx files of MNIST have what scikit-learn's fetch_openml('mnist_784') downloads",
    "movielens": "u.data is in MovieLens 100K, grouplens.org",
    "newsgroups": "they are what scikit-learn's fetch_20newsgroups downloads, as train.jsonl and test.jsonl",
    "shakespeare": "the plays are in the public domain: plays.jsonl has one line {play, text} for each",
    "sms_spam": "the SMSSpamCollection is at UCI, archive.ics.uci.edu",
    "spambase": "spambase.data is at UCI, archive.ics.uci.edu",
    "splice": "splice.data is at UCI, archive.ics.uci.edu",
    "trec_questions": "the questions with their trees are among the examples of KeLP, github.com/SAG-KeLP",
}
# These are downloaded from OpenML, once, where KERNELTRON_DATA is not set.
DOWNLOADED = ("mnist", "spambase", "splice")
THERE, MISSING, DOWNLOADS = "there", "missing", "downloaded when needed"


def state(data: str) -> str:
    """Return whether a data set is there, missing, or will be downloaded."""
    folder = folder_of(data)
    if folder is not None:
        return THERE if folder.is_dir() else MISSING
    return DOWNLOADS if data in DOWNLOADED else MISSING


def advice(data: str) -> str:
    """Return where a data set comes from and where to put it.

    Examples
    --------
    >>> print(advice("sms_spam"))
    the SMSSpamCollection is at UCI, archive.ics.uci.edu: to be put into the folder sms_spam below the
    one that the variable KERNELTRON_DATA names.
    """
    is_elsewhere = data in DOWNLOADED and bool(os.environ.get(VARIABLE))
    otherwise = "; or unset that to have it downloaded from OpenML" if is_elsewhere else ""
    place = f"to be put into the folder {data} below the one that the variable {VARIABLE} names"
    return f"{ORIGINS[data]}: {place}{otherwise}."


def is_missing(error: OSError) -> bool:
    """Return whether data are not there, or could not be downloaded; a disk that fails is something else.

    Examples
    --------
    >>> is_missing(OSError("It could not be downloaded.")), is_missing(PermissionError(13, "denied", "a9a"))
    (True, False)
    """
    return isinstance(error, FileNotFoundError | NotADirectoryError) or error.errno is None


def looked_for(error: OSError) -> str:
    """Return what was looked for and is missing, without an end and without what to do about it."""
    told = f"{error.filename}: {error.strerror}" if error.filename else str(error)
    return str(getattr(error, "what", told)).rstrip(".")
