"""sectile.torch.linear, swiglu and sectile.nn: against float32, with gradients, compiled, and in other batches."""

import shutil

import pytest

import needs

torch, sectile = needs.shipped()
import sectile.nn  # noqa: E402
import sectile.torch  # noqa: E402
from tensors import matrix, near  # noqa: E402

F = torch.nn.functional


def gradients(function, *tensors):
    """The result and the gradients by all tensors."""
    leaves = [t.detach().clone().requires_grad_() for t in tensors]
    made = function(*leaves)
    towards = torch.linspace(-1, 1, made.numel()).view(made.shape).to(made.dtype)
    made.backward(towards)
    return [made.detach(), *(leaf.grad for leaf in leaves)]


def swiglu_by_torch(x, gate, value):
    return F.silu(F.linear(x, gate)) * F.linear(x, value)


CASES = {
    "linear": (sectile.torch.linear, F.linear, (matrix(2, 8, 64), matrix(16, 64, seed=1))),
    "bias": (sectile.torch.linear, F.linear, (matrix(8, 64), matrix(16, 64, seed=1), matrix(16, seed=2))),
    "ragged rows": (sectile.torch.linear, F.linear, (matrix(9, 64), matrix(20, 64, seed=1))),
    "swiglu": (sectile.torch.swiglu, swiglu_by_torch, (matrix(8, 64), matrix(16, 64, seed=1), matrix(16, 64, seed=2))),
    "ragged swiglu": (sectile.torch.swiglu, swiglu_by_torch,
                      (matrix(9, 64), matrix(20, 64, seed=1), matrix(20, 64, seed=2))),
}


@pytest.mark.parametrize("name", CASES)
def test_is_what_torch_makes(name):
    ours, theirs, tensors = CASES[name]
    for got, wanted in zip(gradients(ours, *tensors), gradients(theirs, *(t.float() for t in tensors))):
        assert got.dtype == torch.bfloat16
        near(got, wanted)


@pytest.mark.parametrize("name", CASES)
def test_past_the_dispatcher_are_the_same_bits(name):
    ours, _, tensors = CASES[name]
    with torch.no_grad():
        direct = ours(*tensors)
    assert torch.equal(direct, gradients(ours, *tensors)[0])


def test_autograd_records_a_plain_call_by_itself_and_a_seen_one_by_the_dispatcher():
    from torch.overrides import TorchFunctionMode

    class Watched(TorchFunctionMode):
        def __torch_function__(self, function, types, given=(), named=None):
            return function(*given, **(named or {}))

    x, weight = (matrix(16, 64, seed=n).requires_grad_() for n in range(2))
    plain = sectile.torch.linear(x, weight)
    with Watched():
        seen = sectile.torch.linear(x, weight)
    by_dispatcher = torch.ops.sectile.linear(x, weight, None)
    assert plain.grad_fn.name() == "linearBackward"
    assert seen.grad_fn.name() == by_dispatcher.grad_fn.name() != plain.grad_fn.name()
    assert torch.equal(plain, seen) and torch.equal(plain, by_dispatcher)


@pytest.mark.skipif(not hasattr(torch.Tag, "needs_exact_strides"), reason="this PyTorch packs rows as it likes")
@pytest.mark.skipif(not shutil.which("g++"), reason="Inductor needs g++ here")
def test_inductor_keeps_the_room_behind_rows_that_fill_no_16_bytes():
    ours, _, tensors = CASES["ragged rows"]
    layer = lambda *given: ours(*given) * 2  # noqa: E731 - a gradient that Inductor makes as well
    with torch._inductor.config.patch(force_disable_caches=True):
        found = gradients(torch.compile(layer, fullgraph=True), *tensors)
    for got, same in zip(found, gradients(layer, *tensors)):
        near(got, same.float())


@pytest.mark.parametrize("name", CASES)
def test_compiles_whole_with_gradients(name):
    ours, _, tensors = CASES[name]
    compiled = torch.compile(ours, fullgraph=True, backend="aot_eager")
    for got, wanted in zip(gradients(compiled, *tensors), gradients(ours, *tensors)):
        assert torch.equal(got, wanted)


on_each_device = needs.on_each_device(torch)


def attention_parts(device):
    """Q, K and V of [batch, row, part, head, D], as a projection writes them; on a GPU rows of several tiles."""
    parts = matrix(2, 40 if device == "cpu" else 300, 3, 2, 64).to(device)
    return [parts[:, :, i].transpose(1, 2) for i in range(3)]


@on_each_device
@pytest.mark.parametrize("causal", [False, True])
def test_attention_is_torchs(causal, device):
    parts = attention_parts(device)
    made = sectile.torch.attention(*parts, is_causal=causal)
    near(made, F.scaled_dot_product_attention(*(p.float() for p in parts), is_causal=causal))
    assert made.transpose(1, 2).is_contiguous()
    compiled = torch.compile(lambda *p: sectile.torch.attention(*p, is_causal=causal), fullgraph=True, backend="aot_eager")
    assert torch.equal(compiled(*parts), made)


@on_each_device
@pytest.mark.parametrize("causal", [False, True])
def test_attention_has_torchs_gradients(causal, device):
    if not hasattr(sectile.operators, f"attention_d64{'_causal' if causal else ''}_keys_backward"):
        pytest.skip("built without attention_gradients")
    parts = [p.detach().requires_grad_() for p in attention_parts(device)]
    whole = [p.detach().float().requires_grad_() for p in parts]
    towards = matrix(*parts[0].shape, seed=5).to(device)
    made = sectile.torch.attention(*parts, is_causal=causal)
    wanted = F.scaled_dot_product_attention(*whole, is_causal=causal)
    near(made, wanted)
    found = torch.autograd.grad(made, parts, towards, retain_graph=True)
    for got, right in zip(found, torch.autograd.grad(wanted, whole, towards.float())):
        near(got, right)
    for got, again in zip(found, torch.autograd.grad(made, parts, towards)):
        assert torch.equal(got, again)
    compiled = torch.compile(lambda *p: sectile.torch.attention(*p, is_causal=causal), fullgraph=True, backend="aot_eager")
    for got, same in zip(found, torch.autograd.grad(compiled(*parts), parts, towards)):
        assert torch.equal(got, same)
    summed = sectile.torch.attention(*parts, is_causal=causal).sum()  # whose gradient is one number at every place
    assert all(torch.isfinite(x).all() for x in torch.autograd.grad(summed, parts))


SOME_HEADS = {"one": (1, (1, 1)), "three": (3, (1, 2)), "two batches": (9, (2, 4)), "all": (100, (3, 4))}
"""For how many heads there is memory, and how many batches and heads of 3 and 4 are then at once: parts are as equal as
can be."""


@on_each_device
@pytest.mark.parametrize("some", [*SOME_HEADS, "too few bytes"])
@pytest.mark.parametrize("causal", [False, True])
def test_attentions_gradients_by_way_of_the_scores_have_the_bits_of_the_others(causal, some, device, monkeypatch):
    if not hasattr(sectile.operators, f"attention_d64{'_causal' if causal else ''}_queries_of_scores"):
        pytest.skip("built without attention_gradients")
    queries, keys = (41, 30) if device == "cpu" else (500, 301)  # in rows of 32 and of 304 numbers
    parts = [matrix(3, 4, rows, 64, seed=i).to(device).requires_grad_() for i, rows in enumerate((queries, keys, keys))]
    towards = matrix(3, 4, queries, 64, seed=5).to(device)

    def found(memory, call=sectile.torch.attention):
        return torch.autograd.grad(call(*parts, causal, memory), parts, towards)

    taken, by_scores = [], sectile.torch.functions.gradients_by_scores
    monkeypatch.setattr(sectile.torch.functions, "gradients_by_scores",
                        lambda *given: (taken.append(given[-2:]), by_scores(*given)))
    heads, at_once = SOME_HEADS.get(some, (1, None))
    memory = heads * 2 * queries * (keys + 7 & ~7) - (at_once is None)
    both = found(memory), found(0)
    assert taken == ([at_once] if at_once else [])
    assert all(torch.equal(a, b) for a, b in zip(*both))
    if some == "one":
        compiled = torch.compile(sectile.torch.attention, fullgraph=True, backend="aot_eager")
        assert all(torch.equal(a, b) for a, b in zip(found(memory, compiled), both[0])) and len(taken) == 2


def test_opcheck_of_attention():
    if not sectile.torch.attention_has_gradients(64):
        pytest.skip("built without attention_gradients")
    given = [matrix(1, 2, 24, 64, seed=i).requires_grad_() for i in range(3)]
    torch.library.opcheck(torch.ops.sectile.attention_with_sums, (*given, False, 1 << 20))


def test_attention_says_what_it_was_built_without_and_takes_few_depths():
    parts = [matrix(1, 2, 24, 64, seed=i) for i in range(3)]
    if not hasattr(sectile.operators, "attention_d64_keys_backward"):
        with pytest.raises(sectile.Error, match="built without attention_d64_lse.*attention_gradients"):
            sectile.torch.attention(parts[0].requires_grad_(), *parts[1:])
    with pytest.raises(sectile.Error, match="D = 64 or 128"):
        sectile.torch.attention(*(p[..., :32] for p in parts))


def test_a_kernel_that_the_package_lacks_is_named_with_its_group():
    with pytest.raises(sectile.Error, match='built without grouped_nothing:.*KERNELS="everyday;experts"'):
        sectile.torch.functions.operator_of_group("grouped_nothing", "experts")


def sparse_weight(rows=16, columns=64):
    return sectile.sparse.compress(sectile.sparse.prune(matrix(rows, columns, seed=1)))


def by_dense(x, values, metadata, bias):
    """The same layer of whole matrices, of float32; gradients by the values go through where they stand."""
    mask = sectile.sparse.decompress(torch.ones_like(values).bfloat16(), metadata).bool()
    whole = torch.zeros(mask.shape).masked_scatter(mask, values.float())
    return F.linear(x, whole, bias)


@pytest.mark.parametrize("rows", [8, 9])
def test_a_sparse_layer_is_the_dense_one_with_zeros(rows):
    values, metadata = sparse_weight(20)
    x, bias = matrix(2, rows, 64), matrix(20, seed=2)

    def ours(x, values, bias):
        return sectile.torch.sparse_linear(x, values, metadata, bias)

    got = gradients(ours, x, values, bias)
    wanted = gradients(lambda x, v, b: by_dense(x, v, metadata, b), x.float(), values.float(), bias.float())
    for a, b in zip(got, wanted):
        near(a, b)
    with torch.no_grad():
        assert torch.equal(ours(x, values, bias), got[0])
    compiled = torch.compile(ours, fullgraph=True, backend="aot_eager")
    for a, b in zip(gradients(compiled, x, values, bias), got):
        assert torch.equal(a, b)


def test_opcheck_of_the_sparse_layer():
    values, metadata = sparse_weight()
    given = matrix(9, 64).requires_grad_(), values.requires_grad_(), metadata, None
    torch.library.opcheck(torch.ops.sectile.sparse_linear, given)


def test_sparse_linears_replace_torchs():
    model = torch.nn.Sequential(torch.nn.Linear(64, 32, dtype=torch.bfloat16), torch.nn.Linear(32, 16, dtype=torch.bfloat16))
    with pytest.raises(sectile.Error, match="the matrix is not 2:4 sparse: row 0, columns 0 to 3"):
        sectile.nn.replace_linears(model, by=sectile.nn.SparseLinear.of)
    wanted = F.linear(matrix(8, 64).float(), sectile.sparse.prune(model[0].weight).float(), model[0].bias.float())
    bias = model[0].bias
    named = sectile.nn.replace_linears(model, by=lambda linear: sectile.nn.SparseLinear.of(linear, prune=True))
    assert named == ["0", "1"] and model[0].bias is bias and model[0].values.numel() == 32 * 32
    near(model[0](matrix(8, 64)).detach(), wanted.detach())
    fresh = torch.nn.Sequential(sectile.nn.SparseLinear(64, 32), sectile.nn.SparseLinear(32, 16))
    fresh.load_state_dict(model.state_dict())
    assert torch.equal(fresh(matrix(8, 64)), model(matrix(8, 64)))
    assert torch.equal(fresh[0].weight(), sectile.sparse.prune(fresh[0].weight()))
    with torch.autocast("cpu", torch.bfloat16):
        assert torch.equal(fresh(matrix(8, 64).float()), fresh(matrix(8, 64)))


def test_a_sparse_layer_learns():
    layer = sectile.nn.SparseLinear(64, 16)
    optimizer = torch.optim.SGD(layer.parameters(), lr=2.0)
    x, wanted = matrix(32, 64), matrix(32, 16, seed=3)
    losses = []
    for _ in range(4):
        loss = F.mse_loss(layer(x).float(), wanted.float())
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
    assert losses[-1] < 0.97 * losses[0]


def test_a_sparse_layer_holds_bfloat16():
    with pytest.raises(sectile.Error, match="weight is float32"):
        sectile.nn.SparseLinear.of(torch.nn.Linear(64, 16), prune=True)


def test_a_gradient_that_is_one_number_everywhere():
    x, weight = matrix(8, 64).requires_grad_(), matrix(16, 64, seed=1).requires_grad_()
    sectile.torch.linear(x, weight).sum().backward()
    near(x.grad, weight.detach().float().sum(0).expand(8, 64))


def test_only_bfloat16_and_a_way_out():
    with pytest.raises(sectile.Error, match="weight is float32.*autocast"):
        sectile.torch.linear(matrix(8, 64), matrix(16, 64).float())


@pytest.mark.parametrize("count", [1, 2, 8, 65])
def test_a_row_has_the_same_bits_in_every_batch(count):
    x, weight, bias = matrix(65, 64), matrix(16, 64, seed=1), matrix(16, seed=2)
    whole = sectile.torch.linear(x, weight, bias)
    assert torch.equal(sectile.torch.linear(x[:count], weight, bias), whole[:count])


def test_the_same_bits_each_time():
    ours, _, tensors = CASES["swiglu"]
    first, second = gradients(ours, *tensors), gradients(ours, *tensors)
    assert all(torch.equal(a, b) for a, b in zip(first, second))


def test_module_has_the_state_of_torchs():
    theirs = torch.nn.Linear(64, 16, dtype=torch.bfloat16)
    ours = sectile.nn.Linear(64, 16, dtype=torch.bfloat16)
    ours.load_state_dict(theirs.state_dict())
    near(ours(matrix(8, 64)).detach(), theirs.float()(matrix(8, 64).float()).detach())


def test_linears_are_replaced_in_place():
    model = torch.nn.Sequential(torch.nn.Linear(64, 32), torch.nn.Sequential(torch.nn.Linear(32, 16, bias=False)))
    weight = model[1][0].weight
    assert sectile.nn.replace_linears(model, lambda name, linear: linear.bias is None) == ["1.0"]
    assert type(model[0]) is torch.nn.Linear and type(model[1][0]) is sectile.nn.Linear
    assert model[1][0].weight is weight
    assert sectile.nn.replace_linears(model) == ["0"]


def test_autocast_multiplies_in_bfloat16():
    ours = sectile.nn.Linear(64, 16)
    with torch.autocast("cpu", torch.bfloat16):
        made = ours(torch.ones(8, 64))
    assert made.dtype == torch.bfloat16
    made.float().sum().backward()
    assert ours.weight.grad.dtype == torch.float32
    near(ours.weight.grad, torch.full((16, 64), 8.0))
