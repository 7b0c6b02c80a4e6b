"""Whether a program's stages suffice, by walking it trip by trip.

The documented rules (docs/design/schedule.md): a use of a fragment waits for the products on it; the first product of a
trip waits for all of earlier trips once it is issued; products that change a fragment's role, or the kind of instruction on an
accumulator, or follow another sparse one, wait for what they depend on. A wait releases the stages that nothing reads any
more. Operands that share a stage share its barrier: before the first of them can be used, the producer must have found
room for all that it loads up to the last of them.
"""
import itertools

import oracle
from program import walk


class walker:
    def __init__(self, p, trips):
        self.p, self.trips = p, trips
        self.ring_of, self.stages, self.members = {}, [], []
        for members, stages in oracle.rings(p):
            for o in members:
                self.ring_of[o] = len(self.stages)
            self.stages.append(stages)
            self.members.append(len(members))
        statements = [s for s, _ in walk(p.body)]
        self.operand_of = {s.name: s.operand for s in statements if s.kind == "load"}
        self.reads_of = dict.fromkeys(self.operand_of, 0)
        for s in statements:
            if s.kind == "read":
                self.reads_of[s.source] += 1
            if s.kind == "product":
                for name in [s.b[0]] + ([s.a[1]] if s.a[0] == "tile" else []):
                    self.reads_of[name] += 1

    def reset(self):
        rings = range(len(self.stages))
        self.begun = [0 for _ in rings]     # stages that loads have begun
        self.released = [0 for _ in rings]
        self.held = [[] for _ in rings]     # oldest first: members still to load, reads still to come, last product
        self.issued = self.complete = self.loads = self.count = 0
        self.last_on = {}                   # fragment -> number of the last product that reads or writes it
        self.products = []                  # (accumulator, left fragment, kind, sparse)
        self.stage_of = {}                  # name of a load -> its stage
        self.trip = self.drained = None
        self.log = []                       # of each load: its ring and stage, and the stages begun so far in all rings

    def wait(self, number):
        self.complete = max(self.complete, number)
        for r, ring in enumerate(self.held):
            while ring and ring[0]["members"] == 0 and ring[0]["reads"] == 0 and ring[0]["last"] <= self.complete:
                ring.pop(0)
                self.released[r] += 1

    def touch(self, fragment):
        if self.last_on.get(fragment, 0) > self.complete:
            self.wait(self.last_on[fragment])

    def load(self, s):
        r = self.ring_of[s.operand]
        ring = self.held[r]
        if not ring or ring[-1]["members"] == 0:
            ring.append({"members": self.members[r], "reads": 0, "last": 0})
            self.begun[r] += 1
        ring[-1]["members"] -= 1
        ring[-1]["reads"] += self.reads_of[s.name]
        self.stage_of[s.name] = ring[-1]
        self.log.append(((r, self.begun[r]), list(self.begun)))
        if self.order is not None and self.blocked is None:
            asked = self.order[self.log[-1][0]]  # stages begun when the last member of this stage is loaded
            for q, begun in enumerate(asked):
                if begun - self.released[q] > self.stages[q]:
                    self.blocked = next(self.p.operands[o].name for o, ring in self.ring_of.items() if ring == q)

    def read(self, name, product):
        stage = self.stage_of[name]
        stage["reads"] -= 1
        stage["last"] = max(stage["last"], product)

    def product(self, s):
        a = s.a[1] if s.a[0] == "fragment" else None
        left = None if a else self.p.operands[self.operand_of[s.a[1]]]
        sparse = left is not None and left.sparse
        kind = (self.p.fragments[a][0] if a else left.type, self.p.operands[self.operand_of[s.b[0]]].type, sparse)
        needed = 0
        for number, (acc, before, other, was_sparse) in enumerate(self.products, 1):
            if (acc == s.name and other != kind) or (a and acc == a) or (before and before == s.name) or (sparse and was_sparse):
                needed = number
        if needed > self.complete:
            self.wait(needed)
        older = self.issued
        self.issued += 1
        self.products.append((s.name, a, kind, sparse))
        self.last_on[s.name] = self.issued
        if a:
            self.last_on[a] = self.issued
        else:
            self.read(s.a[1], self.issued)
        self.read(s.b[0], self.issued)
        if self.trip is not None and self.trip != self.drained:
            self.drained = self.trip
            if older > self.complete:
                self.wait(older)

    def new_or_old(self, s, declared):
        if s.form == "=":
            self.touch(s.name)
        else:
            declared.append(s.name)

    def run(self, body, depth=0):
        declared = []
        for s in body:
            if s.kind == "loop":
                for _ in range(self.trips[s.name]):
                    self.count += 1
                    outer, self.trip = self.trip, self.count
                    self.run(s.body, depth + 1)
                    self.trip = outer
            elif s.kind == "load":
                self.load(s)
            elif s.kind == "read":
                self.read(s.source, 0)
                self.new_or_old(s, declared)
            elif s.kind == "product":
                if s.form == "new":
                    declared.append(s.name)
                self.product(s)
            elif s.kind == "cast":
                self.touch(s.source)
                self.new_or_old(s, declared)
            elif s.kind == "use":
                for fragment in s.uses:
                    self.touch(fragment)
        for name in reversed(declared if depth else []):  # the end of their lives
            self.touch(name)
            self.last_on.pop(name, None)

    def first_blocked(self):
        self.order = self.blocked = None
        self.reset()
        self.run(self.p.body)
        self.order = dict(self.log)  # the last load of a stage is the one that stays
        self.reset()
        self.run(self.p.body)
        return self.blocked


def may_block(p):
    """An operand whose stages do not suffice in some run of few trips, or None. A stagger asks for stages of its own."""
    if p.how.stagger:
        return "stagger"
    loops = [s.name for s, _ in walk(p.body) if s.kind == "loop"]
    for trips in itertools.product(range(4 if len(loops) == 1 else 3), repeat=len(loops)):
        if blocked := walker(p, dict(zip(loops, trips))).first_blocked():
            return blocked
    return None
