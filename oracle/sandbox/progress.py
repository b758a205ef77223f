"""Progress marker in shared memory: what a worker was doing when it died."""

from __future__ import annotations

import mmap
import os
import struct
from dataclasses import dataclass

_HEADER = struct.Struct("<qdH")
_SIZE = 512
_ROOM = _SIZE - _HEADER.size


@dataclass(frozen=True, slots=True)
class Crumb:
    """The last step a worker began: how many it has begun, what its time is multiplied by, and what it is."""

    steps: int
    allowance: float
    text: str


_BIRTH = Crumb(0, 6.0, "starting")


class Breadcrumbs:
    """One writer, the worker, and one reader, its parent, over the same shared memory."""

    def __init__(self, descriptor: int) -> None:
        self._memory = mmap.mmap(descriptor, _SIZE)
        self._steps = 0

    def leave(self, text: str, allowance: float = 1.0) -> None:
        """Say what begins now. A reader that comes in between sees one step's text with another's count, no worse:
        `pack_into` would have it see zeros, which it writes first.
        """
        encoded = text.encode()[:_ROOM]
        self._steps += 1
        crumb = _HEADER.pack(self._steps, allowance, len(encoded)) + encoded
        self._memory[: len(crumb)] = crumb

    def read(self) -> Crumb:
        """Return the last step that was left."""
        steps, allowance, length = _HEADER.unpack_from(self._memory, 0)
        if steps == 0:
            return _BIRTH
        text = self._memory[_HEADER.size : _HEADER.size + min(length, _ROOM)]
        return Crumb(steps, allowance, text.decode(errors="replace"))

    def close(self) -> None:
        """Free the memory."""
        self._memory.close()


class _Trail:
    """The breadcrumbs of this process, if it is a worker."""

    current: Breadcrumbs | None = None


def keep(descriptor: int) -> None:
    """Make this process a worker whose steps are seen through `descriptor`."""
    _Trail.current = Breadcrumbs(descriptor)


def step(text: str, allowance: float = 1.0) -> None:
    """Tell whoever watches this worker that a step begins, and that it may take `allowance` times the usual limit.

    The clock starts anew with each step, and `text` is what a death is blamed on. Outside a worker it does nothing.
    """
    if _Trail.current is not None:
        _Trail.current.leave(text, allowance)


def last_step() -> str:
    """Return the last step that this worker began."""
    return _Trail.current.read().text if _Trail.current is not None else ""


def allot(descriptor: int) -> None:
    """Give a new, empty memory file the size that breadcrumbs need."""
    os.ftruncate(descriptor, _SIZE)
