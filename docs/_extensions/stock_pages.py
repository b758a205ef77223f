"""What changes for a program that moves here from `tensorflow.experimental.numpy`, function by function.

    python docs/_extensions/stock_pages.py fuzz-out/001

keeps of a campaign against that module what the page shows, in `docs/stock_findings.json`.
"""

from __future__ import annotations

import inspect
import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
from reference_pages import ABSENT, escape, look_up

DATA = Path(__file__).parents[1] / "stock_findings.json"
UNTOLD = (
    "unexpected keyword",
    "has no attribute",
    "positional argument",
)  # signatures tell it, or methods are not enabled
LONGEST = 80
SHOWN = 3
UFUNC_KEYWORDS = set(inspect.signature(np.add).parameters) - {"x1", "x2"}

PAGE = """# Stock NumPy API, function by function

For each function of TensorFlow's own NumPy API, `tensorflow.experimental.numpy`: the parameters of tfnp's (NumPy's)
that it lacks, and calls to which it gives another answer than NumPy, as a campaign of this project's fuzzer found them.
tfnp gives NumPy's answer to them.

{how}

| function | lacks | differs from NumPy in |
|---|---|---|
"""
HOW = (
    "The campaign: `{command}`, TensorFlow {tensorflow}, NumPy {numpy}, {cases:,} cases in eager mode, without"
    " TensorFlow's NumPy behaviour enabled. It is a sample: an empty field does not say that nothing differs."
)


def told(finding: dict[str, Any]) -> str:
    """Return what a finding says in a few words; "" if the table has it elsewhere, or it is only another error."""
    minimal, detail = finding["minimal"], finding["detail"]
    kind = {"spurious error": "refused", "missing error": "not refused"}.get(finding["kind"], finding["kind"])
    if kind == "different error" or any(text in detail for text in UNTOLD) or len(minimal) > LONGEST:
        return ""
    return f"`{minimal}` ({kind})"


def distil(run: Path) -> dict[str, Any]:
    """Return what the page shows of a run: its circumstances, and a few short findings of each function."""
    summary = json.loads((run / "summary.json").read_text())
    findings = defaultdict(list)
    for line in (run / "findings.jsonl").read_text().splitlines():
        finding = json.loads(line)
        if text := told(finding):
            findings[finding["name"]].append(text)
    return {
        "command": f"python -m fuzz run --subject {summary['subject']} --seed {summary['seed']} --modes eager",
        "tensorflow": summary["versions"]["tensorflow"],
        "numpy": summary["versions"]["numpy"],
        "cases": summary["cases"],
        "findings": {name: sorted(texts, key=len)[:SHOWN] for name, texts in sorted(findings.items())},
    }


def parameters(function: Any) -> list[str]:
    """Return the names of a function's parameters; none if it tells none."""
    try:
        return list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return []


def render_stock() -> str:
    """Return the page."""
    import tensorflow.experimental.numpy as stock

    import tfnp

    data = json.loads(DATA.read_text())
    rows = []
    for name in sorted(dir(stock), key=str.lower):
        ours, theirs = look_up(tfnp, name), getattr(stock, name)
        if name.startswith("_") or ours is ABSENT or not callable(theirs) or isinstance(theirs, type):
            continue
        if not hasattr(np, name):
            continue
        lacks = [one for one in parameters(ours) if one not in parameters(theirs)]
        if set(lacks) == UFUNC_KEYWORDS:
            lacks = ["all keywords of a ufunc"]
        calls = "<br>".join(text.replace("|", "\\|") for text in data["findings"].get(name, []))
        rows.append(f"| [{name}](#tfnp.{name}) | {escape(', '.join(lacks))} | {calls} |")
    return PAGE.format(how=HOW.format(**data)) + "\n".join(rows) + "\n"


if __name__ == "__main__":
    DATA.write_text(json.dumps(distil(Path(sys.argv[1])), indent=1) + "\n")
