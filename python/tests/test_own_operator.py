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
    assert str(product.__signature__) == "(A, B, alpha, /, *, out=None, stream=None, workspace=None, copy=False)"
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
        "rank": (lambda p: p(a[0], b, 1), "operand A: the tensor has 1 mode, the kernel expects 2"),
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
    with pytest.raises(sectile.Error, match=r"speak ABI \d+, this package speaks ABI \d+"):
        sectile.load(os.environ["SECTILE_OTHER_ABI"])


def test_a_family_is_one_operator(product):
    family = sectile.load(os.environ["SECTILE_OPERATORS"]).two_products
    assert [str(o) for o in family.operands] == [str(o) for o in product.operands]
    for m, n in ((40, 64), (200, 264)):
        a, b = matrices(m, n)
        room = numpy.empty(max(16, family.workspace_bytes(a, b, product(a, b, 1), 1)), "u1")
        assert (family(a, b, 0.5, workspace=room) == product(a, b, 0.5)).all()  # one order of sums
    with pytest.raises(sectile.Error, match="operand B: K = 128, but operand A has K = 136"):
        family(a, b[:128], 1)


def awkward(kind, x):
    """The numbers of X as they lie badly in memory."""
    if kind == "order":
        return numpy.asfortranarray(x)
    room = numpy.empty((x.shape[0], x.shape[1] + 5), x.dtype)
    made = room[:, 1:-4] if kind == "alignment" else room[:, : x.shape[1]]
    if kind == "backwards":
        made = x[::-1].copy()[::-1]
    made[:] = x
    return made


class TestCopies:
    """copy=True: what would be refused for how it lies in memory is copied, and nothing else."""

    @pytest.mark.parametrize("kind", ["order", "alignment", "rows", "backwards"])
    @pytest.mark.parametrize("library", ["numpy", "torch"])
    def test_it_copies_where_a_launch_needs_it(self, product, kind, library):
        a, b = matrices()
        expected_bits = product(a, b, 1)
        bad = [awkward(kind, a), awkward(kind, b), awkward(kind, numpy.zeros_like(expected_bits))]
        if library == "torch":
            torch = pytest.importorskip("torch")
            if kind == "backwards":
                pytest.skip("PyTorch's strides are never negative")
            bad = [torch.from_numpy(x) for x in bad]
        before = [x.strides if library == "numpy" else x.stride() for x in bad]
        with pytest.raises(sectile.Error):
            product(bad[0], bad[1], 1, out=bad[2])
        assert product(bad[0], bad[1], 1, out=bad[2], copy=True) is bad[2]
        assert (numpy.asarray(bad[2]) == expected_bits).all()
        assert [x.strides if library == "numpy" else x.stride() for x in bad] == before
        assert (numpy.asarray(product(bad[0], bad[1], 1, copy=True)) == expected_bits).all()

    def test_what_lies_well_is_not_copied(self, product, monkeypatch):
        def none(*_):
            raise AssertionError("a copy was made")

        monkeypatch.setattr("sectile.copies.copy_of", none)
        a, b = matrices()
        assert (product(a, b, 1, copy=True) == product(a, b, 1)).all()
        with pytest.raises(AssertionError):
            product(awkward("order", a), b, 1, copy=True)

    def test_other_rules_stay(self, product):
        a, b = matrices()
        with pytest.raises(sectile.Error, match="elements are f32, the kernel expects f16"):
            product(a.astype("f4"), b, 1, copy=True)
        with pytest.raises(sectile.Error, match="make it current"):
            product(a, b, 1, copy=True, stream=1)


class TestPyTorch:
    """The same with its tensors, which come by another way."""

    @pytest.fixture(autouse=True)
    def torch(self):
        self.torch = pytest.importorskip("torch")

    def test_it_computes_the_same_bits(self, product):
        a, b = matrices()
        c = product(self.torch.from_numpy(a), self.torch.from_numpy(b), 0.25)
        assert (c.numpy() == product(a, b, 0.25)).all()

    def what_is_refused(self, call):
        with pytest.raises(sectile.Error) as refused:
            call()
        assert "\n" not in str(refused.value)
        return str(refused.value)

    def test_what_is_no_memory_is_refused(self, product):
        a, b = (self.torch.from_numpy(x) for x in matrices())
        freed = a.clone()
        freed.untyped_storage().resize_(0)
        for bad in (a.to("meta"), a.to_sparse(), a.float().to_mkldnn(), freed):
            said = self.what_is_refused(lambda bad=bad: product(bad, b, 1, out=b.new_empty(200, 264)))
            assert said.startswith("operand A: ")

    def test_tensors_that_stand_for_others_are_refused(self, product):
        from torch.testing._internal.two_tensor import TwoTensor

        a, b = (self.torch.from_numpy(x) for x in matrices())
        nested = self.torch.nested.nested_tensor([a, a], layout=self.torch.strided)
        for bad in (TwoTensor(a, a), nested):
            said = self.what_is_refused(lambda bad=bad: product(bad, b, 1, out=b.new_empty(200, 264)))
            assert said.startswith("operand A: ")
        assert self.what_is_refused(lambda: product(nested, b, 1)).startswith("operand A: ")
        said = self.what_is_refused(lambda: self.torch.vmap(lambda row: product(row, b, 1))(a[None]))
        assert said.startswith("operand A: ")

    def test_a_fake_is_refused(self, product):
        from torch._subclasses import FakeTensorMode

        a, b = (self.torch.from_numpy(x) for x in matrices())
        with FakeTensorMode():
            fake = self.torch.empty(200, 136, dtype=self.torch.float16)
            assert "operand A: the pointer is null" in self.what_is_refused(lambda: product(fake, fake.t(), 1))
        for call in (lambda: product(fake, b, 1, out=b.new_empty(200, 264)), lambda: product(fake, b, 1)):
            assert "operand A: the pointer is null" in self.what_is_refused(call)

    def test_a_gradient_is_not_lost(self, product):
        a, b = (self.torch.from_numpy(x) for x in matrices())
        wanted = a.clone().requires_grad_()
        for call in (lambda: product(wanted, b, 1), lambda: product(a, b, 1, out=b.new_empty(200, 264).requires_grad_())):
            assert "requires a gradient, which this call would lose" in self.what_is_refused(call)
        grad = self.torch.func.grad(lambda x: product(x, b, 1).sum())
        assert "requires a gradient" in self.what_is_refused(lambda: grad(a))
        with self.torch.no_grad():
            assert (product(wanted, b, 1) == product(a, b, 1)).all()

    def test_a_pytorch_without_dlpacks_table(self, product):
        class Before(self.torch.Tensor):
            __dlpack_c_exchange_api__ = None

        a, b = (self.torch.from_numpy(x) for x in matrices())
        before = a.clone().as_subclass(Before)
        assert (product(before, b, 1) == product(a, b, 1)).all()
        before.requires_grad_()
        assert "requires a gradient" in self.what_is_refused(lambda: product(before, b, 1))
        with self.torch.no_grad():
            assert (product(before, b, 1) == product(a, b, 1)).all()

    def test_numbers_with_the_other_sign_are_refused(self, product):
        a, b = (self.torch.from_numpy(x) for x in matrices())
        other = self.torch._neg_view(a)
        assert "resolve_neg()" in self.what_is_refused(lambda: product(other, b, 1))
        assert (product(other.resolve_neg(), b, 1) == -product(a, b, 1)).all()

    def test_a_number_that_is_a_tensor_is_refused(self, product):
        a, b = (self.torch.from_numpy(x) for x in matrices())
        said = self.what_is_refused(lambda: product(a, b, self.torch.tensor(1.0)))
        assert said == "operand alpha: it is a number, and a Tensor is none; its item() is, for which the host waits"

    def test_two_devices_do_not_mix(self, product):
        if self.torch.cuda.device_count() < 2:
            pytest.skip("this machine has fewer than two GPUs")
        if not product.has_gpu_code:
            pytest.skip("the library was built without nvcc")
        a, b = (self.torch.from_numpy(x) for x in matrices())
        said = self.what_is_refused(lambda: product(a.to("cuda:0"), b.to("cuda:1"), 1))
        assert said.startswith("operand B: the tensor is on CUDA device 1, operand A on CUDA device 0")

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
