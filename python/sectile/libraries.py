"""What libraries of tensors differ in: how an output is made, and which types they have."""

import sys

from .errors import Error

TORCH = {
    "f32": "float32", "tf32": "float32", "f16": "float16", "bf16": "bfloat16", "e4m3": "float8_e4m3fn",
    "e5m2": "float8_e5m2", "s32": "int32", "s8": "int8", "u8": "uint8",
}  # fmt: skip
NUMPY = {"f32": "float32", "tf32": "float32", "f16": "float16", "s32": "int32", "s8": "int8", "u8": "uint8"}
ML_DTYPES = {"bf16": "bfloat16", "e4m3": "float8_e4m3fn", "e5m2": "float8_e5m2"}


def rows_of(shape, operand):
    """The shape in memory, contiguous mode last, with rows that begin at multiples of 16 bytes; and their length."""
    stored = list(shape)
    if operand.by_columns:
        stored[-1], stored[-2] = stored[-2], stored[-1]
    length = stored[-1] if stored else 1
    if len(stored) > 1:
        step = 128 // operand.bits
        stored[-1] = (length + step - 1) // step * step
    return stored, length


def cut(made, length, operand):
    """The tensor as the kernel knows it."""
    if made.ndim > 1 and made.shape[-1] != length:
        made = made[..., :length]
    return made.swapaxes(-1, -2) if operand.by_columns else made


def torch_maker(operand):
    dtype = getattr(sys.modules["torch"], TORCH[operand.dtype])
    step = 128 // operand.bits

    def make(first, shape):
        if operand.by_columns or len(shape) > 1 and shape[-1] % step:
            stored, length = rows_of(shape, operand)
            return cut(first.new_empty(stored, dtype=dtype), length, operand)
        return first.new_empty(shape, dtype=dtype)

    return make


def array_type(dtype):
    """A numpy type of that name, from ml_dtypes if it has some, else the integer of that size."""
    import numpy

    if dtype in NUMPY:
        return numpy.dtype(NUMPY[dtype])
    try:
        import ml_dtypes
    except ImportError:
        return numpy.dtype("uint16" if dtype == "bf16" else "uint8")
    return numpy.dtype(getattr(ml_dtypes, ML_DTYPES[dtype]))


def array_maker(module, operand):
    def make(_, shape):
        stored, length = rows_of(shape, operand)
        return cut(module.empty(stored, dtype=array_type(operand.dtype)), length, operand)

    return make


def maker(first, operand):
    """make(first, shape): tensors for an output, in the library and on the device of `first`."""
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(first, torch.Tensor):
        return torch_maker(operand)
    library = type(first).__module__.partition(".")[0]
    if library in ("numpy", "cupy"):
        return array_maker(sys.modules[library], operand)
    raise Error(
        f"operand {operand.name}: outputs are made for PyTorch, NumPy and CuPy; "
        f"of a {type(first).__name__} pass a tensor as out="
    )


def readable(given):
    """An array of ml_dtypes as integers, which NumPy hands over; anything else as it is."""
    dtype = getattr(given, "dtype", None)
    if getattr(dtype, "kind", None) == "V" and hasattr(given, "view"):
        return given.view(f"uint{8 * dtype.itemsize}")
    return given
