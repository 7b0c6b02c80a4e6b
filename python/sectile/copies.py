"""Copies of tensors that a launch cannot take as they lie in memory. They are made where a call asks: copy=True."""

from . import _binding
from .errors import Error
from .libraries import empty_like, library_of, padded

VALUES, METADATA = 1, 2  # what the binding says needs a copy


def laid_out(operator, arguments):
    """The arguments with copies of those that need one, and [(the caller's output, its copy)]."""
    changed, back = list(arguments), []
    for i, parts in enumerate(_binding.needs_copy(operator._handle, arguments)):
        operand = operator.operands[i]
        if operand.sparse and parts:
            values, metadata = arguments[i]
            changed[i] = (
                copy_of(values, operand) if parts & VALUES else values,
                copy_of(metadata, None) if parts & METADATA else metadata,
            )
        elif operand.image and parts:
            image, path = arguments[i]
            changed[i] = copy_of(image, operand), path
        elif parts:
            changed[i] = copy_of(arguments[i], operand)
            if operand.kind == "output":
                back.append((arguments[i], changed[i]))
    return tuple(changed), back


def copy_of(given, operand):
    """The same numbers as the kernel takes them, or packed (operand None), in the same library and place."""
    if library_of(given) == "jax":
        given = on_host(given)
    stored, length = padded(given, operand)
    made = empty_like(given, stored)
    if operand is not None:
        made = made[..., :length] if made.ndim > 1 else made
        made = made.swapaxes(-1, -2) if operand.by_columns else made
    write(made, given)
    return made


def on_host(array):
    """A JAX array is packed and cannot be otherwise: NumPy has what is not."""
    if any(device.platform != "cpu" for device in array.devices()):
        raise Error("of a JAX array on a GPU no copy with longer rows is made; pad it, or pass a tensor of PyTorch's")
    import numpy

    return numpy.asarray(array)


def write(to, numbers):
    if hasattr(to, "copy_"):
        to.copy_(numbers)
    else:
        to[...] = numbers


def write_back(back):
    for given, copy in back:
        write(given, copy)
