"""Scripts have an encoding of their own, texts that end where they should, and are Python."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given

from fuzz.differences import Difference
from fuzz.repro.runner import UNCAUGHT, Ending, run_afresh
from fuzz.repro.script import shows, write_repro
from fuzz.repro.source import ENCODING, check_source, quote_text
from oracle import Case
from tests.fuzz.hostile_texts import HOSTILE, TEXTS

CASE = Case("sqrt", (4.0,))
KINDS = ("value", "spurious error", "missing error", "different error", "crash", "hang", "memory", "nondeterminism")


class Shown:
    """A finding with these texts."""

    minimal, modes, outputs = CASE, ("eager",), ""

    def __init__(self, kind, text):
        self.kind, self.detail, self.message = kind, text, f"{text}\n{text}"


def comments_and_code(source):
    lines = source.splitlines()
    at = next(i for i, line in enumerate(lines) if not line.startswith("#"))
    return lines[:at], "\n".join(lines[at:])


@pytest.mark.parametrize("kind", KINDS)
@given(text=TEXTS)
def test_a_text_changes_nothing_but_the_heading(kind, text):
    source = write_repro(Shown(kind, text), "mine", takes_tensors=False)
    heading, code = comments_and_code(source)
    assert heading[0] == ENCODING
    assert ast.dump(ast.parse(source.encode())) == ast.dump(ast.parse(code))
    plain = write_repro(Shown(kind, "raised x" if text.startswith("raised ") else "x"), "mine", takes_tensors=False)
    assert ast.dump(ast.parse(source)) == ast.dump(ast.parse(plain))


@given(text=TEXTS)
def test_a_quoted_text_is_that_text(text):
    assert ast.literal_eval(quote_text(text)) == text
    assert "\n" not in quote_text(text)


@pytest.mark.parametrize("text", HOSTILE)
def test_a_difference_has_printable_texts(text):
    seen = Difference(
        0, 0, "add", "value", ("eager",), "float", text, "{}", message=text, symptom=text, attribution=text
    )
    assert all(getattr(seen, key).isprintable() for key in ("detail", "symptom", "attribution"))
    assert seen.message.replace("\n", "").isprintable()
    assert len(seen.detail) <= 2000


@pytest.mark.parametrize("source", ["x = 'a\0b'", "def f(:", "\ud800"])
def test_what_is_no_python_is_refused(source):
    with pytest.raises((SyntaxError, ValueError)):
        check_source(source)


@pytest.mark.parametrize("kind", ["value", "crash", "memory", "spurious error", "shape"])
@pytest.mark.parametrize("source", ["def f(:\n", "raise ValueError('no crash')\n", "x = '\0'\n"])
def test_a_script_that_is_no_python_or_raises_shows_nothing(tmp_path, kind, source):
    (tmp_path / "script.py").write_text(source)
    assert not shows(run_afresh(tmp_path / "script.py", 60.0), kind)
    assert not shows(Ending(UNCAUGHT, None, False, ""), kind)
