"""Another system's kernels of attention behind C functions (attentions.cpp), for bf16 and heads of 128 elements."""

from .contestant import Candidate
from .library import INT, POINTER, TEXT, opened


class Attentions:
    FUNCTIONS = (
        ("attentions_library", TEXT),
        ("attentions_count", INT, INT),
        ("attentions_name", TEXT, INT, INT),
        ("attentions_run", TEXT, INT, INT, *(POINTER,) * 5, INT, INT, INT, POINTER),
    )

    def __init__(self, path):
        """Throws Absent."""
        self._functions = opened(path, self.FUNCTIONS)
        self.title = self._functions.attentions_library().decode()

    def candidates(self, causal, sets, sums):
        """queue(i, stream) of each returns the o of `sets`[i], which is (q, k, v, o). `sums`: a tensor of a float for
        each row, which kernels may write."""

        def by(which):
            def queue(i, stream):
                pointers = [tensor.data_ptr() for tensor in (*sets[i], sums)]
                batch, heads, length, _ = sets[i][0].shape
                why = self._functions.attentions_run(causal, which, *pointers, batch, heads, length, stream)
                if why is not None:
                    raise RuntimeError(why.decode())
                return sets[i][3]

            return queue

        count = self._functions.attentions_count(causal)
        return [Candidate(self._functions.attentions_name(causal, i).decode(), by(i)) for i in range(count)]
