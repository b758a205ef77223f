"""Temporary folders of sandboxes, which are locked as long as a process lives that uses them.

Whoever ends removes its folder. If all processes of a sandbox are killed at once, as where a job of continuous
integration is cancelled, nobody does: then the next sandbox removes it.
"""

from __future__ import annotations

import fcntl
import itertools
import os
import secrets
import stat
import tempfile
import time
import weakref
from contextlib import suppress
from pathlib import Path

_PREFIX = "oracle-sandbox-"
_ENDING = 5.0  # seconds in which a process that was killed may still write


class Folder:
    """A new temporary folder, which this process holds."""

    def __init__(self) -> None:
        remove_abandoned()
        self.path, self._lock = _make()
        self._remove = weakref.finalize(self, remove_tree, self.path)

    def remove(self) -> None:
        """Remove the folder and what is in it, once nobody writes there any more."""
        end = time.monotonic() + _ENDING
        self._remove()
        while os.path.exists(self.path) and time.monotonic() < end:
            time.sleep(0.01)
            remove_tree(self.path)
        os.close(self._lock)


def _make() -> tuple[str, int]:
    while True:
        path = tempfile.mkdtemp(prefix=_PREFIX)
        lock = hold(path)
        if lock is not None:
            return path, lock


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
            if os.fstat(descriptor).st_uid == os.geteuid():
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                remove_tree(str(path))
        os.close(descriptor)


def remove_tree(path: str) -> None:
    """Remove a folder and what is in it, however deep. Links are not followed, and what cannot be removed stays."""
    with suppress(OSError):
        if stat.S_ISDIR(os.lstat(path).st_mode):
            os.chmod(path, stat.S_IRWXU)
        descriptor = os.open(path, _DIRECTORY)
        try:
            _empty(descriptor)
        finally:
            os.close(descriptor)
        os.rmdir(path)


_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def _empty(top: int) -> None:
    """Empty a folder: what its folders hold is moved into it, so that none is reached by a long path, or by recursion,
    which a call that nests thousands of them would end.
    """
    token, count, lasting = secrets.token_hex(8), itertools.count(), set[str]()
    while names := [name for name in os.listdir(top) if name not in lasting]:
        for name in names:
            try:
                if not stat.S_ISDIR(os.lstat(name, dir_fd=top).st_mode):
                    os.unlink(name, dir_fd=top)
                    continue
                os.chmod(name, stat.S_IRWXU, dir_fd=top)
                inner = os.open(name, _DIRECTORY, dir_fd=top)
                try:
                    for child in os.listdir(inner):
                        os.rename(child, f"{token}-{next(count)}", src_dir_fd=inner, dst_dir_fd=top)
                finally:
                    os.close(inner)
                os.rmdir(name, dir_fd=top)
            except OSError:  # of another user, or somebody writes there
                lasting.add(name)
