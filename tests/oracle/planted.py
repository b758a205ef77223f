"""NumPy with a fault planted in it, as a subject: takes arrays, so no TensorFlow is needed to judge it."""

from __future__ import annotations

from types import ModuleType, SimpleNamespace

import numpy as np

from oracle import Mode, Outcome, Subject, Verdict, judge

EAGER = Mode("eager")


class Planted(ModuleType):
    """NumPy, but for the functions given by their dotted names."""

    def __init__(self, **functions):
        super().__init__("planted")
        for name, function in functions.items():
            head, _, tail = name.partition("__")
            if tail:
                home = SimpleNamespace(**{key: getattr(getattr(np, head), key) for key in dir(getattr(np, head))})
                setattr(home, tail, function)
            setattr(self, head, home if tail else function)

    def __getattr__(self, name):
        return getattr(np, name)


def subject(**functions) -> Subject:
    return Subject("planted", Planted(**functions))


def verdict(case, **functions) -> Verdict:
    return judge(case, [EAGER], subject(**functions))


def kinds(case, **functions) -> list[str]:
    return [difference.kind for difference in verdict(case, **functions).deviations]


def answer(case, value) -> list[str]:
    """The kinds of difference when the subject answers `value`."""
    from oracle import run_numpy
    from oracle.harness import find_deviation

    expected = run_numpy(case)
    found = find_deviation(case, expected, Outcome(value, after=expected.after), EAGER)
    return [] if found is None else [found.kind]
