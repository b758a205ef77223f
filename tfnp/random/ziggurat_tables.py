"""The 256 layers of equal area under the normal and the exponential density (Marsaglia and Tsang 2000).

They are calculated from the edge of the lowest layer. NumPy's table of float64 normals was calculated layer by layer in
float64, so its last bits are off. The errors are listed here, since without them some values would not be NumPy's.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from decimal import Decimal, localcontext
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

LAYERS: Final = 256
NORMAL_EDGE: Final = Decimal("3.6541528853610087963519472518")
EXPONENTIAL_EDGE: Final = Decimal("7.69711747013104971404462804811")

_NUMPY_WIDTH_ERRORS: Final = """
-9 -130 -40 -33 -28 -26 -26 -22 -22 -11 -10 -9 -8 -8 -8 -8 -8 -9 -8 -8 -9 -9 -9 -10 -9 -8 -8 -7 -8 -8 -8 -7 -8 -8 -7
-7 -8 -8 -6 -6 -6 -5 -5 -6 -5 -6 -5 -5 -5 -5 -6 -6 -3 -4 -4 -4 -4 -4 -4 -4 -3 -4 -3 -3 -3 -3 -4 -3 -4 -3 -3 -4 -3 -2
-2 -3 -3 -3 -4 -3 -3 -3 -3 -3 -3 -3 -2 -2 -2 -2 -2 -1 -1 -1 -1 -1 -2 -2 -1 -2 -2 -2 -2 -2 -1 -2 -2 -2 -2 -2 -3 -3 -3
-2 -2 -2 -1 -1 -2 -2 -2 -2 -1 -1 -1 -1 -1 -2 -2 -2 -1 -1 -2 -2 -2 -2 -2 -2 -2 -2 -3 -4 -4 -4 -3 -3 -3 -3 -2 -2 -2 -1
-1 -1 -1 -1 0 0 0 0 0 -1 -1 0 -1 0 -1 -1 -1 0 0 0 1 2 3 3 3 2 2 1 0 0 0 0 0 0 0 0 -1 0 0 0 0 0 0 -1 -1 -1 -1 -1 -2 -1
-2 -2 -2 -2 -2 -2 -1 -1 -1 -1 -1 0 -1 -1 -1 0 0 0 -1 -1 0 0 0 0 0 0 -1 0 0 -1 0 -1 -1 -1 -1 -1 -1 -1 -1 0 1 0 1 1 1 1
1 1 0 0 0 1 1 0
"""
_NUMPY_BOUND_ERRORS: Final = (
    "===-====+=====+==+=====+=====-=+-=-+==-========-=====-+==+=====-"
    "=--==+==+-======-=====+==+===+======+======-==+-=====-========-="
    "+=-==========-=+====-++=+====+==-=+=-+++==+==-====+============="
    "=++=====-==-===========+===-=+=+-======+=-+====-=====-=-====+==="
)
_NUMPY_FIRST_BOUND: Final = 4208095142473578
_NUMPY_FLOAT32_WIDTH: Final = (226, 4.4002547383570345e-07)  # index and value that NumPy has for exponentials


class Table(NamedTuple):
    """For each layer: the largest integer that is certainly inside, the factor of an integer, and the density."""

    bounds: np.ndarray
    widths: np.ndarray
    densities: np.ndarray


@lru_cache
def normal(bits: int) -> Table:
    """Return the table for integers of 52 or 23 bits."""
    with localcontext() as context:
        context.prec = 50
        edge, density = NORMAL_EDGE, lambda x: (-x * x / 2).exp()
        edges = _compute_edges(
            edge, edge * density(edge) + _compute_tail_area(edge), density, lambda y: (-2 * y.ln()).sqrt()
        )
        widths = _to_float64([x / 2**bits for x in edges])
        if bits == 52:
            widths = (widths.view(np.int64) + np.array(_NUMPY_WIDTH_ERRORS.split(), np.int64)).view(np.float64)
            ratios = [Decimal(a) / Decimal(b) for a, b in itertools.pairwise(widths.tolist())]
            errors = np.array([{"-": -1, "=": 0, "+": 1}[sign] for sign in _NUMPY_BOUND_ERRORS], np.int64)
            bounds = _round_to_int([Decimal(0), *ratios], bits) + errors
            bounds[:2] = _NUMPY_FIRST_BOUND, 0
        else:
            bounds = _round_to_int(_compute_ratios(edges), bits)
        return Table(bounds, _round_widths(widths, bits), _to_float64([Decimal(1), *map(density, edges[1:])]))


@lru_cache
def exponential(bits: int) -> Table:
    """Return the table for integers of 53 or 23 bits; NumPy's bounds of 53 bits are even."""
    with localcontext() as context:
        context.prec = 50
        edge, density = EXPONENTIAL_EDGE, lambda x: (-x).exp()
        edges = _compute_edges(edge, (edge + 1) * density(edge), density, lambda y: -y.ln())
        widths = _to_float64([x / 2**bits for x in edges])
        ratios = _compute_ratios(edges)
        bounds = np.array([2 * int(ratio * 2**52) for ratio in ratios]) if bits == 53 else _round_to_int(ratios, bits)
        widths = _round_widths(widths, bits)
        if bits == 23:
            widths[_NUMPY_FLOAT32_WIDTH[0]] = _NUMPY_FLOAT32_WIDTH[1]
        return Table(bounds, widths, _to_float64([Decimal(1), *map(density, edges[1:])]))


_Function = Callable[[Decimal], Decimal]


def _compute_edges(edge: Decimal, area: Decimal, density: _Function, inverse: _Function) -> list[Decimal]:
    """Return the edge of each layer; the first, which has the tail, as if it were a box."""
    edges = [edge]
    while len(edges) < LAYERS - 1:
        edges.append(inverse(area / edges[-1] + density(edges[-1])))
    return [area / density(edge), *reversed(edges)]


def _compute_ratios(edges: list[Decimal]) -> list[Decimal]:
    """Return the fraction of each layer that lies below the layer above it."""
    ratios = [a / b for a, b in itertools.pairwise(edges[1:])]
    return [edges[-1] / edges[0], Decimal(0), *ratios]


def _compute_tail_area(edge: Decimal) -> Decimal:
    """Return the area of the tail of exp(-x * x / 2), by its continued fraction."""
    fraction = Decimal(0)
    for term in range(300, 0, -1):
        fraction = term / (edge + fraction)
    return (-edge * edge / 2).exp() / (edge + fraction)


def _round_to_int(ratios: list[Decimal], bits: int) -> np.ndarray:
    return np.array([int((ratio * 2**bits).to_integral_value()) for ratio in ratios], np.int64)


def _to_float64(values: list[Decimal]) -> np.ndarray:
    return np.array([float(value) for value in values])


def _round_widths(widths: np.ndarray, bits: int) -> np.ndarray:
    return widths.astype(np.float32).astype(np.float64) if bits == 23 else widths
