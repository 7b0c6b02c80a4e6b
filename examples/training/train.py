#!/usr/bin/env python3
"""Trains a transformer on the bytes of two plays, with PyTorch's layers and with Sectile's, and compares.

    python train.py                 on a GPU: some hundred steps, a plot of the losses, tokens per second
    python train.py --tiny          anywhere: three steps of a tiny one; without a GPU on the model of the machine

The models take turns, step by step, so that all meet the same clock. Weights and batches are the same by the seed; a
third one has another seed, and shows how far apart two runs are that differ in nothing that matters.
"""

import argparse
import pathlib

import torch

import sectile.nn
import sectile.torch
from learner import Learner
from report import plot, table, verdict

HERE = pathlib.Path(__file__).parent


def settings():
    said = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    said.add_argument("--tiny", action="store_true", help="three steps of a tiny model, on any machine")
    for name, default in (("steps", 300), ("width", 2048), ("layers", 6), ("heads", 16), ("length", 512), ("batch", 32),
                          ("evaluated", 4), ("seed", 1)):
        said.add_argument(f"--{name}", type=int, default=default)
    said.add_argument("--rate", type=float, default=2e-4, help="AdamW's learning rate")
    said.add_argument("--out", type=pathlib.Path, default=pathlib.Path("training"), help="a folder for what is made")
    form = said.parse_args()
    if form.tiny:
        form.steps, form.width, form.layers, form.heads, form.length, form.batch = 3, 64, 1, 1, 32, 2
        form.rate, form.evaluated = 3e-3, 1
    elif not torch.cuda.is_available():
        said.error("there is no GPU for a whole run; --tiny takes three steps on the model of the machine")
    return form


def with_sectile(model):
    """Sectile's linear layers and its attention; the latter forward alone, where the package was built without
    attention_gradients."""
    for block in model.blocks:
        block.evaluating = sectile.torch.attention
        if sectile.torch.attention_has_gradients(block.depth, is_causal=True):
            block.learning = sectile.torch.attention
    return sectile.nn.replace_linears(model)


def learners(form):
    text = torch.frombuffer(bytearray((HERE / "shakespeare.txt").read_bytes()), dtype=torch.uint8)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    return (Learner("PyTorch", text, form, form.seed, device),
            Learner("Sectile", text, form, form.seed, device, with_sectile),
            Learner("PyTorch, another seed", text, form, form.seed + 1, device))


def main():
    form = settings()
    runs = learners(form)
    learns = runs[1].model.blocks[0].learning is sectile.torch.attention
    print(f"Sectile multiplies in {len(runs[1].prepared)} layers of the second model, and makes its attention " +
          ("both ways" if learns else "in evaluation alone: this package was built without attention_gradients"))
    for at in range(form.steps):
        for run in runs:
            run.step()
        if at % 20 == 0 or at + 1 == form.steps:
            print(f"step {at + 1:4}   " + "   ".join(f"{run.name} {run.losses[-1]:.4f}" for run in runs), flush=True)
    form.out.mkdir(parents=True, exist_ok=True)
    table(runs, form.out / "losses.csv")
    plot(runs, form.out / "losses.svg")
    print(verdict(runs))
    print("evaluated, with attention forward by each: " +
          ", ".join(f"{run.name} {run.evaluate(form.evaluated):.4f}" for run in runs[:2]))


if __name__ == "__main__":
    main()
