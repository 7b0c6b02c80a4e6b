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
    """What quantize_weight() stored, or quantize_groups(), as float64 [out, in], by the order of columns alone."""
    bits = 4 if kind in ("int4", "uint4") else 8
    if bits == 4:
        codes = torch.stack((weight & 15, weight >> 4), -1).flatten(-2).to(torch.int64)
        codes = torch.where((codes > 7) & (kind == "int4"), codes - 16, codes).double()
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


def of_groups(width, numbers, scales, zeros=None):
    """The weight that quantize_groups() made, as float64 [out, in]."""
    spread = [t.double().t().repeat_interleave(128, 1)[:, :width] for t in (scales, zeros) if t is not None]
    codes = numbers_of(numbers, "int4" if zeros is None else "uint4")
    return (codes if zeros is None else codes - spread[1]) * spread[0]


@pytest.mark.parametrize("kind", ["int4", "uint4"])
@pytest.mark.parametrize("width", [128, 320])
def test_a_group_keeps_its_numbers(kind, width):
    w = matrix(40, width) + 0.5
    w[3] = w[3].abs()  # a row on one side of zero, and one of zeros
    w[7] = 0
    made = sectile.torch.quantize_groups(w, kind)
    assert len(made) == (3 if kind == "uint4" else 2)
    assert made[0].dtype == torch.uint8 and made[0].shape == (40, width // 2)
    assert all(t.dtype == torch.bfloat16 and t.shape == (-(-width // 128), 40) for t in made[1:])
    back, steps = of_groups(width, *made), made[1].double().t().repeat_interleave(128, 1)[:, :width]
    # Half a step, where a scale that was rounded down leaves the outermost numbers no more than a part of one beyond.
    assert ((back - w.double()).abs() <= (0.5 + 16 * 2**-9) * steps).all()
    assert not back[7].any()


def test_groups_have_zero_points_within_their_numbers():
    numbers, _, zeros = sectile.torch.quantize_groups(torch.cat((matrix(8, 128), matrix(8, 128).abs() + 1)), "uint4")
    assert torch.equal(zeros, zeros.round()) and zeros.min() >= 0 and zeros.max() <= 15
    assert not zeros[:, 8:].any()
    assert numbers_of(numbers, "uint4").max() == 15


@on_each_device
@pytest.mark.parametrize("kind", ["int4", "uint4"])
@pytest.mark.parametrize("rows", [1, 5, 70])
def test_a_product_of_groups_is_that_of_what_was_quantized(kind, rows, device):
    x, w = matrix(rows, 320, seed=1), matrix(72, 320, seed=2)
    made = sectile.torch.quantize_groups(w, kind)
    found = sectile.torch.group_quantized_linear(x.to(device), *(t.to(device) for t in made))
    exact = x.double() @ of_groups(320, *made).t()
    assert found.shape == (rows, 72) and found.dtype == torch.bfloat16
    torch.testing.assert_close(found.cpu().double(), exact, rtol=2**-8, atol=float(exact.abs().max()) * 2**-10)
    wanted = x.double() @ w.double().t()  # as near as 4 bits come
    assert (found.cpu().double() - wanted).norm() <= 0.2 * wanted.norm()


def test_products_of_groups_have_more_modes():
    x, made = matrix(2, 3, 128), sectile.torch.quantize_groups(matrix(24, 128, seed=1))
    flat = sectile.torch.group_quantized_linear(x.flatten(0, 1), *made)
    assert torch.equal(sectile.torch.group_quantized_linear(x, *made), flat.unflatten(0, (2, 3)))


@pytest.mark.parametrize("kind", ["int4", "uint4"])
def test_opcheck_of_groups(kind):
    numbers, scales, *zeros = sectile.torch.quantize_groups(matrix(24, 192), kind)
    form = getattr(torch.ops.sectile, f"group_quantized_linear_{kind}").default
    torch.library.opcheck(form, (numbers, matrix(9, 192, seed=1), scales, *zeros))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("kind", ["int4", "uint4"])
def test_groups_compile_whole(kind):
    made = sectile.torch.quantize_groups(matrix(24, 192), kind)
    x = matrix(9, 192, seed=1)
    layer = torch.compile(lambda x: sectile.torch.group_quantized_linear(x + x, *made).relu(), fullgraph=True,
                          backend="aot_eager")
    assert torch.equal(layer(x), sectile.torch.group_quantized_linear(x + x, *made).relu())


@pytest.mark.filterwarnings("error")
def test_a_layer_compiles_whole():
    layer = sectile.nn.QuantizedLinear.of(torch.nn.Linear(128, 24, dtype=torch.bfloat16))
    x = matrix(9, 128)
    assert torch.equal(torch.compile(layer, fullgraph=True, backend="aot_eager")(x), layer(x))


@on_each_device
@pytest.mark.parametrize("kind, off", [("int4", 0.13), ("uint4", 0.12)])
def test_a_layer_of_groups_takes_the_place_of_another(kind, off, device):
    torch.manual_seed(3)
    linear = torch.nn.Linear(256, 64, dtype=torch.bfloat16).to(device)
    x = matrix(2, 3, 256, seed=4).to(device)
    model = torch.nn.Sequential(linear)
    by = lambda old: sectile.nn.GroupQuantizedLinear.of(old, kind)  # noqa: E731
    assert sectile.nn.replace_linears(model, by=by) == ["0"]
    made, wanted = model(x).float(), linear(x).float()
    assert made.shape == wanted.shape and (made - wanted).norm() <= off * wanted.norm()
    assert sorted(model.state_dict()) == sorted(
        f"0.{name}" for name in ("weight", "scales", "bias", *(["zeros"] if kind == "uint4" else [])))
    fresh = torch.nn.Sequential(sectile.nn.GroupQuantizedLinear(256, 64, kind=kind, device=device))
    fresh.load_state_dict(model.state_dict())
    assert torch.equal(fresh(x), model(x))
    assert repr(model[0]) == f"GroupQuantizedLinear(in_features=256, out_features=64, bias=True, {kind})"


def test_what_groups_refuse():
    with pytest.raises(ValueError, match="a weight of int4 has a multiple of 64 inputs, not 96: pad it"):
        sectile.torch.quantize_groups(matrix(8, 96))
    with pytest.raises(ValueError, match="groups are quantized to int4 or uint4, not int8"):
        sectile.torch.quantize_groups(matrix(8, 128), "int8")
    with pytest.raises(ValueError, match=r"a weight has two modes, \[out, in\], not 3"):
        sectile.torch.quantize_groups(matrix(2, 8, 128))
    x, (numbers, scales, zeros) = matrix(9, 128), sectile.torch.quantize_groups(matrix(8, 128), "uint4")
    with pytest.raises(sectile.Error, match="x is float32, and sectile.torch multiplies bfloat16"):
        sectile.torch.group_quantized_linear(x.float(), numbers, scales, zeros)
    with pytest.raises(sectile.Error, match="scales is float32, and sectile.torch multiplies bfloat16"):
        sectile.torch.group_quantized_linear(x, numbers, scales.float(), zeros)
    with pytest.raises(sectile.Error, match="K = 64"):
        sectile.torch.group_quantized_linear(x[:, :64].contiguous(), numbers, scales, zeros)
    with pytest.raises(sectile.Error, match="G"):
        sectile.torch.group_quantized_linear(x, numbers, scales.repeat(2, 1), zeros)
    with pytest.raises(sectile.Error, match="requires a gradient"):
        sectile.torch.group_quantized_linear(x.requires_grad_(), numbers, scales, zeros)
