# SPDX-License-Identifier: Apache-2.0
# Sourced by run.sh, test.sh and .ci/run: one function that configures and builds a preset without a wall of text.

# At most one compiler per core and per 2 GB of free memory: a torch source takes that much.
buildJobs() {
    local cores memory
    cores=$(nproc)
    memory=$(awk '/^MemAvailable/ { print int($2 / 2000000) }' /proc/meminfo)
    [ "$memory" -ge 1 ] || memory=1
    [ "$cores" -le "$memory" ] && echo "$cores" || echo "$memory"
}

# buildPreset PRESET FOLDER [TARGET]... [-- CMAKE_ARGUMENT...]: on a terminal ninja's one moving line, elsewhere silence;
# the end of the log when it fails.
buildPreset() {
    local preset=$1 folder=$2 targets=()
    shift 2
    while [ $# -gt 0 ] && [ "$1" != -- ]; do targets+=(--target "$1"); shift; done
    [ $# -eq 0 ] || shift
    mkdir -p "$folder"
    local log=$folder/build.log started=$SECONDS
    cmake --preset "$preset" -B "$folder" "$@" > "$log" 2>&1 ||
        { tail -n 40 "$log" >&2; echo "configuring $folder failed; the whole log is $log" >&2; return 1; }
    if [ -t 1 ]; then
        cmake --build "$folder" -j "$(buildJobs)" "${targets[@]}" || return 1
    else
        cmake --build "$folder" -j "$(buildJobs)" "${targets[@]}" >> "$log" 2>&1 ||
            { grep -A 30 -m 1 '^FAILED' "$log" >&2; echo "building $folder failed; the whole log is $log" >&2; return 1; }
    fi
    echo "built $folder in $((SECONDS - started)) s" >&2
}
