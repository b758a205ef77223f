"""The architecture: imports run downward only, between packages by the front door only."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

# From the top floor to the ground. Modules on one floor do not know one another, save those joined by ">", where the
# left may import the right. A package stands for its modules: they may import one another, but never in a circle.
FLOORS = {
    "tfnp": [
        "tfnp.__main__",
        "tfnp.numpy",
        "tfnp",
        "tfnp.behavior, tfnp.compilation",
        "tfnp._methods",
        "tfnp.polynomial, tfnp.lib, tfnp.testing",
        "tfnp.routines.poly1d",
        "tfnp.routines.signal",
        "tfnp.linalg, tfnp.routines.statistics",
        (
            "tfnp.emath, tfnp.fft, tfnp.random, tfnp.strings, tfnp.routines.creation, tfnp.routines.indexing, "
            "tfnp.routines.linear_algebra, tfnp.routines.logic, tfnp.routines.sorting"
        ),
        "tfnp.routines.math, tfnp._kernels.sort",
        "tfnp.routines.functional, tfnp.routines.packing, tfnp._kernels.linalg, tfnp._kernels.reduce",
        "tfnp.routines.manipulation, tfnp._kernels.complex",
        "tfnp._kernels.real",
        "tfnp._kernels.bits",
        (
            "tfnp._kernels.gradients, tfnp._kernels.integer, tfnp._kernels.logic, tfnp._kernels.select_rare, "
            "tfnp._kernels.text"
        ),
        (
            "tfnp.absences, tfnp.dtypes, tfnp.exceptions, tfnp.imports, tfnp.version, "
            "tfnp.routines.array_api_info, tfnp.routines.constants, tfnp.routines.environment, "
            "tfnp.routines.files, tfnp.routines.text, tfnp.routines.dtype_info > tfnp.routines.scalar_types"
        ),
        "tfnp._core.ufunc > tfnp._core.indexing > tfnp._core.reduce_algorithms",
        "tfnp._core.outputs > tfnp._core.layout, tfnp._core.dynamic_size, tfnp._core.high_rank, tfnp._core.edge",
        "tfnp._core.weak_operands, tfnp._core.unknown_rank, tfnp._core.traces",
        "tfnp._core.shapes",
        "tfnp._core.convert > tfnp._core.dtypes > tfnp._core.weak_types, tfnp._core.arguments",
        "tfnp._core.text",
        (
            "tfnp._core.autograph, tfnp._core.casting, tfnp._core.checks > tfnp._core.xla, tfnp._core.docs, "
            "tfnp._core.errors, tfnp._core.lattice, tfnp._core.nests, "
            "tfnp._core.tensor_conversion > tfnp._core.array_subclasses, tfnp._core.variables"
        ),
        "tfnp._core.ops > tfnp._core.eager_tensors > tfnp._core.vectorization, tfnp._core.parameters > tfnp.typing",
        "tfnp._core.tensorflow_internals",
    ],
    "oracle": [
        "oracle.harness",
        "oracle.audit, oracle.accepted > oracle.examples",
        "oracle.corpus",
        (
            "oracle.sandbox.pool > oracle.sandbox.client > oracle.sandbox.forkserver > oracle.sandbox.worker "
            "> oracle.sandbox.crash > oracle.sandbox.folders > oracle.sandbox.confinement > oracle.sandbox.messages"
        ),
        "oracle.assertions, oracle.node_faults",
        "oracle.verdict",
        "oracle.invariants, oracle.attribution",
        "oracle.compare",
        "oracle.execution, oracle.accepted_differences, oracle.harness_faults",
        "oracle.equality",
        "oracle.transforms, oracle.ops",
        "oracle.reference > oracle.subject > oracle.inferred_adapter > oracle.adapter",
        "oracle.case, oracle.configuration, oracle.modes, oracle.sandbox.progress, oracle.sandbox.programs",
        "oracle.signatures > oracle.inventory",
    ],
    "fuzz": [
        "fuzz.__main__ > fuzz.cli, fuzz.pytest_plugin > fuzz.testing",
        "fuzz.report",
        "fuzz.mutants, fuzz.coverage, fuzz.lab",
        "fuzz.engine",
        "fuzz.history, fuzz.releases",
        "fuzz.upstream, fuzz.triage",
        "fuzz.repro, fuzz.shrink",
        "fuzz.strategies",
        "fuzz.differences",
        "fuzz.generate.preconditions",
        "fuzz.generate.argument_coverage > fuzz.generate.argument_classes",
        "fuzz.generate.aliases, fuzz.generate.programs, fuzz.generate.array_likes, fuzz.generate.ops",
        "fuzz.generate.calls, fuzz.generate.edge_properties",
        "fuzz.generate.domains > fuzz.generate.arguments, fuzz.generate.signatures",
        (
            "fuzz.generate.constraints, fuzz.generate.matrices, fuzz.generate.option_pairs > fuzz.generate.scalars > "
            "fuzz.generate.builder > fuzz.generate.indices"
        ),
        (
            "fuzz.generate.nonsense, fuzz.generate.operand_pairs, fuzz.generate.single_numbers, "
            "fuzz.generate.trial_calls > fuzz.generate.arrays"
        ),
        (
            "fuzz.adapters, fuzz.generate.choices > fuzz.generate.call_classes, fuzz.generate.layouts, "
            "fuzz.hatch_build, fuzz.schemas"
        ),
    ],
}

FORBIDDEN = {
    "tfnp": ["hypothesis", "pytest", "oracle", "fuzz", "tensorflow.experimental.numpy"],
    "oracle": ["hypothesis", "fuzz", "tfnp"],
    "fuzz": ["tensorflow", "tfnp"],
}

# The only modules of the harness that may touch TensorFlow.
DOORS_TO_TENSORFLOW = {
    "oracle.execution.devices",
    "oracle.execution.autodiff",
    "oracle.execution.contexts",
    "oracle.execution.executors",
    "oracle.execution.loading_process",
    "oracle.execution.tensor_nodes",
    "oracle.subject",
}


# Modules that name the implementations of a protocol of their own package, as a front door names what is behind it.
REGISTRIES = {"fuzz.engine.domains"}


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


def place_of(module: str, floors: list[str]) -> tuple[int, int, str] | None:
    """The floor, counted from the top, the place on it, and the name there that fits the module best."""
    fitting = [
        (level, place, name.strip())
        for level, floor in enumerate(floors)
        for neighbours in floor.split(",")
        for place, name in enumerate(neighbours.split(">"))
        if is_within(module, name.strip())
    ]
    return max(fitting, key=lambda found: len(found[2]), default=None)


SECOND_TIER = "oracle.harness"
"""The second tier of the front door of `oracle`: what tools need."""


def violations(root: Path = ROOT) -> list[str]:
    found = []
    for package, floors in FLOORS.items():
        names = {name for name, _ in modules(package, root)}
        knows: dict[str, set[str]] = {}
        for module, path in modules(package, root):
            is_split = any(f"{module}." in floor for floor in floors)  # its own modules are listed one by one
            if place_of(module, floors) is None and module != package and not is_split:
                found.append(f"{module} is on no floor")
            for imported in imports(path, module):
                found.extend(_trespasses(package, module, imported))
                target = imported
                while target not in names and "." in target:
                    target = target.rpartition(".")[0]
                if target in names and path.stem != "__init__":  # a front door names what is behind it
                    knows.setdefault(module, set()).add(target)
                    found.extend(_climbs(package, module, target))
        found.extend(_circles(knows))
        found.extend(_circles(_join_packages(knows)))
    return found


def _join_packages(knows: dict[str, set[str]]) -> dict[str, set[str]]:
    """Return which packages, and modules beside them, import which, by what their modules import."""

    def package_of(module: str) -> str:
        top, _, rest = module.partition(".")
        return f"{top}.{rest.partition('.')[0]}"

    joined: dict[str, set[str]] = {}
    for module in knows.keys() - REGISTRIES:
        here = package_of(module)
        joined.setdefault(here, set()).update({package_of(target) for target in knows[module]} - {here})
    return joined


def _trespasses(package: str, module: str, target: str) -> Iterator[str]:
    """What is wrong with an import whatever floor it is on."""
    for other in FORBIDDEN[package]:
        if is_within(target, other):
            yield f"{module} must never import {other}"
    if package == "oracle" and is_within(target, "tensorflow") and module not in DOORS_TO_TENSORFLOW:
        yield f"{module} is no door to TensorFlow"
    for other in FLOORS:
        is_behind = target.count(".") > 1 and not is_within(target, SECOND_TIER)
        if other != package and is_within(target, other) and is_behind:
            yield f"{module} imports {target}: other packages are entered by the front door"


def _climbs(package: str, module: str, target: str) -> Iterator[str]:
    """What is wrong with an import within a package."""
    here, there = (place_of(name, FLOORS[package]) for name in (module, target))
    if target == package:
        if here is None or package not in FLOORS[package] or here[0] >= FLOORS[package].index(package):
            yield f"{module} imports its own package's front door"
        return
    if here is None or there is None:
        return
    inside = here[2] == there[2] and module != target
    below = there[0] > here[0] or (there[0] == here[0] and there[1] > here[1])
    if not (inside or below):
        yield f"{module} imports {target}, which is not below it"


def _circles(knows: dict[str, set[str]]) -> Iterator[str]:
    try:
        TopologicalSorter(knows).prepare()
    except CycleError as error:
        yield f"imports run in a circle: {' > '.join(reversed(error.args[1]))}"


def test_imports_run_downward() -> None:
    assert violations() == []


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("module", "source", "complaint"),
    [
        ("fuzz/generate/arrays.py", "from fuzz.generate.calls import draw_case", "which is not below it"),
        ("fuzz/generate/arrays.py", "import tensorflow as tf", "must never import tensorflow"),
        ("fuzz/generate/calls.py", "from oracle.case.model import Case", "by the front door"),
        ("oracle/equality/table.py", "import tensorflow", "is no door to TensorFlow"),
        ("oracle/execution/modes.py", "from oracle.compare import pipeline", "which is not below it"),
        ("oracle/case/model.py", "from oracle import Case", "its own package's front door"),
        ("tfnp/_core/dtypes.py", "from tfnp.routines import ufuncs", "which is not below it"),
        ("tfnp/routines/creation/filled.py", "import tensorflow.experimental.numpy", "must never import"),
        ("fuzz/gadgets.py", "", "is on no floor"),
        ("tfnp/_core/dtypes.py", "from tfnp._core import dtypes", "in a circle"),
    ],
)
def test_a_violation_is_found(tmp_path: Path, module: str, source: str, complaint: str) -> None:
    write_modules(tmp_path, {module: source})
    assert any(complaint in violation for violation in violations(tmp_path))


def test_a_circle_of_packages_is_found(tmp_path: Path) -> None:
    """Modules of one package may stand on several floors; two packages must not need one another all the same."""
    above = {"oracle/sandbox/pool.py": "from oracle.verdict import judge"}
    write_modules(tmp_path, above)
    assert violations(tmp_path) == []
    write_modules(tmp_path, {**above, "oracle/verdict.py": "from oracle.sandbox.progress import step"})
    assert [violation.partition(":")[0] for violation in violations(tmp_path)] == ["imports run in a circle"]


def write_modules(root: Path, sources: Mapping[str, str]) -> None:
    """Write the modules of all packages with these sources, the others empty."""
    for package in FLOORS:
        for _, path in modules(package):
            copy = root / path.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text("")
    for module, source in sources.items():
        (root / module).write_text(source)
