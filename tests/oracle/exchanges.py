"""An exchange: a case, and what a subject answered to it, as Python objects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from oracle import Case, Outcome


@dataclass(frozen=True)
class Exchange:
    """A case, and what a subject answered to it in a mode: a value, or an exception."""

    case: Case
    answer: Any = None
    mode: str = "eager"
    phase: str = "run"
    after: tuple[Any, ...] = ()

    def outcome(self) -> Outcome:
        """Return the subject's outcome."""
        if isinstance(self.answer, BaseException):
            return Outcome.raised(self.answer, self.phase)
        return Outcome(self.answer, after=tuple(map(np.asarray, self.after)))
