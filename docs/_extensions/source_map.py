"""The map of the sources: the first line of each module's docstring."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

PACKAGES = ("tfnp", "oracle", "fuzz")


def summary(path: Path) -> str:
    """Return the first sentence of a module's docstring."""
    text = " ".join((ast.get_docstring(ast.parse(path.read_text())) or "").partition("\n\n")[0].split())
    return re.split(r"(?<=[.:;]) ", text)[0].rstrip(".:;")


def modules(package: Path) -> Iterator[tuple[str, Path]]:
    """Yield the name and the source of a package's modules, and of its sub-packages as a whole."""
    for path in sorted(package.iterdir()):
        if (path / "__init__.py").exists():
            yield f"{path.name}/", path / "__init__.py"
        elif path.suffix == ".py" and not path.name.startswith("__"):
            yield path.name, path


def folders(package: Path) -> list[Path]:
    """Return a package and all packages in it."""
    return sorted(path.parent for path in package.rglob("__init__.py"))


def render_map(root: Path) -> str:
    """Return a list of modules for each package."""
    lines = []
    for package in PACKAGES:
        for folder in folders(root / package):
            name = folder.relative_to(root).as_posix()
            lines += [f"{'#' * (2 + name.count('/'))} `{name}`", "", "| | |", "|---|---|"]
            lines += [f"| `{module}` | {summary(path).replace('|', ' ')} |" for module, path in modules(folder)] + [""]
    return "\n".join(lines)
