"""`and`, `or` and `a if c else b` on NumPy programs in graphs."""

from __future__ import annotations

import numpy
import pytest

import tfnp.numpy as np


def count_small(x):
    i = 0
    while i < len(x) and x[i] < 2:
        i += 1
    return i


def shrink_slowly(x):
    n = 0
    while abs(x).sum() > 0.1 and n < 30:
        x = x * 0.7
        n += 1
    return x, n


def shrink_or_stop(x):
    n = 0
    while not (n >= 5 or x.sum() < 1):
        x = x * 0.7
        n += 1
    return x, n


def guard_index(x):
    total = 0.0
    for i in range(12):
        if i < len(x) and x[i] > 0:
            total += x[i]
    return total


def choose_number(x):
    sign = 1 if x[0] > 1 else -1
    return sign * x, (x[1] if x[0] > 1 else 2.0) * x


def take_operand(x):
    return (x[0] or x[1]) * x, (x[0] and x[1]) * x, x[0] > 1 and True, x[0] > 9 or x[1] > 0


PROGRAMS = (count_small, shrink_slowly, shrink_or_stop, guard_index, choose_number, take_operand)


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.full)])
@pytest.mark.filterwarnings("error::tfnp.numpy.NotCompiledWarning")
def test_operands_are_what_python_takes(compiled):
    for program in PROGRAMS:
        run = np.jit(program, jit_compile=compiled)
        for values in ([0.0, 1.0, 2.0], [2.0, 0.5, -1.0], [0.0, 0.0, 0.5]):
            actual, expected = run(np.array(values)), program(numpy.array(values))
            for one, other in zip(*map(as_tuple, (actual, expected)), strict=True):
                numpy.testing.assert_allclose(one, other, err_msg=f"{program.__name__} of {values}")


def as_tuple(value):
    return value if isinstance(value, tuple) else (value,)


def test_an_operand_that_is_not_taken_is_not_calculated():
    @np.jit
    def divide(x, n):
        return n != 0 and x[6 // n] > 0

    with numpy.errstate(divide="raise"):
        assert not divide(np.ones(8), np.array(0))
        assert divide(np.ones(8), np.array(2))
