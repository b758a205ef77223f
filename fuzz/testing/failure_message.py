"""The message of a failing test: the call, NumPy's output and the subject's, and how to repeat it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fuzz.differences import Difference, name_in_subject
from fuzz.repro.script import TITLES
from fuzz.triage.commands import format_replay, format_script
from oracle import Case

LONGEST = 1500  # printed characters of a call or a result, at most


@dataclass(frozen=True)
class FailedCall:
    """A reduced difference in the environment of an interpreter, with the path of its case and of its script, if one
    reproduces it.
    """

    subject: str
    case: Case
    difference: Difference
    rerun: str
    case_file: Path | None = None
    script: Path | None = None
    is_steady: bool = True
    interpreter: str = ""


def render_failure(failure: FailedCall) -> str:
    """Return the message of a failing test."""
    difference, case = failure.difference, failure.case
    title = TITLES.get(difference.kind, f"departs ({difference.kind}) from")
    lines = [f"{name_in_subject(failure.subject, case.name)} {title} NumPy ({', '.join(difference.modes)})", ""]
    outputs = _outputs(difference, failure.subject)
    is_told = bool(outputs) and "error" in difference.kind  # the detail repeats the error's text
    lines += _table([("call", str(case)), *outputs, *([] if is_told else [("", difference.detail)])])
    if difference.message and difference.message != difference.detail:
        lines += [f"  {line}" for line in difference.message.splitlines()[:12]]
    if not failure.is_steady:
        lines += ["", "  The same call did not always show this: the subject is nondeterministic."]
    return "\n".join([*lines, "", *_table(_ways_to_see_again(failure)), *_assertion(failure)])


def _outputs(difference: Difference, subject: str) -> list[tuple[str, str]]:
    if not difference.outputs:
        return []
    outputs = json.loads(difference.outputs)
    return [("NumPy", render_output(outputs["expected"])), (subject, render_output(outputs["actual"]))]


def render_output(form: Mapping[str, Any]) -> str:
    """Return one of the `outputs` of `fuzz.triage.element_diff` as a line."""
    if "elements" in form:
        shown = ", ".join(form["elements"])
        before, after = "... " if form["start"] else "", " ..." if len(form["elements"]) < form["size"] else ""
        shape = f" {tuple(form['shape'])}" if form["form"] == "array" else ""
        return f"{form['dtype']}{shape} [{before}{shown}{after}]"
    if "items" in form:
        parts = [
            f"{item['key']}: {render_output(item)}" if "key" in item else render_output(item) for item in form["items"]
        ]
        return f"{form['form']} of {'; '.join(parts)}"
    return str(form.get("text", form["form"]))


def _ways_to_see_again(failure: FailedCall) -> list[tuple[str, str]]:
    found = [("again", failure.rerun)]
    if failure.case_file is not None:
        summary = {"subject": failure.subject, "interpreter": failure.interpreter}
        found.append(("this call", format_replay(str(failure.case_file), summary, failure.difference.modes)))
    if failure.script is not None:
        found.append(("alone", format_script(failure.script, failure.subject, failure.interpreter)))
    return found


def _assertion(failure: FailedCall) -> list[str]:
    """Return the lines of an assertion for the user's own test, if the call can be written as one."""
    name, text = failure.case.name, str(failure.case)
    start = f"np.{name}("
    if not text.startswith(start) or len(text) > LONGEST or "ml_dtypes" in text:
        return []
    modes = tuple(failure.difference.modes)
    arguments = text.removeprefix(start).removesuffix(")")
    parts = [f"np.{name}", *([arguments] if arguments else []), f'subject="{failure.subject}"']
    parts += [f"modes={modes!r}"] if modes != ("eager",) else []
    return [
        "",
        "  In a test of your own, after `from oracle import assert_agrees`:",
        f"    assert_agrees({', '.join(parts)})",
    ]


def _table(rows: Sequence[tuple[str, str]]) -> list[str]:
    width = max(len(title) for title, _ in rows)
    return [
        f"  {title:{width}}  {text if len(text) <= LONGEST else text[:LONGEST] + ' ...'}".rstrip()
        for title, text in rows
    ]
