"""Programs as C++."""


def cpp_operand(o):
    kind = {"input": "sparse_input" if o.sparse else "input", "output": "output"}.get(o.kind)
    if o.kind == "scalar":
        return f'scalar<"{o.name}", {o.type}>()'
    swizzle = f", swizzle_mode::{o.swizzle}" if o.swizzle and o.kind == "input" and not o.sparse else ""
    return f'{kind}<"{o.name}({",".join(o.modes)})", {o.type}>({o.order}{swizzle})'


def cpp_body(p, body, depth):
    pad = "  " * depth
    out = []
    c = p.output()
    for s in body:
        if s.kind == "loop":
            out.append(f"{pad}for (auto {s.name} : sm.pipelined({s.trips[0]})) {{")
            out += cpp_body(p, s.body, depth + 1)
            out.append(f"{pad}}}")
            continue
        if s.kind == "new":
            text = f"auto {s.name} = sm.accumulator(C, as<{s.type}>());"
        elif s.kind == "load":
            text = f"auto {s.name} = sm.load({p.operands[s.operand].name}, {{{', '.join(t for t, _ in s.coordinates)}}});"
        elif s.kind == "read":
            tile = f"transpose({s.source})" if s.transposed else s.source
            text = f"{'' if s.form == '=' else 'auto '}{s.name} = in_registers({tile});"
        elif s.kind == "cast":
            text = f"{'' if s.form == '=' else 'auto '}{s.name} = cast<{s.type}>({s.source});"
        elif s.kind == "product":
            a = s.a[1] if s.a[0] == "fragment" else f"transpose({s.a[1]})" if s.a[2] else s.a[1]
            b = f"transpose({s.b[0]})" if s.b[1] else s.b[0]
            text = f"{'-' if s.negate_a else ''}{a} * {'-' if s.negate_b else ''}{b}"
            if s.saturate:
                text = f"saturate({text})"
            text = f"auto {s.name} = sm.accumulator({text}, as<{s.type}>());" if s.form == "new" else f"{s.name} {s.form} {text};"
        elif s.kind == "store":
            at = ["g"] * (len(c.tile) - 2) + ["m", s.coordinates[0][0] if s.coordinates else "n"]
            text = f"sm.store(C, {{{', '.join(at)}}}, {s.source});"
        else:
            text = s.text
        out.append(pad + text)
    return out


def cpp(p, name):
    s = p.how
    tile = ", ".join(f'{{"{mode}", {extent}}}' for mode, extent in s.tile)
    fields = [f".tile = {{{tile}}}", f".stages = {s.stages}", f".cluster = {{{s.rows}, {s.cols}}}", f".consumers = {s.consumers}"]
    fields += [".persistent = true"] * s.persistent + [".dynamic = true"] * s.dynamic + [".pingpong = true"] * s.pingpong
    fields += [f".stagger = {s.stagger}"] * (s.stagger != 0) + [f".group = {s.group}"] * (s.group != 8)
    fields += [".rows = traversal::reversed"] * s.reversed
    batch = len(p.output().tile) == 3
    declared = ",\n      ".join(cpp_operand(o) for o in p.operands)
    lines = [f"struct {name} {{  // {p.family}", f"  static constexpr auto operands = sectile::operands(\n      {declared});",
             f"  static constexpr sectile::configuration how{{{', '.join(fields)}}};",
             f"  static constexpr void body(auto& sm, {', '.join('auto ' + o.name for o in p.operands)}) {{",
             f"    [[maybe_unused]] const auto [{'g, ' if batch else ''}m, n] = sm.tile_of(C);"]
    return "\n".join(lines + cpp_body(p, p.body, 2) + ["  }", "};"])
