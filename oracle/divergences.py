"""The differences we accept: each with a reason, a link, a witness that still shows it, and a release in which it ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from oracle.case import Case
from oracle.comparison import Difference


@dataclass(frozen=True)
class Divergence:
    """A difference that is TensorFlow's or XLA's fault and is accepted while it lasts.

    `when` narrows it to the cases that have the reason; `until` is the first TensorFlow release for which the entry has
    to be argued again.
    """

    names: str | tuple[str, ...]
    kind: str
    modes: tuple[str, ...]
    when: Callable[[Case, Difference], bool]
    why: str
    link: str
    witness: Case
    until: str

    def covers(self, case: Case, difference: Difference) -> bool:
        """Whether this difference of this case is the one accepted."""
        names = (self.names,) if isinstance(self.names, str) else self.names
        return (
            difference.kind == self.kind
            and difference.mode.name in self.modes
            and any(call.name in names for call in case.calls())
            and self.when(case, difference)
        )


DIVERGENCES: tuple[Divergence, ...] = ()


def accepted_by(case: Case, difference: Difference, entries: Sequence[Divergence] = DIVERGENCES) -> Divergence | None:
    """The entry that accepts the difference."""
    return next((entry for entry in entries if entry.covers(case, difference)), None)


def stale() -> list[str]:
    """What is wrong with the list: witnesses that agree again, and entries past their release."""
    return []
