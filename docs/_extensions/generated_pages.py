"""Write the pages that are made from code: one for each topic of the reference, one for each example."""

from __future__ import annotations

from pathlib import Path

from example_pages import write_examples, write_if_changed
from reference_pages import write_reference
from source_map import render_map
from sphinx.application import Sphinx
from stock_pages import render_stock


def write_pages(app: Sphinx) -> None:
    """Write the generated pages into the sources, where git ignores them."""
    docs = Path(app.srcdir)
    write_examples(docs.parent / "examples", docs / "examples")
    coverage = app.config.tfnp_coverage
    extra = {"tensorflow_numpy": render_stock()}
    write_reference(docs / "reference", docs / coverage if coverage else None, extra)
    write_if_changed(docs / "reference" / "_sources.txt", render_map(docs.parent))


def setup(app: Sphinx) -> dict[str, bool]:
    """Write the pages before Sphinx looks for its sources."""
    app.add_config_value("tfnp_coverage", "", "env")
    app.connect("builder-inited", write_pages)
    return {"parallel_read_safe": True}
