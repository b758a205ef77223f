"""The body of a script that calls NumPy and a library with an adapter, in that library's own API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fuzz.repro.body import Script, avoid_tensorflow
from fuzz.repro.gradient import FIRST, define_program, format_array, format_call, guard_slope, is_function
from oracle import Adapter, Case
from oracle.harness import differences_of_results, directions_of, text_of, weights_of

CONVERTED = [
    "value",
    "dtype",
    "shape",
    "nondeterminism",
    "differs from eager",
    "spurious error",
    "missing error",
    "different error",
    "hang",
]
"""Kinds of findings whose scripts look at elements, or wait for them: what a library gives is converted there."""

OF_LIBRARY = "program_of_library"
"""The function of a longer program with the library's own dtypes and scalars."""


class AdaptedScript(Script):
    """The statements that make the arrays, call NumPy and the library, and compare."""

    def __init__(self, case: Case, subject: str, adapter: Adapter, mode: str, device: str = "CPU:0") -> None:
        super().__init__(case, subject, adapter.module, mode, device, takes_tensors=False)
        self.adapter, self.kind = adapter, ""

    def body(self, kind: str, detail: str = "") -> list[str]:
        """Return the lines below the imports."""
        self.kind = kind
        arrays = [f"{self.names[id(array)]} = {format_array(array)}" for array in self.case.arrays()]
        if kind == "gradient":
            return [*arrays, *self.definition(), *self.placed(guard_slope(self._measured(), "gradients", detail))]
        lines = super().body(kind, detail)
        return avoid_tensorflow(lines, f"np.ndarray, np.generic, {self.adapter.array}")

    def make_targets(self) -> list[str]:
        """Return the lines that make the library's arrays that the subject writes to."""
        made = [
            (self.target(array), self._said(self.adapter.from_numpy, f'{self.name(array)}.copy("K")'))
            for array in self.written
        ]
        return self.placed([f"{target} = {text}" for target, text in made])

    def placed(self, lines: list[str]) -> list[str]:
        """Return the statements inside the scope of the mode and of the device."""
        context = self.adapter.devices.get(self.device, "")
        is_default = self.device == next(iter(self.adapter.devices), self.device)
        contexts = [self.adapter.scopes.get(self.mode, ""), "" if is_default and self.device == "CPU:0" else context]
        if not lines or not any(contexts):
            return lines
        return [f"with {', '.join(filter(None, contexts))}:", *(f"    {line}" for line in lines)]

    def statements(self, name: str, call: str, written: Sequence[str]) -> list[str]:
        """Return the lines that assign a call's result, and the arrays it has written to, as NumPy arrays."""
        if name == "actual":
            written = [self._said(self.adapter.to_numpy, text) for text in written]
        return super().statements(name, call, written)

    def subject_call(self, given: Mapping[str, str] | None = None) -> tuple[str, list[str]]:
        """Return the subject's call in its mode, with a NumPy result, and the lines that define the function, if
        needed.
        """
        names = [self.names[id(array)] for array in self.inputs]
        made = [given[name] if given else self._said(self.adapter.from_numpy, name) for name in names]
        targets = {id(array): self.target(array) for array in self.written}
        if self.mode == "eager" or self.mode in self.adapter.scopes:
            inputs = {id(array): text for array, text in zip(self.inputs, made, strict=True)}
            return self._converted(self._typed(inputs | targets)), []
        plain = f"lambda{' ' * bool(names)}{', '.join(names)}: {self._typed(self.names | targets)}"
        if self.mode == "vmap":
            stacks = [self._said(self.adapter.from_numpy, f"np.stack([{name}, {name}])") for name in names]
            function = f"function = {self._said(self.adapter.vmap, plain)}"
            return self._converted(f"function({', '.join(stacks)})", "[0]"), [function]
        function = f"function = {self._said(self.adapter.compiled[self.mode], plain)}"
        return self._converted(f"function({', '.join(made)})"), [function]

    def harmful(self) -> list[str]:
        """Return the lines that show that a call changes its inputs."""
        names = [self.names[id(array)] for array in self.inputs]
        lines = [f"given_{name} = {self._said(self.adapter.from_numpy, f'{name}.copy()')}" for name in names]
        call, before = self.subject_call({name: f"given_{name}" for name in names})
        after = {name: self._said(self.adapter.to_numpy, f"given_{name}") for name in names}
        shown = [f'print("before:", {name}, "after:", {after[name]})' for name in names]
        test = " and ".join(f"np.array_equal({name}, {after[name]})" for name in names) or "True"
        return [*lines, *before, *self.scoped([call]), *shown, f"raise SystemExit(0 if {test} else 1)"]

    def definition(self) -> list[str]:
        """Return the lines that define the function of a longer program: two, if the library has arguments of its
        own.
        """
        lines, own = super().definition(), define_program(self.case, self.names, self._text_of)
        if lines == own:
            return lines
        return [*lines, *define_program(self.case, self.names, self._text_of, OF_LIBRARY)]

    def _typed(self, names: Mapping[int, str]) -> str:
        if is_function(self.case):
            is_numpys = super().definition() == define_program(self.case, self.names, self._text_of)
            return format_call(self.case, self.alias, names, *([] if is_numpys else [OF_LIBRARY]))
        return self.case.typed(self.alias, lambda array: names[id(array)], self._text_of)

    def _text_of(self, value: Any) -> str | None:
        return text_of(value, self.adapter)

    def _converted(self, call: str, part: str = "") -> str:
        """Return the expression that converts the library's arrays in a result to NumPy's, for a result of NumPy's
        structure.
        """
        if self.kind not in CONVERTED or self.kind.endswith("structure"):
            return call
        expected = self.expected.value
        if isinstance(expected, tuple | list) and all(map(_is_array, expected)):
            return f"[*map(lambda part: {self._said(self.adapter.to_numpy, 'part')}{part}, {call})]"
        is_array = _is_array(expected) or (expected is None and self.expected.error is not None and not self.written)
        return f"{self._said(self.adapter.to_numpy, call)}{part}" if is_array else f"{call}{part}"

    @staticmethod
    def _said(text: str, about: str) -> str:
        return text.replace("{}", about)

    def _measured(self) -> list[str]:
        """Return the lines that compare the library's gradient along a direction with finite differences."""
        case, reference, say = self.case, differences_of_results(self.case), self._said
        doubles = [self.name(array) for array in case.arrays() if array.dtype.char in "dD"]
        names = [self.name(array) for array in case.arrays()]
        made = {name: say(self.adapter.from_numpy, name) for name in names}
        for i, name in enumerate(doubles):
            made[name] += f" + steps[{i}] * {say(self.adapter.from_numpy, f'directions[{i}]')}"
        weighed = say(self.adapter.from_numpy, "np.conj(weight)")
        kinds = {weight.dtype.kind for weight in weights_of(case) or []}
        real = f"{self.alias}.real({{}})" if kinds == {"c"} else "{}"
        real = f"({self.alias}.real({{0}}) if weight.dtype.kind == 'c' else {{0}})" if len(kinds) > 1 else real
        sums = f"{self.alias}.sum({real.format(f'{weighed} * part')})"
        parts = "result" if isinstance(self.expected.value, tuple | list) else "[result]"
        is_double = 'str(part.dtype).endswith(("float64", "complex128"))'
        steps = [say(self.adapter.from_numpy, f"np.zeros({name}.shape)") for name in doubles]
        slope = say(self.adapter.to_numpy, "part")
        moved = ", ".join(f"{n} + step * directions[{doubles.index(n)}]" if n in doubles else n for n in names)
        error = 0.0 if reference is None else reference.errors[0]
        weigh = "sum(np.sum((np.conj(weight) * part).real) for weight, part in zip(weights, doubles))"
        return [
            f"directions = [{', '.join(map(format_array, directions_of(case)))}]",
            f"weights = [{', '.join(map(format_array, weights_of(case) or []))}]",
            "def number(steps):",
            *(f"    {name}_moved = {text}" for name, text in made.items()),
            f"    result = {self._typed({id(a): f'{self.name(a)}_moved' for a in case.arrays()})}",
            f"    doubles = [part for part in {parts} if {is_double}]",
            f"    return sum({sums} for weight, part in zip(weights, doubles))",
            f"gradients = {say(self.adapter.grad, 'number')}([{', '.join(steps)}])",
            f"actual = sum(float(np.sum({slope})) for part in gradients)",
            f"def numpys({', '.join(names)}):",
            f"    result = {format_call(case, 'np', self.names)}",
            f"    doubles = [part for part in {parts} if {is_double}]",
            f"    return {weigh}",
            f"along = lambda step: numpys({moved})",
            f"expected = {FIRST}",
            'print(f"NumPy:   {expected!r}\\nsubject: {actual!r}")',
            f"raise SystemExit(0 if abs(actual - expected) <= {error:.3g} + 1e-3 * abs(expected) else 1)",
        ]


def _is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray | np.generic)
