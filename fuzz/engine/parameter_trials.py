"""Trials: whether a function takes a parameter, found out by calls.

Most functions written in C tell no signature, and one that takes `**kwargs` may reject most of them. A function lacks a
parameter if it rejects the keyword, whatever its value, as it rejects one that no function has: with the same
TypeError.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from inspect import Parameter
from typing import Any

import numpy as np

from fuzz.generate.array_likes import make_arrays, make_numbers
from fuzz.generate.call_classes import ORDINARY
from fuzz.generate.calls import draw_call, generated_names
from fuzz.generate.choices import SeedChoices
from fuzz.generate.signatures import BY_NAME, POSITIONAL, parameters_of
from oracle import Case, Mode, Outcome, Subject, run_numpy
from oracle.harness import run_case, step

NO_PARAMETER = "no_such_parameter"
ATTEMPTS = 16  # calls to draw until the subject answers one
SHARE_OF_A_TRIAL = 0.25  # of the time in which all functions are looked at: one that waits costs the run no more
SURPLUS = 16  # positional arguments, more than any function takes
_SUGGESTION = re.compile(r"[.;]? Did you mean.*$", re.DOTALL)  # Python 3.13 adds the name of a similar parameter
_NUMBERS = re.compile(r"\d+")


class Trials:
    """Calls of one function of a subject, each made of an ordinary call of required arguments that it answers."""

    def __init__(self, subject: Subject, name: str) -> None:
        self._subject, self._name = subject, name
        self._parameters = list(parameters_of(name).values())
        self._keywords: dict[str, bool | None] = {}
        self._base = self._find_base()

    def lacks(self, parameter: str) -> bool | None:
        """Return whether the function lacks a parameter of NumPy's; None if that cannot be found out.

        One that takes no keyword at all lacks those parameters that it does not take by position.
        """
        is_rejected = self._rejects_keyword(parameter)
        if not is_rejected or any(self._rejects_keyword(one.name) is False for one in self._parameters):
            return is_rejected
        return self._rejects_position(parameter)

    def takes_only_arrays(self) -> bool | None:
        """Return whether the function answers a call with arrays, and rejects it with numbers or lists for them; None
        if no call with arrays is answered.
        """
        if self._base is None or not self._answer(make_arrays(self._base)).ok:
            return None
        of_numbers = make_numbers(self._base)
        return not self._answer(of_numbers).ok if run_numpy(of_numbers).ok else None

    def _find_base(self) -> Case | None:
        for attempt in range(ATTEMPTS if self._name in generated_names() else 0):
            drawn = draw_call(SeedChoices(attempt), self._name)
            case = self._drop_options(drawn.case)
            if drawn.call_class == ORDINARY and run_numpy(case).ok and self._answer(case).ok:
                return case
        return None

    def _drop_options(self, case: Case) -> Case:
        """Return the call with its required arguments only, by position where NumPy takes them so."""
        if any(one.kind is Parameter.VAR_POSITIONAL for one in self._parameters):
            return Case(case.name, case.args)
        required = [one for one in self._parameters if one.kind in POSITIONAL and one.default is Parameter.empty]
        args = [*case.args[: len(required)]]
        for one in required[len(args) :]:
            if one.name not in case.kwargs:
                break
            args.append(case.kwargs[one.name])
        return Case(case.name, tuple(args))

    def _answer(self, case: Case) -> Outcome:
        step(f"trial of {self._name}", SHARE_OF_A_TRIAL)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            outcome = run_case(Mode("eager"), case, self._subject)
        step("looking for parameters")
        return outcome

    def _rejects_keyword(self, name: str) -> bool | None:
        if name not in self._keywords:
            self._keywords[name] = self._compare(name)
        return self._keywords[name]

    def _compare(self, name: str) -> bool | None:
        """Return whether a keyword is rejected as NO_PARAMETER is, for each of some values."""
        parameter = parameters_of(self._name).get(name)
        if self._base is None or parameter is None or parameter.kind not in BY_NAME:
            return None
        args = self._base.args
        positional = [one.name for one in self._parameters if one.kind in POSITIONAL]
        position = positional.index(name) if name in positional else len(args)
        if position + 1 < len(args):
            return None  # the arguments after it would have to be given by keyword, too
        values = list_values(parameter) if position >= len(args) else args[position:]
        return all(self._are_rejected_alike(args[:position], name, value) for value in values)

    def _are_rejected_alike(self, args: Sequence[Any], name: str, value: Any) -> bool:
        messages = []
        for key in (name, NO_PARAMETER):
            error = self._answer(Case(self._name, tuple(args), {key: value})).error
            if error is None or "TypeError" not in error.bases:
                return False
            messages.append(re.sub(rf"\b{key}\b", "", _SUGGESTION.sub("", error.full_message or error.message)))
        return messages[0] == messages[1]

    def _rejects_position(self, name: str) -> bool | None:
        """Return whether an argument in the position of the parameter is rejected as one of too many."""
        positional = [one for one in self._parameters if one.kind in POSITIONAL]
        position = [one.name for one in positional].index(name) if name in {one.name for one in positional} else None
        if self._base is None or position is None:
            return True
        args = self._base.args
        fill = [list_values(one)[0] for one in positional[len(args) : position + 1]]
        messages = []
        for more in (fill, [None] * SURPLUS):
            error = self._answer(Case(self._name, (*args, *more))).error
            if error is None or "TypeError" not in error.bases:
                return False
            messages.append(_NUMBERS.sub("", error.message))
        return messages[0] == messages[1]


def list_values(parameter: Parameter) -> list[Any]:
    """Return values to give for a parameter, one of which a function that has it surely takes, or rejects otherwise
    than an unknown keyword: NumPy's default, and some of other types.
    """
    default = parameter.default
    own = [] if default is Parameter.empty or default is np._NoValue else [default]
    return [*own, None, False, 0]
