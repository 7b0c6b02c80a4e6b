"""An operator that sectile_add_operator() made of a kernel of one's own; SECTILE_OPERATORS is its library."""

import os

import pytest

sectile = pytest.importorskip("sectile")
numpy = pytest.importorskip("numpy")
if "SECTILE_OPERATORS" not in os.environ:
    pytest.skip("SECTILE_OPERATORS names no library", allow_module_level=True)


@pytest.fixture(scope="module")
def product():
    return sectile.load(os.environ["SECTILE_OPERATORS"]).scaled_product


def matrices(m=200, n=264, k=136):
    random = numpy.random.default_rng(1)
    return random.standard_normal((m, k)).astype("f2"), random.standard_normal((k, n)).astype("f2")


def expected(a, b, alpha):
    return alpha * (a.astype("f8") @ b.astype("f8"))


def test_it_tells_of_its_operands(product):
    assert [str(o) for o in product.operands] == ["A(M,K): f16", "B(K,N): f16", "C(M,N): f16", "alpha: f32"]
    assert [o.kind for o in product.operands] == ["input", "input", "output", "scalar"]
    assert str(product.__signature__) == "(A, B, alpha, /, *, out=None, stream=None, workspace=None)"
    assert product.summary in product.__doc__ and "B(K,N): f16" in product.__doc__
    assert product.output_shapes((200, 136), (136, 264), ()) == ((200, 264),)


def test_it_computes(product):
    a, b = matrices()
    c = product(a, b, 0.25)
    assert c.dtype == a.dtype and c.shape == (200, 264)
    assert numpy.abs(c - expected(a, b, 0.25)).max() < 0.02


def test_it_writes_where_it_is_told(product):
    a, b = matrices()
    out = numpy.full((200, 264), -1, "f2")
    assert product(a, b, 1, out=out) is out
    raw = numpy.full((200, 264), -1, "f2")
    product.run((a, b, raw, 1.0))
    assert (raw == out).all() and numpy.abs(out - expected(a, b, 1)).max() < 0.1


def test_outputs_have_rows_that_tma_takes(product):
    a, b = matrices(n=200)
    c = product(a, b[:, :196], 1.0)  # rows of 392 bytes begin at multiples of 400
    assert c.shape == (200, 196) and c.strides == (400, 2)
    assert numpy.abs(c - expected(a, b[:, :196], 1)).max() < 0.1


def refusals():
    a, b = matrices()
    read_only = numpy.zeros((200, 264), "f2")
    read_only.flags.writeable = False
    # NumPy before 2.1 hands over no array that may only be read, not even to a reader.
    newest = tuple(map(int, numpy.__version__.split(".")[:2])) >= (2, 1)
    of_read_only = "it is an output, and the tensor may only be read" if newest else "Cannot export readonly array"
    square, _ = matrices(m=264, k=264)
    return {
        "too few": (lambda p: p(a, b), "scaled_product takes A, B, alpha, 3 in all, not 2"),
        "type": (lambda p: p(a.astype("f4"), b, 1), "operand A: the tensor's elements are f32, the kernel expects f16"),
        "no tensor": (lambda p: p(a, None, 1), "operand B: a tensor is needed"),
        "a list": (lambda p: p(a, [1, 2], 1), "operand B: a tensor is needed"),
        "no number": (lambda p: p(a, b, "x"), "operand alpha: "),
        "rank": (lambda p: p(a[0], b, 1), "operand A: the tensor has 1 modes, the kernel expects 2"),
        "sizes": (lambda p: p(a, b[:128], 1), "operand B: K = 128, but operand A has K = 136"),
        "shapes": (lambda p: p.output_shapes((8, 8), (16, 8), ()), "operand B: K = 16, but operand A has K = 8"),
        "empty": (lambda p: p(a[:0], b, 1), "operand A: M = 0"),
        "order": (lambda p: p(numpy.asfortranarray(a), b, 1), "operand A: K must be contiguous"),
        "alignment": (lambda p: p(a[:, 1:129], b[:128], 1), "operand A: the pointer is not aligned to 16 bytes"),
        "rows": (lambda p: p(a, b[:, :260].copy(), 1), "operand B: the stride of K is 260 elements, 520 bytes"),
        "out of a size": (lambda p: p(a, b, 1, out=numpy.zeros((200, 8), "f2")), "operand C: N = 8"),
        "two outs": (lambda p: p(a, b, 1, out=(a, b)), "makes C: out= takes 1, not 2"),
        "read-only": (lambda p: p(a, b, 1, out=read_only), "operand C: " + of_read_only),
        "aliasing": (lambda p: p(square, square, 1, out=square), "share memory"),
        "raw": (lambda p: p.run((a, b)), "scaled_product takes 4 arguments, one for each operand, not 2"),
    }


@pytest.mark.parametrize("name", refusals())
def test_it_refuses(product, name):
    call, sentence = refusals()[name]
    with pytest.raises(sectile.Error) as refused:
        call(product)
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)


def test_there_is_no_other_operator(product):
    with pytest.raises(sectile.Error, match="no operator gemm here; there are scaled_product"):
        sectile.load(os.environ["SECTILE_OPERATORS"])["gemm"]


def test_what_is_no_library_is_refused(tmp_path):
    with pytest.raises(sectile.Error, match="cannot be loaded"):
        sectile.load(tmp_path / "none.so")


def test_a_library_of_another_version_is_refused():
    if "SECTILE_OTHER_ABI" not in os.environ:
        pytest.skip("SECTILE_OTHER_ABI names no library")
    with pytest.raises(sectile.Error, match="speak ABI 0, this package speaks ABI"):
        sectile.load(os.environ["SECTILE_OTHER_ABI"])


class TestPyTorch:
    """The same with its tensors, which come by another way."""

    @pytest.fixture(autouse=True)
    def torch(self):
        self.torch = pytest.importorskip("torch")

    def test_it_computes_the_same_bits(self, product):
        a, b = matrices()
        c = product(self.torch.from_numpy(a), self.torch.from_numpy(b), 0.25)
        assert (c.numpy() == product(a, b, 0.25)).all()

    def test_what_is_no_memory_is_refused(self, product):
        a, b = (self.torch.from_numpy(x) for x in matrices())
        freed = a.clone()
        freed.untyped_storage().resize_(0)
        for bad in (a.to("meta"), a.to_sparse(), freed):
            with pytest.raises(sectile.Error, match="^operand A: "):
                product(bad, b, 1, out=self.torch.empty(200, 264, dtype=self.torch.float16))

    def test_a_fake_is_refused(self, product):
        from torch._subclasses import FakeTensorMode

        a, b = (self.torch.from_numpy(x) for x in matrices())
        with FakeTensorMode():
            fake = self.torch.empty(200, 136, dtype=self.torch.float16)
        with pytest.raises(sectile.Error, match="operand A: the pointer is null"):
            product(fake, b, 1, out=self.torch.empty(200, 264, dtype=self.torch.float16))

    def test_host_and_device_do_not_mix(self, product):
        if not self.torch.cuda.is_available():
            pytest.skip("this machine has no GPU")
        a, b = (self.torch.from_numpy(x) for x in matrices())
        if not product.has_gpu_code:
            with pytest.raises(sectile.Error, match="no machine code for a GPU"):
                product(a.cuda(), b.cuda(), 1)
            return
        with pytest.raises(sectile.Error, match="operand B: the tensor is in host memory, the kernel runs on the GPU"):
            product(a.cuda(), b, 1)
        c = product(a.cuda(), b.cuda(), 0.25)
        assert (c.cpu() == product(a, b, 0.25)).all()
