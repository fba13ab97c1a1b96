#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# probed-guest.sh - the part of uprobe-languages that runs in a guest: user probes in programs of several
# languages, beside perf.  /share/list has a line for each: FILE SYMBOL OFFSET REGISTER NAME….

# shellcheck disable=SC2154 # of record.sh
cd /rt/tests || exit
. ./lib/tap.sh
. ./lib/record.sh

insmod /rt/ringtail.ko || exit
mkdir /tmp/bin
cp /share/bin/* /tmp/bin/
calls=200

field() { sed -n "s/.* $1=\([^ ]*\).*/\1/p" "$2" | sort -n | tr '\n' ' '; }
all=$(seq 0 $((calls - 1)) | tr '\n' ' ')
all_returned=$(seq $((calls - 1)) -1 0 | sed 's/^[^0]/-&/' | tr '\n' ' ')

while read -r file symbol offset register names; do
	path=/tmp/bin/$file
	for name in $names; do
		echo "p:rt_test/place $path:$offset n=$register:s64" >$TRACING/uprobe_events
		said=$(perf record -q -a -e rt_test:place -o /results/by-perf.data -- \
			ringtail record -o /results/perf.data -e "uprobe:$path:$name n=$register:s64" -- "$path" $calls 2>&1)
		is $? 0 "$file, $name: the program ends well" || diag "$said"
		perf_events -F comm,trace -i /results/by-perf.data 2>/dev/null | sort >/tmp/theirs
		perf_reads /results/perf.data
		perf_events -F comm,trace -i /results/perf.data 2>/dev/null | sort >/tmp/ours
		is "$(field n /tmp/lines)" "$all" "$file, $name: every call with its value"
		is "$(diff /tmp/theirs /tmp/ours | head -n 4)" "" "$file, $name: the lines of perf"
		like "$(ringtail script -F ip,sym -i /results/perf.data | sort -u)" "${symbol#* }|add" "$file, $name: the address has its symbol"
		echo >$TRACING/uprobe_events
	done
	case $file in
	go) continue ;;
	esac
	record -e "uretprobe:$path:$symbol ret=\$retval:s64" -- "$path" $calls
	is "$(field ret /tmp/lines)" "$all_returned" "$file: every return value" || diag "$said"
done </share/list

# Two functions of one name, which differ in their parameters.
record -e "uprobe:/tmp/bin/c++:rt::both" -- /tmp/bin/c++ 10
is "$(grep -c ': (' /tmp/lines)" 20 "overloaded functions: both"

# A real Go program: its runtime moves stacks.
refused 'is a Go program' -e uretprobe:/tmp/bin/go:main.add
for _ in 1 2 3; do
	record -a -e 'uprobe:/tmp/bin/go:main.add' -e 'uprobe:/tmp/bin/go:runtime.newstack' -- /tmp/bin/go 400
	is "$status" 0 "Go: probes at entries while stacks move"
	is "$(grep -c ':main_add: (\|:add: (' /tmp/lines)" 400 "Go: every call" || diag "$said"
done
ok "ringtail unloads" rmmod ringtail
done_testing
