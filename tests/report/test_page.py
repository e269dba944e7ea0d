"""The page: one well-formed file, everything in it escaped, nothing loaded, readable by anyone; a witness's chart."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from matplotlib.figure import Figure

from dpcert.run.claims import entries
from dpcert.show.pages.card import cards_of
from dpcert.show.pages.ink import INKS, inline_svg, svg
from dpcert.show.pages.page import FIELD_REPORT, field_html
from dpcert.show.pages.plots import plots_of
from dpcert.show.pages.reading import read_document
from dpcert.show.pages.witness_chart import witness_chart
from dpcert.show.severity import gravity
from dpcert.targets.cases import case_of
from dpcert.targets.options import Options
from dpcert.targets.spec import CatalogueSpec
from dpcert.worker.jobs import Bar, Bars, Others, Tails
from dpcert.worker.result import SeenEvent
from dpcert.worker.results import described

VOID = {"meta", "br", "input", "img", "link", "hr"}
MOST = 3 * 2**20


class Reader(HTMLParser):
    """Keep every element with its attributes and its text; complain of what is not closed in order."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.texts: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, f"{tag} at {self.getpos()}"

    def handle_data(self, data: str) -> None:
        self.texts.append((self.open[-1] if self.open else "", data))

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.elements if name == tag]

    def text(self) -> str:
        return " ".join(data for tag, data in self.texts if tag not in ("script", "style"))


@pytest.fixture(scope="module")
def read(page: Path) -> Reader:
    reader = Reader()
    reader.feed(page.read_text("utf-8"))
    assert reader.open == []
    return reader


def test_a_claim_on_ideal_noise_says_so_in_the_table(results: Path) -> None:
    whole = read_document(str(results))
    first = whole.results[0]
    ideal = replace(first, result=replace(first.result, method="ideal"))
    cards = cards_of(replace(whole, results=[first, ideal]))
    assert [card.claimed.endswith(", with ideal noise") for card in cards] == [False, True]


@pytest.mark.nightly
def test_the_page_is_small_and_has_the_whole_ledger(page: Path, read: Reader) -> None:
    text = page.read_text("utf-8")
    assert page.stat().st_size < MOST
    table = text[text.index('id="ledger-table"') : text.index('id="errata-table"')]
    rows = entries()
    assert table.count('<th scope="row">') == len(rows)
    assert text.count("Witness: ") == sum(row.witness is not None for row in rows)
    assert "seven libraries" in text


def test_names_and_outcomes_are_shown_and_never_run(page: Path, read: Reader) -> None:
    text = page.read_text("utf-8")
    assert text.count("<script") == 1
    assert "<img" not in text
    assert not any(name.startswith("on") for _, attributes in read.elements for name in attributes)
    assert "<script>alert(1)</script>" in read.text()
    assert "onerror=alert(2)" in read.text()
    assert "$\\frac{x$" in read.text().replace("\\\\", "\\")


def test_nothing_is_loaded_and_only_our_script_may_run(page: Path, read: Reader) -> None:
    text = page.read_text("utf-8")
    policies = [meta["content"] for meta in read.all("meta") if meta.get("http-equiv") == "Content-Security-Policy"]
    assert len(policies) == 1
    assert policies[0].startswith("default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-")
    assert [(tag, a) for tag, a in read.elements if "src" in a or tag in ("link", "iframe", "object", "base")] == []
    assert "url(http" not in text
    assert "@import" not in text
    links = [a["href"] for a in read.all("a")]
    assert [link for link in links if not link.startswith(("#", "https://"))] == []
    assert {a["href"][:1] for a in read.all("use")} == {"#"}


def test_ids_are_unique_and_links_within_the_page_lead_somewhere(read: Reader) -> None:
    ids = [attributes["id"] for _, attributes in read.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    wanted = {a["href"][1:] for _, a in read.elements if a.get("href", "").startswith("#")}
    wanted |= {a["aria-labelledby"] for _, a in read.elements if "aria-labelledby" in a}
    assert wanted <= set(ids)


def test_those_who_do_not_see_it_can_read_it(read: Reader) -> None:
    assert read.all("html") == [{"lang": "en"}]
    levels = [int(tag[1]) for tag, _ in read.elements if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert all(svg["role"] == "img" and len(svg["aria-label"]) > 40 for svg in read.all("svg"))
    assert len(read.all("svg")) == 2 + 3 + 2 + 2
    assert all("scope" in head for head in read.all("th"))
    assert len(read.all("caption")) >= 3 + len(read.all("svg"))


def test_without_scripts_nothing_is_offered_that_does_not_work(read: Reader) -> None:
    assert read.all("button") == []
    assert all("hidden" in p for p in read.all("p") if p.get("class") == "controls")


@pytest.mark.nightly
def test_same_results_same_page(page: Path, results: Path, tmp_path: Path, dpcert_command: Callable[..., Any]) -> None:
    again = tmp_path / "again.html"
    options = ("--papers", "--no-stamp", "--output", str(again))
    dpcert_command("report", "--from", str(results), "--expect", *options)
    assert again.read_bytes() == page.read_bytes()


def test_a_stamp_is_there_unless_left_out(results: Path, tmp_path: Path, dpcert_command: Callable[..., Any]) -> None:
    for options, stamped in (((), True), (("--no-stamp",), False)):
        path = tmp_path / "page.html"
        section = ("--section", "verdicts")
        dpcert_command("report", "--from", str(results), "--expect", *section, "--output", str(path), *options)
        assert bool(re.search(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", path.read_text("utf-8"))) is stamped


@pytest.mark.nightly
def test_no_chart_says_another_number_on_the_page_than_in_its_file(results: Path) -> None:
    for plot in plots_of(read_document(str(results)), ["claims", "weighted"]):
        there, here = (
            [
                "".join("".join(text.itertext()).split())
                for text in ET.fromstring(found).iter()
                if text.tag.endswith("text")
            ]
            for found in (svg(plot), inline_svg(plot))
        )
        assert here == there
        assert len(here) > 4


def test_the_field_report_is_that_of_the_documentation(monkeypatch: pytest.MonkeyPatch) -> None:
    root = Path(__file__).resolve().parents[2]
    shipped = files("dpcert.show.pages").joinpath(FIELD_REPORT).read_text("utf-8")
    assert shipped == (root / "docs" / "findings" / FIELD_REPORT).read_text("utf-8")
    found = field_html()
    assert found.count("<table>") == len(re.findall(r"^\| ?---", shipped, re.MULTILINE)) > 0
    assert re.search(r'href="(?!https:)[^"]*\.md', found) is None
    monkeypatch.setattr("dpcert.show.pages.page.FIELD_REPORT", "none.md")
    assert field_html() is None


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def schemes() -> list[dict[str, str]]:
    style = files("dpcert.show.pages").joinpath("templates", "page.css").read_text("utf-8")
    blocks = re.findall(r":root \{(.*?)\}", style, re.DOTALL)
    return [dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block)) for block in blocks]


@pytest.mark.parametrize("scheme", schemes(), ids=["light", "dark", "print"])
def test_every_text_has_a_contrast_of_four_and_a_half(scheme: dict[str, str]) -> None:
    texts = ("ink", "soft", "link", "verified", "refuted", "undecided", "plain")
    for ground in ("page", "panel"):
        assert {
            name: contrast(scheme[name], scheme[ground])
            for name in texts
            if contrast(scheme[name], scheme[ground]) < 4.5
        } == {}
        lines = ("plot-first", "plot-second", "plot-third", "plot-claim")
        assert [name for name in lines if contrast(scheme[name], scheme[ground]) < 3] == []
    assert contrast(scheme["ink"], scheme["plot-event"]) >= 4.5


def test_every_ink_of_the_plots_is_set_by_every_scheme() -> None:
    assert len(schemes()) == 3
    for scheme in schemes():
        assert {f"plot-{name}" for name in INKS.values() if name != "ink"} <= scheme.keys()


def test_caught_a_contrast_that_is_too_low() -> None:
    assert round(contrast("#ffffff", "#000000")) == 21
    assert contrast("#ffffff", "#999999") < 4.5


def test_the_table_has_each_claim_the_gravest_first(page: Path, results: Path) -> None:
    table = re.search(r"<table class=\"stack\" data-sortable>(.*?)</table>", page.read_text(), re.DOTALL)
    shown = re.findall(r'<td data-label="claim">([^<]*)</td>', table[1])
    found = [row.result for row in read_document(str(results)).results]
    claims = [result.claim for result in sorted(found, key=gravity)]
    assert shown == [f"({claim.epsilon}, {claim.delta.removesuffix('/1')}) for {claim.neighbours}" for claim in claims]
    assert len(shown) > 2


TINY = "1/1267650600228229401496703205376"
PLAIN = described(case_of(CatalogueSpec("randomized-response"), Options()))
WORST = SeenEvent(0, 1, [0], 1, "3/4", "1/4")
RESULT = replace(PLAIN, verdict="refuted", tail=TINY, claim=replace(PLAIN.claim, epsilon="0"), worst=WORST)


def scale_with(tail: str) -> tuple[str, str]:
    """Return the scale of lengths of a chart with a tail, and its words."""
    rows = [Bar(0, "3/4", "1/4", True), Bar(1, "1/4", "3/4", False)]
    plot = witness_chart(RESULT, Bars(rows, Others(0, "0/1", "0/1"), Tails(tail, tail)), "one")
    assert plot.rows[-1] == ("(tail)", tail, tail, "no")
    axes = Figure().subplots()
    plot.draw(axes)
    return axes.get_xscale(), plot.words


def test_a_short_tail_makes_no_scale_logarithmic() -> None:
    scale, words = scale_with(TINY)
    assert scale == "linear"
    assert words.endswith("The event of the witness has >= 0.75 on 0 and <= 0.25 on 1.")


def test_outcomes_that_are_far_apart_have_logarithms_for_lengths() -> None:
    assert scale_with("63/64")[0] == "linear"
    plot = witness_chart(replace(RESULT, worst=replace(WORST, q="1/1000")), None, "one")
    axes = Figure().subplots()
    plot.draw(axes)
    assert axes.get_xscale() == "log"
