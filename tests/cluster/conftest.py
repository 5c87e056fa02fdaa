"""Clusters that tests share: threads of this process for what is learned, processes for what goes wrong."""

from contextlib import contextmanager

import pytest

from tests.clusters import in_process

pytest.importorskip("distributed")


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
