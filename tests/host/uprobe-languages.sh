#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# check: level=all
#
# uprobe-languages - user probes in programs in C++, Rust and Go, built here and run in a guest of the
# host's architecture: PIE, static, stripped of nothing, by mangled and demangled names.

set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
lib=$PWD/tests/host/lib
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export GOCACHE=$dir/go-cache GO111MODULE=off GOFLAGS=
case $(uname -m) in
aarch64) kernel=newest-arm64 first=%x0 second=%x1 go=%x0 ;;
*) kernel=newest-x86_64 first=%di second=%si go=%ax ;;
esac
kernel=${RT_PROBED_KERNEL:-$kernel}

# place FILE SYMBOL REGISTER NAME…: a line for the guest; the symbol's address becomes an offset.
place() {
	local file=$1 symbol=$2 register=$3 address
	shift 3
	address=0x$(nm "$dir/bin/$file" | awk -v s="$symbol" '$3 == s { print $1 }')
	readelf -lW "$dir/bin/$file" | while read -r type offset at _ size _ rest; do
		[ "$type" = LOAD ] && [[ $rest == *E* ]] || continue
		((address >= at && address < at + size)) || continue
		printf '%s %s 0x%x %s %s\n' "$file" "$symbol" $((address - at + offset)) "$register" "$*"
	done >>"$dir/list"
}

mkdir "$dir/bin"
ok "C++ builds" g++ -O2 -static-libstdc++ -static-libgcc -o "$dir/bin/c++" "$lib/probed.cc"
ok "C++, static, builds" g++ -O2 -static -no-pie -o "$dir/bin/c++static" "$lib/probed.cc"
ok "Rust builds" rustc -O -C target-feature=+crt-static -o "$dir/bin/rust" "$lib/probed.rs"
ok "Go builds" go build -o "$dir/bin/go" "$lib/probed.go"
for file in c++ c++static; do
	place $file _ZN2rt3Box3addEl "$second" _ZN2rt3Box3addEl rt::Box::add
done
symbol=$(nm "$dir/bin/rust" | awk '$3 ~ /probed5inner3add/ { print $3 }')
place rust "$symbol" "$first" "$symbol" probed::inner::add
place go main.add "$go" main.add
is "$(wc -l <"$dir/list")" 4 "every function has a place"

scripts/vm run "$kernel" --timeout 1000 --share "$dir" -- sh /rt/tests/host/lib/probed-guest.sh >"$dir/said" 2>&1
status=$?
grep -E '^(not )?ok |^#' "$dir/said" | sed 's/^not ok/# not ok/; s/^ok/# ok/'
is $status 0 "the guest"
is "$(grep -c '^not ok' "$dir/said")" 0 "every point of the guest"
ok "there are points" test "$(grep -c '^ok' "$dir/said")" -gt 40
[ $status = 0 ] || tail -n 20 "$dir/said" | sed 's/^/# /'
done_testing
