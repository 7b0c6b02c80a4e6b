import sys
import types
import unittest.mock

import kit

kit.pretend_torch()
sys.modules["torch"].cuda.synchronize = lambda: None
from peers import measure, problems, race  # noqa: E402
from peers.contestant import Candidate, Contestant  # noqa: E402

PROBLEM = problems.Problem(problems.KINDS["bf16"], 64, 64, 64)
STREAM = types.SimpleNamespace(cuda_stream=0)


class Pretender(Contestant):
    """Whose candidates leave an error of their own in C, or fail."""

    def __init__(self, key, *errors):
        self.key, self.title, self._errors, self.closed = key, key.title(), errors, False

    def candidates(self, problem, sets):
        def by(error):
            def queue(i, stream):
                if isinstance(error, Exception):
                    raise error
                sets[i].c = error

            return queue

        if self._errors == ("opening",):
            raise RuntimeError("not of this size\nat all")
        return [Candidate(f"{self.key} {i}", by(e)) for i, e in enumerate(self._errors)]

    def close(self):
        self.closed = True


class Exact:
    def __init__(self, problem, sets):
        pass

    def error(self, i, one):
        return one.c


def raced(chosen, sets, exact, stream, rounds, gauge):
    return [measure.Entry(contestant.key, candidate.name, count, race.Times(1.0, 1.0, 1.0), 0.0, 0.0)
            for contestant, count, candidate in chosen]  # fmt: skip


class Measure(kit.unittest.TestCase):
    def setUp(self):
        sets = [types.SimpleNamespace(a=None, b=None, c=None)]
        operands = types.SimpleNamespace(make_sets=lambda problem: sets, poison=lambda s: None, Exact=Exact,
                                         difference=lambda x, y: abs(x - y))  # fmt: skip
        for target, name, to in ((measure, "operands", operands), (measure, "raced", raced),
                                 (race, "fastest", lambda candidates, *rest: candidates[0])):  # fmt: skip
            patch = unittest.mock.patch.object(target, name, to)
            patch.start()
            self.addCleanup(patch.stop)

    def measured(self, ours, *peers):
        return measure.measure(PROBLEM, ours, peers, STREAM, 1, None)

    def test_what_fails_or_is_wrong_takes_no_part_and_is_said(self):
        peer = Pretender("peer", 0.5, RuntimeError("out of memory\nand more"), 1e-4, float("nan"))
        outcome = self.measured(Pretender("ours", 1e-4), peer)
        self.assertEqual([(e.choice, e.candidates) for e in outcome.peers], [("peer 2", 1)])
        self.assertEqual(len(outcome.remarks), 3)
        self.assertIn("Peer, bf16 64x64x64, peer 0: WRONG, relative error 5.0e-01", outcome.remarks)
        self.assertIn("Peer, bf16 64x64x64, peer 1: out of memory", outcome.remarks)
        self.assertTrue(peer.closed)

    def test_a_peer_without_a_kernel_or_of_another_size_is_no_failure(self):
        outcome = self.measured(Pretender("ours", 1e-4), Pretender("none"), Pretender("other", "opening"))
        self.assertEqual(outcome.peers, [])
        self.assertEqual(outcome.remarks, ["Other, bf16 64x64x64: not of this size"])

    def test_ours_has_to_be_right(self):
        peer = Pretender("peer", 1e-4)
        with self.assertRaisesRegex(RuntimeError, "no kernel of ours: .*WRONG"):
            self.measured(Pretender("ours", 1.0), peer)
        self.assertTrue(peer.closed)


if __name__ == "__main__":
    kit.unittest.main()
