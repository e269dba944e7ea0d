"""The part of an entry in the Differential Privacy Deployments Registry that an audit can fill in.

The registry has no section called validation. Its schema asks, under `implementation`, whether the process was
validated and verified, and how (`justification`), and what protects from floats, timing and the platform
(`mechanisms`); under `privacy_loss` it asks which datasets are adjacent (`privacy_unit_details`).

Source: `schemas/deployments-schema.yaml` in the repository opendp/deployments-registry-data, commit 057e5d8.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any


def registry_entry(evidence: Mapping[str, Any], hazards: Sequence[Mapping[str, str]]) -> str:
    """Return those fields as YAML, in the form that is JSON, too; whoever registers adds the others."""
    targets, by_name = evidence["targets"], {row["hazard"]: row for row in hazards}
    asked = ("Finite numbers", "Time and other side channels", "Source of randomness", "Security and access")
    sources = [f"{row['name']} (SHA-256 {row['sha256']})" for row in evidence["sources"]]
    mechanisms = [
        *(f"{name}: {by_name[name]['status']}; {by_name[name]['says']}." for name in asked),
        f"Version of the code: {', '.join(sources) or 'none'}.",
    ]
    counts = ", ".join(f"{evidence[verdict]} {verdict}" for verdict in ("verified", "refuted", "undecided"))
    justification = [
        f"Audited with dpcert {evidence['versions']['dpcert']}: {counts}, {len(evidence['skipped'])} skipped.",
        *(f"{target['verdict']}: {target['claim']['sentence']} ({target['method']})." for target in targets),
        "Laws, certificates and a program that recomputes them are in the folder of evidence.",
    ]
    units = dict.fromkeys(f"{t['target']}: {t['claim']['neighbours']}, on {t['claim']['inputs']}." for t in targets)
    entry = {
        "deployment": {
            "privacy_loss": {"privacy_unit_details": _listed(list(units))},
            "implementation": {"mechanisms": _listed(mechanisms), "justification": _listed(justification)},
        }
    }
    return json.dumps(entry, indent=2) + "\n"


def _listed(lines: Sequence[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)
