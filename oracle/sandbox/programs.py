"""Programs that are run to their end: an interpreter that is asked for its version, an installer, a script."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import IO

MOST_READ = 1 << 20  # bytes of each stream


def run_program(
    command: Sequence[str],
    seconds: float,
    *,
    environment: Mapping[str, str] | None = None,
    text: str = "",
    is_merged: bool = False,
) -> subprocess.CompletedProcess[str]:
    """Run a program on a text, and return its status and what it printed: at most MOST_READ bytes of each stream, or of
    both in one if `is_merged`.

    What it has started ends with it, but for what has moved to a session of its own. Raises OSError if it cannot be
    started, and subprocess.TimeoutExpired, with what it printed, if it has not ended after `seconds`: it is killed.
    """
    # Files, and not pipes: a process that outlives the program would hold the end of a pipe open.
    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as printed, tempfile.TemporaryFile() as errors:
        source.write(text.encode())
        source.seek(0)
        streams = {"stdin": source, "stdout": printed, "stderr": subprocess.STDOUT if is_merged else errors}
        process = subprocess.Popen(command, env=environment, start_new_session=True, **streams)
        is_late = False
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            is_late = True
        finally:
            _kill_group(process)
        output, warnings = _read(printed), _read(errors)
        if is_late:
            raise subprocess.TimeoutExpired(list(command), seconds, output, warnings)
        return subprocess.CompletedProcess(list(command), process.returncode, output, warnings)


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _read(file: IO[bytes]) -> str:
    return os.pread(file.fileno(), MOST_READ, 0).decode(errors="replace")
