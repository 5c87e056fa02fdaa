"""Room to work in that is used again: what a block needs is not asked for anew in the next one."""

from math import prod
from typing import Any

import numpy as np


class Workspace:
    """Arrays by name. Each is there until the next one of its name is asked for."""

    def __init__(self) -> None:
        self._rooms: dict[str, Any] = {}

    def take(self, name: str, shape: tuple[int, ...], dtype: Any) -> Any:
        """Return an array of this shape; what it holds is not defined.

        Examples
        --------
        >>> space = Workspace()
        >>> first = space.take("values", (4, 5), np.float32)
        >>> np.shares_memory(first, space.take("values", (3, 2), np.float32))
        True
        """
        size = prod(shape)
        room = self._rooms.get(name)
        if room is None or room.size < size or room.dtype != dtype:
            room = self._rooms[name] = np.empty(size, dtype)
        return room[:size].reshape(shape)
