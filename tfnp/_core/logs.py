"""TensorFlow's log lines: `python -m tfnp` leaves them out, since they are not the program's.

Some are written before `TF_CPP_MIN_LOG_LEVEL` is read, while TensorFlow is imported. Another level in the environment
has them all.
"""

from __future__ import annotations

import importlib
import itertools
import os
import sys
from typing import Final

_LEVEL: Final = "TF_CPP_MIN_LOG_LEVEL"
_FATAL_ONLY: Final = "3"
_STDERR: Final = 2


def is_command(arguments: list[str]) -> bool:
    """Return whether Python was started as `python -m tfnp`, and is about to import it."""
    return sys.argv[:1] == ["-m"] and ("-m", "tfnp") in itertools.pairwise(arguments)


def import_tensorflow() -> None:
    """Import TensorFlow while the standard error stream is closed for it."""
    with open(os.devnull, "wb") as sink:
        before = os.dup(_STDERR)
        os.dup2(sink.fileno(), _STDERR)
        try:
            importlib.import_module("tensorflow")
        finally:
            os.dup2(before, _STDERR)
            os.close(before)


if is_command(sys.orig_argv) and os.environ.setdefault(_LEVEL, _FATAL_ONLY) == _FATAL_ONLY and sys.stderr is not None:
    import_tensorflow()
