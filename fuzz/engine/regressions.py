"""Judging recorded cases again: which faults are back, and which open ones are mended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fuzz.engine.case_judge import CaseJudge
from fuzz.triage.recorded_cases import RecordedCase


@dataclass(frozen=True)
class Replay:
    """A recorded case and what it differs in now, by mode, among the modes in which it was judged."""

    recorded: RecordedCase
    modes: Sequence[str]
    shown: Mapping[str, str]

    @property
    def back(self) -> dict[str, str]:
        """The modes that differ although the case is neither open nor flaky there, with what differs."""
        expected = {*self.recorded.open, *self.recorded.flaky}
        return {mode: text for mode, text in self.shown.items() if mode not in expected}

    @property
    def open(self) -> list[str]:
        """The modes in which the case is open, and differs."""
        return [mode for mode in self.modes if mode in self.recorded.open and mode in self.shown]

    @property
    def mended(self) -> list[str]:
        """The modes in which the case is open, but no longer differs."""
        judged = [mode for mode in self.modes if mode not in self.shown and mode not in self.recorded.flaky]
        return [mode for mode in judged if mode in self.recorded.open]

    def list_changes(self) -> list[str]:
        """Return a line for each mode in which the case is not as it is recorded."""
        back = [f"{self.recorded.id} differs in {mode}: {text}" for mode, text in self.back.items()]
        return back + [f"{self.recorded.id} is mended in {mode}: remove it from `open`" for mode in self.mended]


def replay_case(case_judge: CaseJudge, recorded: RecordedCase, modes: Sequence[str] = ()) -> Replay:
    """Judge a recorded case in these modes, by default in its own; not in those in which it is slow."""
    judged = [mode for mode in modes or recorded.modes if mode not in recorded.slow]
    shown: dict[str, str] = {}
    for difference in case_judge.judge(recorded.case, judged) if judged else ():
        for mode in difference.modes:
            text = f"{difference.kind}: {difference.detail}"
            shown[mode] = f"{shown[mode]}; {text}" if mode in shown else text
    return Replay(recorded, judged, shown)
