"""Every case here once showed a fault of tfnp's, and was reduced by the fuzzer. None may ever show it again.

A file holds a case as `python -m fuzz` keeps it; its name says which function was at fault, and how. Files are judged
in batches, each in every mode: a worker answers one after another, and one that it dies of is answered by its death.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from fuzz.sightings import rank_cost
from oracle import Case, Death, Lease, Limits, Sandbox

pytestmark = pytest.mark.full

FILES = sorted(Path(__file__).parent.glob("*.json"))
MODES = ("eager", "graph_dims", "xla")
RARER = ("graph", "graph_rank")
"""Judged apart: a graph of known shapes is traced as for XLA, and one of unknown rank once a rank, in minutes."""

SHAPELESS = ("graph_dims", "graph_rank")
OF_SLOPES = ("gradient", "gradient_graph", "gradient_xla")
"""Modes in which those of kind "gradient" are judged, too: only there could they show again what they showed."""

BATCHES = 24

BUT_NOT_UNDER_XLA = {
    "append-spurious-error-2d0983fb6b": "a number of bfloat16 becomes no text",
    "ndarray.__mul__-missing-error-0ad2d2f488": "a number times text is text, which NumPy asks `out` for",
    "polynomial.hermite_e.hermefit-value-9a23c0cfae": "a sum with the largest number overflows on the way",
    "polynomial.laguerre.lagdiv-value-f635cdaaa3": "a remainder is as exact as the terms that cancel in it are large",
    "outer-value-b393adf049": "the sign of a zero is that of a product that underflows, or of a sum with another zero",
    "polynomial.hermite_e.hermediv-value-b4e039ee59": "zero times an infinite divisor is nan where NumPy subtracts it",
    "linalg.eig-value-b84bb5b365": "a rounding error of the calls that make a matrix is none of its eigenvalues'",
    "ndarray.prod-value-95eacf2098": "complex factors overflow in another order, and `out=` keeps their real part",
    "putmask-missing-error-66882669af": "a number becomes text, which NumPy refuses of one that is written",
    "pad-missing-error-c4d775c54a": "nothing is padded with the least of texts, of which there is no minimum",
    "polynomial.Legendre.roots-value-2ca60e6bdf": "roots of 1e-153 times the largest are zeros to Eigen",
}
"""Cases that differ in most modes, and why. Under XLA there are no general eigenvalues, or kernels of other ways."""

IN_MOST_MODES = {
    "floor_divide.outer-missing-error-faaf206e00": "casting to float32 for bfloat16 is never refused",
    "floor_divide.reduce-value-e5a361d2a6": "a quotient of 2e13 is an ulp of bfloat16 off",
    "histogram-value-2233457673": "the width of a bin is rounded to bfloat16",
    "hypot.reduce-spurious-error-14fb86223c": "an integer past int64 has no place beside bfloat16",
    "subtract.reduceat-value-d2b81d1433": "a nan becomes an unsigned integer, which C leaves open",
    "fft.hfft-value-1775dda0ae": "nan is beside a sum that overflows, in a part that is not read",
    "remainder.reduceat-value-95bda6c482": "a kernel flushes a remainder before it adds the divisor",
    "linalg.qr-value-5688340414": "reflectors are judged as if they were not rounded to float32; a zero's sign differs",
    "linalg.lstsq-value-5be2049e1c": "a solution of 2e-308 is flushed to zero, which leaves the right side",
    "polynomial.Polynomial.fit-value-e5feb98cbf": "LAPACK does not look at nan beside a matrix of zeros",
    "prod-value-2b4f83093f": "factors of one element are multiplied first where indices are unknown, and overflow",
}
"""Cases that differ whether shapes are known or not, and why. XLA or eager mode may be an exception."""

OF_KNOWN_SHAPES = {
    "nanmax-missing-error-ab2f08344f": "nan in a tensor becomes an integer, as in C, where NumPy has a scalar",
}
"""Cases that differ where shapes are known, and why."""

OF_KNOWN_SHAPES_BUT_XLA = {
    "dot-missing-error-40c4d492a0": "a product underflows, and is written to an `out` in an order that NumPy refuses",
    "ndarray.cumprod-value-d3851bc9d1": "TensorFlow multiplies in blocks, of which one underflows",
}
"""Cases that differ where shapes are known, but not under XLA, and why."""

OPEN = {
    "eager": {
        **BUT_NOT_UNDER_XLA,
        **{stem: why for stem, why in IN_MOST_MODES.items() if not stem.startswith("prod")},
        **OF_KNOWN_SHAPES,
        **OF_KNOWN_SHAPES_BUT_XLA,
    },
    "graph": {**BUT_NOT_UNDER_XLA, **IN_MOST_MODES, **OF_KNOWN_SHAPES, **OF_KNOWN_SHAPES_BUT_XLA},
    "xla": {
        "polynomial.hermite.hermfit-value-f3cce4cd5b": "weights of 2e9 and 1e-4 leave three digits",
        "divide-value-8fb52fd09c": "XLA divides by a quotient in one step, and so not by a subnormal number",
        **IN_MOST_MODES,
        **OF_KNOWN_SHAPES,
        "polynomial.legendre.legfit-spurious-error-426517e957": "only of one column of ones is the rank always known",
        "sqrt-value-b4fa3b4c2e": "XLA takes the root of a square for the absolute value, which does not underflow",
    },
    "graph_dims": {
        **BUT_NOT_UNDER_XLA,
        **IN_MOST_MODES,
        "dot-missing-error-40c4d492a0": OF_KNOWN_SHAPES_BUT_XLA["dot-missing-error-40c4d492a0"],
        "histogram2d-dtype-881fa5d9b8": "two bins are the edges of each axis, more are those of both",
        "full_like-spurious-error-1989c8d22d": "what cannot fill an array may fill one of no elements",
        "piecewise-spurious-error-ca01a758dc": "it calls a function that nothing would call, and that cannot be called",
        "strings.encode-spurious-error-82d136359d": "an encoding that there is not may encode nothing",
    },
    "graph_rank": {
        **BUT_NOT_UNDER_XLA,
        **IN_MOST_MODES,
        "random.Generator.choice-value-adf0ec280a": "it asks for the rank of the population",
        "corrcoef-value-a2c40a1601": "nan beside the diagonal, where NumPy has 1.0",
        "histogram2d-dtype-881fa5d9b8": "two bins are the edges of each axis, more are those of both",
        "full_like-spurious-error-1989c8d22d": "what cannot fill an array may fill one of no elements",
        "piecewise-spurious-error-01f5c1aa91": "a mask is taken for an index of an array without dimensions",
        "piecewise-spurious-error-ca01a758dc": "it calls a function that nothing would call, and that cannot be called",
        "polydiv-spurious-error-c98158b43d": "an error at run time, where NumPy gives a quotient",
        "strings.encode-spurious-error-82d136359d": "an encoding that there is not may encode nothing",
    },
}
"""Cases that nobody has mended, by mode, and why: in most of them the answer hangs on a shape that the mode does not
know. Each has to differ still: what is mended goes from here.
"""

BY_PROCESSOR = {
    ("polynomial.hermite_e.hermefit-value-9a23c0cfae", "xla"): "whether a sum overflows on the way hangs on its order",
}
"""Cases that differ on some processors, by mode, and why."""

TOO_SLOW = {("pad-value-f77a791192", "graph_rank"): "tracing takes more than nine seconds of CPU time"}


def modes_of(stem, usual):
    """The modes in which a file is judged, the cheapest first."""
    modes = (*usual, *(OF_SLOPES if usual == MODES and "-gradient-" in stem else ()))
    return sorted((mode for mode in modes if (stem, mode) not in TOO_SLOW), key=rank_cost)


@pytest.fixture(scope="module")
def box():
    arguments = {"subject": "tfnp", "devices": ("CPU:0",), "names": ()}
    limits = Limits(seconds=2 * Limits().seconds)  # what takes 2 s on one processor takes 4 s on another
    start = "fuzz.engine.tasks:start"
    with Sandbox(1, "fuzz.engine.tasks:prepare", arguments, start=start, limits=limits, modules=()) as opened:
        yield opened


def judge(box, files, usual):
    """What each file shows, by its stem and mode."""
    tasks = [(file, mode) for file in files for mode in modes_of(file.stem, usual)]
    items = [(file.read_text(), (mode,)) for file, mode in tasks]
    (reply,) = box.run([Lease(0, "fuzz.engine.tasks:judge_case", items, confirm=False)])
    found = {}
    for (file, mode), result in zip(tasks, reply.results, strict=True):
        if isinstance(result, Death):
            found[file.stem, mode] = f"{result.kind}: {result.detail}"
        else:
            assert isinstance(result, list), f"{file.stem} cannot be judged in {mode}: {result.trace}"
            # The first of all to draw makes a variable, and a graph without shapes is traced once more for it.
            is_free = file.stem.startswith("random.") and mode in SHAPELESS
            shown = [seen for seen in result if not (is_free and seen.kind == "retrace")]
            if shown:
                found[file.stem, mode] = "; ".join(f"{seen.kind}: {seen.detail}" for seen in shown)
    return found


@pytest.mark.parametrize("batch", range(BATCHES))
@pytest.mark.parametrize("modes", [MODES, pytest.param(RARER, marks=pytest.mark.full)], ids=["usual", "rarer"])
def test_the_faults_are_gone(batch, modes, box):
    files = FILES[batch::BATCHES]
    for file in files:
        assert Case.from_json(file.read_text()).name == file.stem.split("-")[0]
    found = judge(box, files, modes)
    stems = {file.stem for file in files}
    found = {key: text for key, text in found.items() if key not in BY_PROCESSOR}
    still_open = {(stem, mode) for mode in modes for stem in OPEN.get(mode, ()) if stem in stems}
    back = [f"{stem} in {mode}: {text}" for (stem, mode), text in found.items() if (stem, mode) not in still_open]
    assert not back, "\n".join(back)
    assert still_open <= found.keys(), f"these no longer differ: {still_open - found.keys()}"


def test_what_is_open_is_there():
    stems = {file.stem for file in FILES}
    assert {stem for stems_of in OPEN.values() for stem in stems_of} <= stems
    assert {stem for stem, _ in (*TOO_SLOW, *BY_PROCESSOR)} <= stems
