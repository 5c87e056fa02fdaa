"""Clusters that tests share: threads of this process for what is learned, processes for what goes wrong."""

from contextlib import contextmanager

import pytest

pytest.importorskip("distributed")


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


@pytest.fixture(scope="session")
def client(tmp_path_factory):
    import dask.config

    with dask.config.set(temporary_directory=str(tmp_path_factory.mktemp("dask"))), in_process(2) as found:
        yield found


@pytest.fixture
def commands(client, monkeypatch):
    """Run the command line, with `client` wherever it would start a cluster; return code and output."""
    import io
    from contextlib import redirect_stderr, redirect_stdout

    from kerneltron.cli.options.parallel import Parallel
    from kerneltron.cli.running import run

    @contextmanager
    def shared(self):
        yield client

    monkeypatch.setattr(Parallel, "client", shared)

    def command(*words):
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            code = run([str(word) for word in words])
        return code, out.getvalue(), err.getvalue()

    return command
