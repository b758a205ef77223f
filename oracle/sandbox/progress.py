"""Progress marker in shared memory: what a worker was doing when it died."""

from __future__ import annotations

import fcntl
import mmap
import os
import struct
import time
from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

_HEADER = struct.Struct("<qdH")
_SIZE = 512
_ROOM = _SIZE - _HEADER.size
_MOST_PATIENCE = 100.0  # the largest factor for a time limit


@dataclass(frozen=True, slots=True)
class Crumb:
    """The last step that a worker began: its number, the factor for its time limit, and its text."""

    steps: int
    allowance: float
    text: str


_BIRTH = Crumb(0, 6.0, "starting")


class ProgressMarker:
    """Shared memory with one writer, the worker, and one reader, its parent."""

    def __init__(self, descriptor: int) -> None:
        self._memory = mmap.mmap(descriptor, _SIZE)
        self._steps = 0

    def leave(self, text: str, allowance: float = 1.0) -> None:
        """Record the step that begins now. A concurrent reader may see one step's text with another's number, nothing
        worse.

        `pack_into` is not used, because it writes zeros first, which a reader could see.
        """
        encoded = text.encode()[:_ROOM]
        self._steps += 1
        seen = _HEADER.pack(self._steps, allowance, len(encoded)) + encoded
        self._memory[: len(seen)] = seen

    def read(self) -> Crumb:
        """Return the last recorded step."""
        steps, allowance, length = _HEADER.unpack_from(self._memory, 0)
        if steps == 0:
            return _BIRTH
        text = self._memory[_HEADER.size : _HEADER.size + min(length, _ROOM)]
        allowance = allowance if 0 < allowance < _MOST_PATIENCE else _MOST_PATIENCE  # a call may write here, too
        return Crumb(steps, allowance, text.decode(errors="replace"))

    def close(self) -> None:
        """Free the memory."""
        self._memory.close()


class _Trail:
    """The progress of this process, if it is a worker."""

    current: ProgressMarker | None = None


class _Times:
    """The wall time of this process by the text of the step, since it was last taken."""

    spent: ClassVar[Counter[str]] = Counter()
    text = ""
    since = 0.0


def take_times() -> Counter[str]:
    """Return the seconds of wall time by step since the last call; the current step ends here, and goes on."""
    _begin_step(_Times.text)
    spent, _Times.spent = _Times.spent, Counter()
    return spent


def _begin_step(text: str) -> None:
    now = time.perf_counter()
    _Times.spent[_Times.text] += now - _Times.since  # type: ignore[assignment] # a Counter of seconds, which typeshed types as one of ints
    _Times.text, _Times.since = text, now


def keep(descriptor: int) -> None:
    """Make this process a worker that records its steps through `descriptor`."""
    _Trail.current = ProgressMarker(descriptor)


def step(text: str, allowance: float = 1.0) -> None:
    """Record that a step begins, which may take `allowance` times the usual limit.

    The clock restarts with each step, and a death is attributed to `text`. Outside a worker only the time is taken.
    """
    _begin_step(text)
    if _Trail.current is not None:
        _Trail.current.leave(text, allowance)


def last_step() -> str:
    """Return the last step that this worker began."""
    return _Trail.current.read().text if _Trail.current is not None else ""


def make_memory() -> int:
    """Return the descriptor of new memory for progress. Nobody can change its size, after which a reader would be
    killed.
    """
    descriptor = os.memfd_create("progress", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.ftruncate(descriptor, _SIZE)
    fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL)
    return descriptor
