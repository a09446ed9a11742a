"""The page of a report: what stands in it, and what may not."""

from __future__ import annotations

import base64
import copy
import hashlib
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any

import pytest

pytest.importorskip("altair", reason="renders with bleuprint[report]")
pytest.importorskip("jinja2", reason="renders with bleuprint[report]")
pytest.importorskip("vl_convert", reason="renders with bleuprint[report]")

from bleuprint.report._charts import script
from bleuprint.report._html import render


class Element:
    """An element of a page, with its text and what is in it."""

    def __init__(self, tag: str, attributes: dict[str, str | None]) -> None:
        self.tag, self.attributes = tag, attributes
        self.parts: list[str | Element] = []

    def __getitem__(self, name: str) -> str:
        return self.attributes[name] or ""

    @property
    def text(self) -> str:
        """All text in it, white space as a reader sees it."""
        return " ".join(self.whole.split())

    @property
    def whole(self) -> str:
        return "".join(p if isinstance(p, str) else p.whole for p in self.parts)

    @property
    def raw(self) -> str:
        return "".join(part for part in self.parts if isinstance(part, str))

    def all(self, tag: str, **attributes: str) -> list[Element]:
        return [e for e in self.walk() if e.tag == tag and attributes.items() <= e.known.items()]

    @property
    def known(self) -> dict[str, str | None]:
        return {name.replace("class", "class_"): value for name, value in self.attributes.items()}

    def walk(self) -> Iterator[Element]:
        for part in self.parts:
            if isinstance(part, Element):
                yield part
                yield from part.walk()


class Parser(HTMLParser):
    """Reads a page into elements, and refuses one whose tags do not match."""

    EMPTY = frozenset({"br", "input", "line", "link", "meta"})

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open = [Element("", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, dict(attrs))
        assert len(attrs) == len(element.attributes), f"<{tag}> says something twice"
        self.open[-1].parts.append(element)
        if tag not in self.EMPTY:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].parts.append(Element(tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().tag == tag

    def handle_data(self, data: str) -> None:
        self.open[-1].parts.append(data)


def read(page: str) -> Element:
    parser = Parser()
    parser.feed(page)
    parser.close()
    (root,) = parser.open
    return root


@pytest.fixture(scope="module")
def html(report: dict[str, Any]) -> str:
    return render(report)


@pytest.fixture(scope="module")
def page(html: str) -> Element:
    return read(html)


def task_of(report: dict[str, Any], name: str) -> dict[str, Any]:
    return next(task for task in report["tasks"] if task["name"] == name)


def section_of(page: Element, report: dict[str, Any], name: str) -> Element:
    number = [task["name"] for task in report["tasks"]].index(name)
    (section,) = page.all("section", id=f"task-{number}")
    return section


def overview(page: Element) -> list[tuple[list[str], list[list[str]]]]:
    """Return for each group the text of its row heads and the cells of each row."""
    (table,) = page.all("table", class_="overview")
    groups = []
    for body in table.all("tbody"):
        rows = body.all("tr")
        heads = [row.all("th", scope="row")[0].text for row in rows]
        groups.append((heads, [[cell.text for cell in row.all("td")] for row in rows]))
    return groups


# --- one page, always the same, that needs nothing else ---


def test_same_report_gives_the_same_bytes(report: dict[str, Any], html: str) -> None:
    assert render(copy.deepcopy(report)) == html


def test_user_defaults_for_charts_do_not_reach_the_page(report: dict[str, Any], html: str) -> None:
    import altair

    # the name in Altair 5.5 and later, and before
    themes: Any = altair.theme if hasattr(altair, "theme") else altair.themes
    with themes.enable("dark"):
        assert render(report) == html


def test_page_refers_to_nothing_outside_itself(page: Element) -> None:
    for element in page.walk():
        for name in ("src", "href", "action", "data", "poster", "srcset", "background"):
            value = element.attributes.get(name)
            assert value is None or value.startswith("#") or value == "data:,"
    assert not page.all("iframe") + page.all("object") + page.all("base")
    (style,) = page.all("style")
    assert "url(" not in style.raw
    assert "@import" not in style.raw


def test_policy_allows_the_scripts_of_the_page_and_no_network(page: Element) -> None:
    (meta,) = page.all("meta", **{"http-equiv": "Content-Security-Policy"})
    policy = dict(part.split(" ", 1) for part in meta["content"].split("; "))
    assert policy["default-src"] == "'none'"
    assert "connect-src" not in policy
    assert "'unsafe" not in policy["script-src"] + policy["style-src-elem"]

    def digests(elements: list[Element]) -> list[str]:
        found = [hashlib.sha256(element.raw.encode()).digest() for element in elements]
        return [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in found]

    run = [element for element in page.all("script") if "type" not in element.attributes]
    assert policy["script-src"].split() == digests(run)
    assert policy["style-src-elem"].split() == digests(page.all("style"))


def test_chart_library_stands_in_the_page_once(report: dict[str, Any], html: str) -> None:
    assert html.count("window.vegaEmbed=") == 1
    assert len(html) - len(script()) < 160_000


# --- what is shown ---


def test_every_measure_is_signed(page: Element, report: dict[str, Any]) -> None:
    for task in report["tasks"]:
        section = section_of(page, report, task["name"])
        signatures = [code.text for code in section.all("code")]
        copied = [b["data-copy"] for b in section.all("button", class_="small copy")]
        digests = [span.text for span in section.all("span", class_="digest")]
        for measure in task["measures"]:
            assert measure["signature"] in signatures
            assert measure["signature"] in copied
            assert measure["digest"] in digests


def test_score_stands_with_interval_test_and_anchor(page: Element, report: dict[str, Any]) -> None:
    (table,) = section_of(page, report, "de").all("table", class_="scores")
    heads = [head.text for head in table.all("thead")[0].all("th")]
    row = next(row for row in table.all("tr") if row.all("th")[0].text == "bad")
    cells = dict(zip(heads[1:], [cell.text for cell in row.all("td")], strict=True))
    measures = {m["role"]: m for m in task_of(report, "de")["measures"]}
    score = next(s for s in measures["main"]["scores"] if s["system"] == "bad")
    anchor = next(s for s in measures["anchor"]["scores"] if s["system"] == "bad")
    low, high = (f"{score['interval'][end]:.1f}" for end in ("low", "high"))
    first, last = score["rank"]
    assert cells == {
        "BLEU": f"{score['score']:.1f}",
        "95 % interval": f"{low} – {high}",
        "char": f"{anchor['score']:.1f}",
        "Difference": f"{score['difference']:+.2f}".replace("-", "\u2212"),
        "p": f"{score['p_corrected']:.3f}",
        "Rank": str(first) if first == last else f"{first}–{last}",
        "Cluster": str(score["cluster"]),
        "BP": f"{score['bp']:.3f}",
        "Ratio": f"{score['ratio']:.3f}",
    }


def test_systems_stand_from_best_to_worst(page: Element, report: dict[str, Any]) -> None:
    for table in page.all("table", class_="scores"):
        scores = [float(cell["data-value"]) for cell in table.all("td", class_="number main")]
        assert scores == sorted(scores, reverse=True)


def test_rows_are_grouped_by_signature(page: Element) -> None:
    heads = [group for group, _ in overview(page)]
    assert heads == [
        ["German de", "Spanish es", "Mean of de, es"],
        ["French fr"],
        ["Arabic ar-news"],
        ["Japanese ja"],
        ["Mean of de, es, ar-news, ja"],
    ]


def test_mean_is_over_one_group_and_says_of_what(page: Element, report: dict[str, Any]) -> None:
    (_, cells), *_ = overview(page)
    scores = [
        score["score"]
        for name in ("de", "es")
        for score in task_of(report, name)["measures"][0]["scores"]
        if score["system"] == "good"
    ]
    assert cells[2][0].split()[0] == f"{sum(scores) / 2:.1f}"


def test_missing_cell_is_a_dash_with_its_reason(page: Element) -> None:
    (_, cells), (_, french), (_, arabic), _, (_, characters) = overview(page)
    name = "<b>bold</b> & 'co'"
    assert cells[1][2] == f"—{name} has no output for es"
    assert cells[2][2] == f"—no mean: {name} has no output for es"
    assert french[0][2] == f"—{name} has no output for fr"
    assert arabic[0][1] == "—bad has no output for ar-news"
    assert characters[0][1] == "—no mean: bad has no output for ar-news"
    dashes = page.all("span", class_="missing")
    assert all(dash["title"] in dash.text for dash in dashes)


def test_score_by_characters_has_no_second_one_beside_it(
    page: Element, report: dict[str, Any]
) -> None:
    (table,) = section_of(page, report, "ja").all("table", class_="scores")
    assert "char" not in [head.text for head in table.all("th")]


def test_lone_system_has_no_rank(page: Element, report: dict[str, Any]) -> None:
    (table,) = section_of(page, report, "ar-news").all("table", class_="scores")
    (row,) = table.all("tbody")[0].all("tr")
    assert row.text.count("one system alone has no rank") == 2
    assert "baseline" not in row.text


def test_page_tells_what_other_segmenters_do(page: Element, report: dict[str, Any]) -> None:
    section = section_of(page, report, "de")
    (table,) = section.all("table", class_="by-segmenter")
    assert [head.text for head in table.all("thead")[0].all("th")] == [
        "System", "13a", "intl", "none", "char",
    ]  # fmt: skip
    assert "The order by 13a is also that by intl, none, char." in section.text


def test_systems_that_change_places_are_named(report: dict[str, Any]) -> None:
    changed = copy.deepcopy(report)
    also = task_of(changed, "de")["measures"][1]
    scores = {score["system"]: score for score in also["scores"]}
    scores["good"]["score"], scores["bad"]["score"] = 1.5, 99.5
    section = section_of(read(render(changed)), changed, "de")
    name = "<b>bold</b> & 'co'"
    assert (
        f"intl swaps 2 of 3 pairs of systems: bad comes before good; {name} comes before good."
        in section.text
    )
    moved = section.all("span", class_="place moved")
    assert [place.text for place in moved] == ["place 3", "place 1", "place 2"]


def test_scores_by_label_are_shown(page: Element, report: dict[str, Any]) -> None:
    main = task_of(report, "de")["measures"][0]
    text = section_of(page, report, "de").text
    for label, score in main["scores"][0]["by_label"].items():
        assert label in text
        assert f"{score:.1f}" in text


def test_notes_are_shown_with_their_systems(page: Element, report: dict[str, Any]) -> None:
    notes = [item.text for item in section_of(page, report, "de").all("ul", class_="notes")]
    (message,) = {
        note["message"]
        for measure in task_of(report, "de")["measures"]
        for score in measure["scores"]
        for note in score["notes"]
        if score["system"] == "bad"
    }
    assert f"{message} bad." in notes[0]
    assert "None on these texts." in section_of(page, report, "es").text


def test_notes_that_differ_in_counts_alone_are_one(report: dict[str, Any]) -> None:
    changed = copy.deepcopy(report)
    for count, score in zip(
        (3, 1200), task_of(changed, "es")["measures"][0]["scores"], strict=True
    ):
        message = f"The hypotheses are odd in {count:,} lines."
        score["notes"] = [
            {"code": "odd", "message": message, "count": count, "first": 1, "side": "hypotheses"}
        ]
    (notes,) = section_of(read(render(changed)), changed, "es").all("ul", class_="notes")
    assert notes.text == "The hypotheses are odd in 1,200 lines. good (3), bad, by 13a."


def test_environment_and_digests_of_inputs_are_shown(page: Element, report: dict[str, Any]) -> None:
    text = page.text
    (made,) = page.all("section", id="made")
    rows = [[cell.text for cell in row.all("th") + row.all("td")] for row in made.all("tr")]
    for name, version in report["environment"]["distributions"].items():
        assert [name, version] in rows
    for task in report["tasks"]:
        for file in (*task["references"], *task["systems"]):
            assert file["sha256"] in text
        main = task["measures"][0]
        for score in main["scores"]:
            assert score["tokens_sha256"] in text
        assert main["reference_tokens_sha256"] in text


def test_charts_have_their_numbers_in_words(page: Element, report: dict[str, Any]) -> None:
    charts = page.all("div", class_="chart")
    tasks = report["tasks"]
    slopes = [t for t in tasks if len(t["systems"]) > 1 and len(t["measures"]) > 1]
    assert len(charts) == 1 + 2 * len(tasks) + len(slopes)
    words = " ".join(chart["aria-label"] for chart in charts)
    for task in tasks:
        for score in task["measures"][0]["scores"]:
            assert f"{score['system']} {score['score']:.1f} (" in words
            assert f"brevity penalty {score['bp']:.3f}" in words


def test_heat_map_is_hatched_between_groups(page: Element) -> None:
    (element,) = page.all("script", id="charts")
    charts = {chart["id"]: chart["spec"] for chart in json.loads(element.raw)["charts"]}
    last = charts[f"chart-{len(charts) - 1}"]
    (hatched,) = [
        layer for layer in last["layer"] if "url(#hatch)" in json.dumps(layer.get("mark", {}))
    ]
    gaps = last["datasets"][hatched["data"]["name"]]
    assert len(gaps) == 3  # between four groups


# --- texts ---


def test_texts_come_back_from_the_page(page: Element, report: dict[str, Any]) -> None:
    blocks = [json.loads(element.raw) for element in page.all("script", class_="texts")]
    for task, block in zip(report["tasks"], blocks, strict=True):
        words = block["vocabulary"]
        assert block["lang"] == task["lang"]
        assert block["direction"] == task["direction"]
        assert block["source"] == task["texts"]["source"]
        references = [
            [[words[i] for i in tokens] for tokens in segment] for segment in block["references"]
        ]
        assert references == task["texts"]["references"]
        for own, system in zip(block["systems"], task["texts"]["systems"], strict=True):
            assert [[words[i] for i in tokens] for tokens in own["tokens"]] == system["tokens"]
            assert own["scores"] == system["scores"]


def test_hostile_texts_make_no_element(html: str, page: Element, report: dict[str, Any]) -> None:
    assert page.all("title")[0].raw == report["title"] == page.all("h1")[0].raw
    assert not page.all("img") + page.all("b") + page.all("i")
    kinds = [element.attributes.get("type") for element in page.all("script")]
    assert kinds == ["application/json"] * (1 + len(report["tasks"])) + [None] * 3
    for element in page.all("script", type="application/json"):
        assert not re.search("[<>&\u2028\u2029]", element.raw)
    assert "alert(1)</script>" not in html


def test_report_without_texts_has_no_browser(report: dict[str, Any]) -> None:
    bare = copy.deepcopy(report)
    for task in bare["tasks"]:
        task["texts"] = None
    page = read(render(bare))
    assert not page.all("section", id="segments")
    assert not page.all("script", class_="texts")
    assert "#segments" not in [link["href"] for link in page.all("a")]


def test_task_without_texts_leaves_the_others_their_browser(report: dict[str, Any]) -> None:
    some = copy.deepcopy(report)
    task_of(some, "es")["texts"] = None
    names = [s["data-name"] for s in read(render(some)).all("script", class_="texts")]
    assert names == ["German (de)", "French (fr)", "Arabic (ar-news)", "Japanese (ja)"]


# --- for everybody ---


def test_tables_have_captions_and_scoped_heads(page: Element) -> None:
    for table in page.all("table"):
        assert len(table.all("caption")) == 1
        assert all("scope" in head.attributes for head in table.all("th"))


def test_headings_skip_no_level(page: Element) -> None:
    levels = [int(e.tag[1]) for e in page.walk() if re.fullmatch("h[1-6]", e.tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_sections_are_named_and_ids_are_unique(page: Element) -> None:
    ids = [element["id"] for element in page.walk() if "id" in element.attributes]
    assert len(ids) == len(set(ids))
    for element in page.walk():
        for name in ("aria-labelledby", "for"):
            assert element.attributes.get(name) is None or element[name] in ids
        href = element.attributes.get("href")
        assert href is None or not href.startswith("#") or href[1:] in ids
    assert all("aria-labelledby" in section.attributes for section in page.all("section"))
    assert page.all("html")[0]["lang"] == "en"
