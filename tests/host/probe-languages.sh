#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# check: level=all
#
# probe-languages - parameters by name of functions in Rust and Go: the registers that perf probe and the machine code
# say, and where they are not in one place yet, a refusal.

set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
rt=$PWD/build/san/ringtail
lib=$PWD/tests/host/lib
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
case $(uname -m) in
aarch64) first='%x0' ;;
*) first='%ax' ;; # Go's own convention
esac
ok "Go builds" env GOCACHE="$dir/cache" go build -o "$dir/go" "$lib/probed.go"
ok "Go with methods builds" env GOCACHE="$dir/cache" go build -o "$dir/method" "$lib/method.go"
ok "Rust builds" rustc -O -g -o "$dir/fast" "$lib/named.rs"
ok "Rust, unoptimised, builds" rustc -g -o "$dir/slow" "$lib/named.rs"
cd "$dir" || exit 1

ours() { timeout 120 "$rt" probe -x "./$1" -D "$2" 2>&1; } # PROGRAM DEFINITION
values() { sed 's/^[^ ]* [^ ]* //'; }
theirs() { perf probe -x "./$1" -D "$2" 2>/dev/null | values; }

for function in main.add main.deep; do
	is "$(ours go "$function n" | values)" "n=$first:s64" "Go, $function: the parameter is in its register"
	is "$(ours go "$function n" | values)" "$(theirs go "$function n")" "as perf probe says"
done
like "$("$rt" probe -x ./go -F 'main.*' | tr '\n' ' ')" 'main.add main.deep main.main ' "Go: functions by a glob"

# Methods of Go, and lines, by the addresses of the symbols.
base=$(readelf -lW method | awk '/LOAD.*R E/ { print $3 "-" $2; exit }')
at() { printf '0x%x' $((0x$(nm method | sed -n "s/ T $1\$//p") - ($base))); }
is "$(ours method 'main.(*Cart).Add')" "p:probe_method/main_Cart_Add $dir/method:$(at 'main\.(\*Cart)\.Add')" "Go: a method of a pointer"
is "$(ours method 'main.Cart.Sum x' | cut -d ' ' -f 1,2)" "p:probe_method/main_Cart_Sum $dir/method:$(at 'main\.Cart\.Sum')" "a method of a value"
like "$(ours method 'main.(*Cart).Add n')" " n=%$([ "$(uname -m)" = aarch64 ] && echo x1 || echo bx):s64\$" "its parameter is the second register"
line=$(grep -n 'Add(n int' "$lib/method.go" | cut -d : -f 1)
is "$(ours method "method.go:$((line + 1))" | cut -d ' ' -f 2)" "$dir/method:$(at 'main\.(\*Cart)\.Add')" "Go: FILE:LINE in a method"
is "$(ours method 'main.(*Cart).Add:3' | cut -d ' ' -f 2)" "$(ours method "method.go:$((line + 3))" | cut -d ' ' -f 2)" "METHOD:LINE is FILE:LINE"
like "$("$rt" probe -x ./method -L 'main.(*Cart).Add')" "^<main.\(\*Cart\).Add@.*method.go:$line>" "-L of a method"
for value in '' ' $retval'; do
	said=$(ours method "main.(*Cart).Add%return$value")
	like "$said" 'Go moves its stacks.*would crash; probe the ret instructions' "Go, %return$value: refused with the reason"
	offset=${said##*+}
	like "$(objdump -d --no-show-raw-insn --disassemble='main.(*Cart).Add' method | grep "ret$")" \
		"$(printf '%x' $((0x$(nm method | sed -n 's/ T main\.(\*Cart)\.Add$//p') + offset))):" "and says where these are"
done

symbol=$(nm fast | awk '$3 ~ /5inner5scale/ { print $3 }')
is "$(ours fast 'named::inner::scale number' | values)" "$(theirs fast "$symbol number")" "Rust, optimised: as perf probe"
is "$(ours fast 'inner::scale number' | values)" "$(theirs fast "$symbol number")" "Rust: without the outer name"
symbol=$(nm slow | awk '$3 ~ /5inner5scale/ { print $3 }')
like "$(ours slow 'inner::scale number')" "'number' is not in one place at $symbol\\+0x0.*; use registers" \
	"Rust, unoptimised: a parameter that the prologue has not stored yet is refused"
# The first instruction after the prologue.
line=$(grep -n 'black_box(number)' "$lib/named.rs" | cut -d : -f 1)
is "$(ours slow "named.rs:$line number" | values | head -n 1)" "$(theirs slow "named.rs:$line number" | head -n 1)" \
	"Rust, unoptimised: at a line it is in memory, as perf probe says"
like "$(ours slow "named.rs:$line number")" 'number=[-+]?[0-9]+\(%' "and that is a place"
done_testing
