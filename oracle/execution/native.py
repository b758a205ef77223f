"""Executors for libraries with an adapter: eager, compiled, vectorized and differentiated by the library itself."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import lru_cache
from typing import Any

import ml_dtypes
import numpy as np

from oracle.adapter import FIRST_DEVICE, Adapter, fill_text
from oracle.case.model import Case
from oracle.equality.finite_differences import DOUBLES, Slopes, directions_of, is_differentiable, weights_of, widen
from oracle.execution.convert import KNOWN, LIMITS_OF_DTYPES, Foreign, NoTensor
from oracle.execution.executors import Runner, Unsupported
from oracle.execution.steps import list_steps, make_recorder
from oracle.execution.vmap import is_stackable
from oracle.reference.outcome import Outcome, destinations, evaluate, may_overwrite
from oracle.subject import Subject

PYTHON_DTYPES = (bool, int, float, complex)
OF_ML_DTYPES = ("bfloat16", "float8_e4m3fn", "float8_e5m2")


class Library:
    """Converts arrays, dtypes and scalars by a subject's adapter, and results back to NumPy."""

    def __init__(self, subject: Subject) -> None:
        assert subject.adapter is not None
        self.subject, self.adapter = subject, subject.adapter
        self.namespace = {**subject.namespace, "ml_dtypes": ml_dtypes}
        self.classes: Any = self.evaluate(self.adapter.array)
        self._to_native = self.evaluate(f"lambda _: {fill_text(self.adapter.from_numpy, '_')}")
        self._to_numpy = self.evaluate(f"lambda _: {fill_text(self.adapter.to_numpy, '_')}")
        self._dtypes: dict[np.dtype, bool] = {}

    def evaluate(self, text: str, **more: Any) -> Any:
        """Return the value of one of the adapter's texts."""
        return eval(text, {**self.namespace, **more})

    def scope(self, device: str) -> AbstractContextManager[Any]:
        """Return the context manager for calls on a device."""
        text = self.adapter.devices.get(device, "")
        return self.evaluate(text) if text else nullcontext()

    def devices(self) -> list[str]:
        """Return the available devices of the adapter."""
        devices = []
        for device in self.adapter.devices:
            try:
                with self.scope(device):
                    self._to_numpy(self._to_native(np.zeros(1, np.float32)))
            except Exception:  # noqa: BLE001 - libraries tell of a missing device by errors of their own classes
                continue
            devices.append(device)
        return devices

    def has_dtype(self, dtype: np.dtype) -> bool:
        """Return whether the library has a dtype: an array of it survives the conversion there and back."""
        is_supported = self._dtypes.get(dtype)
        if is_supported is None:
            is_supported = self._dtypes[dtype] = self._survives(dtype)
        return is_supported

    def _survives(self, dtype: np.dtype) -> bool:
        if self.adapter.dtypes and dtype.name not in self.adapter.dtypes:
            return False
        if dtype.kind in "OV" and (self._has_numpys_arrays() or dtype.name not in OF_ML_DTYPES):
            return False
        native = dtype.newbyteorder("=")
        try:
            return bool(self._to_numpy(self._to_native(np.zeros(1, native))).dtype == native)
        except Exception:  # noqa: BLE001 - libraries refuse a dtype by errors of their own classes
            return False

    def _has_numpys_arrays(self) -> bool:
        """Return whether its arrays are NumPy's, or of a subclass: such dtypes are then not of the library's making."""
        classes = self.classes if isinstance(self.classes, tuple) else (self.classes,)
        return any(issubclass(one, np.ndarray) for one in classes)

    def of_array(self, array: np.ndarray) -> Any:
        """Return a new array of the library's with these elements. Raises NoTensor if the library lacks the dtype, or
        makes something else of them, as some do of an array without axes.
        """
        if not self.has_dtype(array.dtype):
            raise NoTensor(f"{self.subject.name} has no dtype {array.dtype}")
        made = self._to_native(np.array(array, array.dtype.newbyteorder("="), order="C"))
        if not isinstance(made, self.classes):
            raise NoTensor(f"{self.subject.name} has no array of the shape {array.shape}")
        return made

    def of_other(self, value: Any) -> Any:
        """Return what is passed for an argument that is not an array."""
        text = self.text_of(value)
        return value if text is None else self.evaluate(text)

    def text_of(self, value: Any) -> str | None:
        """Return the source of an argument that is not an array; None if it is the same as NumPy's."""
        dtype = find_dtype(value)
        if isinstance(value, np.generic):
            if not self.has_dtype(value.dtype):
                raise NoTensor(f"{self.subject.name} has no dtype {value.dtype}")
            return text_of(value, self.adapter)
        if dtype is not None and not self.has_dtype(dtype):
            raise NoTensor(f"{self.subject.name} has no dtype {dtype}")
        return text_of(value, self.adapter)

    def fetch(self, value: Any) -> Any:
        """Return a result with NumPy's arrays in place of the library's."""
        if isinstance(value, self.classes):
            return np.asarray(self._to_numpy(value))
        kind = type(value)
        if kind is list:
            return [self.fetch(item) for item in value]
        if isinstance(value, tuple):
            items = [self.fetch(item) for item in value]
            return kind(*items) if hasattr(value, "_fields") else tuple(items)
        if isinstance(value, dict):
            return {key: self.fetch(item) for key, item in value.items()}
        if value is None or isinstance(value, KNOWN) or callable(value) or kind.__name__ in LIMITS_OF_DTYPES:
            return value
        return Foreign.of(value)

    def flat(self, value: Any) -> list[Any]:
        """Return the library's arrays in a result, in order."""
        if isinstance(value, dict):
            value = list(value.values())
        if isinstance(value, (list, tuple)):
            return [leaf for item in value for leaf in self.flat(item)]
        return [value] if isinstance(value, self.classes) or hasattr(value, "dtype") else []  # of a trace: its own box

    def function_of(self, case: Case) -> Any:
        """Return the call as a function of its arrays, defined by source code, which compilers may need.

        Raises NoTensor if an argument has a dtype that the library lacks.
        """
        names = {id(array): f"x{i}" for i, array in enumerate(case.arrays())}
        *lines, result = case.statements(self.adapter.module, lambda array: names[id(array)], self.text_of)
        body = "; ".join([*lines, f"return {result}"])
        namespace = {**self.namespace}
        exec(f"def function({', '.join(names.values())}): {body}", namespace)
        return namespace["function"]


def find_dtype(value: Any) -> np.dtype | None:
    """Return the dtype that an argument stands for, or None."""
    if isinstance(value, np.dtype):
        return value
    if isinstance(value, type) and (issubclass(value, np.generic) or value in PYTHON_DTYPES):
        try:
            return np.dtype(value)
        except TypeError:
            return None
    return np.dtype(value) if isinstance(value, type) and value.__module__ == "ml_dtypes" else None


def text_of(value: Any, adapter: Adapter) -> str | None:
    """Return the source of an argument that is not an array; None if it is the same as NumPy's."""
    if isinstance(value, np.generic):
        typed = Case("", (value,)).typed("")[len(".(") : -1]
        return None if adapter.scalars else fill_text(adapter.from_numpy, f"np.asarray({typed})")
    dtype = find_dtype(value) if adapter.dtype else None
    return None if dtype is None else fill_text(adapter.dtype, dtype.name)


@lru_cache(maxsize=16)
def library_of(subject: Subject) -> Library:
    """Return the library of a subject that has an adapter."""
    return Library(subject)


def prepare_natively(case: Case, subject: Subject, mode: str, device: str, siblings: Sequence[Case]) -> Runner:
    """Prepare a case for one of the adapter's modes; any other mode is unsupported."""
    library = library_of(subject)
    if device not in library.adapter.devices and device != FIRST_DEVICE:
        return Unsupported()
    if mode == "eager" or mode in library.adapter.scopes:
        return Direct(library, device, library.adapter.scopes.get(mode, ""))
    if mode in library.adapter.compiled:
        return CompiledNatively(library, device, case, library.adapter.compiled[mode])
    if mode == "vmap" and library.adapter.vmap:
        return MappedNatively(library, device, case, siblings)
    if mode == "gradient" and library.adapter.grad:
        return DifferentiatedNatively(library, device)
    return Unsupported()


class Direct:
    """Runs calls one by one, inside the context manager that the text `scope` makes."""

    traces = 0

    def __init__(self, library: Library, device: str, scope: str = "") -> None:
        self.library, self.device, self.scope = library, device, scope

    def __call__(self, case: Case) -> Outcome:
        library = self.library
        made: dict[int, tuple[np.ndarray, Any]] = {}

        def convert(array: np.ndarray) -> Any:
            entry = made.get(id(array))
            if entry is None:
                entry = made[id(array)] = (array, library.of_array(array))
            return entry[1]

        recorder = make_recorder(case, library.fetch)

        def call() -> Outcome:
            result = evaluate(case, library.subject.find, convert, of_other=library.of_other, apply=recorder)
            value = library.fetch(result)
            outputs = destinations(case)
            after = tuple([library.fetch(made[id(target)][1]) for target in outputs if id(target) in made])
            changed = () if may_overwrite(case) else self.find_changed(case, made, outputs)
            return Outcome(value, after=after, changed=changed)

        with library.evaluate(self.scope) if self.scope else nullcontext():
            outcome = run_call(call, library.scope(self.device))
        return replace(outcome, steps=list_steps(recorder))

    def find_changed(
        self, case: Case, made: dict[int, tuple[np.ndarray, Any]], outputs: Sequence[np.ndarray]
    ) -> tuple[int, ...]:
        """Return the indices of the inputs that no longer equal their arrays."""
        positions = []
        for position, array in enumerate(case.arrays()):
            if id(array) not in made or array.dtype.kind in "UST" or any(array is target for target in outputs):
                continue
            now = self.library.fetch(made[id(array)][1])
            if now.tobytes() != array.astype(array.dtype.newbyteorder("=")).tobytes():
                positions.append(position)
        return tuple(positions)


def run_call(call: Callable[[], Outcome], scope: AbstractContextManager[Any]) -> Outcome:
    """Return the outcome of a call to the library; warnings are ignored, and any exception is an outcome."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            with scope:
                return call()
        except NoTensor:
            return Outcome(kind="unsupported")
        except ModuleNotFoundError as error:
            # Another distribution that is not installed, such as SciPy, which some functions of Dask's need.
            is_other = (error.name or "").partition(".")[0] not in sys.modules
            return Outcome(kind="unsupported") if is_other else Outcome.raised(error)
        except Exception as exception:  # noqa: BLE001 - it is the answer
            return Outcome.raised(exception)


class CompiledNatively:
    """Runs a case and its siblings with one function of the library's compiler."""

    traces = 0

    def __init__(self, library: Library, device: str, case: Case, compiler: str) -> None:
        self.library, self.device, self.case, self.compiler = library, device, case, compiler
        self.function: Any = None

    def __call__(self, case: Case) -> Outcome:
        if destinations(case):
            return Outcome(kind="unsupported")  # a compiled function writes to none of its arguments
        return run_call(lambda: self.run(case), self.library.scope(self.device))

    def run(self, case: Case) -> Outcome:
        """Compile for the first, call, fetch. Without arrays nothing is shared: numbers are part of the function."""
        arrays = [self.library.of_array(array) for array in case.arrays()]
        if self.function is None or not arrays:
            function = self.library.function_of(self.case if arrays else case)
            self.function = self.library.evaluate(fill_text(self.compiler, "function"), function=function)
        return Outcome(self.library.fetch(self.function(*arrays)))


class MappedNatively:
    """Runs all siblings at once, when the first is called; a case without siblings is stacked with itself."""

    traces = 0

    def __init__(self, library: Library, device: str, case: Case, siblings: Sequence[Case]) -> None:
        self.library, self.device, self.case = library, device, case
        self.siblings = list(siblings) if len(siblings) > 1 else [case, case]
        self.outcome: Outcome | None = None

    def __call__(self, case: Case) -> Outcome:
        if self.outcome is None:
            self.outcome = run_call(self.run, self.library.scope(self.device))
        if not self.outcome.ok:
            return self.outcome
        index = next((i for i, sibling in enumerate(self.siblings) if sibling is case), None)
        if index is None:
            raise ValueError("not a sibling: it was not there when the stacks were made")
        return Outcome(take_row(self.outcome.value, index))

    def run(self) -> Outcome:
        """Map the function over the stacked inputs."""
        if not is_stackable(self.siblings):
            return Outcome(kind="unsupported")
        rows = zip(*(sibling.arrays() for sibling in self.siblings), strict=True)
        stacks = [self.library.of_array(np.stack(arrays)) for arrays in rows]
        function = self.library.function_of(self.case)
        mapped = self.library.evaluate(fill_text(self.library.adapter.vmap, "function"), function=function)
        return Outcome(self.library.fetch(mapped(*stacks)))


def take_row(value: Any, index: int) -> Any:
    """Return one row of a result, in which every array loses its first axis."""
    if isinstance(value, (list, tuple)):
        items = [take_row(item, index) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    is_stack = isinstance(value, np.ndarray) and value.ndim and index < len(value)  # what is none is judged as it is
    return np.asarray(value[index]) if is_stack else value


class DifferentiatedNatively:
    """Takes the slope of a call along one direction by the library's own gradient: see
    `oracle.equality.finite_differences`.

    The call is a function of real steps, one for each element that moves, so that conventions for complex gradients do
    not matter.
    """

    traces = 0

    def __init__(self, library: Library, device: str) -> None:
        self.library, self.device = library, device

    def __call__(self, case: Case) -> Outcome:
        is_of_doubles = widen(case) is case  # of single precision the differences are those of doubles
        weights = weights_of(case) if is_of_doubles and is_differentiable(case) else None
        if weights is None:
            return Outcome(kind="unsupported")
        arrays = [array for array in case.arrays() if array.dtype in DOUBLES]

        def call() -> Outcome:
            steps = [self.library.of_array(np.zeros(array.shape)) for array in arrays]
            function = self.weighted_sum_of(case, weights)
            differentiated = self.library.evaluate(fill_text(self.library.adapter.grad, "function"), function=function)
            function(steps)  # an error of the call itself is not the gradient's
            outcome = run_call(lambda: Outcome(self.library.fetch(differentiated(steps))), nullcontext())
            if not outcome.ok:
                return outcome
            terms = np.concatenate([np.ravel(part) for part in outcome.value])
            return Outcome(Slopes((float(terms.sum()),), (float(np.abs(terms).sum()),)))

        return run_call(lambda: self.plainly(call), self.library.scope(self.device))

    @staticmethod
    def plainly(call: Callable[[], Outcome]) -> Outcome:
        """Return the outcome of `call`. Raises NoTensor if it fails, so that nothing is concluded."""
        try:
            return call()
        except Exception as error:
            raise NoTensor(str(error)) from error

    def weighted_sum_of(self, case: Case, weights: Sequence[np.ndarray]) -> Callable[[Sequence[Any]], Any]:
        """Return the weighted sum of the double results as a function of the steps."""
        library, find, directions = self.library, self.library.subject.find, directions_of(case)

        def weighted_sum(steps: Sequence[Any]) -> Any:
            pairs = iter(zip(steps, directions, strict=True))
            native_arrays: dict[int, Any] = {}
            for array in case.arrays():
                native = library.of_array(array)
                if array.dtype in DOUBLES:
                    step, move = next(pairs)
                    native = native + step * library.of_array(np.asarray(move))
                native_arrays[id(array)] = native
            result = evaluate(
                case, library.subject.find, lambda array: native_arrays[id(array)], of_other=library.of_other
            )
            results = [part for part in library.flat(result) if str(part.dtype).endswith(("float64", "complex128"))]
            if len(results) != len(weights):
                raise NoTensor("what the library returns while it differentiates is no array")
            total: Any = 0.0
            for result, weight in zip(results, weights, strict=True):
                term = result * library.of_array(np.conj(weight))
                total = total + find("sum")(find("real")(term) if weight.dtype.kind == "c" else term)
            return total

        return weighted_sum
