"""Imports of numpy in source files of a program or package, replaced by those of `tfnp.numpy`.

Other files, such as those of SciPy and pandas, keep their numpy.
"""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

__all__ = ["install"]

_LIBRARIES = frozenset(("site-packages", "dist-packages"))


class NumPyImports(ast.NodeTransformer):
    """Replaces numpy in import statements, but for its private modules; the names that they bind stay."""

    def visit_Import(self, node: ast.Import) -> list[ast.stmt]:
        statements: list[ast.stmt] = []
        for alias in node.names:
            if not _is_numpy(alias.name):
                statements.append(ast.Import([alias]))
            elif alias.asname or alias.name == "numpy":
                statements.append(ast.Import([ast.alias(f"tfnp.{alias.name}", alias.asname or "numpy")]))
            else:  # a submodule, which is imported, and `numpy`, which is bound
                statements.append(ast.ImportFrom("importlib", [ast.alias("import_module", "_import_module")], 0))
                statements.append(ast.parse(f"_import_module('tfnp.{alias.name}')").body[0])
                statements.append(ast.Import([ast.alias("tfnp.numpy", "numpy")]))
        return [ast.copy_location(statement, node) for statement in statements]

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.stmt:
        if node.level == 0 and node.module and _is_numpy(node.module):
            node.module = f"tfnp.{node.module}"
        return node


def _is_numpy(name: str) -> bool:
    return name == "numpy" or (name.startswith("numpy.") and not name.startswith("numpy._"))


def compile_source(source: str | bytes, path: str) -> CodeType:
    """Return the code of a source file with the imports replaced."""
    tree = ast.fix_missing_locations(NumPyImports().visit(ast.parse(source, path)))
    return compile(tree, path, "exec", dont_inherit=True)


class SourceLoader(SourceFileLoader):
    """Loads a source file with the imports replaced, never from a cache of bytecode."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        return compile_source(self.get_data(path), path)


class SourceFinder(MetaPathFinder):
    """Finds the modules whose source files lie in a folder, and not in a library that is installed there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        module_spec = PathFinder.find_spec(fullname, path, target)
        if module_spec is None or type(module_spec.loader) is not SourceFileLoader or not self.contains(module_spec):
            return None
        module_spec.loader = SourceLoader(module_spec.loader.name, module_spec.loader.path)
        return module_spec

    def contains(self, module_spec: ModuleSpec) -> bool:
        """Return whether a module's file lies in the folder."""
        if not module_spec.origin:
            return False
        path = Path(module_spec.origin).resolve()
        if not path.is_relative_to(self.folder):
            return False
        return _LIBRARIES.isdisjoint(path.relative_to(self.folder).parts)


def install_folder(folder: Path) -> None:
    """Replace numpy in all modules of a folder that are imported from now on."""
    sys.meta_path.insert(0, SourceFinder(folder))


def install(package: str) -> None:
    """Replace numpy by `tfnp.numpy` in a package: call it before the package is imported for the first time.

    Raise ModuleNotFoundError if there is no such package, RuntimeError if it is imported already.
    """
    if package in sys.modules:
        raise RuntimeError(
            f"{package} is imported already: call tfnp.install({package!r}) before the first import of it"
        )
    module_spec = importlib.util.find_spec(package)
    if module_spec is None or not module_spec.origin:
        raise ModuleNotFoundError(f"there is no package {package!r} with source files", name=package)
    path = Path(module_spec.origin)
    install_folder(path.parent if module_spec.submodule_search_locations else path)
