"""Standalone scripts for findings about programs: they import TensorFlow and NumPy only, and exit with 1 if the bug
occurs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import ml_dtypes
import numpy as np

from fuzz.repro.body import HANG_SECONDS, MEMORY_GIBIBYTES
from fuzz.repro.source import ENCODING, check_source, quote_text
from oracle.harness import Program, function_source, input_lines, input_name, make_line, tensor_source

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
_HEAD = (
    ENCODING
    + '''
"""{title}"""
import os
import sys
{imports}
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np
import tensorflow as tf

'''
)
_SAME = '''
def same(expected, actual, ulps={ulps}, slack={slack}):
    """Whether both have the same dtype, shape and elements; nan equals nan, 0.0 and -0.0 differ{signs}."""
    if expected.dtype != actual.dtype or expected.shape != actual.shape:
        return False
    if expected.dtype.kind not in "fcV":
        return bool(np.array_equal(expected, actual))
    eps = float(tf.experimental.numpy.finfo(expected.dtype).eps) if expected.dtype.kind != "V" else 2.0**-7
    parts = [(np.real, 1), (np.imag, 1)] if expected.dtype.kind == "c" else [(np.asarray, 1)]
    for part, _ in parts:
        left, right = (part(one).astype(np.longdouble) for one in (expected, actual))
        alike = ((left == right){compare_signs}) | (np.isnan(left) & np.isnan(right))
        finite = np.isfinite(left) & np.isfinite(right) & ((left != 0) | (right != 0))
        size = np.abs(np.where(np.isfinite(expected), expected, 0)).astype(np.longdouble)
        near = np.abs(np.where(finite, right - left, 0)) <= np.maximum(ulps * eps * size, slack)
        if not np.all(alike | (finite & near)):
            return False
    return True
'''


def write_program_script(
    program: Program,
    way: str,
    kind: str,
    title: str,
    *,
    tolerance: tuple[float, float] = (0.0, 0.0),
    signs: bool = True,
    expected: np.ndarray | None = None,
    output: int = 0,
    before: Program | None = None,
    device: str = "",
) -> str:
    """Return the script of a finding. The program `before` runs first, if the difference depends on the process's
    history. All runs on the `device`, if that is not the first.
    """
    lines = _write_lines(program, way, kind, title, tolerance, signs, expected, output, before)
    return check_source("\n".join([*lines[:1], *(_choose_device(device) if device else ()), *lines[1:]]) + "\n")


def _choose_device(device: str) -> list[str]:
    """Return the lines that make the device, if it is a further CPU, and run all that follows on it."""
    kind, _, number = device.partition(":")
    configure = "tf.config.set_logical_device_configuration"
    cpus = f'{configure}(tf.config.list_physical_devices("CPU")[0], [tf.config.LogicalDeviceConfiguration()] * '
    return [*([f"{cpus}{int(number) + 1})"] if kind == "CPU" else []), f"tf.device({quote_text(device)}).__enter__()"]


def _write_lines(
    program: Program,
    way: str,
    kind: str,
    title: str,
    tolerance: tuple[float, float],
    signs: bool,
    expected: np.ndarray | None,
    output: int,
    before: Program | None,
) -> list[str]:
    """Return the script; its first line has everything up to the imports."""
    if kind in ("crash", "hang", "memory"):
        return _of_death(program, way, kind, title)
    lines = [_HEAD.format(title=_as_docstring(title), imports="").rstrip("\n"), ""]
    lines += [*input_lines(program), "", "", *_functions(program)]
    if kind == "spurious error":
        return [*lines, "", *_of_error(program, way)]
    lines += [
        _SAME.format(
            ulps=_write_float(tolerance[0]),
            slack=_write_float(tolerance[1]),
            signs="" if signs else " not",
            compare_signs=" & (np.signbit(left) == np.signbit(right))" if signs else "",
        ),
        "",
    ]
    if before is not None:
        lines += [*_functions(before), "", f"{_call(before, 'f')}  # which something remembers", ""]
        lines += [*_functions(program), ""]
    in_eager = f"np.asarray({_call(program, 'f')}[{output}])"
    reference = f"{tensor_source(expected)}.numpy()" if expected is not None else in_eager
    lines += [
        f"expected = {reference}",
        f"actual = np.asarray({_call(program, _wrapped(way))}[{output}])",
        'print("expected", expected)',
        'print("actual  ", actual)',
        "sys.exit(0 if same(expected, actual) else 1)",
    ]
    return lines


def _functions(program: Program) -> list[str]:
    """Return the lines of a function `f` that returns a list of tensors."""
    if not program.gradient:
        lines = function_source(program)
        lines[-1] = lines[-1].replace("return ", "return tf.nest.flatten(") + ")"
        return lines
    lines = function_source(program)
    lines[0] = lines[0].replace("def f(", "def g(")
    names = ", ".join(input_name(i) for i in range(len(program.inputs)))
    watched = ", ".join(
        input_name(i) for i, a in enumerate(program.inputs) if a.dtype.kind == "f" or a.dtype == BFLOAT16
    )
    return [
        *lines,
        "",
        "",
        f"def f({names}):",
        "    with tf.GradientTape() as tape:",
        f"        tape.watch([{watched}])",
        f"        total = tf.reduce_sum(tf.nest.flatten(g({names}))[0])",
        f"    return tape.gradient(total, [{watched}], unconnected_gradients=tf.UnconnectedGradients.ZERO)",
    ]


def _wrapped(way: str) -> str:
    """Return the expression for `f` in a mode."""
    options = {"eager": "f", "graph": "tf.function(f, autograph=False)"}
    return options.get(way, "tf.function(f, autograph=False, jit_compile=True)")


def _call(program: Program, function: str) -> str:
    return f"{function}({', '.join(input_name(i) for i in range(len(program.inputs)))})"


def _of_error(program: Program, way: str) -> Sequence[str]:
    return [
        "",
        f'print("expected", {_call(program, "f")})',
        "try:",
        f'    print("actual  ", {_call(program, _wrapped(way))})',
        "except Exception as error:",
        '    print("actual  ", type(error).__name__, str(error)[:300])',
        "    sys.exit(1)",
    ]


def _of_death(program: Program, way: str, kind: str, title: str) -> list[str]:
    """Return the script of a program that ends its process: it is killed by a signal, or by an alarm that it sets, or
    exits with 1 if it needs more memory than it limits itself to.
    """
    call = [f"print({_call(program, _wrapped(way))})  # the process dies"]
    imports = {"hang": "import signal\n", "memory": "import resource\n"}.get(kind, "")
    if kind == "hang":
        call = [f"signal.alarm({HANG_SECONDS})  # ends the process", f"print({_call(program, _wrapped(way))})"]
    elif kind == "memory":
        limit = f"{MEMORY_GIBIBYTES} << 30"
        call = [f"resource.setrlimit(resource.RLIMIT_AS, ({limit}, {limit}))", *_of_error(program, way)[1:]]
    head = _HEAD.format(title=_as_docstring(title), imports=imports).rstrip("\n")
    return [head, "", *input_lines(program), "", "", *_functions(program), "", "", *call]


def _write_float(number: float) -> str:
    return repr(number) if math.isfinite(number) else f"float('{number}')"


def _as_docstring(title: str) -> str:
    return make_line(title).replace("\\", "\\\\").replace('"', '\\"')
