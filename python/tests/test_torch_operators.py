"""torch.ops.sectile: what the dispatcher and the compiler of PyTorch see of an operator."""

import pytest

import needs

torch, sectile = needs.shipped()
import sectile.torch  # noqa: E402


def matrix(*shape, seed=0):
    made = torch.randn(*shape, generator=torch.Generator().manual_seed(seed))
    return made.to(torch.bfloat16)


def gemm():
    return sectile.torch.register(sectile.operators.gemm_bf16)


def test_schema_is_the_operands():
    assert str(gemm().default._schema) == "sectile::gemm_bf16(Tensor A, Tensor B) -> Tensor"
    assert str(gemm().out._schema) == "sectile::gemm_bf16.out(Tensor A, Tensor B, *, Tensor(a!) C) -> ()"


def test_opcheck():
    torch.library.opcheck(gemm().default, (matrix(8, 64), matrix(16, 64, seed=1)))


def test_opcheck_of_the_out_variant():
    torch.library.opcheck(gemm().out, (matrix(8, 64), matrix(16, 64, seed=1)), {"C": matrix(8, 16)})


@pytest.mark.parametrize("bias", [None, matrix(16, seed=2)])
def test_opcheck_of_linear(bias):
    x, weight = matrix(8, 64).requires_grad_(), matrix(16, 64, seed=1).requires_grad_()
    torch.library.opcheck(torch.ops.sectile.linear, (x, weight, bias))


def test_opcheck_of_rows_that_fill_no_16_bytes():
    x, weight = matrix(9, 64).requires_grad_(), matrix(20, 64, seed=1).requires_grad_()
    torch.library.opcheck(torch.ops.sectile.linear, (x, weight, None))


def test_opcheck_of_swiglu():
    x, gate, value = (matrix(n, 64, seed=n).requires_grad_() for n in (8, 16, 16))
    torch.library.opcheck(torch.ops.sectile.swiglu, (x, gate, value))


def test_out_is_filled():
    a, b, c = matrix(8, 64), matrix(16, 64, seed=1), matrix(8, 16)
    gemm().out(a, b, C=c)
    assert torch.equal(c, gemm()(a, b))


def test_compiles_without_a_graph_break():
    a, b = matrix(8, 64), matrix(16, 64, seed=1)
    compiled = torch.compile(lambda a, b: gemm()(a + a, b).relu(), fullgraph=True, backend="aot_eager")
    assert torch.equal(compiled(a, b), gemm()(a + a, b).relu())


def test_compiles_for_any_number_of_rows():
    b = matrix(16, 64, seed=1)
    compiled = torch.compile(lambda a: gemm()(a, b), fullgraph=True, backend="aot_eager", dynamic=True)
    for count in (8, 24, 40):
        a = matrix(count, 64)
        assert torch.equal(compiled(a), gemm()(a, b))


def test_a_trace_refuses_sizes_that_clash():
    from torch._subclasses.fake_tensor import FakeTensorMode

    with FakeTensorMode(), pytest.raises(Exception, match="64.*32|32.*64"):
        gemm()(torch.empty(8, 64, dtype=torch.bfloat16), torch.empty(16, 32, dtype=torch.bfloat16))


def test_a_gradient_that_would_be_lost_is_refused():
    a = matrix(8, 64).requires_grad_()
    for call in (gemm(), torch.compile(lambda a, b: gemm()(a + a, b), fullgraph=True, backend="aot_eager")):
        with pytest.raises(Exception, match="requires a gradient, which this"):
            call(a, matrix(16, 64, seed=1))
        with torch.no_grad():
            assert call(a, matrix(16, 64, seed=1)).shape == (8, 16)


def test_one_name_is_one_operator():
    class other:
        name = "gemm_bf16"

    gemm()
    with pytest.raises(ValueError, match="another operator of the name gemm_bf16"):
        sectile.torch.register(other)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU: a CUDA graph is captured on one")
def test_is_captured_in_a_cuda_graph():
    a, b = matrix(256, 512).cuda(), matrix(128, 512, seed=1).cuda()
    gemm()(a, b)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        c = gemm()(a, b)
    a.copy_(matrix(256, 512, seed=2))
    graph.replay()
    assert torch.equal(c, gemm()(a, b))
