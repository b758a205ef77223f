"""Repros: scripts that read like a bug report, import what they must, and end as they say."""

from __future__ import annotations

import ast
import json
import tempfile
import time
from dataclasses import dataclass, replace
from itertools import product
from operator import attrgetter
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from fuzz.mutants.subjects import name_of
from fuzz.repro.gradient import define_program, format_call, is_function
from fuzz.repro.predicate import compare_structure, compare_values, find_tolerance
from fuzz.repro.runner import Ending, rerun, run_afresh
from fuzz.repro.script import shows, write_repro
from oracle import Case, run_numpy
from tests.tables import check_each

STOCK = "tensorflow.experimental.numpy"
SINGLE = np.array([1.5, -2.0], np.float32)
ROW = np.array([0.0])
TARGET = np.zeros(2, np.float32)


@dataclass
class Found:
    """As much of a finding as a script needs."""

    minimal: Case
    kind: str
    modes: tuple[str, ...] = ("eager",)
    detail: str = ""
    outputs: str = ""


SHAPES_OF_CASES = {
    "plain": Case("mean", (SINGLE,), {"axis": 0}),
    "program": Case("add", (Case("sin", (SINGLE,)), SINGLE)),
    "written between": Case("sum", (Case("last", (Case("copyto", (TARGET, SINGLE)), TARGET)),)),
    "long program": Case("add", (Case("sin", (Case("sum", (SINGLE,), {"dtype": np.float32}),)), SINGLE)),
    "several results": Case("program", (Case("sin", (SINGLE,)), Case("cos", (SINGLE,)))),
    "structured": Case("divmod", (SINGLE, SINGLE)),
    "several": Case("split", (SINGLE, 2)),
    "writing": Case("add", (SINGLE, 1.0), {"out": TARGET}),
    "filling": Case("copyto", (TARGET, SINGLE)),
    "constant": Case("pi"),
    "method": Case("ndarray.sum", (SINGLE,), {"keepdims": True}),
    "property": Case("ndarray.T", (SINGLE,)),
    "function": Case("apply_along_axis", (np.sum, 0, SINGLE)),
    "bfloat16": Case("negative", (SINGLE.astype(ml_dtypes.bfloat16),)),
    "nothing": Case("zeros", (2,)),
}
KINDS = ("value", "dtype", "shape", "structure", "missing error", "spurious error", "different error", "inputs changed")
KINDS += ("crash", "hang", "memory", "nondeterminism", "differs from eager")


@pytest.mark.parametrize("mode", ["eager", "graph", "xla", "xla@GPU:0"])
def test_a_script_is_short_and_imports_nothing_of_ours(mode):
    check_each(product(SHAPES_OF_CASES, KINDS), lambda pair: check_script(*pair, mode))


def check_script(shape, kind, mode):
    case = SHAPES_OF_CASES[shape]
    source = write_repro(Found(case, kind, (mode,), "expected one thing, got another"), "tfnp")
    roots = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            roots |= {alias.name.partition(".")[0] for alias in node.names}
        assert not isinstance(node, ast.ImportFrom)
    allowed = {"sys", "numpy", "tensorflow", "tfnp", "signal", "resource"}
    assert roots <= allowed | ({"ml_dtypes"} if shape == "bfloat16" else set())
    assert ("tensorflow" in roots) == ("tf." in source)
    guards = 6 if kind == "nondeterminism" else 0  # either of two calls may raise
    defined = len(define_program(case, {id(array): "x" for array in case.arrays()}))
    assert 7 <= len(source.splitlines()) <= 22 + defined + guards + mode.endswith("GPU:0")
    assert max(map(len, source.splitlines())) <= 120
    encoding, title = source.splitlines()[:2]
    assert encoding == "# -*- coding: utf-8 -*-"
    assert title.startswith("# a program of tfnp " if is_function(case) else f"# tfnp.{case.name} ")
    assert "# expected one thing, got another" in source
    assert ("jit_compile=True" in source) == mode.startswith("xla")
    assert ("tf.function" in source) == (mode != "eager")
    assert ('tf.device("GPU:0")' in source) == mode.endswith("GPU:0")


def test_a_script_for_a_library_of_arrays_needs_no_tensorflow():
    for shape, kind in product(SHAPES_OF_CASES, KINDS):
        found = Found(SHAPES_OF_CASES[shape], kind, ("eager",), "expected one thing, got another")
        source = write_repro(found, "mine", takes_tensors=False)
        assert "tf." not in source, (shape, kind)
        assert "ensor" not in source, (shape, kind)


@pytest.mark.parametrize("shape", SHAPES_OF_CASES)
def test_the_call_is_typed_as_it_is_made(shape):
    case = SHAPES_OF_CASES[shape]
    names = {id(array): f"a{index}" for index, array in enumerate(case.arrays())}
    values = {f"a{index}": array for index, array in enumerate(case.fresh().arrays())}
    values["np"] = np
    exec("\n".join(define_program(case, names)), values)
    result = eval(format_call(case, "np", names), values)
    if is_function(case):
        expected = run_numpy(case).value
    elif case.name.startswith("ndarray."):
        attribute = attrgetter(case.name)(np)
        expected = attribute(*case.args, **case.kwargs) if callable(attribute) else getattr(case.args[0], "T")  # noqa: B009
    else:
        args = [attrgetter(arg.name)(np)(*arg.args) if isinstance(arg, Case) else arg for arg in case.fresh().args]
        found = attrgetter(case.name)(np)
        expected = found(*args, **case.kwargs) if callable(found) else found
    assert np.array_equal(np.asarray(result, object), np.asarray(expected, object))
    assert "mine." not in format_call(case, "np", names)
    assert "np." not in format_call(case, "mine", names).replace("np.float32", "")


def test_methods_are_asked_of_tensors_even_beside_arrays():
    source = write_repro(Found(Case("ndarray.dot", (SINGLE, TARGET)), "value", ("arrays",)), "tfnp")
    assert "actual = tf.constant(x).dot(y)" in source


@pytest.mark.parametrize(
    ("expected", "detail", "same", "different"),
    [
        (np.float32(1.0), "expected 1.0, got 1.5 (4e+06 ulp)", 1.1, 1.3),
        (np.float32(0.0), "expected 0.0, got 0.5 (1e+09 ulp)", 0.1, 0.3),
        (np.float64(0.0), "expected 0.0, got -0.0 (0 ulp)", 0.0, -0.0),
        (
            np.complex128(complex(3, -0.0)),
            "at [1] expected (3-0j), got (3+0j) (0 ulp)",
            complex(3, -0.0),
            complex(3, 0.0),
        ),
        (
            np.complex128(complex(np.nan, -0.0)),
            "expected (nan-0j), got (nan+0j)",
            complex(-np.nan, -0.0),
            complex(np.nan, 0.0),
        ),
        (np.float64(np.nan), "expected nan, got 0.0", np.nan, 0.0),
        (np.float64(-np.inf), "expected -inf, got inf", -np.inf, np.inf),
        (
            np.complex128(complex(1, np.nan)),
            "expected (1+nanj), got (nan+nanj)",
            complex(1, np.nan),
            complex(np.nan, np.nan),
        ),
        (ml_dtypes.bfloat16(256), "expected 256, got 300 (22 ulp)", 260, 290),
        (np.int64(2**60), "expected 1152921504606846976, got 1152921504606846977", 2**60, 2**60 + 1),
        (np.bool(True), "expected True, got False", True, False),
        (
            np.array(["a", "bc"]),
            "at [1] expected bc, got x",
            np.array([b"a", b"bc"], object),
            np.array([b"a", b"x"], object),
        ),
        ("text", "expected 'text', got 'other'", "text", "other"),
        (np.array([1.0, 2.0]), "what no pattern knows", np.array([1.0, 2.0]), np.array([1.0, 2.1])),
    ],
)
def test_values_are_the_same_up_to_half_of_what_was_found(expected, detail, same, different):
    test = compare_values([expected], detail).format(a="actual", e="expected")
    if isinstance(expected, np.generic):
        same, different = (np.asarray(value).astype(expected.dtype)[()] for value in (same, different))
    assert eval(test, {"np": np}, {"actual": same, "expected": expected}) is True
    assert eval(test, {"np": np}, {"actual": different, "expected": expected}) is False


@pytest.mark.parametrize(
    ("actual", "detail", "same"),
    [
        ((ROW, np.int32(0)), "result[1] expected np.int32(0), got 0", True),
        ((ROW, 0), "result[1] expected np.int32(0), got 0", False),
        (((ROW, ROW), np.int32(0)), "result[0] expected float64[1] [0.0], got (...)", False),
        ([ROW, np.int32(0)], "expected (...), got [...]", False),
        ((ROW, 0), "expected (...), got [...]", True),
    ],
)
def test_structures_are_the_same_where_they_were_found_to_differ(actual, detail, same):
    expected = (ROW, np.int32(0))
    text = compare_structure(expected, detail).replace(", tf.Tensor, tf.Variable", "")
    assert eval(text, {"np": np, "actual": actual, "expected": expected}) is same


def test_errors_are_told_apart_by_how_they_are_caught():
    case = Case("sum", (SINGLE,), {"axis": 5})
    source = write_repro(
        Found(case, "different error", detail="NumPy raises AxisError: axis; got ValueError: no"), "tfnp"
    )
    assert "if isinstance(actual, np.exceptions.AxisError) else 1" in source
    case = Case("take", (SINGLE, 9))
    detail = "NumPy raises IndexError: out of bounds; got AxisError: axis 9"
    source = write_repro(Found(case, "different error", detail=detail), "tfnp")
    assert "isinstance(actual, IndexError) and not isinstance(actual, np.exceptions.AxisError)" in source


@pytest.mark.parametrize("run", [run_afresh, rerun])
def test_the_temporary_files_of_a_script_are_removed(tmp_path, run):
    """Also if it is killed, so that it cannot remove them itself."""
    path = tmp_path / "script.py"
    path.write_text("import os, tempfile\nprint(tempfile.mkstemp()[1], flush=True)\nos.abort()")
    extra = {"modules": ("json",)} if run is rerun else {}
    ending = run(path, 30.0, **extra)
    left = Path(ending.output.split()[0])
    assert ending.signal == "SIGABRT"
    assert left.parent != Path(tempfile.gettempdir())
    deadline = time.monotonic() + 30
    while left.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not left.exists()


def test_a_warning_with_a_stack_is_no_exception():
    warned = 'Traceback (most recent call last):  File "report.py", line 24, in <module>\nexpected nan\nactual   0.0\n'
    assert not Ending(1, None, False, warned).uncaught
    raised = 'Traceback (most recent call last):\n  File "report.py", line 24, in <module>\nImportError: no\n'
    assert Ending(1, None, False, raised).uncaught


@pytest.mark.parametrize(
    ("kind", "ending", "shown"),
    [
        ("value", Ending(1, None, False, ""), True),
        ("value", Ending(0, None, False, ""), False),
        ("value", Ending(-11, "SIGSEGV", False, ""), False),
        ("crash", Ending(-11, "SIGSEGV", False, ""), True),
        ("crash", Ending(-9, "SIGKILL", True, ""), False),
        ("crash", Ending(1, None, False, ""), False),
        ("hang", Ending(-14, "SIGALRM", False, ""), True),
        ("hang", Ending(-9, "SIGKILL", True, ""), True),
        ("memory", Ending(-9, "SIGKILL", True, ""), False),
        ("hang", Ending(0, None, False, ""), False),
        ("memory", Ending(1, None, False, ""), True),
        ("memory", Ending(-6, "SIGABRT", False, ""), True),
    ],
)
def test_only_the_end_that_was_announced_counts(kind, ending, shown):
    assert shows(ending, kind) is shown


@pytest.mark.full
def test_what_differs_reproduces_and_what_agrees_does_not(tmp_path):
    """In one template with TensorFlow, since importing it takes seconds."""
    table = [
        (Found(Case("add", (SINGLE, SINGLE), {"out": TARGET}), "spurious error", ("graph",)), True),
        (Found(Case("sum", (SINGLE,), {"axis": 5}), "different error", ("xla",), "; got ValueError: no"), True),
        (Found(Case("max", (np.array([0.0, np.nan]),)), "value"), False),
        (Found(Case("divmod", (SINGLE, SINGLE)), "dtype", ("xla",)), False),
        (Found(Case("split", (SINGLE, 2)), "shape", ("graph",)), False),
        (Found(Case("mean", (SINGLE,)), "structure"), False),
        (Found(Case("pi"), "value"), False),
        (Found(Case("add", (SINGLE, SINGLE)), "inputs changed"), False),
        (Found(Case("add", (SINGLE, SINGLE)), "nondeterminism", ("graph",)), False),
        (Found(Case("add", (SINGLE, SINGLE)), "crash"), False),
        (Found(Case("add", (SINGLE, SINGLE)), "memory"), False),
    ]
    for index, (found, reproduces) in enumerate(table):
        path = tmp_path / f"{index}.py"
        path.write_text(write_repro(found, STOCK))
        assert shows(rerun(path, 60.0), found.kind) is reproduces, found


SILENT = """
from numpy import ndarray

class Refused(Exception):
    def __repr__(self):
        return "Refused()"

def add(x1, x2):
    raise Refused("the shapes differ")
"""


def test_a_script_prints_the_message_of_an_error_whose_repr_has_none(tmp_path, monkeypatch):
    """As that of TensorFlow's errors."""
    (tmp_path / "silent_library.py").write_text(SILENT)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    found = Found(Case("add", (1.0, 2.0)), "spurious error", detail="Refused: the shapes differ; NumPy gives 3.0")
    script = tmp_path / "script.py"
    script.write_text(write_repro(found, "silent_library", takes_tensors=False))
    ending = run_afresh(script, 60.0)
    assert (ending.status, ending.uncaught) == (1, False)
    assert ending.output == "NumPy:   float64: 3.0\nsubject: Refused: the shapes differ\n"


def test_elements_that_where_leaves_out_are_not_compared_for_ufuncs_alone(tmp_path):
    masked = Found(Case("sqrt", (np.array([4.0, 9.0]),), {"where": np.array([True, False])}), "value")
    reduced = Found(Case("sum", (1.0,), {"where": False}), "value")
    for found, status in ((masked, 0), (reduced, 1)):
        subject = name_of(f"{found.minimal.name}/where/ignored", "numpy")
        script = tmp_path / f"{found.minimal.name}.py"
        script.write_text(write_repro(found, subject, takes_tensors=False))
        assert run_afresh(script, 60.0).status == status


UNSTABLE = """
import tensorflow as tf
from tensorflow import Tensor as ndarray

def argsort(a):
    order = tf.argsort(a, stable=True)
    return order if tf.executing_eagerly() else tf.gather(order, [1, 0, 2])
"""


@pytest.mark.full
def test_a_script_compares_a_mode_with_eager_mode(tmp_path, monkeypatch):
    (tmp_path / "unstable_library.py").write_text(UNSTABLE)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    found = Found(Case("argsort", (np.array([1, 1, 2]),)), "differs from eager", ("graph",))
    script = tmp_path / "script.py"
    for modes, status in [(("graph",), 1), (("repeated",), 0)]:
        script.write_text(write_repro(replace(found, modes=modes), "unstable_library", takes_tensors=True))
        assert run_afresh(script, 120.0).status == status


IMPRECISE = """
from types import SimpleNamespace
import numpy as np
from numpy import ndarray

def det(a):
    return np.linalg.det(a) * (1 + {wrong})

linalg = SimpleNamespace(det=det)
"""


@pytest.mark.parametrize(("wrong", "status"), [(1.5e-8, 1), (2e-16, 0)])
def test_a_script_shows_an_error_that_is_small_and_too_large(tmp_path, monkeypatch, wrong, status):
    (tmp_path / "imprecise_library.py").write_text(IMPRECISE.format(wrong=wrong))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    case = Case("linalg.det", (np.array([[5.0, 1.0], [1.0, 0.0]]),))
    off = str(-1.0 * (1 + 1.5e-8))
    outputs = {"expected": {"form": "scalar", "elements": ["-1.0"]}, "actual": {"form": "scalar", "elements": [off]}}
    detail = f"the determinant is -1, got {off}: 5.08e+05 times what is allowed"
    script = tmp_path / "script.py"
    script.write_text(
        write_repro(Found(case, "value", ("eager",), detail, json.dumps(outputs)), "imprecise_library", "", False)
    )
    assert run_afresh(script, 60.0).status == status


def test_a_tolerance_is_half_of_what_was_seen():
    def find(expected, actual):
        return find_tolerance(json.dumps({"expected": expected, "actual": actual}))

    assert find({"elements": ["2.0", "0.0", "nan"]}, {"elements": ["2.000002", "1.0", "3.0"]}) == pytest.approx(5e-7)
    parts = {"items": [{"elements": ["1.0"]}, {"elements": ["4.0"]}]}
    assert find(parts, {"items": [{"elements": ["1.0"]}, {"elements": ["(4+0.00004j)"]}]}) == pytest.approx(5e-6)
    assert find({"elements": ["1.0"]}, {"elements": ["7.0"]}) == find_tolerance("") == 1e-3
    assert find({"elements": ["(1.7e308+1.7e308j)"]}, {"elements": ["(1.7e308-1.7e308j)"]}) == 1e-3, "past a float"
    for unfit in ({"elements": 3}, {"items": [3, None]}, {"elements": [[], {}]}, 3):  # as a file may have it
        assert find(unfit, unfit) == 1e-3


FORGETFUL = "import numpy as np\nfrom numpy import ndarray\n\ndef add(x1, x2, out=None):\n    return np.add(x1, x2)\n"


def test_a_script_gives_the_library_an_array_that_numpy_has_not_written_to(tmp_path, monkeypatch):
    (tmp_path / "forgetful_library.py").write_text(FORGETFUL)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    found = Found(Case("add", (1.0, 2.0), {"out": np.zeros(2)}), "value", detail="out[0] expected 3.0, got 0.0")
    script = tmp_path / "script.py"
    script.write_text(write_repro(found, "forgetful_library", takes_tensors=False))
    ending = run_afresh(script, 60.0)
    assert (ending.status, ending.uncaught) == (1, False), ending.output
