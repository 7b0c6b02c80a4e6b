"""What an operator is to PyTorch's dispatcher, worked out from its operands."""

from string import ascii_lowercase


def named(operand) -> str:
    return operand.name.replace("'", "_")


def taken(operand) -> list[str]:
    """Arguments for what a call is given: of a sparse operand its values and its metadata, of an image also the path of
    the filter that goes over it."""
    if operand.kind == "scalar":
        return [f"float {named(operand)}"]
    second = [f"Tensor {named(operand)}_metadata"] if operand.sparse else [f"int[] {named(operand)}_path"]
    return [f"Tensor {named(operand)}"] + (second if operand.paired else [])


def given(operands) -> str:
    return ", ".join(argument for o in operands if o.kind != "output" for argument in taken(o))


def outputs(operands) -> list:
    return [o for o in operands if o.kind == "output"]


def schema(operands) -> str:
    """Of the operator that makes its outputs."""
    made = ", ".join(["Tensor"] * len(outputs(operands)))
    return f"({given(operands)}) -> {made if len(outputs(operands)) == 1 else f'({made})'}"


def out_schema(operands) -> str:
    """Of the one that is given them. It returns nothing: torch.compile knows none that returns what it is given."""
    made = ", ".join(f"Tensor({letter}!) {named(o)}" for letter, o in zip(ascii_lowercase, outputs(operands)))
    return f"({given(operands)}, *, {made}) -> ()"


def as_called(operands, arguments) -> list:
    """The arguments of a schema as the operator takes them: values and metadata in a pair, and an image and its path."""
    left = iter(arguments)
    return [(next(left), next(left)) if o.paired else next(left) for o in operands if o.kind != "output"]
