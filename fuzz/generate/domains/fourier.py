"""Discrete Fourier transforms."""

from __future__ import annotations

from typing import Any

from fuzz.generate import arrays
from fuzz.generate.arrays import REALS
from fuzz.generate.builder import Draft, Strategy
from fuzz.generate.call_classes import AXIS
from fuzz.generate.constraints import axes_of, axis_of, nonempty
from fuzz.generate.scalars import integer, literal, number

NUMBERS = tuple(dtype for dtype in arrays.ANY if dtype != arrays.BFLOAT16)
NORM = literal(None, "backward", "ortho", "forward")
LENGTH = integer(1, 9, (0, -1))


def spacing(draft: Draft) -> Any:
    """Draw a number to divide by; not a Python zero, for which Python raises."""
    found = number(REALS)(draft)
    return 1.0 if type(found) in {int, float} and not found else found


def lengths(draft: Draft) -> Any:
    """Draw a length for each transformed axis, -1 for its own; sometimes one too many, or a length of zero."""
    axes, choices = draft["axes"], draft.choices
    count = len(draft.shape("a")) if not isinstance(axes, tuple) else len(axes)
    found = [choices.pick((1, 2, 3, 4, 5, 7, -1)) for _ in range(count)]
    if count and draft.should_be_invalid():
        return choices.pick(([*found, 2], [0] * count))
    return tuple(found) if choices.flag(0.7) else found


def one(dtypes: tuple = NUMBERS) -> dict[str, Strategy]:
    return {"a": nonempty(1, 3, dtypes), "n": LENGTH, "axis": axis_of("a"), "norm": NORM}


def two_axes(draft: Draft) -> Any:
    """Draw the last two axes, or any two."""
    choices, rank = draft.choices, len(draft.shape("a"))
    if draft.should_be_invalid(AXIS):
        return choices.pick(((rank, 0), (0, -rank - 1)))
    if choices.flag(0.4) or rank < 2:
        return choices.pick(((-2, -1), (0, 1), (1, 0)))
    return tuple([axis - rank if choices.flag(0.3) else axis for axis in arrays.shuffled(choices, range(rank))[:2]])


def two(dtypes: tuple = NUMBERS) -> dict[str, Strategy]:
    return {"a": nonempty(2, 4, dtypes), "s": lengths, "axes": two_axes, "norm": NORM}


def many(dtypes: tuple = NUMBERS) -> dict[str, Strategy]:
    return {"a": nonempty(1, 3, dtypes), "s": lengths, "axes": axes_of("a"), "norm": NORM}


REAL = tuple(dtype for dtype in NUMBERS if arrays.kind(dtype) != "c")
SHIFT = {"x": nonempty(0, 3), "axes": axis_of("x", none=True, many=True)}

LINES: dict[str, dict[str, Strategy]] = {
    "fft.fft": one(),
    "fft.fft2": two(),
    "fft.fftfreq": {"n": integer(1, 9), "d": spacing},
    "fft.fftn": many(),
    "fft.fftshift": SHIFT,
    "fft.hfft": one(),
    "fft.ifft": one(),
    "fft.ifft2": two(),
    "fft.ifftn": many(),
    "fft.ifftshift": SHIFT,
    "fft.ihfft": one(REAL),
    "fft.irfft": one(),
    "fft.irfft2": two(),
    "fft.irfftn": many(),
    "fft.rfft": one(REAL),
    "fft.rfft2": two(REAL),
    "fft.rfftfreq": {"n": integer(1, 9), "d": spacing},
    "fft.rfftn": many(REAL),
}
