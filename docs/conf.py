"""How Sphinx builds the site: `tox -e docs`."""

from __future__ import annotations

import sys
from importlib import metadata
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE / "_extensions"), str(HERE.parent)]

project = "tfnp"
version = release = metadata.version("tfnp")
language = "en"

extensions = ["myst_parser", "sphinx_copybutton", "generated_pages"]
exclude_patterns = ["_extensions"]
myst_heading_anchors = 3
myst_links_external_new_tab = False
nitpicky = True  # a link inside the site that leads nowhere is a warning, and a warning is an error

html_theme = "furo"
html_title = "array-oracle and tfnp"
html_show_sourcelink = False
html_copy_source = False
html_show_copyright = False
html_static_path: list[str] = ["_static"]
html_css_files = ["site.css"]
pygments_style = "friendly"
copybutton_prompt_text = r"^\$ "
copybutton_prompt_is_regexp = True
add_function_parentheses = False
