"""The tour of a notebook runs, in a kernel of its own, and every cell that ends in a value shows it."""

import json
from pathlib import Path
from typing import Any

import pytest

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
