"""The outputs of NumPy and the subject for a finding's case, element by element, as plain data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from oracle import Outcome, Verdict
from oracle.harness import format_object, is_of_ops, list_elements, take_first

SHOWN = 64
"""How many elements of an array are shown: from a little before the first that differs."""

BEFORE = 8
COMPARED = 1 << 18
"""How many elements of an array are compared to see which modes gave the same."""

LONGEST = 2000
"""How many characters of a message are kept."""

NUMPY = "NumPy"
ELEMENTS = (np.ndarray, np.generic, bool, int, float, complex, str, bytes)
"""Classes that NumPy makes an array of. Others have a text: an object of a subject's may refuse to be converted."""


def describe_outputs(verdict: Verdict, mode: str) -> dict[str, Any]:
    """Return the outputs of NumPy and of a mode, as the field `outputs` in findings.jsonl has them."""
    expected, actual = verdict.expected, verdict.outcomes[mode]
    reference, got = _describe(expected), _describe(actual)
    for form, outcome in ((reference, expected), (got, actual)):
        if outcome.ok and not (expected.ok and actual.ok):
            _fill(form, _all_of(outcome))
    if expected.ok and actual.ok:
        _mark(reference, got, _all_of(expected), _all_of(actual))
    return {
        "mode": mode.removesuffix("@CPU:0"),
        "expected": reference,
        "actual": got,
        "agreement": group_by_outcome(verdict),
    }


def group_by_outcome(verdict: Verdict) -> list[list[str]]:
    """Group NumPy and the modes by their outcome; NumPy's group is the first. Of a program of ops in another mode than
    eager mode, that stands for NumPy.
    """
    differing = {str(difference.mode) for difference in verdict.deviations}
    find_key = _key_of if len(differing) > 1 else id  # one mode has nothing to be compared with
    is_with_eager = is_of_ops(verdict.case) and not any(mode.startswith("eager") for mode in differing)
    groups: dict[Any, list[str]] = {NUMPY: [] if is_with_eager else [NUMPY]}
    for mode in verdict.list_answered():
        key = find_key(verdict.outcomes[mode]) if mode in differing else NUMPY
        groups.setdefault(key, []).append(mode.removesuffix("@CPU:0"))
    return [group for group in groups.values() if group]


def _key_of(outcome: Outcome) -> tuple[Any, ...]:
    """Return a key that two outcomes share if they agree: the error's class, or every element."""
    if outcome.error is not None:
        return (outcome.kind, outcome.error.name)
    leaves = _leaves(_all_of(outcome))
    return (
        outcome.kind,
        *((str(leaf.dtype), leaf.shape, tuple(_texts(take_first(leaf, COMPARED)))) for leaf in leaves),
    )


def _all_of(outcome: Outcome) -> Any:
    """Return the value together with the arrays that the call wrote to."""
    return (outcome.value, *outcome.after) if outcome.after else outcome.value


def _describe(outcome: Outcome) -> dict[str, Any]:
    if outcome.error is not None:
        return {"form": "error", "text": str(outcome.error)[:LONGEST]}
    if not outcome.ok:
        return {"form": "error", "text": outcome.kind}
    return _form_of(_all_of(outcome))


def _form_of(value: Any) -> dict[str, Any]:
    if isinstance(value, list | tuple):
        form = "list" if isinstance(value, list) else "tuple"
        return {"form": form, "items": [_form_of(item) for item in value[:SHOWN]]}
    if isinstance(value, dict):
        items = [{"key": format_object(key, str), **_form_of(item)} for key, item in list(value.items())[:SHOWN]]
        return {"form": "dict", "items": items}
    if isinstance(value, np.ndarray | np.generic):
        form = "array" if isinstance(value, np.ndarray) else "scalar"
        return {"form": form, "dtype": str(value.dtype), "shape": list(value.shape), "start": 0, "size": value.size}
    return {"form": "object", "text": " ".join(format_object(value).split())[:LONGEST]}


def _mark(reference: dict[str, Any], got: dict[str, Any], expected: Any, actual: Any) -> None:
    """Add elements to the arrays of both forms, and mark those that differ, wherever the forms match."""
    if "size" in reference and "size" in got:
        one, other = take_first(expected, SHOWN), take_first(actual, SHOWN)
        start, is_of_one_size = 0, expected.size == actual.size
        if is_of_one_size and expected.size > SHOWN:
            one, other = expected.ravel(), actual.ravel()
            start = max(0, _find_first(one, other) - BEFORE)
        shown = [_texts(array[start : start + SHOWN]) for array in (one, other)]
        differs = [start + i for i, pair in enumerate(zip(*shown, strict=False)) if pair[0] != pair[1]]
        for form, elements in zip((reference, got), shown, strict=True):
            form.update(elements=elements, start=start)
            if is_of_one_size:
                form["differs"] = differs
        return
    if "items" in reference and "items" in got and type(expected) is type(actual):
        for inner in zip(reference["items"], got["items"], _parts_of(expected), _parts_of(actual), strict=False):
            _mark(*inner)
    for form, value in ((reference, expected), (got, actual)):
        _fill(form, value)


def _find_first(one: np.ndarray, other: np.ndarray) -> int:
    """Return the index of the first elements of two flat arrays whose texts differ, or 0."""
    for start in range(0, one.size, SHOWN):
        texts = [_texts(array[start : start + SHOWN]) for array in (one, other)]
        for index, pair in enumerate(zip(*texts, strict=True), start):
            if pair[0] != pair[1]:
                return index
    return 0


def _fill(form: dict[str, Any], value: Any) -> None:
    """Add the first elements to every array of a form that has none yet."""
    if "size" in form:
        form.setdefault("elements", _texts(take_first(value, SHOWN)))
    elif "items" in form:
        for item, part in zip(form["items"], _parts_of(value), strict=False):
            _fill(item, part)


def _parts_of(value: Any) -> list[Any]:
    return list(value.values() if isinstance(value, dict) else value)


def _leaves(value: Any) -> Iterator[np.ndarray]:
    if isinstance(value, list | tuple | dict):
        for item in _parts_of(value):
            yield from _leaves(item)
    else:
        has_address = type(value).__repr__ is object.__repr__
        text = type(value).__name__ if has_address else format_object(value)
        yield np.asarray(value if isinstance(value, ELEMENTS) else text)


def _texts(elements: np.ndarray) -> list[str]:
    """Format each element with enough digits to tell it from its neighbours."""
    return [format_object(item, str) for item in (list_elements(elements) if elements.dtype.kind == "T" else elements)]
