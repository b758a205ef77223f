"""The documents are programs: what they print is what they say. All of them run in one process, the guide first."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.warm_start import warm_start

ROOT = Path(__file__).parent.parent
GUIDE = ROOT / "docs" / "guide.md"
GENERATED = {"examples", "reference"}
UPSTREAM = ROOT / "docs" / "upstream"  # its scripts exit with 1, and are run by `fuzz lab upstream --check`
BLOCK = re.compile(r"^```python\n(.*?)^```$(?:\n^```text( timings)?\n(.*?)^```$)?", re.DOTALL | re.MULTILINE)
END_OF_BLOCK = "-- end of a block --"
END_OF_PAGE = "-- end of a page --"
ENVIRONMENT = {"PYTHONPATH": str(ROOT), "MPLBACKEND": "Agg", "CUDA_VISIBLE_DEVICES": "-1", "TF_CPP_MIN_LOG_LEVEL": "3"}
RUN = f"""
import runpy, sys
import tfnp
for page in sys.argv[1:]:
    runpy.run_path(page, run_name="page")
    print({END_OF_PAGE!r})
    while True:  # what a page has enabled ends with it
        try:
            tfnp.disable_numpy_behavior()
        except RuntimeError:
            break
"""


def pages() -> list[Path]:
    """Return the documents with Python in them. The guide is first: it divides the processor."""
    documents = sorted(page for page in (ROOT / "docs").rglob("*.md") if UPSTREAM not in page.parents)
    written = [ROOT / "README.md", *documents]
    found = [page for page in written if page.parent.name not in GENERATED and "```python\n" in page.read_text()]
    return sorted(found, key=lambda page: page != GUIDE)


PAGES = pages()


def program(page: str) -> str:
    """Return a page's Python, every line where it is in the page, so that a traceback points there."""
    lines, is_code = [], False
    for line in page.splitlines():
        if line == "```python":
            is_code = True
            lines.append("")
        elif line == "```" and is_code:
            is_code = False
            lines.append(f"print({END_OF_BLOCK!r})")
        else:
            lines.append(line if is_code else "")
    return "\n".join(lines)


def form(timings: str) -> str:
    """Return what is printed, with any number, however wide."""
    return re.sub(r" *\b\d[\d.]*", " #", timings)


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="module")
def printed(directory):
    """Return what each page prints, block by block."""
    scripts = [directory / f"page_{number}_{page.stem}.py" for number, page in enumerate(PAGES)]
    for page, script in zip(PAGES, scripts, strict=True):
        script.write_text(program(page.read_text()))
    run = warm_start.run(RUN, *(script.name for script in scripts), cwd=directory, **ENVIRONMENT)
    assert run.returncode == 0, run.stderr[-3000:]
    texts = run.stdout.split(END_OF_PAGE + "\n")[:-1]
    return {page: text.split(END_OF_BLOCK + "\n")[:-1] for page, text in zip(PAGES, texts, strict=True)}


@pytest.mark.full
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_block_prints_what_the_page_says(printed, page):
    blocks = BLOCK.findall(page.read_text())
    assert len(blocks) == len(printed[page]) == page.read_text().count("```python\n")
    for (_, is_timed, said), found in zip(blocks, printed[page], strict=True):
        assert (form(found) if is_timed else found) == (form(said) if is_timed else said)


@pytest.mark.full
def test_the_plot_is_written(printed, directory):
    assert (directory / "sigmoid.png").read_bytes().startswith(b"\x89PNG")


def test_numbers_do_not_matter_in_timings():
    assert form("eager    0.123 ms\n") == form("eager 45 ms\n") != form("eager 45 us\n")


def test_the_readme_and_the_recipes_are_among_the_pages():
    assert {"README.md", "guide.md", "start.md", "from_numpy.md", "xla.md"} <= {page.name for page in PAGES}
