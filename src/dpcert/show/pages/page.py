"""The page: everything in one file, readable without scripts, with no part of it loaded from elsewhere."""

import base64
import hashlib
import re
from collections.abc import Collection, Sequence
from importlib.resources import files

from dpcert.audit.sources import versions
from dpcert.mechanisms.exact.errors import InputError
from dpcert.show.lines import counts
from dpcert.show.numbers import about
from dpcert.show.pages.card import cards_of
from dpcert.show.pages.document import Document
from dpcert.show.pages.ink import REMEDY, Plot, inline_svg
from dpcert.show.pages.papers import bounds_charts, errata, ledger_table, weighted_charts

SECTIONS = {
    "verdicts": "Verdicts",
    "claims": "Claims one by one",
    "bounds": "Exact against printed",
    "weighted": "Private weighted sampling",
    "ledger": "The ledger",
    "errata": "Errata",
    "field": "Field report",
}
"""The parts of a page with their headings, in its order."""
ROWS = 16
FIELD_REPORT = "field-report.md"
"""The file of docs/findings that ships as a part of a page."""


def page_of(document: Document, *, sections: Collection[str] = tuple(SECTIONS), stamp: str | None = None) -> str:
    """Return the page of a document, with a date and time only where `stamp` gives one; the same for the same.

    Raises: InputError where a package of the extra `report` is not installed.
    """
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
        from markupsafe import Markup
    except ImportError as error:
        raise InputError(given="a page", needed=f"jinja2 ({error.name} is missing)", remedy=REMEDY) from None
    environment = Environment(
        loader=PackageLoader("dpcert.show.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )

    def picture(plot: Plot) -> Markup:
        return Markup(inline_svg(plot))  # escaped by matplotlib, and its label here

    environment.filters["picture"] = picture
    environment.filters["number"] = _number
    environment.filters["thinned"] = _thinned
    cards = cards_of(document)
    script = _asset("page.js")
    field = field_html() if "field" in sections else None
    text: str = environment.get_template("page.html").render(
        cards=cards,
        skipped=document.skipped,
        errors=document.errors,
        counts=counts([row.result.verdict for row in document.results], skipped=len(document.skipped)),
        sections={name: title for name, title in SECTIONS.items() if name in sections},
        bounds=bounds_charts() if "bounds" in sections else [],
        weighted=weighted_charts([row.result for row in document.results]) if "weighted" in sections else [],
        ledger=ledger_table() if "ledger" in sections else None,
        errata=errata() if "errata" in sections else [],
        field=None if field is None else Markup(field),
        stamp=stamp,
        versions=versions(),
        style=Markup(_asset("page.css")),
        script=Markup(script),
        digest=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    )
    return text


def field_html() -> str | None:
    """Return the field report in HTML, its headings below those of a page; None where it did not ship.

    Raw HTML in it stands there as text. Links within the documentation are left out, their texts are kept.
    """
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

    source = files("dpcert.show.pages").joinpath(FIELD_REPORT)
    text = source.read_text("utf-8") if source.is_file() else ""
    if not text.startswith("# "):  # also for a link that the system did not follow
        return None
    text = re.sub(r"^<!--.*?-->$", "", text, flags=re.MULTILINE)
    text = re.sub(r"\A# .*\n", "", text)
    text = re.sub(r"\[([^\]\[]*)\]\((?!https?:)[^)\s]*\)", r"\1", text)
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens: list[Token] = reader.parse(text)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1:]) + 1, 6)}"
    html: str = reader.renderer.render(tokens, reader.options, {})
    html = html.replace("<table>", '<div class="scroll" tabindex="0" role="region" aria-label="Table"><table>')
    html = html.replace("</table>", "</table></div>")
    html = html.replace("<pre>", '<pre tabindex="0">')
    return re.sub(r"<th>\s*", '<th scope="col">', html)


def _number(text: str) -> str:
    """Return p/q as lines do, rounded with its direction, and any other text as it is."""
    return about(text) if re.fullmatch(r"\d+/\d+", text) else text


def _thinned(rows: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return at most about ROWS of many rows, the first and the last among them."""
    step = 1 + (len(rows) - 1) // ROWS
    return [*rows[:-1:step], *rows[-1:]]


def _asset(name: str) -> str:
    return files("dpcert.show.pages").joinpath("templates", name).read_text("utf-8")
