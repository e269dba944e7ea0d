"""The page in headless Chromium: light and dark, with scripts and without, at the widths of a phone and of a screen."""

import re
import shutil
import struct
import subprocess
import zlib
from pathlib import Path

import pytest

from dpcert.run.claims import entries

pytestmark = pytest.mark.nightly

DARK, LIGHT = "--blink-settings=preferredColorScheme=0", "--blink-settings=preferredColorScheme=1"


def chromium(page: Path, folder: Path, *options: str) -> str:
    """Run the browser on a page, in a profile of its own, and return what it prints."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    assert found is not None, "this test drives Chromium: install it"
    fixed = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={folder}/profile"]
    done = subprocess.run(
        [found, *fixed, *options, page.as_uri()], capture_output=True, text=True, timeout=120, check=True
    )
    return done.stdout


def silenced(page: Path, folder: Path) -> Path:
    """Return a copy of the page for which the browser runs no script at all."""
    text, count = re.subn(r"script-src '[^']*'", "script-src 'none'", page.read_text("utf-8"))
    assert count == 1
    copy = folder / "silenced.html"
    copy.write_text(text, "utf-8")
    return copy


def pixels(path: Path) -> tuple[int, int, list[bytes]]:
    """Return width, height and the rows of an 8-bit PNG, as three bytes a pixel."""
    content, at, data = path.read_bytes(), 8, b""
    width, height, depth, colour = 0, 0, 0, 0
    while at < len(content):
        (size,) = struct.unpack(">I", content[at : at + 4])
        kind, body = content[at + 4 : at + 8], content[at + 8 : at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
        data += body if kind == b"IDAT" else b""
        at += 12 + size
    assert depth == 8
    step = {2: 3, 6: 4}[colour]
    raw, rows, before = zlib.decompress(data), [], bytes(width * step)
    for place in range(height):
        start = place * (width * step + 1)
        line = bytearray(raw[start + 1 : start + 1 + width * step])
        kind_of_filter = raw[start]
        for i in range(len(line)):
            a = line[i - step] if i >= step else 0
            b, c = before[i], before[i - step] if i >= step else 0
            guess = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
            line[i] = (line[i] + (0, a, b, (a + b) // 2, guess)[kind_of_filter]) & 255
        before = bytes(line)
        rows.append(b"".join(before[i : i + 3] for i in range(0, len(before), step)))
    return width, height, rows


@pytest.mark.parametrize(
    ("scheme", "ground"), [(LIGHT, b"\xff\xff\xff"), (DARK, b"\x14\x17\x1b")], ids=["light", "dark"]
)
@pytest.mark.parametrize("width", [400, 1280])
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_the_page_is_drawn_on_the_ground_of_the_scheme(
    page: Path, tmp_path: Path, scheme: str, ground: bytes, width: int, scripts: bool
) -> None:
    shot = tmp_path / "shot.png"
    shown = page if scripts else silenced(page, tmp_path)
    chromium(shown, tmp_path, scheme, f"--window-size={width},900", f"--screenshot={shot}")
    found = pixels(shot)
    assert found[:2] == (width, 900)
    colours = {row[i : i + 3] for row in found[2] for i in range(0, len(row), 3)}
    assert found[2][0][:3] == ground
    assert len(colours) > 100
    assert all(row[:3] == row[-3:] == ground for row in found[2])  # nothing reaches, or is cut off by, the edge


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_on_paper_no_column_makes_the_ledger_hundreds_of_pages(page: Path, tmp_path: Path, scripts: bool) -> None:
    paper = tmp_path / "page.pdf"
    shown = page if scripts else silenced(page, tmp_path)
    chromium(shown, tmp_path, DARK, f"--print-to-pdf={paper}")
    pages = len(re.findall(rb"/Type\s*/Page\b", paper.read_bytes()))
    assert 10 < pages < len(entries()) / 6


def test_scripts_offer_filters_and_sorting(page: Path, tmp_path: Path) -> None:
    text = chromium(page, tmp_path, "--dump-dom")
    assert f"{len(entries())} of {len(entries())} rows" in text
    tables = re.findall(r"<table[^>]*data-sortable.*?</thead>", page.read_text("utf-8"), re.DOTALL)
    assert len(tables) == 3
    assert text.count('<th scope="col"><button type="button">') == "".join(tables).count('<th scope="col">')
    assert not re.search(r'<p class="controls"[^>]* hidden', text)


def test_without_scripts_everything_is_there_and_nothing_that_needs_them(page: Path, tmp_path: Path) -> None:
    text = chromium(silenced(page, tmp_path), tmp_path, "--dump-dom")
    assert "<button" not in text
    assert len(re.findall(r'<p class="controls"[^>]* hidden', text)) == 2
    assert text.count("<tr>") > len(entries())


def test_the_filter_hides_rows_and_a_head_sorts_them(page: Path, tmp_path: Path) -> None:
    """The page's own script is run by a driver appended to a copy whose policy lets it."""
    driver = """<script>
    const box = document.querySelector('[data-filters=ledger-table] select');
    box.value = 'refuted'; box.dispatchEvent(new Event('input', {bubbles: true}));
    document.querySelector('#ledger-table thead th:nth-child(3) button').click();
    </script></body>"""
    text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page.read_text("utf-8"))
    copy = tmp_path / "copy.html"
    copy.write_text(text.replace("</body>", driver), "utf-8")
    dom = chromium(copy, tmp_path, "--dump-dom")
    refuted = sum(entry.status == "refuted" for entry in entries())
    assert f"{refuted} of {len(entries())} rows" in dom
    table = dom[dom.index('id="ledger-table"') : dom.index('id="errata-table"')]
    assert len(re.findall("<tr>", table)) == 1 + refuted
    assert 'aria-sort="ascending"' in table


def test_a_script_that_is_not_ours_does_not_run(page: Path, tmp_path: Path) -> None:
    text = page.read_text("utf-8").replace("</body>", "<script>document.title = 'taken over';</script></body>")
    copy = tmp_path / "copy.html"
    copy.write_text(text, "utf-8")
    dom = chromium(copy, tmp_path, "--dump-dom")
    assert "<title>taken over</title>" not in dom
    assert f"{len(entries())} of {len(entries())} rows" in dom
