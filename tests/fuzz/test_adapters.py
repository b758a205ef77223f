"""Libraries with arrays of their own: called, compiled, mapped, differentiated and reported in their own words."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from fuzz.adapters import ADAPTERS
from fuzz.engine.campaign import Campaign
from fuzz.engine.missing_parameters import add_lacking
from fuzz.engine.run_options import Options
from fuzz.engine.scheduler import Schedule
from fuzz.generate.aliases import draw_aliases
from fuzz.generate.choices import SeedChoices
from fuzz.repro.runner import run_afresh
from fuzz.repro.script import write_repro
from fuzz.triage.output import Archive
from oracle import RETURNED, ByDesign, Case, Mode, Subject, judge, load_subject
from oracle.harness import ModeNotOffered
from tests.fuzz import boxed

X = np.array([1.0, 2.0, 4.0])
MODES = boxed.ADAPTER.modes


@pytest.fixture(scope="module")
def subject():
    return load_subject("tests.fuzz.boxed")


def kinds(case, subject, modes=MODES):
    return {(found.kind, found.mode.name) for found in judge(case, modes, subject).deviations}


def test_an_adapter_is_found_in_its_module(subject):
    assert subject.adapter is boxed.ADAPTER
    assert not subject.takes_tensors
    assert MODES == ("eager", "jit", "vmap", "gradient")


@pytest.mark.parametrize(
    "case",
    [
        Case("add", (X, 1.0)),
        Case("add", (X, np.float64(1))),
        Case("sum", (X,), {"dtype": np.float32}),
        Case("ndarray.sum", (X,)),
        Case("ndarray.__add__", (X, X)),
        Case("add", (Case("square", (X,)), X)),
        Case("add", (Case("square", (X,)), Case("sum", (X,), {"dtype": np.float32}))),
    ],
    ids=str,
)
def test_right_calls_agree_in_every_mode(subject, case):
    verdict = judge(case, MODES, subject)
    assert not verdict.differs
    assert verdict.not_judged.keys() <= {"gradient@CPU:0"}  # a sum in single precision has none


def test_a_wrong_value_is_found_in_the_modes_that_show_it(subject):
    assert ("value", "eager") in kinds(Case("negative", (np.array([2e6]),)), subject)
    assert kinds(Case("positive", (X,)), subject) == {("value", "jit")}


def test_a_compiled_mode_has_any_name(monkeypatch):
    turbo = Subject("boxed", adapter=replace(boxed.ADAPTER, compiled={"turbo": "bx.compiled({})"}))
    assert kinds(Case("positive", (X,)), turbo, ("eager", "turbo")) == {("value", "turbo")}
    with pytest.raises(ModeNotOffered, match="boxed has no mode 'jit'; it has eager, turbo, vmap, gradient"):
        judge(Case("positive", (X,)), ["jit"], turbo)
    assert Schedule(["add"], ["eager", "turbo"], 1).turns()["turbo"] > 1


def test_an_eager_mode_has_a_scope():
    """Its calls see values, and are made inside the context manager, as those of its scripts are."""
    scoped = replace(boxed.ADAPTER, scopes={"in_memory": "bx.negated()"})
    library, modes, case = Subject("boxed", adapter=scoped), ("eager", "in_memory"), Case("positive", (X,))
    assert kinds(case, library, modes) == {("value", "in_memory")}
    assert kinds(Case("square", (X,)), library, modes) == set()
    assert not boxed.IS_NEGATED.get()
    assert not Mode("in_memory").is_traced
    finding = SimpleNamespace(minimal=case, kind="value", modes=("in_memory",), detail="", message="", outputs="")
    source = write_repro(finding, "boxed", takes_tensors=False, adapter=scoped)
    assert "with bx.negated():\n    actual = " in source


def test_a_wrong_gradient_is_found(subject, monkeypatch):
    assert kinds(Case("square", (X,)), subject) == set()
    monkeypatch.setattr(boxed, "HALVED", True)
    assert kinds(Case("square", (X,)), subject) == {("gradient", "gradient")}


def test_a_gradient_that_it_announces_to_lack_is_accepted(monkeypatch):
    says = ByDesign("no derivative", "there is none", ("gradient",), "no derivative of")
    library = Subject("boxed", adapter=replace(boxed.ADAPTER, grad="bx.refuse({})", by_design=(says,)))
    for message, count in (("no derivative of square", 0), ("nothing", 1)):
        monkeypatch.setattr(boxed, "MESSAGE", message)
        verdict = judge(Case("square", (X,)), ["gradient"], library)
        assert len(verdict.deviations) == count
        assert [entry.allowance for entry in verdict.allowed] == ["boxed: no derivative"] * (1 - count)


def test_dtypes_of_its_own_are_no_findings_and_wrong_values_in_them_are(subject):
    verdict = judge(Case("sqrt", (X,)), ["eager"], subject)
    assert verdict.agrees
    assert {entry.allowance for entry in verdict.allowed} == {"boxed: promotion"}
    wrong = Subject("boxed", adapter=boxed.ADAPTER)
    wrong.module = SimpleNamespace(sqrt=lambda x: boxed.Box(np.sqrt(x.held).astype(np.float32) * np.float32(1.01)))
    assert kinds(Case("sqrt", (X,)), wrong, ["eager"]) == {("value", "eager")}


def test_a_dtype_that_it_has_not_is_no_question(subject):
    for case in (Case("add", (X.astype(np.float16), 1)), Case("sum", (X,), {"dtype": np.complex64})):
        assert {outcome.kind for outcome in judge(case, MODES, subject).outcomes.values()} == {"unsupported"}
    assert not subject.has("float32")


def test_what_it_announces_is_accepted_and_counted(subject):
    verdict = judge(Case("add", (np.ones(2), np.ones(3))), ["eager"], subject)
    assert verdict.agrees
    wrong = Subject("boxed", adapter=boxed.ADAPTER)
    wrong.module = SimpleNamespace(add=lambda x, y: boxed.Box(np.zeros(2)))
    verdict = judge(Case("add", (np.ones(2), np.ones(3))), ["eager"], wrong)
    assert [entry.allowance for entry in verdict.allowed] == ["boxed: errors"]


def test_parameters_that_it_lacks_are_never_passed():
    missing = add_lacking({}, ["add", "sum", "reshape"], {"out", "where"})
    assert missing == {"add": ("out", "where", "after 2"), "sum": ("out", "where", "after 3")}
    schedule = Schedule(["add"], ["eager"], 1, never=missing)
    assert all(schedule.item(index).without >= {"out", "after 2"} for index in range(64))


@pytest.mark.full
@pytest.mark.parametrize(
    ("name", "mode", "detail"),
    [("negative", "eager", "at [0] expected -2000000.0, got 0.0"), ("positive", "jit", "expected 1.0, got -1.0")],
)
def test_a_script_needs_neither_harness_nor_tensorflow(tmp_path, name, mode, detail):
    finding = SimpleNamespace(
        minimal=Case(name, (np.array([2e6]),)), kind="value", modes=(mode,), detail=detail, message="", outputs=""
    )
    source = write_repro(finding, "boxed", takes_tensors=False, adapter=boxed.ADAPTER)
    assert "tensorflow" not in source
    assert "bx.Box(x)" in source
    path = tmp_path / "repro.py"
    path.write_text(source)
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, path], env={"PYTHONPATH": str(root)}, check=False, capture_output=True)
    assert done.returncode == 1, done.stderr


@pytest.mark.parametrize(
    ("gradient", "detail", "status"),
    [
        ("bx.differentiated({})", "the slope is 2", 0),
        (
            "(lambda steps: [bx.Box(part.held / 2) for part in bx.differentiated({})(steps)])",
            "the tape's slope is 1",
            1,
        ),
        ("bx.refuse({})", "NotImplementedError: ; the slope is 2", 1),
    ],
)
def test_a_script_shows_a_gradient_of_a_library_that_differs_or_raises(tmp_path, monkeypatch, gradient, detail, status):
    finding = SimpleNamespace(
        minimal=Case("square", (X,)), kind="gradient", modes=("gradient",), detail=detail, message="", outputs=""
    )
    adapter = replace(boxed.ADAPTER, grad=gradient)
    path = tmp_path / "repro.py"
    path.write_text(write_repro(finding, "boxed", takes_tensors=False, adapter=adapter))
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    ending = run_afresh(path, 60.0)
    assert (ending.status, ending.uncaught) == (status, False), ending.output


def test_a_script_of_a_longer_program_calls_a_function_of_either_library():
    case = Case("add", (Case("negative", (np.array([2e6]),)), Case("sum", (X,), {"dtype": np.float32})))
    finding = SimpleNamespace(minimal=case, kind="value", modes=("jit",), detail="", message="", outputs="")
    source = write_repro(finding, "boxed", takes_tensors=False, adapter=boxed.ADAPTER)
    assert source.count("lib.sum(y, dtype=np.float32)") == source.count("lib.sum(y, dtype=bx.Dtype('float32'))") == 1
    with pytest.raises(SystemExit) as ended:
        exec(source, {})
    assert ended.value.code == 1


@pytest.mark.full
def test_a_campaign_reports_what_is_wrong_and_tells_in_a_line_what_is_not_offered(tmp_path):
    unasked = frozenset({"modes", "signatures", "programs"})
    options = Options(
        ("negative", "positive", "add", "sum"), cases=2000, seed=3, subject="tests.fuzz.boxed", unasked=unasked
    )
    summary = Campaign(options, Archive.make(tmp_path / "run").watch).run()
    data = json.loads((tmp_path / "run" / "summary.json").read_text())
    assert data["modes"] == list(MODES)
    assert not [row for row in data["findings"] if row["kind"] == "signature"]
    assert data["not_offered"]["out"] == 4
    found = {(finding.name, finding.kind) for finding in summary.findings if finding.reproduced}
    assert ("negative", "value") in found
    assert all(entry["reason"] == "BY_DESIGN" for name, entry in data["allowed"].items() if name.startswith("boxed"))


PACKAGES = {name: name.partition(".")[0] for name in ("array_api_strict", "dask.array", "jax.numpy", "torch")}
PACKAGES |= {name: name.partition(".")[0] for name in ("autograd.numpy", "cubed", "mlx.core", "numba", "pint")}
PACKAGES |= {name: name.partition(".")[0] for name in ("pytensor.tensor", "scipy", "tinygrad", "unyt")}


@pytest.mark.full
@pytest.mark.parametrize("name", PACKAGES)
def test_a_ready_adapter_answers(name):
    if find_spec(PACKAGES[name]) is None or (name == "torch" and find_spec("array_api_compat") is None):
        pytest.skip(f"{PACKAGES[name]} is not installed")
    code = (
        "import sys, numpy as np, fuzz.adapters\n"
        "from oracle import Case, judge, load_subject\n"
        "x = np.array([[1.0, 2.0], [3.0, 4.5]])\n"
        "calls = Case('add', (x, 1.5)), Case('sum', (x,), {'axis': 0}), Case('matmul', (x, x))\n"
        f"has = load_subject('{name}').has\n"
        "offered = [case for case in calls if has(case.name)] or [Case('linalg.inv', (x,))]\n"
        "for case in offered:\n"
        f"    found = judge(case, ['eager'], '{name}')\n"
        "    assert found.agrees and found.outcomes['eager@CPU:0'].ok, found.outcomes\n"
        "assert 'tensorflow' not in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_every_adapter_is_complete():
    assert len({adapter.name for adapter in ADAPTERS}) == len(ADAPTERS)
    for adapter in ADAPTERS:
        assert adapter.array or adapter.tensors
        assert all(entry.why and entry.kinds for entry in adapter.by_design)
        compile(adapter.imports, adapter.name, "exec")
        for text in (adapter.from_numpy, adapter.to_numpy, *adapter.compiled.values(), *adapter.devices.values()):
            if text:
                compile(text.replace("{}", "x"), adapter.name, "eval")


@pytest.mark.parametrize(
    ("mode", "seeds"),
    [
        ("eager", range(12)),
        ("graph", range(2)),
        ("gradient", range(6)),
        pytest.param("xla", range(8), marks=pytest.mark.full),
    ],
)
def test_programs_that_write_through_views_agree(mode, seeds):
    pytest.importorskip("tensorflow")
    verdicts = [judge(draw_aliases(SeedChoices(seed), ()), [mode], load_subject("tfnp.numpy")) for seed in seeds]
    assert not any(verdict.differs for verdict in verdicts)
    judged = [verdict.has_judged(f"{mode}@CPU:0") for verdict in verdicts]
    assert any(judged) if mode == "gradient" else all(judged)  # programs of integers have no gradient


def test_gradients_of_single_precision_are_left_to_tapes():
    mixed = Case("multiply", (np.array([0.5, 2.0], np.float32), np.array([3.0, -1.0])))
    for case, kind in ((mixed, "unsupported"), (Case("multiply", (np.array([0.5, 2.0]), np.array([3.0, -1.0]))), "ok")):
        verdict = judge(case, ["gradient"], load_subject("tfnp.numpy"))
        assert verdict.deviations == []
        assert [outcome.kind for outcome in verdict.outcomes.values()] == [kind]


def test_eager_mode_of_a_library_that_compiles_numpys_functions_is_judged_if_it_is_asked_for():
    numba, jax = (next(one for one in ADAPTERS if one.name == name) for name in ("numba", "jax.numpy"))
    assert numba.modes == ("eager", *numba.default_modes)
    assert "eager" in jax.default_modes
    assert numba.default_modes == ("njit", "parallel", "fastmath")
    assert {one.name for one in ADAPTERS if not one.default_modes} == {one.name for one in ADAPTERS if one.tensors}
    turns = Schedule(["add"], numba.default_modes, 1).turns()
    assert turns["njit"] == 1 < turns["parallel"]


@pytest.mark.parametrize(
    ("subject", "case", "kind", "mode", "detail", "is_declared"),
    [
        ("mlx.core", "any", "spurious error", "eager", "TypeError: any(): incompatible function arguments.", True),
        ("mlx.core", "vecdot", "spurious error", "eager", "ValueError: [vecdot] axis is out of bounds.", False),
        ("mlx.core", "atleast_1d", "spurious error", "eager", "RuntimeError: std::bad_cast", False),
        ("mlx.core", "any", "value", "eager", "expected True, got False; invalid type", False),
        ("mlx.core", "put_along_axis", "structure", "eager", RETURNED, True),
        ("mlx.core", "put_along_axis", "structure", "eager", "expected None, got float32[2] [6.0, 2.0]", False),
        ("jax.numpy", "ndarray.sort", "structure", "eager", RETURNED, True),
        ("jax.numpy", "ndarray.sort", "value", "eager", "out[0] at [0] expected 0.0, got 1.0", False),
        ("tfnp.numpy", "argsort", "differs from eager", "in_memory", "eager mode gives 2, this one 3", True),
        ("tfnp.numpy", "argsort", "differs from eager", "graph", "eager mode gives 2, this one 3", False),
        ("tfnp.numpy", "argsort", "value", "in_memory", "at [0] expected 2, got 3", False),
        ("tfnp.numpy", "random.normal", "differs from eager", "in_memory", "eager mode gives 0.1, this one 0.2", False),
    ],
)
def test_what_an_adapter_declares_is_narrow(subject, case, kind, mode, detail, is_declared):
    adapter = next(one for one in ADAPTERS if one.name == subject)
    assert any(entry.covers(case, kind, mode, detail) for entry in adapter.declared) == is_declared
