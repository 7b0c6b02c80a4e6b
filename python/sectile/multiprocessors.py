"""How many of a GPU's SMs kernels take."""

from . import _binding


class multiprocessors:
    """`with multiprocessors(116):` persistent kernels that this thread calls take so many SMs at most, and leave the
    others to what runs beside them on another stream; 0: as many as there are. It changes nothing on the model, and
    nothing for kernels that are not persistent: those make room as each of their CTAs ends."""

    def __init__(self, most: int):
        self.most = most

    def __enter__(self):
        self._before = _binding.hold(self.most)
        return self

    def __exit__(self, *_):
        _binding.hold(self._before)
