"""Tests of adapters to other people's libraries: each is collected only where its library is installed.

`tests/libraries/run` makes an environment for each library and runs them all.
"""

from importlib.util import find_spec

PACKAGES = {
    "diffpriv_pure": "diffpriv_pure",
    "diffprivlib": "diffprivlib",
    "diffprivlib_ideal": "diffprivlib",
    "diffprivlib_pipeline": "diffprivlib",
    "opendp": "opendp",
    "pipeline_dp": "pipeline_dp",
    "pydp": "pydp",
    "scikit_learn": "sklearn",
    "smartnoise_synth": "snsql",
    "tmlt_core": "tmlt",
}

collect_ignore = [f"test_{name}.py" for name, package in PACKAGES.items() if find_spec(package) is None]
