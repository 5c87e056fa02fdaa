"""Clusters of threads of this process, for tests of what is learned."""

from contextlib import contextmanager


@contextmanager
def in_process(workers):
    """A cluster of threads of this process."""
    from distributed import Client, LocalCluster

    options = {
        "n_workers": workers,
        "threads_per_worker": 1,
        "processes": False,
        "dashboard_address": "127.0.0.1:0",
    }
    with (
        LocalCluster(**options, memory_limit=0, silence_logs=50) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        yield client
