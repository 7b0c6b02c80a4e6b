"""A library of which nothing is there but what DLPack asks for, and what is taken from CuPy besides. A stand-in has its
names, in host memory; where CuPy and a GPU are, it is called itself."""

import sys
import types

import pytest

from capsules import Told

sectile = pytest.importorskip("sectile")
numpy = pytest.importorskip("numpy")
try:
    gemm = sectile.operators["gemm_f16"]
except sectile.Error as e:
    pytest.skip(f"no such operator here: {e}", allow_module_level=True)

A = numpy.random.default_rng(7).integers(-3, 4, (40, 64)).astype("f2")
B = numpy.random.default_rng(8).integers(-3, 4, (20, 64)).astype("f2")


class ndarray(numpy.ndarray):
    """As NumPy's, in a module of another name."""


ndarray.__module__ = "cupy"


@pytest.fixture
def cupy(monkeypatch):
    module = types.ModuleType("cupy")
    module.ndarray = ndarray
    module.empty = lambda shape, dtype: numpy.empty(shape, dtype).view(ndarray)
    module.cuda = types.SimpleNamespace(get_current_stream=lambda: types.SimpleNamespace(ptr=7))
    monkeypatch.setitem(sys.modules, "cupy", module)
    return module


def test_nothing_but_dlpack_is_needed():
    out = numpy.zeros((40, 24), "f2")[:, :20]
    gemm.run(tuple(Told(x.ctypes.data, x.shape, [s // 2 for s in x.strides]) for x in (A, B, out)))
    assert (out == A @ B.T).all()


def test_outputs_are_made_where_somebody_knows_how():
    with pytest.raises(sectile.Error, match="operand C: outputs are made for PyTorch, NumPy, CuPy and JAX; of a Told pass"):
        gemm(Told(A.ctypes.data, A.shape), Told(B.ctypes.data, B.shape))


def test_a_library_with_cupys_names(cupy):
    c = gemm(A.view(ndarray), B.view(ndarray))
    assert type(c) is ndarray and c.strides == (48, 2) and (c == A @ B.T).all()
    copied = gemm(numpy.asfortranarray(A).view(ndarray), B.view(ndarray), copy=True)
    assert type(copied) is ndarray and (copied == c).all()


def test_its_current_stream_is_asked_for(cupy):
    from sectile.libraries import stream_of

    assert stream_of((0.5, A.view(ndarray))) == 7 and stream_of(((A.view(ndarray), A), A)) == 7
    assert stream_of((A, B)) is None


def test_cupy_itself_on_a_gpu():
    cupy = pytest.importorskip("cupy", reason="CuPy is not there: pip install cupy-cuda12x")
    if cupy.cuda.runtime.getDeviceCount() == 0 or not gemm.has_gpu_code:
        pytest.skip("there is no GPU, or the package was built without nvcc")
    with cupy.cuda.Stream(non_blocking=True):
        c = gemm(cupy.asarray(A), cupy.asarray(B))
        assert (cupy.asnumpy(c) == A @ B.T).all()
