"""A suite whose texts, names and shapes are meant to break a page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bleuprint import Registry
from bleuprint.report import run_suite

SEGMENTS = 25
HOSTILE = [
    "<script>alert(1)</script>",
    "</script><script>document.title = 'taken'</script>",
    "<img src=x onerror=\"document.title = 'taken'\">",
    "<!-- <script> never closed",
    "a line\u2028separator & an &amp; entity",
    "{{ 7 * 7 }} {% raw %} ${1}",
]
SUITE = """\
title = "</title><script>document.title = 'taken'</script> & more"
baseline = "good"
samples = 60

[[task]]
lang = "de"
references = "de.ref"
source = "de.source"
labels = "labels"
also = ["intl", "none"]
[task.systems]
good = "de.good"
bad = "de.bad"
"<b>bold</b> & 'co'" = "de.hostile"

[[task]]
lang = "es"
references = "es.ref"
[task.systems]
good = "es.good"
bad = "es.bad"

[[task]]
lang = "fr"
references = ["fr.ref", "fr.ref2"]
[task.systems]
good = "fr.good"
bad = "fr.bad"

[[task]]
lang = "ar"
name = "ar-news"
references = "ar.ref"
segmenter = "intl"
[task.systems]
good = "ar.good"

[[task]]
lang = "ja"
references = "ja.ref"
segmenter = "char"
[task.systems]
good = "ja.good"
bad = "ja.bad"
"""
WORDS = {
    "de": "der Zug hält heute wieder nur kurz am alten Bahnhof hinter dem See",
    "es": "el tren sale hoy otra vez desde la vieja estación junto al lago",
    "fr": "le train part encore ce matin de la vieille gare près du lac",
    "ar": "القطار يصل اليوم إلى المحطة القديمة قرب البحيرة مع كل الركاب",
    "ja": "列 車 は 今 日 も 湖 の 近 く の 古 い 駅 に 少 し だ け 止 ま り ま す",
}


def sentence(lang: str, number: int, skip: int = 0) -> str:
    """Make a sentence of its own for each number; `skip` leaves words out."""
    words = WORDS[lang].split()
    turned = words[number % 5 :] + words[: number % 5] + [str(number)]
    if skip:
        turned = [word for i, word in enumerate(turned) if (i + number) % skip]
    return ("" if lang == "ja" else " ").join(turned)


@pytest.fixture(scope="session")
def hostile() -> list[str]:
    """What stands in the texts and must be seen as it is."""
    return HOSTILE


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The data of a report with groups, gaps, labels, both directions and hostile texts."""
    folder: Path = tmp_path_factory.mktemp("suite")
    numbers = range(SEGMENTS)
    files = {"labels": ["news" if i % 2 else "<i>talk</i>" for i in numbers]}
    for lang in WORDS:
        files[f"{lang}.ref"] = [sentence(lang, i) for i in numbers]
        files[f"{lang}.ref2"] = [sentence(lang, i, skip=9) for i in numbers]
        files[f"{lang}.good"] = [sentence(lang, i, skip=7) for i in numbers]
        files[f"{lang}.bad"] = [sentence(lang, i, skip=4) for i in numbers]
    files["de.bad"][3] = ""
    files["de.source"] = [f"the source of {i} {HOSTILE[i % len(HOSTILE)]}" for i in numbers]
    files["de.hostile"] = [
        f"{line} {HOSTILE[i % len(HOSTILE)]}" for i, line in enumerate(files["de.bad"])
    ]
    for name, lines in files.items():
        (folder / name).write_bytes("".join(f"{line}\n" for line in lines).encode())
    (folder / "suite.toml").write_bytes(SUITE.encode())
    return run_suite(folder / "suite.toml", registry=Registry.installed()).data
