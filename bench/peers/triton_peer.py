"""Triton as a contestant. Each configuration is compiled and tried in a process of its own first, many side by side:
one that does not compile, does not come to an end or is wrong takes no part."""

import concurrent.futures
import multiprocessing
import os

from .contestant import Absent, Candidate, Contestant
from .problems import KINDS, Problem

TRIAL_SECONDS = 60
TRIAL = (192, 320, 640)
DENSE = ("bf16", "e4m3", "s8")


def tried(kind_name, number):
    """Runs in a process of its own: None if a configuration multiplies as it should, else why not."""
    import torch

    from . import operands, triton_kernel

    problem = Problem(KINDS[kind_name], *TRIAL)
    sets = operands.make_sets(problem)[:1]
    operands.poison(sets)
    config = triton_kernel.CONFIGS[number]
    try:
        views = triton_kernel.descriptors(config, sets[0].a, sets[0].b, sets[0].c)
        triton_kernel.launch(config, views, TRIAL, programs_of(config), kind_name == "s8")
        torch.cuda.synchronize()
    except Exception as error:  # whatever a compiler throws
        return (str(error).strip() or type(error).__name__).split("\n")[0][:120]
    error = operands.Exact(problem, sets).error(0, sets[0])
    return None if error <= problem.kind.bar else f"relative error {error:.1e}"


def programs_of(config):
    import torch

    return torch.cuda.get_device_properties(0).multi_processor_count * config.per_sm


class Triton(Contestant):
    key = "triton"

    def __init__(self, kinds, say):
        try:
            import triton

            from . import triton_kernel
        except ImportError as error:
            raise Absent(f"{error.name or 'Triton'} cannot be imported") from None
        self._kernel = triton_kernel
        self.title = f"Triton {triton.__version__}"
        wanted = [kind.name for kind in kinds if kind.name in DENSE]
        self._right = self._try_all(wanted, say) if wanted else {}

    def _try_all(self, kinds, say):
        cases = [(kind, i) for kind in kinds for i in range(len(self._kernel.CONFIGS))]
        right = {kind: [] for kind in kinds}
        workers = max(1, min(len(cases), (os.cpu_count() or 1) - 2))
        context = multiprocessing.get_context("spawn")
        pool = concurrent.futures.ProcessPoolExecutor(workers, mp_context=context)
        futures = {pool.submit(tried, *case): case for case in cases}
        concurrent.futures.wait(futures, timeout=TRIAL_SECONDS)
        for future, (kind, number) in futures.items():
            why = trial_outcome(future)
            if why is None:
                right[kind].append(number)
            else:
                say(f"Triton, {kind}, {self._kernel.CONFIGS[number].name()}: left out: {why}")
        for process in list((pool._processes or {}).values()):
            process.kill()  # nothing is lost, and one may hang
        pool.shutdown(wait=False, cancel_futures=True)
        if not any(right.values()):
            raise Absent("none of its kernels compiled and was right")
        return right

    def candidates(self, problem, sets):
        shape = (problem.m, problem.n, problem.k)
        is_integer = problem.kind.name == "s8"

        def by(config):
            views = [self._kernel.descriptors(config, s.a, s.b, s.c) for s in sets]
            programs = programs_of(config)
            return lambda i, stream: self._kernel.launch(config, views[i], shape, programs, is_integer)

        configs = [self._kernel.CONFIGS[i] for i in self._right.get(problem.kind.name, ())]
        return [Candidate(config.name(), by(config)) for config in configs]


def trial_outcome(future):
    """None, or why a trial is none."""
    if not future.done():
        return f"not done after {TRIAL_SECONDS} s"
    error = future.exception()
    return str(error) or type(error).__name__ if error else future.result()
