"""Clusters: an existing one, or processes on this machine."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from kerneltron._version import __version__
from kerneltron.cluster.errors import ClusterError
from kerneltron.cluster.starting import first_line, folder, started

ANSWER = 60  # seconds in which all workers must say what they have installed
VERSIONS = {"kerneltron": __version__, "python": "{}.{}".format(*sys.version_info)}
TIMEOUT = 10  # seconds to reach a scheduler, and to hear of a first worker
SILENCE = "30s"  # after which a worker of our own is taken for dead
# One thread each. Arrays of up to 32 MB stay with a worker for the next round: memory that is given back, as
# Dask would have it, is cleared page by page when it is asked for again (1.0 in place of 0.22 s for a mix).
ENVIRONMENT = {
    **dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1"),
    "MALLOC_MMAP_THRESHOLD_": str(1 << 25),
    "MALLOC_TRIM_THRESHOLD_": str(1 << 30),
}
INSTALL = "a cluster needs Dask: pip install 'kerneltron[cluster]'."


def check_installed() -> None:
    """Raise unless Dask is there."""
    try:
        import distributed  # noqa: F401
    except ImportError as error:
        raise ValueError(INSTALL) from error


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """Connect to the scheduler at an address; raise in seconds if it does not answer."""
    check_installed()
    from distributed import Client

    try:
        client = Client(address, timeout=TIMEOUT, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise ValueError(
            f"no Dask scheduler answers at {address!r} ({type(error).__name__}: {first_line(error)}). Start "
            "one with `dask scheduler`, or leave the address out."
        ) from None
    with client:
        check_workers(client)
        yield client


@contextmanager
def local(workers: int) -> Iterator[Any]:
    """Start processes on this machine, of one thread each; they end with the block, or with this process."""
    check_installed()
    import dask.config
    from distributed import Client, LocalCluster

    if workers < 1:
        raise ValueError(f"workers={workers!r} must be at least 1.")
    settings: dict[str, Any] = {
        "distributed.scheduler.worker-ttl": SILENCE,
        "distributed.scheduler.allowed-failures": 10,
        "distributed.admin.system-monitor.disk": False,
        "distributed.nanny.pre-spawn-environ": ENVIRONMENT,
    }
    with (
        folder() as place,
        dask.config.set(settings | {"temporary-directory": place}),
        started(
            workers,
            LocalCluster,
            threads_per_worker=1,
            processes=True,
            memory_limit=0,  # the operating system's is enough
            dashboard_address="127.0.0.1:0",
            local_directory=place,
            preload=["kerneltron.cluster.preload"],
            silence_logs=50,
        ) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        yield client


def check_workers(client: Any) -> None:
    """Raise unless there are workers, and all have this version of kerneltron and of Python."""
    if not hasattr(client, "wait_for_workers"):
        raise TypeError(
            f"client is a {type(client).__name__}, and no client of Dask's. Arrays are one pair: "
            "cluster.fit(learner, (X, y), client)."
        )
    try:
        client.wait_for_workers(1, timeout=TIMEOUT)
    except TimeoutError:
        raise ValueError(f"the scheduler at {client.scheduler.address} has no workers: start some.") from None
    for address, about in _versions(client).items():
        packages = about["packages"]
        theirs = {
            "kerneltron": packages.get("kerneltron"),
            "python": ".".join(packages["python"].split(".")[:2]),
        }
        check_versions(VERSIONS, theirs, address)


def check_versions(mine: dict[str, str], theirs: dict[str, str | None], worker: str) -> None:
    """Raise unless a worker has the versions of the client."""
    for name, version in mine.items():
        if theirs[name] != version:
            found = f"{name} {theirs[name]}" if theirs[name] else f"no {name}"
            raise ValueError(
                f"worker {worker} has {found}, and this client has {name} {version}: models would not be the "
                "same bytes everywhere. Install the same on all workers."
            )


def _versions(client: Any) -> dict[str, Any]:
    """Return what each worker has installed."""
    try:
        # The method of this name waits for ever for a worker that is stopped.
        found = client.sync(client._get_versions, packages=["kerneltron"], callback_timeout=ANSWER)
    except TimeoutError:
        raise ClusterError(
            f"not all workers said which versions they have within {ANSWER} seconds."
        ) from None
    workers: dict[str, Any] = found["workers"]
    return workers


def workers_of(client: Any) -> int:
    """Return how many workers a cluster has now."""
    return max(1, len(client.nthreads()))


def cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
