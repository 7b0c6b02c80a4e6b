"""Convolutions of images in channels_last, of bfloat16. They are products of matrices of which one is stored nowhere: the
pixels that a filter meets are read off the image.

Gradients: that of x is a convolution as well, of the output's gradient with the filters turned around, where strides are
1. Where they are not, and for that of the weight, PyTorch's own is called (aten.convolution_backward)."""

import functools

import torch

import sectile

from ..calls import pixels_made
from .functions import check, operator_of_group, room
from .register import Layer


@functools.cache
def kernel(biased):
    """Of a family the sizes choose a member; there is none with a bias."""
    if biased:
        return operator_of_group("convolution_bias_bf16", "convolutions")
    family = "convolution_bf16_family"
    return operator_of_group(family if hasattr(sectile.operators, family) else "convolution_bf16", "convolutions")


def conv2d(x, weight, bias=None, stride=1, padding=0, dilation=1):
    """torch.nn.functional.conv2d of one group: x [N, C, H, W] and weight [filters, C, R, S] of bfloat16 and in channels_last,
    bias [filters]; stride, padding and dilation are whole numbers, or two, for rows and columns. With gradients."""
    check(x=x, weight=weight, bias=bias)
    stride, padding, dilation = both("stride", stride), both("padding", padding), both("dilation", dilation)
    if x.dim() != 4 or weight.dim() != 4 or x.shape[1] != weight.shape[1]:
        raise sectile.Error("x is [N, C, H, W] and weight [filters, C, R, S], of one group, not "
                            f"{tuple(x.shape)} and {tuple(weight.shape)}")
    if bias is not None and bias.shape != weight.shape[:1]:
        raise sectile.Error(f"bias is {tuple(bias.shape)}, for {weight.shape[0]} filters")
    if min(stride) < 1:
        raise sectile.Error(f"stride is {stride}; a filter steps on by 1 or more")
    for name, tensor in ("x", x), ("weight", weight):
        if not has_channels_last(tensor):
            raise sectile.Error(f"{name} is not in channels_last: {name}.to(memory_format=torch.channels_last)")
    if weight.shape[2] > 1 and weight.stride(2) != weight.shape[3] * weight.stride(3):
        raise sectile.Error("the rows of a filter lie apart in memory: weight.contiguous(memory_format=torch.channels_last)")
    return layer(x, weight, bias, stride, padding, dilation)


def both(name, given):
    """(rows, columns)"""
    pair = (given, given) if isinstance(given, int) else tuple(given)
    if isinstance(given, str) or len(pair) != 2:
        raise sectile.Error(f"{name} is {given!r}; it is a whole number, or two, for rows and columns")
    return pair


def has_channels_last(images):
    return images.stride(1) == 1 or images.shape[1] == 1


def path_of(weight, stride, padding, dilation):
    return (weight.shape[2], weight.shape[3], *stride, *padding, *dilation)


def convolved(x, weight, bias, stride, padding, dilation):
    made = like_images(x, weight, bias, stride, padding, dilation)
    given = (x.permute(0, 2, 3, 1), path_of(weight, stride, padding, dilation)), places(weight)
    kernel(bias is not None)(*given, *(() if bias is None else (bias,)), out=made.permute(0, 2, 3, 1).flatten(0, 2))
    return made


def places(weight):
    """[places of the filter, filters, C]: a view."""
    return weight.permute(0, 2, 3, 1).flatten(1, 2).transpose(0, 1)


def like_images(x, weight, bias, stride, padding, dilation):
    rows, columns = pixels_made(x.shape[2:], path_of(weight, stride, padding, dilation))
    torch._check(min(rows, columns) >= 1,
                 lambda: f"the filter reaches beyond the image and its padding: it makes {rows} x {columns} pixels")
    return images(x, x.shape[0], weight.shape[0], rows, columns)


def images(like, count, channels, rows, columns):
    """Room for [count, channels, rows, columns] in channels_last, whose pixels begin at multiples of 16 bytes."""
    return room(like, count * rows * columns, channels).unflatten(0, (count, rows, columns)).permute(0, 3, 1, 2)


def keep(ctx, inputs, output):
    x, weight, _, *ctx.path = inputs
    ctx.save_for_backward(x, weight)


def backward(ctx, dy):
    x, weight = ctx.saved_tensors
    stride, padding, dilation = (tuple(of_both) for of_both in ctx.path)
    of_x, of_weight, of_bias, *_ = ctx.needs_input_grad
    turned = of_x and stride == (1, 1)
    dx = dw = None
    if turned:
        dx = gradient_of_x(as_read(dy), weight, padding, dilation)
    if of_weight or of_x and not turned:
        wanted = of_x and not turned, of_weight, False
        others, dw, _ = torch.ops.aten.convolution_backward(
            dy, x, weight, None, stride, padding, dilation, False, (0, 0), 1, wanted)
        dx = dx if turned else others
    return dx, dw, dy.sum((0, 2, 3)) if of_bias else None, None, None, None


def gradient_of_x(dy, weight, padding, dilation):
    """The last element of a filter meets first what its first element met last. A padding wider than a filter is cut off."""
    outside = [dilation[d] * (weight.shape[2 + d] - 1) - padding[d] for d in (0, 1)]
    for d in (0, 1):
        if outside[d] < 0:
            dy = dy.narrow(2 + d, -outside[d], dy.shape[2 + d] + 2 * outside[d])
    turned = as_read(weight.flip(2, 3).transpose(0, 1))
    return layer(dy, turned, None, (1, 1), tuple(max(0, o) for o in outside), dilation)


def as_read(given):
    """Images as a kernel reads them: in channels_last, pixels at multiples of 16 bytes; others are copied so."""
    fits = [given.shape[d] == 1 or given.stride(d) % 8 == 0 and given.stride(d) > 0 for d in (0, 2, 3)]
    if has_channels_last(given) and all(fits):
        return given
    return images(given, *given.shape).copy_(given)


layer = Layer("conv2d", "(Tensor x, Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] dilation) -> Tensor",
              convolved, like_images, backward, keep)
