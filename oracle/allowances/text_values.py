"""Values of text: bytes beside text, and texts that NumPy cuts to a width."""

from __future__ import annotations

import numpy as np

from oracle.allowances import text
from oracle.allowances.model import Allowance, Exchange, Question, Reason
from oracle.case.model import Case
from oracle.reference.outcome import Outcome


def _has_both(case: Case, expected: Outcome) -> bool:
    return text.as_text(case) is not None


def _answers_text(question: Question) -> bool:
    other = text.as_text(question.case)
    return other is not None and not question.compare(other)


def _is_cut(case: Case, expected: Outcome) -> bool:
    return text.uncut(case) is not None


def _answers_uncut(question: Question) -> bool:
    other = text.uncut(question.case)
    return other is not None and not question.compare(other)


def _fills_nothing(case: Case, expected: Outcome) -> bool:
    return expected.ok and bool(case.args)


def _are_empty(question: Question) -> np.ndarray | bool:
    given, wrong = question.given, question.departure.wrong
    if given is None or wrong is None:
        return False
    return np.broadcast_to(np.strings.str_len(given["a"]) == 0, wrong.shape)


_MOD = Case("strings.mod", (np.array(["%s"]), np.array([b"x"])))
_ZFILL = Case("strings.zfill", (np.array(["", "a"]), 2))

ALLOWANCES = (
    Allowance(
        id="text.bytes-as-text",
        reason=Reason.DECISION,
        names=("strings.*",),
        kinds=("value",),
        applies=_has_both,
        holds=_answers_text,
        asks_again=True,
        why="tf.string does not tell bytes from text: of both in one call, the answer is that for text",
        witness=Exchange(_MOD, np.array(["x"])),
        counter=(Exchange(_MOD, np.array(["y"])),),
        most=0.6,
    ),
    Allowance(
        id="text.uncut",
        reason=Reason.DECISION,
        names=("strings.replace",),
        kinds=("value",),
        applies=_is_cut,
        holds=_answers_uncut,
        asks_again=True,
        why="NumPy cuts what replace is given to the width of the text, and a tensor of text has no width",
        witness=Exchange(Case("strings.replace", (np.array(["ab"]), "a", "xyz", 1)), np.array(["xyzb"])),
        counter=(
            Exchange(Case("strings.replace", (np.array(["ab"]), "a", "xyz", 1)), np.array(["xyzc"])),
            Exchange(Case("strings.replace", (np.array(["ab"]), "a", "x", 1)), np.array(["xyzb"])),
        ),
        most=0.6,
    ),
    Allowance(
        id="text.zfill-of-nothing",
        reason=Reason.NUMPY_OPEN,
        names=("strings.zfill",),
        kinds=("value",),
        applies=_fills_nothing,
        holds=_are_empty,
        why="of an empty text NumPy looks for a sign beyond its end, in memory that holds anything",
        witness=Exchange(_ZFILL, np.array(["-0", "0a"])),
        counter=(Exchange(_ZFILL, np.array(["00", "a0"])),),
        most=0.6,
    ),
)
