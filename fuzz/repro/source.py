"""The source of a script: its encoding, texts in it, and that it is Python."""

from __future__ import annotations

ENCODING = "# -*- coding: utf-8 -*-"
"""The first line of each script. Python reads the encoding in the first two lines, and the first that names one counts:
so no text of a heading does.
"""


def quote_text(text: str) -> str:
    """Return a text as Python source, in double quotes where it needs no escapes."""
    return f'"{text}"' if text.isprintable() and not {'"', "\\"} & set(text) else repr(text)


def check_source(source: str) -> str:
    """Return a script's source, if it is Python. Raises SyntaxError or ValueError."""
    compile(source, "script", "exec", dont_inherit=True)
    return source
