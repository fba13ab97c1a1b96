#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# script-linkers - stacks unwound from copies (--call-graph dwarf) as they are printed by
# default, of programs in C, C++, Rust and Go from every linker: nearly all complete, at least as
# often as perf's, and with every frame of perf's where those are.

set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/host/lib/corpus.sh
lib=$PWD/tests/host/lib
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
export GOCACHE=$dir/go-cache GO111MODULE=off GOFLAGS=

build() { # LANGUAGE LINKER KIND: the program ./program
	local kind
	case $1-$3 in
	c*-no-pie) kind=(-fno-PIE -no-pie) ;;
	c*-pie) kind=(-fPIE -pie) ;;
	c*-static) kind=(-static) ;;
	rust-pie) kind=(-C relocation-model=pic) ;;
	rust-no-pie) kind=(-C relocation-model=static) ;;
	rust-static) kind=(-C target-feature=+crt-static) ;;
	go-pie) kind=(-buildmode=pie) ;;
	go-*) kind=() ;;
	esac
	case $1-$2 in
	c-*) gcc -O2 -g -pthread "-fuse-ld=$2" "${kind[@]}" -o program "$lib/linked.c" ;;
	c++-*) g++ -O2 -g -pthread "-fuse-ld=$2" "${kind[@]}" -o program "$lib/linked.cc" ;;
	# Debian's own: another one may be in front of it.
	rust-*) /usr/bin/rustc -O -g "${kind[@]}" -C "link-arg=-fuse-ld=$2" -o program "$lib/linked.rs" ;;
	go-own) go build "${kind[@]}" -o program "$lib/linked.go" ;;
	go-*) go build "${kind[@]}" -ldflags "-linkmode=external -extldflags=-fuse-ld=$2" -o program "$lib/linked.go" ;;
	esac
}

# The program keeps the processor busy for a fixed amount of work; a recording of a few samples
# shows nothing.  On a busy machine perf may lose some: such a recording is made again.
record() {
	local rate=2000 try samples
	for try in 1 2 3 4 5; do
		perf record -q -m 8M -o recording.data -e cpu-clock:u -F $rate --call-graph dwarf,8192 -- ./program >/dev/null 2>log ||
			return 1
		samples=$(perf script --show-lost-events -i recording.data -F tid 2>/dev/null)
		if grep -q PERF_RECORD_LOST <<<"$samples"; then
			diag "attempt $try: perf lost samples"
		elif [ "$(wc -l <<<"$samples")" -ge 20 ]; then
			return 0
		else
			rate=$((rate * 3))
		fi
	done
}

stacks() { # LANGUAGE LINKER KIND
	local what="$1 by $2, $3" samples perf ours differ nowhere
	rm -f program
	if ! build "$@" >log 2>&1 || ! record; then
		tap_point 1 "$what: built and recorded"
		sed 's/^/# /' log | tail -n 5
		return
	fi
	perf script --no-inline -i recording.data -F comm,tid,time,ip,sym,dso >perf.text 2>/dev/null
	"$ringtail" script -q --no-inline -i recording.data -F comm,tid,time,ip,sym,dso >ours.text 2>log
	is "$?$(cat log)" 0 "$what: printed"
	read -r samples perf ours differ nowhere < <(perl "$lib/stacks-compare.pl" perf.text ours.text)
	ok "$what: $samples samples" test "$samples" -ge 20
	ok "$what: $ours stacks complete, perf's $perf" test "$ours" -ge "$perf"
	ok "$what: nine of ten are complete" test $((ours * 10)) -ge $((samples * 9))
	is "$differ $nowhere" "0 0" "$what: no frame of perf's complete stacks is missing, and none is at -1"
}

if [ "${RT_LEVEL:-default}" = default ]; then
	stacks c bfd pie
	stacks c lld pie
	stacks c lld static
	stacks c mold no-pie
	stacks c gold pie
	stacks c++ lld no-pie
	stacks c++ bfd static
	stacks rust lld pie
	stacks go own no-pie
	stacks go lld no-pie
else
	for linker in bfd lld mold gold; do
		for kind in pie no-pie static; do
			for language in c c++ rust; do
				stacks $language $linker $kind
			done
		done
		stacks go $linker no-pie
	done
	stacks go own no-pie
	stacks go own pie
	stacks go lld pie
fi
done_testing
