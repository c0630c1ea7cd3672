#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Our compressors against the hooks of Python's DistributedDataParallel of the same wheel: the same gradients must give
the same means to rounding.

usage: tests/bench/ddp_python.sh tests/peer/compare_hooks.py build/dev/bin/peer_steps
Two processes train a model of a few matrices whose gradients are given, with the hook; peer_steps does the same steps
with our compressor, matrix by matrix. Prints the largest difference as a share of the largest value; exit code 1 where
it is above what rounding explains.
"""
import ctypes, os, subprocess, sys, tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.distributed.algorithms.ddp_comm_hooks import default_hooks, powerSGD_hook

RANKS, STEPS = 2, 8
SHAPES = [(12, 40), (33, 65), (64, 27), (120, 256)]
WARM_UP = 2  # powerSGD_hook refuses to begin earlier, because buckets are laid out anew after the first step

# PowerSGD: torch makes the columns of Q orthonormal before P = M Q, which changes neither the space they span nor,
# up to signs, the columns of P after orthogonalisation, so the results are equal in exact arithmetic. Rounding of fp32
# (6e-8) grows by the condition of M Q and goes on from step to step in Q and in the error memory.
# Halves: with two ranks the division is exact, and both round once on the way and once in the sum. Only below 2^-13,
# where an fp16 that is halved becomes denormal, torch rounds a second time: the ranks may differ by a step of 2^-24 each,
# and the largest mean is above 2.
CASES = [("powersgd", f"rank={rank}", 5e-5) for rank in (1, 2, 4)] + [
    ("none", "dtype=fp16", 2.0**-24),
    ("none", "dtype=bf16", 0.0),
]


class Matrices(nn.Module):
    """Its gradients are what forward() is given."""

    def __init__(self):
        super().__init__()
        self.matrices = nn.ParameterList([nn.Parameter(torch.zeros(shape)) for shape in SHAPES])

    def forward(self, gradients):
        return sum((matrix * gradient).sum() for matrix, gradient in zip(self.matrices, gradients))


def powersgd_state(rank):
    return powerSGD_hook.PowerSGDState(None, matrix_approximation_rank=rank, start_powerSGD_iter=WARM_UP,
                                       min_compression_rate=0.1, use_error_feedback=True, warm_start=True)


def with_first_queries(queries):
    """powerSGD_hook that begins with these Q instead of its own random ones: {shape: (m, r)}."""

    def hook(state, bucket):
        index = bucket.index()
        if state.iter == WARM_UP and index not in state.q_memory_dict:
            shapes = [tuple(gradient.shape) for gradient in bucket.gradients()]
            state.q_memory_dict[index] = torch.cat([queries[shape].flatten() for shape in shapes])
            state.p_memory_dict[index] = torch.zeros(sum(n * queries[n, m].shape[1] for n, m in shapes))
        return powerSGD_hook.powerSGD_hook(state, bucket)

    return hook


def train(rank, case, gradients, queries, rendezvous, result):
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method=f"file://{rendezvous}", rank=rank, world_size=RANKS)
    model = nn.parallel.DistributedDataParallel(Matrices())
    name, level, _ = case
    if name == "powersgd":
        model.register_comm_hook(powersgd_state(int(level.split("=")[1])), with_first_queries(queries))
    else:
        halves = {"dtype=fp16": default_hooks.fp16_compress_hook, "dtype=bf16": default_hooks.bf16_compress_hook}
        model.register_comm_hook(None, halves[level])
    means = []
    for step in range(-WARM_UP, STEPS):
        model.zero_grad()
        model([matrix[step, rank] for matrix in gradients]).backward()
        if step >= 0:
            means.append([parameter.grad.clone() for parameter in model.module.matrices])
    if rank == 0:
        torch.save([torch.stack(of_matrix) for of_matrix in zip(*means)], result)
    dist.barrier()
    dist.destroy_process_group()
    # Not by return: torch's static objects are torn down while its threads still run, which now and then aborts.
    os._exit(0)


def write_floats(tensor, file):
    tensor = tensor.contiguous()
    with open(file, "wb") as stream:
        stream.write(ctypes.string_at(tensor.data_ptr(), tensor.nbytes))


def read_floats(file):
    with open(file, "rb") as stream:
        return torch.frombuffer(bytearray(stream.read()), dtype=torch.float32)


def ours(program, case, gradients, query, folder):
    name, level, _ = case
    _, _, rows, columns = gradients.shape
    write_floats(gradients, os.path.join(folder, "gradients.f32"))
    if name == "powersgd":
        write_floats(query.t(), os.path.join(folder, "query.f32"))
    subprocess.run([program, name, level, *map(str, (RANKS, STEPS, rows, columns)), folder], check=True)
    return read_floats(os.path.join(folder, "means.f32")).view(STEPS, rows, columns)


def run_theirs(case, gradients, queries, folder, result):
    """Trains with torch's hook. A signal that ends torch's own process says nothing about us: once more, and said."""
    for attempt in (1, 2):
        rendezvous = os.path.join(folder, f"rendezvous{attempt}")
        try:
            mp.spawn(train, args=(case, gradients, queries, rendezvous, result), nprocs=RANKS)
            return
        except mp.ProcessExitedException as ended:
            if attempt == 2 or ended.signal_name is None:
                raise
            print(f"torch's process {ended.error_index} ended by {ended.signal_name}; tried again", flush=True)


def compare(program, case, folder):
    """The largest share by which a mean differs, over matrices and steps."""
    generator = torch.Generator().manual_seed(1)
    gradients = [torch.randn(STEPS, RANKS, *shape, generator=generator) for shape in SHAPES]
    rank = int(case[1].split("=")[1]) if case[0] == "powersgd" else 0
    queries = {shape: torch.randn(shape[1], rank, generator=generator) for shape in SHAPES}
    result = os.path.join(folder, "theirs")
    run_theirs(case, gradients, queries, folder, result)
    worst = 0.0
    for shape, given, theirs in zip(SHAPES, gradients, torch.load(result)):
        means = ours(program, case, given, queries[shape], folder)
        worst = max(worst, ((means - theirs).abs().max() / theirs.abs().max()).item())
    return worst


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    failures = 0
    for case in CASES:
        with tempfile.TemporaryDirectory() as folder:
            difference = compare(os.path.abspath(sys.argv[1]), case, folder)
        name, level, allowed = case
        verdict = "equal to rounding" if difference <= allowed else "DIFFERENT"
        failures += difference > allowed
        print(f"{name:9} {level:11} largest difference {difference:.1e}, allowed {allowed:.0e}: {verdict}", flush=True)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
