"""What can go wrong on a cluster, said with the shard and the worker."""

from kerneltron.stream.errors import InputError


class ClusterError(OSError):
    """The cluster failed, not the data: workers or the scheduler are gone, or nothing is heard of them."""


class ShardError(InputError):
    """A shard that cannot be learned from: the message names it, and the worker that found out."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
