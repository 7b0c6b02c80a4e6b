#!/usr/bin/env python3
"""How long the explorer takes to answer, in milliseconds, in headless Chromium: from the key or the pointer until the page
is laid out again, for small and for huge layouts, and for a step of a pipeline. The quickest of a few is what the program
takes; the others say how busy the machine was. --check fails where one is slower than the 50 ms that feel immediate.

    python3 bench/explorer_speed.py [--page build/site/explorer/index.html] [--times 5] [--json FILE] [--check]
"""

import argparse
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/explorer"))
import browser  # noqa: E402

IMMEDIATE = 50  # ms

EXPRESSIONS = ["(4,8):(8,1)", "tile(bf16, 64, 64, k, b128)", "tile(bf16, 256, 64, k, b128)", "tile(e4m3, 256, 128, k, b128)",
               "tile(tf32, 256, 32, k, b128)", "tile(b1, 256, 1024, k, b128)", "tile(bf16, 256, 64, mn, b128)", "d_layout(256)",
               "a_layout(bf16)", "(64,64)", "(1024,(64,16)):(64,(1,65536))", "(4096,4096):(1,4096)", "(1000,1000):(1,1)", "(1024,1024):(1,3)",
               "(1048576,1048576)", "(255,257):(1,254)", "Sw<3,4,3> o (1024,1024):(1024,1)",
               "raked_product((16,8):(8,1), (4,8):(8,1))", "(2,2,2,2,2,2,2,2,2,2,2,2):(1,3,5,7,9,11,13,15,17,19,21,23)",
               "zipped_divide((4096,4096):(4096,1), <32:1,32:1>)", "(4,8", "nonsense", "complement((4,2):(1,2), 24)"]
POINTED_AT = ["tile(bf16, 128, 64, k, b128)", "(4096,4096):(1,4096)", "d_layout(256)"]
PLACES = [(1, 1), (5, 3), (9, 2), (20, 5), (13, 6), (3, 4)]
DESCRIPTOR = "0x4000004000010200"


def quickest(page, times, act):
    """Of so many answers; each act may be answered in parts, of which the longest counts."""
    best = float("inf")
    for time in range(times):
        page.answers()
        act(time)
        best = min(best, max(page.answers(), default=0))
    return best


def typing(page, times):
    for expression in EXPRESSIONS:
        def act(_, text=expression):
            page.set("4:1")
            page.answers()
            page.set(text)
        yield f"typing {expression}", quickest(page, times, act)


def pointing(page, times):
    for expression in POINTED_AT:
        page.set(expression)
        for view in page.views():
            def act(time, view=view):
                page.point(view, *PLACES[time % len(PLACES)])
            yield f"pointing at {view} of {expression}", quickest(page, times, act)


def decoding(page, times):
    def act(_):
        page.js("const f = document.getElementById('hex'); f.value = arguments[0]; f.dispatchEvent(new Event('input'));",
                DESCRIPTOR)
    yield f"decoding {DESCRIPTOR}", quickest(page, times, act)


def stepping(page, times):
    for kernel in page.js("return [...document.querySelectorAll('#kernel option')].map((o) => o.value)"):
        page.open("4:1", kernel=kernel, step=1)
        count = int(page.find("#step").get_attribute("max")) + 1

        def act(time, count=count):
            page.js("const range = document.getElementById('step'); range.value = arguments[0];"
                    "range.dispatchEvent(new Event('input', {bubbles: true}));", (time + 1) * count // (times + 1))
        yield f"stepping through {kernel}", quickest(page, times, act)


def opening(page):
    page.open("tile(bf16, 64, 64, k, b128)")
    return page.js("return performance.timing.loadEventEnd - performance.timing.navigationStart")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--page", type=pathlib.Path, default=ROOT / "build/site/explorer/index.html")
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--check", action="store_true", help=f"fail where an answer takes more than {IMMEDIATE} ms")
    options = parser.parse_args()
    if not options.page.is_file():
        sys.exit(f"there is no {options.page}: cmake --build build --target explorer")
    browser.page_file = options.page

    rows = []
    with browser.Page() as page:
        rows.append({"what": "opening", "ms": round(opening(page), 1)})
        for measured in (typing, pointing, decoding, stepping):
            for what, ms in measured(page, options.times):
                rows.append({"what": what, "ms": round(ms, 1)})
                print(f"{ms:7.1f} ms  {what}", flush=True)
    if options.json:
        options.json.write_text(json.dumps({"quickest of": options.times, "rows": rows}, indent=1) + "\n")
    slow = [row for row in rows[1:] if row["ms"] > IMMEDIATE]
    print(f"opened in {rows[0]['ms']:.0f} ms; {len(slow)} of {len(rows) - 1} answers took more than {IMMEDIATE} ms")
    return 1 if slow and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
