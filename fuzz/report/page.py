"""A run as one HTML page that needs nothing else: no network, no other file."""

from __future__ import annotations

import io
import keyword
import tokenize
from collections.abc import Mapping
from typing import Any

from markupsafe import Markup, escape

from fuzz.report.record import Record, share, sides
from fuzz.report.templates import template

_CLASSES = {tokenize.COMMENT: "c", tokenize.STRING: "s", tokenize.NUMBER: "n"}


def render_page(record: Record) -> str:
    """The page."""
    summary = record.summary
    groups = [
        {"name": name, "rows": [_shown(row, record.scripts.get(row["id"], "")) for row in rows]}
        for name, rows in record.by_name.items()
    ]
    return template("page.html").render(
        record=record,
        summary=summary,
        groups=groups,
        rates=summary.get("cases_per_core_second") or {},
        topics=summary.get("topics") or [],
        kinds=record.by_kind,
        share=share,
    )


def _shown(row: Mapping[str, Any], script: str) -> dict[str, Any]:
    where, expected, actual = sides(row.get("detail", ""))
    words = [row["name"], row["kind"], *row["modes"], row["dtype"], row["minimal"], row.get("detail", ""), row["id"]]
    return {
        **row,
        "where": where,
        "expected": expected,
        "actual": actual,
        "script": python(script),
        "code": python(row["minimal"]),
        "words": " ".join(words).lower(),
    }


def python(source: str) -> Markup:
    """Python source with its comments, strings, numbers and keywords marked."""
    lines = source.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    parts, position = [], 0
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            kind = _CLASSES.get(token.type) or ("k" if keyword.iskeyword(token.string) else "")
            begin, end = (starts[row - 1] + column for row, column in (token.start, token.end))
            if kind and begin >= position:
                parts += [escape(source[position:begin]), Markup('<i class="{}">{}</i>').format(kind, token.string)]
                position = end
    except (tokenize.TokenError, SyntaxError, IndexError):
        pass
    return Markup().join([*parts, escape(source[position:])])
