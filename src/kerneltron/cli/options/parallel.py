"""Options that say whether a cluster learns, and how."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from typer import Option


@dataclass
class Parallel:
    """What was given of a cluster; None is not given."""

    title: ClassVar[str] = "Cluster"

    cluster: Annotated[
        str | None, Option(metavar="ADDRESS", help="Learn on the Dask cluster with this scheduler.")
    ] = None
    workers: Annotated[
        int | None, Option(min=1, help="Learn with this many processes on this machine, one thread each.")
    ] = None
    rounds: Annotated[
        int | None,
        Option(
            min=1,
            help="In each, every shard makes a pass that goes on from the mix of the round before.",
            show_default="the passes",
        ),
    ] = None
    shards: Annotated[
        int | None,
        Option(
            min=1,
            help="Parts that are learned from side by side. The model depends on it, and not on who learned.",
            show_default="the files; of one file, the workers",
        ),
    ] = None
    mix: Annotated[
        str | None,
        Option(
            help="What each shard counts: uniform, or by its examples or mistakes.", show_default="uniform"
        ),
    ] = None
    squares: Annotated[
        str | None,
        Option(
            help="What shards keep for each weight, such as AdaGrad's sums: averaged or added.",
            show_default="averaged",
        ),
    ] = None

    @property
    def is_asked(self) -> bool:
        """Whether a cluster is to learn."""
        return self.cluster is not None or self.workers is not None

    def check(self, sources: Sequence[str], passes: int | None, every: int | None) -> None:
        """Raise if options contradict each other, before anything is read."""
        if self.cluster is not None and self.workers is not None:
            raise ValueError("--cluster has workers of its own: leave --workers out.")
        if not self.is_asked:
            names = ("rounds", "shards", "mix", "squares")
            given = [name for name in names if getattr(self, name) is not None]
            if given:
                raise ValueError(
                    f"--{given[0]} is about a cluster: give --workers or --cluster, or use --passes here."
                )
            return
        if self.rounds is not None and passes is not None and passes != self.rounds:
            raise ValueError(f"a round is a pass: --rounds={self.rounds} and --passes={passes} contradict.")
        from kerneltron.stream.sources import is_pipe

        for name in filter(is_pipe, sources):
            raise ValueError(f"{name} is a pipe, which workers cannot read: save its contents to a file.")
        if every is not None:
            raise ValueError("on a cluster a checkpoint is written after each round: give --checkpoint.")

    def mix_options(self) -> Any:
        """Return how models are mixed."""
        from kerneltron.cluster.training import MixOptions

        given: dict[str, Any] = {"mix": self.mix, "squares": self.squares}
        return MixOptions(**{name: value for name, value in given.items() if value is not None})

    @contextmanager
    def client(self) -> Iterator[Any]:
        """Connect to the cluster, or start one."""
        from kerneltron.cluster.connecting import connected, local

        with connected(self.cluster) if self.cluster is not None else local(self.workers or 1) as client:
            yield client
