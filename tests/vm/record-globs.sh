#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=2 timeout=1500 default="newest-*"
#
# Globs of kernel functions: every function that ftrace knows, those that the kernel refuses named
# and left out, --strict, thousands at once, Ctrl-C and kill -9 with thousands armed.

# shellcheck disable=SC2154 # of record.sh
. ./lib/tap.sh
. ./lib/record.sh

insmod /rt/ringtail.ko || exit
known=$TRACING/available_filter_functions
awk '!/\[/ { print $1 }' $known | uniq >/tmp/functions
matching() { grep -cE "^($1)\$" /tmp/functions; }
events() { ringtail evlist -i /results/perf.data 2>/dev/null | grep -c 'probe:'; }

# 3.10 has no vfs_open.
hit=vfs_open ret=0
grep -qx $hit /tmp/functions || hit=vfs_readv ret='[0-9]+'
record -e 'kprobe:vfs_*' -- cat /proc/version
is $status 0 "kprobe:vfs_*: status" || diag "$said"
ok "as many events as functions, or more where several have a name" test "$(events)" -ge "$(matching 'vfs_.*')"
like "$(cat /tmp/lines)" "probe:$hit: \\(" "the functions are hit"
unlike "$(ringtail evlist -i /results/perf.data)" 'probe:(vfs[^_]|[^v])' "no other function"
record -e "kretprobe:${hit%?}? ret=\$retval" -- cat /proc/version
like "$(cat /tmp/lines)" "probe:${hit}__return: .* ret=$ret" "return probes and values"

# A function that ftrace knows and that kprobes may not be put on, and others of its prefix.
awk '{ print $2 }' /sys/kernel/debug/kprobes/blacklist | sort -u >/tmp/forbidden
glob=
for function in $(awk 'NR == FNR { no[$1] = 1; next } $1 in no' /tmp/forbidden /tmp/functions | head -n 40); do
	begin=$(printf %.6s "$function")
	count=$(matching "$begin.*")
	[ "$count" -gt 3 ] && [ "$count" -lt 200 ] || continue
	glob="kprobe:$begin*"
	break
done
if [ -n "$glob" ]; then
	record -e "$glob" -- true
	is $status 0 "$glob: the rest is recorded" || diag "$said"
	# The warning names the first eight.
	like "$said" "left out: probe:$begin.*\(the kernel forbids probes there\)" "and what is not is named"
	said=$(ringtail record --strict -e "$glob" -o /tmp/refused.data -- true 2>&1)
	is $? 1 "--strict: refused"
	like "$said" "^ringtail: record: '.*': probe:.*: .*no probe can be put there" "with the event and the reason" || diag "$said"
	is "$(ls /tmp/refused.data 2>/dev/null)" "" "no file is left behind"
else
	diag "no function that ftrace knows is forbidden for kprobes on this kernel"
fi

# The module refuses the same entries as the kernel, which decides alone without ftrace: all forbidden
# ones, what the compiler split off them, and some of the others.
parameter=/sys/module/ringtail/parameters/ftrace
sed 's/^0x//; s/-0x[0-9a-f]*//' /sys/kernel/debug/kprobes/blacklist >/tmp/places
awk 'NF == 3' /proc/kallsyms >/tmp/symbols
awk '
	FILENAME != "/tmp/symbols" { known[FILENAME, $1] = 1; next }
	!(("/tmp/functions", $3) in known) { next }
	{ split($3, base, ".") }
	base[1] != $3 && (("/tmp/forbidden", base[1]) in known) || others++ % 200 == 0 { print $1, $3 }' \
	/tmp/functions /tmp/forbidden /tmp/symbols >>/tmp/places
for how in Y N; do
	echo $how >$parameter
	probe-refused </tmp/places | sort >/tmp/refused.$how
done
echo Y >$parameter
is "$(cmp /tmp/refused.Y /tmp/refused.N 2>&1)" "" "the module refuses what the kernel refuses" ||
	diag "$(diff /tmp/refused.Y /tmp/refused.N | head -n 8)"
diag "$(wc -l </tmp/places) places, $(wc -l </tmp/refused.Y) refused, $(wc -l </sys/kernel/debug/kprobes/blacklist) forbidden"

refused "no function that can be traced matches 'no_such_\*'" -e 'kprobe:no_such_*'
refused 'neither a name nor an offset' -e 'kprobe:vfs_*+4'
refused 'there is no register' -e 'kprobe:vfs_* a=%nothing'

# Many, and with --all thousands.
many='kprobe:s[ce]*' least=100
[ "$RT_LEVEL" = default ] || many='kprobe:s*' least=2000
record -e "$many" -- true
is $status 0 "$many: status" || diag "$(printf '%s\n' "$said" | tail -n 3)"
ok "many events" test "$(events)" -gt $least
diag "$(events) events"
said=$(timeout -s INT 1 ringtail record -e "$many" -a -o /tmp/ended.data 2>&1)
unlike "$said" 'Segmentation|BUG' "Ctrl-C, whenever it comes"
rm -f /tmp/ended.data
# On a terminal: what it does, and Ctrl-C while it arms.
mkdir -p /dev/pts
mount -t devpts devpts /dev/pts 2>/dev/null
in-terminal ringtail record -e "kprobe:s*" -a -o /tmp/ended.data >/tmp/screen & terminal=$!
until grep -q "arming events: " /tmp/screen || [ ! -d /proc/$terminal ]; do usleep 10000; done
kill -INT "$(pidof ringtail)"
wait $terminal
status=$?
said=$(cat /tmp/screen)
# On a fast machine it may have begun before the signal reaches it; it then ends with a whole file.
if [ $status = 0 ]; then
	like "$said" 'events written' "Ctrl-C after it has armed: it says what it wrote"
	rm /tmp/ended.data
else
	like "$said" 'ended before it had begun; nothing was recorded' "Ctrl-C while it arms: it ends with a line"
fi
is "$(ls /tmp/ended.data 2>/dev/null)" "" "and nothing else is left"
is "$(cat /sys/kernel/debug/kprobes/list)" "" "no kprobe is left"
is "$(wc -l <$TRACING/enabled_functions)" 0 "nor a call of ftrace"
if [ "$RT_LEVEL" != default ]; then
	letters=
	for letter in a b c d e f g h i j k l m n o p q r s t; do
		letters=$letters$letter
		[ "$(matching "[$letters].*")" -lt 11000 ] || break
	done
	arm "kprobe:[$letters]*"
	armed=$(wc -l <$TRACING/enabled_functions)
	diag "$armed functions are armed"
	ok "more than ten thousand" test "$armed" -gt 10000
	kill_agent
	is "$(wc -l <$TRACING/enabled_functions)" 0 "after kill -9 nothing of them is left"
fi
kill_armed "$many"
is "$(cat /sys/kernel/debug/kprobes/list)" "" "after kill -9 no probe is left"
done_testing
