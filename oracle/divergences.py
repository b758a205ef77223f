"""The differences we accept: each with a reason, a link, a witness that still shows it, and its last release."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version

import numpy as np

from oracle.case import Case
from oracle.comparison import Difference, compare
from oracle.modes import Mode
from oracle.outcome import reference
from oracle.subject import Subject


@dataclass(frozen=True)
class Divergence:
    """A difference that is TensorFlow's or XLA's fault and is accepted while it lasts.

    `modes` stand for those that run the same kernels, too. `when` narrows it to the cases that have the reason;
    `witness` is one of them, the smallest known; `until` is the first TensorFlow release for which the entry has to be
    argued again. `most` is the share it may swallow of what its names are asked in its modes: one that swallows more
    hides something else.
    """

    names: str | tuple[str, ...]
    kind: str
    modes: tuple[str, ...]
    when: Callable[[Case, Difference], bool]
    why: str
    link: str
    witness: Case
    until: str
    most: float = 0.05

    def covers(self, case: Case, difference: Difference) -> bool:
        """Whether this difference of this case is the one accepted."""
        return (
            difference.kind == self.kind
            and (difference.mode.name in self.modes or difference.mode.kin in self.modes)
            and any(call.name in self.every_name for call in case.calls())
            and self.when(case, difference)
        )

    @property
    def every_name(self) -> tuple[str, ...]:
        """The names it is about."""
        return (self.names,) if isinstance(self.names, str) else self.names

    def is_greedy(self, swallowed: int, asked: int) -> bool:
        """Whether it has swallowed more than its share of so many answers, by more than luck explains."""
        expected = self.most * asked
        return swallowed > expected + 3 * expected**0.5 + 3

    def __str__(self) -> str:
        return f"{', '.join(self.every_name)}: {self.kind} in {', '.join(self.modes)}: {self.why}"


def _has_huge_exponent(case: Case, difference: Difference) -> bool:
    return any(
        np.abs(np.asarray(call.args[1], np.float64)).max(initial=0) > 3e18 for call in case.calls() if _raises(call)
    )


def _raises(call: Case) -> bool:
    return len(call.args) > 1 and not isinstance(call.args[1], Case) and np.asarray(call.args[1]).dtype.kind in "iuf"


def _doubles_beyond_range(case: Case, difference: Difference) -> bool:
    return any(
        bool((np.abs(array) > np.finfo(array.dtype).max / 2).any())
        for array in case.arrays()
        if array.dtype.kind in "fc"
    )


DIVERGENCES: tuple[Divergence, ...] = (
    Divergence(
        names=("power", "pow", "float_power"),
        kind="value",
        modes=("eager", "graph"),
        when=_has_huge_exponent,
        why="Eigen, of several numbers at a time, takes exponents beyond 3.2e18 for infinite, though the greatest base "
        "below 1 has finite powers up to 6.4e18",
        link="https://gitlab.com/libeigen/eigen/-/blob/master/Eigen/src/Core/arch/Default/GenericPacketMathFunctions.h",
        witness=Case("power", (np.full(16, 0.9999999999999999), np.full(16, -5.7e18))),
        until="2.23",
    ),
    Divergence(
        names=tuple(f"polynomial.hermite.herm{name}" for name in ("val", "val2d", "val3d", "grid2d", "grid3d")),
        kind="value",
        modes=("graph",),
        when=_doubles_beyond_range,
        why="Grappler multiplies constants before all else: 0 (2 x), where a series has one coefficient, becomes 0 x, "
        "which is 0 where 2 x overflows and the product is nan",
        link="https://github.com/tensorflow/tensorflow/blob/master/tensorflow/core/grappler/optimizers/constant_folding.cc",
        witness=Case("polynomial.hermite.hermval", (np.array([0.0, 1.7e308]), 0.0)),
        until="2.23",
    ),
)
"""Every accepted difference. Empty is best."""


def accepted_by(case: Case, difference: Difference, entries: Sequence[Divergence] | None = None) -> Divergence | None:
    """The entry that accepts the difference."""
    return next(
        (entry for entry in (DIVERGENCES if entries is None else entries) if entry.covers(case, difference)), None
    )


def stale(subject: Subject, entries: Sequence[Divergence] | None = None, release: str | None = None) -> list[str]:
    """What is wrong with the list: entries past their release, and witnesses that show no such difference any more."""
    release = release or version("tensorflow")
    found = []
    for entry in DIVERGENCES if entries is None else entries:
        if _numbers(release) >= _numbers(entry.until):
            found.append(f"expired with TensorFlow {entry.until}: {entry}")
        expected = reference(entry.witness)
        for name in entry.modes:
            mode = Mode(name)
            difference = compare(entry.witness, expected, mode.run(entry.witness, subject), mode)
            if difference is None or not entry.covers(entry.witness, difference):
                found.append(f"gone from {mode}: {entry}")
    return found


def greedy(
    swallowed: Mapping[str, int], asked: Mapping[str, Mapping[str, int]], entries: Sequence[Divergence] | None = None
) -> list[str]:
    """The entries that swallowed more than their share: of differences by entry, and of answers by name and mode."""
    found = []
    for entry in DIVERGENCES if entries is None else entries:
        total = sum(
            count
            for name in entry.every_name
            for way, count in asked.get(name, {}).items()
            if {Mode.parse(way).name, Mode.parse(way).kin} & set(entry.modes)
        )
        if entry.is_greedy(swallowed.get(str(entry), 0), total):
            share = f"{swallowed[str(entry)]} of {total} answers, of which it may have {entry.most:.0%}"
            found.append(f"swallows too much, {share}: {entry}")
    return found


def _numbers(release: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", release)[:3])
