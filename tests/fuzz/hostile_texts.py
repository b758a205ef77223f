"""Texts that would be code, commands, markup or nothing at all if an output did not treat them as texts."""

from __future__ import annotations

import base64

from hypothesis import strategies as st

_CODE = base64.b64encode("\nraise SystemExit(1)#".encode("utf-16-be")).decode().rstrip("=")

HOSTILE = (
    f"coding:utf-7 +{_CODE}-",
    "unknown encoding: klingon; charset coding=ascii: é",
    "vim: set fileencoding=utf-16 :",
    "x\n::error file=a.py::forged\n::stop-commands::token\x00",
    "x\r\n##[error]forged %0A::warning::",
    "\x1b[2J\x1b]0;title\x07\x1b[31mred \x9b2J",
    "\u202e\u2066marks of direction\u2069 \ufeff\u200b",
    "\ud800 half, \ufffe\uffff no characters",
    "</details></summary></table><script>alert(1)</script><!-- ]]> --><img src=x onerror=alert(1)>",
    "# heading @everyone [link](http://example.com) ![image](x) www.example.com `code` ``| a \\| b |",
    "'''\"\"\" \\' \\\" \\N{BULLET} {error} %s {{x}}",
    "$(touch x); `touch x` && touch x | touch x > x",
    "| a | b \\| c \\\\| d \\",
    "&lt;b&gt; &amp; &#64; @here",
    "C" * 3_000,
    "",
)

TEXTS = st.one_of(st.sampled_from(HOSTILE), st.text(st.characters(codec=None), max_size=60))
"""Drawn texts, halves of surrogates among them."""
