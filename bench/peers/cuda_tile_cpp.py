"""CUDA Tile C++: cuda_tile_gemm.cu and cuda_tile_attention.cu, compiled for sm_90 by nvcc of CUDA 13.3 or newer, and
launched through the driver. A cubin needs no compiler where it runs, so both may be different machines."""

import ctypes
import dataclasses
import functools
import pathlib
import re
import subprocess

from .contestant import Absent

HERE = pathlib.Path(__file__).resolve().parent
FLAGS = ("-std=c++20", "-arch=sm_90", "--enable-tile")
VERSION = "compiler.txt"  # beside the cubins


@dataclasses.dataclass(frozen=True)
class Config:
    """A kernel, tiles of m x n, and what it asks of the compiler: warps that multiply, and CTAs per SM."""

    kernel: str  # "gemm" or "attention"
    m: int
    n: int
    warps: int
    per_sm: int = 1
    k: int = 64
    causal: bool = False

    def name(self):
        words = f"{self.m} x {self.n}" + (f" x {self.k}" if self.kernel == "gemm" else "")
        return f"{words}, {self.warps} warps" + (", two per SM" if self.per_sm > 1 else "")

    def file(self):
        k = f".{self.k}" if self.kernel == "gemm" else ".causal" if self.causal else ".full"
        return f"{self.kernel}.{self.m}x{self.n}{k}.{self.warps}w{self.per_sm}.cubin"

    def source(self):
        return HERE / f"cuda_tile_{self.kernel}.cu"

    def command(self, nvcc, source, target):
        """Makes a cubin of a source, or an object file, as the target is called."""
        macros = {"TILE_M": self.m, "TILE_N": self.n, "WARPS": self.warps, "PER_SM": self.per_sm}
        macros |= {"TILE_K": self.k} if self.kernel == "gemm" else {"CAUSAL": int(self.causal)}
        defined = [f"-D{name}={value}" for name, value in macros.items()]
        kind = "-tilecubin" if target.suffix == ".cubin" else "-c"
        return [nvcc, *FLAGS, *defined, kind, str(source), "-o", str(target)]


# Four warps are what the compiler takes by itself.
GEMMS = (
    Config("gemm", 128, 128, 4),
    Config("gemm", 128, 128, 4, per_sm=2),
    Config("gemm", 128, 128, 8),
    Config("gemm", 128, 128, 4, k=128),
    Config("gemm", 128, 256, 4),
    Config("gemm", 128, 256, 8),
    Config("gemm", 256, 128, 4),
    Config("gemm", 256, 128, 8),
)


def attentions(causal):
    tiles = ((128, 128, 4, 1), (128, 128, 8, 1), (128, 64, 4, 1), (128, 64, 8, 1), (64, 128, 4, 1), (64, 128, 4, 2),
             (64, 64, 4, 2))  # fmt: skip
    return tuple(Config("attention", m, n, warps, per_sm, causal=causal) for m, n, warps, per_sm in tiles)


def why_no_compiler(nvcc):
    """None where `nvcc` compiles tiles, else a sentence."""
    try:
        text = subprocess.run([nvcc, "--help"], capture_output=True, text=True).stdout
    except OSError:
        return f"there is no {nvcc}"
    return None if "--enable-tile" in text else f"{nvcc} has no --enable-tile; CUDA 13.3 is the first that has"


def version_of(nvcc):
    text = subprocess.run([nvcc, "--version"], capture_output=True, text=True).stdout
    return "nvcc " + re.search(r"release [\d.]+, V([\d.]+)", text)[1]


def build(nvcc, folder):
    """All cubins that are not there yet. Prints what the compiler says, as of registers that do not suffice."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / VERSION).write_text(version_of(nvcc) + "\n")
    for config in (*GEMMS, *attentions(False), *attentions(True)):
        target = folder / config.file()
        if not target.is_file():
            run = subprocess.run(config.command(nvcc, config.source(), target), capture_output=True, text=True)
            if run.returncode != 0:
                raise Absent(f"{config.file()} does not compile: {(run.stdout + run.stderr).strip()}")
            for said in re.findall(r"(?:warning|remark)\[\]: (.*)", run.stdout + run.stderr):
                print(f"CUDA Tile C++, {config.kernel}, {config.name()}: the compiler warns: {said}")


def driver():
    library = ctypes.CDLL("libcuda.so.1")

    def call(name, *arguments):
        code = getattr(library, name)(*arguments)
        if code != 0:
            text = ctypes.c_char_p()
            library.cuGetErrorName(code, ctypes.byref(text))
            raise RuntimeError(f"{name}: {(text.value or b'?').decode()}")

    return call


class Kernel:
    """One cubin, in the current context."""

    LOCAL_BYTES, REGISTERS = 3, 4  # CU_FUNC_ATTRIBUTE_*

    def __init__(self, config, folder):
        self._call = driver()
        self._module, self._function = ctypes.c_void_p(), ctypes.c_void_p()
        image = (folder / config.file()).read_bytes()
        self._call("cuModuleLoadData", ctypes.byref(self._module), image)
        self._call("cuModuleGetFunction", ctypes.byref(self._function), self._module, config.kernel.encode())
        self.registers, self.local_bytes = (self._attribute(a) for a in (self.REGISTERS, self.LOCAL_BYTES))

    def _attribute(self, which):
        value = ctypes.c_int()
        self._call("cuFuncGetAttribute", ctypes.byref(value), which, self._function)
        return value.value

    def launch(self, grid, arguments, stream):
        """`arguments` are ctypes' values. How many threads a block has is the cubin's business."""
        pointers = (ctypes.c_void_p * len(arguments))(*(ctypes.addressof(a) for a in arguments))
        sizes = [ctypes.c_uint(n) for n in (*grid, 1, 1, 1, 0)]
        self._call("cuLaunchKernel", self._function, *sizes, ctypes.c_void_p(stream), pointers, None)


def pointers_of(*tensors):
    return [ctypes.c_void_p(t.data_ptr()) for t in tensors]


class Kernels:
    """What of the cubins in a folder loads. Throws Absent where none is there, or the driver takes none."""

    def __init__(self, folder):
        self._folder = folder
        first = folder / GEMMS[0].file()
        if not first.is_file():
            raise Absent(f"there is no {first}; --tile-nvcc makes it")
        self.title = f"CUDA Tile C++ by {(folder / VERSION).read_text().strip()}"
        try:
            self.kernel(GEMMS[0])
        except (OSError, RuntimeError) as error:
            raise Absent(f"the driver does not take {first.name}: {error}") from None

    @functools.cache
    def kernel(self, config):
        return Kernel(config, self._folder)

    def gemm(self, config, one, multiprocessors, stream):
        """Queues C = A B^T of a set of operands."""
        (m, n), k = one.c.shape, one.a.shape[1]
        tiles = -(-m // config.m) * -(-n // config.n)
        blocks = min(tiles, multiprocessors * config.per_sm)
        numbers = [ctypes.c_int(size) for size in (m, n, k)]
        self.kernel(config).launch((blocks, 1, 1), pointers_of(one.a, one.b, one.c) + numbers, stream)

    def attention(self, config, q, k, v, o, scale, stream):
        batch, heads, length, _ = q.shape
        numbers = [ctypes.c_int(length), ctypes.c_float(scale)]
        grid = (length // config.m, batch * heads, 1)
        self.kernel(config).launch(grid, pointers_of(q, k, v, o) + numbers, stream)
