"""2:4 sparse matrices (of tf32 1:2): of every four neighbours along a row two are stored.

    values, metadata = sparse.compress(sparse.prune(w))
    c = sectile.operators.sparse_gemm_bf16((values, metadata), b)

Matrices of PyTorch, NumPy or CuPy, on any device; dtype= says what integers stand for ("bf16", "e4m3"). Where what is
compact means something to a tensor core, this module asks the binding, which asks layouts/metadata.hpp.
"""

import functools
import sys

from . import _binding
from .errors import Error
from .libraries import ML_DTYPES, TORCH, empty_like, library_of, padded_shape

BITS = {"f16": 16, "bf16": 16, "tf32": 32, "e4m3": 8, "e5m2": 8, "s8": 8, "u8": 8}
ROWS, GROUPS, WORDS, SLOTS = 64, 16, 128, 8  # of a block of metadata; SLOTS groups in a word
EMPTY = 4  # the metadata of a group of zeros


class Form:
    """How matrices of a type are stored, with tables in the library and place of `like`."""

    def __init__(self, dtype, like):
        self.dtype = dtype
        self.group, self.kept, nibbles, indices, places = _binding.sparse_tables(BITS[dtype])
        self.nibbles = constant(nibbles, like)  # of a set of elements that are not zero; -1: they are too many
        self.indices = constant(indices, like).reshape(16, self.kept)  # of the elements that a nibble keeps
        self.places = constant(places, like)  # which group of a block each slot of its words is of
        self.slots = constant(sorted(range(len(places)), key=places.__getitem__), like)  # the inverse
        self.shifts = constant([4 * i for i in range(SLOTS)], like)


def constant(numbers, like):
    if library_of(like) == "torch":
        return sys.modules["torch"].tensor(numbers, device=like.device)
    return sys.modules[library_of(like)].asarray(numbers)


def counted(count, like):
    """0, 1, ... count - 1"""
    if library_of(like) == "torch":
        return sys.modules["torch"].arange(count, device=like.device)
    return sys.modules[library_of(like)].arange(count)


@functools.cache
def names():
    """The name of each type that has one."""
    known = {f"torch.{TORCH[name]}": name for name in BITS}
    known |= {name: short for short, name in ML_DTYPES.items()}
    return known | {"float16": "f16", "float32": "tf32", "int8": "s8", "uint8": "u8"}


def name_of(tensor, dtype):
    """The name of its type, and that it is a matrix of a library that is known here."""
    if library_of(tensor) not in ("torch", "numpy", "cupy"):
        raise Error(f"a matrix of PyTorch, NumPy or CuPy is compressed, and a {type(tensor).__name__} is none")
    if tensor.ndim != 2:
        raise Error(f"a matrix is compressed, and this tensor has {tensor.ndim} modes")
    found = dtype or names().get(str(tensor.dtype))
    if found not in BITS:
        raise Error(f"no wgmma takes sparse {found or tensor.dtype}: {', '.join(BITS)} are what it takes; "
                    "dtype= says which of them integers stand for")
    if 8 * tensor.dtype.itemsize != BITS[found]:
        raise Error(f"{found} has {BITS[found]} bits, and the elements of the tensor are {tensor.dtype}")
    return found


def raw(tensor):
    """Its bits, as integers."""
    size = 8 * tensor.dtype.itemsize
    if library_of(tensor) == "torch":
        torch = sys.modules["torch"]
        return tensor.detach().view(torch.uint8 if size == 8 else getattr(torch, f"int{size}"))
    return tensor.view(f"u{tensor.dtype.itemsize}")


def wide(integers):
    """As integers of 64 bits."""
    return integers.long() if hasattr(integers, "long") else integers.astype("int64")


def magnitudes(bits, dtype):
    """|x| as numbers that order like it: of floating types the bits without the sign."""
    numbers = wide(bits) & ((1 << BITS[dtype]) - 1)
    if dtype == "u8":
        return numbers
    if dtype == "s8":
        return abs(numbers - 256 * (numbers > 127))
    return numbers & ((1 << (BITS[dtype] - 1)) - 1)


def grouped(matrix, form):
    m, k = matrix.shape
    if k % form.group or not m or not k:
        raise Error(f"a matrix of {m} x {k} has no whole groups: of {form.dtype} {form.group} neighbours are one")
    return raw(matrix).reshape(m, k // form.group, form.group)


def prune(dense, dtype=None):
    """The matrix with the largest of each group, in magnitude and of equal ones the first, and zeros; the same type."""
    form = Form(name_of(dense, dtype), dense)
    bits = grouped(dense, form)
    size, order = magnitudes(bits, form.dtype), counted(form.group, dense)
    one, other = size[..., :, None], size[..., None, :]
    larger = (other > one) | ((other == one) & (order[None, :] < order[:, None]))
    return (bits * (larger.sum(-1) < form.kept)).reshape(*dense.shape).view(dense.dtype)


def compress(dense, dtype=None):
    """(values, metadata) of a 2:4 sparse matrix, which any other is refused as. -0 counts as zero, NaN does not. Of a
    matrix on a GPU the host waits for the answer whether it is sparse."""
    form = Form(name_of(dense, dtype), dense)
    bits = grouped(dense, form)
    held = (magnitudes(bits, form.dtype) != 0) * (1 << counted(form.group, dense))
    nibbles = form.nibbles[held.sum(-1)]
    if bool((nibbles < 0).any()):
        refuse_group(held, nibbles, form)
    return in_rows(kept_of(bits, nibbles, form).view(dense.dtype)), packed(nibbles, form)


def refuse_group(held, nibbles, form):
    bad = (nibbles < 0).nonzero()
    row, group = (int(at[0]) for at in bad) if isinstance(bad, tuple) else bad[0].tolist()
    first, count = group * form.group, int((held[row, group] != 0).sum())
    raise Error(
        f"the matrix is not {form.kept}:{form.group} sparse: row {row}, columns {first} to {first + form.group - 1} hold "
        f"{count} non-zero values, at most {form.kept} may be; prune() keeps the largest of each group"
    )


def in_rows(values):
    """Values whose rows begin at multiples of 16 bytes."""
    stored, length = padded_shape(values.shape, False, 8 * values.dtype.itemsize)
    if stored[-1] == length:
        return values
    room = empty_like(values, stored)[:, :length]
    room[:] = values
    return room


def at_kept(form, shape, nibbles, like):
    """Indices of what is stored: each place has its own row, its own group, and elements by its metadata."""
    return counted(shape[0], like)[:, None, None], counted(shape[1], like)[None, :, None], form.indices[nibbles]


def kept_of(groups, nibbles, form):
    """What a matrix of groups holds at the places that are stored, as rows of values."""
    return groups[at_kept(form, groups.shape, nibbles, groups)].reshape(groups.shape[0], -1)


def blocks_of(shape, form):
    return -(-shape[0] // ROWS), -(-shape[1] // form.group // GROUPS)


def packed(nibbles, form):
    """The words of metadata: blocks of 64 rows and 16 groups, 128 words each."""
    m, groups = nibbles.shape
    rows, columns = blocks_of((m, groups * form.group), form)
    full = (0 * counted(rows * ROWS * columns * GROUPS, nibbles) + EMPTY).reshape(rows * ROWS, columns * GROUPS)
    full[:m, :groups] = nibbles
    blocks = full.reshape(rows, ROWS, columns, GROUPS).swapaxes(1, 2).reshape(rows, columns, ROWS * GROUPS)
    words = (blocks[..., form.places].reshape(rows, columns * WORDS, SLOTS) << form.shifts).sum(-1)
    return words.int() if hasattr(words, "int") else words.astype("uint32")


def unpacked(metadata, shape, form):
    """The metadata of each group of a matrix of that shape."""
    rows, columns = blocks_of(shape, form)
    slots = ((wide(metadata).reshape(rows, columns, WORDS, 1) >> form.shifts) & 15).reshape(rows, columns, WORDS * SLOTS)
    blocks = slots[..., form.slots].reshape(rows, columns, ROWS, GROUPS).swapaxes(1, 2)
    return blocks.reshape(rows * ROWS, columns * GROUPS)[: shape[0], : shape[1] // form.group]


def decompress(values, metadata, dtype=None):
    """The whole matrix, with zeros where nothing is stored. Metadata that select nothing are not looked for."""
    form = Form(name_of(values, dtype), values)
    m, columns = values.shape
    groups = columns // form.kept
    nibbles = unpacked(metadata, (m, groups * form.group), form)
    bits = empty_like(raw(values), (m, groups, form.group))
    bits[:] = 0
    bits[at_kept(form, bits.shape, nibbles, values)] = raw(values).reshape(m, groups, form.kept)
    return bits.reshape(m, groups * form.group).view(values.dtype)


def stored_of(dense, metadata):
    """Of any matrix what stands where a sparse one has its values: the gradient by these, of that by the matrix."""
    form = Form(name_of(dense, None), dense)
    groups = dense.reshape(dense.shape[0], -1, form.group)
    return kept_of(groups, unpacked(metadata, dense.shape, form), form)
