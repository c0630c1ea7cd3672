#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A Python that can import the torch of the wheel that set-up unpacked: ddp_python.sh SCRIPT ARGUMENTS...
# The first call makes a virtual environment beside the wheel with the few pure-Python packages torch asks for, and the
# CUDA libraries that its CUDA build loads even on a machine without a GPU (installer/setup.sh --cuda fetches those).
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$root/installer/versions.sh"
cache=$HOME/.cache/concertina
torchRoot=$cache/torch-$TORCH_VERSION
environment=$cache/peer-python
if [ ! -e "$environment/ready" ]; then
    "$root/installer/setup.sh" --cuda >&2
    python3 -m venv --without-pip "$environment"
    python3 -m pip --disable-pip-version-check --python "$environment/bin/python" install --quiet \
        typing_extensions filelock sympy networkx jinja2 fsspec >&2
    touch "$environment/ready"
fi
libraries=$(find "$torchRoot/nvidia" -type d -name lib -printf '%p:')
exec env LD_LIBRARY_PATH="$libraries" PYTHONPATH="$torchRoot" OMP_NUM_THREADS=1 "$environment/bin/python" "$@"
