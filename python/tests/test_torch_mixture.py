"""A mixture of experts: against float32, pair by pair, with gradients and compiled; its parts; and what it refuses."""

import pytest

import needs

torch, sectile = needs.shipped()
import sectile.nn  # noqa: E402
import sectile.torch  # noqa: E402
from tensors import matrix, near  # noqa: E402

F = torch.nn.functional
if not hasattr(sectile.operators, "gathered_experts_bf16"):
    pytest.skip("built without experts", allow_module_level=True)

on_each_device = needs.on_each_device(torch)
TOKENS, EACH, EXPERTS, WIDTH, HIDDEN = 37, 3, 5, 64, 48
X, GATE, VALUE = matrix(TOKENS, WIDTH), matrix(EXPERTS, HIDDEN, WIDTH, seed=1), matrix(EXPERTS, HIDDEN, WIDTH, seed=2)
DOWN = matrix(EXPERTS, 40, HIDDEN, seed=3)


def drawn(experts=EXPERTS, seed=4):
    """Each token's experts, none twice, and their weights. Nobody goes to expert 2."""
    random = torch.Generator().manual_seed(seed)
    likes = torch.rand(TOKENS, experts, generator=random)
    likes[:, 2] = 0
    return likes.topk(EACH).indices, torch.rand(TOKENS, EACH, generator=random)


INDICES, WEIGHTS = drawn()
HOLES = INDICES.clone()  # pairs that nobody makes
HOLES[::4, 1], HOLES[3], HOLES[5, 0], HOLES[6, 2] = -1, -1, EXPERTS, 2**40


def by_torch(x, weights, gate, value, down, indices=INDICES):
    made = torch.zeros(TOKENS, down.shape[1], dtype=x.dtype, device=x.device)
    for e in range(len(gate)):
        of_e = torch.where(indices.to(x.device) == e, weights, 0).sum(1, keepdim=True)
        made = made + of_e * F.linear(F.silu(F.linear(x, gate[e])) * F.linear(x, value[e]), down[e])
    return made


def ours(x, weights, gate, value, down, indices=INDICES):
    return sectile.torch.mixture_of_experts(x, indices.to(x.device), weights, gate, value, down)


def gradients(function, *tensors, **more):
    """The result and the gradients by all tensors."""
    leaves = [t.detach().clone().requires_grad_() for t in tensors]
    made = function(*leaves, **more)
    made.backward(torch.linspace(-1, 1, made.numel(), device=made.device).view(made.shape).to(made.dtype))
    return [made.detach(), *(leaf.grad for leaf in leaves)]


@on_each_device
@pytest.mark.parametrize("indices", [INDICES, INDICES.int(), HOLES], ids=["int64", "int32", "holes"])
def test_is_what_torch_makes_of_each_pair(indices, device):
    tensors = [t.to(device) for t in (X, WEIGHTS, GATE, VALUE, DOWN)]
    found = gradients(ours, *tensors, indices=indices)
    for got, wanted, given in zip(found, gradients(by_torch, *(t.float() for t in tensors), indices=indices), (X, *tensors)):
        assert got.dtype == given.dtype
        near(got, wanted)
    assert not any(of_weight[2].any() for of_weight in found[3:])  # of the expert that nobody goes to
    nobody = (indices < 0) | (indices >= EXPERTS)
    assert not found[2].cpu()[nobody].any()
    assert not found[0].cpu()[nobody.all(1)].any()
    for again, same in zip(gradients(ours, *tensors, indices=indices), found):
        assert torch.equal(again, same)
    with torch.no_grad():
        assert torch.equal(ours(*tensors, indices=indices), found[0])  # past the dispatcher


@on_each_device
@pytest.mark.filterwarnings("error")
def test_compiles_whole(device):
    tensors = [t.to(device) for t in (X, WEIGHTS, GATE, VALUE, DOWN)]
    compiled = torch.compile(ours, fullgraph=True, backend="aot_eager")
    for got, same in zip(gradients(compiled, *tensors), gradients(ours, *tensors)):
        assert torch.equal(got, same)
    with torch.no_grad():
        assert torch.equal(compiled(*tensors), ours(*tensors))


@pytest.mark.parametrize("experts", [EXPERTS, 2**15])
def test_routes_are_those_of_a_sort(experts):
    to = sectile.torch.routes(HOLES, experts)
    assert [t.dtype for t in to] == [torch.int32] * 3 + [torch.int64]
    flat = HOLES.flatten()
    there = ((flat >= 0) & (flat < experts)).nonzero().flatten()
    by_expert = there[flat[there].argsort(stable=True)]
    count = len(by_expert)
    assert to.ends.tolist() == flat[there].bincount(minlength=experts).cumsum(0).tolist() and to.ends[-1] == count
    assert torch.equal(to.pair[:count], by_expert) and sorted(to.pair.tolist()) == list(range(len(flat)))
    assert torch.equal(to.token, (to.pair // EACH).int())
    for t in range(TOKENS):
        for j in range(EACH):
            slot = to.slot[j, t]
            assert to.pair[slot] == t * EACH + j if slot >= 0 else t * EACH + j not in by_expert.tolist()


def test_parts_are_the_whole():
    to = sectile.torch.routes(INDICES, EXPERTS)
    hidden = sectile.torch.gathered_swiglu(X, GATE, VALUE, to)
    assert torch.equal(hidden, sectile.torch.grouped_swiglu(X[to.token], GATE, VALUE, to.ends))  # the same bits
    made = sectile.torch.grouped_linear(hidden, DOWN, to.ends, WEIGHTS.flatten()[to.pair])
    summed = sectile.torch.summed_rows(made, to)
    assert torch.equal(summed, ours(X, WEIGHTS, GATE, VALUE, DOWN))
    total = torch.zeros(TOKENS, 40)
    for j in range(EACH):  # in this order, in float32
        total += made[to.slot[j]].float()
    assert torch.equal(summed, total.to(torch.bfloat16))
    one = torch.empty_like(summed)  # of one launch, where no pair is left out
    of_pairs = WEIGHTS.flatten()[to.pair]
    sectile.operators.scattered_experts_bf16(hidden, DOWN, of_pairs, to.pair.int(), to.ends, out=one)
    assert torch.equal(one, summed)


@on_each_device
def test_weighted_rows_have_gradients(device):
    ends, of_rows = torch.tensor([5, 5, 30, 36, 37], dtype=torch.int32).to(device), torch.rand(TOKENS).to(device)

    def by_group(x, weight, of_rows):
        parts = x.tensor_split(ends[:-1].tolist())
        return of_rows[:, None] * torch.cat([F.linear(rows, w) for rows, w in zip(parts, weight)])

    layer = lambda x, weight, of_rows: sectile.torch.grouped_linear(x, weight, ends, of_rows)  # noqa: E731
    tensors = X.to(device), GATE.to(device), of_rows
    for got, wanted in zip(gradients(layer, *tensors), gradients(by_group, *(t.float() for t in tensors))):
        near(got, wanted)


def test_opcheck():
    to = sectile.torch.routes(HOLES, EXPERTS)
    learns = [t.detach().clone().requires_grad_() for t in (X, GATE, VALUE)]
    count = int(to.ends[-1])  # all rows that are there: of others nothing is written, and nothing can be compared
    token, slot = to.token[:count].clone(), to.slot
    ops = torch.ops.sectile
    torch.library.opcheck(ops.gathered_swiglu, (*learns, to.ends, token, slot))
    hidden = ops.gathered_swiglu(X, GATE, VALUE, to.ends, token, slot)
    rows = [t.detach().clone().requires_grad_() for t in (hidden, DOWN, torch.rand(count))]
    torch.library.opcheck(ops.grouped_linear_weighted, (*rows, to.ends))
    torch.library.opcheck(ops.summed_rows, (rows[0], slot, token))


def test_hidden_rows_that_fill_no_16_bytes():
    """They begin at multiples of them in the memory that is made for them, and what is given may lie so."""
    down = matrix(EXPERTS, 40, HIDDEN, seed=3)[..., :44]
    tensors = X, WEIGHTS, GATE[:, :44], VALUE[:, :44], down
    leaves = [t.detach().requires_grad_() for t in tensors]  # no clone, which would pack them
    made = ours(*leaves)
    made.float().square().sum().backward()
    theirs = [t.detach().float().requires_grad_() for t in tensors]
    wanted = by_torch(*theirs)
    wanted.square().sum().backward()
    near(made, wanted)
    for got, exact in zip(leaves, theirs):
        assert (got.grad.float() - exact.grad).norm() <= 2e-2 * exact.grad.norm()


def test_a_batch_of_sequences():
    made = sectile.torch.mixture_of_experts(
        X[:36].view(2, 18, WIDTH), INDICES[:36].view(2, 18, EACH), WEIGHTS[:36].view(2, 18, EACH), GATE, VALUE, DOWN)
    assert torch.equal(made.view(36, 40), ours(X, WEIGHTS, GATE, VALUE, DOWN)[:36])  # and a token's bits are its own


def test_a_module():
    torch.manual_seed(5)
    layer = sectile.nn.Experts(EXPERTS, WIDTH, HIDDEN)
    assert repr(layer) == f"Experts(experts={EXPERTS}, features={WIDTH}, hidden={HIDDEN})"
    assert sorted(layer.state_dict()) == ["down", "gate", "value"]
    assert all(0.9 < p.abs().max() * p.shape[2] ** 0.5 <= 1 for p in layer.parameters())
    x = torch.randn(TOKENS, WIDTH)
    with torch.autocast("cpu", torch.bfloat16):
        made = layer(x, INDICES, WEIGHTS.to(torch.bfloat16))
    assert made.dtype == torch.bfloat16
    near(made, by_torch(x, WEIGHTS, *layer.parameters()).detach())
    made.float().sum().backward()
    assert all(p.grad.dtype == torch.float32 and p.grad.abs().sum() > 0 for p in layer.parameters())


@pytest.mark.parametrize("change, said", [
    (dict(x=X.float()), "x is float32.*autocast"),
    (dict(down=DOWN.half()), "down is float16"),
    (dict(indices=INDICES.float()), "indices is float32, and experts are counted by int64 or int32"),
    (dict(weights=WEIGHTS.to(torch.bfloat16)), r"weights is bfloat16.*weights.float\(\)"),
    (dict(weights=WEIGHTS[:, :2]), r"indices and weights are \[.., experts of each\].*\(37, 3\), \(37, 2\)"),
    (dict(indices=INDICES[1:], weights=WEIGHTS[1:]), r"not \(37, 64\), \(36, 3\), \(36, 3\)"),
    (dict(indices=INDICES[:, :0], weights=WEIGHTS[:, :0]), "one or more"),
    (dict(x=X[:0], indices=INDICES[:0], weights=WEIGHTS[:0]), "rows = 0: every size must be at least 1"),
    (dict(value=VALUE[1:]), r"not \(5, 48, 64\), \(4, 48, 64\), \(5, 40, 48\)"),
    (dict(down=DOWN[:, :, :40]), r"down is \[experts, out, hidden\].*\(5, 40, 40\)"),
    (dict(x=X[:, :56].contiguous()), "operand G: K = 64, but operand X has K = 56"),
    (dict(x=X[:, :60], gate=GATE[:, :, :60], value=VALUE[:, :, :60]), "no whole pieces of 16 bytes.*pad it to 64"),
    (dict(down=DOWN[:, :36]), "operand P.*no whole pieces of 16 bytes.*pad it to 40"),
])
def test_what_is_wrong_is_said(change, said):
    given = dict(x=X, indices=INDICES, weights=WEIGHTS, gate=GATE, value=VALUE, down=DOWN) | change
    with pytest.raises(sectile.Error, match=said):
        sectile.torch.mixture_of_experts(**given)


def test_what_parts_refuse():
    to = sectile.torch.routes(INDICES, EXPERTS)
    with pytest.raises(sectile.Error, match=r"indices is \(37,\); it has two modes"):
        sectile.torch.routes(INDICES[:, 0], EXPERTS)
    with pytest.raises(sectile.Error, match="there are 0 experts"):
        sectile.torch.routes(INDICES, 0)
    with pytest.raises(sectile.Error, match="operand token"):
        sectile.torch.gathered_swiglu(X, GATE, VALUE, to._replace(token=to.token.long()))
    with pytest.raises(sectile.Error, match="operand slot"):
        sectile.torch.summed_rows(matrix(111, 40), to._replace(slot=to.slot.float()))
    with pytest.raises(sectile.Error, match="made is float32"):
        sectile.torch.summed_rows(matrix(111, 40).float(), to)
    with pytest.raises(sectile.Error, match="operand weight"):
        sectile.torch.grouped_linear(matrix(111, HIDDEN), DOWN, to.ends, torch.rand(110))
    with pytest.raises(sectile.Error, match="operand weight"):
        sectile.torch.grouped_linear(matrix(111, HIDDEN), DOWN, to.ends, torch.rand(111).double())


def test_the_model_tells_of_an_index_that_no_row_has_and_of_ends_that_fall():
    to = sectile.torch.routes(INDICES, EXPERTS)
    token, ends = to.token.clone(), to.ends.clone()
    token[7] = TOKENS
    with pytest.raises(sectile.Error, match=f"an element of token is {TOKENS}"):
        sectile.torch.gathered_swiglu(X, GATE, VALUE, to._replace(token=token))
    ends[1] = ends[0] - 1
    with pytest.raises(sectile.Error, match="ends"):
        sectile.torch.gathered_swiglu(X, GATE, VALUE, to._replace(ends=ends))


@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU")
def test_a_cuda_graph_holds_any_routing():
    tensors = [t.cuda() for t in (X, WEIGHTS, GATE, VALUE, DOWN)]
    indices = INDICES.cuda()
    with torch.no_grad():
        ours(*tensors, indices=indices)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):  # in which a host that reads a device's memory is an error
            made = ours(*tensors, indices=indices)
        for seed in (4, 6, 7):
            indices.copy_(drawn(seed=seed)[0])
            graph.replay()
            assert torch.equal(made, ours(*tensors, indices=indices))
