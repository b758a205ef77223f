"""Check the built site: it needs no network, and its search knows the functions.

python tests/docs/check_site.py build/site
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

EXTERNAL = re.compile(
    r"<(?:script|link|img|iframe|source)\b[^>]*?(?:src|href)=[\"'](?:https?:)?//[^>]*>|url\([\"']?(?:https?:)?//"
)
SEARCHED = ("percentile", "einsum", "numpy_behavior")


def complaints(site: Path) -> list[str]:
    """Return what is wrong with a site."""
    pages = [*site.rglob("*.html"), *site.rglob("*.css")]
    found = [f"{page.relative_to(site)}: {match[0]}" for page in pages for match in EXTERNAL.finditer(page.read_text())]
    index = (site / "searchindex.js").read_text()
    found += [f"the search does not know {name}" for name in SEARCHED if f'"{name}"' not in index]
    found += [
        f"{name} is missing" for name in ("index.html", "reference/statistics.html") if not (site / name).exists()
    ]
    return found


if __name__ == "__main__":
    problems = complaints(Path(sys.argv[1]))
    print("\n".join(problems) or "The site needs no network, and its search works.")
    sys.exit(bool(problems))
