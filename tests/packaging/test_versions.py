"""What the documents say of versions is what `pyproject.toml` says, and tox tries each of them."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
LOWEST = dict(re.fullmatch(r"(\w+)>=([\d.]+)", requirement).groups() for requirement in PROJECT["dependencies"])
PYTHONS = [text.rpartition(" ")[2] for text in PROJECT["classifiers"] if re.search(r"Python :: 3\.\d+$", text)]


@pytest.mark.parametrize("document", ["README.md", "docs/start.md"])
def test_documents_tell_the_versions(document):
    text = (ROOT / document).read_text()
    for name, label in (("tensorflow", "TensorFlow"), ("numpy", "NumPy")):
        assert re.search(rf"{label} \|? ?{re.escape(LOWEST[name])} (or|and) later", text), label
    assert PYTHONS[0] in text
    assert PYTHONS[-1] in text


def test_every_python_is_allowed_and_tried():
    lowest, beyond = re.fullmatch(r">=3\.(\d+),<3\.(\d+)", PROJECT["requires-python"]).groups()
    assert [f"3.{minor}" for minor in range(int(lowest), int(beyond))] == PYTHONS
    factors = ",".join(f"py{version.replace('.', '')}" for version in PYTHONS)
    assert f"[testenv:{{lowest,highest}}-{{{factors}}}]" in (ROOT / "tox.ini").read_text()


def test_the_pins_lie_in_the_ranges():
    pins = dict(re.findall(r"^([\w-]+)==([\d.]+)", (ROOT / "ci/constraints.txt").read_text(), re.MULTILINE))
    for name, lowest in LOWEST.items():
        pinned = pins[name.replace("_", "-")]
        assert [int(part) for part in pinned.split(".")] >= [int(part) for part in lowest.split(".")], name
