"""Waiting for results whose workers have died: it ends, with what was lost."""

import os
import signal
import sys
from contextlib import suppress
from threading import Event, Thread

import psutil
import pytest

from kerneltron.cluster import starting, waiting
from kerneltron.cluster.connecting import local
from kerneltron.cluster.errors import ClusterError
from kerneltron.cluster.waiting import LostError, Watch

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX"),
]


@pytest.mark.soak
def test_a_worker_that_is_stopped_while_it_starts_is_not_waited_for_for_ever(monkeypatch):
    monkeypatch.setattr(starting, "START", 2.0)
    before, stopped, is_over = set(psutil.Process().children()), [], Event()

    def stop_the_first():
        while not stopped and not is_over.wait(0.01):
            new = set(psutil.Process().children()) - before
            with suppress(psutil.Error):
                stopped.extend(each for each in new if "spawn_main" in " ".join(each.cmdline()))
        for process in stopped:
            process.send_signal(signal.SIGSTOP)

    thread = Thread(target=stop_the_first)
    thread.start()
    with pytest.raises(ClusterError, match="1 workers did not start within 2 seconds"), local(1):
        pass
    is_over.set()
    thread.join()
    psutil.wait_procs(stopped, timeout=10)
    assert stopped
    assert not any(process.is_running() for process in stopped)


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
