"""Tensor parallelism by two processes on the CPU (gloo, the model) against one process with the whole layer."""

import datetime

import pytest

import needs

torch, sectile = needs.shipped()
if not torch.distributed.is_available():
    pytest.skip("this PyTorch was built without torch.distributed", allow_module_level=True)
import sectile.distributed  # noqa: E402

dist = torch.distributed
RANKS, ROWS, WIDTH, HIDDEN = 2, 32, 64, 64


def whole_layer():
    """x, up, down and the gradient that comes back, alike in all processes."""
    drawn = torch.Generator().manual_seed(1)
    shapes = (ROWS, WIDTH), (HIDDEN, WIDTH), (WIDTH, HIDDEN), (ROWS, WIDTH)
    return [(torch.randn(*shape, generator=drawn) / 4).to(torch.bfloat16) for shape in shapes]


def part_of(rank, chunks, ctas):
    """What one rank makes: its rows, and the gradients of its rows and weights."""
    group = sectile.distributed.new_group(ctas) if ctas else None
    x, up, down, dy = whole_layer()
    mine = slice(rank * ROWS // RANKS, (rank + 1) * ROWS // RANKS)
    layer = sectile.distributed.TensorParallelMLP(WIDTH, HIDDEN, group, chunks, dtype=torch.bfloat16)
    layer.load_whole(up, down)
    shard = x[mine].clone().requires_grad_()
    y = layer(shard)
    y.backward(dy[mine])
    return y.detach(), shard.grad, layer.up.grad, layer.down.grad


def run_rank(rank, folder, chunks, ctas):
    dist.init_process_group("gloo", init_method=f"file://{folder}/meeting", rank=rank, world_size=RANKS,
                            timeout=datetime.timedelta(seconds=60))
    torch.save(part_of(rank, chunks, ctas), f"{folder}/{rank}.pt")
    dist.destroy_process_group()


def by_one_process():
    x, up, down, dy = whole_layer()
    leaves = [t.float().requires_grad_() for t in (x, up, down)]
    y = torch.nn.functional.gelu(leaves[0] @ leaves[1].T) @ leaves[2].T
    y.backward(dy.float())
    return y.detach(), *(leaf.grad for leaf in leaves)


@pytest.mark.parametrize("chunks, ctas", [(1, None), ((5, 2, 1), 16)])
def test_two_ranks_make_what_one_process_makes(tmp_path, chunks, ctas):
    torch.multiprocessing.spawn(run_rank, (str(tmp_path), chunks, ctas), nprocs=RANKS)
    parts = [torch.load(tmp_path / f"{rank}.pt") for rank in range(RANKS)]
    along = 0, 0, 0, 1  # the mode that ranks share: rows of y, of dx and of dup, columns of ddown
    for of_ranks, wanted, mode in zip(zip(*parts), by_one_process(), along):
        torch.testing.assert_close(torch.cat(of_ranks, mode).float(), wanted, rtol=3e-2, atol=3e-2)


HEADS, LENGTH = 2, 16


def attention_of_all():
    """x, the weights of Q, K and V, the one behind, and the gradient that comes back, alike in all processes."""
    drawn = torch.Generator().manual_seed(2)
    shapes = (ROWS, 128), (3 * 128, 128), (128, 128), (ROWS, 128)
    return [(torch.randn(*shape, generator=drawn) / 8).to(torch.bfloat16) for shape in shapes]


def attention_part(rank):
    """What one rank makes: its rows without a gradient wanted, its rows with one, and the gradients."""
    x, qkv, mix, dy = attention_of_all()
    mine = slice(rank * ROWS // RANKS, (rank + 1) * ROWS // RANKS)
    layer = sectile.distributed.TensorParallelAttention(128, HEADS, is_causal=True, dtype=torch.bfloat16)
    layer.load_whole(qkv, mix)
    with torch.no_grad():
        evaluated = layer(x[mine], batch=ROWS // LENGTH)
    shard = x[mine].clone().requires_grad_()
    y = layer(shard, batch=ROWS // LENGTH)
    y.backward(dy[mine])
    return evaluated, y.detach(), shard.grad, layer.mix.grad


def attend_on_rank(rank, folder):
    dist.init_process_group("gloo", init_method=f"file://{folder}/meeting", rank=rank, world_size=RANKS,
                            timeout=datetime.timedelta(seconds=60))
    torch.save(attention_part(rank), f"{folder}/{rank}.pt")
    dist.destroy_process_group()


def attention_by_one_process():
    x, qkv, mix, dy = attention_of_all()
    leaves = [t.float().requires_grad_() for t in (x, qkv, mix)]
    parts = (leaves[0] @ leaves[1].T).view(-1, LENGTH, 3, HEADS, 64).permute(2, 0, 3, 1, 4)
    heads = torch.nn.functional.scaled_dot_product_attention(*parts, is_causal=True)
    y = heads.transpose(1, 2).reshape(ROWS, 128) @ leaves[2].T
    y.backward(dy.float())
    return y.detach(), y.detach(), leaves[0].grad, leaves[2].grad


def test_two_ranks_attend_as_one_process_does(tmp_path):
    torch.multiprocessing.spawn(attend_on_rank, (str(tmp_path),), nprocs=RANKS)
    parts = [torch.load(tmp_path / f"{rank}.pt") for rank in range(RANKS)]
    for of_ranks, wanted, mode in zip(zip(*parts), attention_by_one_process(), (0, 0, 0, 1)):
        torch.testing.assert_close(torch.cat(of_ranks, mode).float(), wanted, rtol=3e-2, atol=3e-2)


@pytest.fixture
def alone(tmp_path):
    dist.init_process_group("gloo", init_method=f"file://{tmp_path}/meeting", rank=0, world_size=1)
    yield
    dist.destroy_process_group()


def test_rows_that_chunks_do_not_share(alone):
    x, weight, *_ = whole_layer()
    with pytest.raises(ValueError, match="32 rows, which 3 chunks do not share evenly"):
        sectile.distributed.gather_linear(x, weight, chunks=3)
    with pytest.raises(ValueError, match=r"chunks=\(2, 0\): a number of chunks, or a share of the rows for each"):
        sectile.distributed.linear_scatter(x, weight, chunks=(2, 0))
    with pytest.raises(ValueError, match="a collective that takes 0 SMs does not travel"):
        sectile.distributed.new_group(0)


def test_heads_that_ranks_do_not_share(alone):
    with pytest.raises(ValueError, match="a width of 128 in 3 heads is not to be cut among 1 ranks"):
        sectile.distributed.TensorParallelAttention(128, 3)


def test_alone_it_is_the_layer(alone):
    x, weight, *_ = whole_layer()
    assert torch.equal(sectile.distributed.gather_linear(x, weight), sectile.torch.linear(x, weight))
    assert torch.equal(sectile.distributed.linear_scatter(x, weight), sectile.torch.linear(x, weight))
