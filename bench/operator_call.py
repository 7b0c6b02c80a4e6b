"""What a call of an operator costs the host, beside PyTorch's own: python bench/operator_call.py

Calls are queued in batches that the GPU's queue has room for, and the GPU catches up between them; the median batch."""

import statistics
import sys
import time

import torch

import sectile

SIZE, BATCH, BATCHES = 128, 200, 60


def cost(call, batch=BATCH):
    """Microseconds of the host."""
    for _ in range(batch):
        call()
    seconds = []
    for _ in range(BATCHES):
        wait()
        begin = time.perf_counter()
        for _ in range(batch):
            call()
        seconds.append((time.perf_counter() - begin) / batch)
    return 1e6 * statistics.median(seconds)


def wait():
    if torch.cuda.is_available():
        torch.cuda.synchronize()


def main():
    gemm = sectile.operators.gemm_bf16
    a, b = (torch.randn(SIZE, SIZE, device="cuda").bfloat16() for _ in range(2))
    c, bt = torch.empty_like(a), b.t()
    stream = torch.cuda.current_stream().cuda_stream
    arguments = (a, b, c)
    calls = {
        "gemm_bf16(A, B)": lambda: gemm(a, b),
        "gemm_bf16(A, B, out=C)": lambda: gemm(a, b, out=c),
        "gemm_bf16.run((A, B, C))": lambda: gemm.run(arguments),
        "gemm_bf16.run((A, B, C), stream)": lambda: gemm.run(arguments, stream),
        "torch.mm(A, Bt)": lambda: torch.mm(a, bt),
        "torch.mm(A, Bt, out=C)": lambda: torch.mm(a, bt, out=c),
        "torch.empty": lambda: torch.empty(SIZE, SIZE, dtype=torch.bfloat16, device="cuda"),
    }
    for name, call in calls.items():
        print(f"{name:36s} {cost(call):6.2f} us")


if __name__ == "__main__":
    sys.exit(main())
