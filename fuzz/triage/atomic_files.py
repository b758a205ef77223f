"""Writing files so that they are whole: beside, then renamed."""

from __future__ import annotations

import contextlib
import errno
from pathlib import Path


def write_inside(root: Path, name: str, text: str | bytes) -> None:
    """Write a file of a run's directory: beside it, then renamed, so that it is whole, and no link is followed. Raises
    OSError, also if the folder inside the directory is a link.
    """
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.parent != root and path.parent.is_symlink():
        raise OSError(errno.ELOOP, "it is a link", str(path.parent))
    beside = path.with_name(f".{path.name}.new")
    try:
        beside.unlink(missing_ok=True)
        with beside.open("xb") as file:
            file.write(text.encode("utf-8", "backslashreplace") if isinstance(text, str) else text)
        beside.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        raise


def write_file(path: Path, text: str | bytes) -> None:
    """Write a file that the command line names, atomically. A link to a file is followed; what is no regular file, such
    as /dev/stdout, is written as it is.
    """
    target = path.resolve()
    if target.exists() and not target.is_file():
        target.write_bytes(text.encode() if isinstance(text, str) else text)
        return
    write_inside(target.parent, target.name, text)
