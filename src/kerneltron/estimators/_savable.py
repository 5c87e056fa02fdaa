"""What can be saved by a method of its own."""

import os


class Savable:
    """A learner that saves itself."""

    def save(self, path: str | os.PathLike[str], resumable: bool = True) -> None:
        """Save the learner to one file, from which `kerneltron.load(path)` brings it back.

        The file is there whole or not at all: an error leaves what stood there before as it was. The same
        learner gives the same bytes. The callback is not saved, and a random state that is no number becomes
        None (what has begun goes on with its own seed).

        Parameters
        ----------
        path
            The file; one that is there is replaced.
        resumable
            Keep all that learning on needs: after loading, `partial_fit` goes on as if nothing had been.
            False keeps only what predicts, a much smaller file: weights without their sums, or of the
            remembered examples those that have coefficients.
        """
        from kerneltron.estimators.saving import save

        save(self, path, resumable)
