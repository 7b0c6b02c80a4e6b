"""Charts of measured figures: one SVG document each, drawn from docs/measured/NAME.json by its own keys. The classes are
those of `sectile figure`'s pictures, so that a page has their rules once."""

import html
import math

from .problem import Problem

STYLE = """<style>
.sectile-figure{font:12px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;font-variant-numeric:tabular-nums}
.sectile-figure .title{font-size:14px;font-weight:600}
.sectile-figure .small{font-size:10px}
.sectile-figure .mid{text-anchor:middle}
.sectile-figure .end{text-anchor:end}
.sectile-figure .rule{fill:none;stroke-width:1}
.sectile-figure .mark{fill:none;stroke-width:1.6}
.sectile-figure .dashed{stroke-dasharray:4 3}
.sectile-figure .cell{stroke-width:.6}
.sectile-figure{fill:#1f2328}
.sectile-figure .muted{fill:#57606a}
.sectile-figure .rule{stroke:#8b949e}
.sectile-figure .mark{stroke:#a5341c}
.sectile-figure .cell{stroke:#1f2328}
.sectile-figure .ink{fill:#1f2328}
.sectile-figure .paper{fill:#ffffff}
.sectile-figure .g0{fill:#cfe1f7}
.sectile-figure .g1{fill:#fbdcc6}
.sectile-figure .g2{fill:#d1ecce}
.sectile-figure .g3{fill:#f4d6eb}
.sectile-figure .g4{fill:#f8ebb5}
@media (prefers-color-scheme: dark) {
.sectile-figure{fill:#e8eaed}
.sectile-figure .muted{fill:#a9b2bc}
.sectile-figure .rule{stroke:#7d8590}
.sectile-figure .mark{stroke:#ffab93}
.sectile-figure .cell{stroke:#e8eaed}
.sectile-figure .ink{fill:#e8eaed}
.sectile-figure .paper{fill:#161b22}
.sectile-figure .g0{fill:#24436d}
.sectile-figure .g1{fill:#6a3c1b}
.sectile-figure .g2{fill:#24542f}
.sectile-figure .g3{fill:#5e2f56}
.sectile-figure .g4{fill:#56490f}
}
</style>"""

LABELS = 150  # pixels left of a plot
STEP = 20  # of a row
WIDTH = 420  # of a plot
COLOURS = 5


def document(width, height, title, description, parts):
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" class="sectile-figure" role="img" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}">',
        f"<title>{html.escape(title)}</title>",
        f"<desc>{html.escape(description)}</desc>",
        STYLE,
        f'<rect x="0" y="0" width="{width}" height="{height}" class="backdrop paper"/>',
        *parts,
        "</svg>\n",
    ])


def label(x, y, words, classes=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{classes}">{html.escape(words)}</text>'


def line(x1, y1, x2, y2, classes):
    return f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" class="{classes}"/>'


def dot(x, y, colour, says, shape="circle"):
    """Ours are squares, a peer's circles in its colour."""
    says = f"<title>{html.escape(says)}</title>"
    if shape == "square":
        return f'<rect x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8" class="ink">{says}</rect>'
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" class="cell g{colour % COLOURS}">{says}</circle>'


def legend(x, y, peers, with_ours):
    entries = [("Sectile", 0, "square")] if with_ours else []
    entries += [(peer["title"], colour, "circle") for colour, peer in enumerate(peers)]
    parts = []
    for title, colour, shape in entries:
        parts += [dot(x, y - 4, colour, title, shape), label(x + 10, y, title)]
        x += 28 + 7 * len(title)
    return parts


def cases(values, kind):
    """The problems of a type, and the columns of the peers that took part in them."""
    rows = [r for r in values["rows"] if r.get("kind") == kind and "us" in r]
    if not rows:
        raise Problem(f"no row is a problem of '{kind}'")
    return rows, [c for c in values["columns"] if any(isinstance(r.get(c["key"] + "_us"), (int, float)) for r in rows)]


class Logarithmic:
    """A place for each value between two others, so many pixels in all."""

    def __init__(self, low, high, pixels, start=0.0, downwards=False):
        self.low, self.high = low, high
        self._scale, self._start, self._downwards = pixels / math.log(high / low), start, downwards

    def __call__(self, value):
        at = math.log(min(max(value, self.low), self.high) / self.low) * self._scale
        return self._start - at if self._downwards else self._start + at


def ratios(values, kind):
    """A row for each problem of a type: each peer's time over ours, so that to the right of 1 we are faster."""
    rows, peers = cases(values, kind)
    all_ratios = [r[p["key"]] for r in rows for p in peers if r.get(p["key"]) is not None]
    place = Logarithmic(min(0.8, *all_ratios) * 0.97, max(1.25, *all_ratios) * 1.03, WIDTH, LABELS)
    top, bottom = 58, 58 + STEP * len(rows)
    parts = [label(8, 20, f"{kind}: a peer's time over ours", "title"), *legend(LABELS, 40, peers, False)]
    for mark in (0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2, 3, 4, 6, 8):
        if place.low <= mark <= place.high:
            parts += [line(place(mark), top, place(mark), bottom, "mark" if mark == 1 else "rule dashed"),
                      label(place(mark), bottom + 14, f"{mark:g}", "small mid muted")]
    for i, r in enumerate(rows):
        y = top + STEP * i + STEP / 2
        size = f"{r['m']} x {r['n']} x {r['k']}"
        parts.append(label(LABELS - 10, y + 4, size, "end"))
        for colour, p in enumerate(peers):
            if r.get(p["key"]) is not None:
                parts.append(dot(place(r[p["key"]]), y, colour, f"{size}: {p['title']} {r[p['key']]:.3f}"))
    says = f"For {len(rows)} problems in {kind}, the times of {', '.join(p['title'] for p in peers)} over Sectile's."
    return document(LABELS + WIDTH + 30, bottom + 26, f"Ratios, {kind}", says, parts)


def reached_alone(ceilings, kind):
    """(TFLOP/s, GB/s) of the tensor cores for a type as in "bf16" or "sparse bf16", and of memory: the best of
    docs/measured/ceilings.json."""
    words = kind.split()
    sort = "sparse" if words[0] == "sparse" else "dense"
    rates = [r["tflops"] for r in ceilings["rows"] if r.get("type") == words[-1] and r.get("kind") == sort]
    copies = [r["gb_per_s"] for r in ceilings["rows"] if r.get("kind") == "memory"]
    if not rates or not copies:
        raise Problem(f"docs/measured/ceilings.json does not say what {kind} and memory reach alone")
    return max(rates), max(copies)


def roofline(values, kind, ceilings):
    """Each problem of a type: TFLOP/s over the products that a byte allows, beneath what memory and the tensor cores
    reach alone."""
    peak_tflops, gb_per_s = reached_alone(ceilings, kind)
    rows, peers = cases(values, kind)
    memory = gb_per_s * 1e-3  # TFLOP/s at one product per byte
    intensities = [r["intensity"] for r in rows]
    across = Logarithmic(min(intensities) / 1.6, max(intensities) * 1.6, WIDTH, 60)
    rates = [r["tflops"] for r in rows]
    height, top = 300, 58
    up = Logarithmic(min(rates) / 2, peak_tflops * 1.3, height, top + height, downwards=True)
    knee = min(max(peak_tflops / memory, across.low), across.high)
    parts = [label(8, 20, f"{kind}: TFLOP/s by products per byte", "title"), *legend(68, 40, peers, True)]
    start = max(across.low, up.low / memory)
    parts += [line(across(start), up(start * memory), across(knee), up(min(knee * memory, peak_tflops)), "mark"),
              line(across(knee), up(peak_tflops), across(across.high), up(peak_tflops), "mark")]
    for mark in (10 ** e * f for e in range(0, 5) for f in (1, 2, 5)):
        if up.low <= mark <= up.high:
            parts += [line(60, up(mark), 60 + WIDTH, up(mark), "rule dashed"),
                      label(54, up(mark) + 4, f"{mark:g}", "small end muted")]
        if across.low <= mark <= across.high:
            parts.append(label(across(mark), top + height + 16, f"{mark:g}", "small mid muted"))
    for r in rows:
        size = f"{r['m']} x {r['n']} x {r['k']}"
        for colour, p in enumerate(peers):
            if r.get(p["key"]) is not None:
                rate = r["tflops"] / r[p["key"]]
                parts.append(dot(across(r["intensity"]), up(rate), colour, f"{size}: {p['title']} {rate:.0f}"))
        parts.append(dot(across(r["intensity"]), up(r["tflops"]), 0, f"{size}: Sectile {r['tflops']:.0f}", "square"))
    says = (f"Rates of {len(rows)} problems in {kind} beneath {gb_per_s:.0f} GB/s of memory and {peak_tflops:.0f} "
            "TFLOP/s of the tensor cores.")
    return document(60 + WIDTH + 30, top + height + 30, f"Roofline, {kind}", says, parts)
