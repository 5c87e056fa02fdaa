"""Processes of this machine as workers: they are there within a time, and gone whatever happens meanwhile."""

import asyncio
import concurrent.futures
import logging
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from time import monotonic
from typing import Any

from kerneltron.cluster.errors import ClusterError

START = 120.0  # seconds in which all workers must have started
END = 15.0  # seconds in which those that are killed must be gone
STEP = 0.1  # seconds between looks
# Ends when whoever started it does, however that is: then the workers are gone, and their folder can go.
JANITOR = "import shutil, sys, time; sys.stdin.read(); time.sleep({wait}); shutil.rmtree(sys.argv[1], True)"
LOGS = ("asyncio", "tornado.application")  # where tracebacks of processes go that are killed as they start


@contextmanager
def started(workers: int, cluster_type: Any, **settings: Any) -> Iterator[Any]:
    """Start a cluster of this machine's; raise an error for people if its workers die, or do not come."""
    if hasattr(signal, "pthread_sigmask"):
        # If the first process that is started had to start this, its thread would listen to Ctrl-C again.
        resource_tracker.ensure_running()
    with _without_interrupts():  # threads that it starts, and their processes, never see Ctrl-C
        cluster = cluster_type(n_workers=0, **settings)
    try:
        _start(cluster, workers)
    except BaseException:
        cluster.close()
        raise
    with cluster:
        yield cluster


def _start(cluster: Any, workers: int) -> None:
    """Start workers, and wait for them where Ctrl-C is heard: in this thread, and not inside of Dask."""

    async def all_workers() -> None:
        while len(cluster.worker_spec) < workers:
            cluster.worker_spec.update(cluster.new_worker_spec())
        await cluster

    running = asyncio.run_coroutine_threadsafe(all_workers(), cluster.loop.asyncio_loop)
    end = monotonic() + START
    with _silent():
        try:
            while not concurrent.futures.wait([running], STEP).done:
                if monotonic() > end:
                    raise ClusterError(
                        f"{workers} workers did not start within {START:g} seconds: at least one hangs, or "
                        "the machine is too busy. Try again, or with fewer workers."
                    )
            running.result()
        except RuntimeError as error:
            raise ClusterError(
                f"{workers} workers could not be started ({first_line(error)}). Is there enough memory?"
            ) from error
        except BaseException:
            end = monotonic() + END
            while not running.done() and monotonic() < end:  # some may be about to come
                _kill_starting(cluster)
                concurrent.futures.wait([running], STEP)
            raise


def _kill_starting(cluster: Any) -> None:
    """Kill the processes that have not started yet: Dask would wait for them."""
    for nanny in list(cluster._created):
        process = getattr(nanny.process, "process", None)
        if nanny.status.name != "running" and process is not None and process.pid:
            with suppress(OSError):
                os.kill(process.pid, signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)


@contextmanager
def folder() -> Iterator[str]:
    """Make a folder for workers, which is removed in the end, also if this process is killed."""
    with _without_interrupts():
        made = tempfile.mkdtemp(prefix="kerneltron-cluster-")
        janitor = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", JANITOR.format(wait=2), made],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is not for it
        )
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)
        if not os.path.exists(made):  # else a worker was still writing: it will be removed in a moment
            janitor.kill()
        assert janitor.stdin is not None
        with suppress(OSError):
            janitor.stdin.close()
        janitor.wait()


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Let Ctrl-C wait until the end, and never reach what is started meanwhile."""
    if not hasattr(signal, "pthread_sigmask"):  # on Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _silent() -> Iterator[None]:
    """Keep what libraries would print of processes that did not start: an error tells it."""
    loggers = [logging.getLogger(name) for name in LOGS]
    before = [logger.disabled for logger in loggers]
    for logger in loggers:
        logger.disabled = True
    try:
        yield
    finally:
        for logger, was in zip(loggers, before, strict=True):
            logger.disabled = was


def first_line(error: BaseException) -> str:
    """Return the first line of what an error says."""
    return (str(error).splitlines() or [""])[0][:200]
