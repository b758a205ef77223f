"""The templates of the pages."""

from __future__ import annotations

import re
from functools import lru_cache

from jinja2 import Environment, PackageLoader, Template, select_autoescape
from markupsafe import Markup, escape

from fuzz.report.record import counted, duration, list_some


def template(name: str) -> Template:
    """The template of that file."""
    return _environment().get_template(name)


def ticks(text: str) -> Markup:
    """Text with what stands between backticks as code."""
    return Markup(re.sub(r"`([^`]*)`", r"<code>\1</code>", str(escape(text))))


def breakable(text: str) -> Markup:
    """Text whose dotted names may be broken after a dot."""
    return escape(text).replace(".", Markup(".<wbr>"))


@lru_cache(maxsize=1)
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("fuzz", "report"),
        autoescape=select_autoescape(["html"]),
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(counted=counted, duration=duration, slug=lambda text: str(text).replace(" ", "-"))
    environment.filters.update(some=list_some, ticks=ticks, breakable=breakable)
    return environment
