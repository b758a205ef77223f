"""Subjects made of a few functions of tensors, to be judged in TensorFlow's modes."""

from __future__ import annotations

from types import ModuleType, SimpleNamespace

import tensorflow as tf

from oracle import Subject
from oracle.harness import judge_siblings


def made(**functions) -> Subject:
    """A subject of these functions; `linalg__inv` is `linalg.inv`."""
    module = ModuleType("made")
    module.ndarray = tf.Tensor
    for name, function in functions.items():
        head, _, tail = name.partition("__")
        if tail:
            home = getattr(module, head, None) or SimpleNamespace()
            setattr(home, tail, function)
            setattr(module, head, home)
        else:
            setattr(module, name, function)
    return Subject("made", module)


def kinds(mode: str, *cases, **functions) -> list[str]:
    """The kinds of difference that each of the siblings has."""
    verdicts = judge_siblings(cases, [mode], made(**functions))
    return [difference.kind for verdict in verdicts for difference in verdict.deviations]


def judged(mode: str, case, **functions) -> tuple[str, list[str]]:
    """The kind of outcome, and those of the differences, of one run."""
    (verdict,) = judge_siblings([case], [mode], made(**functions))
    return next(iter(verdict.outcomes.values())).kind, [difference.kind for difference in verdict.deviations]


def status(mode: str, case, **functions) -> str:
    """The kind of outcome."""
    (verdict,) = judge_siblings([case], [mode], made(**functions))
    return next(iter(verdict.outcomes.values())).kind
