"""The page of a report in a browser: headless Chromium, driven by Selenium."""

from __future__ import annotations

import json
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("altair", reason="renders with bleuprint[report]")
pytest.importorskip("jinja2", reason="renders with bleuprint[report]")
pytest.importorskip("vl_convert", reason="renders with bleuprint[report]")
pytest.importorskip("selenium", reason="no selenium to drive a browser")

from selenium import webdriver
from selenium.common.exceptions import NoAlertPresentException
from selenium.webdriver.chrome.service import Service

from bleuprint.report._html import render

FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-dev-shm-usage",
)  # fmt: skip
LOGS = {"browser": "ALL", "performance": "ALL"}


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    program = shutil.which("chromium") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    if program is None or driver is None:
        pytest.skip("no chromium with chromedriver to show the page in")
    options = webdriver.ChromeOptions()
    options.binary_location = program
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", LOGS)
    running = webdriver.Chrome(options=options, service=Service(driver))
    yield running
    running.quit()


@pytest.fixture(scope="module")
def url(report: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> str:
    path: Path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_bytes(render(report).encode())
    return path.as_uri()


@pytest.fixture
def page(browser: Any, url: str) -> Any:
    """The page as it is when just opened on a desktop, charts drawn."""
    show(browser, width=1280, scheme="light")
    for log in LOGS:
        browser.get_log(log)  # forget what came before
    browser.get(url)
    browser.execute_script("localStorage.clear()")
    wait_for(lambda: browser.execute_script("return document.documentElement.dataset.charts"))
    return browser


def show(browser: Any, *, width: int, scheme: str, media: str = "") -> None:
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": features})


def wait_for(true: Callable[[], Any], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "the page did not get there in time"
        time.sleep(0.02)


def run(page: Any, script: str, *arguments: Any) -> Any:
    return page.execute_script(script, *arguments)


def choose(page: Any, control: str, value: str) -> None:
    """Choose an option by its text, as a reader does."""
    run(
        page,
        """const [control, value] = arguments;
        const select = document.getElementById(control);
        const option = [...select.options].find((one) => one.textContent === value);
        select.value = option.value;
        select.dispatchEvent(new Event("change", { bubbles: true }));""",
        control,
        value,
    )


def search(page: Any, text: str) -> None:
    run(
        page,
        """const field = document.getElementById("search");
        field.value = arguments[0];
        field.form.requestSubmit();""",
        text,
    )


def found(page: Any) -> str:
    return str(run(page, 'return document.getElementById("found").textContent'))


def cards(page: Any) -> list[dict[str, Any]]:
    """Return what the cards of the browser show: the number, and a row for each text."""
    shown: list[dict[str, Any]] = run(
        page,
        """return [...document.querySelectorAll(".card")].map((card) => ({
          number: Number(card.querySelector("h3").textContent.match(/\\d+/)[0]),
          title: card.querySelector("h3").textContent,
          rows: [...card.querySelectorAll(".text")].map((row) => ({
            who: row.querySelector("b").textContent,
            score: Number(row.querySelector(".who span")?.textContent),
            words: row.querySelector(".words").textContent,
            tokens: [...row.querySelectorAll(".token")].map((token) => token.textContent),
            marks: [...row.querySelectorAll(".token")].map((one) => Number(one.className.slice(7))),
            lang: row.querySelector(".words").lang,
            dir: row.querySelector(".words").dir,
            shared: row.querySelector(".matches")?.textContent,
          })),
        }))""",
    )
    return shown


def table(page: Any, number: int) -> list[dict[str, str]]:
    """Return the rows of a task's scores, by the heads of the columns."""
    rows: list[dict[str, str]] = run(
        page,
        """const table = document.querySelector(`#task-${arguments[0]} table.scores`);
        const heads = [...table.tHead.rows[0].cells].map((cell) => cell.textContent.trim());
        return [...table.tBodies[0].rows].map((row) => Object.fromEntries(
          [...row.cells].map((cell, i) => [heads[i], cell.dataset.value])));""",
        number,
    )
    return rows


def sort(page: Any, number: int, head: str) -> str:
    """Click the head of a column of a task's scores; return what it then says of its order."""
    said: str = run(
        page,
        """const heads = document.querySelectorAll(`#task-${arguments[0]} table.scores thead th`);
        const head = [...heads].find((one) => one.textContent.trim() === arguments[1]);
        head.querySelector("button").click();
        return head.ariaSort;""",
        number,
        head,
    )
    return said


# --- it works, and keeps to itself ---


def test_page_draws_without_a_word_on_the_console(page: Any) -> None:
    assert page.get_log("browser") == []
    empty = run(
        page,
        """return [...document.querySelectorAll(".chart")].filter(
          (chart) => !chart.querySelector("svg .role-mark :is(path, text)")).length""",
    )
    assert empty == 0


def test_no_request_leaves_the_page(page: Any, url: str) -> None:
    search(page, "Bahnhof")
    messages = [json.loads(entry["message"])["message"] for entry in page.get_log("performance")]
    asked = [
        message["params"]["request"]["url"]
        for message in messages
        if message["method"] == "Network.requestWillBeSent"
    ]
    assert {address for address in asked if not address.startswith("data:")} == {url}


def test_policy_stops_what_would_reach_the_network(page: Any) -> None:
    said = page.execute_async_script(
        """const done = arguments[0];
        fetch("data:text/plain,x").then(() => done("fetched"), () => done("refused"));"""
    )
    assert said == "refused"
    page.get_log("browser")  # the refusal is told there


# --- hostile texts ---


def test_hostile_texts_are_shown_and_do_not_run(
    page: Any, report: dict[str, Any], hostile: list[str]
) -> None:
    assert page.title == report["title"]
    assert run(page, 'return document.querySelector("h1").textContent') == report["title"]
    choose(page, "pick-b", "<b>bold</b> & 'co'")
    for number, text in enumerate(hostile):
        search(page, text)
        first = cards(page)[0]
        rows = {row["who"]: row for row in first["rows"]}
        assert rows["Source"]["words"] == f"the source of {number} {text}"
        # 13a reads entities and sets marks apart: all else of the text is there
        told = "".join(rows["<b>bold</b> & 'co'"]["tokens"])
        assert "".join(text.replace("&amp;", "&").split()) in told
    search(page, "")
    assert cards(page)[0]["title"] == "Segment 1 <i>talk</i>"
    made = run(
        page,
        """return [document.scripts.length, document.images.length,
          document.querySelectorAll("#cards :is(script, img, i, svg)").length]""",
    )
    assert made == [1 + len(report["tasks"]) + 3, 0, 0]
    with pytest.raises(NoAlertPresentException):
        _ = page.switch_to.alert.text
    assert page.title == report["title"]
    assert page.get_log("browser") == []


def test_hostile_names_are_text_in_charts_and_their_tooltips(page: Any) -> None:
    point = run(
        page,
        """const names = [...document.querySelectorAll("#task-0 .chart text")];
        const name = names.find((one) => one.textContent === "<b>bold</b> & 'co'");
        const marks = document.querySelectorAll("#task-0 .chart .mark-symbol path");
        marks[0].scrollIntoView({ block: "center", behavior: "instant" });
        const { x, y, width, height } = marks[2].getBoundingClientRect();
        return name && [x + width / 2, y + height / 2];""",
    )
    where = {"type": "mouseMoved", "x": point[0], "y": point[1]}
    page.execute_cdp_cmd("Input.dispatchMouseEvent", where)
    tip = 'return document.getElementById("vg-tooltip-element")?.textContent || ""'
    wait_for(lambda: "<b>bold</b> & 'co'" in run(page, tip))
    assert run(page, 'return document.querySelectorAll("#vg-tooltip-element b").length') == 0


# --- tables ---


@pytest.mark.parametrize("head", ["System", "BLEU", "Difference", "p", "BP", "Ratio", "char"])
def test_tables_sort_by_a_column_both_ways(page: Any, head: str) -> None:
    def in_order(descending: bool) -> bool:
        values = [row[head] for row in table(page, 0)]
        known = [value for value in values if value != ""]
        assert values == known + [""] * (len(values) - len(known))  # what is missing comes last
        keys = [value if head == "System" else float(value) for value in known]
        return keys == sorted(keys, reverse=descending)

    first = sort(page, 0, head)
    assert in_order(first == "descending")
    second = sort(page, 0, head)
    assert {first, second} == {"ascending", "descending"}
    assert in_order(second == "descending")
    others = run(
        page,
        'return document.querySelectorAll("#task-0 th:not([aria-sort=none])[aria-sort]").length',
    )
    assert others == 1


def test_lines_between_clusters_go_with_their_order(page: Any) -> None:
    reordered = "return document.querySelector('#task-0 .scores').hasAttribute('data-reordered')"
    assert not run(page, reordered)
    sort(page, 0, "BLEU")
    assert run(page, reordered)
    sort(page, 0, "BLEU")
    assert not run(page, reordered)


# --- the segment browser ---


def test_browser_pages_through_all_segments(page: Any) -> None:
    seen = []
    for turn in range(3):
        assert f"{10 * turn + 1} to {min(10 * turn + 10, 25)} shown" in found(page)
        seen += [card["number"] for card in cards(page)]
        run(page, 'document.getElementById("next").click()')
    assert seen == list(range(1, 26))
    assert run(page, 'return document.getElementById("next").disabled')
    assert [card["number"] for card in cards(page)] == list(range(21, 26))


def test_search_finds_across_tokens_and_case(page: Any, report: dict[str, Any]) -> None:
    search(page, "ALTEN bahnhof HINTER")
    shown = cards(page)
    assert shown
    assert len(shown) < 25 or "of 25" in found(page)
    for card in shown:
        assert any("altenbahnhofhinter" in "".join(r["tokens"]).lower() for r in card["rows"])
    search(page, "no such words")
    assert found(page) == "No segment holds this text."
    assert cards(page) == []
    search(page, "")
    assert found(page).startswith("25 of 25")


@pytest.mark.parametrize(
    ("order", "key", "descending"),
    [
        ("score of good, lowest first", "good", False),
        ("score of good, highest first", "good", True),
        ("good − bad, good better first", "difference", True),
        ("good − bad, bad better first", "difference", False),
    ],
)
def test_segments_sort_by_score_and_by_difference(
    page: Any, report: dict[str, Any], order: str, key: str, descending: bool
) -> None:
    choose(page, "pick-b", "bad")
    choose(page, "pick-sort", order)
    systems = {s["system"]: s["scores"] for s in report["tasks"][0]["texts"]["systems"]}
    values = [
        good if key == "good" else good - bad
        for good, bad in zip(systems["good"], systems["bad"], strict=True)
    ]
    expected = sorted(range(25), key=lambda i: (-values[i] if descending else values[i], i))
    assert [card["number"] - 1 for card in cards(page)] == expected[:10]


def test_shared_ngrams_are_those_that_bleu_counts(page: Any, report: dict[str, Any]) -> None:
    choose(page, "pick-task", "French (fr)")  # two references
    texts = report["tasks"][2]["texts"]
    tokens = {system["system"]: system["tokens"] for system in texts["systems"]}

    def grams(line: list[str], n: int) -> Counter[tuple[str, ...]]:
        return Counter(tuple(line[i : i + n]) for i in range(len(line) - n + 1))

    for card in cards(page):
        i = card["number"] - 1
        for row in card["rows"]:
            if row["who"] not in tokens:
                continue
            assert row["tokens"] == tokens[row["who"]][i]
            told = []
            for n in range(1, 5):
                own = grams(row["tokens"], n)
                most: Counter[tuple[str, ...]] = Counter()
                for reference in texts["references"][i]:
                    most |= grams(reference, n)
                told.append(f"{n}-grams {(own & most).total()}/{own.total()}")
                # where an n-gram is marked, as many tokens in a row are
                marked = [mark >= n for mark in row["marks"]]
                assert sum(marked) >= n if (own & most) else not any(marked)
            assert row["shared"] == f"shared {', '.join(told)}"


def test_texts_have_their_language_and_direction(page: Any) -> None:
    choose(page, "pick-task", "Arabic (ar-news)")
    rows = cards(page)[0]["rows"]
    assert {(row["lang"], row["dir"]) for row in rows} == {("ar", "rtl")}
    choose(page, "pick-task", "Japanese (ja)")
    rows = cards(page)[0]["rows"]
    assert {(row["lang"], row["dir"]) for row in rows} == {("ja", "ltr")}


def test_all_systems_can_be_shown(page: Any) -> None:
    assert [row["who"] for row in cards(page)[0]["rows"]] == ["Source", "Reference", "good", "bad"]
    run(page, 'document.getElementById("all").click()')
    assert cards(page)[0]["rows"][-1]["who"] == "<b>bold</b> & 'co'"
    choose(page, "pick-b", "none")
    run(page, 'document.getElementById("all").click()')
    assert [row["who"] for row in cards(page)[0]["rows"]] == ["Source", "Reference", "good"]


def test_empty_hypothesis_is_said_to_be_empty(page: Any) -> None:
    row = next(row for row in cards(page)[3]["rows"] if row["who"] == "bad")
    assert row["words"] == "empty"
    assert row["tokens"] == []


# --- themes, sizes, paper ---

PAPER = "return getComputedStyle(document.body).backgroundColor"
LIGHT, DARK = "rgb(255, 255, 255)", "rgb(21, 25, 29)"


def test_theme_follows_the_system_until_the_reader_chooses(page: Any) -> None:
    assert run(page, PAPER) == LIGHT
    show(page, width=1280, scheme="dark")
    assert run(page, PAPER) == DARK
    run(page, 'document.getElementById("theme").click()')
    assert run(page, PAPER) == LIGHT
    page.refresh()
    assert run(page, PAPER) == LIGHT  # it is remembered
    run(page, 'document.getElementById("theme").click()')
    assert run(page, PAPER) == DARK
    show(page, width=1280, scheme="dark", media="print")
    assert run(page, PAPER) == LIGHT  # paper is white


CONTRAST = """
const luminance = ([r, g, b]) => [r, g, b]
  .map((c) => c / 255)
  .map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
  .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
const behind = (element) => {
  for (let at = element; at; at = at.parentElement) {
    const colour = parts(getComputedStyle(at).backgroundColor);
    if (colour.length < 4 || colour[3] > 0) return colour;
  }
  return [255, 255, 255];
};
const poor = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement;
  if (!walker.currentNode.data.trim() || !element.checkVisibility()) continue;
  if (element.closest("script, style, noscript, :disabled")) continue;
  const style = getComputedStyle(element);
  const ink = parts(element.closest("svg") ? style.fill : style.color);
  const [a, b] = [luminance(ink), luminance(behind(element))].sort((x, y) => y - x);
  if ((a + 0.05) / (b + 0.05) < 4.5) poor.push(walker.currentNode.data.trim());
}
return poor;
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_stands_out_from_the_page(page: Any, scheme: str) -> None:
    show(page, width=1280, scheme=scheme)
    assert run(page, CONTRAST) == []


@pytest.mark.parametrize("width", [320, 390, 768, 1280])
def test_page_never_scrolls_sideways_as_a_whole(page: Any, width: int) -> None:
    show(page, width=width, scheme="light")
    wide = run(page, "return document.documentElement.scrollWidth")
    assert wide <= width


def test_page_prints(page: Any) -> None:
    printed = page.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})
    assert printed["data"].startswith("JVBERi")  # a PDF, in base 64
    show(page, width=1280, scheme="dark", media="print")
    hidden = run(
        page,
        """return ["#segments", "nav", "#theme", "button.copy"].map(
          (one) => document.querySelector(one).checkVisibility())""",
    )
    assert hidden == [False] * 4


# --- without a mouse, without sight ---


def test_controls_have_names(page: Any) -> None:
    nameless = run(
        page,
        """const named = (one) => one.ariaLabel || one.textContent.trim()
          || [...(one.labels || [])].some((label) => label.textContent.trim());
        return [...document.querySelectorAll("button, select, input, a, summary")]
          .filter((one) => !named(one)).map((one) => one.outerHTML)""",
    )
    assert nameless == []


def test_landmarks_pictures_and_regions_have_names(page: Any) -> None:
    counts = run(
        page,
        """return ["main", "header.page", "[role=search]", "[role=status]"].map(
          (one) => document.querySelectorAll(one).length)""",
    )
    assert counts == [1, 1, 1, 1]
    nameless = run(
        page,
        """return [...document.querySelectorAll("[role=img], [role=region], nav, section, article")]
          .filter((one) => !(one.ariaLabel || document.getElementById(
            one.getAttribute("aria-labelledby"))?.textContent.trim())).length""",
    )
    assert nameless == 0


CODES = {"Tab": 9, "Enter": 13}


def test_keyboard_reaches_the_page_in_order(page: Any) -> None:
    def press(key: str) -> None:
        for kind in ("keyDown", "keyUp"):
            event = {"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": CODES[key]}
            page.execute_cdp_cmd(
                "Input.dispatchKeyEvent", event | ({"text": "\r"} if key == "Enter" else {})
            )

    press("Tab")
    assert run(page, "return document.activeElement.className") == "skip"
    press("Tab")
    assert run(page, "return document.activeElement.id") == "theme"
    outline = "return getComputedStyle(document.activeElement).outlineStyle"
    assert run(page, outline) == "solid"
    run(page, "document.querySelector('#task-0 .scores .sort').focus()")
    press("Enter")
    assert [row["System"] for row in table(page, 0)] == ["<b>bold</b> & 'co'", "bad", "good"]


def test_copy_gives_the_signature(page: Any, report: dict[str, Any]) -> None:
    page.execute_cdp_cmd(
        "Browser.grantPermissions",
        {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]},
    )
    copied = "return document.querySelector('#task-0 .copy').textContent"
    run(page, "document.querySelector('#task-0 .copy').click()")
    wait_for(lambda: run(page, copied) == "Copied")
    text = page.execute_async_script(
        "navigator.clipboard.readText().then(arguments[0], (error) => arguments[0](String(error)))"
    )
    assert text == report["tasks"][0]["measures"][0]["signature"]
