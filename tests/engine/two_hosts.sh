#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Two network namespaces as hosts, two ranks on each, started as a launcher would start them: the run must give the
# weights of a local run with four ranks, bit for bit, and end well. usage: two_hosts.sh BIN_FOLDER
# Exit code 77 (skipped) where this user may not make namespaces.
set -euo pipefail
bin=$(cd "$1" && pwd)
if [ "${CONCERTINA_IN_NAMESPACE:-}" != yes ]; then
    user=()
    [ "$(id -u)" = 0 ] || user=(--user --map-root-user)
    unshare "${user[@]}" --net true 2> /dev/null || { echo "skipped: no right to make network namespaces"; exit 77; }
    CONCERTINA_IN_NAMESPACE=yes exec unshare "${user[@]}" --net --kill-child --fork bash "$0" "$@"
fi
work=$(mktemp -d)
unshare --net sleep 300 &
other=$!
trap 'kill $other 2> /dev/null; rm -rf "$work"' EXIT
until [ "$(readlink /proc/$other/ns/net)" != "$(readlink /proc/self/ns/net)" ]; do sleep 0.05; done
spec=$work/spec.toml
cat > "$spec" << 'TOML'
name = "two-hosts"
[data]
name = "fashion-mnist"
train_samples = 1024
test_samples = 512
[model]
name = "mlp"
hidden = [32]
[train]
epochs = 3
[ranks]
threads_per_rank = 1
[compress]
name = "topk"
levels = [{ ratio = 0.1 }, { ratio = 0.01 }]
[policy]
name = "accordion"
interval_epochs = 1
TOML
ip link set lo up
ip link add here type veth peer name there
ip link set there netns $other
ip addr add 10.77.0.1/24 dev here
ip link set here up
on_other() { nsenter --target "$other" --net "$@"; }
on_other ip link set lo up
on_other ip addr add 10.77.0.2/24 dev there
on_other ip link set there up

export CONCERTINA_STORE=$work/runs.sqlite MASTER_ADDR=10.77.0.1 MASTER_PORT=29511 WORLD_SIZE=4
ranks=()
for rank in 0 1; do
    RANK=$rank LOCAL_RANK=$rank "$bin/concertina-rank" "$spec" > "$work/rank$rank.log" 2>&1 &
    ranks+=($!)
done
for rank in 2 3; do
    RANK=$rank LOCAL_RANK=$((rank - 2)) on_other "$bin/concertina-rank" "$spec" > "$work/rank$rank.log" 2>&1 &
    ranks+=($!)
done
if [ "${LISTEN_CHECK:-yes}" = yes ]; then
    # Nothing listens but on the two addresses of the ranks.
    until grep -q "run " "$work/rank0.log" || ! kill -0 "${ranks[0]}" 2> /dev/null; do sleep 0.1; done
    sleep 1
    listening=$(awk '$4 == "0A" { print $2 }' /proc/net/tcp /proc/net/tcp6 | grep -v '^01004D0A:' || true)
    [ -z "$listening" ] || { echo "listens elsewhere: $listening"; exit 1; }
fi
for rank in 0 1 2 3; do
    wait "${ranks[$rank]}" || { echo "rank $rank ended with $?"; cat "$work"/rank*.log; exit 1; }
done
"$bin/concertina" runs --json > "$work/runs.json"
unset MASTER_ADDR MASTER_PORT WORLD_SIZE
"$bin/concertina" run "$spec" --set ranks.count=4 --json 2> /dev/null | tail -1 > "$work/local.json"
python3 - "$work" << 'PYTHON'
import json, sys
folder = sys.argv[1]
(outside,) = json.load(open(folder + "/runs.json"))
local = json.load(open(folder + "/local.json"))
for key in ("status", "weights_hash", "wire_bytes", "test_accuracy"):
    print(key, outside[key], local[key])
    assert outside[key] == local[key], key
assert outside["status"] == "done" and outside["ranks"] == 4
PYTHON
