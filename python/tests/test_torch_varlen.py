"""Attention of packed sequences and its gradients: against torch's, sequence by sequence, and compiled."""

import pytest

import needs

torch, sectile = needs.shipped()
import sectile.torch  # noqa: E402
from tensors import matrix, near  # noqa: E402

if not hasattr(sectile.operators, "attention_d64_varlen"):
    pytest.skip("built without attention_varlen", allow_module_level=True)

on_each_device = needs.on_each_device(torch)
ROWS, KEYS = [5, 0, 70, 1, 30], [5, 9, 133, 0, 12]  # the second has no row, the fourth no key


def ends(sizes):
    return torch.tensor(sizes).cumsum(0).to(torch.int32)


def packed(heads, key_heads, depth):
    return tuple(matrix(rows, count * depth, seed=seed).view(rows, count, depth)
                 for seed, (rows, count) in enumerate([(sum(ROWS), heads), (sum(KEYS), key_heads), (sum(KEYS), key_heads)]))


def by_torch(query, key, value, is_causal):
    made = []
    for q, k, v in zip(query.split(ROWS), key.split(KEYS), value.split(KEYS)):
        share = query.shape[1] // key.shape[1]
        q, k, v = q.transpose(0, 1).double(), *(x.repeat_interleave(share, 1).transpose(0, 1).double() for x in (k, v))
        scores = q @ k.transpose(1, 2) / query.shape[-1] ** 0.5
        rows, keys = scores.shape[1:]
        if is_causal:
            scores.masked_fill_(~torch.ones(rows, keys, dtype=torch.bool).tril(keys - rows), -torch.inf)
        # A row that sees nothing is zeros, and so is its gradient: nan_to_num() alone would leave a NaN on the way back.
        seen = scores.detach().isfinite().any(-1, keepdim=True) if keys else torch.zeros(rows, 1, dtype=torch.bool)
        weights = torch.where(seen, scores, torch.zeros_like(scores)).softmax(-1) * seen
        made.append((weights @ v).transpose(0, 1))
    return torch.cat(made)


@on_each_device
@pytest.mark.parametrize("depth", [64, 128])
@pytest.mark.parametrize("is_causal", [False, True])
def test_is_what_torch_makes_of_each_sequence(depth, is_causal, device):
    tensors = packed(4, 2, depth)
    given = [t.to(device) for t in (*tensors, ends(ROWS), ends(KEYS))]
    made = sectile.torch.varlen_attention(*given, is_causal)
    assert made.shape == tensors[0].shape and made.is_contiguous()
    near(made.cpu(), by_torch(*tensors, is_causal).float())
    compiled = torch.compile(sectile.torch.varlen_attention, fullgraph=True, backend="aot_eager")
    assert torch.equal(compiled(*given, is_causal), made)


has_gradients = hasattr(sectile.operators, "attention_d64_varlen_keys_backward")
with_gradients = pytest.mark.skipif(not has_gradients, reason="built without attention_varlen_gradients")


def differentiated(call, tensors, dout):
    given = [t.detach().requires_grad_() for t in tensors]
    made = call(*given)
    return made, torch.autograd.grad(made, given, dout)


@with_gradients
@on_each_device
@pytest.mark.parametrize("depth", [64, 128])
@pytest.mark.parametrize("is_causal", [False, True])
def test_has_torchs_gradients(depth, is_causal, device):
    tensors = [4 * t for t in packed(4, 2, depth)]
    dout = matrix(sum(ROWS), 4 * depth, seed=7).view(sum(ROWS), 4, depth)
    given, dout_there = [t.to(device) for t in tensors], dout.to(device)
    vectors = [ends(ROWS).to(device), ends(KEYS).to(device)]
    attend = lambda *parts: sectile.torch.varlen_attention(*parts, *vectors, is_causal)  # noqa: E731
    made, found = differentiated(attend, given, dout_there)
    with torch.no_grad():
        assert torch.equal(attend(*given), made)
    _, wanted = differentiated(lambda *parts: by_torch(*parts, is_causal), [t.double() for t in tensors], dout.double())
    for mine, right in zip(found, wanted):
        assert (mine.cpu().double() - right).norm() <= 2e-2 * right.norm()
    compiled = torch.compile(attend, fullgraph=True, backend="aot_eager")
    again = differentiated(compiled, given, dout_there)
    assert all(map(torch.equal, (made, *found), (again[0], *again[1])))


@with_gradients
def test_gradients_of_parts_of_one_tensor_and_of_a_sum():
    qkv = matrix(sum(ROWS), 3 * 2 * 64).view(sum(ROWS), 3, 2, 64).requires_grad_()
    sectile.torch.varlen_attention(*qkv.unbind(1), ends(ROWS), ends(ROWS)).sum().backward()  # one number, everywhere
    apart = [x.detach().contiguous().requires_grad_() for x in qkv.unbind(1)]
    ones = torch.ones(sum(ROWS), 2, 64, dtype=torch.bfloat16)
    made = sectile.torch.varlen_attention(*apart, ends(ROWS), ends(ROWS))
    assert torch.equal(torch.stack(torch.autograd.grad(made, apart, ones), 1), qkv.grad)


def test_ends_of_the_usual_vectors_and_parts_of_one_tensor():
    qkv = matrix(sum(ROWS), 3 * 2 * 64).view(sum(ROWS), 3, 2, 64)
    seqlens = torch.cat([torch.zeros(1, dtype=torch.int32), ends(ROWS)])
    made = sectile.torch.varlen_attention(*qkv.unbind(1), seqlens[1:], seqlens[1:])
    apart = sectile.torch.varlen_attention(*(x.contiguous() for x in qkv.unbind(1)), ends(ROWS), ends(ROWS))
    assert torch.equal(made, apart)


def test_opcheck():
    given = (*packed(2, 1, 64), ends(ROWS), ends(KEYS))
    torch.library.opcheck(torch.ops.sectile.varlen_attention, (*given, False))
    if has_gradients:
        wanted = [t.requires_grad_() for t in given[:3]]
        torch.library.opcheck(torch.ops.sectile.varlen_attention_with_sums, (*wanted, *given[3:], True))


@pytest.mark.skipif(has_gradients, reason="built with attention_varlen_gradients")
def test_a_gradient_that_no_kernel_makes_is_refused():
    query, *others = packed(4, 2, 64)
    with pytest.raises(sectile.Error, match="built without attention_d64_varlen_lse.*attention_varlen_gradients"):
        sectile.torch.varlen_attention(query.requires_grad_(), *others, ends(ROWS), ends(KEYS))


@pytest.mark.parametrize("change, said", [
    (lambda q, k, v, e, f: (q.float(), k, v, e, f), "query is float32.*autocast"),
    (lambda q, k, v, e, f: (q[0], k, v, e, f), r"the kernels take \[rows, heads, D\] with D = 64 or 128"),
    (lambda q, k, v, e, f: (q[:, :3], k, v, e, f), "3 heads of queries cannot share 2 of keys"),
    (lambda q, k, v, e, f: (q, k, v, e, f[1:]), "key_ends: B = 4, but operand query_ends has B = 5"),
    (lambda q, k, v, e, f: (q, k, v, e.long(), f), "operand query_ends: the tensor.s elements are s64, the kernel expects s32"),
])
def test_what_does_not_fit_is_refused(change, said):
    with pytest.raises(sectile.Error, match=said):
        sectile.torch.varlen_attention(*change(*packed(4, 2, 64), ends(ROWS), ends(KEYS)))
