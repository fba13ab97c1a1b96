# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# record.sh - what the tests of recordings share, beside tap.sh.

. ./lib/perf.sh

# record OPTION… -- COMMAND…: what ringtail says is in $said, the file in /results/perf.data,
# what perf_reads() makes of it is there, too; the status is ringtail's.
record() {
	said=$(ringtail record -o /results/perf.data "$@" 2>&1 >/dev/null)
	status=$?
	perf_reads /results/perf.data "$@"
	return $status
}

# refused REGEX OPTION…: ringtail record refuses these options in one line, and leaves no file.
refused() {
	want=$1
	shift
	said=$(ringtail record "$@" -o /tmp/refused.data -a --duration 1s 2>&1)
	status=$?
	ok "$*: refused" test $status = 1 -o $status = 2
	like "$said" "$want" "$*: with the reason"
	is "$(printf '%s\n' "$said" | wc -l)" 1 "in one line"
	is "$(ls /tmp/refused.data 2>/dev/null)" "" "no file is left behind"
}

# address_of SYMBOL, as /proc/kallsyms has it.
address_of() { sed -n "s/^\([0-9a-f]*\) [a-zA-Z] $1\(\t.*\)\{0,1\}$/\1/p" /proc/kallsyms | head -n 1; }

# entry_of FUNCTION: where a probe at the beginning of a function of rt_play is: behind the
# landing mark (ENDBR) of x86 kernels that have it.
entry_of() {
	case $(head -c 8 /proc/rt_play) in
	f30f1efa) printf '%x\n' $((0x$(address_of "$1") + 4)) ;;
	*) address_of "$1" ;;
	esac
}

# polls PID: it sleeps in poll() or ppoll(), by their numbers on x86_64 and arm64.
polls() { read -r call _ <"/proc/$1/syscall" && { [ "$call" = 7 ] || [ "$call" = 73 ]; }; }

# arm EVENT: an agent in the background, $agent, that has armed it for the whole machine.  It starts its
# command when it has.  (Where events hardly pause, it may not be seen to sleep in poll().)
arm() {
	rm -f /tmp/armed
	ringtail record -q -a -e "$1" -o /tmp/killed.data -- sh -c 'echo $$ >/tmp/armed; exec sleep 10000' 2>/dev/null &
	agent=$!
	until [ -s /tmp/armed ] || [ ! -d /proc/$agent ]; do usleep 50000; done
}

# kill_agent: kill -9 the agent of arm(), and wait until the module has given everything back.  The command
# goes on meanwhile.
kill_agent() {
	kill -9 $agent
	wait $agent 2>/dev/null
	until [ "$(cat /sys/module/ringtail/refcnt)" = 0 ]; do usleep 50000; done
	kill "$(cat /tmp/armed)"
}

# kill_armed EVENT: kill an agent that has armed it; the module must unload then.
kill_armed() {
	arm "$1"
	kill_agent
	ok "after kill -9 the module unloads" rmmod ringtail
}

# until_armed FUNCTION: a probe at its beginning is in place, through ftrace or as a kprobe, and
# agents that record no command have begun to record: they wait for events.
until_armed() {
	until grep -q "^$1 " $TRACING/enabled_functions ||
		grep "[ +]$1[+ ]" /sys/kernel/debug/kprobes/list | grep -qv DISABLED; do usleep 50000; done
	for waiting in $(pidof ringtail); do
		until polls "$waiting" || [ ! -d "/proc/$waiting" ]; do usleep 50000; done 2>/dev/null
	done
}

# commons FILE: of each record of the only event, a probe with one value, the flags and the preemption
# depth, bytes 54 and 55 of the sample.
commons() {
	perf_events -D -i "$1" 2>/dev/null | awk '
		/^\. .*raw event: size/ { sample = 0 }
		/^\.  0000:  09 00 00 00/ { sample = 1 }
		sample && /^\.  0030:/ { print $9, $10 }'
}

# both COMM "OPTIONS" COMMAND…: perf and ringtail record COMMAND at the same time, with the
# same events; ringtail not perf, which would not end.  In /tmp/{perf,ringtail}.all is what perf
# prints, without times; of tasks whose name begins with COMM it is in .text, and field by field
# in .fields (known.awk says what is left out).
both() {
	comm=$1 options=$2
	shift 2
	# shellcheck disable=SC2086 # words are meant
	said=$(perf record -q -B -m 1024 $options -o /results/by-perf.data -- \
		ringtail record $options -o /results/by-ringtail.data -- "$@" 2>&1 >/dev/null)
	is $? 0 "perf and ringtail record at the same time" || diag "$said"
	like "$said" ' 0 lost' "ringtail lost nothing"
	for who in perf ringtail; do
		perf_events -F comm,tid,cpu,event,trace -i /results/by-$who.data 2>/tmp/$who.said >/tmp/$who.all
		ringtail script --json -F comm,tid,cpu,event,trace -i /results/by-$who.data 2>>/tmp/$who.said >/tmp/$who.json
		is "$(wc -l </tmp/$who.json)" "$(wc -l </tmp/$who.all)" "$who's file: a line for each event"
		# perf tells of every type of event that it could not print like this.
		grep -v "not valid for .* events. Ignoring" /tmp/$who.said >/tmp/$who.warnings
	done
	awk -v name="$comm" -f ./lib/known.awk /tmp/perf.all /tmp/ringtail.all
	for who in perf ringtail; do
		sort -s -k 2,2 -k 4,4 -o /tmp/$who.text /tmp/$who.text
		sort -s -t , -k 3,3 -k 5,5 -o /tmp/$who.fields /tmp/$who.fields
	done
}

# same WHAT: what both() found is the same.
same() {
	is "$(grep -vxFf /tmp/perf.warnings /tmp/ringtail.warnings)" "" "$1: ringtail's file has no warning that perf's has not"
	unlike "$(cat /tmp/perf.warnings)" 'lost' "$1: perf lost nothing, either"
	ok "$1: there is something to compare" test "$(wc -l </tmp/perf.text)" -gt 20
	for form in text fields; do
		diff -u /tmp/perf.$form /tmp/ringtail.$form >/results/differences.$form
		is "$(head -n 12 /results/differences.$form)" "" "$1: $(wc -l </tmp/perf.$form) events, equal by their $form"
	done
}
