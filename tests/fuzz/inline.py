"""An executor that runs leases in the process of the test: it forks nothing, and needs no TensorFlow for arrays.

For tests of the command line, of files and of reports. It does not survive a crash or a hang: tests of these open
sandboxes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pytest

from fuzz.engine import campaign
from oracle.harness import Lease, Reply
from oracle.sandbox.worker import load_function


class InlineExecutor:
    """Answers each lease when it is submitted; see `fuzz.engine.executors.Executor`."""

    def __init__(self, setup: Mapping[str, Any]) -> None:
        self._setup = setup
        self._context: Any = None
        self._replies: list[Reply] = []

    @property
    def free(self) -> int:
        return 1 - len(self._replies)

    @property
    def busy(self) -> bool:
        return bool(self._replies)

    def open(self) -> None:
        context = load_function(self._setup["prepare"])(**self._setup["arguments"])
        self._context = load_function(self._setup["start"])(context)

    def submit(self, lease: Lease) -> None:
        function = load_function(lease.function)
        self._replies.append(Reply(lease.index, [function(self._context, item) for item in lease.items]))

    def wait(self, seconds: float) -> list[Reply]:
        replies, self._replies = self._replies, []
        return replies

    def cut(self) -> list[Reply]:
        replies, self._replies = self._replies, []
        return replies

    def close(self) -> None:
        self._replies = []


def run_inline(patch: pytest.MonkeyPatch) -> None:
    """Have campaigns run in this process."""
    patch.setattr(campaign, "make_executor", lambda text, jobs, setup, *more: InlineExecutor(setup))


class InlineSandbox(InlineExecutor):
    """A sandbox in this process with several workers, of which the last to be asked is the first to answer."""

    def __init__(
        self, jobs: int, prepare: str, arguments: Mapping[str, Any], *, start: str, modules: object = ()
    ) -> None:
        super().__init__({"prepare": prepare, "arguments": arguments, "start": start})
        self.jobs = jobs

    def __enter__(self) -> InlineSandbox:
        self.open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def free(self) -> int:
        return self.jobs - len(self._replies)

    def wait(self, seconds: float) -> list[Reply]:
        return [self._replies.pop()] if self._replies else []

    def run(self, leases: Iterable[Lease]) -> Iterator[Reply]:
        for lease in leases:
            self.submit(lease)
            yield from self.wait(1.0)
