"""Jinja templates of the pages, and their filters."""

from __future__ import annotations

import re
from functools import lru_cache

from jinja2 import Environment, PackageLoader, Template, select_autoescape
from markupsafe import Markup, escape

from fuzz.report.record import describe_reexported, format_count, format_duration, list_some


def load_template(name: str) -> Template:
    """Return the template in a file of this folder."""
    return _environment().get_template(name)


def mark_code(text: str) -> Markup:
    """Return the text with words in backticks as code elements."""
    return Markup(re.sub(r"`([^`]*)`", r"<code>\1</code>", str(escape(text))))


def allow_breaks(text: str) -> Markup:
    """Return the text with a possible line break after each dot of a dotted name."""
    return escape(text).replace(".", Markup(".<wbr>"))


@lru_cache(maxsize=1)
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("fuzz", "report"),
        autoescape=select_autoescape(["html"]),
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        counted=format_count, duration=format_duration, slug=lambda text: str(text).replace(" ", "-")
    )
    environment.filters.update(some=list_some, reexported=describe_reexported, ticks=mark_code, breakable=allow_breaks)
    return environment
