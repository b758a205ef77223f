"""The pages in a real browser: Debian's Chromium, through Selenium. Where there is none, these tests are skipped."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from fuzz.coverage import Coverage, Standing, compare_with
from fuzz.report import Record, render_coverage, write_reports
from oracle.harness import NAMES

selenium = pytest.importorskip("selenium.webdriver", reason="Selenium is not installed")

pytestmark = pytest.mark.full

WIDE, PHONE = (1280, 900), (360, 740)
KINDS = ("value", "dtype", "spurious error", "missing error")
DETAILS = {
    "value": "at [1] expected 1.0, got 2.0",
    "dtype": "expected float64, got float32",
    "spurious error": "TypeError: no such luck here; NumPy gives 0.0",
    "missing error": "NumPy raises ValueError: too bad; got 0.0",
}


ASKED = {"eager": 5, "graph": 5, "xla": 5}


def finding(number):
    kind, name = KINDS[number % len(KINDS)], NAMES[300 + number // len(KINDS)]
    array = {"form": "array", "dtype": "float64", "shape": [3], "size": 3, "start": 0}
    dtype = {"dtype": "float32"} if kind == "dtype" else {}
    outputs = {
        "mode": "eager",
        "expected": array | {"elements": ["0.0", "1.0", "2.0"], "differs": [1]},
        "actual": array | dtype | {"elements": ["0.0", "2.0", "2.0"], "differs": [1]},
        "agreement": [["NumPy", "xla"], ["eager", "graph"]],
    }
    return {
        "id": f"f-{number:010x}",
        "name": name,
        "kind": kind,
        "modes": ["eager", "graph"] if number % 3 else ["xla"],
        "dtype": "float" if number % 2 else "int",
        "detail": DETAILS[kind],
        "outputs": outputs,
        "minimal": f"np.{name}([0.0, {number}.0])",
        "case": f"cases/f-{number:010x}.json",
        "repro": f"repros/f-{number:010x}.py",
        "reproduced": True,
        "reduced": True,
        "known": False,
        "count": 1,
    }


def write_run(directory: Path, count: int) -> Path:
    rows = [finding(number) for number in range(count)]
    summary = {
        "subject": "some.module",
        "versions": {"python": "3.11", "numpy": "2.4.6"},
        "devices": ["CPU:0"],
        "modes": ["eager", "graph", "xla"],
        "seed": 7,
        "seconds": 61.4,
        "cases": 12345,
        "names": {"total": 1000, "present": 900, "exercised": 800, "agreeing": 700},
        "by_name": {row["name"]: {"cases": 5, "valid": 1.0, "asked": ASKED} for row in rows},
        "undecided": {"the error bound is as large as the value": {"count": 3, "names": {"sum": {"xla": 3}}}},
        "findings": rows,
    }  # fmt: skip
    (directory / "cases").mkdir(parents=True)
    (directory / "repros").mkdir()
    for row in rows:
        (directory / row["case"]).write_text(json.dumps({"case": row["name"], "args": [], "kwargs": {}}))
        (directory / row["repro"]).write_text(f"print({row['id']!r})\n")
    (directory / "summary.json").write_text(json.dumps(summary))
    write_reports(Record.load(directory), directory)
    return directory / "report.html"


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    return write_run(tmp_path_factory.mktemp("runs") / "run", 1000).as_uri()


@pytest.fixture(scope="module")
def short_page(tmp_path_factory):
    return write_run(tmp_path_factory.mktemp("runs") / "run", 24).as_uri()


@pytest.fixture(scope="module")
def coverage_page(tmp_path_factory):
    table = {
        "sin": Standing("sin", True, "same", runs={"eager": 3}, valid=3, asked={"eager": 3}, answers={"eager": 1}),
        "cos": Standing("cos", True, "different", "lacks out", runs={"eager": 3}, valid=3, differs=("eager",)),
    }
    found = Coverage("some.module", ("eager",), [table.get(name, Standing(name)) for name in NAMES])
    earlier = Coverage("some.module", ("eager",), [Standing(name) for name in NAMES]).data()
    path = tmp_path_factory.mktemp("coverage") / "coverage.html"
    path.write_text(render_coverage(found, [compare_with(found, earlier)]))
    return path.as_uri()


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    binary = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    driver = shutil.which("chromedriver")
    if not (binary and driver):
        pytest.skip("no Chromium: apt-get install chromium chromium-driver")
    options = selenium.ChromeOptions()
    options.binary_location = binary
    quiet = (
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-dev-shm-usage",
    )
    profile = f"--user-data-dir={tmp_path_factory.mktemp('profile')}"
    for argument in ("--headless", "--no-sandbox", "--disable-gpu", *quiet, profile):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = selenium.ChromeService(driver, log_output=os.devnull)
    try:
        started = selenium.Chrome(options=options, service=service)
    except Exception as error:  # noqa: BLE001 - whatever keeps it from starting
        pytest.skip(f"Chromium does not start: {error}")
    yield started
    started.quit()


class Visit:
    """A page that is open, as somebody sees it who searches, clicks and reads."""

    def __init__(self, browser, address, size=WIDE, dark=False):
        self.browser = browser
        width, height = size
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": size == PHONE}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
        browser.get("about:blank")
        browser.get(address)
        self.settle()

    def settle(self):
        """Wait until the browser has drawn twice: what was asked for is done."""
        draw = "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(done))"
        self.browser.execute_async_script(draw)

    def run(self, script, *arguments):
        return self.browser.execute_script(f"return {script}", *arguments)

    def one(self, selector):
        return self.browser.find_element("css selector", selector)

    def click(self, selector):
        self.run("arguments[0].scrollIntoView({block: 'center'})", self.one(selector))
        self.one(selector).click()
        self.settle()

    def count(self, selector):
        return self.run(f"document.querySelectorAll({selector!r}).length")

    def errors(self):
        return [entry for entry in self.browser.get_log("browser") if entry["level"] == "SEVERE"]


def test_the_page_filters_counts_and_keeps_its_state_in_the_address(browser, page):
    visit = Visit(browser, page)
    assert visit.count(".finding:not([hidden])") == 1000
    visit.click("[data-facet=kind] [data-value=value]")
    assert visit.count(".finding:not([hidden])") == 250
    assert visit.one("#status").text.startswith("250 of 1,000 findings")
    assert "kind=value" in visit.run("location.hash")
    assert visit.one("[data-facet=kind] [data-value=value]").get_attribute("aria-pressed") == "true"
    assert visit.one("[data-facet=kind] [data-value=dtype] small").text == "250"
    visit.click(".more summary")
    visit.click("[data-facet=mode] [data-value=xla]")
    shown = visit.run("[...document.querySelectorAll('.finding:not([hidden])')].map(card => card.id)")
    assert set(shown) == {
        row["id"] for row in map(finding, range(1000)) if row["kind"] == "value" and "xla" in row["modes"]
    }
    again = Visit(browser, visit.run("location.href"))
    assert visit.run("[...document.querySelectorAll('.finding:not([hidden])')].map(card => card.id)") == shown
    again.click("#clear")
    assert again.count(".finding:not([hidden])") == 1000
    again.one("#filter").send_keys("nothing is called so")
    again.settle()
    assert again.one("#none").is_displayed()
    assert not visit.errors()


def test_a_link_opens_its_card_though_a_filter_hides_it_and_nothing_covers_it(browser, page):
    target = "f-0000000141"  # 321: of kind dtype
    visit = Visit(browser, f"{page}#kind=value")
    assert not visit.one(f"#{target}").is_displayed()
    visit.run(f"location.hash = '{target}'")
    visit.settle()
    visit.settle()
    card = visit.one(f"#{target}")
    assert card.is_displayed()
    assert card.get_attribute("open") is not None
    top = visit.run("arguments[0].getBoundingClientRect().top", card)
    bar = visit.run("document.getElementById('controls').getBoundingClientRect().bottom")
    assert bar - 1 <= top < visit.run("innerHeight") / 2
    assert visit.run("document.activeElement.closest('.finding').id") == target
    fresh = Visit(browser, f"{page}#{target}")
    assert fresh.one(f"#{target} .body .sides").is_displayed()


def test_a_finding_shows_both_outputs_the_elements_that_differ_and_who_agrees(browser, page):
    visit = Visit(browser, f"{page}#f-0000000000")
    card = visit.one("#f-0000000000")
    assert [mark.text for mark in card.find_elements("css selector", "mark")] == ["1.0", "2.0"]
    assert card.find_element("css selector", ".agreement").text == "NumPy = xla ≠ eager = graph"
    links = {
        link.get_attribute("href").rpartition("run/")[2] for link in card.find_elements("css selector", ".tools a")
    }
    assert {"cases/f-0000000000.json", "repros/f-0000000000.py"} <= links
    for address in links:
        if address.startswith(("cases", "repros")):
            visit.browser.get(page.rpartition("/")[0] + "/" + address)
            assert "f-0000000000" in visit.browser.page_source or "case" in visit.browser.page_source


def test_a_dtype_that_differs_is_marked(browser, page):
    visit = Visit(browser, f"{page}#f-0000000001")
    marks = visit.one("#f-0000000001").find_elements("css selector", "mark")
    assert [mark.text for mark in marks] == ["float64", "1.0", "float32", "2.0"]


def test_script_case_and_command_can_be_copied(browser, page):
    visit = Visit(browser, f"{page}#f-0000000000")
    visit.run("window.copied = [], navigator.clipboard.writeText = async (text) => { window.copied.push(text); }")
    for number in (1, 2, 3):
        visit.click(f"#f-0000000000 .tools button:nth-of-type({number})")
    script, case, command = visit.run("window.copied")
    assert script == "print('f-0000000000')\n"
    assert json.loads(case)["case"] == finding(0)["name"]
    assert command.startswith("python -m fuzz replay /")
    assert command.endswith("/cases/f-0000000000.json --subject some.module --modes xla")
    assert visit.one("#said").get_attribute("textContent") == "Copied"


def test_the_map_leads_to_its_findings(browser, page):
    visit = Visit(browser, page)
    before = visit.count("#heat tbody tr")
    visit.click("#heat .unfold")
    assert visit.count("#heat tbody tr") > before
    topic = visit.one("#heat tr[data-topic]").get_attribute("data-topic")
    visit.click("#heat tr[data-topic] button.cell[data-mode=xla]")
    shown = visit.run("[...document.querySelectorAll('.finding:not([hidden])')].map(card => card.id)")
    assert shown
    data = visit.run("JSON.parse(document.getElementById('data').textContent).findings")
    expected = {key for key, row in data.items() if row["topic"] == topic and "xla" in row["modes"]}
    assert set(shown) == expected


def test_the_page_can_be_used_by_keyboard(browser, page):
    visit = Visit(browser, page)
    visit.one("body").send_keys("/")
    assert visit.run("document.activeElement.id") == "filter"
    visit.one("#filter").send_keys("f-0000000004")
    visit.settle()
    assert visit.count(".finding:not([hidden])") == 1
    visit.one("#filter").send_keys("\ue00c")  # Escape
    visit.settle()
    assert visit.count(".finding:not([hidden])") == 1000
    summary = visit.one(".cause:not([open]) > summary")
    visit.run("arguments[0].focus()", summary)
    summary.send_keys("\ue007")  # Enter
    visit.settle()
    assert visit.run("arguments[0].parentElement.open", summary)


LABELLED = """[...document.querySelectorAll('button, input, a[href], summary')]
  .filter(e => e.checkVisibility() && !(e.textContent.trim() || e.getAttribute('aria-label'))).map(e => e.outerHTML)"""
UNNAMED = """[...document.querySelectorAll('section')]
  .filter(e => !document.getElementById(e.getAttribute('aria-labelledby'))).map(e => e.outerHTML)"""
CONTRAST = """(() => {
  const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const channels = (colour) => {
    canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = (rgb) => {
    const [r, g, b] = rgb.map(c => c / 255).map(c => c <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const over = (top, under) => top.slice(0, 3).map((c, i) => c * top[3] / 255 + under[i] * (1 - top[3] / 255));
  const ground = (element) => {
    const stack = [];
    for (let e = element; e; e = e.parentElement) stack.unshift(channels(getComputedStyle(e).backgroundColor));
    return stack.reduce((under, top) => over(top, under), [255, 255, 255]);
  };
  const bad = [];
  const read = 'h1, h2, h3, p, .badge, .chip, .tile span, .cell, .names, .count, .tags, code, mark, a';
  for (const e of document.querySelectorAll(read)) {
    if (!e.checkVisibility() || !e.textContent.trim()) continue;
    const back = ground(e), ink = over(channels(getComputedStyle(e).color), back);
    const [a, b] = [light(back), light(ink)].sort((x, y) => y - x), ratio = (a + .05) / (b + .05);
    if (ratio < 4.5) bad.push([ratio.toFixed(2), e.className || e.tagName, e.textContent.slice(0, 30)]);
  }
  return bad.slice(0, 8);
})()"""


@pytest.mark.parametrize("which", ["short_page", "coverage_page"])
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_both_pages_fit_are_labelled_and_can_be_read(browser, which, size, dark, request):
    visit = Visit(browser, request.getfixturevalue(which), size, dark)
    visit.click("#fold")
    assert visit.run("document.documentElement.scrollWidth") <= size[0]
    assert visit.run(LABELLED) == []
    assert visit.run(UNNAMED) == []
    assert visit.count("main") == visit.count("h1") == 1
    assert visit.run(CONTRAST) == []
    assert not visit.errors()


def test_a_page_of_a_thousand_findings_has_a_small_document(browser, page):
    visit = Visit(browser, page)
    assert visit.count("*") < 20_000


def test_coverage_is_searched_and_narrowed_to_what_is_absent(browser, coverage_page):
    visit = Visit(browser, coverage_page)
    visit.click(".chip[data-value=absent]")
    assert visit.count("tr[data-state]:not([hidden])") == len(NAMES) - 2
    visit.click(".chip[data-value=absent]")
    visit.one("#filter").send_keys("lacks out")
    visit.settle()
    assert visit.run("[...document.querySelectorAll('tr[data-state]:not([hidden]) th')].map(e => e.textContent)") == [
        "cos"
    ]
    assert visit.one("tr[data-state=differs] th").is_displayed()
    assert "q=lacks+out" in visit.run("location.hash")
    again = Visit(browser, visit.run("location.href"))
    assert again.count("tr[data-state]:not([hidden])") == 1
    assert "2 new" in visit.one("#history ~ .panel").text
