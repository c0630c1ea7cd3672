#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what Concertina builds with: Debian packages, and libtorch under ~/.cache/concertina. Safe to repeat: what is
# there is left alone, and nothing is printed when nothing is to do.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/versions.sh"

usage() {
    cat <<'TEXT'
usage: installer/setup.sh [--cuda] [--checks]
  --cuda    also what runs on NVIDIA GPUs need (fetches 2.0 GB, 3.3 GB on disk)
  --checks  also clang-format and clang-tidy, for .ci/run
TEXT
}

say() { printf 'setup: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

wantCuda=no
wantChecks=no
for argument in "$@"; do
    case "$argument" in
        --cuda) wantCuda=yes ;;
        --checks) wantChecks=yes ;;
        -h | --help) usage; exit 0 ;;
        *) usage >&2; exit 2 ;;
    esac
done

packages=(
    build-essential cmake ninja-build ccache pkg-config python3 python3-pip unzip ca-certificates
    libgloo-dev libhwy-dev libsqlite3-dev libsqlitecpp-dev libcli11-dev libtomlplusplus-dev nlohmann-json3-dev
    libspdlog-dev libfmt-dev zlib1g-dev libssl-dev
    qt6-base-dev qt6-svg-dev libqcustomplot-dev libgl-dev fonts-dejavu-core fonts-roboto-unhinted
    dataset-fashion-mnist
    libgtest-dev libgmock-dev libbenchmark-dev xvfb xauth sqlite3
)
[ "$wantChecks" = no ] || packages+=(git clang-format-14 clang-tidy-14)

asRoot() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

installPackages() {
    command -v dpkg-query > /dev/null && command -v apt-get > /dev/null ||
        fail "this is not a Debian system. Install the equivalents of: ${packages[*]}"
    local missing=() name
    for name in "${packages[@]}"; do
        dpkg-query -W -f '${db:Status-Status}\n' "$name" 2> /dev/null | grep -qx installed || missing+=("$name")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    [ "$(id -u)" = 0 ] || command -v sudo > /dev/null ||
        fail "needs root or sudo to install: ${missing[*]}"

    say "Debian packages to install: ${missing[*]}"
    asRoot apt-get update -qq < /dev/null || fail "apt-get update failed: is this machine online?"
    # --assume-no prints the sizes and then declines, which apt counts as a failure.
    { asRoot apt-get install --no-install-recommends --assume-no "${missing[@]}" < /dev/null 2> /dev/null || true; } |
        grep -E '^(Need to get|After this operation)' >&2 || true
    asRoot env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        "${missing[@]}" < /dev/null > /dev/null ||
        fail "apt-get could not install: ${missing[*]}"
}

# fetchWheel NAME==VERSION:SHA256 FOLDER: the wheel, its hash checked, unpacked into FOLDER; the wheel itself is not kept.
fetchWheel() {
    local requirement=${1%%:*} hash=${1##*:} folder=$2 scratch wheel platform
    scratch=$(mktemp -d "$cache/fetch.XXXXXX")
    local platforms=()
    for platform in "$TORCH_PLATFORM" manylinux_2_{27,25,18,17}_x86_64 manylinux2014_x86_64; do
        platforms+=(--platform "$platform")
    done
    python3 -m pip download --quiet --no-deps --no-cache-dir --disable-pip-version-check --only-binary=:all: \
        --python-version "$TORCH_PYTHON" --implementation cp --abi "cp${TORCH_PYTHON/./}" --abi none \
        "${platforms[@]}" --dest "$scratch" "$requirement" < /dev/null ||
        fail "could not fetch $requirement: is this machine online?"
    wheel=$(echo "$scratch"/*.whl)
    echo "$hash  $wheel" | sha256sum --check --status ||
        fail "$requirement: the file that arrived is not the pinned one (SHA-256 $(sha256sum < "$wheel" | cut -c1-16)…, pinned ${hash:0:16}…)"
    unzip -q -o "$wheel" -d "$folder"
    rm -rf "$scratch"
}

needSpace() {  # needSpace MEGABYTES
    local free
    free=$(df --output=avail -m "$cache" | tail -1)
    [ "$free" -ge "$1" ] || fail "$cache has ${free} MB free, $1 MB are needed"
}

# Unpacked beside its final place and renamed, so that an interrupted set-up never leaves half a libtorch behind.
installTorch() {
    [ -e "$torchRoot/torch/lib/libtorch_cpu.so" ] && return 0
    needSpace 1800
    say "libtorch $TORCH_VERSION: fetches 540 MB, 1.1 GB on disk in $torchRoot"
    local unpacked
    unpacked=$(mktemp -d "$cache/fetch.XXXXXX")
    fetchWheel "torch==$TORCH_VERSION:$TORCH_SHA256" "$unpacked"
    chmod 755 "$unpacked"
    rm -rf "$torchRoot"
    mv "$unpacked" "$torchRoot"
}

# The last wheel of a list, name==version: its mark tells that the whole list is there.
lastWord() { local word="${*: -1}"; echo "${word%%:*}"; }

installRuntime() {
    [ -e "$torchRoot/nvidia/.$(lastWord $RUNTIME_WHEELS)" ] && return 0
    say "CUDA runtime that libtorch loads even without a GPU: fetches 14 MB"
    installWheels $RUNTIME_WHEELS
}

# Wheels go where libtorch's own run path looks, nvidia/ beside torch/; a mark per wheel is made once it is whole.
installWheels() {
    local entry
    for entry in "$@"; do
        local mark="$torchRoot/nvidia/.${entry%%:*}"
        [ -e "$mark" ] && continue
        fetchWheel "$entry" "$torchRoot"
        touch "$mark"
    done
}

installCuda() {
    [ -e "$cache/cuda-engine" ] && [ -e "$torchRoot/nvidia/.$(lastWord $CUDA_WHEELS)" ] && return 0
    needSpace 4200
    say "CUDA libraries for libtorch: fetches 2.0 GB, 3.3 GB on disk in $torchRoot/nvidia"
    installWheels $CUDA_WHEELS
    touch "$cache/cuda-engine"
    command -v nvcc > /dev/null || [ -x /usr/local/cuda/bin/nvcc ] ||
        say "nvcc was not found: the CUDA kernels stay off until the vendor's CUDA 13 toolkit is installed"
}

[ "$(uname -sm)" = "Linux x86_64" ] || fail "needs Linux on x86-64, this is $(uname -sm)"
installPackages

cache=$HOME/.cache/concertina
torchRoot=$cache/torch-$TORCH_VERSION
mkdir -p "$cache"
exec 9> "$cache/.lock"
flock 9  # two set-ups at once: the second waits and then finds everything there
trap 'rm -rf "$cache"/fetch.*' EXIT
installTorch
installRuntime
[ "$wantCuda" = no ] || installCuda
