"""What is said of runs when they are over."""

import csv


def table(runs, path):
    with open(path, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["step", *(run.name for run in runs)])
        out.writerows([at + 1, *losses] for at, losses in enumerate(zip(*(run.losses for run in runs))))


def plot(runs, path):
    """An SVG, where there is matplotlib."""
    try:
        import matplotlib
    except ImportError:
        print(f"Left out: {path.name}, for want of matplotlib (pip install matplotlib); losses.csv has its numbers.")
        return
    matplotlib.use("svg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4))
    for run, look in zip(runs, ("-", "--", ":")):
        axes.plot(range(1, len(run.losses) + 1), run.losses, look, label=run.name, linewidth=1)
    axes.set(xlabel="step", ylabel="loss, in nats for a byte", title="Linear layers and attention by PyTorch and by Sectile")
    axes.legend()
    figure.savefig(path, metadata={"Date": None})  # the same curves, the same file


def apart(one, other) -> float:
    """How far apart two curves are, step by step, in the mean."""
    return sum(abs(a - b) for a, b in zip(one.losses, other.losses)) / len(one.losses)


def verdict(runs) -> str:
    theirs, ours, noise = runs
    speeds = [run.tokens_per_second() for run in (theirs, ours)]
    return (f"losses of the two are {apart(theirs, ours):.4f} apart in the mean; "
            f"of two seeds {apart(theirs, noise):.4f}\n"
            f"tokens per second: PyTorch {speeds[0]:,.0f}, Sectile {speeds[1]:,.0f}, {speeds[1] / speeds[0]:.3f} of it")
