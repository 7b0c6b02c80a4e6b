"""Operators in PyTorch's dispatcher: torch.ops.sectile.NAME, and torch.ops.sectile.NAME.out, which is given the outputs."""

import torch

from .schema import dtype_of, out_schema, schema

library = torch.library.Library("sectile", "FRAGMENT")
registered = {}


def makes(operator):
    """What the dispatcher calls on CPU tensors (the model) and on CUDA tensors (the GPU)."""

    def call(*arguments):
        return operator(*arguments)

    return call


def fills(operator):
    """The same for outputs that are given, by name."""
    names = [o.name.replace("'", "_") for o in operator.operands if o.kind == "output"]

    def call(*arguments, **outputs):
        operator(*arguments, out=tuple(outputs[name] for name in names))

    return call


def fakes(operator):
    """What tracing sees: outputs of the right sizes and types, and nothing computed."""
    taken = [o for o in operator.operands if o.kind != "output"]
    made = [o for o in operator.operands if o.kind == "output"]

    def call(*arguments):
        tensors = [a for a, o in zip(arguments, taken) if o.kind != "scalar"]
        shapes = operator.output_shapes(*(tuple(t.shape) for t in tensors))
        outputs = tuple(tensors[0].new_empty(shape, dtype=dtype_of(o)) for shape, o in zip(shapes, made))
        return None if not outputs else outputs[0] if len(outputs) == 1 else outputs

    return call


def define(name, form, implementation, fake):
    library.define(name + form, tags=(torch.Tag.needs_fixed_stride_order,))
    for device in ("CPU", "CUDA"):
        library.impl(name, implementation, device)
    torch.library.register_fake("sectile::" + name, fake, lib=library)


def register(operator):
    """Gives torch.ops.sectile this operator, and returns it as it is called there. One name is one operator."""
    name = operator.name
    known = registered.setdefault(name, operator)
    if known is not operator:
        raise ValueError(f"torch.ops.sectile has another operator of the name {name}; give one of the two another name "
                         "(NAME of sectile_add_operator)")
    if not hasattr(torch.ops.sectile, name):
        define(name, schema(operator.operands), makes(operator), fakes(operator))
        if any(o.kind == "output" for o in operator.operands):
            define(name + ".out", out_schema(operator.operands), fills(operator), lambda *a, **outputs: None)
    return getattr(torch.ops.sectile, name)
