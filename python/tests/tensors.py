"""Tensors of layers' tests, and what passes for the same."""

import torch


def matrix(*shape, seed=0):
    made = torch.randn(*shape, generator=torch.Generator().manual_seed(seed)) / 4
    return made.to(torch.bfloat16)


def near(got, wanted):
    torch.testing.assert_close(got.float(), wanted, rtol=2e-2, atol=2e-2)
