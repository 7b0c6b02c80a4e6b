"""A random layer: a product, what is computed of it, and what is stored, as a kernel and as plain loops in double.

The kinds of values are those of the language: a fragment, a number for each row or each column, one number. Each has a
line of the body that makes it and a line of the reference, which is a grid of numbers.

    layer.py SEED FILE
"""
import pathlib
import random
import sys

SIXTEEN = ("bf16", "f16")


class value:
    def __init__(self, body, grid, kind, whole=False):
        self.body, self.grid, self.kind = body, grid, kind
        self.whole = whole  # a vector as it was loaded, which meets fragments only


class layer:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.seed = seed
        self.operands, self.parameters, self.arguments = [], [], []
        self.setup, self.body, self.reference, self.checks = [], [], [], []
        self.values, self.names, self.places, self.checks_after = [], 0, {}, []
        self.compose()

    # ---- small choices
    def chance(self, p):
        return self.r.random() < p

    def name(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    # ---- operands
    def declare(self, declaration, name, argument):
        self.operands.append(declaration)
        self.parameters.append(name)
        self.arguments.append(argument)

    def tensor(self, name, modes, element, contiguous_last=True, output=False, fill=None):
        """A tensor of these modes: its declaration, its memory and its argument. Groups' rows follow each other."""
        in_memory = modes[1:] if self.grouped and modes[:1] == ["G"] and "M" in modes else modes
        if modes[-1:] == ["M"] or self.odd and "M" in modes[-2:]:
            contiguous_last = contiguous_last or modes[-2:-1] == ["M"]
        if self.grouped and "M" in modes:
            contiguous_last = True
        extents = ", ".join(in_memory)
        contiguous = len(in_memory) - 1 if contiguous_last else len(in_memory) - 2
        bytes_of = {"bf16": 2, "f16": 2, "float": 4, "e4m3": 1, "s8": 1, "tf32": 4, "s32": 4}[element]
        place = {"G": "g", "M": "m", "N": "n", "K": "k"}
        if self.grouped and "G" in in_memory:
            place["G"] = "group[m]"
        self.places[name] = ", ".join(place.get(m, m) for m in in_memory)
        matrix = len(modes) > 1 and not (modes[0] == "KB" or modes == ["G", "M"] or modes == ["G", "N"])
        gap = self.r.choice([0, 0, 16 // bytes_of, 48 // bytes_of]) if matrix else 0
        memory = "float" if element == "tf32" else element
        self.setup.append(f"stored<{memory}> {name}_({{{extents}}}, {max(contiguous, 0)}, {gap});")
        if fill:
            self.setup.append(f"{name}_{fill};")
        kind = "output" if output else "input"
        text = f"{name}({','.join(modes)})" if modes else name
        if not matrix and len(modes) > 1:
            kind = "vector_" + kind
        order = "" if contiguous_last or not matrix else "col_major"
        self.declare(f'{kind}<"{text}", {element}>({order})', name, f"{name}_.{'out' if output else 'in'}()")

    def random_fill(self, element):
        most, unit = (6, "1.0f") if element == "s8" else (4, "0.25f")
        return f".filled({self.r.randrange(1000)}u, {most}, {unit})"

    # ---- values
    def make(self, body, grid, kind, name=None, whole=False):
        name = name or self.name("x")
        self.body.append(f"auto {name} = {body};")
        self.reference.append(f"const grid {name}(grids, M, N, [&](int g, int m, int n) -> exact {{ return {grid}; }});")
        v = value(name, f"{name}(g, m, n)", kind, whole)
        self.values.append(v)
        return v

    def at(self, modes):
        return "{" + ", ".join({"G": "g", "M": "m", "N": "n"}[x] for x in modes) + "}"

    def leaf(self):
        """Something that meets a fragment: a loaded vector, a number, a tile."""
        kind = self.r.choice(["row", "col", "row", "col", "number", "scalar", "constant", "tile"])
        if len(self.operands) >= 10:
            kind = "constant"
        batch = ["G"] if self.batched and self.chance(0.5) else []
        element = self.r.choice(["float", "bf16", "f16"])
        if kind in ("row", "col"):
            name = self.name("v")
            modes = batch + ["M" if kind == "row" else "N"]
            if self.grouped and (kind == "row" or self.chance(0.5)):
                modes = ["G"] + modes
            self.tensor(name, modes, element, fill=self.random_fill(element))
            place = self.places[name]
            text = f"sm.load({name}, {self.at(modes)})"
            if self.chance(0.3):
                return self.make(f"in_registers({text})", f"{name}_.number({place})", kind)
            return value(text, f"{name}_.number({place})", kind, True)
        if kind == "number":
            name = self.name("v")
            self.tensor(name, [], "float", fill=self.random_fill("float"))
            return value(f"sm.load({name}, {{}})", f"{name}_.number()", "number", True)
        if kind == "scalar":
            name, x = self.name("s"), self.r.choice(["0.5f", "-1.25f", "3.0f"])
            self.declare(f'scalar<"{name}", float>()', name, x)
            return value(name, f"exact{{{x}, 0}}", "number", True)
        if kind == "tile":
            name = self.name("R")
            last = self.chance(0.7)
            modes = (["G"] if self.batched or self.grouped else []) + ["M", "N"]
            self.tensor(name, modes, element, last, fill=self.random_fill(element))
            return value(f"sm.load({name}, {self.at(modes)})", f"{name}_.number({self.places[name]})", "tile", True)
        x = self.r.choice(["0.5f", "2.0f", "-1.5f", "0.0f"])
        return value(x, f"exact{{{x}, 0}}", "number", True)

    def fragment(self):
        return self.r.choice([v for v in self.values if v.kind == "fragment"])

    def unary(self, x):
        f = self.r.choice(["relu", "abs", "-", "tanh", "sigmoid", "silu", "gelu", "clamp", "map", "map_at", "copy"])
        b, g = x.body, x.grid
        if f == "relu":
            return self.make(f"relu({b})", f"larger({g}, {{}})", x.kind)
        if f == "abs":
            return self.make(f"abs({b})", f"through([](double v) {{ return std::fabs(v); }}, {g}, 1)", x.kind)
        if f == "-":
            return self.make(f"-{b}", f"exact{{}} - {g}", x.kind)
        if f == "tanh":
            return self.make(f"tanh({b})", f"through([](double v) {{ return std::tanh(v); }}, {g}, 1, 1e-5)", x.kind)
        if f == "sigmoid":
            return self.make(f"sigmoid({b})",
                             f"through([](double v) {{ return 1 / (1 + std::exp(-v)); }}, {g}, 1, 1e-5)", x.kind)
        if f == "silu":
            return self.make(f"silu({b})",
                             f"through([](double v) {{ return v / (1 + std::exp(-v)); }}, {g}, 1.2, 1e-4)", x.kind)
        if f == "gelu":
            return self.make(f"gelu({b})", f"through([](double v) {{ return v * 0.5 * (1 + std::erf(v / std::sqrt(2.0))); }}, "
                             f"{g}, 1.2, 1e-4)", x.kind)
        if f == "clamp":
            return self.make(f"clamp({b}, -3.0f, 5.0f)", f"smaller(larger({g}, {{-3, 0}}), {{5, 0}})", x.kind)
        if f == "map_at" and x.kind == "fragment":
            return self.make(f"map_at({b}, at, [](float v, int r, int c) {{ return (r + 2 * c) % 3 == 0 ? v : 1.0f - v; }})",
                             f"({'m - begin[group[m]]' if self.grouped else 'm'} + 2 * n) % 3 == 0 ? {g} : "
                             f"exact{{1, 0}} - {g}", x.kind)
        if f == "copy":
            y = self.make(f"{b}", g, x.kind)
            self.values.pop()  # it changes
            factor = self.r.choice(["2.0f", "0.5f"])
            self.body.append(f"{y.body} *= {factor};")
            return self.make(f"{y.body}", f"{y.grid} * exact{{{factor}, 0}}", x.kind)
        return self.make(f"map({b}, [](float v) {{ return 1.0f - v * 0.5f; }})", f"exact{{1, 0}} - {g} * exact{{0.5, 0}}",
                         x.kind)

    def binary(self, x, y):
        f = self.r.choice(["+", "-", "*", "max", "min", "fma", "map", "+=", "reverse-"])
        kind = "fragment"
        if y.kind == "tile" and f not in ("+", "+=", "-"):
            f = "+"
        b, g = x.body, x.grid
        if f in "+-*":
            if self.chance(0.3) and f != "-" and y.kind != "tile":
                return self.make(f"{y.body} {f} {b}", f"{y.grid} {f} {g}", kind)
            return self.make(f"{b} {f} {y.body}", f"{g} {f} {y.grid}", kind)
        if f == "reverse-":
            return self.make(f"{y.body} - {b}", f"{y.grid} - {g}", kind)
        if f in ("max", "min"):
            return self.make(f"{f}({b}, {y.body})", f"{'larger' if f == 'max' else 'smaller'}({g}, {y.grid})", kind)
        if f == "fma":
            return self.make(f"fma({b}, {y.body}, {b})", f"{g} * {y.grid} + {g}", kind)
        if f == "map":
            return self.make(f"map({b}, {y.body}, [](float a, float c) {{ return a - 2.0f * c; }})",
                             f"{g} - exact{{2, 0}} * {y.grid}", kind)
        z = self.make(b, g, kind)
        self.values.pop()  # it changes
        self.body.append(f"{z.body} += {y.body};")
        return self.make(z.body, f"{z.grid} + {y.grid}", kind)

    def reduced(self, x):
        """A number for each row or column, of a tile that has all of it."""
        rows = self.wide and (self.chance(0.6) or not self.tall)
        f = self.r.choice(["sum", "sum", "max", "min", "reduce"])
        y, whole = self.name("x"), self.name("all")
        beyond = {"sum": "0.0f", "max": "-infinity"}.get(f, "infinity")
        inside = "[=](int, int c) { return c < columns; }" if rows else "[=](int r, int) { return r < lines; }"
        self.body += [f"auto {y} = {x.body};", f"mask({y}, at, {inside}, {beyond});"]
        join = {"sum": "a + b", "max": "larger(a, b)"}.get(f, "smaller(a, b)")
        line, text = ("row", "of_rows") if rows else ("col", "of_cols")
        more = ", [](float a, float b) { return a < b ? a : b; }" if f == "reduce" else ""
        parts = rows and f == "sum" and self.chance(0.3)
        total = ".total()" if rows and f == "sum" and not parts else ""
        self.reference.append(f"const grid {whole} = {x.grid.split('(')[0]}.{text}([](exact a, exact b) {{ return {join}; }});")
        return self.make(f"{line}_{f}({y}{more}){total}", f"{whole}(g, {'m, 0' if rows else '0, n'})",
                         "sums" if parts else line)

    # ---- the product
    def left_factor(self, element, at):
        """A's tile: loaded as it is, or by way of registers; and a number of it in the reference."""
        number = "(row_(m) < 0 ? exact{} : A_.number(row_(m), k))" if self.gathered else f"A_.number({self.places['A']})"
        tile = f"sm.load(A, {{{at}m, k}})"
        if self.mixed:
            return f"cast<bf16>(in_registers({tile}))", number
        if element in SIXTEEN and not self.sparse and not self.swap and self.chance(0.12):
            return f"cast<{element}>(cast<float>(in_registers({tile})) * 0.5f)", f"{number} * exact{{0.5, 0}}"
        return tile, number

    def right_factor(self, name, element, at, last):
        shared = self.batched and self.chance(0.4)
        flip = not self.grouped and self.chance(0.4)  # B(K,N), which the body takes as it is
        modes = ([] if shared or not (self.batched or self.grouped) else ["G"]) + (["K", "N"] if flip else ["N", "K"])
        self.tensor(name, modes, element, last != flip, fill=self.random_fill(element))
        place = ("" if len(modes) == 2 else "g, ") + ("k, n" if flip else "n, k")
        load = f"sm.load({name}, {{{place}}})"
        return load if flip else f"transpose({load})", f"{name}_.number({self.places[name]})"

    def products(self, element, tile_k, at, split):
        """One or two sums of products, of the same left factor."""
        bits = {"bf16": 16, "f16": 16, "tf32": 32, "e4m3": 8, "s8": 8}[element]
        last = bits != 16 or self.gathered or self.sparse or self.mixed or self.grouped or self.chance(0.6)
        if self.sparse:
            self.declare(f'sparse_input<"A(M,K)", {element}>()', "A", "kept.view()")
            self.places["A"] = "m, k"
            self.setup += [f"stored<{element}> A_({{M, K}}, 1, 0);", f"A_{self.random_fill(element)};",
                           "prune(A_.memory.data(), M, K);", "const auto kept = compress(A_.memory.data(), M, K);"]
        elif self.gathered:
            self.declare(f'gathered_input<"A(M,K)", {element}, "row">()', "A", "A_.in()")
            memory = "float" if element == "tf32" else element
            self.setup += [f"stored<{memory}> A_({{M + 3, K}}, 1, 0);", f"A_{self.random_fill(element)};",
                           "stored<s32> row_({M}, 0, 0);",
                           "for (int i = 0; i < M; ++i) row_.memory[static_cast<std::size_t>(i)] = i % 7 == 5 ? -1 : "
                           "(i * 5 + 2) % (M + 3);"]
            self.declare('input<"row(M)", s32>()', "row", "row_.in()")
        else:
            self.tensor("A", (["G"] if self.batched or self.grouped else []) + ["M", "K"], element, last,
                        fill=self.random_fill(element))
        left, a = self.left_factor(element, at)
        right_element = "bf16" if self.mixed else element
        last = {"bf16": 16, "f16": 16}.get(right_element, 8) != 16 or self.chance(0.6)
        right, b = self.right_factor("B", right_element, at, last)
        off = "0x1p-12" if element == "e4m3" else "0x1p-21"
        kind = "s32" if element == "s8" and not self.mixed else "float"

        def reference(name, b, scale=""):
            self.reference.append(
                f"const grid {name}(grids, M, N, [&](int g, int m, int n) -> exact {{ exact s; double all = 0; "
                f"for (int k = 0; k < K; ++k) {{ const exact p = {a} * {b}{scale}; s.value += p.value; "
                f"all += std::fabs(p.value); }} return {{s.value, all * {off}}}; }});")

        loop = 'for (auto k : sm.pipelined(tiles<"K">(A)))'
        if kind == "float" and not self.mixed and not self.grouped and split == 1 and self.chance(0.2):
            self.tensor("scale", ["KB", "M"], "float", fill=self.random_fill("float"))
            self.body += ["auto acc = sm.accumulator(C, as<float>());", f"{loop} {{",
                          f"  const auto part = sm.accumulator({left} * {right});",
                          '  acc += part * sm.load(scale, {as<"KB">(k), m});', "}"]
            reference("acc", b, f" * scale_.number(k / {tile_k}, m)")
        elif not self.mixed and "cast" not in left and self.chance(0.2):
            second, b2 = self.right_factor("B2", right_element, at, last)
            self.body += [f"auto sums = sm.accumulator(C, as<{kind}>()), others = sm.accumulator(C, as<{kind}>());", f"{loop} {{",
                          f"  const auto a = {left};", f"  sums += a * {right};", f"  others += a * {second};", "}"]
            wide = kind == "s32"
            self.body += [f"auto acc = {'cast<float>(sums)' if wide else 'sums'};",
                          f"auto acc2 = {'cast<float>(others)' if wide else 'others'};"]
            reference("acc", b)
            reference("acc2", b2)
            self.values.append(value("acc2", "acc2(g, m, n)", "fragment"))
        else:
            minus = kind == "float" and "cast" not in left and self.chance(0.1)
            self.body += [f"auto sums = sm.accumulator(C, as<{kind}>());",
                          f"{loop} sums {'-=' if minus else '+='} {left} * {right};",
                          f"auto acc = {'cast<float>(sums)' if kind == 's32' else 'sums'};"]
            reference("acc", b, " * exact{-1, 0}" if minus else "")
        self.values.append(value("acc", "acc(g, m, n)", "fragment"))

    def chain(self, element):
        """Two products, one behind the other: (A W^T) V, or with something between them."""
        for name, modes in (("A", ["M", "K"]), ("W", ["L", "K"]), ("V", ["L", "N"])):
            self.tensor(name, modes, element, fill=self.random_fill(element))
        between, of = self.r.choice([("hidden", "h"), ("relu(hidden)", "larger(h, {})"),
                                     ("hidden * 0.25f", "h * exact{0.25, 0}")])
        self.body += ["auto acc = sm.accumulator(C);", 'for (auto l : sm.pipelined(tiles<"L">(W))) {',
                      "  auto hidden = sm.accumulator(sm.load(A, {m, 0}) * transpose(sm.load(W, {l, 0})));",
                      '  for (auto k : sm.pipelined(tiles<"K">(A) - 1))',
                      "    hidden += sm.load(A, {m, k + 1}) * transpose(sm.load(W, {l, k + 1}));",
                      f"  acc += cast<{element}>({between}) * sm.load(V, {{l, n}});", "}"]
        self.reference += [
            "const grid hidden(G, M, L, [&](int, int m, int l) -> exact { exact h; for (int k = 0; k < K; ++k) "
            f"h.value += (A_.number(m, k) * W_.number(l, k)).value; h = {of}; "
            f"h.error += std::fabs(h.value) * rounding_of<{element}>() / 2; return h; }});",
            "const grid acc(G, M, N, [&](int, int m, int n) -> exact { exact s; for (int l = 0; l < L; ++l) "
            "s = s + hidden(0, m, l) * V_.number(l, n); return s; });"]
        self.values.append(value("acc", "acc(g, m, n)", "fragment"))

    def whole_rows(self, tile_m, tile_n, consumers, persistent):
        """Rows of any length, which two loops go over."""
        element = self.r.choice(["bf16", "f16", "float"])
        self.tensor("X", ["M", "N"], element, fill=self.random_fill(element))
        self.tensor("C", ["M", "N"], self.r.choice(["float", "bf16", "f16"]), output=True)
        load = "in_registers(sm.load(X, {m, j}))" if element == "float" else "cast<float>(in_registers(sm.load(X, {m, j})))"
        part, of = self.r.choice([("x", "x"), ("x * x", "x * x"), ("abs(x)", "exact{std::fabs(x.value), 0}")])
        result, way = self.r.choice([("x * all", "x * t"), ("x - all", "x - t"), ("fma(all, 0.5f, x)", "t * exact{0.5, 0} + x")])
        self.body += ["auto [m] = sm.rows_of(C);", "auto sums = row_sum(sm.accumulator(X));",
                      'for (auto j : sm.pipelined(tiles<"N">(X))) {', f"  const auto x = {load};",
                      f"  sums += row_sum({part});", "}", "const auto all = sums.total();",
                      'for (auto j : sm.pipelined(tiles<"N">(C))) {', f"  const auto x = {load};",
                      f"  sm.store(C, {{m, j}}, {result});", "}"]
        self.reference += ["const grid x(G, M, N, [&](int, int m, int n) -> exact { const exact x = X_.number(m, n); "
                           f"return {of}; }});",
                           "const grid all = x.of_rows([](exact a, exact b) { return a + b; });"]
        self.checks.append(f"{{ const exact x = X_.number(m, n), t = all(0, m, 0); out.look(\"C\", g, m, n, C_(m, n), {way}); }}")
        self.checks_after.append("out.wrong += C_.touched();")
        fields = f".stages = {self.r.choice([2, 3, 4])}, .consumers = {consumers}" + ", .persistent = true" * persistent
        self.how = f'{{.tile = {{{{"M", {tile_m}}}, {{"N", {tile_n}}}}}, {fields}}}'

    def read_alone(self, at):
        """No product: what is computed is of a matrix that is read."""
        element = self.r.choice(["bf16", "f16", "float"])
        self.tensor("X", (["G"] if self.batched or self.grouped else []) + ["M", "N"], element, self.chance(0.7),
                    fill=self.random_fill(element))
        load = f"in_registers(sm.load(X, {{{at}m, n}}))"
        self.make(load if element == "float" else f"cast<float>({load})", f"X_.number({self.places['X']})", "fragment")

    # ---- the whole
    def compose(self):
        r = self.r
        form = r.choice(["plain"] * 4 + ["batched", "batched", "grouped", "gathered", "mixed", "sparse", "chained", "rows",
                                         "streamed"])
        self.batched, self.grouped = form == "batched", form == "grouped"
        self.gathered, self.mixed, self.sparse = form == "gathered", form == "mixed", form == "sparse"
        alone = form in ("plain", "batched", "grouped") and self.chance(0.15)
        self.swap = form not in ("mixed", "sparse", "chained", "rows") and self.chance(0.25)
        element = r.choice(["s8", "e4m3"] if self.mixed else ["bf16", "f16", "e4m3", "s8"] if self.sparse else
                           ["bf16", "f16"] if form == "chained" else ["bf16", "bf16", "f16", "tf32", "e4m3", "s8"])
        bits = {"bf16": 16, "f16": 16, "tf32": 32, "e4m3": 8, "s8": 8}[element]
        consumers = r.choice([1, 1, 2, 2, 3])
        self.own = consumers > 1 and form not in ("streamed", "rows") and self.chance(0.2)
        sharers = 1 if self.own else consumers
        if self.swap:
            tile_m, tile_n = r.choice([16, 32, 48, 64]), 64 * sharers
        else:
            tile_m = 64 * sharers
            tile_n = r.choice([16, 32, 48, 64, 96])
        self.tile_m, self.tile_n = tile_m, tile_n
        tile_k = 256 // bits * r.choice([1, 2, 4]) if not self.mixed else r.choice([32, 64])
        if self.sparse:
            tile_k = r.choice([64, 128])
        self.wide, self.tall = self.chance(0.4), not self.swap and not self.grouped and self.chance(0.15)
        self.odd = self.chance(0.5)  # rows that are no multiple of anything, which no order by columns can have
        n = r.randrange(1, tile_n // 16 + 1) * 16 if self.wide else r.randrange(1, 10) * 16
        rows = tile_m if self.tall else 170
        m = r.randrange(1, rows + 1) if self.odd else r.randrange(1, rows // 16 + 1) * 16
        k = r.randrange(1, 10) * 16
        if form == "streamed":
            k, m, n = tile_k * r.randrange(16, 70), min(m, 96), min(n, 64)
            self.wide = self.tall = False
        if form == "rows":
            self.wide = self.tall = False
        persistent = self.own or self.grouped or form == "streamed" or self.chance(0.4)
        whole = self.wide or self.tall
        can_split = not (persistent or alone or whole or form in ("chained", "rows"))
        split = r.choice([2, 3, 5]) if can_split and self.chance(0.6) else 1
        cluster = r.choice([(1, 1)] * 4 + [(2, 1), (1, 2), (2, 2)]) if not self.wide else (r.choice([1, 2]), 1)
        if split * cluster[0] * cluster[1] > 8 or self.tall:
            cluster = (1, 1)
        self.dynamic = persistent and form != "streamed" and self.chance(0.2)
        l, g = r.randrange(1, 9) * 16, r.choice([2, 3]) if self.batched or self.grouped else 1
        self.sizes = f"constexpr int G = {g}, M = {m}, N = {n}, K = {k}, KB = {-(-k // tile_k)}, L = {l};"
        at = "g, " if self.batched or self.grouped else ""
        if form == "rows":
            return self.whole_rows(tile_m, tile_n, consumers, persistent)
        self.body += ["const auto at = sm.wide_tile_of(C);" if self.wide else "const auto at = sm.tile_of(C);",
                      f"const auto [{at}m, n] = at;", 'const auto columns = size<"N">(C);', 'const auto lines = size<"M">(C);']
        if self.grouped:
            self.setup += ["std::vector<int> begin{}, group(M);", "stored<s32> ends_({G}, 0, 0);",
                           "for (int g = 0; g < G; ++g) {", "  begin.push_back(g == 0 ? 0 : ends_(g - 1));",
                           f"  const int end = g == G - 1 ? M : std::min(M, begin[static_cast<std::size_t>(g)] + "
                           f"g * {r.randrange(0, 90)});", "  ends_.memory[static_cast<std::size_t>(g)] = end;",
                           "  for (int i = begin.back(); i < end; ++i) group[static_cast<std::size_t>(i)] = g;", "}"]
        if alone:
            self.read_alone(at)
        elif form == "chained":
            self.chain(element)
        else:
            self.products(element, tile_k, at, 2 if form == "streamed" else split)
        if self.grouped:
            self.declare('group_ends<"ends(G)", "M">()', "ends", "ends_.in()")
        self.compute()
        self.outputs(at)
        fields = [f".stages = {r.choice([2, 3, 4])}"]
        if cluster != (1, 1):
            fields.append(f".cluster = {{{cluster[0]}, {cluster[1]}}}")
        fields.append(f".consumers = {consumers}")
        fields += [text for text, there in ((".own_tiles = true", self.own), (".persistent = true", persistent),
                                            (".dynamic = true", self.dynamic), (".streamed = true", form == "streamed"),
                                            (f".split = {split}", split > 1),
                                            (".apart = true", split > 1 and self.chance(0.5)),
                                            (".swap = true", self.swap)) if there]
        if self.chance(0.2):
            fields.append(f".group = {r.choice([1, 2, 3])}")
        if persistent and self.chance(0.2):
            fields.append(".rows = traversal::reversed")
        extents = [("M", tile_m), ("N", tile_n)] + ([] if alone else [("K", tile_k)]) + [("L", 64)] * (form == "chained")
        r.shuffle(extents)
        tile = ", ".join(f'{{"{mode}", {x}}}' for mode, x in extents)
        self.how = f"{{.tile = {{{tile}}}, {', '.join(fields)}}}"

    def compute(self):
        for _ in range(self.r.randrange(0, 6)):
            x = self.fragment()
            if (self.wide or self.tall) and self.chance(0.4):
                v = self.reduced(x)
                if v.kind != "sums" and self.chance(0.7):
                    self.binary(self.fragment(), v)
            elif self.chance(0.4):
                self.unary(x)
            elif self.chance(0.3) and sum(v.kind == "fragment" for v in self.values) > 1:
                self.binary(x, self.fragment())
            else:
                self.binary(x, self.leaf())

    def outputs(self, at):
        r = self.r
        batch = ["G"] if at else []
        stored = [("C", self.values[-1] if self.values[-1].kind == "fragment" else self.fragment())]
        if self.chance(0.25):
            stored.append(("D", self.fragment()))
        stores = []
        for name, x in stored:
            element = r.choice(["float", "bf16", "f16"] * 2 + ["e4m3", "s8"] * (self.tile_n % 32 == 0 and self.tile_m % 32 == 0))
            self.tensor(name, batch + ["M", "N"], element, self.chance(0.75), output=True)
            stores.append(f"sm.store({name}, at, {x.body});")
            self.checks.append(f'out.look("{name}", g, m, n, {name}_({self.places[name]}), {x.grid});')
            self.checks_after.append(f"out.wrong += {name}_.touched();")
        numbers = [v for v in self.values if v.kind in ("row", "col", "sums") and not v.whole]
        if numbers and self.chance(0.6):
            v = r.choice(numbers)
            mode, first = ("N", "m == 0") if v.kind == "col" else ("M", "n == 0")
            if self.wide if mode == "M" else self.tall:
                self.tensor("u", batch + [mode], r.choice(["float", "bf16"]), output=True)
                self.body.append(f"sm.store(u, {self.at(batch + [mode])}, {v.body});")
                self.checks.append(f'if ({first}) out.look("u", g, m, n, u_({self.places["u"]}), {v.grid});')
        acc = self.values[0]
        if self.wide and not self.swap and self.chance(0.15):
            self.tensor("best", batch + ["M"], "s32", output=True)
            self.body.append(f"const auto found = row_argmax({acc.body}, at, columns);")
            self.body.append(f"sm.store(best, {self.at(batch + ['M'])}, found.column);")
            found, all_of = f"best_({self.places['best']})", acc.grid.split("(")[0]
            self.checks += [f'if (n == {found}) out.look_at_most("best", g, m, n, {all_of});',
                            f'if (n == 0) out.look_for("best", g, m, {found}, N);']
        if not self.grouped and self.chance(0.3):
            mode = r.choice(["M", "N", ""]) if not self.batched else "N"
            x, how = self.fragment(), r.choice(["add", "max", "min", "add_in_any_order"])
            fill = {"max": "-INFINITY", "min": "INFINITY"}.get(how, "0.0f")
            modes = (batch if mode else []) + ([mode] if mode else [])
            self.tensor("w", modes, "float", output=True, fill=f".filled_with({fill})")
            self.body.append(f"sm.combine(w, {self.at(modes)}, {x.body}, reduction::{how});")
            join = {"max": "larger(a, b)", "min": "smaller(a, b)"}.get(how, "a + b")
            whole = x.grid.split("(")[0]
            for of in {"M": ["of_rows"], "N": ["of_cols"]}.get(mode, ["of_rows", "of_cols"]):
                whole += f".{of}([](exact a, exact b) {{ return {join}; }})"
            self.reference.append(f"const grid combined = {whole};")
            first, at_first = {"M": ("n == 0", "m, 0"), "N": ("m == 0", "0, n")}.get(mode, ("m == 0 && n == 0", "0, 0"))
            self.checks.append(f'if ({first}) out.look("w", g, m, n, w_({self.places["w"]}), combined(g, {at_first}));')
        self.body += stores

    def text(self):
        autos = ", ".join(f"auto {p}" for p in self.parameters[:8])
        given = ""
        if len(self.parameters) > 8:
            autos += ", auto... more"
            rest = self.parameters[8:]
            given = f"    const auto [{', '.join(rest)}] = given<{', '.join(['true'] * len(rest))}>(more...);\n"
        body = "\n".join("    " + line for line in self.body)
        lines = lambda text: "\n".join("  " + line for line in text)
        arguments = ", ".join(self.arguments)
        checks = "\n".join("        " + c for c in self.checks)
        return f"""// seed {self.seed}
#include "layers.hpp"
{"#include <sectile/dsl/launch/sparse.hpp>" if self.sparse else ""}
using namespace sectile;
using namespace sectile::fuzz;

struct random_layer {{
  static constexpr auto operands = sectile::operands({", ".join(self.operands)});
  static constexpr configuration how{self.how};
  [[gnu::always_inline]] static constexpr void body(auto& sm, {autos}) {{
{given}{body}
  }}
}};
static_assert(verified<random_layer>);

int main() {{
  {self.sizes}
  constexpr int grids = {1 if self.grouped else "G"};  // groups' rows follow each other
{lines(self.setup)}
  try {{
    run<random_layer>({arguments});
  }} catch (const std::exception& why) {{
    std::printf("FAILED %s\\n", why.what());
    return 1;
  }}
{lines(self.reference)}
  verdict out;
  for (int g = 0; g < grids; ++g)
    for (int m = 0; m < M; ++m)
      for (int n = 0; n < N; ++n) {{
{checks}
      }}
{lines(self.checks_after)}
  std::printf("%s: %d of %d wrong\\n", out.wrong ? "FAILED" : "right", out.wrong, out.looked_at);
  return out.wrong != 0;
}}
"""


if __name__ == "__main__":
    pathlib.Path(sys.argv[2]).parent.mkdir(parents=True, exist_ok=True)
    pathlib.Path(sys.argv[2]).write_text(layer(int(sys.argv[1])).text())
