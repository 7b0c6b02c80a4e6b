"""Without PyTorch, or with one that is too old, importing sectile.torch says what to do in one sentence."""

import subprocess
import sys

import pytest

import needs

sectile = pytest.importorskip("sectile", reason="the package is not there: pip install .")


def importing(folder, text):
    """What `import sectile.torch` ends with, where FOLDER/torch.py holds TEXT."""
    (folder / "torch.py").write_text(text)
    program = f"import sys; sys.path.insert(0, {str(folder)!r}); import sectile.torch"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                          env=needs.environment(sectile))
    assert done.returncode == 1
    return done.stderr.strip().splitlines()[-1]


def test_missing(tmp_path):
    said = importing(tmp_path, "raise ImportError('No module named torch')")
    assert said.startswith("ImportError: sectile.torch needs PyTorch 2.4 or newer, and there is none: pip install torch")


def test_too_old(tmp_path):
    said = importing(tmp_path, "__version__ = '2.3.1+cpu'")
    assert said.startswith("ImportError: sectile.torch needs PyTorch 2.4 or newer, this is 2.3.1+cpu")
