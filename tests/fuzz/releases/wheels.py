"""An index of a package's releases: wheels in a folder, and settings with which uv looks there only."""

from __future__ import annotations

import zipfile


def write_wheel(folder, name, version, source, requires=()):
    """Write a wheel of a package with one module."""
    home = f"{name}-{version}.dist-info"
    metadata = [f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}"]
    metadata += [f"Requires-Dist: {requirement}" for requirement in requires]
    files = {
        f"{name}.py": source,
        f"{home}/METADATA": "\n".join(metadata) + "\n",
        f"{home}/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    files[f"{home}/RECORD"] = "".join(f"{path},,\n" for path in [*files, f"{home}/RECORD"])
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as wheel:
        for path, text in files.items():
            wheel.writestr(path, text)


def use_index(monkeypatch, folder):
    """Let uv find packages in a folder only."""
    monkeypatch.setenv("UV_FIND_LINKS", str(folder))
    monkeypatch.setenv("UV_NO_INDEX", "1")
    monkeypatch.setenv("UV_CACHE_DIR", str(folder / "cache"))
    monkeypatch.setenv("UV_OFFLINE", "1")
