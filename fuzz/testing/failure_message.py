"""The message of a failing test: the call, NumPy's output and the subject's, and how to repeat it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fuzz.coverage import describe_answers
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
    answers = describe_answers(difference) if difference.outputs else ()
    is_told = bool(answers) and "error" in difference.kind  # the detail repeats the error's text
    rows = [("call", str(case)), *zip(("NumPy", failure.subject), answers, strict=False)]
    lines += _table(rows + ([] if is_told else [("", difference.detail)]))
    if difference.message and difference.message != difference.detail:
        lines += [f"  {line}" for line in difference.message.splitlines()[:12]]
    if not failure.is_steady:
        lines += ["", "  The same call did not always show this: the subject is nondeterministic."]
    return "\n".join([*lines, "", *_table(_ways_to_see_again(failure)), *_assertion(failure)])


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
