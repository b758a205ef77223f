"""The names of the Fourier transforms."""

from __future__ import annotations

_ONE = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
TRANSFORMS = (*(f"fft.{name}" for name in _ONE), *(f"fft.{name}{axes}" for name in _ONE[:4] for axes in "2n"))
"""The transforms of the manual."""
