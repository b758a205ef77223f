"""A process that watches itself read case files, and tells what else it did: `python watched.py FOLDER`, or `NAMES`."""

from __future__ import annotations

import json
import os
import resource
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

EVENTS = ("os.", "subprocess.", "shutil.", "socket.", "ctypes.", "pickle.", "marshal.", "import", "exec", "compile")
HARMLESS = {"os.listdir", "os.scandir"}
NAMED = ("PWNED", "/tmp/PWNED", b"\1\2")  # files, to whatever takes names of files
MEMORY = 4 << 30


class Watch:
    """What runs code, starts a process, or opens more than a file to be read, while one looks."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self._looks = False
        sys.addaudithook(self._hear)

    @contextmanager
    def look(self) -> Iterator[None]:
        """Look while this lasts."""
        self._looks = True
        try:
            yield
        finally:
            self._looks = False

    def _hear(self, event, arguments):
        if not self._looks:
            return
        if event == "open":
            path, mode, flags = arguments
            if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT) or path in NAMED:
                self.seen.append(f"open {path!r} {mode}")
        elif event.startswith(EVENTS) and event not in HARMLESS:
            self.seen.append(f"{event} {str(arguments)[:100]}")


def read_files(watch, folder):
    """Read every file of the folder, as `replay` does. How long each took, and how far memory grew at all."""
    from fuzz.cli.case_files import find_records
    from fuzz.cli.options import Unclear

    def read(path):
        try:
            find_records(str(path))
        except Unclear:
            return False
        return True

    # what is imported or made for any file at all is none of this one's doing
    for name in ("warm.json", "warmer.json", "warm.jsonl"):
        read(Path(folder, name))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    seconds, accepted = {}, []
    for path in sorted(Path(folder).iterdir()):
        begun = time.process_time()
        with watch.look():
            is_case = read(path)
        seconds[path.name] = time.process_time() - begun
        accepted += [path.name] if is_case else []
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) << 10
    return {"seconds": seconds, "accepted": accepted, "grown": grown}


def call_names(watch):
    """Call every name of the inventory with names of files where arrays are expected, as NumPy is asked in a worker."""
    from oracle import Case, run_numpy
    from oracle.harness import NAMES

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    warnings.simplefilter("ignore")
    array, first = np.array([1.0, 2.0]), NAMED[0]
    calls = [*((word,) for word in NAMED), (array, first), (first, array), (first, first)]
    for name in NAMES:
        for args in calls:
            run_numpy(Case(name, args))  # imports what a function imports when it is first called
            with watch.look():
                run_numpy(Case(name, args))
    return {"names": len(NAMES)}


if __name__ == "__main__":
    watch = Watch()
    found = call_names(watch) if sys.argv[1] == "NAMES" else read_files(watch, sys.argv[1])
    print(json.dumps(found | {"seen": watch.seen}))
