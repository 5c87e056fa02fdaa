"""A learner together with the way in which its examples are read: what `kerneltron train` saves."""

import os
from dataclasses import dataclass
from typing import Any

import numpy as np

from kerneltron.files import format as files
from kerneltron.files.contents import Contents, ModelFileError
from kerneltron.learning.learner import Learner
from kerneltron.learning.method import Method
from kerneltron.stream import formats
from kerneltron.stream.formats.format import Format
from kerneltron.stream.hashing import Hashing
from kerneltron.stream.names import NameIndex

KIND = "stream"


@dataclass
class StreamModel:
    """All that is needed to read examples and to predict, or to go on learning.

    Parameters
    ----------
    learner
        What was trained.
    hashing
        How words become features.
    format
        The format of the training data, with the roles of its columns.
    names
        The names behind the slots, if they were kept.
    examples
        How many examples it has learned from, over all passes.
    asked
        Its parameters as they are now, if they were set since it learned.
    """

    learner: Learner
    hashing: Hashing
    format: Format
    names: NameIndex | None = None
    examples: int = 0
    asked: Method | None = None

    @property
    def is_resumable(self) -> bool:
        """Return whether it can go on learning; else it only predicts."""
        return not self.learner.model.only_predicts

    def contents(self, resumable: bool = True) -> Contents:
        """Return what is to be saved."""
        header: dict[str, Any] = {
            "kind": KIND,
            "hashing": self.hashing.to_json(),
            "reading": self.format.to_json(),
            "examples": self.examples,
            "names": self.names is not None,
        }
        whole = Contents(header, dict(self.names.tensors()) if self.names else {})
        return whole.with_part("learner", self.learner.state(resumable, self.asked))

    def save(self, path: str | os.PathLike[str], resumable: bool = True) -> None:
        """Write a model file; see `files.format.write`."""
        files.write(path, self.contents(resumable))

    @classmethod
    def restore(cls, contents: Contents) -> "StreamModel":
        """Return the model that `contents` describe; raise a ModelFileError if they do not fit together."""
        kind = contents.text("kind")
        if kind != KIND:
            raise ModelFileError(
                f"this holds a {kind}, which does not say how files are read: only what `kerneltron train` "
                "wrote does. In Python, kerneltron.load reads models of every kind"
            )
        hashing = Hashing.from_json(contents.part("hashing").header)
        learner = Learner.restore(contents.part("learner"))
        if learner.has_model and learner.inputs != hashing.slots:
            raise ModelFileError(f"the learner does not have the {hashing.slots:,} slots of the hashing")
        names = names_in(contents, hashing)
        format = formats.restored(contents.part("reading").header)
        return cls(learner, hashing, format, names, contents.whole("examples"))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "StreamModel":
        """Read a model file; see `files.format.read`."""
        return files.restored(path, cls.restore)


def names_in(contents: Contents, hashing: Hashing) -> NameIndex | None:
    """Return the names that a model of a stream has kept, None if it has none."""
    if not contents.truth("names"):
        return None
    keys = contents.array("names.keys", np.uint32, (None,))
    contents.array("names.counts", np.int64, (keys.size,))
    ends = contents.array("names.ends", np.int64, (keys.size,))
    joined = contents.array("names.bytes", np.uint8, (None,))
    if (np.diff(ends, prepend=0) < 0).any() or (keys.size and ends[-1] != joined.size):
        raise ModelFileError("the names do not fit their bytes")
    return NameIndex.from_tensors(hashing, contents.tensors)
