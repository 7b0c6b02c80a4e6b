"""One problem by all contestants: whose candidates are right, which of them is fastest, and the race of those."""

import dataclasses

import torch

from . import operands, race


@dataclasses.dataclass
class Entry:
    """A contestant's part in a problem."""

    key: str
    choice: str  # its fastest candidate
    candidates: int  # of so many that were right
    times: race.Times
    error: float  # against float64, on some rows
    difference: float  # from our result, in all elements


@dataclasses.dataclass
class Outcome:
    problem: object
    ours: Entry
    peers: list[Entry]
    remarks: list[str]

    def is_right(self):
        return all(e.error <= self.problem.kind.bar and e.difference <= self.problem.kind.bar
                   for e in [self.ours, *self.peers])  # fmt: skip

    def ratio(self, entry):
        return entry.times.median / self.ours.times.median

    def best_peer(self):
        return min(self.peers, key=lambda e: e.times.median, default=None)


def settled(candidate, sets, stream):
    """The candidate's results are in all sets."""
    operands.poison(sets)
    for i in range(len(sets)):
        candidate.queue(i, stream.cuda_stream)
    torch.cuda.synchronize()


def right_candidates(contestant, problem, sets, exact, stream, remarks):
    """Those that run and compute what they should."""
    right = []
    for candidate in contestant.candidates(problem, sets):
        try:
            operands.poison(sets[:1])
            candidate.queue(0, stream.cuda_stream)
            torch.cuda.synchronize()
        except Exception as error:  # a compiler's, a launch's, a library's
            why = (str(error).strip() or type(error).__name__).split("\n")[0][:120]
            remarks.append(f"{contestant.title}, {problem.name}, {candidate.name}: {why}")
            continue
        error = exact.error(0, sets[0])
        if error <= problem.kind.bar:
            right.append(candidate)
        else:
            remarks.append(f"{contestant.title}, {problem.name}, {candidate.name}: WRONG, relative error {error:.1e}")
    return right


def measure(problem, ours, peers, stream, rounds, gauge):
    """None where we have no kernel of these types. What was left out is among the remarks."""
    sets = operands.make_sets(problem)
    exact = operands.Exact(problem, sets)
    remarks = []
    chosen = []
    try:
        for contestant in (ours, *peers):
            try:
                right = right_candidates(contestant, problem, sets, exact, stream, remarks)
            except RuntimeError as error:  # of opening a product of this size
                remarks.append(f"{contestant.title}, {problem.name}: {str(error).splitlines()[0]}")
                continue
            if right:
                chosen.append((contestant, len(right), race.fastest(right, sets, stream)))
        if not chosen or chosen[0][0] is not ours:
            raise RuntimeError(f"{problem.name}: no kernel of ours: {'; '.join(remarks)}")
        entries = raced(chosen, sets, exact, stream, rounds, gauge)
    finally:
        for contestant in (ours, *peers):
            contestant.close()
    return Outcome(problem, entries[0], entries[1:], remarks)


def raced(chosen, sets, exact, stream, rounds, gauge):
    times = race.race([candidate for _, _, candidate in chosen], sets, stream, rounds, gauge)
    entries = []
    for (contestant, count, candidate), t in zip(chosen, times):
        settled(candidate, sets, stream)
        last = len(sets) - 1
        error = max(exact.error(i, sets[i]) for i in {0, last})
        if not entries:
            our_result = sets[0].c.clone()
        difference = operands.difference(sets[0].c, our_result)
        entries.append(Entry(contestant.key, candidate.name, count, t, error, difference))
    return entries
