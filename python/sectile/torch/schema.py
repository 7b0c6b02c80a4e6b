"""What an operator is to PyTorch's dispatcher, worked out from its operands."""

import torch

# By the names that operands have. tf32 is f32 in memory, of which the tensor cores read 19 bits.
DTYPES = {"bf16": torch.bfloat16, "f16": torch.float16, "f32": torch.float32, "tf32": torch.float32,
          "f64": torch.float64, "e4m3": torch.float8_e4m3fn, "e5m2": torch.float8_e5m2, "s8": torch.int8,
          "u8": torch.uint8, "s16": torch.int16, "s32": torch.int32, "s64": torch.int64}


def dtype_of(operand) -> torch.dtype:
    """The dtype of a tensor for an operand: elements that share a byte are bytes."""
    return DTYPES.get(operand.dtype, torch.uint8)


def argument(operand, alias: str = "") -> str:
    """One argument of a schema; ALIAS names what is written."""
    name = operand.name.replace("'", "_")
    if operand.kind == "scalar":
        return f"{'int' if operand.dtype in ('s32', 's64', 'u32') else 'float'} {name}"
    return f"Tensor{f'({alias}!)' if alias else ''} {name}"


def given(operands, outputs: bool) -> list[str]:
    """What a call is given, in the operands' order. With OUTPUTS these stand behind, by name."""
    letters = iter("abcdefghijklmnopqrstuvwxyz")
    front = [argument(o, next(letters) if o.kind == "inout" else "") for o in operands if o.kind != "output"]
    behind = [argument(o, next(letters)) for o in operands if o.kind == "output"]
    return front + (["*", *behind] if outputs and behind else [])


def schema(operands) -> str:
    """The operator that makes its outputs."""
    made = sum(o.kind == "output" for o in operands)
    returns = {0: "()", 1: "Tensor"}.get(made, "(" + ", ".join(["Tensor"] * made) + ")")
    return f"({', '.join(given(operands, False))}) -> {returns}"


def out_schema(operands) -> str:
    """The one that is given them. It returns nothing: torch.compile knows no operator that returns what it was given."""
    return f"({', '.join(given(operands, True))}) -> ()"
