"""Arrays of JAX, in host memory: they are read as they are, and outputs become arrays of JAX."""

import pytest

sectile = pytest.importorskip("sectile")
jax = pytest.importorskip("jax", reason="JAX is not there: pip install jax")
numpy = pytest.importorskip("numpy")
jnp = jax.numpy
try:
    gemm = sectile.operators["gemm_bf16"]
except sectile.Error as e:
    pytest.skip(f"no such operator here: {e}", allow_module_level=True)


def matrix(m, k, seed=0):
    return jax.device_put(jax.random.normal(jax.random.key(seed), (m, k), jnp.bfloat16), jax.devices("cpu")[0])


def near(c, a, b):
    numpy.testing.assert_allclose(numpy.asarray(c, "f4"), numpy.asarray(a, "f4") @ numpy.asarray(b, "f4").T, 2e-2, 2e-2)


@pytest.mark.parametrize("n", [16, 20])
def test_outputs_are_arrays_of_jax(n):
    a, b = matrix(8, 64), matrix(n, 64, 1)
    c = gemm(a, b)
    assert isinstance(c, jax.Array) and c.dtype == jnp.bfloat16 and c.shape == (8, n) and c.devices() == a.devices()
    near(c, a, b)


def test_rows_of_odd_length_are_copied_if_asked():
    a, b = matrix(8, 60), matrix(16, 60, 1)
    with pytest.raises(sectile.Error, match="operand A: the stride of M is 60 elements"):
        gemm(a, b)
    near(gemm(a, b, copy=True), a, b)


def test_an_output_in_another_librarys_memory():
    a, b, out = matrix(8, 64), matrix(16, 64, 1), numpy.zeros((8, 16), "u2")
    assert gemm(a, b, out=out) is out
    assert (out == numpy.asarray(gemm(a, b)).view("u2")).all()


def test_inside_of_jit_by_a_callback():
    a, b = matrix(8, 64), matrix(16, 64, 1)
    wanted = jax.ShapeDtypeStruct((8, 16), jnp.bfloat16)

    @jax.jit
    def layer(a, b):
        return jax.pure_callback(lambda a, b: numpy.asarray(gemm(a, b)), wanted, a, b) + 1

    assert (layer(a, b) == gemm(a, b) + 1).all()


def deleted():
    array = matrix(8, 64)
    array.delete()
    return array


@pytest.mark.parametrize("call, sentence", [
    (lambda a, b: jax.jit(gemm)(a, b), "a JAX array that is being traced has no numbers yet"),
    (lambda a, b: jax.jit(lambda b: gemm(numpy.zeros((8, 64), "u2"), b))(b), "a JAX array that is being traced"),
    (lambda a, b: jax.grad(lambda a: gemm(a, b).sum())(a), "a JAX array that is being traced has no numbers yet"),
    (lambda a, b: gemm(deleted(), b), "a JAX array has no numbers any more: it was deleted"),
    (lambda a, b: gemm(a, deleted()), "a JAX array has no numbers any more: it was deleted"),
    (lambda a, b: gemm(a, b, out=jnp.zeros((8, 16), jnp.bfloat16)), "operand C: it is an output, and arrays of JAX are never"),
    (lambda a, b: gemm(a.astype("float32"), b), "operand A: the tensor's elements are f32, the kernel expects bf16"),
    (lambda a, b: gemm(a, matrix(16, 32)), "operand B: K = 32, but operand A has K = 64"),
])  # fmt: skip
def test_it_refuses(call, sentence):
    with pytest.raises(sectile.Error) as refused:
        call(matrix(8, 64), matrix(16, 64, 1))
    assert sentence in str(refused.value) and "\n" not in str(refused.value)


@pytest.mark.skipif(all(d.platform != "gpu" for d in jax.devices()), reason="JAX has no GPU here")
def test_on_a_gpu_it_reads_them():
    torch = pytest.importorskip("torch", reason="an output on a GPU is a tensor of PyTorch's")
    if not gemm.has_gpu_code:
        pytest.skip("the package was built without nvcc")
    a, b = (jax.device_put(x, jax.devices("gpu")[0]) for x in (matrix(128, 64), matrix(256, 64, 1)))
    with pytest.raises(sectile.Error, match="operand C: JAX arrays on a GPU are read, and none is written to"):
        gemm(a, b)
    out = torch.zeros(128, 256, dtype=torch.bfloat16, device="cuda")
    gemm(a, b, out=out)
    near(out.float().cpu(), a, b)
