"""Crash triage: the cause of a worker's death from its status and output, in words that are the same in every run."""

from __future__ import annotations

import re
import signal
import traceback
from dataclasses import dataclass
from typing import Any

from oracle.reference.display import make_line, make_lines

# As TensorFlow's and absl's loggers write a fatal error: "... F0000 00:00:1.2 345 file.cc:678] Check failed: ...".
_FATAL = re.compile(r"\bF(?:\d{4})? .*?([\w./+-]+\.(?:cc|cpp|h|hpp|c|cu)):(\d+)\] (.*)")
_TERMINATE = re.compile(r"terminate called after throwing an instance of '([^']+)'")
_WHAT = re.compile(r"^\s*what\(\):\s*(.*)", re.MULTILINE)
_FRAME = re.compile(r'^  File "([^"]+)", line (\d+) in (\S+)', re.MULTILINE)
_EXHAUSTED = re.compile(
    r"bad_alloc|\bOOM when\b|[Oo]ut of memory|RESOURCE_EXHAUSTED|[Ff]ailed to allocate|[Cc]annot allocate memory|"
    r"Unable to allocate|LLVM ERROR: .*alloc"
)
_ADDRESS = re.compile(r"0x[0-9a-fA-F]{4,}")
_LONGEST = 300
_CALLER = "/oracle/reference/outcome.py"


@dataclass(frozen=True)
class Death:
    """The death of a worker; `kind` is crash, hang or memory.

    `step` is the last step that the worker began. `detail` is the same for the same death: the signal, and the failed
    check or the innermost Python frame. `tail` is the last output, for people. A `killed` worker may have been killed
    by something else on this machine. Its texts are those of a subject: they are made printable and short.
    """

    kind: str
    item: Any
    detail: str
    step: str = ""
    tail: str = ""
    killed: bool = False

    def __post_init__(self) -> None:
        for key, clean in (("detail", make_line), ("step", make_line), ("tail", make_lines)):
            object.__setattr__(self, key, clean(getattr(self, key)))


def explain(status: int, text: str, overrun: str = "") -> tuple[str, str]:
    """Return kind and detail of a death: `status` is from `waitpid`, `overrun` names the limit that was exceeded."""
    if overrun:  # the position of a hang is arbitrary: it stays in the tail
        return ("memory", "no memory was left") if _EXHAUSTED.search(text) else ("hang", overrun)
    where = _check(text) or _exception(text) or _frame(text)
    if status & 0x7F == 0:
        return "crash", _join(f"exited with status {status >> 8}", where)
    signum = status & 0x7F
    name = _signal(signum)
    if _EXHAUSTED.search(text) or signum == signal.SIGKILL:
        return "memory", _join(name, where)
    return "crash", _join(name, where)


def describe_escape(error: BaseException) -> str:
    """Return which exception passed through everything that catches errors, and where it was raised."""
    try:
        message = _ADDRESS.sub("0x...", str(error))[:_LONGEST]
    except Exception:  # noqa: BLE001 - a message that cannot be had is no reason to lose the rest
        message = ""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" in {_locate(frames[-1].filename, frames[-1].lineno or 0, frames[-1].name)}" if frames else ""
    return f"raised {_join(type(error).__name__, message)}{where}"


def _signal(signum: int) -> str:
    try:
        return signal.Signals(signum).name
    except ValueError:
        return f"signal {signum}"


def _join(first: str, second: str) -> str:
    return f"{first}: {second}" if second else first


def _check(text: str) -> str:
    matches = _FATAL.findall(text)
    if not matches:
        return ""
    file, line, message = matches[-1]
    return f"{file}:{line} {_ADDRESS.sub('0x...', message)}"[:_LONGEST]


def _exception(text: str) -> str:
    thrown = _TERMINATE.findall(text)
    if not thrown:
        return ""
    said = _WHAT.findall(text)
    return (_ADDRESS.sub("0x...", said[-1]) if said else thrown[-1])[:_LONGEST]


def _frame(text: str) -> str:
    """Return the innermost Python frame of the last traceback dump; if that is where calls are made, the function that
    was called has no frame.
    """
    dump = text.rpartition("(most recent call first):")[2]
    frame = _FRAME.search(dump)
    if frame is None:
        return ""
    file, line, function = frame.groups()
    if file.endswith(_CALLER):
        return "in a function written in C"
    return _locate(file, int(line), function)


def _locate(file: str, line: int, function: str) -> str:
    short = file.rpartition("/site-packages/")[2] if "/site-packages/" in file else file.rpartition("/")[2]
    return f"{function} ({short}:{line})"
