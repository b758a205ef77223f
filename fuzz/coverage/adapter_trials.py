"""Trials of a library with arrays of its own: what its adapter makes of a few arrays and calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from fuzz.differences import label_mode
from fuzz.engine.tasks import WorkerContext
from oracle import Case
from oracle.harness import NAMES, Lease, Sandbox, judge_siblings, library_of, make_line

DTYPES = (
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "float32", "float64", "complex64", "complex128"),
)
X = np.array([1.0, 2.0, 4.0])
MATRIX = np.array([[4.0, 1.0], [1.0, 3.0]])
CALLS = (
    *(Case(name, (X, X)) for name in ("add", "multiply", "maximum", "matmul")),
    *(Case(name, (X,)) for name in ("sqrt", "exp", "sum", "cumsum", "sort")),
    Case("linalg.det", (MATRIX,)),
)
"""Plain calls: those that a library has are tried in each mode."""

MOST = 4  # calls in a mode


@dataclass(frozen=True)
class ModeTrial:
    """Result of plain calls in a mode: how many agreed, and the others, each with what is wrong."""

    agreeing: int
    others: tuple[str, ...] = ()


@dataclass(frozen=True)
class AdapterTrial:
    """Description of a library by its adapter: the text of it for each field that is given, the dtypes that survive the
    conversion there and back and those that do not, and how many of NumPy's names it has by namespace.
    """

    is_inferred: bool
    given: dict[str, str]
    dtypes: tuple[str, ...]
    unsupported: tuple[str, ...]
    trouble: str
    names: dict[str, int] = field(default_factory=dict)
    modes: tuple[str, ...] = ()


def try_adapter(sandbox: Sandbox) -> AdapterTrial | None:
    """Return what the subject of a sandbox is by its adapter; None if it takes NumPy's arrays, or tensors."""
    found = _ask(sandbox, "inspect_adapter", None)
    if isinstance(found, AdapterTrial) or found is None:
        return found
    raise RuntimeError(f"the adapter cannot be tried: {getattr(found, 'trace', found)}")


def try_mode(sandbox: Sandbox, mode: str) -> ModeTrial:
    """Return what a few plain calls in a mode come to; the end of the process is told, too."""
    found = _ask(sandbox, "call_in_mode", mode)
    if isinstance(found, ModeTrial):
        return found
    return ModeTrial(0, (make_line(getattr(found, "detail", "") or getattr(found, "trace", str(found))),))


def _ask(sandbox: Sandbox, function: str, item: Any) -> Any:
    (reply,) = sandbox.run([Lease(0, f"fuzz.coverage.adapter_trials:{function}", [item], confirm=False)])
    return reply.results[0]


def inspect_adapter(bench: WorkerContext, _: None) -> AdapterTrial | None:
    """Return what the subject is by its adapter. Runs in a worker."""
    subject, adapter = bench.subject, bench.subject.adapter
    if adapter is None or adapter.tensors:
        return None
    blank = type(adapter)(imports="")
    given = {
        key: repr(value)
        for key in (one.name for one in fields(adapter))
        if key != "name" and (value := getattr(adapter, key)) != getattr(blank, key)
    }
    names = Counter(map(_find_home, filter(subject.has, NAMES)))
    library = library_of(subject)
    dtypes = tuple(one for one in DTYPES if library.has_dtype(np.dtype(one)))
    unsupported = tuple(one for one in DTYPES if one not in dtypes)
    return AdapterTrial(subject.is_inferred, given, dtypes, unsupported, _convert(library), dict(names), adapter.modes)


def _find_home(name: str) -> str:
    """Return the namespace of a name: empty for the main one, "ufunc" for methods of ufuncs."""
    home = name.rpartition(".")[0]
    return "ufunc" if isinstance(getattr(np, home, None), np.ufunc) else home


def _convert(library: Any) -> str:
    """Return what is wrong with the conversion of a plain array; empty if nothing is."""
    for array in (X, np.float64(1.5).reshape(())):
        try:
            made = library.evaluate(f"{library.adapter.from_numpy.replace('{}', '_')}", _=array)
            if not isinstance(made, library.classes):
                return (
                    f"from_numpy makes a {type(made).__name__} of shape {array.shape}, not the class that array names"
                )
            back = library.evaluate(library.adapter.to_numpy.replace("{}", "_"), _=made)
            if not (isinstance(back, np.ndarray | np.generic) and np.array_equal(back, array)):
                return f"to_numpy gives {back!r} where {array!r} was converted"
        except Exception as error:  # noqa: BLE001 - whatever the library raises is what a reader has to know
            return f"an array of shape {array.shape} cannot be converted: {type(error).__name__}: {error}"
    return ""


def call_in_mode(bench: WorkerContext, mode: str) -> ModeTrial:
    """Judge a few plain calls in a mode. Runs in a worker."""
    chosen = [case for case in CALLS if bench.subject.has(case.name)][:MOST]
    agreeing, others = 0, list[str]()
    for case in chosen:
        (verdict,) = judge_siblings([case], [mode], bench.subject)
        told = _describe(verdict)
        agreeing += not told
        others += [f"{case.name}: {told}"] if told else []
    return ModeTrial(agreeing, tuple(map(make_line, others)))


def _describe(verdict: Any) -> str:
    """Return what is wrong with the answer of a mode; empty if it agrees."""
    if verdict.deviations:
        first = verdict.deviations[0]
        return f"{first.kind}: {first.detail}"
    if any(map(verdict.has_judged, verdict.outcomes)):
        return ""
    return "; ".join(
        f"{label_mode(mode)}: {outcome.error or outcome.kind}" for mode, outcome in verdict.outcomes.items()
    )


def list_untold(trial: AdapterTrial, known: Sequence[str]) -> list[str]:
    """Return the fields that an adapter does not give."""
    return [key for key in known if key not in trial.given]
