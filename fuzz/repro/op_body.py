"""The body of a script about a program of TensorFlow's ops: it is compared with NumPy's numbers, or with eager mode."""

from __future__ import annotations

import math
from collections.abc import Mapping

from fuzz.differences import DEATHS
from fuzz.repro.body import Script
from oracle import Case
from oracle.harness import (
    GRADIENT,
    TENSORFLOW,
    flatten,
    input_name,
    judge_siblings,
    list_inputs,
    load_tensorflow,
    write_function,
    write_inputs,
    write_tensor,
)

CACHE_ZEROS = [
    "for dtype in (None, tf.float16, tf.bfloat16, tf.float32, tf.float64):",
    "    tf.convert_to_tensor(0.0, dtype)  # eager TensorFlow remembers it, and takes -0.0 for it",
]


class OpScript(Script):
    """The statements that make the inputs, define the program, run it in two ways, and compare."""

    def __init__(self, case: Case, mode: str, device: str = "CPU:0") -> None:
        super().__init__(case, TENSORFLOW, "tf", mode, device, takes_tensors=True)
        self.inputs = list_inputs(case)
        self.names = {id(array): input_name(index) for index, array in enumerate(self.inputs)}
        self.reference = "NumPy" if mode == "eager" else "eager"

    def body(self, kind: str, detail: str = "") -> list[str]:
        """Return the lines below the imports. A program that ends its process is not run."""
        if kind not in DEATHS:
            (verdict,) = judge_siblings([self.case], ["eager"], load_tensorflow(), twice=False)
            wrong = (part.expected for part in verdict.parts if part.case is self.case)
            self.expected = next(wrong, verdict.expected)
        return super().body("value" if kind == "gradient" else kind, detail)

    def make_arrays(self) -> list[str]:
        """Return the lines that make the device and the inputs."""
        lines, count = [], int(self.device.rpartition(":")[2]) + 1
        if self.device.startswith("CPU:") and count > 1:
            lines.append('cpu = tf.config.list_physical_devices("CPU")[0]')
            devices = f"[tf.config.LogicalDeviceConfiguration()] * {count}"
            lines.append(f"tf.config.set_logical_device_configuration(cpu, {devices})")
        numbers = [value for value in self.case.leaves() if isinstance(value, float)]
        if any(number == 0 and math.copysign(1, number) < 0 for number in numbers):
            lines += CACHE_ZEROS
        return [*lines, *write_inputs(self.case)]

    def definition(self) -> list[str]:
        """Return the lines that define the program as a function of its inputs."""
        rest = write_function(self.case)[1:]
        names = self._join_names()
        if self.case.name != GRADIENT:
            return ["", f"def program({names}):", *rest, ""]
        floats = (array for array in self.inputs if array.dtype.kind == "f" or array.dtype.name == "bfloat16")
        watched = ", ".join(self.names[id(array)] for array in floats)
        return [
            "",
            f"def differentiated({names}):",
            *rest,
            "",
            f"def program({names}):",
            "    with tf.GradientTape() as tape:",
            f"        tape.watch([{watched}])",
            f"        total = tf.reduce_sum(tf.nest.flatten(differentiated({names}))[0])",
            f"    return tape.gradient(total, [{watched}], unconnected_gradients=tf.UnconnectedGradients.ZERO)",
            "",
        ]

    def numpy_call(self) -> str:
        """Return what NumPy gives; for another mode than eager mode, the call in that."""
        if self.mode != "eager":
            return f"program({self._join_names()})"
        values = [write_tensor(value) for value in flatten(self.expected.value)]
        return f"[{', '.join(values)}]" if isinstance(self.expected.value, list | tuple) else values[0]

    def subject_call(self, given: Mapping[str, str] | None = None) -> tuple[str, list[str]]:
        """Return the call in its mode, and the line that defines the function, if the mode needs one."""
        names = ", ".join(given[name] if given else name for name in self.names.values())
        if self.mode == "eager":
            return f"program({names})", []
        line = f"function = tf.function(program, autograph=False{self.traced_with(list(self.names.values()))})"
        return f"function({names})", [line]

    def _join_names(self) -> str:
        return ", ".join(self.names.values())
