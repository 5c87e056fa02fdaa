"""Waiting for workers: every wait has an end, and says whom it waited for."""

import asyncio
import concurrent.futures
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from threading import Event
from time import monotonic
from typing import Any

from kerneltron.cluster.errors import ClusterError

STEP = 0.2  # seconds between looks
ASK = 2.0  # seconds between questions to the scheduler
ANSWER = 10.0  # seconds in which it must answer
GRACE = 10.0  # seconds in which tasks may find another worker than they were meant for
ALONE = 60.0  # seconds without any worker, or without the scheduler, after which it is over


class LostError(Exception):
    """Results are gone with the workers that had them, and cannot be computed again from what is left."""


class Watch:
    """What is known of life on a cluster.

    Parameters
    ----------
    client
        Dask's.
    patience
        Seconds without any sign of life after which waiting ends.
    """

    def __init__(self, client: Any, patience: float) -> None:
        self.client, self.patience = client, patience
        self.workers: list[str] = []
        self.homes: set[str] = set()  # where tasks are meant to run
        self._begin()

    def hear(self) -> None:
        """Take note of a sign of life."""
        self._heard = monotonic()

    def wait(self, futures: Mapping[str, Any], look: Callable[[], object] = lambda: None) -> None:
        """Wait until all futures are done; raise what went wrong with the first that failed.

        Parameters
        ----------
        futures
            By what they are, in words.
        look
            Called now and then meanwhile.
        """
        self._begin()
        pending, one_is_done = dict(futures), Event()
        for future in pending.values():
            future.add_done_callback(lambda _: one_is_done.set())
        while pending:
            one_is_done.wait(STEP)
            one_is_done.clear()
            look()
            done = [what for what, future in pending.items() if future.status != "pending"]
            self._check_futures({what: pending.pop(what) for what in done})
            if done:
                self.hear()
            if pending:
                self._check_life(_listed(pending))

    def _begin(self) -> None:
        """Begin to wait."""
        self._heard = self._seen = self._asked = monotonic()

    def _check_life(self, pending: str) -> None:
        """Raise if what is waited for may never come; the scheduler is asked now and then."""
        if monotonic() - self._asked > ASK:
            self._check_homes(self.look_for_workers())
            self._asked = monotonic()
        alone = min(ALONE, self.patience)
        if monotonic() - self._seen > alone:
            raise ClusterError(
                f"there was no worker, or no answer of the scheduler, for {alone:g} seconds, and "
                f"{pending} waited for one."
            )
        if monotonic() - self._heard > self.patience:
            raise ClusterError(
                f"nothing was heard for {self.patience:g} seconds of {pending}. Workers: "
                f"{', '.join(self.workers) or 'none'}."
            )

    def _check_homes(self, workers: Mapping[str, int]) -> None:
        """Raise if there are workers, but none of those that tasks were meant for, and nothing is heard.

        A task that found no worker at all waits for its own, also where others would do as well: so does Dask
        2026.8, when all workers died at once and new ones came.
        """
        are_gone = self.homes and workers and not self.homes & set(workers)
        if are_gone and monotonic() - self._heard > GRACE:
            raise LostError("all workers died")

    def fetch(self, futures: Any, direct: bool | None = None) -> Any:
        """Return results that are done; their worker may be gone meanwhile, or silent.

        Dask computes what is gone again, which may have to wait for workers as any task has.
        """
        return self._finish(partial(self.client.gather, futures, direct=direct), "a result")

    def send(self, value: Any, direct: bool | None = None) -> Any:
        """Return the future of a value that every worker has been sent."""
        scatter = partial(self.client.scatter, value, direct=direct, hash=False, broadcast=True)
        try:
            return self._finish(scatter, "what workers are sent")
        except (ValueError, KeyError) as error:  # Dask's, where they die meanwhile
            raise LostError(f"all workers died ({error})") from None

    def _finish(self, call: Callable[..., Any], what: str) -> Any:
        """Return what a call of Dask's leads to; raise, and let it be, if that may never come."""

        async def awaited() -> Any:
            return await call(asynchronous=True)

        self._begin()
        running = asyncio.run_coroutine_threadsafe(awaited(), self.client.loop.asyncio_loop)
        try:
            while not concurrent.futures.wait([running], STEP).done:
                self._check_life(what)
        finally:
            running.cancel()
        try:
            return running.result()
        except Exception as error:  # its worker may have died since it was done
            raise _translated(what, error) from None

    def look_for_workers(self) -> Mapping[str, int]:
        """Ask the scheduler which workers there are, and with how many threads; it may not answer."""
        if self.client.status in ("closed", "closing"):
            raise ClusterError("the connection to the scheduler is lost.")
        found: Mapping[str, int] = {}
        with suppress(OSError, TimeoutError):
            found = self.client.sync(self.client.scheduler.ncores, callback_timeout=ANSWER)
        self.workers = sorted(found)
        if found:
            self._seen = monotonic()
        return found

    def _check_futures(self, futures: Mapping[str, Any]) -> None:
        for what, future in futures.items():
            if future.status in ("cancelled", "lost"):
                raise LostError(what)
            if future.status == "error":
                raise _translated(what, future.exception())


def _translated(what: str, error: BaseException) -> BaseException:
    """Return an error of a task as one for people."""
    name = type(error).__name__
    if name == "KilledWorker":
        last = getattr(error, "last_worker", None)
        where = f" ({last.address} was the last)" if last is not None else ""
        return ClusterError(
            f"{what}: workers died {getattr(error, 'allowed_failures', 0) + 1} times while they were at it"
            f"{where}. Is there enough memory for a worker?"
        )
    if name in ("FutureCancelledError", "CancelledError", "FuturesCancelledError"):
        return LostError(what)
    return error


def _listed(pending: Mapping[str, Any], most: int = 5) -> str:
    names = list(pending)
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
