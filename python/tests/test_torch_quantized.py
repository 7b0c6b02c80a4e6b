"""Weights of 8 and 4 bits, against what they were made of."""

import pytest

import needs

torch, sectile = needs.shipped()
import sectile.layouts  # noqa: E402
import sectile.nn  # noqa: E402
import sectile.tool  # noqa: E402
import sectile.torch  # noqa: E402
from sectile.torch import quantized  # noqa: E402

if not hasattr(sectile.operators, "quantized_linear_int4"):
    pytest.skip("built without quantized", allow_module_level=True)

on_each_device = needs.on_each_device(torch)
KINDS = ("int4", "int8", "e4m3")


def matrix(*shape, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed)).to(torch.bfloat16)


def numbers_of(weight, kind):
    """What quantize_weight() stored, as float64 [out, in], by the order of columns alone."""
    bits = 4 if kind == "int4" else 8
    if bits == 4:
        codes = torch.stack((weight & 15, weight >> 4), -1).flatten(-2).to(torch.int64)
        codes = torch.where(codes > 7, codes - 16, codes).double()
    else:
        codes = weight.view(torch.int8 if kind == "int8" else torch.float8_e4m3fn).double()
    order = torch.tensor(quantized.columns(bits))
    back = torch.empty_like(codes)
    back.unflatten(-1, (-1, len(order)))[..., order] = codes.unflatten(-1, (-1, len(order)))
    return back


@pytest.mark.parametrize("bits, columns", [(4, "((4,2),4,2):((8,1),2,32)"), (8, "((2,2),4,2):((1,8),2,16)")])
def test_the_order_is_that_of_the_layout(bits, columns):
    try:
        sectile.tool.find_tool()
    except sectile.Error:
        pytest.skip("no sectile command")
    layout = sectile.layouts.Layout(columns)
    assert quantized.columns(bits) == [layout(i) for i in range(sectile.layouts.size(layout))]


@pytest.mark.parametrize("kind", KINDS)
def test_a_weight_keeps_its_numbers(kind):
    w = matrix(40, 128)
    numbers, scales = sectile.torch.quantize_weight(w, kind)
    assert numbers.dtype == torch.uint8 and numbers.shape == (40, 64 if kind == "int4" else 128)
    back = numbers_of(numbers, kind) * scales.double()[:, None]
    step = scales.double()[:, None] * (16 if kind == "e4m3" else 0.5)
    assert ((back - w.double()).abs() <= step * 1.0001).all()


@on_each_device
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rows", [5, 70])
def test_a_product_is_that_of_what_was_quantized(kind, rows, device):
    x, w = matrix(rows, 192, seed=1), matrix(72, 192, seed=2)
    numbers, scales = sectile.torch.quantize_weight(w, kind)
    made = sectile.torch.quantized_linear(x.to(device), numbers.to(device), scales.to(device), kind)
    exact = x.double() @ (numbers_of(numbers, kind) * scales.double()[:, None]).t()
    assert made.shape == (rows, 72) and made.dtype == torch.bfloat16
    torch.testing.assert_close(made.cpu().double(), exact, rtol=2**-8, atol=float(exact.abs().max()) * 2**-10)


@on_each_device
def test_a_layer_takes_the_place_of_another(device):
    torch.manual_seed(3)
    linear = torch.nn.Linear(128, 64, dtype=torch.bfloat16).to(device)
    x = matrix(2, 3, 128, seed=4).to(device)
    for kind, off in ("int4", 0.2), ("int8", 0.02), ("e4m3", 0.06):
        model = torch.nn.Sequential(linear)
        assert sectile.nn.replace_linears(model, by=lambda old: sectile.nn.QuantizedLinear.of(old, kind)) == ["0"]
        made, wanted = model(x).float(), linear(x).float()
        assert made.shape == wanted.shape
        assert (made - wanted).norm() <= off * wanted.norm()


def test_what_cannot_be_quantized():
    with pytest.raises(ValueError, match="a weight of int4 has a multiple of 64 inputs, not 96: pad it"):
        sectile.torch.quantize_weight(matrix(8, 96))
    with pytest.raises(ValueError, match="quantized to int4, int8, e4m3, not int3"):
        sectile.torch.quantize_weight(matrix(8, 64), "int3")
