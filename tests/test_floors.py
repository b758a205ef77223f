"""The architecture: imports run downward only, between packages by the front door only."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

# From the top floor to the ground. Modules on one floor do not know one another, save those joined by ">", where the
# left may import the right. A package stands for all of its modules, unless they are named themselves.
FLOORS = {
    "tfnp": [
        "tfnp",
        "tfnp.routines",
        "tfnp._core",
    ],
    "oracle": [
        "oracle.sandbox > oracle.nursery > oracle.template > oracle.workers > oracle.deaths",
        "oracle.verdict",
        "oracle.properties, oracle.divergences",
        "oracle.comparison > oracle.factors > oracle.scrutiny",
        "oracle.modes > oracle.tensors, oracle.tolerance, oracle.elements, oracle.names",
        "oracle.variations",
        "oracle.outcome > oracle.bfloat16 > oracle.subject",
        "oracle.case > oracle.notation > oracle.encoding > oracle.layout, oracle.breadcrumbs",
    ],
    "fuzz": [
        "fuzz.__main__ > fuzz.commands",
        "fuzz.campaign > fuzz.pursuits > fuzz.dispatch > fuzz.executors, fuzz.report",
        "fuzz.coverage, fuzz.summary, fuzz.archive, fuzz.progress",
        "fuzz.trials, fuzz.events",
        "fuzz.schedule, fuzz.repro > fuzz.scripts > fuzz.sameness > fuzz.reruns",
        "fuzz.search, fuzz.reduce > fuzz.simplifications > fuzz.plainness > fuzz.paths",
        "fuzz.findings",
        "fuzz.programs",
        "fuzz.cases",
        "fuzz.domains > fuzz.parameters",
        "fuzz.relations > fuzz.quantities > fuzz.drafts > fuzz.indices",
        "fuzz.values",
        "fuzz.choices",
    ],
}

FORBIDDEN = {
    "tfnp": ["hypothesis", "pytest", "oracle", "fuzz", "tensorflow.experimental.numpy"],
    "oracle": ["hypothesis", "fuzz", "tfnp"],
    "fuzz": ["tensorflow", "tfnp"],
}

# The only modules of the harness that may touch TensorFlow.
DOORS_TO_TENSORFLOW = {"oracle.modes", "oracle.properties", "oracle.subject"}


def modules(package: str, root: Path = ROOT) -> Iterator[tuple[str, Path]]:
    for path in sorted((root / package).rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def imports(path: Path, module: str) -> Iterator[str]:
    """Every module that a file imports, anywhere in it; `from package import name` counts as package.name."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}:{node.lineno}: imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def is_within(name: str, package: str) -> bool:
    return name == package or name.startswith(package + ".")


def position(module: str, floors: list[str]) -> tuple[int, int] | None:
    """The floor, counted from the top, and the place on it; the longest name that fits decides."""
    best: tuple[int, tuple[int, int]] | None = None
    for level, floor in enumerate(floors):
        for neighbours in floor.split(","):
            for place, name in enumerate(neighbours.split(">")):
                if is_within(module, name.strip()) and (best is None or len(name.strip()) > best[0]):
                    best = len(name.strip()), (level, place)
    return best and best[1]


def violations(root: Path = ROOT) -> list[str]:
    found = []
    for package, floors in FLOORS.items():
        names = [name for name, _ in modules(package, root)]
        for module, path in modules(package, root):
            if module == package and package != "tfnp":
                continue  # the front door: it names what its package offers
            here = position(module, floors)
            if here is None:
                found.append(f"{module} is on no floor")
                continue
            for target in imports(path, module):
                found.extend(_judge(package, module, here, target, names))
    return found


def _judge(package: str, module: str, here: tuple[int, int], target: str, names: list[str]) -> Iterator[str]:
    for other in FORBIDDEN[package]:
        if is_within(target, other):
            yield f"{module} must never import {other}"
    if package == "oracle" and is_within(target, "tensorflow") and module not in DOORS_TO_TENSORFLOW:
        yield f"{module} is no door to TensorFlow"
    for other in FLOORS:
        if other != package and is_within(target, other) and target.count(".") > 1:
            yield f"{module} imports {target}: other packages are entered by the front door"
    if not is_within(target, package):
        return
    while target not in names and "." in target:
        target = target.rpartition(".")[0]
    there = position(target, FLOORS[package])
    if target == package:
        yield f"{module} imports its own package's front door"
    elif there is not None and not _may_import(module, here, target, there):
        yield f"{module} imports {target}, which is not below it"


def _may_import(module: str, here: tuple[int, int], target: str, there: tuple[int, int]) -> bool:
    if there[0] != here[0]:
        return there[0] > here[0]
    if there[1] != here[1]:
        return there[1] > here[1]
    return module.split(".")[:2] == target.split(".")[:2] and module.count(".") > 1 - (module == target)


def test_imports_run_downward() -> None:
    assert violations() == []


@pytest.mark.parametrize(
    ("module", "source", "complaint"),
    [
        ("fuzz/values.py", "from fuzz.cases import draw_case", "which is not below it"),
        ("fuzz/values.py", "import tensorflow as tf", "must never import tensorflow"),
        ("fuzz/cases.py", "from oracle.case import Case", "by the front door"),
        ("oracle/tolerance.py", "import tensorflow", "is no door to TensorFlow"),
        ("oracle/modes.py", "from oracle import comparison", "which is not below it"),
        ("oracle/case.py", "from oracle import Case", "its own package's front door"),
        ("tfnp/_core/dtypes.py", "from tfnp.routines import ufuncs", "which is not below it"),
        ("tfnp/routines/creation.py", "import tensorflow.experimental.numpy", "must never import"),
        ("fuzz/gadgets.py", "", "is on no floor"),
    ],
)
def test_a_violation_is_found(tmp_path: Path, module: str, source: str, complaint: str) -> None:
    for package in FLOORS:
        for _, path in modules(package):
            copy = tmp_path / path.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text("")
    (tmp_path / module).write_text(source)
    assert any(complaint in violation for violation in violations(tmp_path))
