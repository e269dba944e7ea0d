"""The field report, docs/findings/field-report.md, as a part of a page."""

import re
from importlib.resources import files

FILE = "field-report.md"


def field_html() -> str | None:
    """Return the field report in HTML, its headings below those of a page; None where it did not ship.

    Raw HTML in it stands there as text. Links within the documentation are left out, their texts are kept.
    """
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

    source = files("dpcert.show.pages").joinpath(FILE)
    if not source.is_file():
        return None
    text = source.read_text("utf-8")
    if not text.startswith("# "):  # a link that the system did not follow
        return None
    text = re.sub(r"^<!--.*?-->$", "", text, flags=re.MULTILINE)
    text = re.sub(r"\A# .*\n", "", text)
    text = re.sub(r"\[([^\]\[]*)\]\((?!https?:)[^)\s]*\)", r"\1", text)
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens: list[Token] = reader.parse(text)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1:]) + 1, 6)}"
    found: str = reader.renderer.render(tokens, reader.options, {})
    found = found.replace("<table>", '<div class="scroll" tabindex="0" role="region" aria-label="Table"><table>')
    found = found.replace("</table>", "</table></div>")
    found = found.replace("<pre>", '<pre tabindex="0">')
    return re.sub(r"<th>\s*", '<th scope="col">', found)
