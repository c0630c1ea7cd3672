#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Dense training step: the engine against Python's DistributedDataParallel of the same wheel, interleaved.

usage: tests/bench/ddp_compare.py [--build build/release] [--ranks 2] [--runs 7] [--python PYTHON]
PYTHON runs ddp_step.py and must be able to import torch; tests/bench/ddp_python.sh makes one from the wheel that set-up
unpacked. Prints steps per second of both (minimum, median, maximum) and the ratio of the medians.
"""
import argparse, json, os, statistics, subprocess, sys, tempfile

here = os.path.dirname(os.path.abspath(__file__))
root = os.path.dirname(os.path.dirname(here))

SPEC = """
name = "ddp-compare"
[data]
name = "fashion-mnist"
test_samples = 100
[model]
name = "lenet5"
[train]
epochs = 2
batch_per_rank = 64
lr = 0.05
momentum = 0.9
weight_decay = 1e-4
[ranks]
count = {ranks}
device = "cpu"
backend = "gloo"
threads_per_rank = 1
[compress]
name = "none"
[policy]
name = "static"
"""


def engine(build, ranks, folder):
    """Steps per second of the second epoch: the first is warm-up."""
    spec = os.path.join(folder, "spec.toml")
    with open(spec, "w") as file:
        file.write(SPEC.format(ranks=ranks))
    lines = subprocess.run(
        [os.path.join(root, build, "bin", "concertina"), "run", spec, "--json",
         "--store", os.path.join(folder, "runs.sqlite")],
        check=True, capture_output=True, text=True).stdout.splitlines()
    epochs = [event for event in map(json.loads, lines) if event["event"] == "epoch"]
    steps = -(-60000 // (64 * ranks))
    return steps / (epochs[1]["train_seconds"] - epochs[0]["train_seconds"])


def peer(python, ranks):
    steps = -(-60000 // (64 * ranks))
    out = subprocess.run([*python.split(), os.path.join(here, "ddp_step.py"), str(ranks), str(steps)],
                         check=True, capture_output=True, text=True).stdout
    return float(out.split()[-1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--python", default=os.path.join(here, "ddp_python.sh"))
    arguments = parser.parse_args()
    ours, theirs = [], []
    with tempfile.TemporaryDirectory() as folder:
        for run in range(arguments.runs):
            ours.append(engine(arguments.build, arguments.ranks, folder))
            theirs.append(peer(arguments.python, arguments.ranks))
            print(f"run {run + 1}: engine {ours[-1]:.1f}, DDP {theirs[-1]:.1f} steps/s", file=sys.stderr)
    for name, values in (("engine", ours), ("DDP", theirs)):
        print(f"{name:7} {min(values):7.1f} {statistics.median(values):7.1f} {max(values):7.1f} steps/s")
    print(f"ratio of medians {statistics.median(ours) / statistics.median(theirs):.3f}")


main()
