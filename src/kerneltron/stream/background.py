"""Work that goes on in other threads while its results are consumed, in order."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from queue import Empty, Full, Queue
from threading import Event, Thread
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

PATIENCE = 0.1  # seconds after which a waiting producer looks whether it is still wanted
END = object()


def ahead(items: Iterable[Item], depth: int = 1) -> Iterator[Item]:
    """Yield the items, made in another thread up to `depth` items ahead of the next one.

    With a depth of 0, the producer begins with an item when the one before was taken: two are in use at a
    time, what is consumed and what is made. An error of the producer is raised where its item would have
    come. A consumer that stops ends the thread.
    """
    queue: Queue[Any] = Queue(max(depth, 1))
    stopped, taken = Event(), Event()

    def put(item: Any) -> bool:
        while not stopped.is_set():
            try:
                queue.put(item, timeout=PATIENCE)
                return True
            except Full:
                continue
        return False

    def produce() -> None:
        iterator = iter(items)
        try:
            for item in iterator:
                taken.clear()
                if not put((item, None)):
                    break
                while depth == 0 and not stopped.is_set() and not taken.wait(PATIENCE):
                    continue
            put((END, None))
        except BaseException as error:
            put((END, error))
        finally:
            close = getattr(iterator, "close", None)
            if close:
                close()

    thread = Thread(target=produce, daemon=True)
    thread.start()
    try:
        while True:
            item, error = queue.get()
            taken.set()
            if error is not None:
                raise error
            if item is END:
                return
            yield item
    finally:
        stopped.set()
        while thread.is_alive():
            try:
                queue.get_nowait()
            except Empty:
                thread.join(PATIENCE / 10)


def in_parallel(function: Callable[[Item], Result], items: Iterable[Item], workers: int) -> Iterator[Result]:
    """Yield function(item) for each item, in order, computed by several threads a little ahead."""
    pending: deque[Future[Result]] = deque()
    with ThreadPoolExecutor(workers) as pool:
        try:
            for item in items:
                pending.append(pool.submit(function, item))
                if len(pending) > workers + 1:
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        finally:
            for future in pending:
                future.cancel()
