"""A sample sanitized from a file: the law of the sanitizer of a sample, whole or not at all, with faults by line."""

import os
import signal
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from dpcert import Coins, InputError, seeded_coins, system_coins
from dpcert.mechanisms.weighted_sampling import sanitize_file as module
from dpcert.mechanisms.weighted_sampling.pws_frequencies import pws_frequencies
from dpcert.mechanisms.weighted_sampling.pws_rates import sampling_probabilities, sampling_probability
from dpcert.mechanisms.weighted_sampling.pws_rows import discrete_rows
from dpcert.mechanisms.weighted_sampling.pws_sample import drawn, sanitizer_rows
from dpcert.mechanisms.weighted_sampling.sanitize_file import Sanitized, drawn_for_sampled, sanitize_file
from dpcert.reading.paths.enumerator import enumerate_law

ROOT = Path(__file__).resolve().parents[3]
SCRIPT = ROOT / "examples" / "sanitize_sample.py"


def rows_for(text: str, imax: int) -> list[Callable[[Coins], int]]:
    q = sampling_probabilities(text, imax)
    rows = discrete_rows(q=q, ratio=Fraction(2), delta=Fraction(1, 10))
    return [drawn(row) for row in sanitizer_rows(q=q, rows=rows)]


def itself(frequency: int, coins: Coins) -> int:
    """Report every key with its frequency: what the file has is what comes out."""
    return frequency


@pytest.fixture
def sanitized(tmp_path: Path) -> Callable[..., tuple[Sanitized, str]]:
    """Return a function that sanitizes a text by `itself`, or otherwise, and gives what is written."""

    def run(text: str | bytes, **given: object) -> tuple[Sanitized, str]:
        source, target = tmp_path / "sample.csv", tmp_path / "out" / "sanitized.csv"
        source.write_bytes(text if isinstance(text, bytes) else text.encode())
        target.parent.mkdir(exist_ok=True)
        found = sanitize_file(source, target, **{"draw": itself, "coins": seeded_coins(0), **given})
        assert [path.name for path in target.parent.iterdir()] == ["sanitized.csv"]
        return found, target.read_text(encoding="utf-8")

    return run


@pytest.mark.points(1)
@pytest.mark.parametrize("text", ["1", "1/5, 1/2, 1", "priority:1/8", "ppswor:1/3", "0, 1/3, 1/2"])
def test_twin_sampling_and_drawing_is_the_audited_program_at_every_frequency(text: str) -> None:
    """Above the greatest frequency told apart as well, where a key was sampled oftener than at that one."""
    q, draws = sampling_probability(text), rows_for(text, 4)
    draw = drawn_for_sampled(q=q, draws=draws)
    program = pws_frequencies(q=sampling_probabilities(text, 4), draws=draws)

    def sampled(frequency: int, coins: Coins) -> int:
        return draw(frequency, coins) if coins.bernoulli(q(frequency)) else 0

    for frequency in (1, 2, 3, 4, 5, 6, 9, 100):
        assert enumerate_law(sampled, frequency).law == enumerate_law(program, frequency).law


def test_pairs_come_out_by_checksum_of_the_key_whatever_their_order_and_the_parts(sanitized: Any) -> None:
    lines = [f"key {i},{i % 7 + 1}" for i in range(500)]
    expected = sorted((crc32(f"key {i}".encode()), f"key {i},{i % 7 + 1}") for i in range(500))
    for order in (lines, lines[::-1], ["key,frequency", *lines]):
        for part_bytes in (1 << 20, 700, 40):
            found, text = sanitized("\n".join(order), part_bytes=part_bytes)
            assert found == Sanitized(500, 500)
            assert text.splitlines() == ["key,value", *(line for _, line in expected)]


def test_keys_alone_and_keys_that_need_quotes(sanitized: Any) -> None:
    text = 'plain,1\n"with, comma",2\n"with ""quotes""",3\r\n naïve ключ ,4\n0,5'
    _, written = sanitized(text, values=False)
    assert sorted(written.splitlines()) == sorted(
        ["key", "plain", '"with, comma"', '"with ""quotes"""', " naïve ключ ", "0"]
    )


def test_keys_that_are_not_reported_are_left_out(sanitized: Any) -> None:
    found, text = sanitized("a,1\nb,2\nc,3\n", draw=lambda frequency, coins: frequency % 2)
    assert found == Sanitized(3, 2)
    assert sorted(text.splitlines()) == ["a,1", "c,1", "key,value"]
    assert sanitized("") == (Sanitized(0, 0), "key,value\n")


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("a,1\nb,0\n", "line 2, 'b,0', whose frequency is not from 1"),
        ("a,1\nb,-3\n", "line 2, 'b,-3', whose second field is no integer"),
        ("a,1.5\n", "line 1, 'a,1.5', whose second field is no integer"),
        ("a,1e3\n", "line 1, 'a,1e3', whose second field"),
        ("a,²\n", "line 1, 'a,²', whose second field"),
        ("a,9999999999999999999\n", "not from 1 to 10\\^18 - 1"),
        ("a\n", "line 1, 'a', which has not two fields"),
        ("a,1\n\nb,1\n", "line 2, '', which has not two fields"),
        ("a,1,2\n", "line 1, 'a,1,2', whose second field"),
        ('"a",1,2\n', "which has not two fields"),
        ('a,1\n"b,1\nc,1\n', "line 2, '\"b,1', which is no line of CSV by itself"),
        (",1\n", "line 1, ',1', whose key is empty"),
        ("a\tb,1\n", "line 1, 'a.tb,1', whose key"),
        (b"a,1\n\xff\xfe,1\n", "line 2, .*not printable text in UTF-8"),
        ("key,frequency\nkey,frequency\n", "line 2, 'key,frequency', whose second field"),
        ("a" * 70_000 + ",1\n", "line 1, .*which has 65,536 characters or more"),
        ("a,1\nb,2\na,1\n", "the key 'a' on line 1 and again on line 3"),
    ],
)
@pytest.mark.parametrize("part_bytes", [1 << 20, 4])
def test_refused_samples_by_line_and_nothing_is_written(
    tmp_path: Path, text: str | bytes, given: str, part_bytes: int
) -> None:
    source, folder = tmp_path / "sample.csv", tmp_path / "out"
    folder.mkdir()
    (folder / "sanitized.csv").write_text("what was there")
    source.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError, match=given) as caught:
        sanitize_file(source, folder / "sanitized.csv", draw=itself, coins=seeded_coins(0), part_bytes=part_bytes)
    assert "\n" not in str(caught.value)
    assert [path.name for path in folder.iterdir()] == ["sanitized.csv"]
    assert (folder / "sanitized.csv").read_text() == "what was there"


def test_refused_files(tmp_path: Path) -> None:
    source = tmp_path / "sample.csv"
    with pytest.raises(InputError, match="a file with a sample"):
        sanitize_file(source, tmp_path / "out", draw=itself, coins=seeded_coins(0))
    source.write_text("a,1\n")
    with pytest.raises(InputError, match="another file to write to"):
        sanitize_file(source, tmp_path / "." / "sample.csv", draw=itself, coins=seeded_coins(0))
    assert source.read_text() == "a,1\n"


@pytest.mark.nightly
def test_memory_does_not_grow_with_the_sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Traced: four times the pairs, each of which would add 60 bytes or more, and no more memory to speak of."""
    monkeypatch.setattr(module, "HELD", 1 << 11)

    def peak(pairs: int) -> int:
        source = tmp_path / f"{pairs}.csv"
        source.write_text("".join(f"key{i},1\n" for i in range(pairs)))
        tracemalloc.start()
        sanitize_file(source, tmp_path / "out.csv", draw=itself, coins=seeded_coins(0), part_bytes=1 << 13)
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    small = peak(5_000)
    assert abs(peak(20_000) - small) < 200_000 < 60 * (20_000 - 5_000)


def test_progress_is_reported_and_rises_to_all(tmp_path: Path) -> None:
    source = tmp_path / "sample.csv"
    source.write_text("".join(f"key{i},1\n" for i in range(40_000)))
    seen: list[tuple[int, int]] = []
    sanitize_file(
        source, tmp_path / "out", draw=itself, coins=seeded_coins(0), progress=lambda *found: seen.append(found)
    )
    size = source.stat().st_size
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert (len(seen), seen[-1]) == (3, (size, size))


@pytest.mark.points(1)
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_a_run_that_is_ended_leaves_no_half_written_file(tmp_path: Path, number: signal.Signals) -> None:
    source, target = tmp_path / "sample.csv", tmp_path / "sanitized.csv"
    source.write_text("".join(f"key{i},{i % 50 + 1}\n" for i in range(400_000)))
    with subprocess.Popen(
        [sys.executable, str(SCRIPT), str(source), str(target), "--imax", "50"],
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # where this runs, it may be ignored
    ) as run:
        while not any(path.name.startswith(".sanitized") for path in tmp_path.iterdir()):
            assert run.poll() is None
            time.sleep(0.01)
        time.sleep(0.05)
        os.kill(run.pid, number)
        assert run.wait() == {signal.SIGKILL: -9, signal.SIGINT: 130, signal.SIGTERM: 143}[number]
    assert not target.exists()
    assert (list(tmp_path.iterdir()) == [source]) == (number != signal.SIGKILL)


def script(*words: str) -> tuple[int, str]:
    run = subprocess.run([sys.executable, str(SCRIPT), *words], capture_output=True, text=True, check=False)
    assert run.stdout == ""
    return run.returncode, run.stderr


def test_the_script_sanitizes_a_file_and_refuses_in_one_line(tmp_path: Path) -> None:
    """A key of frequency 1 is reported with probability 1e-20, one of frequency 101 surely."""
    source, target = tmp_path / "sample.csv", tmp_path / "sanitized.csv"
    source.write_text("key,frequency\n" + "".join(f"key{i},{100 * (i % 2) + 1}\n" for i in range(100)))
    words = [str(source), str(target)]
    assert script(*words, "--epsilon", "1", "--delta", "1e-20", "--imax", "200") == (
        0,
        "50 keys reported of 100; the second number is not private\n",
    )
    assert {line.split(",")[0] for line in target.read_text().splitlines()} == {"key"} | {
        f"key{i}" for i in range(1, 100, 2)
    }
    for more, needed in (
        (["--delta", "0"], "with delta = 0 no key can ever be reported"),
        (["--q", "1, 1/2"], "non-decreasing numbers in [0, 1]"),
    ):
        status, text = script(*words, *more)
        assert (status, text.count("\n")) == (2, 1)
        assert needed in text


def test_it_draws_from_the_system_by_the_rows(tmp_path: Path) -> None:
    source, target = tmp_path / "sample.csv", tmp_path / "out.csv"
    source.write_text("".join(f"key{i},3\n" for i in range(2000)))
    draw = drawn_for_sampled(q=sampling_probability("1"), draws=rows_for("1", 3))
    found = sanitize_file(source, target, draw=draw, coins=system_coins())
    # reported with 7/10 each: alpha below 10^-9 by Hoeffding's bound for 300 of 2,000
    assert abs(found.reported - 1400) < 300
    assert {line.split(",")[1] for line in target.read_text().splitlines()[1:]} == {"1", "2", "3"}
