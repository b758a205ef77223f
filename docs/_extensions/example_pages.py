"""A page for each program in `examples/`: its docstring, then its source."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import NamedTuple

INDEX = """# Examples

Programs that run by themselves: `python examples/kmeans.py`. The tests run each one, and compare its functions with
NumPy running the same source, in eager mode, in `tf.function` and, where shapes do not depend on data, under XLA.
"""


class Example(NamedTuple):
    """A program: its name, its title, the rest of its docstring, and the first line of code."""

    name: str
    title: str
    text: str
    first_line: int


def read_example(path: Path) -> Example:
    """Return what the docstring of a program says. Its first line is a heading."""
    tree = ast.parse(path.read_text())
    docstring, node = ast.get_docstring(tree), tree.body[0]
    if docstring is None or not docstring.startswith("# "):
        raise ValueError(f"{path}: the docstring does not begin with a heading")
    title, _, text = docstring.removeprefix("# ").partition("\n")
    return Example(path.stem, title, text.strip(), (node.end_lineno or 0) + 2)


def render_example(example: Example) -> str:
    """Return the page of a program."""
    text = example.text.replace("```text", "It prints:\n\n```text")
    source = (
        f"```{{literalinclude}} ../../examples/{example.name}.py\n:language: python\n:lines: {example.first_line}-\n```"
    )
    return f"# {example.title}\n\n{text}\n\n`examples/{example.name}.py`:\n\n{source}\n"


def write_if_changed(path: Path, text: str) -> None:
    """Write a page, unless it is there: Sphinx reads again what is newer."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def write_examples(sources: Path, folder: Path) -> None:
    """Write a page for each program, and their index."""
    examples = [read_example(path) for path in sorted(sources.glob("*.py"))]
    folder.mkdir(exist_ok=True)
    for stale in {path.name for path in folder.glob("*.md")} - {f"{one.name}.md" for one in examples} - {"index.md"}:
        (folder / stale).unlink()
    for example in examples:
        write_if_changed(folder / f"{example.name}.md", render_example(example))
    entries = "\n".join(example.name for example in examples)
    write_if_changed(folder / "index.md", f"{INDEX}\n```{{toctree}}\n:maxdepth: 1\n\n{entries}\n```\n")
