"""Temporary folders of sandboxes, which are locked as long as a process lives that uses them.

Whoever ends removes its folder. If all processes of a sandbox are killed at once, as where a job of continuous
integration is cancelled, nobody does: then the next sandbox removes it.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path

_PREFIX = "oracle-sandbox-"
_ENDING = 5.0  # seconds in which a process that was killed may still write


class Folder:
    """A new temporary folder, which this process holds."""

    def __init__(self) -> None:
        remove_abandoned()
        self._folder, self._lock = _make()
        self.path = self._folder.name

    def remove(self) -> None:
        """Remove the folder and what is in it, once nobody writes there any more."""
        end = time.monotonic() + _ENDING
        self._folder.cleanup()
        while os.path.exists(self.path) and time.monotonic() < end:
            time.sleep(0.01)
            self._folder.cleanup()
        os.close(self._lock)


def _make() -> tuple[tempfile.TemporaryDirectory[str], int]:
    while True:
        folder = tempfile.TemporaryDirectory(prefix=_PREFIX, ignore_cleanup_errors=True)
        lock = hold(folder.name)
        if lock is not None:
            return folder, lock


def hold(path: str) -> int | None:
    """Hold a folder until this process, and all that are forked from it, have ended or closed the descriptor that is
    returned. Return None if somebody has removed it before.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    except FileNotFoundError:
        return None
    with suppress(OSError):  # a file system without locks: there nobody removes a folder of others
        fcntl.flock(descriptor, fcntl.LOCK_SH)
    if os.path.isdir(path):
        return descriptor
    os.close(descriptor)
    return None


def remove_abandoned() -> None:
    """Remove the folders of sandboxes of which no process is left."""
    for path in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except OSError:  # another user's, or gone
            continue
        with suppress(OSError):  # somebody holds it
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(path, ignore_errors=True)
        os.close(descriptor)
