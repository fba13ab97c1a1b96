#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=4 mem=2048 timeout=900 heavy=1 level=all
#
# Four CPUs that hit one function as fast as they can: eight sessions at once with return probes that
# keep the arguments of the entry, and a compressed recording, in one file and in several.  What was
# written and lost is what rt_play did, and perf opens every file.

# shellcheck disable=SC2154 # of record.sh
. ./lib/tap.sh
. ./lib/record.sh

case $(uname -m) in
aarch64) a=%x0 b=%x1 ;;
x86_64) a=%di b=%si ;;
esac
play=/rt/modules/rt_play.ko
dir=/results/storm
mkdir $dir

insmod /rt/ringtail.ko || exit
insmod $play || exit

# storm TIMES N: on each of four CPUs, TIMES times `number N`.
storm() {
	for cpu in 1 2 4 8; do
		taskset $cpu sh -c "for i in \$(seq $1); do echo number $2 >/proc/rt_play; done" & workers="$workers $!"
	done
	# shellcheck disable=SC2086 # words are meant
	wait $workers
	workers=
}
workers=
closing() { grep 'events written' "$1"; }
written() { closing "$1" | sed 's/.*: \([0-9]*\) events written.*/\1/'; }
lost() { closing "$1" | sed 's/.* \([0-9]*\) lost.*/\1/'; }
# matching FILE CONDITION: of how many lines of perf it is true, and how many there are.
matching() {
	perf_events -F trace -i "$1" 2>/tmp/warnings | awk '
		{ for (i = 1; i <= NF; i++) { split($i, w, "="); v[w[1]] = w[2] } good += '"$2"' }
		END { print good + 0, NR }'
}

# --- eight sessions, return probes that keep arguments ----------------------------------

sessions="1 2 3 4 5 6 7 8" agents=
for s in $sessions; do
	ringtail record -a -o "$dir/$s.data" -e "probe:$play:rt_play_number%return \$retval a b" 2>"/tmp/said.$s" & agents="$agents $!"
done
for agent in $agents; do
	until polls "$agent" || [ ! -d "/proc/$agent" ]; do usleep 20000; done 2>/dev/null
done
storm 10 200
# shellcheck disable=SC2086 # words are meant
kill -INT $agents
for agent in $agents; do wait "$agent"; done
for s in $sessions; do
	like "$(cat "/tmp/said.$s")" ' 8000 events written, [0-9]* filtered out, 0 lost' "session $s of eight: every return" ||
		diag "$(cat "/tmp/said.$s")"
	is "$(matching "$dir/$s.data" 'v["b"] == 2 * v["a"] && v["retval"] == -v["a"]')" "8000 8000" \
		"session $s of eight: each return with the arguments of its own entry" ||
		diag "$(perf_events -F trace -i "$dir/$s.data" 2>/dev/null | head -n 2)"
done
is "$(cat /sys/kernel/debug/kprobes/list)" "" "no probe is left"
rm -f $dir/*

# --- compressed, in a storm --------------------------------------------------------------

event="kprobe:rt_play_number a=$a:s64 b=$b:s64"
compressed() { # WHAT COMPLETE OPTION…: into $dir/perf.data*, until so many files are complete
	what=$1 complete=$2 sum=100000
	shift 2
	ringtail record -z -a -e "$event" -o $dir/perf.data "$@" 2>/tmp/said & agent=$!
	until_armed rt_play_number
	storm 25 1000
	while [ "$(grep -c 'is complete' /tmp/said)" -lt "$complete" ] && [ -d /proc/$agent ]; do
		storm 1 1000
		sum=$((sum + 4000))
	done
	kill -INT $agent
	wait $agent
	is $? 0 "$what: status" || diag "$(cat /tmp/said)"
	diag "$(closing /tmp/said)"
	is $(($(written /tmp/said) + $(lost /tmp/said))) $sum "$what: written and lost are what was done"
	good=0 all=0 files=0
	for file in "$dir"/perf.data*; do
		# shellcheck disable=SC2046 # words are meant
		set -- $(matching "$file" 'v["b"] == 2 * v["a"]')
		good=$((good + $1)) all=$((all + $2)) files=$((files + 1))
		like "$(perf script --header-only -i "$file" 2>&1)" 'compressed : Zstd' "$what: perf opens file $files, compressed"
		grep -vE 'not valid for .* events|lost|^Warning:$|^Check IO/CPU overload!$|^$' /tmp/warnings >>/tmp/complaints
	done
	is "$all $good" "$(written /tmp/said) $(written /tmp/said)" "$what: perf finds all that was written, each value whole"
	is "$(cat /tmp/complaints)" "" "$what: perf has nothing to say"
	diag "$files files, $(cat "$dir"/perf.data* | wc -c) bytes"
}
: >/tmp/complaints
compressed "-z on four CPUs" 0
rm -f $dir/*
compressed "-z --switch-output=100K" 2 --switch-output=100K
ok "in several files" test $files -gt 2
rm -f $dir/*
# So little room that the recorder cannot keep up.
compressed "-z with small rings" 0 -m 16
ok "some were lost, and counted" test "$(lost /tmp/said)" -gt 0
rm -f $dir/*

is "$(cat /sys/kernel/debug/kprobes/list)" "" "no kprobe is left"
ok "rt_play unloads" rmmod rt_play
ok "ringtail unloads" rmmod ringtail
done_testing
