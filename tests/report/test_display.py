"""An audit, a law and a profile in a notebook: small, well formed, escaped, with the true numbers; the tour."""

import json
import re
import subprocess
import sys
import warnings
import xml.etree.ElementTree as ET
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import matplotlib
import pytest

import dpcert
from dpcert import ClaimProfile, Dist
from dpcert.show.notebooks import law_html, plot, profile_html, show_in_notebooks

LOUD = "</td><script>alert(1)</script>"
SMALL = 20_000

show_in_notebooks()


def told(bit: int, coins: dpcert.Coins) -> Any:
    return LOUD if coins.below(4) < 3 - 2 * bit else {"<b>": 7}


def target(epsilon: str) -> dpcert.Target:
    decorate = dpcert.target(guarantee=dpcert.PureDP(epsilon), inputs=[0, 1], neighbours="any")
    return decorate(told)


def shown(value: Any) -> str:
    """Return what a notebook gets, after seeing that it is small, well formed, and has no element of another kind."""
    text = value._repr_html_()
    assert isinstance(text, str)
    assert len(text) < SMALL
    tree = ET.fromstring(f"<all>{text}</all>")
    tags = {element.tag for element in tree.iter()}
    assert tags <= {
        *("all", "div", "table", "caption", "strong", "thead", "tbody", "tr", "th", "td"),
        *("svg", "g", "path", "defs", "clipPath", "rect", "text", "tspan", "use"),
    }
    return "\n".join("|".join("".join(cell.itertext()) for cell in row) for row in tree.iter("tr"))


def caption(value: Any) -> str:
    tree = ET.fromstring(f"<all>{value._repr_html_()}</all>")
    return "".join(text for found in tree.iter("caption") for text in found.itertext())


def contrast(one: str, other: str) -> float:
    """Return the ratio of contrast of two colours, as accessibility guidelines (WCAG 2) define it."""

    def light(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (0, 2, 4)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] + 0.05

    return max(light(one), light(other)) / min(light(one), light(other))


def test_a_law_shows_its_outcomes_with_their_probabilities() -> None:
    law = Dist.of([(1, "1/3"), (True, "1/6"), (LOUD, "1/4")], tail="1/4")
    rows = shown(law).splitlines()
    assert rows[0] == "outcome|probability"
    assert "1|1/3 <= 0.33334" in rows
    assert "True|1/6 <= 0.16667" in rows
    assert f"{LOUD!r}|1/4 = 0.25" in rows
    assert rows[-1] == "(tail)|1/4 = 0.25"


def test_a_large_law_shows_the_likeliest_outcomes_and_sums_up_the_others() -> None:
    law = Dist.of([(n, Fraction(n, 5050)) for n in range(1, 101)])
    rows = shown(law).splitlines()[1:]
    assert len(rows) == 21
    assert [row.partition("|")[0] for row in rows[:-1]] == [str(n) for n in range(81, 101)]
    assert rows[-1].startswith("(80 others)|324/505 ")


def test_a_verdict_shows_the_whole_sentence_and_what_bears_it_out() -> None:
    verified, refuted = dpcert.audit(target("ln(3)")), dpcert.audit(target("ln(2)"))
    assert caption(verified) == f"verified: {verified.sentence}"
    assert shown(verified).splitlines()[0].startswith("exact|2 pairs, least epsilon ln(3)")
    assert caption(refuted) == f"refuted: {refuted.sentence}"
    rows = shown(refuted).splitlines()
    assert rows[0].startswith("event|{")
    assert "3/4 on 0" in rows[0]
    assert "size|least epsilon ln(3), least delta 1/4" in rows
    assert "note|assumed: the laws were computed in one process only" in "\n".join(rows)
    undecided = dpcert.Audit(replace(refuted.result, verdict="undecided", reason="because <b>"))
    assert shown(undecided).splitlines()[0] == "because|because <b>"


def test_a_sentence_is_not_as_narrow_as_the_numbers_below_it() -> None:
    for found in (dpcert.audit(target("ln(3)")), dpcert.profile("randomized-response", epsilon="ln(3)")):
        (table,) = ET.fromstring(f"<all>{found._repr_html_()}</all>").iter("table")
        assert table.get("style") == "min-width: min(34em, 100%)"


def test_samples_show_their_bounds() -> None:
    sampled = dpcert.audit(target("ln(2)"), method="samples", options=dpcert.Options(samples=4000, seed=1))
    assert "note|at confidence 0.999999: false alarm at most 1e-6 for this whole run" in shown(sampled)
    assert caption(sampled).startswith(("refuted: told is", "undecided: told is"))


def test_a_profile_shows_its_curve_and_its_least_epsilon() -> None:
    found = dpcert.profile("randomized-response", epsilon="ln(3)")
    rows = shown(found).splitlines()
    assert rows == [
        "delta at epsilon 0|<= 0.5",
        "delta at epsilon ln(3)|0",
        "least epsilon at delta 0|<= 1.0987",
        "pairs|2",
    ]
    assert "<svg" in found._repr_html_()


def test_the_inks_of_a_curve_are_seen_on_light_and_on_dark() -> None:
    (frame,) = ET.fromstring(f"<all>{dpcert.profile('randomized-response', epsilon='ln(3)')._repr_html_()}</all>").iter(
        "div"
    )
    style = frame.get("style") or ""
    inks = dict(re.findall(r"--plot-(\w+): #(\w+)", style))
    for name in ("first", "claim"):
        assert f"var(--plot-{name}" in ET.tostring(frame, encoding="unicode")
        for ground in ("ffffff", "111111"):
            assert contrast(inks[name], ground) > 3
    assert len(inks["grid"]) == 4  # the last digit is how much of it covers what is below


def test_a_profile_shows_a_table_where_matplotlib_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    found = dpcert.profile("randomized-response", epsilon="ln(3)")
    monkeypatch.setattr("dpcert.show.notebooks.find_spec", lambda name: None)
    assert "<svg" not in found._repr_html_()
    assert "pairs|2" in shown(found)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(dpcert.InputError, match="pip install 'dpcert\\[report\\]'"):
        found.plot()


def test_plot_draws_the_curve_and_the_point_on_the_axes_that_it_is_given() -> None:
    with matplotlib.rc_context({"backend": "agg"}):
        import matplotlib.pyplot as plt

        found = dpcert.profile("randomized-response", epsilon="ln(3)")
        _, axes = plt.subplots()
        assert found.plot(axes, epsilon="1/2", delta="1/100") is axes
        curve, point = axes.lines
        assert list(point.get_xdata()) == [0.5]
        assert list(point.get_ydata()) == [0.01]
        assert curve.get_ydata()[0] == 0.5
        assert axes.get_title() == "Privacy profile of randomized-response"
        assert plot(found) is not axes
        plt.close("all")


@pytest.mark.parametrize("deltas", [("1/100", "0"), ("0", "1/100"), ("1/100", "1/10000"), ("0", "0")])
def test_two_profiles_on_one_pair_of_axes_are_both_in_sight(deltas: tuple[str, str]) -> None:
    with matplotlib.rc_context({"backend": "agg"}), warnings.catch_warnings(action="error"):
        import matplotlib.pyplot as plt

        found = [dpcert.profile("randomized-response", epsilon=epsilon) for epsilon in ("ln(3)", "ln(9)")]
        axes = plot(found[0], delta=deltas[0])
        plot(found[1], axes, delta=deltas[1])
        assert axes.get_yscale() == ("log" if deltas[0] != "0" else "linear")
        (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
        for point in axes.lines[1::2]:
            assert left <= point.get_xdata()[0] <= right
            assert bottom <= point.get_ydata()[0] <= top
        assert max(max(curve.get_ydata()) for curve in axes.lines[::2]) < top
        box = axes.figure.get_tightbbox()
        assert box.height < 4
        plt.close("all")


def test_each_class_shows_itself_by_the_function_of_its_name() -> None:
    assert Dist._repr_html_ is law_html
    assert ClaimProfile._repr_html_ is profile_html


def test_import_needs_no_plotting_and_no_notebook() -> None:
    code = "import sys, dpcert; print([name for name in ('matplotlib', 'IPython', 'jinja2') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


ROOT = Path(__file__).resolve().parents[2]
TOUR = ROOT / "examples/tour.ipynb"


def cells(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def test_the_tour_is_stored_without_what_it_shows() -> None:
    notebook = json.loads(TOUR.read_text("utf-8"))
    assert notebook["nbformat"] == 4
    assert [cell["outputs"] for cell in cells(notebook)] == [[]] * len(cells(notebook))
    assert all(cell["execution_count"] is None for cell in cells(notebook))


@pytest.mark.nightly
def test_the_tour_runs_and_shows_laws_verdicts_and_profiles(tmp_path: Path) -> None:
    """Runs with the extra `notebook`."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(TOUR, as_version=4)
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [
        "".join(output["data"].get("text/html", ""))
        for cell in cells(notebook)
        for output in cell["outputs"]
        if "data" in output
    ]
    heads = ("law, 2 outcomes", "verified</strong>: answer is", "refuted</strong>: answer is")
    assert [head in text for head, text in zip(heads, shown, strict=False)] == [True] * 3
    assert not [output for cell in cells(notebook) for output in cell["outputs"] if output["output_type"] == "stream"]
    assert "least epsilon" in shown[3]
    assert "<svg" in shown[4]
    drawn = [output for output in cells(notebook)[-1]["outputs"] if "image/png" in output.get("data", {})]
    assert len(drawn) == 1
