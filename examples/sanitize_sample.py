"""A weighted sample of (key, frequency) pairs in a CSV file, sanitized line by line; and the audit of what it draws.

As a script: `python examples/sanitize_sample.py SAMPLE.csv SANITIZED.csv --epsilon 1/2 --delta 1e-6 --q ppswor:1/1000`.
`--q` must be how the sample was taken. Frequencies above `--imax` are reported as those of `--imax` are.
"""

import argparse
import signal
import sys
from pathlib import Path

import dpcert
from dpcert.mechanisms.mechanism import rational_ratio
from dpcert.mechanisms.weighted_sampling.pws_frequencies import rows_on_grid
from dpcert.mechanisms.weighted_sampling.pws_rates import sampling_probabilities, sampling_probability
from dpcert.mechanisms.weighted_sampling.sanitize_file import Draw, drawn_for_sampled, sanitize_file
from dpcert.run.progress import Progress

BITS = 128


def sanitizer(*, epsilon: dpcert.Epsilon, delta: str, q: str, imax: int, algorithm: int) -> Draw:
    """Return what draws the value of a sampled key by its frequency, from rows over 2^128."""
    draws, _ = rows_on_grid(
        sampling_probabilities(q, imax), rational_ratio(epsilon), dpcert.exact(delta, "delta"), BITS, algorithm
    )
    return drawn_for_sampled(q=sampling_probability(q), draws=draws)


@dpcert.target(
    guarantee=dpcert.ApproxDP("ln(3/2)", "1/100"),
    inputs=range(12),
    neighbours=dpcert.counts_differ_by_one,
)
def sample_and_sanitize(frequency: int, coins: dpcert.Coins) -> int:
    """Sample a key and draw its value as the script does, told apart up to a frequency of 6."""
    q = "priority:1/10"
    draw = sanitizer(epsilon=dpcert.Epsilon.of("ln(3/2)"), delta="1/100", q=q, imax=6, algorithm=4)
    if frequency == 0 or not coins.bernoulli(sampling_probability(q)(frequency)):
        return 0
    return draw(frequency, coins)


def main() -> int:
    """Sanitize a file, with a bar on a terminal; 2 for a sample or settings that are refused."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sample", type=Path, help="CSV: a key, a comma and its frequency on each line")
    parser.add_argument("sanitized", type=Path, help="written whole, or not at all")
    parser.add_argument("--epsilon", default="1/2")
    parser.add_argument("--delta", default="1e-6")
    parser.add_argument("--q", default="1", help='how the sample was taken: "1", a list, priority:TAU or ppswor:TAU')
    parser.add_argument("--imax", type=int, default=1000, help="the greatest frequency told apart")
    parser.add_argument("--algorithm", type=int, choices=(4, 5), default=4)
    parser.add_argument("--keys", action="store_true", help="write the keys alone")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))  # so that temporary files are removed
    try:
        return sanitized(given)
    except dpcert.InputError as error:
        print(f"{Path(__file__).name}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def sanitized(given: argparse.Namespace) -> int:
    """Sanitize the file that was named."""
    delta = dpcert.exact(given.delta, "delta")
    if not 0 < delta <= 1:
        raise dpcert.InputError(
            given=f"delta={given.delta}",
            needed="a number in (0, 1]: with delta = 0 no key can ever be reported",
            remedy="write for instance 1e-6",
        )
    if not 1 <= given.imax <= 10_000:
        raise dpcert.InputError(
            given=f"imax={given.imax}", needed="an integer from 1 to 10000", remedy="set it within these"
        )
    epsilon = dpcert.Epsilon.of(given.epsilon)
    draw = sanitizer(epsilon=epsilon, delta=given.delta, q=given.q, imax=given.imax, algorithm=given.algorithm)
    with Progress(100) as bar:
        shown = 0

        def progress(done: int, total: int) -> None:
            nonlocal shown
            bar.at(f"{done >> 20:,} of {total >> 20:,} MiB")
            while shown < min(100, 100 * done // max(total, 1)):
                shown += 1
                bar.step()

        coins = dpcert.system_coins()
        found = sanitize_file(
            given.sample, given.sanitized, draw=draw, coins=coins, values=not given.keys, progress=progress
        )
    print(f"{found.reported:,} keys reported of {found.pairs:,}; the second number is not private", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
