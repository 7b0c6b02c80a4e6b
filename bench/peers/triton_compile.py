"""`triton_compile.py gemm`, or attention: compiles that kernel for sm_90 as a launch does, without a GPU and, where
TRITON_CACHE_DIR is empty, anew. `import` stops before that: it is what Triton itself costs."""

import importlib
import pathlib
import sys

sys.path[0] = str(pathlib.Path(__file__).resolve().parents[1])


def gemm():
    kernel = importlib.import_module("peers.triton_kernel")
    config = kernel.CONFIGS[0]
    k = config.spans * 64
    tiles = {"a": (config.m, k), "b": (config.n, k), "c": (config.m, config.n // config.halves)}
    constants = {"BM": config.m, "BN": config.n, "BK": k, "GROUP": config.group, "PROGRAMS": 132,
                 "HALVES": config.halves, "SUM": kernel.tl.float32, "OUT": kernel.tl.bfloat16, "SPECIALIZED": False,
                 "SWAPPED": False, "OVERLAP": kernel.OVERLAPS}  # fmt: skip
    others = {"raw_c": "*bf16", "m": "i32", "n": "i32", "k": "i32"}
    return kernel.multiply, config, tiles, others, constants


def attention():
    kernel = importlib.import_module("peers.triton_attention")
    config = kernel.CONFIGS[0]
    tiles = {"q": (config.m, 128), "k": (config.n, 128), "v": (config.n, 128), "o": (config.m, 128)}
    constants = {"BM": config.m, "BN": config.n, "D": 128, "CAUSAL": False}
    return kernel.attend, config, tiles, {"length": "i32", "scale": "fp32"}, constants


def compiled(function, config, tiles, others, constants):
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    of = {name: f"tensordesc<bf16[{rows}, {cols}]>" for name, (rows, cols) in tiles.items()}
    signature = {name: (of | others).get(name, "constexpr") for name in function.arg_names}
    source = ASTSource(function, signature, constexprs=constants)
    options = {"num_warps": config.warps, "num_stages": config.stages}
    return triton.compile(source, target=GPUTarget("cuda", 90, 32), options=options)


if __name__ == "__main__":
    importlib.import_module("triton")
    if sys.argv[1] != "import":
        made = compiled(*{"gemm": gemm, "attention": attention}[sys.argv[1]]())
        print(made.metadata.name, made.metadata.num_warps, "warps,", made.metadata.shared, "bytes of shared memory")
