"""Layers of experts: against float32, group by group, with gradients and compiled; and the operators that they are made
of."""

import pytest

import needs

torch, sectile = needs.shipped()
import sectile.torch  # noqa: E402
from tensors import matrix, near  # noqa: E402

F = torch.nn.functional
if not hasattr(sectile.operators, "grouped_gemm_bf16"):
    pytest.skip("built without experts", allow_module_level=True)


def parts(x, ends):
    """The groups' rows."""
    return [x[begin:end] for begin, end in zip([0, *ends.tolist()], ends.tolist())]


def linear_by_torch(x, weight, ends):
    return torch.cat([F.linear(rows, w) for rows, w in zip(parts(x, ends), weight)])


def swiglu_by_torch(x, gate, value, ends):
    return F.silu(linear_by_torch(x, gate, ends)) * linear_by_torch(x, value, ends)


ENDS = torch.tensor([5, 5, 75, 83], dtype=torch.int32)  # the second group is empty, the third has two tiles
ROWS, WEIGHT = matrix(83, 64), matrix(4, 48, 64, seed=1)
CASES = {
    "linear": (sectile.torch.grouped_linear, linear_by_torch, (ROWS, WEIGHT)),
    "swiglu": (sectile.torch.grouped_swiglu, swiglu_by_torch, (ROWS, WEIGHT, matrix(4, 48, 64, seed=2))),
}


on_each_device = needs.on_each_device(torch)


def gradients(function, *tensors):
    """The result and the gradients by all tensors."""
    leaves = [t.detach().clone().requires_grad_() for t in tensors]
    made = function(*leaves, ENDS.to(leaves[0].device))
    made.backward(torch.linspace(-1, 1, made.numel(), device=made.device).view(made.shape).to(made.dtype))
    return [made.detach(), *(leaf.grad for leaf in leaves)]


@on_each_device
@pytest.mark.parametrize("name", CASES)
def test_is_what_torch_makes_of_each_group(name, device):
    ours, theirs, tensors = CASES[name]
    tensors = [t.to(device) for t in tensors]
    found = gradients(ours, *tensors)
    for got, wanted in zip(found, gradients(theirs, *(t.float() for t in tensors))):
        assert got.dtype == torch.bfloat16
        near(got, wanted)
    assert not found[2][1].any()  # of the matrix that no row meets
    with torch.no_grad():
        assert torch.equal(ours(*tensors, ENDS.to(device)), found[0])  # past the dispatcher
    compiled = torch.compile(ours, fullgraph=True, backend="aot_eager")
    for got, same in zip(gradients(compiled, *tensors), found):
        assert torch.equal(got, same)


@pytest.mark.parametrize("name", CASES)
def test_opcheck(name):
    tensors = [t.detach().clone().requires_grad_() for t in CASES[name][2]]
    torch.library.opcheck(getattr(torch.ops.sectile, f"grouped_{name}"), (*tensors, ENDS))


def test_a_gradient_that_is_one_number_everywhere():
    x = ROWS.detach().clone().requires_grad_()
    sectile.torch.grouped_linear(x, WEIGHT, ENDS).sum().backward()
    near(x.grad, linear_by_torch(torch.ones(83, 48), WEIGHT.float().transpose(1, 2), ENDS))


@on_each_device
def test_a_layer_of_experts_in_two_calls(device):
    up, down, weight = matrix(4, 48, 64, seed=2), matrix(4, 40, 48, seed=3), torch.rand(83)
    x, gate, there, below, of_rows, ends = (t.to(device) for t in (ROWS, WEIGHT, up, down, weight, ENDS))
    made = sectile.operators.weighted_experts_bf16(
        sectile.operators.gated_experts_bf16(x, gate, there, ends), below, of_rows, ends).cpu()
    hidden = swiglu_by_torch(ROWS.float(), WEIGHT.float(), up.float(), ENDS)
    near(made, weight[:, None] * linear_by_torch(hidden, down.float(), ENDS))


@pytest.mark.parametrize("change, said", [
    (lambda x, w, e: (x.float(), w, e), "x is float32.*autocast"),
    (lambda x, w, e: (x, w[0], e), "the tensor has 2 modes, the kernel expects 3"),
    (lambda x, w, e: (x, w[:, :, :32].contiguous(), e), "K = 32, but operand X has K = 64"),
    (lambda x, w, e: (x, w, e[:3].clone()), "E"),
    (lambda x, w, e: (x, w, e.long()), "operand ends"),
])
def test_what_is_wrong_is_said(change, said):
    with pytest.raises(sectile.Error, match=said):
        sectile.torch.grouped_linear(*change(ROWS, WEIGHT, ENDS))
