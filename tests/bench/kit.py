"""What the tests of bench/peers share: the package, and a PyTorch of the few functions that need no GPU."""

import pathlib
import sys
import types
import unittest  # noqa: F401

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "bench"))


def pretend_torch():
    """In place of PyTorch, whether that is there or not."""
    properties = types.SimpleNamespace(multi_processor_count=132, name="a GPU")
    cuda = types.SimpleNamespace(
        current_stream=lambda: types.SimpleNamespace(cuda_stream=0),
        get_device_properties=lambda device: properties,
        is_available=lambda: False,
    )
    sys.modules["torch"] = types.SimpleNamespace(cuda=cuda, Tensor=object)
