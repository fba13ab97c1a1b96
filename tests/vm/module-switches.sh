#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=1 timeout=300 default="@(newest-*|6.1-arm64)"
#
# Each switch of docs/safety.md at 0: what still works, what is refused and with which sentence, and what doctor says.

. ./lib/tap.sh
. ./lib/module.sh
. ./lib/perf.sh

arch=$(uname -m)
case $arch in aarch64) a=%x0 ;; *) a=%di ;; esac
event="kprobe:rt_play_number a=$a:s64"
insmod /rt/modules/rt_play.ko || exit
insmod /rt/modules/rt_watch_play.ko || exit
word=$(sed -n 's/^word //p' /proc/rt_watch_play)

switch() { # NAME=0…: load the module so, if it does
	ok "loads with $*" insmod $MODULE "$@"
	doctor=$(ringtail doctor 2>&1)
	if [ $# = 0 ]; then
		like "$doctor" 'ok +switches +nothing is switched off' "doctor: nothing is switched off"
	else
		like "$doctor" "note +switches +switched off by module parameters: $(echo "$*" | sed 's/ /, /g'); docs/safety.md" "doctor names it"
	fi
	for one in lookup ftrace restore_caller watch_step watch_pause; do
		case " $* " in *" $one=0 "*) value=N ;; *) value=Y ;; esac
		is "$(cat "/sys/module/ringtail/parameters/$one")" $value "$one is $value"
		[ $one = ftrace ] || is "$(stat -c %a "/sys/module/ringtail/parameters/$one")" 444 "$one cannot be changed while the module is loaded"
	done
}

# A kprobe is recorded: ten calls.
kprobe() {
	ringtail record -q -a -e "$event" -o /tmp/k.data -- sh -c 'echo number 10 >/proc/rt_play' 2>/tmp/said
	is "$(perf_events -i /tmp/k.data 2>/dev/null | grep -c 'rt_play_number: ')" 10 "$1: a kprobe is recorded" || diag "$(cat /tmp/said)"
}
# A watch is recorded: three writes.
watched() {
	ringtail record -q -e "mem:$word/8:w" -o /tmp/w.data -- sh -c 'echo plain 3 >/proc/rt_watch_play' 2>/tmp/said
	is "$(perf_events -i /tmp/w.data 2>/dev/null | grep -c 'watch:')" 3 "$1: a watch is recorded" || diag "$(cat /tmp/said)"
}
# A kprobe and a kretprobe of another session on one function, the first of which is armed first: how often the
# kprobe saw the caller, of 2 × 20 calls.  The kernel may call either first.
callers() {
	seen=0
	for order in 'kprobe kretprobe' 'kretprobe kprobe'; do
		set --
		for kind in $order; do
			set -- "$@" ringtail record -q -a -e "$kind:rt_play_inner" -o /tmp/$kind.data
			[ "$kind" = kretprobe ] || set -- "$@" --filter 'caller == rt_play:rt_play_middle'
			set -- "$@" --
		done
		"$@" sh -c 'echo stack 20 >/proc/rt_play' 2>/tmp/said || diag "$(cat /tmp/said)"
		is "$(perf_events -i /tmp/kretprobe.data 2>/dev/null | grep -c 'rt_play_inner.*<-')" 20 "the kretprobe is recorded"
		seen=$((seen + $(perf_events -i /tmp/kprobe.data 2>/dev/null | grep -c rt_play_inner)))
	done
}

switch
kprobe "nothing off"
watched "nothing off"
callers
is $seen 40 "a kprobe sees the caller behind a kretprobe"
entry=$(bit "$(field sources "$(info-print)")" 6)
ok "unloads" rmmod ringtail

switch lookup=0
is "$(field lookups "$(info-print)")" 0 "nothing was looked up"
kprobe lookup=0
watched lookup=0
ok "unloads" rmmod ringtail

switch ftrace=0
is "$(bit "$(field sources "$(info-print)")" 6)" 0 "ftrace=0: no entries through ftrace (before: $entry)"
kprobe ftrace=0
watched ftrace=0
callers
is $seen 40 "ftrace=0: the caller behind a kretprobe"
ok "unloads" rmmod ringtail

# What the kretprobe put on the stack stays there while the handler runs.
switch ftrace=0 restore_caller=0
kprobe restore_caller=0
callers
ok "restore_caller=0: the caller is not seen ($seen of 40)" [ $seen -lt 40 ]
watched restore_caller=0
ok "unloads" rmmod ringtail

for name in watch_step watch_pause; do
	switch $name=0
	kprobe $name=0
	if [ "$arch" = aarch64 ]; then
		for access in "mem:$word/8:w" "mem:$word:x"; do
			said=$(ringtail record -e "$access" -o /tmp/no.data -- true 2>&1)
			is $? 1 "$name=0: $access is refused"
			like "$said" "the module was loaded with $name=0, without which there are no watchpoints on this machine: load it without that, see docs/safety.md" \
				"$name=0: with the reason"
			is "$(printf '%s\n' "$said" | wc -l)" 1 "$name=0: in one line"
		done
		like "$doctor" "note +watchpoints +none: the module was loaded with $name=0" "$name=0: doctor says it"
		is $(($(field sources "$(info-print)") >> 3 & 1)) 0 "$name=0: INFO has no watchpoints"
		unlike "$(words_of_ours)" . "$name=0: without a word in the log"
	else
		watched "$name=0, which this machine does not need"
	fi
	ok "unloads" rmmod ringtail
done

for name in ftrace restore_caller watch_step watch_pause; do
	switch lookup=0 $name=0
	kprobe "lookup=0 $name=0"
	[ "$arch $name" = "aarch64 watch_step" ] || [ "$arch $name" = "aarch64 watch_pause" ] || watched "lookup=0 $name=0"
	ok "unloads" rmmod ringtail
done

switch lookup=0 ftrace=0 restore_caller=0 watch_step=0 watch_pause=0
kprobe "all off"
ok "unloads" rmmod ringtail
done_testing
