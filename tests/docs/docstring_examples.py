"""The examples of NumPy's docstrings, run side by side in NumPy and in tfnp.

    python -m tests.docs.docstring_examples [--every N] [NAME ...]     # print what differs, as JSON
    python -m tests.docs.docstring_examples --prune                    # drop what agrees now from the list

They are taken from the installed NumPy when this runs; nothing of them is kept. What an example gives is compared, not
what it prints. An example is called by its docstring and its number there: "percentile:3".
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import doctest
import io
import json
import os
import re
import signal
import tempfile
import tomllib
from collections.abc import Iterator
from operator import attrgetter
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import numpy as np
import tensorflow as tf

import tfnp
from oracle.harness import TOPICS

LIST = Path(__file__).with_name("docstring_examples.toml")
SECONDS = 30  # of the processor; what takes tfnp ten is listed as unbearable, and not run
SEED = 12345
FORM_ONLY = "empty(", "empty_like("  # NumPy does not say which numbers these hold
OTHER_TOPIC = "Others"


class Docstring(NamedTuple):
    """The examples of one docstring, under the first name that has it."""

    topic: str
    name: str
    examples: list[doctest.Example]


class Raised(NamedTuple):
    """An example that raised."""

    error: BaseException


class Timeout(BaseException):
    """An example took too long. No `except Exception` in it may catch this."""


def names() -> Iterator[tuple[str, str]]:
    """Yield topic and name of all that both NumPy and tfnp have."""
    listed = [(topic, name) for topic, names in TOPICS.items() for name in names]
    known = {name for _, name in listed}
    rest = [(OTHER_TOPIC, name) for name in dir(np) if not name.startswith("_") and name not in known]
    with tfnp.numpy_behavior():
        array = tfnp.ones((1, 1))
        for topic, name in [*listed, *rest]:
            with contextlib.suppress(AttributeError):
                attrgetter(name.removeprefix("ndarray."))(array if name.startswith("ndarray.") else tfnp)
                yield topic, name


def docstrings() -> list[Docstring]:
    """Return every docstring with examples, once."""
    found: dict[str, Docstring] = {}
    for topic, name in names():
        text = getattr(attrgetter(name)(np), "__doc__", None)
        if isinstance(text, str) and text not in found:
            examples = doctest.DocTestParser().get_examples(text)
            if examples:
                found[text] = Docstring(topic, name, examples)
    return list(found.values())


def sample(everything: list[Docstring], every: int) -> list[Docstring]:
    """Return each n-th docstring of every topic, the first included."""
    by_topic: dict[str, list[Docstring]] = {}
    for one in everything:
        by_topic.setdefault(one.topic, []).append(one)
    return [one for those in by_topic.values() for one in those[::every]]


class _Imports(ast.NodeTransformer):
    """Imports of NumPy become imports of tfnp; a generator without a seed gets one."""

    def __init__(self, package: str) -> None:
        self.package = package

    def _name(self, name: str | None) -> str | None:
        return self.package + name[5:] if name and name.split(".")[0] == "numpy" else name

    def visit_Import(self, node: ast.Import) -> ast.AST:
        for alias in node.names:
            alias.asname = alias.asname or ("numpy" if alias.name == "numpy" else None)
            alias.name = self._name(alias.name) or alias.name
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:
        node.module = self._name(node.module)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if name in ("default_rng", "RandomState", "PCG64", "MT19937", "SeedSequence") and not node.args:
            node.args = [ast.Constant(SEED)]
        return node


def _stop(signum: int, frame: FrameType | None) -> None:
    raise Timeout


def evaluate(source: str, namespace: dict[str, Any], package: str) -> Any:
    """Run an example, and return the value of its last expression, or what it raised."""
    try:
        tree = ast.fix_missing_locations(_Imports(package).visit(ast.parse(source)))
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            exec(compile(tree, "<example>", "exec"), namespace)
            return last and eval(compile(ast.Expression(last.value), "<example>", "eval"), namespace)
    except (Exception, Timeout) as error:  # noqa: BLE001 - whatever an example raises is what it gives
        return Raised(error)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def run(one: Docstring, unbearable: frozenset[str]) -> Iterator[tuple[int, str]]:
    """Yield the number of each example, and how tfnp differs: "" where it does not.

    Examples that NumPy itself cannot run, as without a library, are left out.
    """
    ours: dict[str, Any] = {"np": tfnp, "numpy": tfnp}
    theirs: dict[str, Any] = {"np": np, "numpy": np}
    np.random.seed(SEED)
    tfnp.random.seed(SEED)
    for settings in (np, tfnp):
        settings.seterr(all="warn")  # examples before this one may have changed them
        settings.seterrcall(None)
    for number, example in enumerate(one.examples):
        expected = evaluate(example.source, theirs, "numpy")
        if f"{one.name}:{number}" in unbearable:
            align(ours, theirs)
            continue
        found = evaluate(example.source, ours, "tfnp")
        if isinstance(expected, Raised) and (example.exc_msg is None or isinstance(expected.error, Timeout)):
            continue
        form_only = any(word in example.source for word in FORM_ONLY)
        try:
            text = difference(expected, found, form_only=form_only)
        except Exception as error:  # noqa: BLE001 - an answer that cannot even be looked at
            text = f"cannot be compared: {error!r}"
        if text:
            align(ours, theirs)
        yield number, text


def align(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    """Give tfnp's side the variables of NumPy's, so that one difference does not make the examples after it differ."""
    for name, value in theirs.items():
        if isinstance(value, np.ndarray):
            try:
                ours[name] = tfnp.array(value)
            except TypeError:  # of a dtype that TensorFlow lacks
                ours[name] = value.copy()
        elif not (name in ours or name.startswith("__")):
            ours[name] = value


def difference(expected: Any, found: Any, *, form_only: bool = False) -> str:
    """Return how two values differ; "" where they agree."""
    if isinstance(expected, Raised) or isinstance(found, Raised):
        return _difference_of_errors(expected, found)
    if isinstance(found, tf.Variable | tf.Tensor | tf.IndexedSlices) or isinstance(expected, np.ndarray | np.generic):
        return _difference_of_arrays(expected, found, form_only)
    if isinstance(expected, tuple | list):
        if not isinstance(found, tuple | list | tf.TensorShape) or len(expected) != len(found):
            return f"{type(found).__name__} instead of {type(expected).__name__} of {len(expected)}"
        pairs = (difference(one, other, form_only=form_only) for one, other in zip(expected, found, strict=True))
        return next(filter(None, pairs), "")
    if isinstance(expected, dict) and isinstance(found, dict):
        return difference(list(expected.items()), list(found.items()), form_only=form_only)
    return _difference_of_objects(expected, found)


def _difference_of_errors(expected: Any, found: Any) -> str:
    if not isinstance(expected, Raised):
        return f"raises {type(found.error).__name__}: {str(found.error)[:150]}"
    if not isinstance(found, Raised):
        return f"does not raise {type(expected.error).__name__}"
    if not isinstance(found.error, type(expected.error)):
        return f"raises {type(found.error).__name__} instead of {type(expected.error).__name__}"
    return ""


def _difference_of_arrays(expected: Any, found: Any, form_only: bool) -> str:
    try:
        array, expected = np.asarray(found), np.asarray(expected)
    except Exception as error:  # noqa: BLE001 - no array at all
        return f"{type(found).__name__} instead of an array: {error}"
    is_text = expected.dtype.kind in "SUT"
    if array.dtype == object and is_text:
        array = array.astype("S")
        array = array if expected.dtype.kind == "S" else np.strings.decode(array, "utf-8", "replace")
    if array.shape != expected.shape:
        return f"shape {array.shape} instead of {expected.shape}"
    if not is_text and array.dtype != expected.dtype.newbyteorder("="):
        return f"dtype {array.dtype} instead of {expected.dtype}"
    if form_only:
        return ""
    tolerance = 1e-4 if expected.dtype in (np.float32, np.complex64) else 1e-2 if expected.dtype.itemsize == 2 else 1e-7
    if expected.dtype.kind in "fc":
        same = np.allclose(array, expected, rtol=tolerance, atol=1e-12 if tolerance < 1e-6 else 1e-6, equal_nan=True)
    else:
        same = np.array_equal(array, expected)
    return "" if same else f"{_short(array)} instead of {_short(expected)}"


def _difference_of_objects(expected: Any, found: Any) -> str:
    if isinstance(found, tf.DType):
        found = found.as_numpy_dtype
        found = np.dtype(found) if isinstance(expected, np.dtype) else found
    if expected is np.ndarray and isinstance(found, type) and issubclass(found, tf.Tensor):
        return ""
    if type(expected) is type(found) and type(expected).__module__.startswith("matplotlib."):
        return ""
    if type(expected).__name__ == type(found).__name__ and _plain_repr(expected) == _plain_repr(found):
        return ""
    try:
        same = bool(expected == found)
    except Exception:  # noqa: BLE001 - what cannot be compared is not equal
        same = False
    return "" if same else f"{_short(found)} instead of {_short(expected)}"


def _plain_repr(value: Any) -> str:
    return re.sub(r" at 0x\w+", "", repr(value)).replace("tfnp.", "numpy.")


def _short(value: Any) -> str:
    return " ".join(repr(value).split())[:80]


class Known(NamedTuple):
    """What the list says: for which NumPy, why an example differs, and which ones take too long to be run."""

    numpy: str
    differs: dict[str, str]
    unbearable: frozenset[str]


def read_list() -> Known:
    """Return the list of examples that are known to differ."""
    table = tomllib.loads(LIST.read_text())
    reasons = {
        f"{name}:{number}": reason
        for reason in table["reasons"]
        for name, numbers in reason["examples"].items()
        for number in numbers
    }
    unbearable = frozenset(key for key, reason in reasons.items() if reason.get("unbearable"))
    return Known(
        table["numpy"], {key: reason["why"] for key, reason in reasons.items() if key not in unbearable}, unbearable
    )


def survey(chosen: list[Docstring], unbearable: frozenset[str]) -> dict[str, str]:
    """Return how each example differs, "" where it does not. Run in a folder of its own, where examples write files."""
    signal.signal(signal.SIGPROF, _stop)
    os.environ["MPLBACKEND"] = "Agg"
    np.set_printoptions(legacy=False)
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), tfnp.numpy_behavior():
        return {f"{one.name}:{number}": text for one in chosen for number, text in run(one, unbearable)}


def prune(found: dict[str, str]) -> None:
    """Drop from the list what agrees now, or is there no more. Nothing is ever added by itself."""
    table = tomllib.loads(LIST.read_text())
    lines = [line for line in LIST.read_text().splitlines() if line.startswith("#")]
    for reason in table["reasons"]:
        if reason.get("unbearable"):
            continue
        kept = {
            name: [number for number in numbers if found.get(f"{name}:{number}")]
            for name, numbers in reason["examples"].items()
        }
        reason["examples"] = {name: numbers for name, numbers in kept.items() if numbers}
    LIST.write_text("\n".join([*lines, *render_list(table)]) + "\n")


def render_list(table: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of the list."""
    yield f"numpy = {json.dumps(table['numpy'])}"
    for reason in table["reasons"]:
        if reason["examples"]:
            yield f"\n[[reasons]]\nwhy = {json.dumps(reason['why'])}"
            if reason.get("unbearable"):
                yield "unbearable = true"
            yield "[reasons.examples]"
            yield from (f"{json.dumps(name)} = {numbers}" for name, numbers in sorted(reason["examples"].items()))


def main() -> None:
    """Run what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", help="docstrings; all of them unless given")
    parser.add_argument("--every", type=int, default=1, help="only each n-th docstring of a topic")
    parser.add_argument("--prune", action="store_true", help="drop what agrees now from the list")
    options = parser.parse_args()
    chosen = sample(docstrings(), options.every)
    if options.names:
        chosen = [one for one in chosen if one.name in options.names]
    found = survey(chosen, read_list().unbearable)
    if options.prune:
        prune(found)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
