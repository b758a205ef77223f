"""Judging single cases in a worker, where they can do no harm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import TracebackType

from fuzz.findings import DEATHS, Sighting, cost_rank
from fuzz.trials import OWN, label
from oracle import Case, Death, Lease, Mode, Outcome, Sandbox, dtype_class


class Jury:
    """A sandbox that judges cases against one subject; a context manager."""

    def __init__(
        self, subject: str | None, modes: Sequence[str], devices: Sequence[str], setup: str | None = None
    ) -> None:
        self.subject = subject or OWN
        self.modes = tuple(label(str(Mode(mode, device))) for device in devices for mode in modes)
        arguments = {"subject": self.subject, "devices": tuple(devices), "names": (), "setup": setup or ""}
        self._sandbox = Sandbox(1, "fuzz.trials:prepare", arguments, start="fuzz.trials:start", modules=())
        self._asked = 0

    def __enter__(self) -> Jury:
        self._sandbox.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._sandbox.close()

    def judge(self, case: Case, modes: Sequence[str] | None = None) -> list[Sighting]:
        """How the case disagrees; each mode is asked by itself, so that one which dies leaves the others their say."""
        merged: dict[tuple[str, str], Sighting] = {}
        for mode in modes or self.modes:
            for sighting in self._judge_in(case, mode):
                key = (sighting.kind, sighting.detail if sighting.kind in DEATHS else "")
                earlier = merged.get(key)
                seen = {mode} if earlier is None else {*earlier.modes, mode}
                merged[key] = _with_modes(earlier or sighting, tuple(sorted(seen, key=cost_rank)))
        return list(merged.values())

    def write_script(self, sighting: Sighting, case: Case) -> str:
        """The source of a script that shows the sighting in this case: written in a worker, for it takes NumPy's
        answer.
        """
        seen = replace(sighting, case=case.json())
        self._asked += 1
        (reply,) = self._sandbox.run([Lease(self._asked, "fuzz.trials:write_script", [seen], confirm=False)])
        (source,) = reply.results
        if not isinstance(source, str):
            raise RuntimeError(f"no script for {case}: {getattr(source, 'trace', source)}")
        return source

    def _judge_in(self, case: Case, mode: str) -> list[Sighting]:
        self._asked += 1
        task = (case.json(), (mode,))
        (reply,) = self._sandbox.run([Lease(self._asked, "fuzz.trials:judge_case", [task], confirm=False)])
        result = reply.results[0]
        if isinstance(result, Death):
            dtype = dtype_class(case, Outcome())
            return [Sighting(0, 0, case.name, result.kind, (mode,), dtype, result.detail, case.json(), fatal=True)]
        if not isinstance(result, list):
            raise RuntimeError(f"the case cannot be judged: {getattr(result, 'trace', result)}")
        return result


def _with_modes(sighting: Sighting, modes: tuple[str, ...]) -> Sighting:
    return Sighting(**{**sighting.__dict__, "modes": modes})
