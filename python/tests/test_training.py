"""examples/training: three steps of a tiny model, by PyTorch's layers and by Sectile's."""

import csv
import pathlib
import re
import subprocess
import sys

import needs

_, sectile = needs.shipped()

TRAIN = pathlib.Path(__file__).parents[2] / "examples" / "training" / "train.py"


def test_three_steps_follow_pytorchs(tmp_path):
    done = subprocess.run([sys.executable, "-B", TRAIN, "--tiny", "--out", tmp_path], capture_output=True, text=True,
                          env=needs.environment(sectile))
    assert done.returncode == 0, done.stderr
    with open(tmp_path / "losses.csv", newline="") as file:
        steps = list(csv.DictReader(file))
    assert len(steps) == 3
    for step in steps:
        assert abs(float(step["Sectile"]) - float(step["PyTorch"])) < 0.02
    assert float(steps[-1]["Sectile"]) < float(steps[0]["Sectile"]) - 0.1
    ways = "both ways" if hasattr(sectile.operators, "attention_d64_causal_keys_backward") else "in evaluation alone"
    assert f"Sectile multiplies in 5 layers of the second model, and makes its attention {ways}" in done.stdout
    assert "tokens per second: PyTorch" in done.stdout
    found = re.search(r"evaluated, with attention forward by each: PyTorch ([0-9.]+), Sectile ([0-9.]+)", done.stdout)
    assert abs(float(found[1]) - float(found[2])) < 0.02
