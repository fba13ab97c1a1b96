#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=2 timeout=300 modprobe=overlay default="newest-*"
#
# User probes in stripped programs, in a container (its own mount and pid namespaces, on an overlay),
# and where a debugger has a breakpoint; counts and values beside perf's.

# shellcheck disable=SC2154 # of record.sh
. ./lib/tap.sh
. ./lib/record.sh

case $(uname -m) in
aarch64) a=%x0 ;;
x86_64) a=%di ;;
esac
target=$(command -v user-probed)
insmod /rt/ringtail.ko || exit

field() { sed -n "s/.* $1=\([^ ]*\).*/\1/p" /tmp/lines; }
hits() { grep -c ': (' /tmp/lines; }

# --- stripped, static, PIE: beside perf ------------------------------------------------

# beside FILE PLACE: perf and ringtail record the same 300 calls, perf by the offset.
beside() {
	file=$1
	if ! perf_works; then
		said=$(ringtail record -o /results/perf.data -e "uprobe:$file:$2 n=$a:s64" -- "$file" calls 300 2>&1)
		perf_reads /results/perf.data
		is "$(hits)" 300 "$(basename "$file"):$2: every call" || diag "$said"
		is "$(field n | tr '\n' ' ')" "$(seq 0 299 | tr '\n' ' ')" "$(basename "$file"):$2: every value"
		perf_skip "$(basename "$file"):$2: the lines of perf"
		return
	fi
	echo "p:rt_test/calls $file:$("$file" where) n=$a:s64" >$TRACING/uprobe_events
	said=$(perf record -q -B -N -a -e rt_test:calls -o /results/by-perf.data -- \
		ringtail record -o /results/perf.data -e "uprobe:$file:$2 n=$a:s64" -- "$file" calls 300 2>&1)
	perf_events -F comm,tid,trace -i /results/by-perf.data 2>/dev/null | sed 's/([0-9a-f]*)//' >/tmp/theirs
	perf_reads /results/perf.data
	perf_events -F comm,tid,trace -i /results/perf.data 2>/dev/null | sed 's/([0-9a-f]*)//' >/tmp/ours
	is "$(hits)" 300 "$(basename "$file"):$2: every call" || diag "$said"
	is "$(field n | tr '\n' ' ')" "$(seq 0 299 | tr '\n' ' ')" "$(basename "$file"):$2: every value"
	is "$(diff /tmp/theirs /tmp/ours | head -n 4)" "" "$(basename "$file"):$2: the lines of perf"
	echo >$TRACING/uprobe_events
}
beside "$target" probed_number
beside "$target-static" probed_number
beside "$target-exports" probed_number
beside "$target-stripped" "$("$target-stripped" where)"
refused "has no function 'probed_number'" -e "uprobe:$target-stripped:probed_number"
record -e "uretprobe:$target-stripped:$("$target-stripped" where) ret=\$retval:s64" -- "$target-stripped" calls 50
is "$(field ret | tr '\n' ' ')" "$(seq 0 -1 -49 | tr '\n' ' ')" "stripped: return values"

# --- a container ------------------------------------------------------------------------

# A root of its own on an overlay, not on a tmpfs: before 3.17 there are no user probes there.  The program is in the lower layer, with its libraries.
mkdir -p /var/c/lower/bin /var/c/lower/proc /var/c/top /var/c/merged
cp "$target-static" /var/c/lower/bin/inside
mount -t tmpfs none /var/c/top
mkdir /var/c/top/upper /var/c/top/work
if ! grep -qw overlay /proc/filesystems ||
	! mount -t overlay -o lowerdir=/var/c/lower,upperdir=/var/c/top/upper,workdir=/var/c/top/work none /var/c/merged; then
	skip "a container on an overlay" "this kernel has no overlays"
else
	mkfifo /var/c/in
	: >/var/c/out
	in-pidns sh -c 'exec chroot /var/c/merged /bin/inside serve' </var/c/in >/var/c/out & container=$!
	exec 7>/var/c/in
	answer() { until [ "$(tail -n 1 /var/c/out)" = "$1" ]; do usleep 20000; done; }
	echo 1 >&7
	answer 1
	inside=$(pidof inside)
	# ringtail sees the overlay only through the process.
	umount -l /var/c/merged
	ok "the path is not visible outside" test ! -e /var/c/merged/bin/inside
	seen=/proc/$inside/root
	for restrict in "-a" "-p $inside"; do
		# shellcheck disable=SC2086 # words are meant
		ringtail record -o /results/perf.data $restrict -e "uprobe:$seen/bin/inside:probed_number n=$a:s64" \
			2>/tmp/said & agent=$!
		until polls $agent || [ ! -d /proc/$agent ]; do usleep 20000; done 2>/dev/null
		before=$(tail -n 1 /var/c/out)
		echo 120 >&7
		answer $((before + 120))
		kill -INT $agent
		wait $agent
		perf_reads /results/perf.data
		is "$(hits)" 120 "a program in a container, $restrict: every call" || diag "$(cat /tmp/said)"
		is "$(field n | tr '\n' ' ')" "$(seq 0 119 | tr '\n' ' ')" "$restrict: every value"
		like "$(head -n 1 /tmp/lines)" " $inside " "with the pid that ringtail sees"
	done
	# Another container from the same lower layer shares the file.
	record -e "uprobe:/var/c/lower/bin/inside:probed_number" -- /var/c/lower/bin/inside calls 10
	is "$(hits)" 10 "the file of the lower layer itself"
	exec 7>&-
	wait $container
	is $? 0 "the program in the container ends well"
fi
umount /var/c/top

# --- a debugger at the same place --------------------------------------------------------

# While a user probe is at an instruction, the kernel takes its trap for the probe, whoever put the
# breakpoint there; arm64 tells them apart, but then forgets the debugger's step.  The program must run
# on, and every call must be recorded.
debugged() { # after: the breakpoint is there before the probe; before: it comes when the probe is there
	mkfifo /tmp/d-in
	: >/tmp/d-out
	user-debugged "$("$target-static" where)" "$1" "$target-static" calls 40 </tmp/d-in >/tmp/d-out & debugger=$!
	exec 7>/tmp/d-in
	until grep -q ready /tmp/d-out; do usleep 20000; done
	ringtail record -a -o /results/perf.data -e "uprobe:$target-static:probed_number n=$a:s64" 2>/tmp/said & agent=$!
	until polls $agent || [ ! -d /proc/$agent ]; do usleep 20000; done 2>/dev/null
	echo >&7
	wait $debugger
	kill -INT $agent
	wait $agent
	exec 7>&-
	rm /tmp/d-in
	perf_reads /results/perf.data
}
debugged after
like "$(tail -n 1 /tmp/d-out)" 'status 0$' "a breakpoint before the probe: the program ends well"
is "$(hits)" 40 "and every call is recorded"
diag "the debugger saw: $(tail -n 1 /tmp/d-out)"
debugged before
like "$(tail -n 1 /tmp/d-out)" 'status 0$' "a breakpoint after the probe: the program ends well"
is "$(hits)" 40 "and every call is recorded"
diag "the debugger saw: $(tail -n 1 /tmp/d-out)"
# Without ringtail the debugger sees every stop, so the above is not for lack of a breakpoint.
is "$(echo | user-debugged "$("$target-static" where)" after "$target-static" calls 40 | tail -n 1)" "stops 40 status 0" \
	"afterwards a debugger works as before"
ok "ringtail unloads" rmmod ringtail
done_testing
