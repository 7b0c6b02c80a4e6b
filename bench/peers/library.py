"""Contestants behind C functions (c_interface.cpp), a shared library each: Sectile, cuBLASLt, cuSPARSELt, CUTLASS."""

import ctypes

from .contestant import Absent, Candidate, Contestant

POINTER, INT, LONG, TEXT = ctypes.c_void_p, ctypes.c_int, ctypes.c_int64, ctypes.c_char_p


def opened(path, functions, at_least=()):
    """A shared library whose functions have those types: name, result, arguments. Throws Absent. `at_least`: libraries
    that have to be loaded first, where the system does not find them by itself."""
    if not path.is_file():
        raise Absent(f"there is no {path}")
    try:
        for file in at_least:
            ctypes.CDLL(str(file), mode=ctypes.RTLD_GLOBAL)
        library = ctypes.CDLL(str(path))
    except OSError as error:
        raise Absent(f"{path.name} cannot be loaded: {error}") from None
    for name, result, *arguments in functions:
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


class Library(Contestant):
    FUNCTIONS = (
        ("peer_library", TEXT),
        ("peer_open", TEXT, INT, LONG, LONG, LONG, ctypes.POINTER(POINTER)),
        ("peer_close", None, POINTER),
        ("peer_candidates", INT, POINTER),
        ("peer_candidate", TEXT, POINTER, INT),
        ("peer_left", TEXT, POINTER, POINTER, POINTER, POINTER, POINTER, ctypes.POINTER(POINTER)),
        ("peer_run", TEXT, POINTER, INT, POINTER, POINTER, POINTER, POINTER),
    )

    def __init__(self, key, path, at_least=()):
        self.key = key
        self._products = []
        self._functions = opened(path, self.FUNCTIONS, at_least)
        self.title = self._functions.peer_library().decode()

    def _call(self, name, *arguments):
        why = getattr(self._functions, name)(*arguments)
        if why is not None:
            raise RuntimeError(why.decode())

    def candidates(self, problem, sets):
        import torch

        product = POINTER()
        kind = problem.kind
        self._call("peer_open", kind.number, problem.m, problem.n, problem.k, ctypes.byref(product))
        if not product.value:
            return []
        self._products.append(product)
        stream = torch.cuda.current_stream().cuda_stream
        lefts = []
        for one in sets:
            left = POINTER()
            pointers = (one.a.data_ptr(), one.b.data_ptr(), one.c.data_ptr())
            self._call("peer_left", product, *pointers, stream, ctypes.byref(left))
            lefts.append(left)

        def by(number):
            run = self._functions.peer_run

            def queue(i, stream):
                why = run(product, number, lefts[i], sets[i].b.data_ptr(), sets[i].c.data_ptr(), stream)
                if why is not None:
                    raise RuntimeError(why.decode())

            return queue

        count = self._functions.peer_candidates(product)
        return [Candidate(self._functions.peer_candidate(product, i).decode(), by(i)) for i in range(count)]

    def close(self):
        while self._products:
            self._functions.peer_close(self._products.pop())
