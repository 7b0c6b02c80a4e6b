"""What a race leaves: lines, the rows of docs/measured/peers.json (its form is that of bench/report.hpp), and CSV."""

import csv
import datetime
import io
import math

TITLES = {
    "cublaslt": "cuBLASLt",
    "cusparselt": "cuSPARSELt",
    "cutlass": "CUTLASS",
    "triton": "Triton",
    "cuda_tile": "CUDA Tile",
}


def number(x, digits=6):
    return None if x is None else float(f"{x:.{digits}g}")


def tflops(problem, ms):
    return problem.flops / ms * 1e-9


def microseconds(times):
    return number(times.median * 1e3)


def row(outcome):
    problem, ours = outcome.problem, outcome.ours
    best = outcome.best_peer()
    values = {
        "name": problem.name,
        "title": f"{problem.kind.name}, {problem.m} x {problem.n} x {problem.k}",
        "kind": problem.kind.name,
        "family": problem.family,
        "m": problem.m,
        "n": problem.n,
        "k": problem.k,
        "intensity": number(problem.flops / problem.bytes),
        "us": microseconds(ours.times),
        "tflops": number(tflops(problem, ours.times.median)),
        "choice": ours.choice,
        "spread_percent": number((ours.times.slowest / ours.times.fastest - 1) * 100, 3),
        "mhz": ours.times.mhz,
        "watts": number(ours.times.watts),
        "error": number(ours.error, 3),
        "ratio": number(outcome.ratio(best)) if best else None,
        "best_peer": best.key if best else None,
    }
    for entry in outcome.peers:
        values |= {
            entry.key: number(outcome.ratio(entry)),
            f"{entry.key}_us": microseconds(entry.times),
            f"{entry.key}_choice": entry.choice,
            f"{entry.key}_candidates": entry.candidates,
            f"{entry.key}_mhz": entry.times.mhz,
            f"{entry.key}_watts": number(entry.times.watts),
            f"{entry.key}_error": number(entry.error, 3),
        }
    return values


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def mean_rows(rows):
    """For each type: geometric means of the ratios to each peer and to the best of them, and the least of those."""
    means = []
    for kind in dict.fromkeys(r["kind"] for r in rows):
        of_kind = [r for r in rows if r["kind"] == kind]
        mean = {"name": f"mean {kind}", "title": f"{kind}, geometric mean", "kind": kind, "family": "mean"}
        mean["problems"] = len(of_kind)
        for key in ("ratio", *TITLES):
            ratios = [r[key] for r in of_kind if r.get(key) is not None]
            if ratios:
                mean[key] = number(geometric_mean(ratios))
                mean[f"{key}_least"] = min(ratios)
        means.append(mean)
    return means


def document(outcomes, about):
    """`about`: device, software, command, rounds, watts_allowed, contestants and left_out."""
    rows = [row(o) for o in outcomes]
    raced = [key for key in TITLES if any(key in r for r in rows)]
    columns = [{"key": "tflops", "title": "TFLOP/s", "digits": 0}]
    columns += [{"key": key, "title": TITLES[key], "digits": 3} for key in raced]
    return {
        "title": "C = A B^T against everybody",
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        **about,
        "columns": columns,
        "rows": rows + mean_rows(rows),
    }


def as_csv(rows):
    """One line for each problem; what a row does not have is empty."""
    keys = list(dict.fromkeys(key for r in rows for key in r))
    text = io.StringIO()
    writer = csv.DictWriter(text, keys, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def head(peers):
    titles = " ".join(f"{TITLES[peer.key]:>10}" for peer in peers)
    return f"{'':30} {'ours us':>9} {'TFLOP/s':>8} {titles} {'MHz':>5} {'W':>4} {'rel. err.':>9}  fastest peer's kernel"


def line(outcome, peers):
    ours, by_key = outcome.ours, {e.key: e for e in outcome.peers}
    ratios = " ".join(
        f"{outcome.ratio(by_key[peer.key]):10.3f}" if peer.key in by_key else f"{'-':>10}" for peer in peers
    )
    best = outcome.best_peer()
    shown = [f"{x:.0f}" if x is not None else "-" for x in (ours.times.mhz, ours.times.watts)]
    rate = tflops(outcome.problem, ours.times.median)
    return (
        f"{outcome.problem.name:30} {ours.times.median * 1e3:9.2f} {rate:8.1f} {ratios} {shown[0]:>5} {shown[1]:>4} "
        f"{ours.error:9.1e}  {f'{TITLES[best.key]}: {best.choice}' if best else ''}"
        f"{'' if outcome.is_right() else '  WRONG'}"
    )


def mean_line(mean, peers):
    ratios = " ".join(f"{mean[p.key]:10.3f}" if p.key in mean else f"{'-':>10}" for p in peers)
    best = f"to the best of them {mean['ratio']:.3f}, at least {mean['ratio_least']:.3f}" if "ratio" in mean else ""
    return f"{mean['title']:30} {'':9} {'':8} {ratios}  {best}"
