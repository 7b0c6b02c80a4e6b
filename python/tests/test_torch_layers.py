"""sectile.torch.linear, swiglu and sectile.nn: against float32, with gradients, compiled, and in other batches."""

import pytest

import needs

torch, sectile = needs.shipped()
import sectile.nn  # noqa: E402
import sectile.torch  # noqa: E402

F = torch.nn.functional


def matrix(*shape, seed=0):
    made = torch.randn(*shape, generator=torch.Generator().manual_seed(seed)) / 4
    return made.to(torch.bfloat16)


def near(got, wanted):
    torch.testing.assert_close(got.float(), wanted, rtol=2e-2, atol=2e-2)


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


@pytest.mark.parametrize("name", CASES)
def test_compiles_whole_with_gradients(name):
    ours, _, tensors = CASES[name]
    compiled = torch.compile(ours, fullgraph=True, backend="aot_eager")
    for got, wanted in zip(gradients(compiled, *tensors), gradients(ours, *tensors)):
        assert torch.equal(got, wanted)


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
