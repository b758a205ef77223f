"""The part of a script that compares a gradient of `tf.GradientTape` with finite differences of NumPy's function."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from oracle import Case, Mode, differences_of_results, directions_of, weights_of

WEIGHED = (
    "weighed = lambda result: sum(tf.reduce_sum(tf.math.real(tf.math.conj(w) * r)) for w, r in zip(weights, "
    "[r for r in tf.nest.flatten(result) if r.dtype in (tf.float64, tf.complex128)]))"
)


def compare_slopes(case: Case, names: Mapping[int, str], alias: str, mode: Mode, detail: str) -> list[str]:
    """Return the lines that compare the tape's gradient along a direction with finite differences."""
    reference, second = differences_of_results(case), "slope's slope" in detail
    error = 0.0 if reference is None else reference.errors[int(second)]
    inputs = [names[id(array)] for array in case.arrays()]
    doubles = [names[id(array)] for array in case.arrays() if array.dtype.char in "dD"]
    parameters = ", ".join(inputs)
    taken = "second" if second else "slope"
    compiled = f"tf.function({taken}, autograph=False{', jit_compile=True' if mode.name == 'gradient_xla' else ''})"
    if mode.name == "gradient_xla" and mode.device.startswith("job:"):
        compiled = wrap_for_sending(compiled)
    given = ", ".join(f"tf.constant({name})" for name in inputs)
    moved = ", ".join(f"{n} + step * moves[{doubles.index(n)}]" if n in doubles else n for n in inputs)
    return [
        f"moves = [{', '.join(map(format_array, directions_of(case)))}]",
        f"weights = [{', '.join(map(format_array, weights_of(case) or []))}]",
        WEIGHED,
        *_tape(inputs, doubles, "slope", f"weighed({format_call(case, alias, names)})"),
        *(_tape(inputs, doubles, "second", f"slope({parameters})") if second else []),
        f"actual = {taken if mode.name == 'gradient' else compiled}({given})",
        f"numpys = lambda {parameters}: weighed({format_call(case, 'np', names)})",
        f"along = lambda step: numpys({moved})",
        f"expected = {SECOND if second else FIRST}",
        'print(f"NumPy:   {expected!r}\\nsubject: {actual!r}")',
        f"raise SystemExit(0 if abs(actual - expected) <= {error:.3g} + 1e-3 * abs(expected) else 1)",
    ]


FIRST = "(along(2.0**-13) - along(-2.0**-13)) * 2.0**12"
SECOND = "(along(2.0**-10) - 2 * along(0.0) + along(-2.0**-10)) * 2.0**20"


def wrap_for_sending(compiled: str) -> str:
    """Return the source of a plain `tf.function` around a function compiled by XLA, as TensorFlow sends it to another
    process.
    """
    return f"tf.function(lambda *given: {compiled}(*given), autograph=False)"


def _tape(inputs: list[str], doubles: list[str], name: str, of: str) -> list[str]:
    watched = ", ".join(doubles)
    term = "tf.reduce_sum(tf.math.real(tf.math.conj(g) * m))"
    return [
        f"def {name}({', '.join(inputs)}):",
        "    with tf.GradientTape() as tape:",
        f"        tape.watch([{watched}])",
        f"        result = {of}",
        f"    gradients = tape.gradient(result, [{watched}])",
        f"    return sum({term} for g, m in zip(gradients, moves) if g is not None)",
    ]


def format_call(case: Case, module: str, names: Mapping[int, str]) -> str:
    """Return the source of the call on `module`, with a name for each array."""
    return case.typed(module, lambda array: names[id(array)])


def format_array(array: np.ndarray) -> str:
    """Return the source of an array."""
    return Case("", (array,)).typed("")[len(".(") : -1]
