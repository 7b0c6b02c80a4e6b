"""A whole random program: one to three parts that add into one accumulator, an epilogue, a configuration."""
import oracle
from parts import M, N, NONE, SUMS, parts
from program import configuration, operand, program, statement, walk


class composer(parts):
    def configuration(self):
        r = self.r
        s = configuration(stages=r.choice([2, 2, 3, 3, 4, 5] if self.small else [1, 2, 3, 4, 4, 5, 6, 8, 12]),
                          consumers=self.consumers, persistent=self.chance(0.35), group=r.choice([8, 8, 1, 2, 3]),
                          reversed=self.chance(0.15))
        s.rows, s.cols = r.choice([(1, 1)] * 5 + [(2, 1), (2, 1), (1, 2), (2, 2), (4, 1), (1, 4), (2, 4), (3, 1), (1, 3)])
        if self.chance(0.08):
            s.stagger = r.randrange(0, 2 if self.small else s.stages + 1)
        if self.consumers > 1 and not s.stagger and self.chance(0.08):
            s.pingpong = True
        if s.persistent and self.chance(0.4):
            s.dynamic = True
        if not s.persistent and self.slip(0.05):
            s.dynamic = True
        if self.slip():
            s.stages = r.choice([0, 17, 20])
        if self.slip(0.1):
            s.rows, s.cols = r.choice([(16, 1), (3, 3), (0, 1), (1, 9), (8, 2)])
        if self.slip(0.05):
            s.group = r.choice([0, -1, 5000])
        if self.slip(0.05):
            s.stagger = r.choice([-1, s.stages + 1])
        return s

    def compose(self):
        r = self.r
        self.consumers = r.choice([1, 1, 2, 2, 2, 2, 3, 4] if self.small else [1, 1, 2, 2, 2, 2, 3, 3, 4, 5, 6, 7])
        blocks = 1 if self.small or self.consumers > 3 else r.choice([1, 1, 1, 2, 3])
        self.m = 64 * self.consumers * blocks
        if self.slip():
            self.m = r.choice([32, 64, 96, 128, 192, 200, 256])
        self.batch = self.chance(0.15)
        self.k_modes = list("KLPQRSTUVWXYZ")[::-1]
        self.n_mode = "N"
        d = r.choice(["float", "float", "float", "f16", "s32"])
        self.n = self.pick_n(d)
        acc = "acc"
        self.fragments[acc] = (d, self.m, self.n)
        body = [statement("new", name=acc, type=d)]
        family = []
        for _ in range(r.choice([1, 1, 1, 1, 2, 2, 3])):
            part = r.choice(["k_loop"] * 6 + ["gram", "chain", "chain", "outside", "nested", "fresh", "unrolled", "lookahead",
                                              "scores_ahead", "gate", "copied"])
            if part == "gram" and (self.m > 256 or not oracle.has_n(SUMS[d][0][0], self.m) or len(family)):
                part = "k_loop"
            if part == "gram":
                self.n, self.n_mode = self.m, "M'"
                self.fragments[acc] = (d, self.m, self.n)
            if len(self.operands) > 4:
                break
            new = getattr(self, part)(acc, d)
            body += new if isinstance(new, list) else [new]
            family.append(part)
        out = self.epilogue(body, acc, d)
        c = operand("C", (["G"] if self.batch else []) + ["M", self.n_mode], out, ([1] if self.batch else []) + [self.m, self.n],
                    kind="output")
        if self.slip(0.04):
            c.order = "col_major"
        self.add(c)
        p = program(self.operands, self.configuration(), body, self.fragments, "+".join(family))
        self.drop_unused(p)
        if not self.batch:
            for o in p.operands:
                if o.kind == "input" and len(o.tile) == 3:
                    raise ValueError("batch")
        if oracle.turns(p) is None:
            p.how.pingpong = False
        p.how.tile = self.tile_of(p.operands)
        self.spoil(p)
        if not self.mistake_made and self.chance(0.85):
            self.repair(p)
        return p

    def tile_of(self, operands):
        """The extents of the modes, in any order. M' has that of M, which need not be said again; batches have 1."""
        extents = {}
        if any("G" in o.modes and o.tile[0] != 1 for o in operands):  # a mistake
            for o in operands:
                if "G" in o.modes:
                    o.tile[0] = 2
        for o in operands:
            for mode, extent in zip(o.modes, o.tile):
                if extents.setdefault(mode, extent) != extent:
                    raise ValueError(f"two extents of {mode}")
        if extents.get("G") == 1 and self.chance(0.8):
            del extents["G"]
        if "M'" in extents and self.chance(0.8):
            del extents["M'"]
        tile = list(extents.items())
        if len(tile) > 8:
            raise ValueError("a tile has 8 extents")
        self.r.shuffle(tile)
        return tile

    @staticmethod
    def drop_unused(p):
        """Operands that a discarded draw has left behind."""
        loads = [s for s, _ in walk(p.body) if s.kind == "load"]
        used = {s.operand for s in loads} | {i for i, o in enumerate(p.operands) if o.kind != "input"}
        place = {old: new for new, old in enumerate(sorted(used))}
        p.operands = [p.operands[i] for i in sorted(used)]
        for s in loads:
            s.operand = place[s.operand]

    def repair(self, p):
        """Fewer stages and smaller clusters, until the program fits."""
        if oracle.clusters(p):
            p.how.rows, p.how.cols = self.r.choice([(2, 1), (1, 2), (1, 1)])
        if oracle.clusters(p):
            p.how.rows = p.how.cols = 1
        while p.how.stages > 2 and oracle.shared_memory(p) > oracle.SHARED_LIMIT:
            p.how.stages -= 1
        p.how.stagger = min(p.how.stagger, p.how.stages)

    def epilogue(self, body, acc, d):
        r = self.r
        if d == "float":
            for _ in range(r.choice([0, 0, 1, 2])):
                kind = r.randrange(8)
                if kind == 0:
                    text = f"{acc} = {acc} * 2.0f;"
                elif kind == 1:
                    text = f"{acc} = map({acc}, [](float v) {{ return v > 0.0f ? v : 0.0f; }});"
                elif kind == 2:
                    text = self.mask(acc)
                elif kind == 3:
                    text = f"{acc} = {acc} + {acc} * select(n % 2 == 0, 1.0f, 3.0f);"
                elif kind in (6, 7) and len(self.operands) < 6:
                    text = self.scaled(acc, self.scalar("float"))
                elif kind == 4 and len(self.operands) < 6:
                    self.residual(body, acc)
                    continue
                else:
                    text = f"{acc} -= {acc} * 3.0f;"
                body.append(statement("use", text=text, uses=[acc]))
            out = r.choice(["float", "bf16", "f16"])
            if out != "float" and self.chance(0.2):
                y = self.name("y")
                self.fragments[y] = (out, self.m, self.n)
                body.append(statement("cast", name=y, source=acc, type=out))
                acc = y
        elif self.chance(0.3):
            y = self.name("y")
            self.fragments[y] = ("float", self.m, self.n)
            body.append(statement("cast", name=y, source=acc, type="float"))
            acc, out = y, r.choice(["float", "bf16", "f16"])
        else:
            out = d
        body.append(statement("store", source=acc))
        return out

    def mask(self, acc):
        """Which elements are hidden, and whether any is, may depend on what is known when the kernel runs."""
        r = self.r
        needed = r.choice(["true, ", "", "m % 2 == 0, ", 'as<"M">(n) <= m, '])
        if needed == "" and len(self.operands) < 6 and self.chance(0.5):
            needed = self.scalar("bool") + ", "
        visible = r.choice(["[](int row, int col) { return col <= row; }",
                            f'[cols = size<"{self.n_mode}">(C)](int row, int col) {{ return col < cols - 1 || col <= row; }}',
                            "[at = m](int row, int col) { return col <= row || at > 0; }"])
        return f"mask({acc}, {{m, n}}, {needed}{visible}, -1.0f);"

    def scaled(self, acc, x):
        return self.r.choice([f"{acc} = {acc} * {x};", f"{acc} = {x} * {acc};", f"{acc} *= {x};",
                              f"{acc} = map({acc}, {x}, [](float v, float by) {{ return v * by + 1.0f; }});",
                              f"{acc} = map({acc}, [=](float v) {{ return v * {x} - 1.0f; }});",
                              f"{acc} = map({acc}, [=](float v) {{ return select(v > 0.0f && {x} > 1, v, {x}); }});",
                              f"{acc} -= {acc} * max({x} - 1, 0);"])

    def residual(self, body, acc):
        """acc += R, a tile that no product reads."""
        type_name = self.r.choice(["bf16", "f16"])
        order = self.r.choice(["row_major", "col_major"])
        number = self.add(operand(self.name("R"), ["M", self.n_mode], type_name, [self.m, self.n], order))
        load = self.load(number, ("m", M), ("n", N), False)
        x = self.name("r")
        self.fragments[x] = (type_name, self.m, self.n)
        body += [load, statement("read", name=x, source=load.name, type=type_name),
                 statement("use", text=f"{acc} += cast<float>({x});", uses=[acc, x])]

    def spoil(self, p):
        """Mistakes of the text."""
        if not self.slip(0.25):
            return
        kind = self.r.randrange(6)
        store = p.body[-1]
        if kind == 0:
            p.body.append(statement("store", source=store.source))
        elif kind == 1:
            store.coordinates = [("n + 1", N)]
        elif kind == 2:
            loop = next((s for s in p.body if s.kind == "loop"), None)
            if loop:
                loop.body.append(statement("raw", text="break;"))
        elif kind == 3:
            p.body.insert(1, statement("load", name="unread", operand=0, coordinates=[("0", NONE)] * len(p.operands[0].tile))
                          if p.operands[0].kind == "input" else statement("raw", text="return;"))
        elif kind == 4:
            loop = next((s for s in p.body if s.kind == "loop"), None)
            if loop:
                loop.body.append(statement("store", source="acc"))
        else:
            p.how.tile.append(self.r.choice([("Y", 64), ("N'", 64), p.how.tile[0], (p.how.tile[0][0], 64)]))


def make(seed, small=False, mistakes=0.33):
    """Program number `seed` with the oracle's word; None where the draw leads nowhere."""
    draw = composer(seed, small, mistakes)
    try:
        p = draw.compose()
    except (ValueError, IndexError):
        return None
    if len(p.operands) > 8 or not any(s.kind == "product" for s, _ in walk(p.body)):
        return None
    why = oracle.why_illegal(p)
    if why and not draw.mistake_made and draw.chance(0.8):
        return None  # too large, mostly; enough of these are left
    return p, why
