#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# check: level=all
#
# One cache for all: two who want the same kernel at once, downloads that fail, cleaning.

cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh

# One of those that check has by default.
case $(uname -m) in aarch64) kernel=5.10-arm64 ;; *) kernel=5.10-x86_64 ;; esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export RINGTAIL_CACHE=$work/cache

# A proxy that nobody answers at stands for a mirror that cannot be reached.
printf 'Acquire::http::Proxy "http://127.0.0.1:9";\nAcquire::https::Proxy "http://127.0.0.1:9";\nAcquire::Retries "0";\n' >"$work/apt.conf"
APT_CONFIG=$work/apt.conf scripts/vm fetch $kernel >"$work/out" 2>&1
is $? 75 "a mirror that cannot be reached is told apart from everything else by its status"
like "$(cat "$work/out")" '^download failed: ' "and by its message"
is "$(ls "$work/cache/kernels" 2>/dev/null)" '' "nothing half-made is left in the cache"

scripts/vm fetch $kernel >"$work/one" 2>&1 &
scripts/vm fetch $kernel >"$work/two" 2>&1
two=$?
wait $!
is "$?:$two" 0:0 "two fetches of one kernel at once both succeed"
is "$(cat "$work/one" "$work/two" | grep -c '^fetching')" 1 "and only one of them downloads"
is "$(ls -A "$work/cache/tmp")" '' "no scratch is left"

like "$(scripts/vm kernels | grep "^$kernel ")" ' fetched$' "kernels shows it as fetched"

scripts/vm run $kernel -- 'echo one; sleep 3' >"$work/one" 2>&1 &
scripts/vm run $kernel -- 'echo two; sleep 3' >"$work/two" 2>&1
two=$?
wait $!
is "$?:$two $(cat "$work/one" "$work/two" | grep -xc 'one\|two')" "0:0 2" "two runs at once"

scripts/vm run $kernel -- 'echo busy; sleep 1000' >"$work/one" 2>&1 &
pid=$!
for _ in $(seq 300); do grep -q busy "$work/one" && break; sleep 0.2; done
fails "clean refuses while the cache is in use" scripts/vm clean
kill $pid
wait $pid
ok "clean cleans" scripts/vm clean
is "$(find "$work/cache" -type f -size +0 | head)" '' "and leaves nothing"

done_testing
