"""Loops and conditions of NumPy programs in graphs: values, writes, gradients, and what is left to Python."""

from __future__ import annotations

import random

import numpy
import pytest
import tensorflow as tf

import tfnp.numpy as np
from tests.tfnp.numpy import looped_programs

N = 12
X = numpy.random.default_rng(0).random(N)
A = numpy.random.default_rng(1).random((N, N)) + N * numpy.eye(N)


def run(np, program, *arguments):
    """Return what a program returns, and its arguments as it leaves them."""
    copies = [np.array(x) for x in arguments]
    result = program(np, *copies)
    results = [] if result is None else [*result] if isinstance(result, tuple) else [result]
    return [*results, *copies]


def trace(program, *arguments, compiled=False):
    """Return the results of a program in a graph, and how many loops the graph has."""
    np.explain_loops()
    traced = tf.function(lambda *arrays: run(np, program, *arrays), jit_compile=compiled)
    arrays = [np.array(x) for x in arguments]
    loops = [node.op for node in traced.get_concrete_function(*arrays).graph.as_graph_def().node]
    return traced(*arrays), sum(op in ("While", "StatelessWhile") for op in loops)


def check(program, *arguments, compiled=False, loops=1):
    expected = run(numpy, program, *arguments)
    actual, count = trace(program, *arguments, compiled=compiled)
    assert count == loops, np.explain_loops()
    for one, other in zip(actual, expected, strict=True):
        numpy.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)
        assert numpy.asarray(one).dtype.kind == numpy.asarray(other).dtype.kind


def smooth(np, a, b):
    for _ in range(1, 20):
        b[1:-1] = 0.33 * (a[:-2] + a[1:-1] + a[2:])
        a[1:-1] = 0.33 * (b[:-2] + b[1:-1] + b[2:])


def decompose(np, a):
    for i in range(a.shape[0]):
        for j in range(i):
            a[i, j] -= a[i, :j] @ a[:j, j]
            a[i, j] /= a[j, j]
        for j in range(i, a.shape[0]):
            a[i, j] -= a[i, :i] @ a[:i, j]


def subtract_later(np, x):
    for i in range(N):
        x[i + 1 :] -= 0.1 * x[i]


def sum_windows(np, x):
    y = np.zeros(N - 2)
    for i in range(1, N - 1):
        y[i - 1] = x[i - 1 : i + 2].sum()
    return y


def sum_blocks(np, x):
    y = np.zeros(N)
    for i in range(N // 1 - 2):
        y[i : i + 2] += x[i : i + 2] * i
    return y


def sum_near_ends(np, x):
    """Add windows that reach outside of the array, where NumPy's slices are shorter, or count from the end."""
    total = 0.0
    for i in range(N):
        total += x[i - 1 : i + 2].sum() + x[i : i + 3].sum()
    return total


def add_rows(np, a):
    total = 0
    for row in a:
        row[0] = 1
        total += row
    return total


def stop_at_large(np, x):
    count = 0
    for i in range(N):
        if x[i] > 0.8:
            break
        if i % 4 == 1:
            continue
        x[i] = -1
        count += 1
    return count


def choose_by_index(np, x):
    for i in range(N):
        if i % 3 == 0:
            x[i] = 7
        elif i > 5:
            x[i] += 1


def halve(np, x):
    change, steps = 1, 0
    while change > 0.1:
        x = x * 0.5
        change = np.sum(x)
        steps += 1
    return x, steps


def count_in_python(np, x):
    k = 0
    while k < 30:
        x += k * 0.5
        k += 1
    return k


def write_through_view(np, x):
    view = x.reshape(3, 4).T
    for i in range(4):
        for j in range(3):
            view[i, j] += i * j


def keep_index(np, x):
    last, _large = 0.0, None
    for i in range(N):
        last = x[i]
        y = last * i
        x[i] = y
    return i, last, y


def run_backwards(np, x):
    for i in range(N - 2, -1, -1):
        x[i] += x[i + 1] * 0.5


def use_triangle(np, a):
    for i in range(N):
        for j in range(i + 1, N):
            a[i, j] = a[j, i] + i - j


def write_by_function(np, x):
    def add(y, i, value):
        y[i] += value

    for i in range(N):
        add(x, i, i * 0.5)


def assign_other(np, x):
    """Write to an array, and give its name to another: the first write is seen through the view."""
    view = x[1:]
    for i in range(N):
        x[2] = i
        x = x * 0.9
    return x, view


def assign_one_of_two_names(np, x):
    """Give one of two names of an array another one, and write to the array by the other name."""
    a = b = np.zeros(N)
    for i in range(N):
        b[i] = x[i]
        a = a + 1
    return a, b


def add_indices(np, x):
    """Leave a Python integer that a shape is made of."""
    total = steps = 0
    for i in range(N):
        total += i
        steps += 2
        x[i] += total
    return np.ones((total - 60, steps - 20))


def multiply_parts(np, a):
    """Multiply by matrices of which the rows or columns depend on the iteration, and write parts of them."""
    b, c, n = np.eye(N), np.zeros((N, N)), np.zeros(N)
    for i in range(N - 1):
        b[i + 1 : N, i] = b[i, i + 1 : N] = a[:, i] @ a[:, i + 1 : N]
        n[i:] += a[i:, :] @ a[i]
        c[: i + 1, 2] += (a[: i + 1, :] @ a[:, i:])[:, 0]
        c[i, : -i - 1] = i
        c[-i - 1 :, 3:5] -= a[-i - 1 :, 1:3]
    return b, c, n


LOOPS = [
    *[(smooth, X, X[::-1]), (decompose, A), (subtract_later, X), (sum_windows, X), (sum_blocks, X), (sum_near_ends, X)],
    *[(add_rows, A), (stop_at_large, numpy.linspace(0, 1, N)), (choose_by_index, X), (halve, X), (keep_index, X)],
    *[(count_in_python, X), (run_backwards, X), (use_triangle, A), (write_by_function, X), (assign_other, X)],
    *[(assign_one_of_two_names, X), (add_indices, X), (multiply_parts, A)],
]


SLOW = (decompose, use_triangle, choose_by_index, multiply_parts)


@pytest.mark.parametrize(
    ("program", "arguments"),
    [pytest.param(p, rest, marks=[pytest.mark.full] if p in SLOW[1:] else []) for p, *rest in LOOPS],
)
def test_a_loop_is_one_loop_of_the_graph(program, arguments):
    check(program, *arguments)


@pytest.mark.full
@pytest.mark.parametrize(("program", "arguments"), [(program, rest) for program, *rest in LOOPS])
def test_a_loop_is_compiled(program, arguments):
    check(program, *arguments, compiled=True)


def test_views_are_written_through_in_nested_loops():
    check(write_through_view, X, loops=0)  # few iterations are copied


def append(np, x):
    results = []
    for i in range(N):
        results.append(x[i])  # noqa: PERF401 - it is what is tested
    return np.stack(results)


def count_calls(np, x):
    counts = {"calls": 0}
    for i in range(N):
        counts["calls"] += 1
        x[i] *= counts["calls"]
    return counts["calls"]


def take_from_iterator(np, x):
    values = iter([0.5 * i for i in range(N)])
    for i in range(N):
        x[i] += next(values)


def swap(np, u, v):
    for _ in range(10):
        v[1:] = u[:-1] * 2
        u, v = v, u
    return u, v


def add_fibonacci(np, x):
    a, b = 0, 1
    for i in range(N):
        x[i] += a
        a, b = b, a + b
    return a


def grow(np, x):
    for _ in range(9):
        x = np.concatenate([x, x[:1]])
    return x


def catch(np, x):
    """Catch an exception that NumPy does not raise."""
    for i in range(N):
        try:
            value = [1.0, 2.0][i % 2]
        except TypeError:
            value = 5.0
        x[i] = value


UNROLLED = [
    *[(append, "a list", X), (count_calls, "a dict", X), (take_from_iterator, "list_iterator", X)],
    *[(swap, "a view of", X, X), (add_fibonacci, "64 bits", X), (grow, "shape", X), (catch, "does not know", X)],
]


@pytest.mark.parametrize(("program", "reason", "arguments"), [(program, why, rest) for program, why, *rest in UNROLLED])
def test_a_loop_that_cannot_be_one_of_the_graph_is_copied_and_says_why(program, reason, arguments):
    expected = run(numpy, program, *arguments)
    actual, loops = trace(program, *arguments)
    reports = [report for report in np.explain_loops() if report.function == program.__name__]
    assert loops == 0
    assert reason in str(reports[0])
    assert reports[0].iterations > 8
    for one, other in zip(actual, expected, strict=True):
        numpy.testing.assert_allclose(one, other)


@pytest.mark.full
def test_random_numbers_differ_from_iteration_to_iteration():
    def draw(np, x):
        generator = np.random.default_rng(0)
        for i in range(N):
            x[i] = generator.random()

    actual, _ = trace(draw, X)
    numpy.testing.assert_array_equal(actual[0], run(numpy, draw, X)[0])


SMOOTH = [(program, rest) for program, *rest in LOOPS if program not in (stop_at_large, halve)]
IN_SHORT = (sum_windows, run_backwards, keep_index)
GRADIENTS = [
    pytest.param(*pair, compiled, marks=[] if pair[0] in IN_SHORT and not compiled else [pytest.mark.full])
    for pair in SMOOTH
    for compiled in (False, True)
]


@pytest.mark.parametrize(("program", "arguments", "compiled"), GRADIENTS)
def test_gradients_through_loops_agree_with_differences(program, arguments, compiled):
    direction = numpy.cos(numpy.arange(arguments[0].size).reshape(arguments[0].shape))

    def total(np, x):
        return sum(np.sum(value * value) for value in run(np, program, x, *arguments[1:]))

    def differentiate(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            loss = total(np, x)
        return tape.gradient(loss, x)

    step = 1e-6
    ends = [float(total(numpy, arguments[0] + sign * step * direction)) for sign in (1, -1)]
    slope = tf.function(differentiate, jit_compile=compiled)(np.array(arguments[0]))
    numpy.testing.assert_allclose((numpy.asarray(slope) * direction).sum(), (ends[0] - ends[1]) / (2 * step), rtol=1e-4)


def find_slope(program, arguments, directions, step=1e-6):
    """Return the central difference of the weighed sum of a program's result, in a direction of its arguments."""
    ends = [
        weigh(numpy, program, *(x + sign * step * d for x, d in zip(arguments, directions, strict=True)))
        for sign in (1, -1)
    ]
    return (ends[0] - ends[1]) / (2 * step)


def weigh(np, program, *arguments):
    result = program(np, *(np.array(x) for x in arguments))
    return np.sum(result * numpy.cos(numpy.arange(result.size)).reshape(result.shape))


IN_FIRST_TIER = (looped_programs.jacobi, looped_programs.mlp)
LOOPED = [
    pytest.param(program, arguments, way, marks=[] if program in IN_FIRST_TIER else [pytest.mark.full])
    for program, *arguments in looped_programs.PROGRAMS
    for way in ("inside", "inside, compiled", "outside", "outside, compiled")
]


@pytest.mark.parametrize(("program", "arguments", "way"), LOOPED)
@pytest.mark.filterwarnings("error::tfnp.numpy.NotCompiledWarning")
def test_gradients_of_programs_agree_with_differences(program, arguments, way):
    def value(*xs):
        return weigh(np, program, *xs)

    def slopes(*xs):
        with tf.GradientTape() as tape:
            tape.watch(xs)
            loss = call(*xs)
        return tape.gradient(loss, xs)

    place, *compiled = way.split(", ")
    call = value if place == "inside" else tf.function(value, jit_compile=bool(compiled))
    found = (np.jit(slopes, jit_compile=bool(compiled)) if place == "inside" else slopes)(*map(np.array, arguments))
    directions = [numpy.random.default_rng(1).standard_normal(x.shape) for x in arguments]
    slope = sum((numpy.asarray(x) * direction).sum() for x, direction in zip(found, directions, strict=True))
    numpy.testing.assert_allclose(slope, find_slope(program, arguments, directions), rtol=1e-5)


def test_a_tape_outside_of_a_compiled_loop_differentiates_nested_ones():
    @tf.function(jit_compile=True)
    def total(x):
        y = np.array(x)
        for i in range(N):
            for j in range(N):
                y[i] = y[i] + x[j] * y[j - 1] * 0.1
            if y[i] > 3:
                y[i] *= 0.5
        return np.sum(y)

    def slope(function, x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            value = function(x)
        return numpy.asarray(tape.gradient(value, x))

    x = np.array(X)
    numpy.testing.assert_allclose(slope(total, x), slope(tf.function(total.python_function), x), rtol=1e-9)


def draw_statement(rng, depth, indices):
    """Return a random statement as lines of source."""
    index = rng.choice(indices)
    kind = rng.choice(["write", "update", "window", "row", "sum", "if", "for", "assign", "slice"])
    offset = rng.choice([0, 1, 2])
    if kind == "write":
        return [f"x[{index}] = y[{rng.choice(indices)} - {offset}] * 0.5 + s"]
    if kind == "update":
        return [f"y[{index} - {offset}] {rng.choice(['+=', '-='])} x[{rng.choice(indices)}] * 0.25"]
    if kind == "window":
        return [f"x[{index}:{index} + {offset}] += y[{index}:{index} + {offset}] * 0.5"]
    if kind == "slice":
        return [f"y[{index}:] = y[{index}:] * 0.5 + {offset}"]
    if kind == "row":
        return [f"a[{index} % 3, {offset}] = x[{index}] + {index}", f"x[{index}] = a[{index} % 3].sum() * 0.1"]
    if kind == "sum":
        return [f"s = s * 0.5 + x[{index}]"]
    if kind == "assign":
        return [f"y = y * 0.9 + x[{index}]"]
    body = draw_block(rng, depth + 1, indices) if depth < 2 else ["s = s + 1"]
    if kind == "if":
        condition = rng.choice([f"{index} % 2 == 0", f"x[{index}] > 0.5", f"{index} > 4"])
        return [f"if {condition}:", *[f"    {line}" for line in body]]
    new = "ijk"[len(indices)] if len(indices) < 3 else None
    if new is None:
        return [f"x[{index}] += 1"]
    bounds = rng.choice(["9", f"{index}, 9", f"{index} + 1", "8, -1, -1"])
    inner = draw_block(rng, depth + 1, [*indices, new]) if depth < 2 else [f"x[{new}] += 0.5"]
    return [f"for {new} in range({bounds}):", *[f"    {line}" for line in inner]]


def draw_block(rng, depth, indices):
    return [line for _ in range(rng.randint(1, 3)) for line in draw_statement(rng, depth, indices)]


def draw_program(seed):
    rng = random.Random(seed)
    lines = ["s = 0.0", "for i in range(10):", *[f"    {line}" for line in draw_block(rng, 0, ["i"])], "return s, y"]
    return "def program(np, x, y, a):\n" + "\n".join(f"    {line}" for line in lines) + "\n"


def check_drawn(seed, folder, compiled):
    source = draw_program(seed)
    path = folder / f"drawn_{seed}.py"
    path.write_text(source)
    scope = {}
    exec(compile(source, str(path), "exec"), scope)
    values = numpy.random.default_rng(seed)
    arguments = values.random(12), values.random(12), values.random((3, 4))
    with numpy.errstate(all="ignore"):
        expected = run(numpy, scope["program"], *arguments)
    actual, _ = trace(scope["program"], *arguments, compiled=compiled)
    for one, other in zip(actual, expected, strict=True):
        numpy.testing.assert_allclose(one, other, rtol=1e-9, err_msg=source)


@pytest.mark.parametrize("seed", range(2))
def test_drawn_programs_have_numpys_values(seed, tmp_path):
    check_drawn(seed, tmp_path, compiled=False)


@pytest.mark.full
@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("seed", range(100, 140))
def test_more_drawn_programs_have_numpys_values(seed, compiled, tmp_path):
    check_drawn(seed, tmp_path, compiled=compiled)
