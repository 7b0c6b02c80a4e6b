"""Products of 8 bits with scales for blocks, against what was quantized, and against what it was made of."""

import pytest

import needs

torch, sectile = needs.shipped()
import sectile.nn  # noqa: E402
import sectile.torch  # noqa: E402

F = torch.nn.functional
if not hasattr(sectile.operators, "block_scaled_gemm_e4m3"):
    pytest.skip("built without block_scales", allow_module_level=True)


def matrix(*shape, seed=0):
    """Of magnitudes that differ from block to block, and from row to row."""
    made = torch.randn(*shape, generator=torch.Generator().manual_seed(seed))
    made *= torch.logspace(-2, 2, shape[-1]) * torch.logspace(-1, 1, shape[-2])[:, None]
    return made.to(torch.bfloat16)


on_each_device = needs.on_each_device(torch)


def spread(scales, high, wide):
    """A scale for each number of a matrix, of those of blocks of `high` x `wide`."""
    return scales.repeat_interleave(high, -2).repeat_interleave(wide, -1)


def test_a_row_of_a_block_keeps_its_numbers():
    x = matrix(9, 200)
    numbers, scales = sectile.torch.quantize_rows(x)
    assert numbers.dtype == torch.float8_e4m3fn and scales.shape == (2, 9)
    back = numbers.float() * spread(scales.t(), 1, 128)[:, :200]
    torch.testing.assert_close(back, x.float(), rtol=2**-4, atol=float(x.abs().max()) * 2**-16)
    assert numbers.float().abs().amax() == 448


def test_a_square_keeps_its_numbers():
    w = matrix(2, 136, 200)
    numbers, scales = sectile.torch.quantize_squares(w)
    assert numbers.shape == w.shape and scales.shape == (2, 2, 2)
    back = numbers.float() * spread(scales, 128, 128)[:, :136, :200]
    for got, wanted, scale in zip(back, w.float(), scales):
        torch.testing.assert_close(got, wanted, rtol=2**-4, atol=float(scale.max()) * 2**-9)
    assert not sectile.torch.quantize_squares(torch.zeros(8, 8))[0].float().any()


def of_blocks(x, numbers, scales):
    """The product of what both became, in float64."""
    rows, of_rows = sectile.torch.quantize_rows(x)
    height, width = numbers.shape
    left = rows.double() * spread(of_rows.t(), 1, 128)[:, :width]
    return left @ (numbers.double() * spread(scales, 128, 128)[:height, :width]).t()


@on_each_device
@pytest.mark.parametrize("rows", [8, 9])
def test_a_product_is_that_of_what_was_quantized(rows, device):
    x, (numbers, scales) = matrix(rows, 200).to(device), sectile.torch.quantize_squares(matrix(136, 200, seed=1).to(device))
    made = sectile.torch.block_scaled_linear(x.reshape(1, rows, 200), numbers, scales)
    assert made.shape == (1, rows, 136) and made.dtype == torch.bfloat16
    wanted = of_blocks(x, numbers, scales)
    torch.testing.assert_close(made[0].double(), wanted, rtol=1e-2, atol=1e-3 * float(wanted.abs().max()))


@on_each_device
@pytest.mark.parametrize("large_group", [1024, 1])  # rows that tall tiles are for
def test_groups_have_matrices_of_their_own(device, large_group, monkeypatch):
    monkeypatch.setattr(sectile.torch.block_scales, "LARGE_GROUP", large_group)
    ends = torch.tensor([5, 5, 75, 83], dtype=torch.int32, device=device)
    x = matrix(83, 200).to(device)
    numbers, scales = sectile.torch.quantize_squares(matrix(4, 136, 200, seed=1).to(device))
    made = sectile.torch.grouped_block_scaled_linear(x, numbers, scales, ends)
    for e, (begin, end) in enumerate(zip([0, 5, 5, 75], ends.tolist())):
        if end > begin:
            wanted = of_blocks(x[begin:end].contiguous(), numbers[e], scales[e])
            torch.testing.assert_close(made[begin:end].double(), wanted, rtol=1e-2, atol=1e-3 * float(wanted.abs().max()))


def test_a_linear_layer_in_8_bits():
    layer = torch.nn.Linear(208, 136, dtype=torch.bfloat16)
    x = torch.randn(2, 9, 208, generator=torch.Generator().manual_seed(3)).to(torch.bfloat16)
    model = torch.nn.Sequential(layer)
    assert sectile.nn.replace_linears(model, by=sectile.nn.BlockScaledLinear.of) == ["0"]
    with torch.no_grad():
        made, wanted = model(x).float(), layer(x).float()
        assert (made - wanted).norm() < 0.05 * wanted.norm()
        with torch.autocast("cpu", torch.bfloat16):
            assert torch.equal(model(x.float()), model(x))
    again = torch.nn.Sequential(sectile.nn.BlockScaledLinear(208, 136))
    again.load_state_dict(model.state_dict())
    with torch.no_grad():
        assert torch.equal(again(x), model(x))


def test_there_are_no_gradients_and_it_is_said():
    layer = sectile.nn.BlockScaledLinear(208, 136)
    with pytest.raises(sectile.Error, match="requires a gradient"):
        layer(matrix(9, 208).requires_grad_())
    with pytest.raises(sectile.Error, match="x is float32"):
        sectile.torch.quantize_rows(matrix(9, 208).float())
