"""What Hopper and the documented language allow of a program, decided without the planner.

`why_illegal` answers with a sentence, or None if the program must be accepted. Sources: the PTX ISA (wgmma shapes and
types, matrix descriptors, canonical layouts, tensor maps, setmaxnreg) and, where the language asks for more than the
hardware, docs/language.md: those rules are marked `language`.
"""
from functools import lru_cache

from program import BITS, BYTES, FLOATS, FP8, metadata_columns, walk

SHARED_LIMIT = 232448
REGISTER_FILE = 65536
LANGUAGE_REGISTERS = 28  # language: what a consumer keeps for addresses and counters
LAUNCH_REGISTERS = 26  # language: what stands beside one instruction's sums in the registers of the launch


# ---- instructions


def has_types(a, b, d):
    if a in FP8 and b in FP8:
        return d in ("float", "f16")
    if a in BYTES and b in BYTES:
        return d == "s32"
    return (a, b, d) in {("f16", "f16", "f16"), ("f16", "f16", "float"), ("bf16", "bf16", "float"),
                         ("tf32", "tf32", "float"), ("b1x8", "b1x8", "s32")}


def has_n(a, n):
    if n < 8 or n > 256 or n % 8:
        return False
    return a in FLOATS or n == 8 or n == 24 or n % 16 == 0


def instruction_k(a, sparse):
    return (512 if sparse else 256) // BITS[a]


# ---- can a descriptor name what TMA has written?


@lru_cache(maxsize=None)
def descriptor_exists(k_major, span, bits, mn, k, step_mn, step_k):
    """Whether start, LBO and SBO exist for every instruction of step_mn x step_k elements over a tile of mn x k, so that the
    canonical layout (PTX ISA, "Strides") names the bytes where boxes of one span per row have put the elements. Searched,
    not derived: the three numbers are read off where three chunks lie and tried on all others."""
    chunk = 128 // bits  # elements of 16 bytes
    width = span * 8 // bits
    along, across = (k, mn) if k_major else (mn, k)
    if along % width or across % 8:
        return False
    mask = span // 16 - 1

    def swizzled(at):
        return at ^ (((at >> 7) & mask) << 4)

    def written(x, y):  # x along the contiguous mode, y across it
        return swizzled((x // width * across + y) * span + x % width * bits // 8)

    steps = {(i, j) for i in (0, mn - step_mn, step_mn) for j in range(0, k, step_k) if 0 <= i <= mn - step_mn}
    for mn0, k0 in steps:
        points = []  # (offset without LBO and SBO, LBOs, SBOs, byte)
        for i in range(0, step_mn, 1 if k_major else chunk):
            for j in range(0, step_k, chunk if k_major else 1):
                x, y = (k0 + j, mn0 + i) if k_major else (mn0 + i, k0 + j)
                if k_major and span == 16:
                    form = (i % 8 * 16, j // chunk, i // 8)
                elif k_major:
                    form = (i % 8 * span + j * bits // 8, 0, i // 8)
                elif span == 16:
                    form = (j % 8 * 16, j // 8, i // chunk)
                else:
                    form = (j % 8 * span + i % width * bits // 8, i // width, j // 8)
                points.append((*form, swizzled(written(x, y))))
        start = points[0][3]
        leading = next((p[3] - start - p[0] for p in points if p[1] == 1 and p[2] == 0), 0)
        stride = next((p[3] - start - p[0] for p in points if p[2] == 1 and p[1] == 0), 0)
        if any(v < 0 or v % 16 or v >= 1 << 18 for v in (start, leading, stride)):
            return False
        if any(start + off + l * leading + s * stride != at for off, l, s, at in points):
            return False
    return True


def role_of(o, is_a, transposed):
    """K-major or not, and the extents mn and k, of a tile as a factor."""
    k_is_cols = is_a != transposed
    k_major = k_is_cols == (o.order == "row_major")
    mn, k = (o.rows(), o.stored_cols()) if k_is_cols else (o.stored_cols(), o.rows())
    return k_major, mn, k


# ---- the rules


def declarations(p):
    s = p.how
    modes = {mode for o in p.operands for mode in o.modes}
    if len({mode for mode, _ in s.tile}) != len(s.tile) or any(mode not in modes for mode, _ in s.tile):
        return "language: a tile has one extent along each mode of an operand"
    if s.rows < 1 or s.cols < 1 or s.rows * s.cols > 8:
        return "a portable cluster has 1 to 8 CTAs"
    if not 1 <= s.stages <= 16:
        return "language: 1 to 16 stages"
    if not 1 <= s.consumers <= 7:
        return "1024 threads are 8 warpgroups, one of them loads"
    if not 1 <= s.group <= 4096:
        return "language: group"
    if s.dynamic and not s.persistent:
        return "language: what draws tiles walks over several"
    if not 0 <= s.stagger <= s.stages:
        return "language: stagger is 0 to stages"
    if s.pingpong and s.stagger:
        return "language: ping-pong or stagger"
    if s.pingpong and s.consumers < 2:
        return "ping-pong needs two"
    if sum(o.kind == "output" for o in p.operands) != 1:
        return "language: one output"
    for o in p.operands:
        if o.kind == "scalar":
            continue
        if any(e < 1 for e in o.tile) or any(e != 1 for e in o.tile[:-2]):
            return f"{o.name}: tile extents"
        if o.contiguous() * BITS[o.type] % 128:
            return f"{o.name}: TMA copies multiples of 16 bytes"
        if o.kind == "input" and o.row_bytes() % o.span():
            return f"{o.name}: the swizzle's span does not divide the tile's rows"
        if o.kind == "output":
            if o.rows() % (64 * s.consumers):
                return "M is not 64 rows for each consumer"
            if o.type not in ("bf16", "f16", "float", "s32"):
                return "language: these outputs have 16 or 32 bits"
        if o.sparse:
            if o.order != "row_major" or len(o.tile) != 2:
                return "language: sparse operands are row-major matrices"
            if BITS[o.type] == 1 or o.type in ("float", "s32"):
                return "no sparse form of this type"
            if o.rows() % 64 or o.cols() % metadata_columns(o.type):
                return f"{o.name}: metadata comes in blocks"
    return None


def products(p):
    loads = {s.name: s for s, _ in walk(p.body) if s.kind == "load"}
    for s, _ in walk(p.body):
        if s.kind == "read":
            o = p.operands[loads[s.source].operand]
            k_major, mn, k = role_of(o, True, s.transposed)
            if not k_major and BITS[o.type] != 16:
                return f"{o.name}: only 16-bit elements can be turned on the way into registers"
            if mn % 64 or k % (256 // BITS[o.type]):
                return f"{o.name}: registers hold whole instructions' operands"
        if s.kind != "product":
            continue
        b = p.operands[loads[s.b[0]].operand]
        d = p.fragments[s.name][0]
        if s.a[0] == "tile":
            a = p.operands[loads[s.a[1]].operand]
            a_type, sparse = a.type, a.sparse
        else:
            a, a_type, sparse = None, p.fragments[s.a[1]][0], False
        if b.sparse:
            return "only the left factor may be sparse"
        if sparse and s.a[2]:
            return "sparse along K only"
        if not has_types(a_type, b.type, d):
            return f"wgmma has no {a_type} x {b.type} -> {d}"
        negative = s.negate_a != (s.form == "-=") or s.negate_b  # acc -= -a * b adds
        if negative and a_type not in FLOATS:
            return "integers cannot be negated"
        if s.saturate and a_type not in BYTES:
            return "only 8-bit integers saturate"
        k_major, n, k = role_of(b, False, s.b[1])
        if not k_major and BITS[b.type] != 16:
            return f"{b.name}: MN-major is for 16-bit types"
        if not has_n(a_type, n):
            return f"no instruction has N = {n}"
        step_k = instruction_k(a_type, sparse)
        if k % step_k:
            return f"K = {k} is not a multiple of {step_k}"
        if not descriptor_exists(k_major, b.span(), BITS[b.type], n, k, n, step_k):
            return f"{b.name}: no descriptor names these bytes"
        if a is None:
            continue
        k_major, m, k = role_of(a, True, s.a[2])
        if not k_major and BITS[a.type] != 16:
            return f"{a.name}: MN-major is for 16-bit types"
        if m % (64 * p.how.consumers):
            return f"{a.name}: M is not 64 rows for each consumer"
        if not descriptor_exists(k_major, a.span(), BITS[a.type], m, k, 64, 256 // BITS[a.type]):
            return f"{a.name}: no descriptor names these bytes"
    return None


def text_rules(p):
    loops = [s for s, _ in walk(p.body) if s.kind == "loop"]
    if len(loops) > 4 or max(len(around) + (s.kind == "loop") for s, around in walk(p.body)) > 3:
        return "language: 4 loops, nested 3 deep"
    if any(s.kind == "raw" for s, _ in walk(p.body)):
        return "language: " + next(s.text for s, _ in walk(p.body) if s.kind == "raw")
    stores = [(s, around) for s, around in walk(p.body) if s.kind == "store"]
    if len(stores) != 1 or stores[0][1] or stores[0][0].coordinates:
        return "language: one store, behind the loops, to the tile's own place"
    all_products = [s for s, _ in walk(p.body) if s.kind == "product"]
    if not 1 <= len(all_products) <= 8:
        return "language: 1 to 8 products"
    read = {s.b[0] for s in all_products} | {s.a[1] for s in all_products if s.a[0] == "tile"}
    read |= {s.source for s, _ in walk(p.body) if s.kind == "read"}
    if any(s.kind == "load" and s.name not in read for s, _ in walk(p.body)):
        return "language: every tile is read"
    return None


def rings(p):
    """Language: operands that are loaded once in every trip of one loop share stages. A list of (operand numbers, stages):
    as many stages as the configuration says, but no more than there are loads where no loop loads."""
    where = {}
    for s, around in walk(p.body):
        if s.kind == "load":
            where.setdefault(s.operand, []).append(around[-1] if around else None)
    groups = {}
    for o, loops in where.items():
        shared = len(loops) == 1 and loops[0] is not None
        groups.setdefault(("loop", id(loops[0])) if shared else ("own", o), []).append(o)
    count = lambda loops: p.how.stages if any(l is not None for l in loops) else min(len(loops), p.how.stages)
    return [(members, count(where[members[0]])) for members in groups.values()]


def slices(p):
    """CTAs that each fetch a part of an operand's tile."""
    depends = {}
    for s, _ in walk(p.body):
        if s.kind == "load":
            depends.setdefault(s.operand, set()).update(*(names for _, names in s.coordinates))
    return {o: (1 if "m" in names else p.how.rows) * (1 if "n" in names else p.how.cols) for o, names in depends.items()}


def clusters(p):
    trips = set().union(*(s.trips[1] for s, _ in walk(p.body) if s.kind == "loop"), set())
    depends = {}
    for s, _ in walk(p.body):
        if s.kind == "load":
            depends.setdefault(s.operand, set()).update(*(names for _, names in s.coordinates))
    for number, count in slices(p).items():
        o = p.operands[number]
        if o.strided() % (count * (128 // o.span() if o.strided() <= 256 * count else 8)):
            return f"{o.name}: slices that begin at multiples of 128 bytes"
        if o.sparse and (o.rows() // 64) % count:
            return f"{o.name}: slices of whole blocks of metadata"
        if (p.how.rows > 1 and "m" in trips and "m" not in depends[number]) or \
           (p.how.cols > 1 and "n" in trips and "n" not in depends[number]):
            return "language: CTAs that share a tile make the same trips"
        rows = o.strided() // count
        if not any(rows % boxes == 0 and rows // boxes <= 256 and rows // boxes % 8 == 0 for boxes in range(1, rows + 1)):
            return f"{o.name}: no boxes of at most 256 rows"
    return None


def shared_memory(p):
    """language: every tile begins at a multiple of 1024 bytes, and each consumer has one panel of 64 rows at least."""
    at, barriers = 0, 0
    for members, stages in rings(p):
        stage = 0
        for number in members:
            o = p.operands[number]
            stage += -(-o.bytes() // 1024) * 1024 + -(-o.metadata_bytes() // 1024) * 1024
        at += stages * stage
        barriers += 16 * stages
    barriers += 2 * (16 + 16) * p.how.dynamic  # drawn numbers: two slots, each with two barriers and 16 bytes of its own
    return at + 64 * panel_span(p.output()) * p.how.consumers + -(-barriers // 16) * 16


def panel_span(c):
    """Bytes of a row of the epilogue's panel: whole spans of the tile (docs/design/epilogue-and-outputs.md); 8 columns
    of 32-bit outputs, the widest span of 16-bit ones."""
    if BITS[c.type] == 32:
        return 32
    return next(s for s in (128, 64, 32, 16) if c.cols() * 2 % s == 0)


def registers(p):
    """Registers of a thread that fragments of products take, and those that a consumer can have."""
    c = p.how.consumers
    launched = launch_registers(p)
    most = launched if c == 1 else min(240, ((1 + c) * launched - 24) // c // 8 * 8)
    counted, metadata = {}, 0
    loads = {s.name: s for s, _ in walk(p.body) if s.kind == "load"}
    for s, _ in walk(p.body):
        if s.kind != "product":
            continue
        d, rows, cols = p.fragments[s.name]
        blocks = rows // 64 // c
        counted[s.name] = blocks * cols * BITS[d] // 64
        if s.a[0] == "fragment":
            a, _, inner = p.fragments[s.a[1]]
            counted[s.a[1]] = blocks * inner * BITS[a] // 64
        else:
            o = p.operands[loads[s.a[1]].operand]
            if o.sparse:
                metadata = max(metadata, blocks * (o.cols() // metadata_columns(o.type)))
    return max(sum(counted.values()) + metadata, alive(p)), most


def alive(p):
    """Registers of the fragments that live at once, from where they are filled to where they are last read, across a load, a
    product, a read, a reduction of rows, a loop's head or the store: between those, elements are made one after the other."""
    now, lives, names, fresh, busy = 0, [], {}, set(), set()

    def fill(name, since=None):
        names[name] = len(lives)
        lives.append([now if since is None else since, now, 0])

    def assign(name, since):
        """What is overwritten lives until then, beside what it becomes."""
        read(name)
        fill(name, since)
        read(name)

    def read(name, by_product=False):
        kind, rows, cols = p.fragments[name]
        lives[names[name]][1:] = [now, rows // 64 // p.how.consumers * cols * BITS[kind] // 64]
        (busy.add if by_product else busy.discard)(name)

    def run(body):
        nonlocal now
        made = []
        for s in body:
            if s.kind in ("load", "store", "read", "product", "loop"):
                if s.kind == "read" and s.form != "=":
                    fill(s.name)
                now += 1
            if s.kind == "loop":
                for _ in range(3):
                    run(s.body)
            elif s.kind == "new":
                fill(s.name)
                fresh.add(s.name)
            elif s.kind == "read":
                if s.form == "=":
                    assign(s.name, now - 1)
            elif s.kind == "product":
                if s.form in ("new", "=") or s.name in fresh:
                    fill(s.name)
                fresh.discard(s.name)
                read(s.name, True)
                if s.a[0] == "fragment":
                    read(s.a[1], True)
            elif s.kind == "cast":
                read(s.source)
                assign(s.name, now) if s.form == "=" else fill(s.name)
            elif s.kind == "use":
                for name in s.uses:
                    read(name)
                if s.text.startswith("auto "):
                    fill(s.text.split()[1])
                if "row_max" in s.text:
                    now += 1
                    for name in s.uses:
                        read(name)
            elif s.kind == "store":
                read(s.source)
            if s.kind in ("new", "cast", "read") or s.kind == "product" and s.form == "new":
                made.append(s.name)
        for name in made:
            if name in busy:
                lives[names[name]][1] = now

    run(p.body)
    return max((sum(size for first, last, size in lives if first <= point < last) for point in range(now)), default=0)


def launch_registers(p):
    return min(248, REGISTER_FILE // (128 * (1 + p.how.consumers)) // 8 * 8)


def instruction_registers(p):
    """language: the sums of one instruction fit in what the kernel is launched with."""
    for s, _ in walk(p.body):
        if s.kind == "product" and p.fragments[s.name][2] * BITS[p.fragments[s.name][0]] // 64 + LAUNCH_REGISTERS > launch_registers(p):
            return f"an instruction of {p.fragments[s.name][2]} columns for {p.how.consumers} consumers"
    return None


def turns(p):
    """language: with ping-pong, a product is used in every trip of the loop: True if so, None if the language leaves it open
    (the use is but the end of a fragment's life, or another product follows it)."""
    answer = True
    for s, _ in walk(p.body):
        issued = [x for x in s.body if x.kind == "product"] if s.kind == "loop" else []
        if not issued:
            continue
        names = {x.name for x in issued} | {x.a[1] for x in issued if x.a[0] == "fragment"}
        using = [i for i, x in enumerate(s.body) if names & set(x.uses if x.kind == "use" else [x.source] if x.kind == "cast" else [])]
        ending = any(x.form == "new" for x in issued) or any(x.kind in ("cast", "read") for x in s.body)
        if not using and not ending:
            return False
        if not using or s.body.index(issued[-1]) > using[-1] or any(x.kind == "loop" for x in s.body):
            answer = None
    return answer


def why_illegal(p):
    for rule in (declarations, text_rules, products):
        if why := rule(p):
            return why
    if p.how.pingpong and turns(p) is False:
        return "language: ping-pong needs a use of a product in every trip"
    if len(rings(p)) > 4:
        return "language: 4 groups of stages"
    if why := clusters(p):
        return why
    if shared_memory(p) > SHARED_LIMIT:
        return f"{shared_memory(p)} bytes of shared memory"
    if why := instruction_registers(p):
        return why
    need, most = registers(p)
    if need + LANGUAGE_REGISTERS > most:
        return f"{need} registers of {most}"
    return None
