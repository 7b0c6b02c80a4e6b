import types
import unittest.mock

import kit

kit.pretend_torch()
from peers import race  # noqa: E402
from peers.contestant import Candidate  # noqa: E402


class PretendedReplay:
    """Whose turns take what its candidate's name says."""

    made = []

    def __init__(self, candidate, sets, calls, stream):
        self.milliseconds, self.calls, self.turns = float(candidate.name), calls, 0
        PretendedReplay.made.append(self)


def turn(replay, gauge=None):
    replay.turns += 1
    return replay.milliseconds, gauge.read() if gauge else (None, None)


class Race(kit.unittest.TestCase):
    def setUp(self):
        PretendedReplay.made = []
        for name, to in (("Replay", PretendedReplay), ("turn", turn),
                         ("first_call_ms", lambda candidate, stream: float(candidate.name))):  # fmt: skip
            patch = unittest.mock.patch.object(race, name, to)
            patch.start()
            self.addCleanup(patch.stop)

    def candidates(self, *milliseconds):
        return [Candidate(str(ms), None) for ms in milliseconds]

    def test_who_is_far_behind_is_tried_once(self):
        left = race.contenders(self.candidates(1.2, 1.0, 5.0), [0], None, rounds=3)
        self.assertEqual([one.name for one in left], ["1.0", "1.2"])
        self.assertEqual([r.turns for r in PretendedReplay.made], [3, 3, 1])

    def test_a_single_candidate_needs_no_trial(self):
        self.assertEqual(race.fastest(self.candidates(7.0), [0], None).name, "7.0")
        self.assertEqual(PretendedReplay.made, [])

    def test_all_make_as_many_calls_and_turns(self):
        gauge = types.SimpleNamespace(read=lambda: (1500.0, 650.0))
        times = race.race(self.candidates(0.5, 4.0), [0], None, 5, gauge)
        self.assertEqual([t.median for t in times], [0.5, 4.0])
        self.assertEqual((times[0].mhz, times[1].watts), (1500.0, 650.0))
        raced = PretendedReplay.made[-2:]
        self.assertEqual({r.calls for r in raced}, {race.calls_in(race.TURN_MS, 0.5)})
        self.assertEqual({r.turns for r in raced}, {6})  # one before the rounds

    def test_calls_fill_a_turn_within_bounds(self):
        self.assertEqual(race.calls_in(20, 1.0), 20)
        self.assertEqual(race.calls_in(20, 100.0), race.FEWEST_CALLS)
        self.assertEqual(race.calls_in(20, 0.0), race.MOST_CALLS)

    def test_what_nobody_read_is_none(self):
        summary = race.summary([(3.0, (None, None)), (1.0, (1400.0, None)), (2.0, (1500.0, None))])
        self.assertEqual((summary.median, summary.fastest, summary.slowest), (2.0, 1.0, 3.0))
        self.assertEqual((summary.mhz, summary.watts), (1450.0, None))


if __name__ == "__main__":
    kit.unittest.main()
