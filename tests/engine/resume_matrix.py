#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""By hand: every compressor that keeps something x every policy x 2, 3, 4 ranks, each killed at random and resumed, against
the run that was left alone; then one run killed ten times. Prints a line each, exits 1 at a difference.

    tests/engine/resume_matrix.py [--bin build/release/bin] [--ranks 2,3] [--only powersgd/accordion] [--seed 1]
"""
import argparse
import json
import os
import random
import signal
import subprocess
import tempfile
import time
from pathlib import Path

# All of these have error memory, which is state; the last three keep more.
COMPRESSORS = {
    "none": ["{ dtype = \"fp32\" }", "{ dtype = \"fp16\" }"],
    "topk": ["{ ratio = 0.1 }", "{ ratio = 0.01 }"],
    "signsgd": ["{ scale = \"l1\" }", "{ scale = \"l1\" }"],
    "qsgd": ["{ bits = 8 }", "{ bits = 4 }"],
    "dgc": ["{ ratio = 0.1 }", "{ ratio = 0.01 }"],
    "powersgd": ["{ rank = 4 }", "{ rank = 1 }"],
    "variance": ["{ alpha = 1.0 }", "{ alpha = 2.0 }"],
}
POLICIES = {
    "static": "name = \"static\"\nlevel = 1",
    "schedule": "name = \"schedule\"\nlayers = \"*\"\nepochs = [0, 3, 9]\nlevels = [0, 1, 0]",
    "window": "name = \"window\"\nepochs_after_start = 3\nepochs_after_lr_decay = 2",
    "random": "name = \"random\"\nmild_share = 0.4\ninterval_epochs = 2",
    "accordion": "name = \"accordion\"\neta = 0.3\ninterval_epochs = 2",
}
SAME = ["status", "epochs", "test_accuracy", "test_loss", "wire_bytes", "payload_bytes", "decision_wire_bytes", "mild_share",
        "decisions", "weights_hash"]


def spec(compressor, policy, ranks, epochs):
    extra = "momentum_place = \"before\"\n" if compressor == "dgc" else ""
    return f"""name = "matrix"
[data]
name = "fashion-mnist"
train_samples = 768
test_samples = 256
[model]
name = "mlp"
hidden = [32]
[train]
epochs = {epochs}
batch_per_rank = 32
lr_decay_epochs = [5, 20]
[ranks]
count = {ranks}
threads_per_rank = 1
[compress]
name = "{compressor}"
levels = [{", ".join(COMPRESSORS[compressor])}]
{extra}[policy]
{POLICIES[policy]}
"""


class Lab:
    def __init__(self, binary, folder):
        self.binary, self.folder = str(Path(binary) / "concertina"), Path(folder)

    def start(self, *arguments):
        command = [self.binary, *map(str, arguments), "--json", "--store", str(self.folder / "runs.sqlite")]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)

    def finish(self, *arguments):
        process = self.start(*arguments)
        out, err = process.communicate()
        if process.returncode != 0:
            raise SystemExit(f"{' '.join(map(str, arguments))}: exit {process.returncode}\n{err}")
        return json.loads(out.strip().splitlines()[-1])

    def interrupt(self, seconds, *arguments):
        """True if it was killed (a rank, or with the supervisor all) before it ended."""
        process = self.start(*arguments)
        time.sleep(seconds)
        killed = process.poll() is None
        if killed:
            children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True, text=True)
            victims = [process.pid] + [int(line) for line in children.stdout.split()]
            try:
                os.kill(random.choice(victims), signal.SIGKILL)
            except ProcessLookupError:
                killed = False
        process.communicate()
        return killed


def compare(lab, compressor, policy, ranks, kills, epochs):
    name = f"{compressor}-{policy}-{ranks}"
    file = lab.folder / f"{name}.toml"
    file.write_text(spec(compressor, policy, ranks, epochs))
    began = time.monotonic()
    straight = lab.finish("run", file, "--id", name)
    seconds = time.monotonic() - began
    done, first, ended = 0, True, False
    while done < kills and not ended:
        arguments = ["run", file, "--id", name + "-killed"] if first else ["resume", name + "-killed"]
        if lab.interrupt(random.uniform(0.2, 0.9) * seconds / (1 if kills == 1 else 3), *arguments):
            done += 1
        else:
            ended = True
        first = False
        time.sleep(0.2)
    if ended:
        lab_row = subprocess.run([lab.binary, "runs", "--json", "--store", str(lab.folder / "runs.sqlite")],
                                 capture_output=True, text=True)
        status = next(row["status"] for row in json.loads(lab_row.stdout) if row.get("run", row.get("id")) == name + "-killed")
        if status == "done":
            print(f"{name}: ended before it was killed", flush=True)
            return done, True
    resumed = lab.finish("resume", name + "-killed")
    different = [key for key in SAME if straight.get(key) != resumed.get(key)]
    print(f"{name}: {'equal' if not different else 'DIFFERS in ' + ', '.join(different)} after {done} kills", flush=True)
    return done, not different


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", default="build/release/bin")
    parser.add_argument("--ranks", default="2,3,4")
    parser.add_argument("--only", default="")
    parser.add_argument("--epochs", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    random.seed(options.seed)
    good = True
    with tempfile.TemporaryDirectory() as folder:
        lab = Lab(options.bin, folder)
        for ranks in map(int, options.ranks.split(",")):
            for compressor in COMPRESSORS:
                for policy in POLICIES:
                    if options.only in f"{compressor}/{policy}":
                        good = compare(lab, compressor, policy, ranks, 1, options.epochs)[1] and good
        done, equal = compare(lab, "powersgd", "accordion", 3, 10, 10 * options.epochs)
        good = good and equal and done == 10
    raise SystemExit(0 if good else 1)


if __name__ == "__main__":
    main()
