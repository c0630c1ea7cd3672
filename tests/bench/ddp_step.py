# SPDX-License-Identifier: Apache-2.0
"""The dense training step of Python's DistributedDataParallel, as the engine's counterpart.

usage: ddp_step.py RANKS STEPS -> steps per second of rank 0, warm-up steps left out.
Same libtorch, same model (LeNet-5), data (Fashion-MNIST bytes, normalized per batch), batch (64 a rank), optimizer
(SGD, momentum 0.9, weight decay 1e-4), one thread a rank, Gloo over loopback, broadcast_buffers=False.
"""
import gzip, os, sys, tempfile, time

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn import functional as F

FOLDER = "/usr/share/datasets/fashion-mnist"
BATCH, WARM_UP = 64, 50


class LeNet5(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, padding=2)
        self.conv2 = nn.Conv2d(6, 16, 5)
        self.fc1, self.fc2, self.fc3 = nn.Linear(400, 120), nn.Linear(120, 84), nn.Linear(84, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        return self.fc3(F.relu(self.fc2(F.relu(self.fc1(x.flatten(1))))))


def read(name, header):
    with gzip.open(f"{FOLDER}/{name}-ubyte.gz") as file:
        return torch.frombuffer(bytearray(file.read()[header:]), dtype=torch.uint8)


def train(rank, ranks, steps, rendezvous, result):
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method=f"file://{rendezvous}", rank=rank, world_size=ranks)
    images = read("train-images-idx3", 16).view(60000, 1, 28, 28)
    labels = read("train-labels-idx1", 8).long()
    torch.manual_seed(1)
    model = nn.parallel.DistributedDataParallel(LeNet5(), broadcast_buffers=False, gradient_as_bucket_view=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    order = torch.randperm(60000)
    begin = 0.0
    for step in range(WARM_UP + steps):
        if step == WARM_UP:
            begin = time.perf_counter()
        at = (step * BATCH * ranks + rank * BATCH) % (60000 - BATCH)
        indices = order[at:at + BATCH]
        inputs = (images[indices].float() / 255.0 - 0.2860) / 0.3530
        loss = F.cross_entropy(model(inputs), labels[indices])
        loss.backward()
        loss.item()  # the engine records every step's loss too
        optimizer.step()
        optimizer.zero_grad(set_to_none=False)
    if rank == 0:
        with open(result, "w") as file:
            file.write(str(steps / (time.perf_counter() - begin)))
    dist.destroy_process_group()


if __name__ == "__main__":
    ranks, steps = int(sys.argv[1]), int(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        result = os.path.join(folder, "result")
        mp.spawn(train, args=(ranks, steps, os.path.join(folder, "store"), result), nprocs=ranks)
        print(open(result).read())
