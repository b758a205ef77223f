"""The reference: every public name of tfnp, by topic of NumPy's manual, made from the code itself."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator, Mapping
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import tensorflow as tf
from example_pages import write_if_changed

import tfnp
from oracle.harness import TOPICS

MANUAL = "https://numpy.org/doc/stable/reference/"
NAMESPACES = (
    *("linalg", "fft", "random", "strings", "emath", "exceptions", "testing", "polynomial"),
    *(f"polynomial.{name}" for name in ("polynomial", "chebyshev", "legendre", "hermite", "hermite_e", "laguerre")),
)
UFUNC_METHODS, OWN, OTHERS = "Universal function methods", "Only in tfnp", "Files, printing and the rest"
ABSENT = object()
NOTES_HEADING = "Notes for TensorFlow"

INDEX = """# Reference

Every public name of tfnp, by topic of NumPy's manual: its signature, where NumPy's manual describes it, and what is
said about it here, where tfnp differs or has something to add. A name without a note does what NumPy's does. Names that
are not here say why when they are asked for: [](left_out.md).
"""
LEFT_OUT = """# Names that are left out

These names of NumPy's are not in tfnp. Asking for one, as in `tfnp.matrix`, raises an AttributeError that gives the
reason.

| name | reason |
|---|---|
"""


class Entry(NamedTuple):
    """A name of the reference, the object of that name, and NumPy's (ABSENT where it has none)."""

    name: str
    value: Any
    original: Any

    @property
    def is_function(self) -> bool:
        """Whether it is called; scalar types, which are NumPy's, are not."""
        return callable(self.value) and not (isinstance(self.value, type) and issubclass(self.value, np.generic))


def look_up(module: Any, name: str) -> Any:
    """Return the object of a dotted name, or ABSENT. Methods of arrays are those that a tensor is lent."""
    if module is tfnp and name.startswith("ndarray."):
        return getattr(tfnp.ones((1, 1), "int64"), name.removeprefix("ndarray."), ABSENT)
    try:
        return attrgetter(name)(module)
    except AttributeError:
        return ABSENT


def public_names() -> Iterator[str]:
    """Yield every public name: those that NumPy has, in each namespace, and tfnp's own at the top."""
    yield from (name for name in dir(tfnp) if is_public(tfnp, np, name) or is_own(name))
    for space in NAMESPACES:
        module, original = look_up(tfnp, space), look_up(np, space)
        if module is not ABSENT:
            yield from (f"{space}.{name}" for name in dir(module) if is_public(module, original, name))


def is_public(module: Any, original: Any, name: str) -> bool:
    """Return whether NumPy has the name too, and it is no module."""
    value = getattr(module, name)
    if name.startswith("_") or isinstance(value, ModuleType):
        return False
    if original is np.testing:
        return name.startswith("assert_") and callable(value)
    return name in getattr(original, "__all__", dir(original)) or (original is np and hasattr(np, name))


def is_own(name: str) -> bool:
    """Return whether the name is one of tfnp's that NumPy lacks."""
    value = getattr(tfnp, name)
    return not (name.startswith("_") or hasattr(np, name) or isinstance(value, ModuleType))


def topics() -> dict[str, list[str]]:
    """Return the names of each page."""
    pages = {topic: [name for name in names if is_present(name)] for topic, names in TOPICS.items()}
    pages[UFUNC_METHODS] = [f"add.{name}" for name in ("reduce", "accumulate", "reduceat", "outer", "at")]
    seen = {name for names in pages.values() for name in names}
    rest = sorted(set(public_names()) - seen, key=str.lower)
    pages[OTHERS] = [name for name in rest if look_up(np, name) is not ABSENT]
    pages[OWN] = [name for name in rest if look_up(np, name) is ABSENT]
    return pages


def is_present(name: str) -> bool:
    """Return whether tfnp has a name of the inventory."""
    return look_up(tfnp, name) is not ABSENT


def entry(name: str) -> Entry:
    """Return what is told of a name."""
    return Entry(name, look_up(tfnp, name), look_up(np, name))


def signature(value: Any) -> str:
    """Return the parameters of a function, without annotations; "" for what is none, or tells none."""
    try:
        parameters = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return ""
    plain = [p.replace(annotation=p.empty, default=_default(p)) for p in parameters]
    if plain and plain[0].name == "self":
        plain = plain[1:]
    return str(inspect.Signature(plain))


class _Shown:
    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def _default(parameter: inspect.Parameter) -> Any:
    value = parameter.default
    if value is parameter.empty:
        return value
    if isinstance(value, type):
        return _Shown(value.__name__)
    text = repr(value)
    return _Shown(re.sub(r" at 0x\w+", "", text))


def notes(value: Any, original: Any) -> str:
    """Return what is said about a name here, as Markdown: not what NumPy's own docstring says."""
    if not callable(value) and not hasattr(type(value), "__getitem__"):
        return ""
    text = inspect.getdoc(value) or ""
    if NOTES_HEADING in text:
        text = text.split(NOTES_HEADING, 1)[1].lstrip("-=\n ")
        return escape(re.split(r"\n\n[^\n]+\n[-=]{3,}\n", text)[0].strip())
    of_module = getattr(np.random, getattr(value, "__name__", ""), None)  # methods of generators have its text
    inherited = {inspect.getdoc(one) for one in (original, type(value), type(original), of_module)} - {None}
    if text in inherited or value is original or value is tf.Tensor or is_numpys(value):
        return ""
    return escape(text)


def is_numpys(value: Any) -> bool:
    """Return whether an object is NumPy's or TensorFlow's own, or carries the text of a ufunc of NumPy's."""
    home = getattr(value, "__module__", "") or ""
    return home.split(".")[0] in ("numpy", "ml_dtypes", "tensorflow") or (
        hasattr(value, "nin") and inspect.getdoc(value) == inspect.getdoc(getattr(np, value.__name__, None))
    )


def escape(text: str) -> str:
    """Return text whose only markup is code in backticks."""
    parts = re.split(r"(`+[^`]+`+)", text)
    return "".join(part if index % 2 else re.sub(r"([*_<>\[\]|])", r"\\\1", part) for index, part in enumerate(parts))


def manual_page(name: str, original: Any) -> str:
    """Return the address of NumPy's page about a name; "" where there is none."""
    if original is ABSENT:
        return ""
    head, _, last = name.rpartition(".")
    if isinstance(original, type) and issubclass(original, np.generic):
        return f"{MANUAL}arrays.scalars.html#numpy.{name}"
    if isinstance(original, np.generic | float | type(None)):
        return f"{MANUAL}constants.html"
    if head in ("exceptions", "testing"):
        return f"{MANUAL}routines.{head}.html"
    if name in ("random.default_rng", "random.Generator"):
        return f"{MANUAL}random/generator.html#numpy.{name}"
    if name.startswith("random."):
        return f"{MANUAL}random/generated/numpy.{name}.html"
    if isinstance(look_up(np, head), np.ufunc) and head:
        return f"{MANUAL}generated/numpy.ufunc.{last}.html"
    return f"{MANUAL}generated/numpy.{name_in_manual(name)}.html"


def name_in_manual(name: str) -> str:
    """Return the name that NumPy's manual files an object under: classes of polynomials by their module."""
    match = re.match(r"polynomial\.(Polynomial|Chebyshev|Legendre|HermiteE|Hermite|Laguerre)\b", name)
    if not match:
        return name
    module = {"HermiteE": "hermite_e"}.get(match[1], match[1].lower())
    return f"polynomial.{module}.{name.removeprefix('polynomial.')}"


def render_entry(one: Entry, coverage: Mapping[str, str]) -> str:
    """Return the entry of a name."""
    name = one.name if one.name.startswith("ndarray.") else f"tfnp.{one.name.replace('add.', 'ufunc.')}"
    kind = "function" if one.is_function else "data"
    lines = [f"````{{py:{kind}}} {name}{signature(one.value) if one.is_function else ''}"]
    lines.append("")
    lines += [text + "\n" for text in (notes(one.value, one.original), coverage.get(one.name, "")) if text]
    page = manual_page(one.name, one.original)
    lines += [f"[NumPy's manual]({page})"] if page else []
    return "\n".join([*lines, "````", ""])


def render_page(topic: str, names: list[str], coverage: Mapping[str, str]) -> str:
    """Return the page of a topic."""
    return "\n".join([f"# {topic}", "", *(render_entry(entry(name), coverage) for name in names)])


def read_coverage(path: Path | None) -> dict[str, str]:
    """Return a sentence on each name from what `python -m fuzz coverage --json` has written."""
    if path is None:
        return {}
    found = {}
    for row in json.loads(path.read_text())["names"]:
        differs = [mode for mode in row["answers"] if mode in row["differs"]]
        agrees = [mode for mode in row["answers"] if mode not in row["differs"]]
        texts = [("agrees with NumPy in", agrees), ("differs in", differs)]
        found[row["name"]] = "; ".join(f"{text} {', '.join(modes)}" for text, modes in texts if modes)
    return {name: f"*Last campaign:* {text}." for name, text in found.items() if text}


def reasons() -> dict[str, str]:
    """Return why each name of NumPy's that tfnp lacks is left out, as its AttributeError says."""
    found = {}
    for name in dir(np):
        if not name.startswith("_"):
            try:
                getattr(tfnp, name)
            except AttributeError as error:
                found[name] = str(error).partition(f"{name!r}")[2].lstrip(":, ")
    return found


def file_name(topic: str) -> str:
    """Return the file of a topic's page, without its extension."""
    return re.sub(r"\W+", "_", topic.lower())


def write_reference(folder: Path, coverage_file: Path | None, extra: Mapping[str, str]) -> None:
    """Write a page for each topic, that of the names left out, some that others have made, and the index."""
    folder.mkdir(exist_ok=True)
    coverage = read_coverage(coverage_file)
    with tfnp.numpy_behavior():
        pages = {file_name(topic): render_page(topic, names, coverage) for topic, names in topics().items() if names}
    rows = "\n".join(f"| `{name}` | {escape(reason)} |" for name, reason in sorted(reasons().items()))
    pages["left_out"] = LEFT_OUT + rows + "\n"
    pages.update(extra)
    entries = "\n".join(pages)
    pages["index"] = f"{INDEX}\n```{{toctree}}\n:maxdepth: 1\n\n{entries}\n```\n"
    for stale in {path.stem for path in folder.glob("*.md")} - pages.keys():
        (folder / f"{stale}.md").unlink()
    for name, text in pages.items():
        write_if_changed(folder / f"{name}.md", text)
