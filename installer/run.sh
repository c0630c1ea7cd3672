#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The main job: sets up, builds, trains the study experiments/first and prints its table. What is finished already is not
# trained again. Further arguments go to `concertina batch`.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/installer/build.sh"

gui=no
arguments=()
for argument in "$@"; do
    case "$argument" in
        --gui) gui=yes ;;
        -h | --help) echo "usage: installer/run.sh [--gui] [argument of concertina batch]..."; exit 0 ;;
        *) arguments+=("$argument") ;;
    esac
done

"$root/installer/setup.sh"
(cd "$root" && buildPreset release build/release programs)
study=$root/experiments/first/study.toml
bin=$root/build/release/bin
if [ "$gui" = yes ]; then
    if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
        exec "$bin/concertina-workbench" --study "$study"
    fi
    echo "run.sh: no display (neither DISPLAY nor WAYLAND_DISPLAY is set), so the study runs without a window" >&2
fi
exec "$bin/concertina" batch "$study" --resume "${arguments[@]}"
