"""The examples of docs/verdicts.md print what the page says."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "verdicts.md"


def test_the_examples_print_what_they_say():
    blocks = re.findall(r"^ *```pycon\n(.*?)^ *```", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    source = "\n".join(blocks)
    test = doctest.DocTestParser().get_doctest(source, {}, PAGE.name, str(PAGE), 0)
    results = doctest.DocTestRunner(verbose=False).run(test)
    assert results.attempted > 8
    assert results.failed == 0
