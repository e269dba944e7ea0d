"""Check a folder that `dpcert evidence` wrote: python check.py [FOLDER], with Python 3.11 and nothing else.

From the laws in the folder it computes every delta and every witness again, by code that shares nothing with the
auditor. It prints a line for each target and ends with status 0, or with status 1 where anything is not as stated.

It takes the laws themselves, and which inputs are neighbours, from the folder. To check that they are the program's,
`dpcert recheck CERTIFICATE --target FILE.py:FUNCTION` runs the program.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import ceil, factorial, lcm
from pathlib import Path
from typing import Any

EVIDENCE, STATEMENT = "evidence.json", "statement.json"
CERTIFICATE = "dpcert.certificate/3"
STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE = "https://in-toto.io/attestation/test-result/v0.1"
BITS = (64, 256, 1024, 4096)
"""The precisions of e^epsilon, in bits: one after the other, until a comparison is decided."""
LARGEST = 2000
"""The largest rational part of an epsilon whose exponential is computed."""
BELOW = 1 - Fraction(1, 1 << 64)
"""The stated least ratio, times this, must be too small."""
OF_FUNCTION = {"told apart", "released", "on the draws"}
"""Parameters of a certificate that refutes the claim for a function of the outcome."""


class Refused(Exception):
    """Something in the folder is not as stated."""


def need(holds: bool, words: str) -> None:
    """Return if a requirement holds.

    Raises: Refused otherwise.
    """
    if not holds:
        raise Refused(words)


def read(path: Path) -> Any:
    """Return the value of a JSON file without floats and repeated keys."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        need(len(dict(pairs)) == len(pairs), f"{path.name} repeats a key")
        return dict(pairs)

    def never(text: str) -> Any:
        raise Refused(f"{path.name} has the float {text}")

    try:
        text = path.read_bytes().decode()
        return json.loads(text, object_pairs_hook=once, parse_float=never, parse_constant=never)
    except (OSError, ValueError, RecursionError) as error:
        raise Refused(f"{path.name}: {error}") from None


def sha256(data: bytes) -> str:
    """Return the SHA-256 of bytes, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def rational(text: object) -> Fraction:
    """Return the number that a text p/q denotes, decimal or hexadecimal."""
    top, _, bottom = str(text).partition("/")
    return Fraction(int(top, 0), int(bottom, 0)) if bottom else Fraction(top)


@dataclass(frozen=True)
class Epsilon:
    """The number power + ln ratio."""

    power: Fraction
    ratio: Fraction

    @classmethod
    def of(cls, text: str) -> Epsilon:
        """Return the epsilon that a text such as "1/2 + ln(3/2)" denotes."""
        power, ratio = Fraction(0), Fraction(1)
        for term in text.split(" + "):
            inside = re.fullmatch(r"ln\((.+)\)", term)
            if inside:
                ratio *= rational(inside[1])
            else:
                power += rational(term)
        need(power >= 0 and ratio >= 1, f"epsilon {text} is below 0")
        need(power <= LARGEST, f"epsilon {text} is above {LARGEST}: it is not computed here")
        return cls(power, ratio)

    def bounds(self) -> Iterator[tuple[Fraction, Fraction]]:
        """Yield rationals below and above e^epsilon, closer each time; once, where it is rational."""
        for bits in BITS:
            low, high = exponential(self.power, bits)
            yield low * self.ratio, high * self.ratio
            if low == high:
                return


@cache
def exponential(x: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """Return rationals below and above e^x, for x >= 0, whose quotient is near 1 to so many bits.

    With n >= x, y = x/n is at most 1, so that the rest of Taylor's series of e^y after k terms is less than 2/k!. Then
    e^y lies between low / 2^width and (low + 3) / 2^width, and its n-th power is e^x.
    """
    if x == 0:
        return Fraction(1), Fraction(1)
    n = max(1, ceil(x))
    width = bits + n.bit_length() + 4
    terms = next(k for k in range(1, 10 * width) if factorial(k) > 2 << width)
    a, b = (x / n).numerator, (x / n).denominator
    over, under = 1, 1
    for k in range(terms - 1, 0, -1):  # 1 + y/1 (1 + y/2 (1 + ...))
        over, under = b * k * under + a * over, b * k * under
    low = (over << width) // under
    return Fraction(low**n, 1 << width * n), Fraction((low + 3) ** n, 1 << width * n)


def framed(chunks: list[bytes]) -> bytes:
    """Return chunks with their lengths before them."""
    return b"".join(b"%d:%b" % (len(chunk), chunk) for chunk in chunks)


def number_bytes(n: int) -> bytes:
    """Return a number >= 0 as bytes, the first bit 0."""
    return n.to_bytes(n.bit_length() // 8 + 1, "big")


class Law:
    """A law: the weights of outcomes over one denominator; the rest of the denominator is the tail."""

    def __init__(self, data: Any) -> None:
        self.denominator = int(data["denominator"], 16)
        self.weights = {bytes.fromhex(outcome): int(weight, 16) for _, outcome, weight in data["weights"]}
        self.tail = self.denominator - sum(self.weights.values())
        need(self.denominator > 0, "a law has the denominator 0")
        need(len(self.weights) == len(data["weights"]), "a law lists an outcome twice")
        need(min(self.weights.values(), default=1) > 0 <= self.tail, "the weights of a law are no probabilities")

    def digest(self) -> str:
        """Return the SHA-256 by which a certificate names the law."""
        rows = sorted((outcome, number_bytes(weight)) for outcome, weight in self.weights.items())
        chunks = [number_bytes(self.denominator), number_bytes(self.tail)]
        return sha256(b"law" + framed(chunks + [part for row in rows for part in row]))

    def left(self) -> Fraction:
        """Return the probability of the tail."""
        return Fraction(self.tail, self.denominator)


def divergence(p: Law, q: Law, ratio: Fraction) -> Fraction:
    """Return the sum over the listed outcomes of max(0, p - ratio q)."""
    common = lcm(p.denominator, q.denominator)
    m, n = common // p.denominator, common // q.denominator
    a, b = ratio.numerator, ratio.denominator
    gains = (b * m * weight - a * n * q.weights.get(outcome, 0) for outcome, weight in p.weights.items())
    return Fraction(sum(gain for gain in gains if gain > 0), b * common)


def least_delta(p: Law, q: Law, low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
    """Return bounds of the least delta at an epsilon with low <= e^epsilon <= high, wherever the tails lie."""
    # The tail of q may lie on the listed outcomes of p, and hide `high` times itself; that of p may lie where q is 0.
    return max(Fraction(0), divergence(p, q, high) - high * q.left()), divergence(p, q, low) + p.left()


def shown(x: Fraction) -> str:
    """Return a number in few characters."""
    return str(x) if len(str(x)) <= 20 else f"about {float(x):.6g}"


class Claim:
    """One target with its certificate and its laws."""

    def __init__(self, target: Any, certificate: Any, laws: Any) -> None:
        self.target, self.certificate = target, certificate
        self.delta = rational(certificate["delta"])
        self.inputs = [bytes.fromhex(canonical) for _, canonical in laws["inputs"]]
        self.pairs = [(a, b) for a, b in laws["pairs"]]
        self.laws = [None if data is None else Law(data) for data in laws["laws"]]
        self.whole = None not in self.laws
        need(laws["sentence"] == certificate["sentence"], "the laws are of another claim than the certificate")
        need(target["verdict"] == certificate["verdict"], "the verdict is not that of the certificate")

    def check_scope(self) -> None:
        """Return if claim, inputs and pairs are those of the certificate."""
        target, certificate, inputs, pairs = self.target, self.certificate, self.inputs, self.pairs
        claim = target["claim"]
        guarantee = f" is ({claim['epsilon']}, {self.delta!s})-differentially private for "
        head, _, scope = claim["sentence"].partition(guarantee)
        certified_head, _, certified_scope = certificate["sentence"].partition(guarantee)
        need(claim["epsilon"] == certificate["epsilon"], "the claimed epsilon is not that of the certificate")
        need(rational(claim["delta"]) == self.delta, "the claimed delta is not that of the certificate")
        of_function = certificate["verdict"] == "refuted" and OF_FUNCTION & set(certificate["parameters"])
        same = scope == certified_scope != "" and (head == certified_head or bool(of_function))
        need(same, "the sentence of the claim is not that of the certificate")
        digest = sha256(b"".join(len(data).to_bytes(8, "big") + data for data in inputs))
        need(digest == certificate["inputs_digest"], "the inputs are not those of the certificate")
        need(len(inputs) == len(set(inputs)) == certificate["inputs"] == len(self.laws), "the inputs do not add up")
        places = range(len(inputs))
        need(all(a in places and b in places and a != b for a, b in pairs), "a pair is none of two inputs")
        need(len(pairs) == len(set(pairs)) == certificate["pairs"] > 0, "the pairs are not as many as certified")
        need(set(pairs) == {(b, a) for a, b in pairs}, "a pair is there in one order alone")

    def law(self, position: int) -> Law:
        """Return the law on an input."""
        law = self.laws[position]
        if law is None:
            raise Refused("the law of an input is not there")
        return law

    def check_laws(self) -> None:
        """Return if the laws are those that the certificate names."""
        witness = self.certificate["witness"]
        places = range(len(self.inputs)) if witness is None else (witness["a"], witness["b"])
        digests = [self.law(place).digest() for place in places]
        need(digests == self.certificate["laws"], "a law is not that of the certificate")
        if self.whole:
            tail = max(self.law(place).left() for place in range(len(self.inputs)))
            need(tail <= rational(self.target["tail"]), "a tail is greater than stated")

    def deltas(self, epsilon: Epsilon) -> Iterator[tuple[Fraction, Fraction]]:
        """Yield bounds of the greatest least delta of all pairs, closer each time."""
        for low, high in epsilon.bounds():
            each = [least_delta(self.law(a), self.law(b), low, high) for a, b in self.pairs]
            yield max(lo for lo, _ in each), max(hi for _, hi in each)

    def check_measures(self) -> tuple[Fraction, Fraction]:
        """Return bounds of the greatest least delta, if they and the least epsilon are as stated."""
        stated_lo, stated_hi = (rational(self.target["delta"][side]) for side in ("lo", "hi"))
        lo, hi = list(self.deltas(Epsilon.of(self.certificate["epsilon"])))[-1]
        need(stated_lo <= hi and lo <= stated_hi, "the least delta is not as stated")
        least, enough = self.target["epsilon"]["lo"], self.target["epsilon"]["hi"]
        if enough is not None:
            holds = any(high <= self.delta for _, high in self.deltas(Epsilon.of(enough)))
            need(holds, f"epsilon {enough} is not enough")
        ratio = Epsilon.of(least).ratio * BELOW
        if Epsilon.of(least).power == 0 and ratio >= 1:
            holds = any(low > self.delta for low, _ in self.deltas(Epsilon(Fraction(0), ratio)))
            need(holds, f"less than epsilon {least} is enough")
        return lo, hi

    def verified(self) -> str:
        """Return in words that every pair is within the bound."""
        need(self.certificate["witness"] is None, "what is verified has a witness")
        need(self.target["pairs"] == len(self.pairs), "not every pair was examined")
        pure_with_tail = self.delta == 0 and any(self.law(place).tail for place in range(len(self.inputs)))
        need(not pure_with_tail, "pure differential privacy is verified with a tail")
        for lo, hi in self.deltas(Epsilon.of(self.certificate["epsilon"])):
            need(lo <= self.delta, "a pair is not within the bound")
            if hi <= self.delta:
                break
        else:
            raise Refused("that every pair is within the bound is not shown")
        self.check_measures()
        return f"{len(self.pairs)} pairs, the greatest least delta is {shown(hi)}, at most {shown(self.delta)}"

    def refuted(self) -> str:
        """Return in words that the event of the witness breaks the bound."""
        witness, worst = self.certificate["witness"], self.target["worst"]
        a, b = witness["a"], witness["b"]
        need((a, b) in self.pairs, "the inputs of the witness are no neighbours")
        p, q = self.law(a), self.law(b)
        event = set(witness["event"])
        need(len(event) == len(witness["event"]) == worst["event_size"], "the event is not as stated")
        named = {sha256(outcome): outcome for outcome in {**p.weights, **q.weights}}
        need(event <= named.keys(), "the event has an outcome that no law has")
        over, under = (
            Fraction(sum(law.weights.get(named[name], 0) for name in event), law.denominator) for law in (p, q)
        )
        under += q.left()
        need(over == rational(worst["p"]) and under == rational(worst["q"]), "the probabilities are not as stated")
        epsilon = Epsilon.of(self.certificate["epsilon"])
        breaks = any(over > high * under + self.delta for _, high in epsilon.bounds())
        need(breaks, "the witness does not break the bound")
        if self.whole:
            self.check_measures()
        ratio = shown(epsilon.ratio) if epsilon.power == 0 else f"e^({self.certificate['epsilon']})"
        return f"{shown(over)} > {ratio} * {shown(under)} + {shown(self.delta)}"


def checked(target: Any, folder: Path) -> tuple[str, str]:
    """Return how a target was checked, and the result in words.

    Raises: Refused where anything is not as stated.
    """
    if target["verdict"] == "undecided":
        need(target["laws"] is None and target["certificate"] is None, "what is undecided has a certificate")
        return "undecided", str(target["reason"])
    if target["laws"] is None:
        need(isinstance(target["without_laws"], str), "why there are no laws is not said")
        certified = target["certificate"] is not None or target["method"] == "every"
        need(certified or target["verdict"] == "refuted", "it is verified by no certificate")
        return "not recomputed", target["without_laws"]
    certificate = read(folder / target["certificate"])
    need(certificate["schema"] == CERTIFICATE, f"the certificate is none of the form {CERTIFICATE}")
    claim = Claim(target, certificate, read(folder / target["laws"]))
    claim.check_scope()
    claim.check_laws()
    by_verdict: dict[str, Callable[[], str]] = {"verified": claim.verified, "refuted": claim.refuted}
    need(target["verdict"] in by_verdict, "the verdict is none")
    return "recomputed", by_verdict[target["verdict"]]()


def statement(evidence: Any, digest: str) -> Any:
    """Return the in-toto statement of a run's evidence; `digest` is the digest of the evidence file."""
    targets = evidence["targets"]
    named = {
        verdict: [target["target"] for target in targets if target["verdict"] == verdict]
        for verdict in ("verified", "undecided", "refuted")
    }
    warned = named["undecided"] + [row["target"] for row in evidence["skipped"]]
    failed = named["refuted"] + [row["given"] for row in evidence["errors"]]
    return {
        "_type": STATEMENT_TYPE,
        "subject": [{"name": row["name"], "digest": {"sha256": row["sha256"]}} for row in evidence["sources"]],
        "predicateType": PREDICATE_TYPE,
        "predicate": {
            "result": "FAILED" if failed else "WARNED" if warned else "PASSED",
            "configuration": [{"name": EVIDENCE, "digest": {"sha256": digest}}],
            "passedTests": named["verified"],
            "warnedTests": warned,
            "failedTests": failed,
        },
    }


def check_files(evidence: Any, folder: Path) -> None:
    """Return if the folder has the files that are listed, byte for byte, and no others."""
    there = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if not path.is_dir()}
    listed = {**evidence["files"], EVIDENCE: None, STATEMENT: None}
    for name in sorted(listed.keys() | there.keys()):
        need(name in there, f"the file {name} is missing")
        need(name in listed, f"the file {name} is not listed")
        need(listed[name] in (None, sha256(there[name].read_bytes())), f"the file {name} was changed")
    for target in evidence["targets"]:
        for name in (target["certificate"], target["laws"]):
            need(name is None or name in evidence["files"], f"the file {name} is not listed")


def check(folder: Path, say: Callable[[str], None] = print) -> int:
    """Check a folder, say a line for each target, and return the exit status."""
    try:
        evidence = read(folder / EVIDENCE)
        need(evidence["schema"] == "dpcert.evidence/1", f"{EVIDENCE} is none of the form dpcert.evidence/1")
        expected = statement(evidence, sha256((folder / EVIDENCE).read_bytes()))
        need(read(folder / STATEMENT) == expected, f"{STATEMENT} is not what {EVIDENCE} leads to")
        check_files(evidence, folder)
        for verdict in ("verified", "refuted", "undecided"):
            count = sum(target["verdict"] == verdict for target in evidence["targets"])
            need(evidence[verdict] == count, f"{EVIDENCE} counts {evidence[verdict]} {verdict} for {count}")
    except Refused as error:
        say(f"refused: {error}")
        return 1
    except Exception as error:
        say(f"refused: {EVIDENCE} is malformed: {type(error).__name__}: {error}")
        return 1
    counts: dict[str, int] = {}
    for target in evidence["targets"]:
        try:
            kind, words = checked(target, folder)
        except Refused as error:
            kind, words = "refused", str(error)
        except Exception as error:
            kind, words = "refused", f"malformed: {type(error).__name__}: {error}"
        counts[kind] = counts.get(kind, 0) + 1
        verdict = "" if kind == "undecided" else f" {target['verdict']}"
        say(f"{kind}{verdict} {target['target']}: {words}")
    say(", ".join(f"{count} {kind}" for kind, count in counts.items()) or "no targets")
    return 1 if "refused" in counts else 0


def main() -> int:
    """Check the folder that the command line names, or the folder of this file."""
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)
    if len(sys.argv) > 2 or (len(sys.argv) == 2 and sys.argv[1].startswith("-")):
        print("usage: python check.py [FOLDER]", file=sys.stderr)
        return 2
    return check(Path(sys.argv[1]) if len(sys.argv) == 2 else Path(__file__).resolve().parent)


if __name__ == "__main__":
    sys.exit(main())
