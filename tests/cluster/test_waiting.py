"""Waiting for results whose workers have died: it ends, with what was lost."""

import os
import signal
import sys
from contextlib import suppress

import pytest

from kerneltron.cluster import waiting
from kerneltron.cluster.connecting import local
from kerneltron.cluster.waiting import LostError, Watch

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX"),
]


def test_a_result_is_lost_with_all_workers_before_it_is_fetched(monkeypatch):
    monkeypatch.setattr(waiting, "GRACE", 1.0)
    with local(1) as client:
        watch = Watch(client, patience=60.0)
        watch.homes = set(watch.look_for_workers())
        where = {"workers": list(watch.homes), "allow_other_workers": True}
        answer = client.submit(lambda: 42, key="answer", **where)
        watch.wait({"the answer": answer})
        for pid in client.run(os.getpid).values():
            os.kill(pid, signal.SIGKILL)
        # Dask waits for a worker that is gone, although another has come; or computes the result again.
        with suppress(LostError):
            assert watch.fetch(answer, direct=True) == 42
        sent = watch.send({"the": "model"})
        assert watch.fetch(sent) == {"the": "model"}
