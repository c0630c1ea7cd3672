#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Sets up, builds and runs all tests. Further arguments go to ctest, e.g. -R Store or -L layering.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/installer/build.sh"

case "${1:-}" in
    -h | --help) echo "usage: installer/test.sh [argument of ctest]..."; exit 0 ;;
esac
"$root/installer/setup.sh"
cd "$root"
buildPreset release build/release
exec ctest --preset release --progress "$@"
