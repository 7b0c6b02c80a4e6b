"""Every shipped operator: what a trace expects of it is what it makes, for sizes that fill no tile."""

import pytest

import needs

torch, sectile = needs.shipped()
import sectile.torch  # noqa: E402

SIZES = {"M": 40, "N": 48, "K": 64, "B": 1, "G": 1, "H": 2, "S": 24, "T": 40, "E": 2, "KB": 1, "N/128": 1, "J": 2}
DTYPES = {"bf16": torch.bfloat16, "f16": torch.float16, "f32": torch.float32, "tf32": torch.float32,
          "e4m3": torch.float8_e4m3fn, "s8": torch.int8}
GROUPS = {"ends": [16, 40], "counts": [20, 20], "query_ends": [10, 24], "key_ends": [16, 40]}  # of T rows, S of queries


def argument(operator, operand):
    """Something that it takes, as it lies in memory."""
    if operand.kind == "scalar":
        return 0.5
    if operand.name in GROUPS:
        return torch.tensor(GROUPS[operand.name], dtype=torch.int32)
    head = 128 if "d128" in operator.name else 64
    shape = [SIZES.get(mode, head) for mode in operand.modes]
    if operand.dtype == "s32":  # an index of rows, of which there are as many as are not said
        return torch.randint(-1, head, shape, dtype=torch.int32)
    if operand.by_columns:
        shape[-2:] = shape[:-3:-1]
    made = torch.randint(-2, 3, shape).to(DTYPES[operand.dtype])
    return made.transpose(-1, -2) if operand.by_columns else made


def dense():
    """Those whose operands are one tensor each, and whose outputs' sizes the inputs have."""
    known = [o for o in sectile.operators if not any(operand.paired for operand in o.operands)]
    return [o for o in known if {m for operand in o.operands if operand.kind == "output" for m in operand.modes}
            <= {m for operand in o.operands if operand.kind == "input" for m in operand.modes}]


@pytest.mark.parametrize("operator", dense(), ids=lambda operator: operator.name)
def test_a_trace_expects_what_it_makes(operator):
    given = [argument(operator, o) for o in operator.operands if o.kind != "output"]
    call = getattr(torch.ops.sectile, operator.name).default
    # The check of schemas multiplies its arguments, and PyTorch multiplies no numbers of eight bits.
    narrow = any(o.dtype in ("e4m3", "e5m2") for o in operator.operands)
    torch.library.opcheck(call, given, test_utils=("test_faketensor",) + (() if narrow else ("test_schema",)))


def test_a_sparse_operand_is_two_tensors():
    said = str(torch.ops.sectile.sparse_gemm_bf16.default._schema)
    assert said == "sectile::sparse_gemm_bf16(Tensor A, Tensor A_metadata, Tensor B) -> Tensor"
