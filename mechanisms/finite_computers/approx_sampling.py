"""Order statistics of many counts from short numbers: binomial laws rounded down, drawn level by level from the top."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.finite_computers.ordsample import greatest

LONG_BITS = 4096
"""Where the weights up to the cap have more bits together, a draw tries bounds on their sums before the weights."""

GUARD = 192
"""The bits with which a draw is compared with these bounds."""


def convolve(a: Sequence[int], b: Sequence[int]) -> list[int]:
    """Return the first t numbers of the convolution of two vectors of t integers >= 0.

    One product of two long integers (Kronecker's substitution).

    Requires: two vectors of one length t >= 1.
    Source:   finite-computers, Definition 6.12.
    """
    t = len(a)
    width = (max(a).bit_length() + max(b).bit_length() + t.bit_length() + 7) // 8
    longs = (int.from_bytes(b"".join(one.to_bytes(width, "little") for one in vector), "little") for vector in (a, b))
    whole = (next(longs) * next(longs)).to_bytes(2 * t * width + 1, "little")
    return [int.from_bytes(whole[k * width : (k + 1) * width], "little") for k in range(t)]


def approx_conv_exp(a: Sequence[int], i: int, *, s: int) -> list[int]:
    """Return the i-fold convolution of a/s with itself, times s, by repeated squaring with rounding down.

    Requires: i >= 1, s >= 1; the numbers of `a` are >= 0 and sum to at most s.
    Claims:   the numbers of the result d, too, are >= 0 and sum to at most s. With t the length of a, the sum over k of
              |d_k/s - c_k| is at most t (i - 1) / s for the convolution c itself. A prefix of `a` gives a prefix of d.
    Source:   finite-computers, Algorithm 6.16 and Proposition 6.15.
    """
    d = list(a)
    for bit in f"{i:b}"[1:]:
        squared = convolve(d, d)
        d = [c // (s * s) for c in convolve(a, squared)] if bit == "1" else [c // s for c in squared]
    return d


@lru_cache(maxsize=64)
def _rounded(*, m: int, p: int, q: int, s: int, t: int) -> tuple[int, ...]:
    """Return s times the first t probabilities of Bin(m, floor(s p / q) / s), as `approx_conv_exp` rounds them."""
    hit = s * p // q
    return tuple(approx_conv_exp([s - hit, hit, *[0] * t][:t], m, s=s))


def approx_bin_sample(*, m: int, p: int, q: int, s: int, cap: int, coins: Coins, long_bits: int = LONG_BITS) -> int:
    """Draw approximately min(Bin(m, p/q), cap) from one uniform number below s.

    It searches prefixes of length 1, 2, 4, ... of the rounded law, so small outcomes take little time. Where the
    weights have more than `long_bits` bits together, it first tries bounds, which decide all but the rarest draws and
    never change the outcome.

    Requires: m >= 1, or cap = 0; 0 <= p <= q; s >= m; cap >= 0.
    Claims:   within total variation (m (cap + 1) - cap) / s of min(Bin(m, p/q), cap). It draws once, below s; for
              cap = 0 too, where the paper's algorithm does not draw.
    Source:   finite-computers, Algorithm 6.18 and Proposition 6.17, with floor(t'/2) for ceil(t'/2) in step 4 d: as
              printed, 0 is never returned for cap >= 1.
    """
    u = coins.below(s) + 1
    if cap * s.bit_length() > long_bits:
        decided = _Bounds.of(m=m, p=p, q=q, s=s, cap=cap).decide(u)
        if decided is not None:
            return decided
    t, searched, below = 1, 0, 0
    while t < 2 * cap:
        for weight in _rounded(m=m, p=p, q=q, s=s, t=t)[searched:]:
            below += weight
            if u <= below:
                return min(searched, cap)
            searched += 1
        t *= 2
    return cap


def approx_bin_law(*, m: int, p: int, q: int, s: int, cap: int) -> Dist:
    """Return the law of `approx_bin_sample` in closed form: the rounded weights, with the missing weight at the cap.

    Source: finite-computers, proof of Proposition 6.17.
    """
    weights = _rounded(m=m, p=p, q=q, s=s, t=cap) if cap else ()
    return Dist.from_weights([*enumerate(weights), (cap, s - sum(weights))], s)


@dataclass(frozen=True, slots=True)
class _Bounds:
    """Bounds on F_0, F_1, ..., F_(cap - 1), the sums of the rounded weights of a binomial law, from short numbers.

    The exact law is computed from f_0 = (1 - p/q)^m by f_(k+1) = f_k (m - k)/(k + 1) p/(q - p), once rounded down and
    once up, in units of 2^-scale; F_k / s is within `slack` / s of the sum (Propositions 6.15 iii and 6.17).
    """

    m: int
    s: int
    cap: int
    p: int
    q: int
    mean: int
    slack: int

    @classmethod
    def of(cls, *, m: int, p: int, q: int, s: int, cap: int) -> _Bounds:
        return cls(m, s, cap, p, q, m * p // q, m * (cap + 1))

    def decide(self, u: int) -> int | None:
        """Return the least k with u <= F_k, or the cap if no such k is below it; None where the bounds are too wide."""
        if 2 * self.p >= self.q:
            return None
        if self.mean >= 4 * self.cap:  # F_(cap-1)/s <= 2^-(2 mean/5): Chernoff's bound at a quarter of the mean
            return self.cap if u > (self.s >> 2 * self.mean // 5) + self.slack + 1 else None
        shift = max(0, self.s.bit_length() - GUARD)
        top, short, slack = u >> shift, self.s >> shift, (self.slack >> shift) + 1
        for k, (lo, hi) in enumerate(self._sums()):
            if top < (short * lo >> GUARD) - slack:
                return k
            if not top > ((short + 1) * hi >> GUARD) + slack + 1:
                return None
        return self.cap

    def _sums(self) -> Iterator[tuple[int, int]]:
        """Return bounds on f_0 + ... + f_k for k = 0, ..., cap - 1, in units of 2^-GUARD."""
        m, p, q = self.m, self.p, self.q
        guard = GUARD + 2 * m.bit_length() + 32
        scale = guard + (2 if 8 * p < q else 3) * (self.mean + 1)
        lo = _power(((q - p) << scale) // q, m, scale, up=False)
        hi = _power(-((p - q << scale) // q), m, scale, up=True)
        fine = guard + q.bit_length() - max(p, 1).bit_length()
        odds = (p << fine) // (q - p)
        sum_lo, sum_hi = lo, hi
        for k in range(self.cap):
            yield sum_lo >> (scale - GUARD), (sum_hi >> (scale - GUARD)) + 1
            left, unit = max(m - k, 0), (k + 1) << fine
            lo, hi = lo * (left * odds) // unit, -(-hi * (left * (odds + 1)) // unit)
            sum_lo, sum_hi = sum_lo + lo, sum_hi + hi


def _power(base: int, m: int, scale: int, *, up: bool) -> int:
    """Return (base / 2^scale)^m in units of 2^-scale, every product rounded up or every one down."""
    power = 1 << scale
    for bit in f"{m:b}":
        power = _product(power, power, scale, up=up)
        if bit == "1":
            power = _product(power, base, scale, up=up)
    return power


def _product(a: int, b: int, scale: int, *, up: bool) -> int:
    return -(-a * b >> scale) if up else a * b >> scale


def approx_ordsample(
    *, cumulative: Sequence[int], s: int, binomial: Callable[..., int] = approx_bin_sample
) -> Callable[[int, Coins], tuple[int, ...]]:
    """Return the program that maps m to approximately the n + 1 greatest of m independent counts, the greatest first.

    `cumulative` is F(0), ..., F(n): each count is at most z with probability F(z)/F(n). `binomial` draws how many of
    the counts not yet placed are at each level.

    Requires: n >= 1; 1 <= F(0) <= F(1) <= ... <= F(n); n + 1 <= m <= s; `binomial` is `approx_bin_sample`.
    Claims:   within total variation m (n^2 + 2n) / s of `ordsample`. It always draws n times, below s.
    Source:   finite-computers, Algorithm 6.20 and Proposition 6.19.
    Raises:   InputError for another F, and when the program is given another m.
    """
    n = greatest(cumulative)

    def release(m: int, coins: Coins) -> tuple[int, ...]:
        _enough(m, n, s)
        counts: list[int] = []
        for v in range(n, 0, -1):
            hit, taken = cumulative[v] - cumulative[v - 1], len(counts)
            counts += [v] * binomial(m=m - taken, p=hit, q=cumulative[v], s=s, cap=n + 1 - taken, coins=coins)
        return (*counts, *[0] * (n + 1 - len(counts)))

    return release


def approx_ordsample_law(*, cumulative: Sequence[int], s: int) -> Callable[[int], Dist]:
    """Return the law of `approx_ordsample` in closed form: a product over the levels, over the denominator s^n."""
    n = greatest(cumulative)

    def weights(m: int, v: int, counts: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], int]]:
        left = n + 1 - len(counts)
        if v == 0 or left == 0:
            yield (*counts, *[0] * left), s**v
            return
        hit = cumulative[v] - cumulative[v - 1]
        for times, weight in _scaled(approx_bin_law(m=m - len(counts), p=hit, q=cumulative[v], s=s, cap=left), s):
            for outcome, rest in weights(m, v - 1, counts + (v,) * times):
                yield outcome, weight * rest

    def law(m: int) -> Dist:
        _enough(m, n, s)
        return Dist.from_weights(weights(m, n, ()), s**n)

    return law


def _scaled(law: Dist, s: int) -> Iterator[tuple[int, int]]:
    return ((outcome, weight * (s // law.denominator)) for _, outcome, weight in law.weights())


def _enough(m: int, n: int, s: int) -> None:
    if not n < m <= s:
        raise InputError(
            given=f"m={m} counts in [0, {n}], drawn from numbers below s={s}",
            needed=f"{n + 1} <= m <= s",
            remedy="raise m" if m <= n else "raise s",
        )
