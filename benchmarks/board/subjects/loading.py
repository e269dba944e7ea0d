"""A file of an installed package alone, where the package around it asks for much that is not needed."""

import importlib.util
import sys
from pathlib import Path


def loaded(path, name):
    """Return a file of an installed package, such as "snsynth/models/dp_covariance.py", as a module of this name."""
    file = next(Path(folder, path) for folder in sys.path if Path(folder, path).is_file())
    spec = importlib.util.spec_from_file_location(name, file)
    sys.modules[name] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
