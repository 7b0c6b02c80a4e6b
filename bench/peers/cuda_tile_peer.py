"""CUDA Tile as a contestant: the packages cuda-tile and nvidia-cuda-tileiras, from version 13.3 of the latter on, which
is the first that compiles for Hopper."""

import importlib.metadata

from .contestant import Absent, Candidate, Contestant

DENSE = ("bf16", "e4m3", "s8")


class CudaTile(Contestant):
    key = "cuda_tile"

    def __init__(self, multiprocessors):
        try:
            from . import cuda_tile_kernel
        except ImportError as error:
            raise Absent(f"{error.name or 'cuda.tile'} cannot be imported") from None
        self._kernel = cuda_tile_kernel
        self._multiprocessors = multiprocessors
        self.title = f"CUDA Tile {importlib.metadata.version('cuda-tile')}"
        self._kernels = [cuda_tile_kernel.kernel_of(config) for config in cuda_tile_kernel.CONFIGS]
        self._try_one()

    def _try_one(self):
        """Whether there is a compiler, it knows this GPU, and the driver takes what it makes."""
        import torch

        from . import operands
        from .problems import KINDS, Problem

        problem = Problem(KINDS["bf16"], 256, 256, 256)
        try:
            for candidate in self.candidates(problem, operands.make_sets(problem)[:1])[4:5]:
                candidate.queue(0, torch.cuda.current_stream().cuda_stream)
            torch.cuda.synchronize()
        except Exception as error:  # whatever a compiler throws
            why = (str(error).strip() or type(error).__name__).split("\n")[0]
            raise Absent(f"its kernel does not run here: {why[:160]}") from None

    def candidates(self, problem, sets):
        import torch

        if problem.kind.name not in DENSE:
            return []
        stream = torch.cuda.current_stream()

        def by(config, kernel):
            return lambda i, _: self._kernel.launch(config, kernel, sets[i], stream, self._multiprocessors)

        pairs = zip(self._kernel.CONFIGS, self._kernels)
        return [Candidate(config.name(), by(config, kernel)) for config, kernel in pairs]
