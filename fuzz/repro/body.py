"""The body of a script that calls NumPy and a subject, as a user would type it, and compares."""

from __future__ import annotations

import builtins
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from fuzz.differences import DEATHS
from fuzz.repro import context_scripts, gradient, predicate, saved_scripts
from fuzz.repro.gradient import define_program, format_array, format_call
from fuzz.repro.source import quote_text
from oracle import Case, Mode, Outcome, run_numpy
from oracle.harness import CONTEXTS, REPEATS, SHAPELESS, UNDER_XLA, UNPRINTABLE, destinations, owners, ufunc_inputs

HANG_SECONDS = 20
MEMORY_GIBIBYTES = 16
ESCAPED = 3  # the exit status if an exception other than an Exception escapes
EXHAUSTED = """isinstance(a, MemoryError) or "EXHAUSTED" in f"{type(a).__name__} {a!r}".upper()"""
"""An expression of a script: whether an error `a` is of Python, or says so as TensorFlow and JAX do."""

ERROR_KINDS = ("missing error", "spurious error", "different error")
INPUTS = {"arrays": "{0}", "lists": "{0}.tolist()", "variables": "tf.Variable({0})"}
"""What is passed of an array in modes that are eager, but pass no tensors."""

LEAVES = [
    "def leaves(tree):",
    "    return [leaf for part in tree for leaf in leaves(part)] if isinstance(tree, (list, tuple)) else [tree]",
    "",
]
"""The lines that define what `tf.nest.flatten` does, for libraries without tensors."""

ERROR_HOMES = {"np.exceptions.": np.exceptions, "np.linalg.": np.linalg, "": builtins}


class Script:
    """The statements that make the arrays, call NumPy and the subject, and compare."""

    def __init__(
        self,
        case: Case,
        subject: str,
        alias: str,
        mode: str,
        device: str = "CPU:0",
        takes_tensors: bool | None = None,
    ) -> None:
        self.case, self.alias, self.mode, self.device = case, alias, mode, device
        self.takes_tensors = subject.partition(".")[0] != "numpy" if takes_tensors is None else takes_tensors
        self.map_options, self.tolerance = "", predicate.COARSE
        self.is_unprintable = False
        self.reference = "NumPy"
        self.expected: Outcome = run_numpy(case)
        arrays, written = case.arrays(), destinations(case)
        self.written = written
        self.inputs = [array for array in arrays if not any(array is target for target in written)]
        names = [*"xyzabcdefghijklmnopqrstuvw", *(f"x{count}" for count in range(1, len(self.inputs)))]
        self.names = {id(array): name for array, name in zip(self.inputs, names, strict=False)}
        count = len(self.written)
        self.names |= {id(array): "out" if count == 1 else f"out{at}" for at, array in enumerate(self.written, 1)}

    def body(self, kind: str, detail: str = "") -> list[str]:
        """Return the lines below the imports. `detail` names the error classes, in the words of a verdict."""
        lines = [*self.make_arrays(), *self.definition()]
        if self.device.startswith("job:"):
            lines += _serve_device(self.device)
        lines += self.make_targets()
        if kind == "gradient":
            mode = Mode(self.mode, self.device)
            if mode.name == "saved":
                return [*lines, *saved_scripts.compare_gradients(self.case, self.names, self.alias)]
            return [*lines, *self.placed(gradient.compare_slopes(self.case, self.names, self.alias, mode, detail))]
        if kind == "inputs changed":
            return [*lines, *self.harmful()]
        self.map_options = ", fallback_to_while_loop=False" if kind == "not vectorized" else ""
        call, before = self.subject_call()
        if kind == "not vectorized":
            lines += [*before, *self.scoped(self.guarded("actual", [f"actual = {call}"]))]
            return [*lines, 'print(f"{actual}")', "raise SystemExit(1 if isinstance(actual, Exception) else 0)"]
        if kind == "crash" and detail.startswith("raised "):
            return [*lines, *before, *self.scoped(self._escape(call))]
        if kind in DEATHS or kind == "nondeterminism":
            return [*lines, *before, *self.scoped(getattr(self, f"_{kind}")(call))]
        if kind == "differs from eager":
            return [*lines, *before, *self._unlike_eager(call)]
        if kind in ("static shape", "retrace"):
            return [*lines, *before, *self.scoped(self._traced(kind, call))]
        written = [] if kind in ERROR_KINDS else self.written
        numpy = self.statements("expected", self.numpy_call(), [self.names[id(a)] for a in written])
        lines += self.guarded("expected", numpy) if kind in ("missing error", "different error") else numpy
        actual = self.statements("actual", call, [self.target(array) for array in written])
        lines += before + self.scoped(self.guarded("actual", actual) if kind in ERROR_KINDS else actual)
        if kind in ERROR_KINDS:
            lines.append(f'print(f"{self._label()}{_shown("expected")}\\nsubject: {_shown("actual")}")')
            return [*lines, f"raise SystemExit(0 if {self.same_error(kind, detail)} else 1)"]
        shown = "{type(actual)}, " + UNPRINTABLE if self.is_unprintable else "{actual!r}"
        lines.append(f'print(f"{self._label()}{{expected!r}}\\nsubject: {shown}")')
        return [*lines, *self.test(kind, detail), "raise SystemExit(0 if same else 1)"]

    def _label(self) -> str:
        return f"{self.reference}:".ljust(len("subject: "))

    def make_arrays(self) -> list[str]:
        """Return a line for each array."""
        return [f"{self.names[id(array)]} = {format_array(array)}" for array in self.case.arrays()]

    def numpy_call(self) -> str:
        """Return NumPy's call."""
        return format_call(self.case, "np", self.names)

    def definition(self) -> list[str]:
        """Return the lines that define the function of a longer program."""
        return define_program(self.case, self.names)

    def _crash(self, call: str) -> list[str]:
        return [f"print({call})  # does not return: the process dies", "raise SystemExit(0)"]

    def _escape(self, call: str) -> list[str]:
        lines = ["try:", f"    print({call})", "except Exception as error:"]
        lines += ['    print(f"{type(error).__name__}: {error}")']
        lines += ["except BaseException as error:  # which ends a program that catches errors"]
        return [*lines, '    print(f"raised {error!r}")', f"    raise SystemExit({ESCAPED})", "raise SystemExit(0)"]

    def _hang(self, call: str) -> list[str]:
        return [f"signal.alarm({HANG_SECONDS})  # ends the process", f"print({call})", "raise SystemExit(0)"]

    def _memory(self, call: str) -> list[str]:
        limit = f"{MEMORY_GIBIBYTES} << 30"
        lines = [f"resource.setrlimit(resource.RLIMIT_AS, ({limit}, {limit}))", *self.guarded("a", [f"a = {call}"])]
        lines += [f'print(f"{_shown("a")}")', f"exhausted = {EXHAUSTED}"]
        return [*lines, "raise SystemExit(1 if exhausted else 0)"]

    def _nondeterminism(self, call: str) -> list[str]:
        again = call.removesuffix("[0]") + "[-1]" if self.mode == "strategy" else call  # the result of another replica
        lines = self.guarded("first", [f"first = {call}"]) + self.guarded("second", [f"second = {again}"])
        lines += [
            f'print(f"{_shown("first")}\\n{_shown("second")}")',
            "errors = [isinstance(first, Exception), isinstance(second, Exception)]",
        ]
        lines += [
            "same = type(first) is type(second) if any(errors) else np.array_equal(first, second, equal_nan=True)"
        ]
        return [*lines, "raise SystemExit(0 if same else 1)"]

    def _unlike_eager(self, call: str) -> list[str]:
        """Return the lines that compare a call in its mode with the same call in eager mode."""
        mode, self.mode = self.mode, "eager"
        eager = self.scoped([f"eager = {self.subject_call()[0]}"])
        self.mode = mode
        test = predicate.compare_values(_leaves((self.expected.value,)))
        return [
            *eager,
            *self.scoped([f"actual = {call}"]),
            f'print(f"eager mode: {{eager!r}}\\n{mode}: {{actual!r}}")',
            "pairs = zip(tf.nest.flatten(actual), tf.nest.flatten(eager), strict=True)",
            f"same = all({test.format(a='a', e='e')} for a, e in pairs)",
            "raise SystemExit(0 if same else 1)",
        ]

    def _traced(self, kind: str, call: str) -> list[str]:
        given = call.partition("(")[2].removesuffix("[0]")
        if kind == "retrace":
            lines = [call, call, "count = function.experimental_get_tracing_count()", 'print("traced", count, "times")']
            return [*lines, "raise SystemExit(0 if count == 1 else 1)"]
        lines = [f"actual = {call}", f"static = function.get_concrete_function({given}.output_shapes", "print(static)"]
        pairs = "zip(tf.nest.flatten(static), tf.nest.flatten(actual))"
        lines.append(f"same = all(shape.is_compatible_with(result.shape) for shape, result in {pairs})")
        return [*lines, "print(actual)", "raise SystemExit(0 if same else 1)"]

    def harmful(self) -> list[str]:
        """Return the lines that show that a call changes its inputs."""
        names = [self.names[id(array)] for array in self.inputs]
        given = "tf.constant({0})" if self.takes_tensors and self.mode != "arrays" else "{0}.copy()"
        lines = [f"given_{name} = {given.format(name)}" for name in names]
        call, before = self.subject_call({name: f"given_{name}" for name in names})
        shown = [f'print("before:", {name}, "after:", given_{name})' for name in names]
        test = " and ".join(f"np.array_equal({name}, given_{name})" for name in names) or "True"
        return [*lines, *before, *self.scoped([call]), *shown, f"raise SystemExit(0 if {test} else 1)"]

    def statements(self, name: str, call: str, written: Sequence[str]) -> list[str]:
        """Return the lines that assign a call's result, and the arrays it has written to."""
        if not written:
            return [f"{name} = {call}"]
        if self.expected.value is None:
            return [call, f"{name} = {', '.join(written)}"]
        return [f"{name} = {call}, {', '.join(written)}"]

    @staticmethod
    def guarded(name: str, lines: Sequence[str]) -> list[str]:
        """Return the statements inside a `try` that assigns the error instead."""
        return ["try:", *(f"    {line}" for line in lines), "except Exception as error:", f"    {name} = error"]

    def scoped(self, lines: list[str]) -> list[str]:
        """Return the statements inside the scopes of the device and of NumPy behaviour, as far as the case needs
        them.
        """
        if any(call.name.startswith("ndarray.") for call in self.case.calls()) and self.takes_tensors:
            lines = [f"with {self.alias}.numpy_behavior():", *(f"    {line}" for line in lines)]
        return self.placed(lines)

    def placed(self, lines: list[str]) -> list[str]:
        """Return the statements inside the scope of the device."""
        on_it = [f"with tf.device({quote_text(self.device)}):", *(f"    {line}" for line in lines)]
        return on_it if self.device != "CPU:0" else lines

    def target(self, array: np.ndarray) -> str:
        """Return the name of what the subject writes to: a variable, or an array that NumPy has not written to."""
        return f"{self.names[id(array)]}_{'variable' if self.takes_tensors else 'given'}"

    def make_targets(self) -> list[str]:
        """Return the lines that make what the subject writes to."""
        form = "tf.Variable({0})" if self.takes_tensors else '{0}.copy("K")'
        lines = [f"{self.target(array)} = {form.format(self.names[id(array)])}" for array in self.written]
        return self.placed(lines) if lines and self.device.startswith("job:") else lines

    def subject_call(self, given: Mapping[str, str] | None = None) -> tuple[str, list[str]]:
        """Return the subject's call in its mode, and the lines that define the function, if the mode needs one."""
        names = [self.names[id(array)] for array in self.inputs]
        targets = {id(array): self.target(array) for array in self.written}
        tensor = INPUTS.get(self.mode, "tf.constant({0})") if self.takes_tensors else "{0}"
        tensors = [given[name] if given else tensor.format(name) for name in names]
        if self.mode == "arrays" and not given and (own := owners(self.case)):
            operands = zip(self.inputs, names, tensors, strict=True)
            tensors = [
                f"tf.constant({name})" if any(array is one for one in own) else text for array, name, text in operands
            ]
        if self.mode == "eager" or self.mode in INPUTS or not self.takes_tensors:
            inputs = {id(array): text for array, text in zip(self.inputs, tensors, strict=True)}
            return format_call(self.case, self.alias, inputs | targets), []
        if self.mode == "repeated":
            inputs = {id(array): text for array, text in zip(self.inputs, tensors, strict=True)}
            call = format_call(self.case, self.alias, inputs)
            return "call_repeatedly()", [f"call_repeatedly = lambda: [{call} for _ in range({REPEATS})][-1]"]
        call = format_call(self.case, self.alias, self.names | targets)
        if self.mode == "saved":
            return f"load_and_call({', '.join(tensors)})", saved_scripts.define_saved(names, call)
        if self.mode in CONTEXTS:
            return f"function({', '.join(tensors)}){'[0]' if self.mode == 'strategy' else ''}", self.in_context(call)
        parameters = f" {', '.join(names)}" if names else ""
        if self.mode == "vmap":
            stacked = [f"tf.stack([{tensor}] * 2)" for tensor in tensors]
            mapped = f"tf.vectorized_map(lambda tensors: one(*tensors), [{', '.join(stacked)}]{self.map_options})"
            return f"tf.nest.map_structure(lambda both: both[0], {mapped})", [f"one = lambda{parameters}: {call}"]
        function = f"function = tf.function(lambda{parameters}: {call}{self.traced_with(names)}, autograph=False)"
        lines = [function]
        if self.mode in UNDER_XLA and self.device.startswith("job:"):
            lines = [function.replace("function", "compiled", 1), f"function = {gradient.wrap_for_sending('compiled')}"]
        return f"function({', '.join(tensors)})", lines

    def in_context(self, call: str) -> list[str]:
        """Return the lines that define the function, in modes that run a call inside something else."""
        names = [self.names[id(array)] for array in self.inputs]
        if self.mode == "keras":
            is_model = all(array.ndim for array in self.inputs) and _is_of_arrays(self.expected.value)
            return context_scripts.define_in_layer(names, call, is_model=is_model)
        if self.mode == "strategy":
            return context_scripts.define_in_replicas(names, call)
        call = f"{call} or []" if self.expected.value is None else call  # None cannot be a loop variable
        return context_scripts.define_in_loop(names, call, [self.target(array) for array in self.written])

    def traced_with(self, names: Sequence[str]) -> str:
        """Return the arguments of `tf.function` for the mode."""
        signature = ""
        if self.mode in SHAPELESS:
            shape = "None" if self.mode == "graph_rank" else "[None] * {0}.ndim"
            specs = [f"tf.TensorSpec({shape.format(name)}, {name}.dtype)" for name in names]
            signature = f", input_signature=[{', '.join(specs)}]"
        return signature + (", jit_compile=True" if self.mode in UNDER_XLA else "")

    def test(self, kind: str, detail: str) -> list[str]:
        """Return the lines that test whether both results are the same."""
        if kind == "structure" or "got Foreign(" in detail:  # an object without elements has none to compare
            return [f"same = {predicate.compare_structure(self.expected.value, detail)}"]
        values = [] if self.expected.value is None else [self.expected.value]
        values += self.expected.after if self.written else []
        leaves = _leaves(tuple(values))
        compare_values = partial(predicate.compare_values, tolerance=self.tolerance)
        test = {"dtype": predicate.compare_dtypes, "shape": predicate.compare_shapes}.get(kind, compare_values)(
            leaves, detail
        )
        mask = self.case.kwargs.get("where", True)
        lines = []
        has_gaps = ufunc_inputs(self.case.name) is not None and mask is not True and not self.written
        if kind == "value" and has_gaps:  # which the ufunc leaves uninitialised
            lines = [f"where = np.broadcast_to({Case('', (mask,)).typed('', self.name)[2:-1]}, np.shape(expected))"]
            lines += ["actual, expected = np.asarray(actual)[where], np.asarray(expected)[where]"]
        if len(values) == 1 and not isinstance(values[0], tuple | list):
            return [*lines, f"same = {test.format(a='actual', e='expected')}"]
        pairs = "pairs = zip(tf.nest.flatten(actual), tf.nest.flatten(expected), strict=True)"
        return [*lines, pairs, f"same = all({test.format(a='a', e='e')} for a, e in pairs)"]

    def name(self, array: np.ndarray) -> str:
        """Return the array's name in the script."""
        return self.names[id(array)]

    def same_error(self, kind: str, detail: str) -> str:
        """Return the expression that is true if both raise or neither does, and NumPy's handler would catch the
        subject's error.
        """
        if kind != "different error" or self.expected.error is None:
            return "isinstance(actual, Exception)" if kind == "missing error" else "not isinstance(actual, Exception)"
        bases = [_error(name) for name in self.expected.error.bases] or [Exception]
        got = _error(detail.rpartition("; got ")[2].partition(":")[0].strip())
        least = [base for base in bases if not any(other is not base and issubclass(other, base) for other in bases)]
        tests = [f"isinstance(actual, {_error_name(base)})" for base in least]
        if all(issubclass(got, base) for base in least) and got not in bases:
            tests.append(f"not isinstance(actual, {_error_name(got)})")
        return " and ".join(tests)


def avoid_tensorflow(lines: Sequence[str], classes: str = "np.ndarray, np.generic") -> list[str]:
    """Return the lines of a script for a library without tensors, whose arrays are of these classes."""
    lines = [line.replace("np.ndarray, np.generic, tf.Tensor, tf.Variable", classes) for line in lines]
    if not any("tf.nest.flatten" in line for line in lines):
        return lines
    return [*LEAVES, *(line.replace("tf.nest.flatten", "leaves") for line in lines)]


def _shown(name: str) -> str:
    """Return how a script prints a result that may be an error: the `repr` of TensorFlow's errors has no message."""
    return f"{{type({name}).__name__}}: {{{name}}}"


def _serve_device(device: str) -> list[str]:
    """Return the lines that start a worker in another process, with a device of its own, over loopback."""
    at_once = 'os.environ["TF_ENABLE_EAGER_CLIENT_STREAMING_ENQUEUE"] = "false"'
    job = quote_text(device.removeprefix("job:").partition("/")[0])
    server = f'server = tf.distribute.Server({{{job}: ["localhost:0"]}}, {job}, 0)'
    return [at_once, server, f'tf.config.experimental_connect_to_host(server.target.removeprefix("grpc://"), {job})']


def _error(name: str) -> type[BaseException]:
    for home in ERROR_HOMES.values():
        found = getattr(home, name.rpartition(".")[2], None)
        if isinstance(found, type) and issubclass(found, BaseException):
            return found
    return Exception


def _error_name(error: type[BaseException]) -> str:
    home = next(home for home, module in ERROR_HOMES.items() if getattr(module, error.__name__, None) is error)
    return f"{home}{error.__name__}"


def _is_of_arrays(value: Any) -> bool:
    """Return whether a result consists of arrays only."""
    leaves = _leaves(value)
    return bool(leaves) and all(isinstance(leaf, np.ndarray | np.generic) for leaf in leaves)


def _leaves(value: Any) -> list[Any]:
    if isinstance(value, tuple | list):
        return [leaf for item in value for leaf in _leaves(item)]
    return [] if value is None else [value]
