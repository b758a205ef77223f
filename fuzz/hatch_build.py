"""The hook that adds the harness's packages to its wheel and its sdist.

In a clone `pyproject.toml` is beside the modules of `fuzz`, and `oracle` is beside `fuzz`. In an sdist both packages
are below `pyproject.toml`. Hatchling itself selects only files below `pyproject.toml`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SUFFIXES = {".py", ".typed"}


class Packages(BuildHookInterface):
    """A build hook that adds the packages `oracle` and `fuzz`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the packages, but not for an editable install, which has the clone on its path."""
        if version != "editable":
            build_data["force_include"].update(list_sources(Path(self.root)))


def list_sources(root: Path) -> dict[str, str]:
    """Return the files and folders to add, with their paths in wheel and sdist."""
    if (root / "oracle").is_dir():
        return {str(root / package): package for package in ("oracle", "fuzz")}
    modules = [path for path in root.iterdir() if path.suffix in SUFFIXES and path.name != Path(__file__).name]
    folders = [path.parent for path in root.glob("*/__init__.py")]
    repository = root.parent
    return {
        str(repository / "oracle"): "oracle",
        **{str(path): f"fuzz/{path.name}" for path in sorted([*modules, *folders])},
        str(repository / "docs/upstream/scripts"): "fuzz/upstream/scripts",  # campaigns recognise bugs by them
    }
