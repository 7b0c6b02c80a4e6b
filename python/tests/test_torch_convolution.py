"""Convolutions: against float32, with gradients, compiled; and what they refuse."""

import pytest

import needs

torch, sectile = needs.shipped()
import sectile.torch  # noqa: E402
from tensors import matrix, near  # noqa: E402

F = torch.nn.functional
if not hasattr(sectile.operators, "convolution_bf16"):
    pytest.skip("built without convolutions", allow_module_level=True)

on_each_device = needs.on_each_device(torch)


def images(*shape, seed=0):
    return matrix(*shape, seed=seed).to(memory_format=torch.channels_last)


X, BIAS = images(2, 24, 9, 11), matrix(40, seed=2)
# Size of the filter, stride, padding, dilation: as networks have them, and such that differ along rows and columns.
CASES = [
    ((3, 3), 1, 1, 1), ((1, 1), 1, 0, 1), ((3, 3), 2, 1, 1), ((1, 1), 2, 0, 1), ((3, 2), (2, 3), (1, 0), (2, 1)),
    ((3, 5), 1, (0, 2), (3, 1)), ((2, 3), 1, (3, 1), 1), ((9, 1), (1, 2), 0, 1),
]
on_each_case = pytest.mark.parametrize("size, stride, padding, dilation", CASES)


def filters(size, count=40, channels=24):
    return images(count, channels, *size, seed=1)


def gradients(function, *tensors, **path):
    """The result and the gradients by all tensors."""
    leaves = [t.detach().clone().requires_grad_() for t in tensors]
    made = function(*leaves, **path)
    made.backward(torch.linspace(-1, 1, made.numel(), device=made.device).view(made.shape).to(made.dtype))
    return [made.detach(), *(leaf.grad for leaf in leaves)]


@on_each_device
@on_each_case
def test_is_torchs(size, stride, padding, dilation, device):
    tensors = [t.to(device) for t in (X, filters(size), BIAS)]
    path = dict(stride=stride, padding=padding, dilation=dilation)
    found = gradients(sectile.torch.conv2d, *tensors, **path)
    wanted = gradients(F.conv2d, *(t.float() for t in tensors), **path)
    for got, exact in zip(found, wanted):
        assert got.shape == exact.shape and got.dtype == torch.bfloat16
        torch.testing.assert_close(got.float(), exact, rtol=2e-2, atol=2e-2 * float(exact.abs().max()))
    assert found[0].is_contiguous(memory_format=torch.channels_last)
    without = sectile.torch.conv2d(*tensors[:2], **path)
    near(without, F.conv2d(*(t.float() for t in tensors[:2]), **path))
    with torch.no_grad():
        assert torch.equal(sectile.torch.conv2d(*tensors, **path), found[0])  # past the dispatcher
    assert torch.equal(torch.ops.sectile.conv2d(*tensors, *(n if isinstance(n, tuple) else (n, n) for n in path.values())),
                       found[0])


def test_a_gradient_of_x_is_made_here_where_strides_are_one(monkeypatch):
    """And is the convolution that it is said to be: PyTorch's is called for the weight alone."""
    asked = []
    theirs = torch.ops.aten.convolution_backward

    def noting(*given):
        asked.append(given[-1])
        return theirs(*given)

    monkeypatch.setattr(torch.ops.aten, "convolution_backward", noting)
    for stride in 1, 2:
        x, weight = X.detach().clone().requires_grad_(), filters((3, 3)).requires_grad_()
        sectile.torch.conv2d(x, weight, stride=stride).sum().backward()
        frozen = X.detach().clone().requires_grad_()
        sectile.torch.conv2d(frozen, weight.detach(), stride=stride).sum().backward()
    assert asked == [(False, True, False), (True, True, False), (True, False, False)]


@on_each_case
def test_opcheck(size, stride, padding, dilation):
    given = [t.detach().clone().requires_grad_() for t in (X, filters(size), BIAS)]
    pairs = [n if isinstance(n, tuple) else (n, n) for n in (stride, padding, dilation)]
    torch.library.opcheck(torch.ops.sectile.conv2d, (*given, *pairs))


@on_each_device
@pytest.mark.filterwarnings("error")
def test_compiles_whole(device):
    tensors = [t.to(device) for t in (X, filters((3, 3)), BIAS)]
    layer = lambda x, weight, bias: sectile.torch.conv2d((x + x).relu(), weight, bias, padding=1).relu()  # noqa: E731
    found = gradients(layer, *tensors)
    for got, same in zip(gradients(torch.compile(layer, fullgraph=True, backend="aot_eager"), *tensors), found):
        assert torch.equal(got, same)


def test_channels_and_filters_that_fill_no_16_bytes():
    """Images whose pixels begin at multiples of 16 bytes, and outputs that are made so."""
    x, weight = images(2, 8, 9, 11)[:, :3], images(20, 8, 3, 3, seed=1)[:, :3]
    found = gradients_in_place(sectile.torch.conv2d, x, weight)
    for got, exact in zip(found, gradients_in_place(F.conv2d, x.float(), weight.float())):
        torch.testing.assert_close(got.float(), exact, rtol=2e-2, atol=2e-2 * float(exact.abs().max()))


def gradients_in_place(function, *tensors):
    leaves = [t.detach().requires_grad_() for t in tensors]  # no clone, which would pack them
    made = function(*leaves, padding=1)
    made.float().square().sum().backward()
    return [made.detach(), *(leaf.grad for leaf in leaves)]


def test_images_of_one_pixel_and_a_product_of_matrices():
    x, weight = matrix(5, 24, 1, 1), matrix(40, 24, 1, 1, seed=1)  # in any format
    made = sectile.torch.conv2d(x, weight)
    near(made.flatten(1), x.float().flatten(1) @ weight.float().flatten(1).t())


def test_the_operator_makes_its_output():
    path = (3, 3, 2, 1, 1, 0, 1, 1)
    weight = filters((3, 3))
    image, places = X.permute(0, 2, 3, 1), weight.permute(0, 2, 3, 1).flatten(1, 2).transpose(0, 1)
    made = sectile.operators.convolution_bf16((image, path), places)
    nothing = torch.zeros(40, dtype=torch.bfloat16)  # with it there is no family, which may sum in another order
    wanted = sectile.torch.conv2d(X, weight, nothing, stride=(2, 1), padding=(1, 0))
    assert torch.equal(made, wanted.permute(0, 2, 3, 1).flatten(0, 2))
    arrays = [t.contiguous().view(torch.int16).numpy().view("uint16") for t in (image, places)]  # which NumPy has
    of_arrays = sectile.operators.convolution_bf16((arrays[0], path), arrays[1])
    assert (of_arrays.view("uint16") == made.view(torch.int16).numpy().view("uint16")).all()
    assert torch.equal(torch.ops.sectile.convolution_bf16(image, path, places), made)
    torch.library.opcheck(torch.ops.sectile.convolution_bf16.default, (image, path, places),
                          test_utils=("test_schema", "test_faketensor"))
    assert str(sectile.operators.convolution_bf16.operands[0]) == "X(T,M,C): bf16, of images [N,H,W,C] and a path"
    apart = X.contiguous().permute(0, 2, 3, 1)
    with pytest.raises(sectile.Error, match="operand X: C must be contiguous"):
        sectile.operators.convolution_bf16((apart, path), places)
    assert torch.equal(sectile.operators.convolution_bf16((apart, path), places, copy=True), made)


@pytest.mark.parametrize("image, path, said", [
    (X, (3, 3, 1, 1, 0, 0, 1), "a filter's path is 8 numbers"),
    (X, (3, 3, 0, 1, 0, 0, 1, 1), "stride, which is 1 or more"),
    (X, (3, 2, 1, 1, 0, 0, 1, 1), "operand W: T = 9, but operand X has T = 6"),
    (X, (30, 3, 1, 1, 0, 0, 1, 1), "operand X: the filter reaches beyond the image and its padding"),
    (X[0], (3, 3, 1, 1, 0, 0, 1, 1), "operand X: the tensor has 3 modes, an image has 4"),
])
def test_what_the_operator_refuses(image, path, said):
    image = image.permute(0, 2, 3, 1) if image.dim() == 4 else image
    places = filters((3, 3)).permute(0, 2, 3, 1).flatten(1, 2).transpose(0, 1)
    with pytest.raises(sectile.Error, match=said):
        sectile.operators.convolution_bf16((image, path), places)
    with pytest.raises(sectile.Error, match=r"it is an image that a filter goes over: pass \(tensor, path\)"):
        sectile.operators.convolution_bf16(image, places)
    made = torch.empty(99, 40, dtype=torch.bfloat16)
    with pytest.raises(sectile.Error, match="operand X|operand W"):
        sectile.operators.convolution_bf16((image, path), places, out=made)
    with pytest.raises(sectile.Error, match=r"pass \(tensor, path\)"):
        sectile.operators.convolution_bf16(image, places, out=made)
    with pytest.raises(sectile.Error, match="operand X"):
        sectile.operators.convolution_bf16((image, (3, 3, 1, 1, 0, 0, 1, 2**40)), places, out=made)


@pytest.mark.parametrize("change, said", [
    (dict(x=X.float()), "x is float32.*autocast"),
    (dict(bias=BIAS.float()), "bias is float32"),
    (dict(x=X.contiguous()), r"x is not in channels_last: x.to\(memory_format=torch.channels_last\)"),
    (dict(weight=filters((3, 3)).contiguous()), "weight is not in channels_last"),
    (dict(weight=images(40, 24, 3, 5, seed=1)[..., :3]), "the rows of a filter lie apart in memory"),
    (dict(weight=filters((3, 3), channels=16)), r"of one group, not \(2, 24, 9, 11\) and \(40, 16, 3, 3\)"),
    (dict(x=X[0]), r"x is \[N, C, H, W\]"),
    (dict(bias=BIAS[1:].clone()), r"bias is \(39,\), for 40 filters"),
    (dict(padding="same"), "padding is 'same'; it is a whole number, or two"),
    (dict(dilation=(1, 1, 1)), "dilation is"),
    (dict(stride=0), "stride is.*1 or more"),
    (dict(stride=9), "the stride is 9; TMA takes 1 to 8"),
    (dict(padding=-1), "padding"),
    (dict(dilation=9), "reaches"),
    (dict(x=images(2, 12, 9, 11), weight=filters((3, 3), channels=12)), "not a multiple of 16 bytes.*pad it to 16"),
])
def test_what_is_wrong_is_said(change, said):
    given = dict(x=X, weight=filters((3, 3)), bias=BIAS) | change
    with pytest.raises((sectile.Error, RuntimeError), match=said):
        sectile.torch.conv2d(**given)
