#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=2 timeout=240 default="@(5.10-*|6.1-*)"
#
# Markers (USDT): their values against what the program passes and against perf, several places
# of one name, semaphores, and what is refused.

# shellcheck disable=SC2154 # of record.sh
. ./lib/tap.sh
. ./lib/record.sh

target=$(command -v user-marked)
insmod /rt/ringtail.ko || exit

field() { sed -n "s/.*sdt_rt_test:$1: .* $2=\([^ ]*\).*/\1/p" /tmp/lines; }

like "$(ringtail list sdt "$target")" "^usdt:$target:rt_test:plain  8@" "list sdt names a marker as -e takes it"
is "$(ringtail list sdt "$target" | wc -l)" 4 "and every place"

ok "record" record -e "usdt:$target:rt_test:plain" -- "$target" 300 || diag "$said"
is "$(grep -c 'sdt_rt_test:plain: (' /tmp/lines)" 300 "each pass is an event, named as perf names it"
is "$(field plain arg1 | tr '\n' ' ')" "$(seq 0 299 | tr '\n' ' ')" "a value of 64 bits"
is "$(field plain arg2 | tr '\n' ' ')" "$(seq 0 -1 -299 | tr '\n' ' ')" "a signed value of 32 bits"
is "$(field plain arg3 | sort -u)" 7 "a constant"
is "$(cat /tmp/warnings)" "" "perf reads it without a warning"

record -e "usdt:$target:twice" -- "$target" 50
is "$(field twice arg1 | tr '\n' ' ')" "$(seq 0 -1 -49 | tr '\n' ' ')" "without the provider; the first of two places"
is "$(field twice_1 arg1 | tr '\n' ' ')" "$(seq 0 49 | tr '\n' ' ')" "the second place has its own values"

record -e "usdt:$target:rt_*:[pt]*" -- "$target" 10
is "$(grep -c 'sdt_rt_test:[^:]*: (' /tmp/lines)" 30 "globs: three places of two markers"
ln -s "$target" /usr/bin/rt_test
record -e 'sdt_rt_test:t*' -- /usr/bin/rt_test 10
is "$(grep -c 'sdt_rt_test:twice[_1]*: (' /tmp/lines)" 20 "sdt_PROVIDER:GLOB finds the program of that name" || diag "$said"
rm /usr/bin/rt_test

# Nobody counts without a tracer, and everybody counts with one.
is "$("$target" 20)" 0 "without a tracer the program sees the semaphore at 0"
semaphores() {
	answer=$(ringtail record -q -e "usdt:$target:rt_test:guarded" -o /results/perf.data -- "$target" 20)
	perf_reads /results/perf.data
	is "$answer" 20 "while it is recorded the program sees it raised"
	is "$(field guarded arg1 | tr '\n' ' ')" "$(seq 0 19 | tr '\n' ' ')" "and every pass is recorded"
	is "$("$target" 20)" 0 "afterwards it is at 0 again"

	# Two sessions at one marker: the count goes up twice and down twice.
	ringtail record -q -a -e "usdt:$target:rt_test:guarded" -o /results/other.data & other=$!
	until polls $other; do usleep 20000; done 2>/dev/null
	answer=$(ringtail record -q -e "usdt:$target:rt_test:guarded" -o /results/perf.data -- "$target" 20)
	is "$answer" 20 "beside another session"
	is "$("$target" 5)" 5 "which goes on"
	kill -9 $other
	wait $other 2>/dev/null
	is "$("$target" 5)" 0 "until it is killed"
	ok "its file is readable" test "$(ringtail script -i /results/other.data 2>/dev/null | wc -l)" -le 25
}
# Bit 7: RT_SOURCE_SEMAPHORE.
if module_offers 7; then
	semaphores
else
	refused "it needs Linux 4.20" -e "usdt:$target:rt_test:guarded"
	skip "while it is recorded the program sees it raised" "this kernel does not raise semaphores"
fi

in_decimal() {
	while read -r line; do
		number=${line##*arg1=}
		echo "${line%%arg1=*}arg1=$((${number%% *})) ${line#*arg1=* }"
	done
}

# perf finds the markers in its cache of binaries.
beside_perf() {
	export HOME=/tmp
	said=$({ perf buildid-cache --add "$target" && perf probe -q sdt_rt_test:plain; } 2>&1)
	if like "$(cat $TRACING/uprobe_events)" 'sdt_rt_test/plain' "perf defines the marker"; then
		both user-marked "-a -e sdt_rt_test:plain" "$target" 200
		for who in perf ringtail; do sed 's/ \[[0-9]*\]//' /tmp/$who.text >/results/$who.text; done
		# Before 4.8 the kernel's own probes print unsigned numbers in hexadecimal.
		if grep -q 'arg1=0x%' $TRACING/events/sdt_rt_test/plain/format; then
			in_decimal </results/perf.text >/tmp/perf.decimal
			mv /tmp/perf.decimal /results/perf.text
		fi
		# Before 3.15 they do so without 0x, and print the 32 bits of a negative number as one of 64 bits.
		if grep -q 'arg1=%[lL]*x' $TRACING/events/sdt_rt_test/plain/format; then
			sed 's/arg1=/&0x/' /results/perf.text | in_decimal |
				awk '{ value = substr($NF, 6); sub("=.*", "=" (value + 0 ? value - 4294967296 : 0), $NF); print }' \
					>/tmp/perf.signed
			mv /tmp/perf.signed /results/perf.text
		fi
		diff -u /results/perf.text /results/ringtail.text >/results/differences
		is "$(head -n 12 /results/differences)" "" "recorded by perf and by ringtail: the same lines"
		is "$(wc -l </tmp/perf.text)" 200 "all of them"
		echo >$TRACING/uprobe_events
	else
		diag "$said"
	fi
}
if perf_works; then
	beside_perf
else
	perf_skip "recorded by perf and by ringtail: the same lines"
fi

refused "has no marker 'rt_test:plan'; did you mean 'plain'" -e "usdt:$target:rt_test:plan"
refused "a marker is usdt:PATH:PROVIDER:NAME" -e "usdt:$target"
refused "cannot open /nowhere" -e usdt:/nowhere:a:b

ok "ringtail unloads" rmmod ringtail
done_testing
