# SPDX-License-Identifier: Apache-2.0
# The pinned libtorch; read by setup.sh and by installer/cmake/torch.cmake.
TORCH_VERSION=2.15.0
TORCH_SHA256=48c2d861134c0b5697c7602cb5ffa68f62a2989fdcd1717e593356f67996ca1e
TORCH_PYTHON=3.11
TORCH_PLATFORM=manylinux_2_28_x86_64
