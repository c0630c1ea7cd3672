#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A Python that can import the torch of the wheel that set-up unpacked: ddp_python.sh SCRIPT ARGUMENTS...
# The first call makes a virtual environment beside the wheel with the few packages torch asks for (NumPy: its PowerSGD
# hook), and the CUDA libraries that its CUDA build loads even on a machine without a GPU (installer/setup.sh --cuda
# fetches those).
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$root/installer/versions.sh"
cache=$HOME/.cache/concertina
torchRoot=$cache/torch-$TORCH_VERSION
environment=$cache/peer-python
packages="typing_extensions filelock sympy networkx jinja2 fsspec numpy"
if [ "$(cat "$environment/ready" 2> /dev/null)" != "$packages" ]; then
    "$root/installer/setup.sh" --cuda >&2
    python3 -m venv --without-pip "$environment"
    python3 -m pip --disable-pip-version-check --python "$environment/bin/python" install --quiet \
        $packages >&2
    echo "$packages" > "$environment/ready"
fi
libraries=$(find "$torchRoot/nvidia" -type d -name lib -printf '%p:')
exec env LD_LIBRARY_PATH="$libraries" PYTHONPATH="$torchRoot" OMP_NUM_THREADS=1 "$environment/bin/python" "$@"
