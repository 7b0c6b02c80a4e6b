"""PyTorch, if it is there and new enough: otherwise one sentence that says what to do."""

LEAST = (2, 4)  # the first with torch.library.register_autograd and register_fake


def version_of(text: str) -> tuple[int, int]:
    """(2, 11) of "2.11.0+cu130"."""
    numbers = [part for part in text.replace("+", ".").split(".")[:2] if part.isdigit()]
    return tuple(int(n) for n in numbers) if len(numbers) == 2 else (0, 0)


def need_torch():
    """The module torch, or an ImportError."""
    least = ".".join(map(str, LEAST))
    try:
        import torch
    except ImportError as missing:
        raise ImportError(f"sectile.torch needs PyTorch {least} or newer, and there is none: pip install torch; "
                          "sectile.operators work without it, on NumPy's arrays and whatever speaks DLPack") from missing
    found = getattr(torch, "__version__", "of no version")
    if version_of(str(found)) < LEAST:
        raise ImportError(f"sectile.torch needs PyTorch {least} or newer, this is {found}: pip install -U torch; "
                          "sectile.operators take this one's tensors as they are")
    return torch
