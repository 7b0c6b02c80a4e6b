"""Parts of random programs: products of random types, tiles, storage orders and sources, in loops or outside of them.

At most one deliberate mistake is made in a program; whether it is one is for the oracle to say.
"""
import random

import oracle
from program import BITS, BYTES, FLOATS, SPANS, metadata_columns, operand, statement

SUMS = {  # accumulator -> pairs of factors
    "float": [("f16", "f16"), ("bf16", "bf16"), ("tf32", "tf32"), ("e4m3", "e4m3"), ("e4m3", "e5m2"), ("e5m2", "e4m3"),
              ("e5m2", "e5m2")],
    "f16": [("f16", "f16"), ("e4m3", "e4m3"), ("e4m3", "e5m2"), ("e5m2", "e4m3"), ("e5m2", "e5m2")],
    "s32": [("s8", "s8"), ("s8", "u8"), ("u8", "s8"), ("u8", "u8"), ("b1x8", "b1x8")],
}
ANY_TYPE = ["f16", "bf16", "tf32", "e4m3", "e5m2", "s8", "u8", "b1x8"]
NONE = frozenset()
M, N = frozenset("m"), frozenset("n")


class parts:
    def __init__(self, seed, small, mistakes):
        self.r = random.Random(seed)
        self.small = small
        self.mistake = self.r.random() < mistakes
        self.mistake_made = False
        self.operands, self.fragments = [], {}
        self.seen = []  # left factors of loops: operand, transposed, type, K of the tile, mode
        self.names = 0

    # ---- small choices
    def chance(self, p):
        return self.r.random() < p

    def slip(self, p=0.12):
        """Whether to make the mistake here; only one is made."""
        if self.mistake and self.chance(p):
            self.mistake, self.mistake_made = False, True
            return True
        return False

    def name(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    def pick_n(self, types):
        if self.slip():
            return self.r.choice([4, 12, 20, 40, 56, 72, 100, 248, 264, 272, 512])
        if self.small:
            return self.r.choice([8, 16, 24, 32, 48, 64, 96] + ([40, 56] if types in ("float", "f16") else []))
        n = self.r.choice([8, 16, 24, 32, 48, 64, 96, 128, 160, 192, 224, 240, 256, self.r.randrange(1, 33) * 8])
        return n if types in ("float", "f16") or n in (8, 24) or n % 16 == 0 else n // 16 * 16

    def pick_k(self, a, b, sparse, wide):
        """Elements along K of a tile: whole instructions, as a rule."""
        if self.slip():
            return self.r.choice([4, 8, 12, 20, 24, 40, 48, 56, 96, 144, 192])
        step = max(oracle.instruction_k(a, sparse), oracle.instruction_k(b, False))
        if sparse:
            step = max(step, metadata_columns(a))
        most = (2 if sparse else 4) if self.small else (4 if sparse else 8)
        count = self.r.choice([1, 2, 4, self.r.randrange(1, most + 1)])
        if wide and not self.small and self.chance(0.15):  # long along the strided mode: many boxes
            count = self.r.randrange(8, 48)
        return step * count

    # ---- operands
    def add(self, o):
        self.operands.append(o)
        return len(self.operands) - 1

    def matrix(self, prefix, row_mode, col_mode, rows, cols, type_name, k_is_cols, sparse=False, batch=False):
        """An operand rows x cols, stored this way or that: its number, and whether the body must transpose it."""
        flip = not sparse and self.chance(0.4)
        modes, tile = ([col_mode, row_mode], [cols, rows]) if flip else ([row_mode, col_mode], [rows, cols])
        contiguous_is_k = BITS[type_name] != 16 or self.chance(0.6)
        if self.slip(0.05):
            contiguous_is_k = not contiguous_is_k
        k_is_last = k_is_cols != flip
        order = "row_major" if contiguous_is_k == k_is_last else "col_major"
        if sparse and not self.slip(0.05):
            order = "row_major"
        o = operand(self.name(prefix), modes, type_name, tile, order, sparse=sparse)
        if batch:
            o.modes, o.tile = ["G"] + modes, [2 if self.slip(0.05) else 1] + tile
        if self.chance(0.25) and not sparse:
            fitting = [s for s, span in SPANS.items() if o.row_bytes() % span == 0]
            o.swizzle = self.r.choice(list(SPANS) if self.slip(0.3) or not fitting else fitting)
        return self.add(o), flip

    def load(self, number, row, col, flip, batch=None):
        at = [col, row] if flip else [row, col]
        if len(self.operands[number].tile) == 3:
            at = [batch or ("g", NONE)] + at
        return statement("load", name=self.name("t"), operand=number, coordinates=at)

    # ---- parts
    def types_for(self, d):
        if self.slip(0.08):
            return self.r.choice(ANY_TYPE), self.r.choice(ANY_TYPE)
        return self.r.choice(SUMS[d])

    def product_into(self, acc, d, k, k_mode, at, reuse):
        """Statements that add one product to `acc`, and the mode along which it is summed: `k_mode`, unless its tiles cannot be
        those of the products before. `at` is the coordinate along `k_mode`."""
        r = self.r
        out = []
        a_type, b_type = self.types_for(d)
        again = r.choice(reuse) if reuse and self.chance(0.4) else None  # a left factor that an earlier product had
        if again and (pairs := [p for p in SUMS[d] if p[0] == again[2]]):
            a_type, b_type = r.choice(pairs)
        else:
            again = None
        sparse = a_type != "b1x8" and not reuse and self.chance(0.12)
        if not again and (sparse or k is None or k % oracle.instruction_k(a_type, False)):
            if k is not None:
                k_mode, at = self.along_another(at)
            k = self.pick_k(a_type, b_type, sparse, True)
            if (BITS[a_type] == 1) != (BITS[b_type] == 1):
                k = max(k, 256)
        batch = self.batch and self.chance(0.7)
        if again:
            a, a_flip, _, k, again_mode = again
            if again_mode != k_mode:
                k_mode, at = self.along_another(at, again_mode)
        else:
            a, a_flip = self.matrix("A", "M", k_mode, self.m, k, a_type, True, sparse, batch and not sparse)
        b, b_flip = self.matrix("B", k_mode, self.n_mode, k, self.n, b_type, False, self.slip(0.03) and b_type != "b1x8",
                                batch and self.chance(0.6))
        load_a = self.load(a, ("m", M), at, a_flip)
        load_b = self.load(b, at, ("n", N), b_flip)
        out += [load_a, load_b] if self.chance(0.5) else [load_b, load_a]
        product = statement("product", name=acc, a=("tile", load_a.name, a_flip), b=(load_b.name, b_flip),
                            negate_a=False, form="+=")
        if not self.operands[a].sparse and self.chance(0.15):
            x = self.name("r")
            out.append(statement("read", name=x, source=load_a.name, transposed=a_flip, type=a_type))
            self.fragments[x] = (a_type, self.m, k)
            product.a = ("fragment", x)
        floating = a_type in FLOATS or self.slip(0.05)
        if floating:
            product.negate_a, product.negate_b = self.chance(0.1), self.chance(0.1)
            if self.chance(0.15):
                product.form = "-="
        if (a_type in BYTES and self.chance(0.2)) or self.slip(0.03):
            product.saturate = True
        if not sparse and not self.operands[b].sparse:
            reuse.append((a, a_flip, a_type, k, k_mode))
        return out + [product], k_mode

    def along_another(self, at, mode=None):
        """The same tile along another mode."""
        mode = mode or self.k_modes.pop()
        return mode, at if at[0].isdigit() else (f'as<"{mode}">({at[0]})', at[1])

    def k_loop(self, acc, d):
        """A loop over K with one to three products."""
        reuse, k = [], None
        if self.seen and self.chance(0.3):  # the tiles of an earlier loop once more
            reuse = [self.r.choice(self.seen)]
            k, k_mode = reuse[0][3], reuse[0][4]
        else:
            k_mode = self.k_modes.pop()
        loop = statement("loop", name=self.name("k"))
        for _ in range(self.r.choice([1, 1, 1, 2, 2, 3])):
            if len(self.operands) > 5:
                break
            new, mode = self.product_into(acc, d, k, k_mode, (loop.name, NONE), reuse)
            if not loop.body and mode != k_mode:
                raise ValueError("the loop's mode")
            k = next((x[3] for x in reuse if x[4] == k_mode), k)
            if k is None and loop.body:
                break
            loop.body += new
            if self.chance(0.15) and d == "float":
                loop.body.append(self.use(acc))
        self.seen += [x for x in reuse if x not in self.seen]
        return self.around(loop, k_mode)

    def around(self, loop, k_mode):
        """Gives a loop its trips."""
        o = next(self.operands[s.operand] for s in loop.body if s.kind == "load")
        tiles = f'tiles<"{k_mode}">({o.name})'
        kind = self.r.random()
        if kind < 0.7:
            loop.trips = (tiles, NONE, 1)
        elif kind < 0.76:  # a trip for each tile, which may have another extent
            loop.trips = (f'as<"{k_mode}">((m + 1) * 1)', M, 0)
        elif kind < 0.78:
            loop.trips = (f'min(as<"{k_mode}">(n * 1), {tiles})', N, 0)
        elif kind < 0.8:
            loop.trips = (f'select(as<"{k_mode}">(n) < {tiles}, {tiles}, 1)', N, 0)
        elif kind < 0.84:
            loop.trips = (f"{tiles} + 1", NONE, 0)  # the last tile lies outside
        elif kind < 0.88:
            loop.trips = (f'as<"{k_mode}">((m + as<"M">(n)) % 2)', M | N, 0)
        elif kind < 0.94 and not any(x.kind == "scalar" and x.type in ("s32", "bool") for x in self.operands) and len(self.operands) < 7:
            x = self.scalar(self.r.choice(["s32", "bool"]))
            kinds = [f"select({x}, {tiles}, 1)", f"select({x}, 1, 0)"] if self.operands[-1].type == "bool" else [x, f"min({x}, {tiles})"]
            loop.trips = (self.r.choice(kinds), NONE, 0)
        else:
            loop.trips = (str(self.r.randrange(0, 4)), NONE, 0)
        return loop

    def scalar(self, type_name):
        number = self.add(operand(self.name("x"), [], type_name, [], kind="scalar"))
        return self.operands[number].name

    def gram(self, acc, d):
        """A A^T: one operand, loaded twice in every trip, as both factors."""
        pairs = [(a, b) for a, b in SUMS[d] if a == b]
        a_type = self.r.choice(pairs)[0]
        k_mode = self.k_modes.pop()
        k = self.pick_k(a_type, a_type, False, False)
        o, flip = self.matrix("A", "M", k_mode, self.m, k, a_type, True)
        loop = statement("loop", name=self.name("k"))
        x, y = self.load(o, ("m", M), (loop.name, NONE), flip), self.load(o, ("n", N), (loop.name, NONE), flip)
        loop.body = [x, y, statement("product", name=acc, a=("tile", x.name, flip), b=(y.name, not flip))]
        return self.around(loop, k_mode)

    def chain(self, acc, d):
        """acc += cast(Q K^T) V over tiles of the keys."""
        r = self.r
        inner = r.choice(["float"] if d == "float" else ["float", "f16"])
        a_type, b_type = r.choice(SUMS[inner])
        keys = self.r.choice([16, 32, 64] if self.small else [16, 32, 64, 96, 128])
        through, v_type = (("f16", "f16") if inner == "f16" else r.choice([p for p in SUMS[d] if p[0] != "b1x8"]))
        if d == "s32":
            return self.k_loop(acc, d)
        if BITS[through] == 8:
            keys = max(32, keys // 32 * 32)
        k_mode, l_mode = self.k_modes.pop(), self.k_modes.pop()
        k = self.pick_k(a_type, b_type, False, False)
        q, q_flip = self.matrix("Q", "M", k_mode, self.m, k, a_type, True)
        kk, k_flip = self.matrix("K", k_mode, l_mode, k, keys, b_type, False)
        v, v_flip = self.matrix("V", l_mode, self.n_mode, keys, self.n, v_type, False)
        loop = statement("loop", name=self.name("j"))
        at = (loop.name, NONE)
        load_q = self.load(q, ("m", M), ("0", NONE), q_flip)
        load_k = self.load(kk, ("0", NONE), at, k_flip)
        load_v = self.load(v, at, ("n", N), v_flip)
        s, packed = self.name("s"), self.name("p")
        self.fragments[s] = (inner, self.m, keys)
        new = statement("product", name=s, a=("tile", load_q.name, q_flip), b=(load_k.name, k_flip), form="new", type=inner)
        body = [load_k, new]
        if inner == "f16":
            packed = s
        else:
            self.fragments[packed] = (through, self.m, keys)
            body.append(statement("cast", name=packed, source=s, type=through))
        body += [load_v, statement("product", name=acc, a=("fragment", packed), b=(load_v.name, v_flip))]
        outside = self.chance(0.5)
        loop.body = body if outside else [load_q] + body
        loop.trips = (f'tiles<"{l_mode}">({self.operands[kk].name})', NONE, 1)
        return [load_q, loop] if outside else [loop]

    def outside(self, acc, d):
        """Products of the first tiles, outside of any loop."""
        k_mode = self.k_modes.pop()
        reuse = []
        body, _ = self.product_into(acc, d, None, k_mode, ("0", NONE), reuse)
        if reuse and self.chance(0.3):  # the next tiles of the same operands
            again = [statement("load", name=s.name + "b", operand=s.operand,
                               coordinates=[("1", NONE) if c == ("0", NONE) else c for c in s.coordinates])
                     for s in body if s.kind == "load"]
            old = body[-1]
            if old.a[0] == "tile":
                body += again + [statement("product", name=acc, a=("tile", old.a[1] + "b", old.a[2]),
                                           b=(old.b[0] + "b", old.b[1]))]
        return body

    def nested(self, acc, d):
        """A loop around a loop: batches, or trips that repeat."""
        inner = self.k_loop(acc, d)
        outer = statement("loop", name=self.name("o"), trips=(str(self.r.randrange(1, 3)), NONE, 0), body=[inner])
        if self.chance(0.3):
            inner.trips = (f"{outer.name} + {self.r.randrange(0, 2)}", NONE, 0)
        for s in inner.body:
            if s.kind == "load" and len(self.operands[s.operand].tile) == 3:
                s.coordinates[0] = (outer.name, NONE)
        return outer

    def unrolled(self, acc, d):
        """Two tiles along K in every trip."""
        loop = self.k_loop(acc, d)
        if sum(s.kind == "product" for s in loop.body) != 1 or loop.body[-1].kind != "product" or \
                loop.body[-1].a[0] != "tile":
            return loop
        again = [statement("load", name=s.name + "b", operand=s.operand,
                           coordinates=[(f"2 * {loop.name} + 1", NONE) if c[0] == loop.name else c for c in s.coordinates])
                 for s in loop.body if s.kind == "load"]
        for s in loop.body:
            s.coordinates = [(f"2 * {loop.name}", NONE) if c[0] == loop.name else c for c in s.coordinates]
        old = loop.body[-1]
        loop.body += again + [statement("product", name=acc, a=("tile", old.a[1] + "b", old.a[2]), b=(old.b[0] + "b", old.b[1]))]
        return loop

    def lookahead(self, acc, d):
        """The left factor is brought into registers one trip ahead."""
        a_type, b_type = self.r.choice(SUMS[d])
        k_mode = self.k_modes.pop()
        k = self.pick_k(a_type, b_type, False, False)
        a, a_flip = self.matrix("A", "M", k_mode, self.m, k, a_type, True)
        b, b_flip = self.matrix("B", k_mode, self.n_mode, k, self.n, b_type, False)
        loop, x = statement("loop", name=self.name("k")), self.name("r")
        self.fragments[x] = (a_type, self.m, k)
        first = self.load(a, ("m", M), ("0", NONE), a_flip)
        now = self.load(b, (loop.name, NONE), ("n", N), b_flip)
        ahead = self.load(a, ("m", M), (f"{loop.name} + 1", NONE), a_flip)
        loop.body = [now, statement("product", name=acc, a=("fragment", x), b=(now.name, b_flip)), ahead,
                     statement("read", name=x, source=ahead.name, transposed=a_flip, type=a_type, form="=")]
        o = self.operands[a]
        loop.trips = (f'tiles<"{k_mode}">({o.name})' + self.r.choice(["", " - 1"]), NONE, 0)
        return [first, statement("read", name=x, source=first.name, transposed=a_flip, type=a_type), loop]

    def scores_ahead(self, acc, d):
        """A chain in which the next scores are multiplied while this trip's are used, as in attention."""
        made = self.chain(acc, d)
        loop = made[-1] if isinstance(made, list) else made
        new = next((s for s in loop.body if s.kind == "product" and s.form == "new"), None)
        cast = next((s for s in loop.body if s.kind == "cast"), None)
        if new is None or cast is None or loop.body[0].name == new.a[1]:
            return made
        load_k, load_v, last = loop.body[0], loop.body[3], loop.body[4]
        first = statement("load", name=load_k.name + "a", operand=load_k.operand,
                          coordinates=[("0", NONE) if c[0] == loop.name else c for c in load_k.coordinates])
        start = statement("product", name=new.name, a=new.a, b=(first.name, new.b[1]), form="new", type=new.type)
        load_k.coordinates = [(f"{loop.name} + 1", NONE) if c[0] == loop.name else c for c in load_k.coordinates]
        new.form = "="
        again = statement("cast", name=cast.name, source=cast.source, type=cast.type, form="=")
        loop.body = [load_k, new, load_v, last, again]
        return made[:-1] + [first, start, cast, loop]

    def gate(self, acc, d):
        """A second accumulator, multiplied element by element."""
        if d != "float":
            return self.k_loop(acc, d)
        y = self.name("g")
        self.fragments[y] = (d, self.m, self.n)
        loop = self.k_loop(y, d)
        # A largest square is none that is beyond the edge, which the model would report.
        return [statement("new", name=y, type=d), loop,
                statement("use", text=self.r.choice([f"{acc} += {y} * {y};", f"{acc} -= {y};",
                                                     f"{acc} = {acc} + {y} * row_max({y} * {y});"]),
                          uses=[acc, y])]

    def copied(self, acc, d):
        """A copy goes its own way, and comes back."""
        if d != "float":
            return self.k_loop(acc, d)
        y = self.name("y")
        self.fragments[y] = (d, self.m, self.n)
        loop = self.k_loop(y, d)
        text = self.r.choice([f"{acc} += {y};", f"{acc} = {y};", f"{acc} = {y} - {acc};"])
        return [statement("use", text=f"auto {y} = {acc};", uses=[acc]), loop, statement("use", text=text, uses=[acc, y])]

    def use(self, *fragments):
        x = fragments[0]
        return statement("use", text=self.r.choice([f"{x} = {x} * 1.0f;", f"{x} += {x};", f"{x} -= {x} * 2.0f;"]),
                         uses=list(fragments))

    def fresh(self, acc, d):
        """A loop in which every product is used before the next."""
        loop = self.k_loop(acc, d)
        last = next((s for s in reversed(loop.body) if s.kind == "product"), None)
        if d != "float" or last is None or self.chance(0.3):
            return loop
        x = self.name("f")
        self.fragments[x] = (d, self.m, self.n)
        last.name, last.form, last.type = x, "new", d
        loop.body.append(statement("use", text=f"{acc} {self.r.choice(['+=', '-='])} {x};", uses=[acc, x]))
        return loop
