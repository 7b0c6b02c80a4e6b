"""Times of candidates, as bench/timing.hpp takes them: what is timed is the replay of a CUDA graph of many calls on
operands that are not in L2, by events, in turns whose order rotates; a time is the median of the rounds. The stream
that is given has to be the current one."""

import dataclasses
import random
import statistics
import time

import torch

TURN_MS = 20.0
TRIAL_MS = 3.0
HOPELESS = 1.3  # times the fastest, in a trial: such a candidate is tried no more
MOST_CALLS, FEWEST_CALLS = 4000, 3


@dataclasses.dataclass
class Times:
    """Milliseconds of one call."""

    median: float
    fastest: float
    slowest: float
    mhz: float | None = None
    watts: float | None = None


class Replay:
    """Calls of a candidate, recorded once."""

    def __init__(self, candidate, sets, calls, stream):
        self.calls = calls
        self.milliseconds = None  # of all calls, once it has run
        self.graph = torch.cuda.CUDAGraph()
        # (torch.cuda.graph would collect garbage first, which takes longer than a turn)
        self.graph.capture_begin(capture_error_mode="thread_local")
        try:
            for i in range(calls):
                candidate.queue(i % len(sets), stream.cuda_stream)
        finally:
            self.graph.capture_end()

    def queue(self, begin, end):
        begin.record()
        self.graph.replay()
        end.record()


def event_pair():
    return [torch.cuda.Event(enable_timing=True) for _ in range(2)]


def first_call_ms(candidate, stream):
    """A call that has been made before, by itself."""
    begin, end = event_pair()
    for _ in range(2):
        begin.record()
        candidate.queue(0, stream.cuda_stream)
        end.record()
        end.synchronize()
    return begin.elapsed_time(end)


def calls_in(milliseconds, one):
    return max(FEWEST_CALLS, min(MOST_CALLS, round(milliseconds / max(one, 1e-3))))


def turn(replay, gauge=None):
    """Milliseconds of one call in a replay that has run before, and what the gauge reads halfway: clock and power."""
    begin, end = event_pair()
    started = time.perf_counter()
    replay.queue(begin, end)
    reading = (None, None)
    if gauge is not None and replay.milliseconds:
        while time.perf_counter() - started < replay.milliseconds / 2e3:
            pass
        if not end.query():
            reading = gauge.read()
    end.synchronize()
    replay.milliseconds = begin.elapsed_time(end)
    return replay.milliseconds / replay.calls, reading


def contenders(candidates, sets, stream, rounds=3):
    """Of one contestant's candidates those that a short trial leaves, the fastest first: who is far behind after a round
    leaves."""
    if len(candidates) == 1:
        return candidates
    one = min(first_call_ms(c, stream) for c in candidates)
    replays = [Replay(c, sets, calls_in(TRIAL_MS, one), stream) for c in candidates]
    times = {i: [] for i in range(len(candidates))}
    for _ in range(rounds):
        for i in times:
            times[i].append(turn(replays[i])[0])
        least = min(min(t) for t in times.values())
        times = {i: t for i, t in times.items() if min(t) <= HOPELESS * least}
    return [candidates[i] for i in sorted(times, key=lambda i: statistics.median(times[i]))]


def fastest(candidates, sets, stream):
    return contenders(candidates, sets, stream)[0]


def race(candidates, sets, stream, rounds, gauge):
    """Times of all, in their order; all make the same number of calls, and take turns in another order each time."""
    one = first_call_ms(candidates[0], stream)
    trial = Replay(candidates[0], sets, calls_in(TRIAL_MS, one), stream)
    one = min(turn(trial)[0] for _ in range(2))
    replays = [Replay(c, sets, calls_in(TURN_MS, one), stream) for c in candidates]
    for replay in replays:
        turn(replay)
    taken = [[] for _ in candidates]
    for i in range(rounds):
        for who in random.Random(i).sample(range(len(candidates)), len(candidates)):
            taken[who].append(turn(replays[who], gauge))
    return [summary(t) for t in taken]


def summary(taken):
    times = [ms for ms, _ in taken]
    readings = [[r[what] for _, r in taken if r[what] is not None] for what in (0, 1)]
    mhz, watts = (statistics.median(r) if r else None for r in readings)
    return Times(statistics.median(times), min(times), max(times), mhz, watts)
