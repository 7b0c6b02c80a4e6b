#!/usr/bin/env python3
"""Measures what is won where collectives travel while products are made.

    torchrun --nproc-per-node 2 overlap.py --rows 8192 --inner 8192 --outputs 8192 --ctas 16 24

Collectives on a group of sectile.distributed.new_group(ctas) take so many SMs, and products beside them the others. In
the serial form a collective is over before the product begins, or begins when the product is over; it is one GEMM
and one collective. Times are medians of turns, of the slowest rank.
"""

import argparse
import os

import torch
import torch.distributed as dist

import sectile.torch
from sectile.distributed import gather_linear, linear_scatter, new_group


def serial_gather(shard, weight, multiply):
    whole = shard.new_empty((shard.shape[0] * dist.get_world_size(), shard.shape[1]))
    dist.all_gather_into_tensor(whole, shard)
    return multiply(whole, weight)


def serial_scatter(x, weight, multiply):
    whole = multiply(x, weight)
    mine = whole.new_empty((whole.shape[0] // dist.get_world_size(), whole.shape[1]))
    dist.reduce_scatter_tensor(mine, whole)
    return mine


def once(form) -> float:
    """Milliseconds of one call, of the slowest rank."""
    dist.barrier()
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    begin.record()
    form()
    end.record()
    end.synchronize()
    slowest = torch.tensor(begin.elapsed_time(end), device="cuda")
    dist.all_reduce(slowest, dist.ReduceOp.MAX)
    return slowest.item()


def race(forms, turns):
    """The median of each, in turns."""
    times = {name: [] for name in forms}
    for turn in range(turns + 3):
        for name, form in forms.items():
            taken = once(form)
            if turn >= 3:
                times[name].append(taken)
    return {name: sorted(taken)[turns // 2] for name, taken in times.items()}


def forms_of(serial, overlapped, left, weight, groups, cuts):
    """The serial form, with either library's GEMM, and the overlapped ones by group and chunks."""
    made = {"serial": lambda: serial(left, weight, sectile.torch.linear),
            "serial, torch.matmul": lambda: serial(left, weight, torch.nn.functional.linear)}
    for group_name, group in groups.items():
        for cut in cuts:
            made[f"{group_name}, {cut}"] = lambda group=group, cut=cut: overlapped(left, weight, group, cut)
    return made


def compare(what, forms, turns):
    wanted = forms["serial"]()
    for name, form in forms.items():
        torch.testing.assert_close(form(), wanted, rtol=2e-2, atol=2e-2, msg=lambda said: f"{what}, {name}: {said}")
    times = race(forms, turns)
    if dist.get_rank() == 0:
        for name, taken in times.items():
            print(f"{what:22} {name:26} {taken:7.3f} ms   {times['serial'] / taken:.3f} of the serial form's speed")


def main():
    said = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("rows", "inner", "outputs"):
        said.add_argument(f"--{name}", type=int, default=8192)
    said.add_argument("--ctas", type=int, nargs="*", default=[16, 24], help="of the groups that are tried")
    said.add_argument("--turns", type=int, default=21)
    size = said.parse_args()
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl")
    ranks = dist.get_world_size()

    def matrix(*shape):
        return torch.randn(*shape, device="cuda", dtype=torch.bfloat16) / 8

    groups = {"any SMs": None} | {f"{ctas} SMs": new_group(ctas) for ctas in size.ctas}
    with torch.no_grad():
        left, weight = matrix(size.rows // ranks, size.inner), matrix(size.outputs // ranks, size.inner)
        compare("all-gather + GEMM", forms_of(serial_gather, gather_linear, left, weight, groups, (1, 2)), size.turns)
        left, weight = matrix(size.rows, size.inner // ranks), matrix(size.outputs, size.inner // ranks)
        cuts = 2, (2, 1, 1), (4, 3, 1)
        compare("GEMM + reduce-scatter", forms_of(serial_scatter, linear_scatter, left, weight, groups, cuts), size.turns)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
