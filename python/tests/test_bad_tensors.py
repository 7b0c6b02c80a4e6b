"""Tensors that a call cannot take, whoever made them: each is refused by one sentence."""

import ctypes
import os

import pytest

from capsules import CPU, CUDA, Told

sectile = pytest.importorskip("sectile")
numpy = pytest.importorskip("numpy")
if "SECTILE_OPERATORS" not in os.environ:
    pytest.skip("SECTILE_OPERATORS names no library", allow_module_level=True)

MEMORY = numpy.ones((64, 64), "f2")
ADDRESS = MEMORY.ctypes.data


@pytest.fixture(scope="module")
def product():
    """C = alpha A B of f16."""
    return sectile.load(os.environ["SECTILE_OPERATORS"]).scaled_product


def refused(call):
    """The sentence."""
    with pytest.raises(sectile.Error) as said:
        call()
    assert "\n" not in str(said.value)
    return str(said.value)


def taken_as_a(product, tensor):
    return refused(lambda: product(tensor, MEMORY, 1, out=numpy.empty((64, 64), "f2")))


def told(**what):
    return Told(what.pop("address", ADDRESS), what.pop("shape", (64, 64)), **what)


class Raises:
    shape = (64, 64)

    def __init__(self, device=(CPU, 0), capsule=None):
        self.device, self.capsule = device, capsule

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **_):
        if self.capsule is None:
            raise RuntimeError("the memory was given away\nat some place")
        return self.capsule


def used_up():
    """Whose capsule somebody has taken already."""
    capsule = MEMORY.__dlpack__()
    rename = ctypes.pythonapi.PyCapsule_SetName
    rename.argtypes = ctypes.py_object, ctypes.c_char_p
    rename(capsule, b"used_dltensor")
    return Raises(capsule=capsule)


CASES = {
    "null": (told(address=0), "operand A: the pointer is null"),
    "rank": (told(shape=(2, 2, 2, 2, 2, 2, 2)), "operand A: the tensor has 7 modes, the kernel expects 2"),
    "size": (told(shape=(64, -64)), "operand A: K = -64: every size must be at least 1"),
    "huge": (told(shape=(2**40, 64)), "operand A: M = 1099511627776: TMA coordinates are 32-bit"),
    "stride": (told(stride=(-64, 1)), "operand A: the stride of M is -64 elements; TMA takes 0 to"),
    "far": (told(shape=(2**30, 64), stride=(2**38, 1)), "operand A: M = 1073741824 at a stride of"),
    "lanes": (told(lanes=4), "operand A: the tensor's elements are DLPack's type 2 of 16 bits x 4"),
    "complex": (told(kind=5, bits=64), "operand A: the tensor's elements are complex64, the kernel expects f16"),
    "device": (told(device=(8, 0)), "operand A: the tensor is on a device of DLPack's kind 8, the kernel runs on the CPU"),
    "version": (told(version=(2, 0)), "operand A: the tensor comes by DLPack 2, Sectile reads version 1"),
    "raises": (Raises(), "operand A: the memory was given away"),
    "no capsule": (Raises(capsule="x"), "operand A: its __dlpack__ gives no capsule of DLPack that is still full"),
    "used up": (used_up(), "operand A: its __dlpack__ gives no capsule of DLPack that is still full"),
    "no device": (Raises(device=("cpu", 0)), "operand A: "),
    "device of nothing": (Raises(device=()), "operand A: "),
    "objects": (numpy.zeros((64, 64), "O"), "operand A: "),
    "other order of bytes": (numpy.zeros((64, 64), ">f2"), "operand A: "),
    "records": (numpy.zeros((64, 64), "f2,f2"), "operand A: "),
    "backwards": (MEMORY[::-1], "operand A: the stride of M is -64 elements"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_it_is_refused(product, name):
    tensor, sentence = CASES[name]
    assert sentence in taken_as_a(product, tensor)


def test_the_same_capsule_with_nothing_wrong_is_taken(product):
    assert (product(told(), MEMORY, 1, out=numpy.empty((64, 64), "f2")) == 64).all()


def test_an_output_that_says_it_may_only_be_read(product):
    said = refused(lambda: product(MEMORY, MEMORY, 1, out=told(read_only=True)))
    assert said == "operand C: it is an output, and the tensor may only be read"


def test_an_output_whose_elements_share_memory(product):
    out = numpy.lib.stride_tricks.as_strided(numpy.empty((64, 64), "f2"), (64, 64), (0, 2))
    for copy in (False, True):
        said = refused(lambda: product(MEMORY, MEMORY, 1, out=out, copy=copy))
        assert "an output's elements must not overlap" in said


def test_a_stream_that_is_no_number(product):
    assert refused(lambda: product(MEMORY, MEMORY, 1, stream="x")).startswith("stream, a number of CUDA's")


WORKSPACES = {
    "no tensor": ("x", "workspace: a tensor is needed, and a str is none"),
    "backwards": (numpy.empty(64, "u1")[::-1], "workspace: its elements are not packed"),
    "one element for all": (numpy.lib.stride_tricks.as_strided(MEMORY, (64,), (0,)), "workspace: its elements are not"),
    "read-only": (told(read_only=True), "workspace: it is written, and the tensor may only be read"),
    "elsewhere": (told(device=(CUDA, 0)), "workspace: it is not in host memory, where the model runs"),
}


@pytest.mark.parametrize("name", WORKSPACES)
def test_a_workspace_is_refused(product, name):
    given, sentence = WORKSPACES[name]
    assert sentence in refused(lambda: product(MEMORY, MEMORY, 1, workspace=given))


class TestOnTheGpu:
    """What needs one says so here; what there is to refuse without one comes first."""

    def test_a_machine_without_one(self, product):
        on_gpu = told(device=(CUDA, 0), address=256)
        said = refused(lambda: product(on_gpu, on_gpu, 1, out=on_gpu))
        if not product.has_gpu_code:
            assert said.startswith("scaled_product has no machine code for a GPU in this library")
        elif not gpu_is_there():
            assert said.startswith("there is no ") and said.endswith("; run on the model instead")
        else:  # no memory of the GPU's is there
            assert said.startswith("operand A: ")

    def test_memory_that_was_freed(self, product, on_gpu):
        address = on_gpu.allocated()
        on_gpu.free(address)
        tensor = told(device=(CUDA, 0), address=address)
        assert refused(lambda: product(tensor, tensor, 1, out=tensor)).startswith("operand A: ")

    def test_memory_of_another_context(self, product, on_gpu):
        with on_gpu.another_context():
            address = on_gpu.allocated()
        tensor = told(device=(CUDA, 0), address=address)
        assert "context" in refused(lambda: product(tensor, tensor, 1, out=tensor))

    def test_a_number_that_is_on_it(self, product, on_gpu):
        number = Told(on_gpu.allocated(), (), device=(CUDA, 0))
        assert "it is a number, and a Told is none" in refused(lambda: product(MEMORY, MEMORY, number))

    @pytest.fixture
    def on_gpu(self, product):
        if not gpu_is_there():
            pytest.skip("this machine has no GPU")
        if not product.has_gpu_code:
            pytest.skip("the library was built without nvcc")
        driver = Driver()
        yield driver
        driver.leave()


def gpu_is_there():
    try:
        return Driver.count() > 0
    except OSError:
        return False


class Driver:
    """CUDA's driver, of which a few calls are needed."""

    @staticmethod
    def library():
        return ctypes.CDLL("libcuda.so.1")

    @classmethod
    def count(cls):
        cuda, count = cls.library(), ctypes.c_int()
        if cuda.cuInit(0) == 0:
            cuda.cuDeviceGetCount(ctypes.byref(count))
        return count.value

    def __init__(self):
        self.cuda, self.context, self.others = self.library(), ctypes.c_void_p(), []
        self.check(self.cuda.cuDevicePrimaryCtxRetain(ctypes.byref(self.context), 0))
        self.check(self.cuda.cuCtxSetCurrent(self.context))

    @staticmethod
    def check(result):
        assert result == 0, f"CUDA's driver says {result}"

    def allocated(self):
        address = ctypes.c_uint64()
        self.check(self.cuda.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(1 << 21)))
        return address.value

    def free(self, address):
        self.check(self.cuda.cuMemFree_v2(ctypes.c_uint64(address)))

    def another_context(self):
        """Current while the with statement lasts; its memory is there until leave()."""
        driver = self

        class Entered:
            def __enter__(self):
                made = ctypes.c_void_p()
                driver.check(driver.cuda.cuCtxCreate_v2(ctypes.byref(made), 0, 0))
                driver.others.append(made)

            def __exit__(self, *_):
                driver.check(driver.cuda.cuCtxSetCurrent(driver.context))

        return Entered()

    def leave(self):
        for context in self.others:
            self.check(self.cuda.cuCtxDestroy_v2(context))
        self.check(self.cuda.cuCtxSetCurrent(self.context))
        self.check(self.cuda.cuDevicePrimaryCtxRelease_v2(0))
