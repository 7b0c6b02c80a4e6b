"""Operators: kernels as functions of tensors."""

import inspect
import os
import sys
from dataclasses import dataclass

from . import _binding
from .copies import laid_out, write_back
from .errors import Error
from .libraries import finisher, library_of, maker, readable, stream_of, torch_matrix_maker

_binding.set_error(Error)

KINDS = ("input", "output", "scalar")


@dataclass(frozen=True)
class Operand:
    """What a kernel takes or makes: a tensor with its modes, or a number."""

    name: str
    modes: tuple[str, ...]
    dtype: str
    kind: str
    bits: int
    by_columns: bool  # the last mode but one is the contiguous one
    sparse: bool  # is passed as (values, metadata)
    in_place: bool  # an output may be this very tensor
    image: bool = False  # is passed as (images [N, H, W, C], path); the modes are those of what a filter meets there

    def __str__(self):
        modes = f"({','.join(self.modes)})" if self.kind != "scalar" else ""
        order = ", stored by columns" if self.by_columns else ", of images [N,H,W,C] and a path" if self.image else ""
        return f"{self.name}{modes}: {'sparse ' if self.sparse else ''}{self.dtype}{order}"

    @property
    def paired(self):
        """Whether it is passed as a tuple: values and metadata, or images and a path."""
        return self.sparse or self.image

    @property
    def packing(self):
        """Elements in one of the bytes that a tensor counts."""
        return 8 // self.bits if 0 < self.bits < 8 else 1


class Operator:
    """A kernel as a function. Called with its inputs and numbers in the order of `operands`; makes the outputs, in the
    library of the first tensor, unless out= has them. Tensors on a GPU: the kernel is queued on that library's current
    stream (or stream=, a number of CUDA's). Tensors in host memory: it runs on the model, with a GPU's bits.

    A tensor that the kernel cannot walk over as it lies in memory is refused; with copy=True it is copied, and an
    output that needs it is written back. Types and devices are never changed."""

    def __init__(self, described):
        self._handle, self.name, self.summary, operands, needs_workspace, on_gpu = described
        self.operands = tuple(
            Operand(name, modes, dtype, KINDS[role], bits, *map(bool, flags))
            for name, modes, dtype, bits, role, *flags in operands
        )
        self.needs_workspace = bool(needs_workspace)
        self.has_gpu_code = bool(on_gpu)
        self._taken = [i for i, o in enumerate(self.operands) if o.kind != "output"]
        self._made = [i for i, o in enumerate(self.operands) if o.kind == "output"]
        self._outputs_last = self._made == list(range(len(self._taken), len(self.operands)))
        self._places = [[self._find_mode(mode) for mode in self.operands[i].modes] for i in self._made]
        self._makers = {}  # of the outputs, and what finishes them, by the type of the first tensor
        self._short_ways = {}  # to the output, of those
        self._first = next((p for p, i in enumerate(self._taken) if self.operands[i].kind != "scalar"), None)
        self.__name__ = self.name
        self.__doc__ = self._write_doc()
        self.__signature__ = self._write_signature()

    def __call__(self, *given, out=None, stream=None, workspace=None, copy=False):
        if len(given) != len(self._taken):
            raise Error(f"{self.name} takes {self._names(self._taken)}, {len(self._taken)} in all, not {len(given)}")
        made, finish = self._make(given) if out is None else (self._check_out(out), None)
        arguments = (*given, *made) if self._outputs_last else self._merge(given, made)
        if copy:
            self._run_copied(arguments, stream, workspace)
        else:
            self._run_with_room(arguments, stream, workspace)
        if finish is not None:
            made = tuple(finish(self._first_of(given), m) for m in made)
        return made[0] if len(made) == 1 else made

    def run(self, args, stream=None, workspace=None):
        """The call with everything, outputs included, in the order of `operands`."""
        args = tuple(args)
        if stream is None and "cupy" in sys.modules:
            stream = stream_of(args)
        try:
            _binding.call(self._handle, args, stream, workspace)
        except Error:
            changed = self._readable(args)
            if changed is None:
                raise
            _binding.call(self._handle, changed, stream, workspace)

    def _run_with_room(self, arguments, stream, workspace):
        if workspace is None and self.needs_workspace:
            workspace = self._room(arguments)
        self.run(arguments, stream, workspace)

    def _run_copied(self, arguments, stream, workspace):
        if stream is not None:
            raise Error("copy=True copies on the library's current stream, and stream= may name another: make it current")
        arguments, back = laid_out(self, self._readable(arguments) or arguments)
        self._run_with_room(arguments, None, workspace)
        write_back(back)

    def output_shapes(self, *input_shapes):
        """The outputs' shapes, from those of the operands that are called with; () stands for a number."""
        if len(input_shapes) != len(self._taken):
            raise Error(
                f"{self.name} takes {self._names(self._taken)}, {len(self._taken)} in all, not {len(input_shapes)}"
            )
        sizes = {}
        for i, shape in zip(self._taken, input_shapes):
            self._note_sizes(self.operands[i], shape, sizes)
        return tuple(self._shape_of(self.operands[i], sizes) for i in self._made)

    def shapes_made(self, given):
        """The same, from what the operator is called with."""
        return self.output_shapes(*(self._shape_given(i, g) for i, g in zip(self._taken, given)))

    def workspace_bytes(self, *args):
        """Bytes of memory that a call takes besides, with all its operands; of a family, that its best member takes."""
        return _binding.workspace_bytes(self._handle, self._readable(args) or tuple(args), None)

    def __repr__(self):
        return f"<sectile operator {self.name}{self.__signature__}>"

    def _find_mode(self, mode):
        """(which of the arguments, which of its modes); None where a tensor does not show the size as it is."""
        wanted = mode.rstrip("'")
        for place, i in enumerate(self._taken):
            operand = self.operands[i]
            if operand.paired:
                continue
            for d, name in enumerate(operand.modes):
                if name.rstrip("'") == wanted and operand.packing == 1:
                    return place, d
        return None

    def _make(self, given):
        short = self._short_ways.get(type(given[self._first])) if self._first is not None else None
        if short is not None:
            try:
                made = short(given)
            except Exception:  # the long way says what is wrong
                made = None
            if made is not None:
                return (made,), None
        try:
            shapes = [[given[place].shape[d] for place, d in places] for places in self._places]
        except Exception:  # whatever a library raises for what has no shape: the other way says what is wrong
            shapes = self.shapes_made(given)
        first = self._first_of(given)
        known = self._makers.get(type(first))
        if known is None:
            known = self._makers[type(first)] = [maker(first, self.operands[i]) for i in self._made], finisher(first)
            if library_of(first) == "torch" and len(self._made) == 1:
                made = self.operands[self._made[0]]
                self._short_ways[type(first)] = torch_matrix_maker(made, self._places[0], self._first)
        makers, finish = known
        return tuple([make(first, shape) for make, shape in zip(makers, shapes)]), finish

    def _first_of(self, given):
        """The tensor that tells where outputs are to be."""
        if self._first is None:
            raise Error(f"{self.name} has no input to tell where its outputs are to be; pass out=")
        first = given[self._first]
        return first[0] if isinstance(first, tuple) else first

    def _shape_given(self, i, given):
        operand = self.operands[i]
        if operand.kind == "scalar":
            return ()
        path = None
        if operand.paired:
            if not isinstance(given, tuple) or len(given) != 2:
                wanted = "it is sparse: pass (values, metadata)" if operand.sparse else (
                    "it is an image that a filter goes over: pass (tensor, path)")
                raise Error(f"operand {operand.name}: {wanted}")
            given, path = given
        try:
            shape = list(given.shape)
        except AttributeError:
            raise Error(f"operand {operand.name}: a tensor is needed, and a {type(given).__name__} is none") from None
        except Exception as e:  # nested tensors have none
            raise Error(f"operand {operand.name}: {str(e).partition(chr(10))[0]}") from None
        if operand.sparse and len(shape) == 2:
            shape[1] *= 2
        return met_by_filter(operand, shape, path) if operand.image else shape

    def _note_sizes(self, operand, shape, sizes):
        if operand.kind == "scalar":
            return
        if len(shape) != len(operand.modes):
            raise Error(
                f"operand {operand.name}: the tensor has {len(shape)} modes, the kernel expects {len(operand.modes)}"
            )
        inner = len(shape) - (2 if operand.by_columns else 1)
        for d, (mode, size) in enumerate(zip(operand.modes, shape)):
            size = size * operand.packing if d == inner else size
            known = sizes.setdefault(mode.rstrip("'"), (operand.name, size))
            if known[1] != size:
                raise Error(f"operand {operand.name}: {mode} = {size}, but operand {known[0]} has {mode} = {known[1]}")

    def _shape_of(self, operand, sizes):
        shape = []
        for mode in operand.modes:
            known = sizes.get(mode.rstrip("'"))
            if known is None:
                raise Error(f"operand {operand.name}: no input has a mode {mode}, so its size is not known; pass out=")
            shape.append(known[1])
        return tuple(shape)

    def _check_out(self, out):
        made = out if isinstance(out, tuple) else (out,)
        if len(made) != len(self._made):
            raise Error(f"{self.name} makes {self._names(self._made)}: out= takes {len(self._made)}, not {len(made)}")
        return made

    def _merge(self, given, made):
        arguments = [None] * len(self.operands)
        for i, g in zip(self._taken, given):
            arguments[i] = g
        for i, m in zip(self._made, made):
            arguments[i] = m
        return tuple(arguments)

    def _room(self, arguments):
        bytes_needed = self.workspace_bytes(*arguments)
        first = next(a for a, o in zip(arguments, self.operands) if o.kind != "scalar")
        first = first[0] if isinstance(first, tuple) else first
        room = Operand("workspace", ("bytes",), "u8", "output", 8, False, False, False)
        return maker(first, room)(first, (max(bytes_needed, 16),))

    def _readable(self, args):
        """The arguments with arrays whose library cannot hand them over as integers of the same size; None: all can."""
        changed = tuple(readable(a) for a in args)
        return None if all(a is b for a, b in zip(args, changed)) else changed

    def _names(self, which):
        return ", ".join(self.operands[i].name for i in which)

    def _write_doc(self):
        taken = "\n".join(f"    {self.operands[i]}" for i in self._taken)
        made = "\n".join(f"    {self.operands[i]}" for i in self._made)
        return f"{self.summary}\n\nTakes\n{taken}\nMakes\n{made}\n\nModes of one name have one size. " + (
            "Elements of 16 bits or less that a library has no type for may come as unsigned integers of that size."
        )

    def _write_signature(self):
        positional = [
            inspect.Parameter(self.operands[i].name, inspect.Parameter.POSITIONAL_ONLY) for i in self._taken
        ]
        named = [
            inspect.Parameter(n, inspect.Parameter.KEYWORD_ONLY, default=None) for n in ("out", "stream", "workspace")
        ] + [inspect.Parameter("copy", inspect.Parameter.KEYWORD_ONLY, default=False)]
        return inspect.Signature(positional + named)


def pixels_made(sides, path):
    """Rows and columns of what a filter makes of images with these; below 1 where it has no place."""
    filter_, stride, padding, dilation = (path[i : i + 2] for i in range(0, 8, 2))
    return [(sides[d] + 2 * padding[d] - dilation[d] * (filter_[d] - 1) - 1) // stride[d] + 1 for d in (0, 1)]


def met_by_filter(operand, shape, path):
    """The sizes of what a filter meets: places of the filter, pixels of the output, channels."""
    if len(shape) != 4:
        raise Error(f"operand {operand.name}: the tensor has {len(shape)} modes, an image has 4: [N, H, W, C]")
    if len(path) != 8 or min(path[2:4]) < 1:
        raise Error(f"operand {operand.name}: a filter's path is 8 numbers: rows and columns of the filter, of its stride, "
                    "which is 1 or more, of the padding and of its dilation")
    rows, columns = pixels_made(shape[1:3], path)
    if min(rows, columns) < 1:
        raise Error(f"operand {operand.name}: the filter reaches beyond the image and its padding: it makes {rows} x "
                    f"{columns} pixels")
    return [path[0] * path[1], shape[0] * rows * columns, shape[3]]


class OperatorSet:
    """The operators of a library, as attributes and by [name]."""

    def __init__(self, described):
        self._all = {d[1]: Operator(d) for d in described}
        self.__dict__.update(self._all)

    def __getitem__(self, name):
        try:
            return self._all[name]
        except KeyError:
            raise Error(f"there is no operator {name} here; there are {', '.join(self._all)}") from None

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        raise AttributeError(f"there is no operator {name} here; there are {', '.join(self._all)}")

    def __iter__(self):
        return iter(self._all.values())

    def __len__(self):
        return len(self._all)

    def __dir__(self):
        return list(self._all)


def load(path):
    """The operators of a library that sectile_add_operator() made."""
    return OperatorSet(_binding.load(os.fspath(path)))
