"""The pages that are made from code: the reference, the examples, the map; and the links of those that are written."""

from __future__ import annotations

import importlib
import json
import re
from pathlib import Path

import numpy as np
import pytest

import tfnp

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
GENERATED = {"reference", "examples"}
WRITTEN = [page for page in DOCS.rglob("*.md") if page.parent.name not in GENERATED] + [ROOT / "README.md"]
RULE = re.compile(r"\|[\s:|-]+\|")  # between the header of a table and its rows
LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(#[^)\s]+)?\)")


@pytest.fixture(scope="module")
def generators():
    """Return the modules that write pages, which Sphinx finds in a folder of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(DOCS / "_extensions"))
        names = ("example_pages", "reference_pages", "source_map", "stock_pages")
        yield {name: importlib.import_module(name) for name in names}


@pytest.fixture(scope="module")
def reference(generators):
    return generators["reference_pages"]


@pytest.fixture(scope="module")
def topics(reference):
    with tfnp.numpy_behavior():
        return reference.topics()


def test_every_public_name_has_one_place(reference, topics):
    names = [name for names in topics.values() for name in names]
    assert len(set(names)) == len(names)
    assert set(reference.public_names()) <= set(names)
    assert {"percentile", "linalg.svd", "random.Generator.normal", "ndarray.mean", "add.at", "numpy_behavior"} <= set(
        names
    )
    assert not [name for name in names if name.split(".")[-1] in ("Any", "Final", "absences", "routines")]


def test_entries_name_signature_note_and_manual(reference):
    text = reference.render_entry(reference.entry("nonzero"), {"nonzero": "*Last campaign:* agrees."})
    assert text.startswith("````{py:function} tfnp.nonzero(a, *, size=None, fill_value=None)\n")
    assert "`size`" in text
    assert "*Last campaign:* agrees." in text
    assert "generated/numpy.nonzero.html" in text


def test_numpys_own_text_is_not_repeated(reference):
    assert reference.notes(tfnp.add, np.add) == ""
    assert reference.notes(tfnp.float32, np.float32) == ""

    def documented():
        pass

    documented.__doc__ = "NumPy's text.\n\nNotes for TensorFlow\n--------------------\nOurs, of `x*`.\n\nSee\n---\nno"
    assert reference.notes(documented, np.sort) == "Ours, of `x*`."


@pytest.mark.parametrize(
    ("name", "page"),
    [
        ("linalg.svd", "generated/numpy.linalg.svd.html"),
        ("random.Generator.normal", "random/generated/numpy.random.Generator.normal.html"),
        ("random.default_rng", "random/generator.html#numpy.random.default_rng"),
        ("add.reduce", "generated/numpy.ufunc.reduce.html"),
        ("polynomial.HermiteE.fit", "generated/numpy.polynomial.hermite_e.HermiteE.fit.html"),
        ("polynomial.hermite.hermfit", "generated/numpy.polynomial.hermite.hermfit.html"),
        ("float32", "arrays.scalars.html#numpy.float32"),
        ("pi", "constants.html"),
    ],
)
def test_addresses_in_numpys_manual(reference, name, page):
    assert reference.manual_page(name, reference.look_up(np, name)) == reference.MANUAL + page


def test_what_numpy_lacks_has_no_page_there(reference):
    assert reference.manual_page("numpy_behavior", reference.look_up(np, "numpy_behavior")) == ""


def test_coverage_is_told_by_mode(reference, tmp_path):
    row = {"name": "roll", "answers": {"eager": 3, "graph": 2, "xla": 1}, "differs": ["xla"]}
    file = tmp_path / "coverage.json"
    file.write_text(json.dumps({"names": [row, {"name": "sort", "answers": {}, "differs": []}]}))
    assert reference.read_coverage(file) == {
        "roll": "*Last campaign:* agrees with NumPy in eager, graph; differs in xla."
    }


def test_every_name_that_is_left_out_has_a_reason(reference):
    reasons = reference.reasons()
    assert "matrix" in reasons
    assert all(reasons.values())


def test_every_example_has_a_page(generators, tmp_path):
    generators["example_pages"].write_examples(ROOT / "examples", tmp_path)
    pages = {page.stem for page in tmp_path.glob("*.md")}
    assert pages == {path.stem for path in (ROOT / "examples").glob("*.py")} | {"index"}
    assert (tmp_path / "kmeans.md").read_text().startswith("# K-means clustering\n")


@pytest.mark.full
def test_the_map_shows_every_module(generators):
    text = generators["source_map"].render_map(ROOT)
    assert "## `tfnp`" in text
    assert all(f"`{path.name}`" in text for path in (ROOT / "fuzz").glob("[a-z]*.py"))


@pytest.mark.parametrize(
    ("finding", "told"),
    [
        ({"minimal": "np.abs(False)", "kind": "spurious error", "detail": "x"}, "`np.abs(False)` (refused)"),
        ({"minimal": "np.abs(1, out=2)", "kind": "spurious error", "detail": "unexpected keyword 'out'"}, ""),
        ({"minimal": "np.abs('a')", "kind": "different error", "detail": "x"}, ""),
    ],
)
def test_findings_against_stock_are_told_in_short(generators, finding, told):
    assert generators["stock_pages"].told(finding) == told


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for path, anchor in LINK.findall(page.read_text()):
        target = (page.parent / path).resolve() if path else page
        if target.parent.name in GENERATED and target.parent.parent == DOCS:
            assert (
                target.parent.name == "reference"
                or (ROOT / "examples" / f"{target.stem}.py").exists()
                or target.stem == "index"
            )
            continue
        assert target.exists(), f"{page.name} links to {path}"
        if anchor:
            assert anchor[1:] in anchors(target), f"{page.name} links to {path}{anchor}"


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: page.name)
def test_every_table_begins_with_a_header(page):
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    for table in re.findall(r"(?:^\|.*\n?)+", text, re.MULTILINE):
        first, *rows = table.splitlines()
        assert rows, f"{page.name}: {first}"
        assert RULE.fullmatch(rows[0]), f"{page.name}: {first}"
