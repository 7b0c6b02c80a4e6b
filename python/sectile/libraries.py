"""What libraries of tensors differ in: how an output is made, and which types they have."""

import sys

from .errors import Error

TORCH = {
    "f32": "float32", "tf32": "float32", "f16": "float16", "bf16": "bfloat16", "e4m3": "float8_e4m3fn",
    "e5m2": "float8_e5m2", "s32": "int32", "s8": "int8", "u8": "uint8",
}  # fmt: skip
NUMPY = {"f32": "float32", "tf32": "float32", "f16": "float16", "s32": "int32", "s8": "int8", "u8": "uint8"}
ML_DTYPES = {"bf16": "bfloat16", "e4m3": "float8_e4m3fn", "e5m2": "float8_e5m2"}


def library_of(tensor):
    """Its name: torch, numpy, cupy, jax, or whatever its type's module begins with."""
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(tensor, torch.Tensor):
        return "torch"
    jax = sys.modules.get("jax")
    if jax is not None and isinstance(tensor, jax.Array):
        return "jax"
    return type(tensor).__module__.partition(".")[0]


def padded_shape(shape, by_columns, bits):
    """The shape in memory, contiguous mode last, with rows that begin at multiples of 16 bytes; and their length."""
    stored = list(shape)
    if by_columns:
        stored[-1], stored[-2] = stored[-2], stored[-1]
    length = stored[-1] if stored else 1
    if len(stored) > 1:
        step = 128 // bits
        stored[-1] = (length + step - 1) // step * step
    return stored, length


def rows_of(shape, operand):
    """The same of an operand that is made."""
    return padded_shape(shape, operand.by_columns, operand.bits)


def padded(given, operand):
    """The same of a tensor that is there; without an operand just its shape."""
    if operand is None:
        return list(given.shape), None
    return padded_shape(given.shape, operand.by_columns, 8 * given.dtype.itemsize)


def cut(made, length, operand):
    """The tensor as the kernel knows it."""
    if made.ndim > 1 and made.shape[-1] != length:
        made = made[..., :length]
    return made.swapaxes(-1, -2) if operand.by_columns else made


def empty_like(given, shape):
    """Memory for as many numbers of its type, in its place."""
    library = library_of(given)
    if library == "torch":
        return given.new_empty(shape)
    if library in ("numpy", "cupy"):
        return sys.modules[library].empty(shape, dtype=given.dtype)
    raise Error(f"copies are made for PyTorch, NumPy, CuPy and JAX; copy the {type(given).__name__} by yourself")


def torch_maker(operand):
    dtype = getattr(sys.modules["torch"], TORCH[operand.dtype])
    step = 128 // operand.bits

    def make(first, shape):
        if operand.by_columns or len(shape) > 1 and shape[-1] % step:
            stored, length = rows_of(shape, operand)
            return cut(first.new_empty(stored, dtype=dtype), length, operand)
        return first.new_empty(*shape, dtype=dtype)  # one by one is the shorter way for PyTorch

    return make


def torch_matrix_maker(operand, places, first):
    """make(given): the one output of a call, where it is a matrix whose rows fill 16 bytes; None where it is not. It
    does what the maker does, with as little Python as there can be."""
    if operand.by_columns or len(places) != 2 or None in places:
        return None
    (of_rows, row_mode), (of_columns, column_mode) = places
    dtype, step = getattr(sys.modules["torch"], TORCH[operand.dtype]), 128 // operand.bits

    def make(given):
        columns = given[of_columns].shape[column_mode]
        if columns % step:
            return None
        return given[first].new_empty(given[of_rows].shape[row_mode], columns, dtype=dtype)

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


def host_maker(operand):
    """For a JAX array: it is never written to, so the output is made in the host's memory and becomes one."""
    import numpy

    make = array_maker(numpy, operand)

    def make_on_host(first, shape):
        refuse_empty(first)
        if any(device.platform != "cpu" for device in first.devices()):
            raise Error(
                f"operand {operand.name}: JAX arrays on a GPU are read, and none is written to; "
                "pass a tensor of PyTorch's or CuPy's there as out="
            )
        return make(first, shape)

    return make_on_host


def maker(first, operand):
    """make(first, shape): tensors for an output, in the library and on the device of `first`."""
    library = library_of(first)
    if library == "torch":
        return torch_maker(operand)
    if library in ("numpy", "cupy"):
        return array_maker(sys.modules[library], operand)
    if library == "jax":
        refuse_empty(first)
        return host_maker(operand)
    raise Error(
        f"operand {operand.name}: outputs are made for PyTorch, NumPy, CuPy and JAX; "
        f"of a {type(first).__name__} pass a tensor as out="
    )


def finisher(first):
    """finish(first, made): what a caller gets of an output that was made; None: itself."""
    if library_of(first) != "jax":
        return None
    import jax

    return lambda array, made: jax.device_put(made, next(iter(array.devices())))


def stream_of(arguments):
    """CuPy's current stream, as CUDA's number, if the first tensor is CuPy's: DLPack does not tell it. None: it tells,
    or there is none."""
    for given in arguments:
        library = library_of(given[0] if isinstance(given, tuple) and given else given)
        if library == "cupy":
            return sys.modules["cupy"].cuda.get_current_stream().ptr
        if library == "torch":
            return None
    return None


def refuse_empty(tensor):
    """Of JAX's arrays those that have no numbers."""
    jax = sys.modules.get("jax")
    if jax is None or not isinstance(tensor, jax.Array):
        return
    if isinstance(tensor, jax.core.Tracer):
        raise Error(
            "a JAX array that is being traced has no numbers yet; call the operator outside of jax.jit, "
            "or through jax.pure_callback"
        )
    if tensor.is_deleted():
        raise Error("a JAX array has no numbers any more: it was deleted, or donated to a jitted function")


def readable(given):
    """An array of ml_dtypes as integers, which NumPy hands over; anything else as it is."""
    if isinstance(given, tuple):
        changed = tuple(readable(part) for part in given)
        return given if all(a is b for a, b in zip(given, changed)) else changed
    dtype = getattr(given, "dtype", None)
    if getattr(dtype, "kind", None) == "V" and dtype.fields is None and library_of(given) == "numpy":
        return given.view(f"uint{8 * dtype.itemsize}")
    refuse_empty(given)
    return given
