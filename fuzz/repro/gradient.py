"""The part of a script that compares a derivative with finite differences, or with that of an eager tape."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from oracle import Case, Mode
from oracle.harness import ACROSS, differences_of_results, directions_of, double_weights_of, widen

INNER = (
    "inner = lambda one, other: sum(tf.reduce_sum(tf.math.real(tf.math.conj(a) * b)) "
    "for a, b in zip(one, other) if b is not None)"
)
DOUBLES = "doubles = lambda result: [r for r in tf.nest.flatten(result) if r.dtype in (tf.float64, tf.complex128)]"
DOUBLES_OF_SINGLES = (
    "doubles = lambda result: [tf.cast(r, tf.complex128 if r.dtype in (tf.complex64, tf.complex128) else tf.float64) "
    "for r in tf.nest.flatten(result) if r.dtype in (tf.float32, tf.complex64, tf.float64, tf.complex128)]"
)
CHECKED = (
    "@tf.custom_gradient",
    "def checked(x):",
    "    def check(upstream):",
    "        if upstream.dtype != x.dtype:",
    '            raise TypeError(f"the gradient of {x.dtype.name} is {upstream.dtype.name}")',
    "        return upstream",
    "    return tf.identity(x), check",
)
FIRST = "(along(2.0**-13) - along(-2.0**-13)) * 2.0**12"
SECOND = "(along(2.0**-10) - 2 * along(0.0) + along(-2.0**-10)) * 2.0**20"
SAME = (
    "same = all(np.array_equal(np.isfinite(a), np.isfinite(e)) and np.allclose(a[np.isfinite(a)], e[np.isfinite(a)], "
    "1e-5) for a, e in ((np.asarray(a), np.asarray(e)) for a, e in zip(actual, expected)))"
)


def compare_slopes(case: Case, names: Mapping[int, str], alias: str, mode: Mode, detail: str) -> list[str]:
    """Return the lines that compare a derivative along a direction with finite differences; or a gradient with that of
    an eager tape, if `detail` says that finite differences conclude nothing.
    """
    script = _DerivativeScript(case, names, alias, mode)
    if "in eager mode" in detail:
        return script.compare_with_eager(is_branch="in a branch" in detail)
    return guard_slope(script.compare_with_differences(detail), "actual", detail)


def guard_slope(lines: list[str], name: str, detail: str) -> list[str]:
    """Return the lines with the assignment of this name in a `try` that ends the script as one that shows its
    difference, if `detail` says that there is an error instead of a slope.
    """
    if "; the slope is" not in detail:
        return lines
    at = next(i for i, line in enumerate(lines) if line.startswith(f"{name} ="))
    guarded = ["try:", f"    {lines[at]}", "except Exception as error:", "    print(repr(error))"]
    return [*lines[:at], *guarded, "    raise SystemExit(1)", *lines[at + 1 :]]


class _DerivativeScript:
    """The lines about the derivative of a case in a mode. `given` are its inputs as tensors."""

    def __init__(self, case: Case, names: Mapping[int, str], alias: str, mode: Mode) -> None:
        self.case, self.names, self.alias, self.mode = case, names, alias, mode
        self.inputs = [names[id(array)] for array in case.arrays()]
        self.in_doubles = widen(case)
        self.doubles = [names[id(array)] for array in case.arrays() if array.dtype.char in "fFdD"]
        self.rows = [_format_wide(array, names[id(array)]) for array in case.arrays() if array.dtype.char in "fFdD"]
        self.parameters, self.watched = ", ".join(self.inputs), ", ".join(self.doubles)
        self.given = ", ".join(f"tf.constant({_format_wide(array, names[id(array)])})" for array in case.arrays())
        self.is_reverse = mode.name not in ("jvp", "hvp")
        narrow = {id(array): self.format_narrow(array) for array in case.arrays()}
        self.results = f"doubles({format_call(case, alias, narrow)})"
        self.call = f"inner(weights, {self.results})"

    def compare_with_differences(self, detail: str) -> list[str]:
        """Return the lines that compare a slope with finite differences, and exit."""
        second = "slope's slope" in detail
        reference = differences_of_results(self.in_doubles)
        error = 0.0 if reference is None else reference.errors[int(second)]
        if self.mode.name == "hvp":
            error = float(detail.rpartition("within ")[2] or 0) if "within " in detail else 0.0
        moved = ", ".join(
            f"{n} + step * directions[{self.doubles.index(n)}]" if n in self.doubles else n for n in self.inputs
        )
        lines = self.define()
        if self.mode.name == "hvp":
            tensors = ", ".join(f"tf.constant({part})" for part in moved.split(", "))
            lines += self._tape("gradients", self.call)
            lines += [f"along = lambda step: inner(across, gradients({tensors}))"]
        else:
            numpys = f"inner(weights, doubles({format_call(self.case, 'np', self.names)}))"
            lines += [f"numpys = lambda {self.parameters}: {numpys}", f"along = lambda step: numpys({moved})"]
        return [
            *lines,
            *self.derive(second),
            f"actual = {self.slope(is_branch='in a branch' in detail)}",
            f"expected = {SECOND if second else FIRST}",
            'print(f"expected: {expected!r}\\nsubject:  {actual!r}")',
            f"raise SystemExit(0 if abs(actual - expected) <= {error:.3g} + 1e-3 * abs(expected) else 1)",
        ]

    def compare_with_eager(self, *, is_branch: bool) -> list[str]:
        """Return the lines that compare a gradient with that of an eager tape, and exit."""
        usual = self._tape("plain", self.call)
        derived = f"{self.compile('derive')}({self.given})"
        if self.mode.name == "gradient_while":
            derived += "[1]" if is_branch else "[0]"
        return [
            *self.define(),
            *usual,
            *self.derive(second=False),
            f"actual = {derived}",
            f"expected = plain({self.given})",
            'print(f"eager:     {expected!r}\\nthis mode: {actual!r}")',
            SAME,
            "raise SystemExit(0 if same else 1)",
        ]

    def format_narrow(self, array: np.ndarray) -> str:
        """Return the source of the tensor that stands for an array, in the array's dtype."""
        name = self.names[id(array)]
        narrow = f'tf.cast({name}, "{array.dtype.name}")'
        return (f"checked({narrow})" if self.is_reverse else narrow) if array.dtype.char in "fF" else name

    def define(self) -> list[str]:
        """Return the lines that define the direction, the weights and sums."""
        lines = [
            f"directions = [{', '.join(map(format_array, directions_of(self.in_doubles)))}]",
            f"weights = [{', '.join(map(format_array, double_weights_of(self.in_doubles) or []))}]",
        ]
        if self.mode.name == "hvp":
            lines.append(f"across = [{', '.join(map(format_array, directions_of(self.in_doubles, ACROSS)))}]")
        if self.in_doubles is self.case:
            return [*lines, DOUBLES, INNER]
        return [*lines, DOUBLES_OF_SINGLES, INNER, *(CHECKED if self.is_reverse else ())]

    def derive(self, second: bool) -> list[str]:
        """Return the lines that define `derive`, a function of the inputs that returns derivatives."""
        steps = "[tf.constant(direction) for direction in directions]"
        forward = f"    with tf.autodiff.ForwardAccumulator([{self.watched}], {steps}) as forward:"
        if self.mode.name in ("jvp", "hvp"):
            results = self.results
            if self.mode.name == "hvp":
                results = f"gradients({self.parameters})"
            pushed = [f"        results = {results}", "    return map(forward.jvp, results)"]
            return [self._head("derive"), forward, *pushed]
        if self.mode.name == "gradient_while":
            return self._loop()
        if not second:
            return self._tape("derive", self.call)
        return [*self._tape("first", self.call), *self._tape("derive", f"inner(directions, first({self.parameters}))")]

    def slope(self, *, is_branch: bool) -> str:
        """Return the source of the slope."""
        factors = {"jvp": "weights", "hvp": "across"}.get(self.mode.name, "directions")
        derived = f"{self.compile('derive')}({self.given})"
        if self.mode.name == "gradient_while":
            derived += "[1]" if is_branch else "[0]"
        return f"inner({factors}, {derived})"

    def compile(self, function: str) -> str:
        """Return the source of the function as the mode runs it."""
        if self.mode.name in ("gradient", "jvp", "hvp"):
            return function
        is_xla = self.mode.name == "gradient_xla"
        compiled = f"tf.function({function}, autograph=False{', jit_compile=True' if is_xla else ''})"
        return wrap_for_sending(compiled) if is_xla and self.mode.device.startswith("job:") else compiled

    def _tape(self, name: str, of: str) -> list[str]:
        return [
            self._head(name),
            "    with tf.GradientTape() as tape:",
            f"        tape.watch([{self.watched}])",
            f"        result = {of}",
            f"    return {self._gradients(f'[{self.watched}]')}",
        ]

    def _loop(self) -> list[str]:
        computed = ", ".join(f"tf.identity({name})" if name in self.doubles else name for name in self.inputs)
        read = ", ".join(
            f"tf.gather(rows[{self.doubles.index(name)}], index)" if name in self.doubles else name
            for name in self.inputs
        )
        zero, count = "tf.zeros((), tf.float64)", len(self.doubles)
        return [
            f"rows = [{', '.join(f'tf.Variable(np.stack([{name}] * 2))' for name in self.rows)}]",
            f"one = lambda {self.parameters}: {self.call}",
            f"def loop({self.parameters}):",
            f"    computed = [{computed}]",
            "    def turn(index, total):",
            f"        branch = tf.cond(index == 1, lambda: one({read}), lambda: {zero})",
            "        return index + 1, total + one(*computed) + branch",
            "    turns = dict(maximum_iterations=2)",
            f"    return tf.while_loop(lambda index, _: index < 2, turn, (tf.constant(0), {zero}), **turns)[1]",
            self._head("derive"),
            "    with tf.GradientTape() as tape:",
            f"        tape.watch([{self.watched}])",
            f"        result = loop({self.parameters})",
            f"    all_gradients = {self._gradients(f'[{self.watched}, *rows]')}",
            f"    in_loop = [gradient / 2 for gradient in all_gradients[:{count}]]",
            f"    return in_loop, [tf.reduce_sum(gradient, 0) for gradient in all_gradients[{count}:]]",
        ]

    @staticmethod
    def _gradients(sources: str) -> str:
        zero = 'tape.gradient(result, sources, unconnected_gradients="zero")'
        return f"[tf.convert_to_tensor(g) for g in {zero.replace('sources', sources)}]"

    def _head(self, name: str) -> str:
        return f"def {name}({self.parameters}):"


def _format_wide(array: np.ndarray, name: str) -> str:
    """Return the source of an array, of single precision as doubles."""
    return f'{name}.astype("{array.dtype.char.translate(WIDER)}")' if array.dtype.char in "fF" else name


WIDER = str.maketrans("fF", "dD")


def wrap_for_sending(compiled: str) -> str:
    """Return the source of a plain `tf.function` around a function compiled by XLA, as TensorFlow sends it to another
    process.
    """
    return f"tf.function(lambda *given: {compiled}(*given), autograph=False)"


LONGEST_EXPRESSION = 2  # calls: a longer program is a function in the script, with a call a line


def is_function(case: Case) -> bool:
    """Return whether a script defines a function for the case: it is a longer program, or writes between its calls."""
    return len(case.calls()) > LONGEST_EXPRESSION or case.is_sequence()


def format_call(case: Case, module: str, names: Mapping[int, str], function: str = "program") -> str:
    """Return the source of the call on `module`, with a name for each array; of a longer program, the call of the
    function that `define_program` defines.
    """
    if is_function(case):
        return f"{function}({', '.join([module, *(names[id(array)] for array in case.arrays())])})"
    return case.typed(module, lambda array: names[id(array)])


def define_program(
    case: Case, names: Mapping[int, str], other: Callable[[Any], str | None] | None = None, function: str = "program"
) -> list[str]:
    """Return the lines that define the function of a longer program, of a library and the arrays."""
    if not is_function(case):
        return []
    *lines, result = case.statements("lib", lambda array: names[id(array)], other)
    parameters = ["lib", *(names[id(array)] for array in case.arrays())]
    return [
        "",
        f"def {function}({', '.join(parameters)}):",
        *(f"    {line}" for line in lines),
        f"    return {result}",
        "",
    ]


def format_array(array: np.ndarray) -> str:
    """Return the source of an array."""
    return Case("", (array,)).typed("")[len(".(") : -1]
