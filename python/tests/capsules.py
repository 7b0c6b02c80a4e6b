"""Tensors that no library makes: a DLPack capsule with whatever is said of it."""

import ctypes

FLOAT, BFLOAT, CPU, CUDA, HOST = 2, 4, 1, 2, 3


class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", ctypes.c_int32 * 2), ("rank", ctypes.c_int32),
                ("kind", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("extent", ctypes.POINTER(ctypes.c_int64)), ("stride", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]  # fmt: skip


class Versioned(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32 * 2), ("context", ctypes.c_void_p), ("release", ctypes.c_void_p),
                ("flags", ctypes.c_uint64), ("tensor", Tensor)]  # fmt: skip


new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype, new_capsule.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)


class Told:
    """Speaks DLPack, as CuPy's arrays do, of memory at ADDRESS."""

    def __init__(self, address, shape, stride=None, device=(CPU, 0), kind=FLOAT, bits=16, lanes=1, version=(1, 0),
                 read_only=False, made_like=None):
        numbers = ctypes.c_int64 * len(shape)
        self.shape, self.device, self.made_like = tuple(shape), device, made_like
        self.kept = numbers(*shape), numbers(*stride) if stride else None
        tensor = Tensor(address, (ctypes.c_int32 * 2)(*device), len(shape), kind, bits, lanes, self.kept[0],
                        self.kept[1], 0)
        self.told = Versioned((ctypes.c_uint32 * 2)(*version), None, None, int(read_only), tensor)

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, stream=None, max_version=None):
        return new_capsule(ctypes.addressof(self.told), b"dltensor_versioned", None)
