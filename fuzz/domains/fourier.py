"""Discrete Fourier transforms."""

from __future__ import annotations

from fuzz import values
from fuzz.drafts import Word
from fuzz.quantities import integer, literal, number
from fuzz.relations import axes_of, axis_of, nonempty
from fuzz.values import REALS

NUMBERS = tuple(dtype for dtype in REALS + values.COMPLEX if dtype != values.BFLOAT16)
NORM = literal(None, "backward", "ortho", "forward")
LENGTH = integer(1, 6, (0, -1))
LENGTHS = literal(None)


def one(dtypes: tuple = NUMBERS) -> dict[str, Word]:
    return {"a": nonempty(1, 3, dtypes), "n": LENGTH, "axis": axis_of("a"), "norm": NORM}


def two(dtypes: tuple = NUMBERS) -> dict[str, Word]:
    return {"a": nonempty(2, 4, dtypes), "s": LENGTHS, "axes": literal((-2, -1), (0, 1), (1, 0)), "norm": NORM}


def many(dtypes: tuple = NUMBERS) -> dict[str, Word]:
    return {"a": nonempty(1, 3, dtypes), "s": LENGTHS, "axes": axes_of("a"), "norm": NORM}


REAL = tuple(dtype for dtype in NUMBERS if values.kind(dtype) != "c")
SHIFT = {"x": nonempty(0, 3), "axes": axis_of("x", none=True, many=True)}

LINES: dict[str, dict[str, Word]] = {
    "fft.fft": one(),
    "fft.fft2": two(),
    "fft.fftfreq": {"n": integer(1, 9), "d": number(REALS)},
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
    "fft.rfftfreq": {"n": integer(1, 9), "d": number(REALS)},
    "fft.rfftn": many(REAL),
}
