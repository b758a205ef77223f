"""Signal handling: the first interrupt ends a run early, with its report; the third ends the process at once."""

from __future__ import annotations

import os
import signal
import threading
from types import FrameType, TracebackType
from typing import Any

from fuzz.engine.campaign import Campaign

INTERRUPTED = 130
WAITING = b"fuzz: the report is being written; once more ends at once, and `fuzz merge DIR` writes it later\n"


class Interrupts:
    """Context manager that handles SIGINT and SIGTERM during a campaign and while its reports are written.

    Where the process was started with SIGINT ignored, as a shell does for background jobs, it stays ignored. Once the
    report of an interrupted run is written, further signals are ignored.
    """

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign
        self._count = 0
        self._earlier: dict[int, Any] = {}

    def __enter__(self) -> Interrupts:
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                if signal.getsignal(number) != signal.SIG_IGN:
                    self._earlier[number] = signal.signal(number, self._handle)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._earlier.items():
            signal.signal(number, signal.SIG_IGN if self._count else handler)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        self._count += 1
        if self._count > 2:
            os._exit(INTERRUPTED)
        if self._count == 2 or not self._campaign.interrupt():
            os.write(2, WAITING)
