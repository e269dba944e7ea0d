"""What the tests of check.py share: a certificate that is rejected or refused."""

from typing import Any

import pytest

from dpcert.audit.kernel.certificate import Certificate
from dpcert.audit.kernel.check import Rejected, check
from dpcert.audit.passes import examined


def rejected(certificate: Certificate, program: Any) -> str:
    """The one line with which a certificate is refused, as it stands or as it is read from its text."""
    with pytest.raises(Rejected) as caught:
        check(certificate, program, examined)
    line = str(caught.value)
    assert line.isprintable()
    assert 0 < len(line) < 400
    return line


EMBEDDED = "the embedded laws are not those of the program"
