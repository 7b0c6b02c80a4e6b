"""Operators in PyTorch's dispatcher: torch.ops.sectile.NAME, and .NAME.out, which is given the outputs."""

import torch

from ..errors import Error
from ..libraries import torch_maker
from .schema import as_called, named, out_schema, outputs, schema

library = torch.library.Library("sectile", "FRAGMENT")
registered = {}
# Tensors come as they lie when nothing is compiled: kernels do not take them as a compiler might rather have them. Older
# versions of PyTorch keep the order of modes only, and not the room behind rows that fill no 16 bytes.
AS_IT_LIES = getattr(torch.Tag, "needs_exact_strides", torch.Tag.needs_fixed_stride_order)


def makes(operator):
    """What the dispatcher calls on CPU tensors (the model) and on CUDA tensors (the GPU)."""

    def call(*arguments):
        return operator(*as_called(operator.operands, arguments))

    return call


def fills(operator):
    """The same for outputs that are given, by name."""
    names = [named(o) for o in outputs(operator.operands)]

    def call(*arguments, **made):
        operator(*as_called(operator.operands, arguments), out=tuple(made[name] for name in names))

    return call


def fakes(operator):
    """What tracing sees: outputs of the right sizes, types and strides, and nothing computed."""
    makers = [torch_maker(o) for o in outputs(operator.operands)]

    def call(*arguments):
        refuse_gradients(operator, arguments)
        shapes = operator.shapes_made(as_called(operator.operands, arguments))
        made = tuple(make(arguments[0], shape) for make, shape in zip(makers, shapes))
        return made[0] if len(made) == 1 else made

    return call


def refuse_gradients(operator, arguments):
    """A trace is refused as a call is: a gradient would be lost. Where one is registered, none is recorded here."""
    if gradient_wanted(*arguments):
        raise Error(f"{operator.name}: a tensor requires a gradient, which this operator has not; call it under "
                    "torch.no_grad(), pass detached tensors, or take a layer of sectile.torch, which has gradients")


def define(name, form, implementation, fake):
    library.define(name + form, tags=(AS_IT_LIES,))
    for device in ("CPU", "CUDA"):
        library.impl(name, implementation, device)
    torch.library.register_fake("sectile::" + name, fake, lib=library)


def untraced(*inputs) -> bool:
    """Whether nobody wants to see a call but autograd: nobody traces, and there is no subclass, mode or transform. The
    function itself may be called then, which is the shorter way."""
    if torch.compiler.is_compiling() or torch._C._len_torch_dispatch_stack() or torch._C._len_torch_function_stack():
        return False
    return all(type(x) in PLAIN for x in inputs) and torch._C._functorch.peek_interpreter_stack() is None


def gradient_wanted(*inputs) -> bool:
    return torch.is_grad_enabled() and any(isinstance(x, torch.Tensor) and x.requires_grad for x in inputs)


PLAIN = {torch.Tensor, torch.nn.Parameter, type(None), bool, int, tuple}  # of numbers


class Layer:
    """A function with gradients, torch.ops.sectile.NAME, called by the shortest way that a call allows: the function
    itself, a record that autograd makes of it, or the dispatcher, where somebody traces. KEEP is what both records
    call: keep(ctx, inputs, made)."""

    def __init__(self, name, form, implementation, fake, backward, keep):
        define(name, form, implementation, fake)
        torch.library.register_autograd("sectile::" + name, backward, setup_context=keep, lib=library)

        def forward(ctx, *inputs):  # not setup_context(), for which PyTorch looks at a signature in every call
            made = implementation(*inputs)
            keep(ctx, inputs, made)
            return made

        of_autograd = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
        recorded = type(name, (torch.autograd.Function,), of_autograd).apply
        self._ways = {False: implementation, True: recorded}
        self._dispatched = getattr(torch.ops.sectile, name)

    def __call__(self, *inputs):
        return (self._ways[gradient_wanted(*inputs)] if untraced(*inputs) else self._dispatched)(*inputs)


def register(operator):
    """Gives torch.ops.sectile this operator, and returns it as it is called there. One name is one operator."""
    name = operator.name
    known = registered.setdefault(name, operator)
    if known is not operator:
        raise ValueError(f"torch.ops.sectile has another operator of the name {name}; give one of the two another name "
                         "(NAME of sectile_add_operator)")
    if not hasattr(torch.ops.sectile, name):
        define(name, schema(operator.operands), makes(operator), fakes(operator))
        define(name + ".out", out_schema(operator.operands), fills(operator), lambda *given, **made: None)
    return getattr(torch.ops.sectile, name)
