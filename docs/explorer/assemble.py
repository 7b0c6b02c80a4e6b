"""Puts the explorer together: the page, the site's style and its own, the program that em++ made, the scripts, and
what the tool says of the kernels (their operand tiles as examples, their pipelines). The result is one file."""

import argparse
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SCRIPTS = ["machine", "address", "copies", "sheet", "views", "beside", "question", "descriptors", "timelines", "theme", "page"]
TIMELINES = ["ladder_tma", "ladder_stages", "ladder_warp_specialization", "gemm_bf16", "attention_d128"]
# Whose tiles are examples: elements of every size, both majors, a sparse factor, an added tile, tiles of whole rows.
TILES_OF = ["gemm_bf16", "gemm_bf16_nn", "gemm_bf16_nt", "gemm_tf32", "gemm_e4m3", "gemm_s8", "gemm_b1", "sparse_gemm_f16",
            "linear_residual_bf16", "quantized_linear_s4", "softmax_bf16", "transposed_copy_bf16", "attention_d64"]
MOST_STEPS = 1500  # of an embedded pipeline


class Tool:
    """The `sectile` program, if there is one."""

    def __init__(self, program):
        self.program = program

    def ask(self, *arguments):
        """What a command printed; None where it failed."""
        if not self.program:
            return None
        done = subprocess.run([self.program, *arguments], capture_output=True, text=True, check=False)
        return done.stdout if done.returncode == 0 else None

    def facts(self, kernel):
        said = self.ask("tutorial", kernel, "--facts", "-")
        try:
            return json.loads(said) if said else None
        except json.JSONDecodeError:
            return None


def presets_of(facts):
    """A group of examples: the distinct operand tiles of the kernels."""
    entries, seen = [], set()
    for kernel, document in facts.items():
        for operand in document.get("operands", []):
            expression = operand.get("expression")
            if expression is None or expression in seen:
                continue
            seen.add(expression)
            entries.append({"title": f"{operand['name']} of {kernel}", "expression": expression})
    return [{"title": "Tiles of the kernels", "entries": entries}] if entries else []


def slim_timeline(timeline):
    """What the page needs of a timeline; None if there is none, or one too long to step through."""
    if not timeline or timeline.get("refused") or not timeline.get("steps"):
        return None
    if len(timeline["steps"]) > MOST_STEPS:
        return None
    keep = ("kind", "lane", "start", "end", "says")
    events = [{k: e.get(k) for k in keep} | {"waits": e["kind"].startswith("wait")} for e in timeline["events"]]
    several = timeline["ctas"] > 1
    lanes = [{"name": lane["name"] + (f", CTA {lane['cta']}" if several else "")} for lane in timeline["lanes"]]
    return {"note": timeline.get("note", ""), "sizes": timeline.get("sizes", ""), "length": timeline["length"],
            "lanes": lanes, "rings": [{"name": r["name"]} for r in timeline["rings"]],
            "letters": timeline["letters"], "events": events, "steps": timeline["steps"]}


def build_data(tool):
    """The examples and the pipelines."""
    presets = json.loads((HERE / "presets.json").read_text(encoding="utf-8"))
    facts = {name: document for name in TILES_OF + TIMELINES if (document := tool.facts(name))}
    if not facts:
        print("left out of the explorer: the tiles and pipelines of the kernels; there is no `sectile tutorial` to ask",
              file=sys.stderr)
    timelines = {}
    for name in TIMELINES:
        if name in facts and (slim := slim_timeline(facts[name].get("timeline"))):
            timelines[name] = slim
    tiles = presets_of({name: facts[name] for name in TILES_OF if name in facts})
    return {"presets": tiles + presets, "timelines": timelines}


def for_script(text):
    """Text that may stand inside <script>."""
    return text.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def assemble(program, style, tool):
    """The page."""
    scripts = "\n".join((HERE / "script" / f"{name}.js").read_text(encoding="utf-8") for name in SCRIPTS)
    data = json.dumps(build_data(tool), separators=(",", ":"), ensure_ascii=False)
    script = f'"use strict";\n{program}\n(() => {{\nconst build_data = {data};\n{scripts}}})();'
    page = (HERE / "index.html").read_text(encoding="utf-8")
    for mark, text in (("/* @style */", style), ("/* @program */", for_script(script))):
        before, after = page.split(mark)
        page = before + text + after
    return page


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=pathlib.Path, required=True, help="what em++ made of bindings.cpp")
    parser.add_argument("--site-style", type=pathlib.Path, required=True, help="the site's style sheet")
    parser.add_argument("--sectile", help="the tool, for the tiles and pipelines of the kernels")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    given = parser.parse_args()
    style = given.site_style.read_text(encoding="utf-8") + (HERE / "explorer.css").read_text(encoding="utf-8")
    page = assemble(given.program.read_text(encoding="utf-8"), style, Tool(given.sectile))
    given.out.parent.mkdir(parents=True, exist_ok=True)
    given.out.write_text(page, encoding="utf-8")
    print(f"{given.out}: {len(page.encode()) / 1024:.0f} KiB")


if __name__ == "__main__":
    main()
