"""Claims about lists of any length: their verdicts, their certificates, and each edit of these rejected."""

from copy import deepcopy
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from ideal import checkdp

import dpcert
from dpcert import Claim, Epsilon, InputError, Options, PureDP, Unauditable
from dpcert.audit.ideal.certificates.certificate import IdealCertificate, check_ideal
from dpcert.audit.ideal.certificates.writing import certificate_of, certificate_of_every
from dpcert.audit.ideal.every import EVERYWHERE
from dpcert.audit.ideal.every_report import decide_every
from dpcert.audit.ideal.lengths import on_any_length
from dpcert.audit.ideal.verdict import decide_ideal
from dpcert.audit.kernel.check import Rejected
from dpcert.audit.kernel.neighbours import RELATIONS, custom
from dpcert.mechanisms.ideal.meant import OPEN
from dpcert.targets.cases import file_case
from dpcert.worker.ideal import ideal_case, ideal_digests

from ..claims import STATED

EVERY = {"every": "epsilon", "within": EVERYWHERE}
PAIRS = ((0, 0), (0, 1), (1, 1))


def running(queries, rng):
    sums, total = [], 0
    for query in queries:
        total = total + query + rng.laplace()
        sums.append(total)
    return sums


def claim(epsilon, neighbours, inputs=PAIRS):
    relation = RELATIONS[neighbours] if isinstance(neighbours, str) else neighbours
    return Claim("program", (), inputs, relation, PureDP(epsilon))


def reported(program, epsilon, neighbours, inputs=PAIRS):
    own = claim(epsilon, neighbours, inputs)
    return on_any_length(decide_ideal(own, program), own, program)


def every_reported(program, factor, neighbours):
    own = claim(factor, neighbours)
    report = decide_every(program, own.inputs, own.neighbours, factor=own.guarantee.epsilon.rational)
    return on_any_length(report, own, program, epsilon=OPEN)


def test_verdicts():
    found = reported(running, 1, "l1")
    assert (found.verdict, found.method, found.epsilon) == ("verified", "any length", (Epsilon.of(1), Epsilon.of(1)))
    assert reported(running, "9/10", "l1").verdict == "refuted"  # by the lists that are given
    # of one number, nothing of the relation is known
    alone = reported(running, 1, "linf", ((0,), (1,)))
    assert (alone.verdict, alone.epsilon[1]) == ("undecided", None)
    assert alone.reason.endswith("claim the lists that are given alone, without any_length")
    assert "no shifts" in alone.reason


def test_a_relation_of_ones_own_has_no_differences_whatever_its_name():
    def increasing(a, b):
        return a != b

    found = reported(lambda x, rng: [q + rng.laplace() for q in x], 9, custom(increasing))
    assert found.verdict == "undecided"
    assert "increasing lists are known" in found.reason


def test_a_claim_that_short_lists_meet_is_not_met_by_all():
    def until(queries, rng):
        threshold = rng.laplace(scale=2)
        return [bool(query + rng.laplace(scale=2) >= threshold) for query in queries]

    assert decide_ideal(claim(2, "linf", ((0,), (1,))), until).verdict == "verified"
    assert reported(until, 2, "linf", ((0,), (1,))).verdict == "undecided"


def test_every_epsilon():
    found = every_reported(checkdp.sparsevector, 1, "linf")
    assert (found.verdict, found.method) == ("verified", "any length")
    near = every_reported(checkdp.badsparsevector3, "3/2", "linf")
    assert near.verdict == "undecided"
    assert "no bound below 7/4" in near.reason
    constant = every_reported(lambda x, rng, epsilon: [q + rng.laplace() for q in x], 1, "l1")
    assert constant.verdict != "verified"


def certificates():
    report = reported(running, 1, "l1")
    yield claim(1, "l1"), running, certificate_of(report, STATED), {}
    own = claim(1, "linf")
    found = every_reported(checkdp.sparsevector, 1, "linf")
    yield (
        own,
        checkdp.sparsevector,
        certificate_of_every(found, own, checkdp.sparsevector, STATED, every="epsilon"),
        EVERY,
    )


CERTIFICATES = list(certificates())


def check(place, edited=None, **changed):
    own, program, certificate, more = CERTIFICATES[place]
    text = (edited or certificate).to_text().encode()
    whole = {"any_length": True, **more, **changed}
    check_ideal(IdealCertificate.from_text(text), own, program, STATED, **whole)


@pytest.mark.parametrize("place", [0, 1])
def test_what_is_written_is_accepted_for_lists_of_any_length_alone(place):
    check(place)
    with pytest.raises(Rejected, match="some lists"):
        check(place, any_length=False)


def test_a_certificate_of_some_lists_is_none_of_any_length():
    own = claim(1, "l1")
    some = certificate_of(decide_ideal(own, running), STATED)
    assert some.method == "alignment"
    check_ideal(some, own, running, STATED)
    with pytest.raises(Rejected, match="some lists"):
        check(0, some)
    renamed = replace(some, method="any length")
    with pytest.raises(Rejected):
        check(0, renamed)


@pytest.mark.parametrize("place", [0, 1])
def test_each_edit_is_rejected(place):
    certificate = CERTIFICATES[place][2]
    data = certificate.lengths
    edits = [None, {}, {**data, "relation": "linf" if place == 0 else "l1"}, {**data, "modes": [*data["modes"], 0]}]
    edits += [{**data, "turns": data["turns"][:-1]}, {**data, "states": data["states"][:1]}, {**data, "moves": []}]
    for number, turn in enumerate(data["turns"]):
        for part, other in (("noise", []), ("released", []), ("steps", []), ("carried", []), ("target", None)):
            if turn[part] != other:
                edited = deepcopy(data)
                edited["turns"][number][part] = other
                edits.append(edited)
    halved = deepcopy(data)
    for state in halved["states"]:
        state["potential"] = str(Fraction(state["potential"]) / 2)
    for edited in [*edits, halved]:
        with pytest.raises(Rejected):
            check(place, replace(certificate, lengths=edited))
    with pytest.raises(Rejected):
        check(place, replace(certificate, assumptions=[]))
    with pytest.raises(Rejected):
        check(place, replace(certificate, verdict="refuted"))


def test_another_program_is_rejected():
    def other(queries, rng):
        sums, total = [], 0
        for query in queries:
            total = total + query + rng.laplace(scale=2)
            sums.append(total)
        return sums

    own, _, certificate, _ = CERTIFICATES[0]
    with pytest.raises(Rejected, match="the turns of the program are others"):
        check_ideal(certificate, own, other, STATED, any_length=True)


def test_a_length_is_told_while_a_question_is_asked():
    def above(queries, rng):
        threshold, size, kept = rng.laplace(scale=2), len(queries), []
        for query in queries:
            if query + rng.laplace(scale=4) >= threshold:
                kept.append(size)
                return True
        return False

    assert reported(above, 1, "linf").verdict == "verified"


def test_targets():
    found = dpcert.audit(target_of(running))
    assert (found.verdict, found.seen.method) == ("verified", "any length")
    with pytest.raises(InputError, match="any_length with the machine's noise"):
        dpcert.target(guarantee=PureDP(1), inputs=PAIRS, neighbours="l1", any_length=True)


def target_of(program):
    return dpcert.target(guarantee=PureDP(1), inputs=PAIRS, neighbours="l1", noise="ideal", any_length=True)(program)


def test_another_process_must_find_the_same_turns():
    def read_once_more(queries, rng):
        return [query + rng.laplace() for query in queries]

    case = file_case(Path("a.py"), "a", target_of(running), 0, Options(noise="ideal"))
    own = ideal_digests(case)
    assert tuple(own) == ideal_case(case).digests
    assert len(own) == len(PAIRS) + 1
    assert ideal_case(case, lambda: own).verdict == "verified"
    other = ideal_digests(file_case(Path("a.py"), "a", target_of(read_once_more), 0, Options(noise="ideal")))
    for found in ([*own[:-1], other[-1]], own[:-1], [*own[:-2], *own[-1:]], []):
        with pytest.raises(Unauditable, match="computed a second time"):
            ideal_case(case, lambda found=found: found)


def test_turns_that_nothing_rests_on_need_not_be_found():
    def told(queries, rng):
        return [query + rng.laplace(scale=1 / 2) for query in queries]

    case = file_case(Path("a.py"), "a", target_of(told), 0, Options(noise="ideal"))
    assert ideal_case(case, lambda: ideal_digests(case)).verdict == "refuted"
