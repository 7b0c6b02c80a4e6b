"""sectile.sparse against its definition, with a sparse operator and on PyTorch's tensors as on NumPy's."""

import pytest

sectile = pytest.importorskip("sectile")
numpy = pytest.importorskip("numpy")
sparse = sectile.sparse


def drawn(dtype, m=70, k=96):
    """A matrix as its library holds it, with many equal magnitudes, zeros and negative numbers."""
    numbers = numpy.random.default_rng(4).integers(-3, 4, (m, k))
    if dtype == "u8":
        return abs(numbers).astype("u1")
    if dtype == "bf16":  # the upper halves of floats
        return (numbers.astype("f4").view("u4") >> 16).astype("u2")
    return numbers.astype({"f16": "f2", "tf32": "f4", "s8": "i1"}[dtype])


DTYPES = ["f16", "bf16", "tf32", "s8", "u8"]


def as_numbers(x, dtype):
    return (x.astype("u4") << 16).view("f4") if dtype == "bf16" else x.astype("f8")


@pytest.mark.parametrize("dtype", DTYPES)
def test_pruning_keeps_the_largest_of_each_group(dtype):
    dense = drawn(dtype)
    group, kept = (2, 1) if dtype == "tf32" else (4, 2)
    wanted = as_numbers(dense, dtype).reshape(-1, group).copy()
    for row in wanted:
        keep = sorted(range(group), key=lambda i: (-abs(row[i]), i))[:kept]
        row[[i for i in range(group) if i not in keep]] = 0
    assert (as_numbers(sparse.prune(dense, dtype), dtype).reshape(-1, group) == wanted).all()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("k", [96, 100])
def test_what_is_compressed_comes_back(dtype, k):
    pruned = sparse.prune(drawn(dtype, k=k), dtype)
    values, metadata = sparse.compress(pruned, dtype)
    assert values.dtype == pruned.dtype and values.shape == (70, k // 2) and values.strides[0] % 16 == 0
    assert metadata.dtype == numpy.uint32 and metadata.shape == (2, 128 * -(-k // (32 if dtype == "tf32" else 64)))
    assert (as_numbers(sparse.decompress(values, metadata, dtype), dtype) == as_numbers(pruned, dtype)).all()


@pytest.mark.parametrize("dtype", ["f16", "bf16", "e4m3", "s8"])
def test_pytorchs_tensors_are_stored_alike(dtype):
    torch = pytest.importorskip("torch")
    numbers = torch.from_numpy(numpy.random.default_rng(5).integers(-3, 4, (70, 96))).float()
    dense = numbers.to({"f16": torch.float16, "bf16": torch.bfloat16, "e4m3": torch.float8_e4m3fn, "s8": torch.int8}[dtype])
    bits = {"f16": torch.int16, "bf16": torch.int16}.get(dtype, torch.uint8)
    ours = sparse.compress(sparse.prune(dense))
    arrays = sparse.compress(sparse.prune(dense.view(bits).numpy(), dtype), dtype)
    assert (ours[0].view(bits).numpy() == arrays[0]).all()
    assert (ours[1].numpy().view("u4") == arrays[1]).all()
    assert torch.equal(sparse.decompress(*ours).float(), sparse.prune(dense).float())


@pytest.mark.parametrize("bad, sentence", [
    (numpy.ones((4, 8), "f2"), "the matrix is not 2:4 sparse: row 0, columns 0 to 3 hold 4 non-zero values, at most 2 may be"),
    (numpy.ones((4, 6), "f2"), "a matrix of 4 x 6 has no whole groups: of f16 4 neighbours are one"),
    (numpy.ones((4, 8), "u2"), "no wgmma takes sparse uint16: f16, bf16"),
    (numpy.ones(8, "f2"), "a matrix is compressed, and this tensor has 1 mode"),
    ([1, 2], "and a list is none"),
])  # fmt: skip
def test_it_refuses(bad, sentence):
    with pytest.raises(sectile.Error) as refused:
        sparse.compress(bad)
    assert sentence in str(refused.value)


def test_a_type_of_another_size_is_refused():
    with pytest.raises(sectile.Error, match="e4m3 has 8 bits, and the elements of the tensor are float16"):
        sparse.compress(numpy.ones((4, 8), "f2"), "e4m3")


@pytest.fixture
def product():
    try:
        return sectile.operators["sparse_gemm_bf16"]
    except sectile.Error as e:
        pytest.skip(f"no such operator here: {e}")


def test_the_operator_multiplies_what_was_compressed(product):
    a, b = sparse.prune(drawn("bf16", 70, 96), "bf16"), drawn("bf16", 40, 96)
    c = numpy.zeros((70, 40), "u2")
    product(sparse.compress(a, "bf16"), b, out=c)
    numpy.testing.assert_allclose(as_numbers(c, "bf16"), as_numbers(a, "bf16") @ as_numbers(b, "bf16").T, 2**-8)
    made = product(sparse.compress(a, "bf16"), b)
    assert (made.view("u2") == c).all()


def test_the_operator_refuses_what_is_no_pair(product):
    b = drawn("bf16", 40, 96)
    values, metadata = sparse.compress(sparse.prune(drawn("bf16", 70, 96), "bf16"), "bf16")
    for bad, sentence in (
        (values, "operand A: it is sparse: pass (values, metadata)"),
        ((values, metadata[:1]), "operand A: its metadata have 256 words, a matrix of 70 x 96 takes 512"),
        ((values, metadata.astype("f4")), "operand A: its metadata are words of 32 bits, not f32"),
        ((values.repeat(2, 1)[:, ::2], metadata), "operand A: K must be contiguous (stride 1), its stride is 2"),
        ((values[0], metadata), "operand A: the tensor has 1 mode, the kernel expects 2"),
        ((values, numpy.asfortranarray(metadata)), "operand A: its metadata are not packed"),
    ):
        with pytest.raises(sectile.Error) as refused:
            product(bad, b)
        assert sentence in str(refused.value)
    bad = values.repeat(2, 1)[:, ::2], numpy.asfortranarray(metadata)
    assert (product(bad, b, copy=True).view("u2") == product((values, metadata), b).view("u2")).all()
