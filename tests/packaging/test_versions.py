"""What both distributions, the documents and tox say of versions agrees."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
import yaml

import tfnp

ROOT = Path(__file__).parents[2]
TFNP, HARNESS = (tomllib.loads((ROOT / path).read_text()) for path in ("pyproject.toml", "fuzz/pyproject.toml"))
PROJECTS = {"tfnp": TFNP["project"], "array-oracle": HARNESS["project"]}
RUN_BY_TOX = (ROOT / "tox.ini").read_text()


def read_lowest(name):
    """Return the lowest version of each requirement of a distribution, extras included."""
    project = PROJECTS[name]
    extras = [one for extra in project["optional-dependencies"].values() for one in extra]
    matches = (re.fullmatch(r"([\w-]+)(?:\[\w+\])?[>=]=([\d.]+)", one) for one in [*project["dependencies"], *extras])
    return {match[1]: match[2] for match in matches}


def list_pythons(name):
    """Return the versions of Python that a distribution declares to be tried."""
    texts = (re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", one) for one in PROJECTS[name]["classifiers"])
    return [match[1] for match in texts if match]


def as_numbers(version):
    return [int(part) for part in version.split(".")]


def test_both_distributions_have_one_version():
    assert PROJECTS["array-oracle"]["version"] == tfnp.__version__
    assert read_lowest("tfnp")["array-oracle"] == tfnp.__version__
    extras = {one for extra in PROJECTS["tfnp"]["optional-dependencies"].values() for one in extra}
    assert all(one.endswith(f"=={tfnp.__version__}") for one in extras)


@pytest.mark.parametrize("field", ["license", "license-files"])
def test_both_distributions_have_one_license(field):
    assert PROJECTS["tfnp"][field] == PROJECTS["array-oracle"][field]
    assert (ROOT / "LICENSE").read_bytes() == (ROOT / "fuzz/LICENSE").read_bytes()


def test_what_both_need_has_one_range_unless_tensorflow_needs_a_newer_one():
    ours, theirs = read_lowest("tfnp"), read_lowest("array-oracle")
    both = ours.keys() & theirs.keys()
    assert both == {"tensorflow", "numpy", "ml_dtypes"}
    assert {name for name in both if ours[name] != theirs[name]} == {"numpy"}
    assert as_numbers(theirs["numpy"]) < as_numbers(ours["numpy"])
    assert TFNP["build-system"] == HARNESS["build-system"]


def test_every_package_is_in_one_distribution():
    (packages,) = [TFNP["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]]
    assert packages == ["tfnp"]
    assert set(TFNP["tool"]["mypy"]["packages"]) == {"tfnp", "oracle", "fuzz"}
    groups = TFNP["dependency-groups"]
    assert not {re.match(r"[\w-]+", one)[0] for group in groups.values() for one in group} & {"tfnp", "array-oracle"}


@pytest.mark.parametrize("document", ["README.md", "docs/start.md"])
def test_documents_tell_the_versions_of_tfnp(document):
    text, lowest, pythons = (ROOT / document).read_text(), read_lowest("tfnp"), list_pythons("tfnp")
    for name, label in (("tensorflow", "TensorFlow"), ("numpy", "NumPy")):
        assert re.search(rf"{label} \|? ?{re.escape(lowest[name])} (or|and) later", text), label
    assert pythons[0] in text
    assert pythons[-1] in text


def test_the_page_of_versions_tells_what_is_tried():
    text = (ROOT / "docs/versions.md").read_text()
    for name, column in (("array-oracle", 0), ("tfnp", 1)):
        for label, lowest in (
            ("Python", list_pythons(name)[0]),
            *zip(("NumPy", "TensorFlow"), read_needs(name), strict=True),
        ):
            cells = re.search(rf"^\| {label} \| (.*) \| (.*) \|$", text, re.MULTILINE).groups()
            assert lowest in cells[column], (name, label)
        assert list_pythons(name)[-1] in text
    assert all(series in text for series in list_series())


def read_needs(name):
    return read_lowest(name)["numpy"], read_lowest(name)["tensorflow"]


def list_series():
    """Return the series of NumPy that the harness is tried with."""
    return re.search(r"--only harness \{posargs:--numpy ([\d. ]+)\}", RUN_BY_TOX)[1].split()


@pytest.mark.parametrize("document", ["README.md", "fuzz/README.md", "docs/harness/own_library.md"])
def test_documents_tell_the_versions_of_the_harness(document):
    text = (ROOT / document).read_text()
    oldest = PROJECTS["array-oracle"]["requires-python"].removeprefix(">=")
    assert re.search(rf"Python {oldest} or later(,| and)\s+NumPy {read_lowest('array-oracle')['numpy']} or later", text)


def test_the_readme_tells_every_extra_of_the_harness():
    rows = re.findall(r"^\| (`[^|]*) \|", (ROOT / "fuzz/README.md").read_text(), re.MULTILINE)
    assert {name for row in rows for name in re.findall(r"`([\w-]+)`", row)} == set(
        PROJECTS["array-oracle"]["optional-dependencies"]
    )


def test_every_python_is_allowed_and_tried():
    lowest, beyond = re.fullmatch(r">=3\.(\d+),<3\.(\d+)", PROJECTS["tfnp"]["requires-python"]).groups()
    pythons = list_pythons("tfnp")
    assert [f"3.{minor}" for minor in range(int(lowest), int(beyond))] == pythons
    assert list_pythons("array-oracle") == pythons
    assert PROJECTS["array-oracle"]["requires-python"] == f">=3.{lowest}"
    factors = ",".join(f"py{version.replace('.', '')}" for version in pythons)
    assert f"[testenv:{{lowest,highest}}-{{{factors}}}]" in RUN_BY_TOX
    workflow = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())
    assert workflow["jobs"]["tests"]["strategy"]["matrix"]["python"] == pythons


def test_every_series_of_numpy_is_tried():
    series = list_series()
    assert series[0] == read_lowest("array-oracle")["numpy"]
    assert [int(one.removeprefix("2.")) for one in series] == list(range(1, len(series) + 1))
    assert re.search(r"^numpy==(\d+\.\d+)", (ROOT / "ci/constraints.txt").read_text(), re.MULTILINE)[1] in series


@pytest.mark.parametrize("name", PROJECTS)
def test_the_pins_are_in_the_ranges(name):
    pins = dict(re.findall(r"^([\w-]+)==([\d.]+)", (ROOT / "ci/constraints.txt").read_text(), re.MULTILINE))
    for requirement, lowest in read_lowest(name).items():
        if requirement != "array-oracle":
            assert as_numbers(pins[requirement.replace("_", "-")]) >= as_numbers(lowest), requirement
