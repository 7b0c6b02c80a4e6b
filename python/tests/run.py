"""Runs these tests, where Python has what they take."""

import importlib.util
import sys
from pathlib import Path

missing = [name for name in ("pytest", "numpy") if importlib.util.find_spec(name) is None]
if missing:
    print(f"skipped: {sys.executable} has no {' and no '.join(missing)}")
    sys.exit(0)

import pytest  # noqa: E402

sys.exit(pytest.main(["-q", "-rs", "-p", "no:cacheprovider", str(Path(__file__).parent)]))
