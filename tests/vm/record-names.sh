#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=2 timeout=1200 flavours="debug-*" default="5.10-*"
#
# Names that match no, one or many functions; events that never fired; the options of record, and
# its messages while it runs and when it ends.

. ./lib/tap.sh
. ./lib/record.sh

case $(uname -m) in
aarch64) a=%x0 pc=%pc other=%di ;;
x86_64) a=%di pc=%ip other=%x0 ;;
esac
play() { echo "echo $* >/proc/rt_play"; }
field() { sed -n "s/.* $1=\([^ ]*\).*/\1/p" /tmp/lines; }
closing() { printf '%s\n' "$said" | grep 'events written'; }

insmod /rt/ringtail.ko || exit
insmod /rt/modules/rt_play.ko || exit

# --- none ----------------------------------------------------------------------------

refused() { # REGEX OPTION…
	want=$1
	shift
	said=$(ringtail record "$@" -o /tmp/refused.data -- true 2>&1)
	is $? ${expect:-2} "$*: refused"
	like "$said" "$want" "$*: with the reason"
	is "$(printf '%s\n' "$said" | wc -l)" 1 "in one line"
}
refused "loaded module 'rt_play' has no function 'rt_play_nmuber'; did you mean 'rt_play_number'" \
	-e kprobe:rt_play:rt_play_nmuber
refused "no function of that name.*did you mean.*'vfs_read'" -e kprobe:vfs_raed
refused "\+0x800 is beyond the end of 'rt_play_inner', which has 0x[0-9a-f]+ bytes" -e kprobe:rt_play_inner+0x800
expect=1
refused "there is no symbol 'rt_play_midle'.*did you mean 'rt_play_middle'" -e kprobe:rt_play_inner --filter 'caller == rt_play_midle'
expect=2
refused "only debug information tells the file of a function.*0x[0-9a-f]{12,}" -e kprobe:rt_play.c:rt_play_number
refused "did you mean 'sched:sched_switch'\?" -e sched:sched_swtich
refused "did you mean 'sched:sched_switch'\?" -e sched_switch
refused "did you mean 'page-faults'\?" -e page-fautls
refused "no register '$other' on" -e "kprobe:rt_play_inner i=$other"
refused "use one" -F 99 -c 1000 -e cpu-clock
refused "pages or bytes" -m 12x -e cpu-clock
refused "perf record has '--off-cpu'; ringtail does not, because" --off-cpu
refused "did you mean '--overwrite'\?" --overwrit3

# --- many ----------------------------------------------------------------------------

# Several functions have one name; reading /proc/kallsyms calls one.  perf counts at each address.
places=$(sed -n 's/^\([0-9a-f]*\) t s_next$/\1/p' /proc/kallsyms)
count=$(echo "$places" | wc -l)
ok "this kernel has several functions s_next" test "$count" -gt 1
# tracefs refuses functions of the tracers themselves; nothing calls these here.
for at in $places; do echo "p:names/at_$at 0x$at"; done >$TRACING/kprobe_events 2>/dev/null
reading="dd if=/proc/kallsyms of=/dev/null bs=4096 count=8"
perf stat -x , -o /tmp/stat -e 'names:*' -- $reading 2>/dev/null
sed -n 's/^\([1-9][0-9]*\),.*names:at_\([0-9a-f]*\).*/\1 \2/p' /tmp/stat | sort >/tmp/perf.counts
echo >$TRACING/kprobe_events
record -e kprobe:s_next -- $reading
is $? 0 "kprobe:s_next: recorded" || diag "$said"
like "$said" "all $count functions of that name are recorded: 0x[0-9a-f]+, 0x" "that there are $count is said"
ringtail script -F comm,event,trace -i /results/perf.data | sed 's/.*(\([0-9a-f]*\)).*/\1/' | sort | uniq -c >/tmp/our.counts
# If a function begins with a landing pad instruction, its probe is behind that.
case $(head -c 8 /proc/rt_play) in
f30f1efa) mark=4 ;;
*) mark=0 ;;
esac
while read -r n at; do echo "$n $(printf '%x' $((0x$at - mark)))"; done </tmp/our.counts | sort >/tmp/our
if perf_works; then
	is "$(cat /tmp/our)" "$(cat /tmp/perf.counts)" "as often as perf counts at each of them"
else
	perf_skip "as often as perf counts at each of them"
	cp /tmp/our /tmp/perf.counts
fi
ok "which is often" test "$(awk '{ n += $1 } END { print n }' /tmp/our)" -gt 10
one=$(awk '{ print $2; exit }' /tmp/perf.counts)
record -g -e "kprobe:0x$one" -- $reading
is "$(closing | sed 's/.*: \([0-9]*\) events.*/\1/')" "$(awk '{ print $1; exit }' /tmp/perf.counts)" "one of them, chosen by its address"
like "$(sed -n '/^\t/{p;q}' /tmp/lines)" 's_next' "with a stack that begins there"

# The source file of a function, if the module has debug information, which its build-id finds.
if [ -e /sys/module/rt_play/notes/.note.gnu.build-id ]; then
	mkdir -p "/usr/lib/debug/lib/modules/$(uname -r)/extra"
	cp /rt/modules/rt_play.ko "/usr/lib/debug/lib/modules/$(uname -r)/extra/"
	record -e kprobe:rt_play.c:play_write -- sh -c "$(play number 3); $(play number 3)"
	is "$(closing | sed 's/.*: \([0-9]*\) events.*/\1/')" 2 "rt_play.c:play_write: by its file" || diag "$said"
	refused "no function 'play_write' is from other.c; there is 0x[0-9a-f]+ \[rt_play\]" -e kprobe:other.c:play_write
else
	skip "rt_play.c:play_write: by its file" "this kernel's build gives modules no build-id"
fi

record -e 'kprobe:vmlinux:vfs_read' -- cat /proc/version
is $? 0 "vmlinux:vfs_read: the kernel's own"

# --- clones --------------------------------------------------------------------------

record -e "kprobe:rt_play_inner i=$a" --filter 'caller == rt_play:rt_play_caller' -- sh -c "$(play clones 5); $(play stack 5)"
is "$(closing | sed 's/.*: \(.*\), 0 lost.*/\1/')" "20 events written, 5 filtered out" \
	"caller == f: also those in f.part.0, f.isra.0 and f.constprop.0"
record -e "kprobe:rt_play_inner i=$a" --filter 'caller != rt_play:rt_play_caller' -- sh -c "$(play clones 5); $(play stack 5)"
is "$(closing | sed 's/.*: \(.*\), 0 lost.*/\1/')" "5 events written, 20 filtered out" "and !=: none of them"

# --- the caller, the address ----------------------------------------------------------

record -g -e "kprobe:rt_play_inner pc=$pc:x64" -e "kretprobe:rt_play_inner pc=$pc:x64" --filter 'caller == rt_play:rt_play_middle' -- sh -c "$(play stack 3)"
is "$(grep -c 'rt_play_inner: (' /tmp/lines)" 3 "a function probed at entry and return: three entries"
is "$(sed -n '/rt_play_inner: (/,/^$/p' /tmp/lines | grep -c 'kretprobe_trampoline\|rethook_trampoline')" 0 "whose caller is no trampoline"
# perf finds the names of a module without a file only after its first lookup in the kernel.
is "$(sed -n '/rt_play_inner: (/{n;n;p}' /tmp/lines | tail -n 2 | grep -c rt_play_middle)" 2 "but the function that called"
is "$(sed -n 's/.*rt_play_inner: .* pc=0x\([0-9a-f]*\).*/\1/p' /tmp/lines | sort -u)" "$(entry_of rt_play_inner)" "$pc is the probe's address"
is "$(grep -c 'rt_play_inner__return: (' /tmp/lines)" 3 "and three returns to it"
is "$(sed -n 's/.*__return: (.* <- \([0-9a-f]*\)) pc=0x\([0-9a-f]*\).*/\1 \2/p' /tmp/lines | awk '$1 == $2' | wc -l)" 3 "whose $pc is where they return to"

# The kretprobe is set later, so its handler runs first and replaces the return address.
record -e kprobe:rt_play_inner --filter 'caller == rt_play:rt_play_middle' -e kretprobe:rt_play_inner -- sh -c "$(play stack 3)"
is "$(grep -c 'rt_play_inner: (' /tmp/lines)" 3 "a filter sees the true caller of a function that a kretprobe is on, too"

# --- defined probes -------------------------------------------------------------------

echo "p:probe/mine rt_play:rt_play_number a=$a:s64" >$TRACING/kprobe_events
echo "p:probe/yours rt_play:rt_play_inner" >>$TRACING/kprobe_events
record -e 'probe:*' -- sh -c "$(play number 4)"
is $? 0 "probe:*: recorded" || diag "$said"
is "$(field a | tr '\n' ' ')" "0 1 2 3 " "with their values"
like "$said" 'probe:mine: 4 written' "each counted under its name"
like "$said" 'never fired: probe:yours$' "and one that never fired is named"
echo >$TRACING/kprobe_events

# --- groups, and the closing lines -----------------------------------------------------

record -e "{kprobe:rt_play_number,kprobe:rt_play_inner}" -e kprobe:rt_absent:f -e kprobe:rt_play_string -- sh -c "$(play number 7)"
is $? 0 "a group, and a probe whose module is not there" || diag "$said"
is "$(perf evlist -g -i /results/perf.data 2>&1 | head -n 1)" "{probe:rt_play_number,probe:rt_play_inner}" "perf knows the group"
like "$said" "module 'rt_absent' is not loaded, the probe waits for it" "that it waits is said at the beginning"
like "$said" 'recording to /results/perf.data until the command ends; Ctrl-C stops' "that it records is said, and how to stop"
like "$said" 'never fired: probe:rt_play_inner, probe:f \(its module was not loaded\), probe:rt_play_string$' "what never fired is named"
like "$said" 'probe:rt_play_number: 7 written$' "what did is counted"
size=$(($(stat -c %s /results/perf.data) + 1023))
like "$said" "; $((size / 1024)) KB to /results/perf.data \]" "the size is the file's"

# Long enough that the agent writes in the meantime.
record -a -e kprobe:vfs_write -- sh -c 'for i in 1 2 3 4 5; do echo $i >/tmp/written; usleep 400000; done'
like "$said" 'of those filtered out, by ringtail itself: [1-9]' "its own share of what is filtered out"
like "$said" 'ringtail took [0-9.]+ s of CPU time in [0-9.]+ s' "and of the CPU"

# --- rings ----------------------------------------------------------------------------

# The losses of a full ring show its size.  16 pages are 64K: the tested kernels have 4 KB pages.
for size in 16 64K 65536B; do
	ringtail record --overwrite -m $size -e "kprobe:rt_play_number a=$a" -o /tmp/ring.data -- \
		taskset 1 sh -c "$(play number 20000)" 2>/tmp/said
	sed -n 's/.*the newest \([0-9]*\) are.*/\1/p' /tmp/said
done >/tmp/kept
ok "small rings keep some" test "$(head -n 1 /tmp/kept)" -gt 500 -a "$(head -n 1 /tmp/kept)" -lt 5000
is "$(awk 'NR == 1 { n = $1 } $1 < 0.8 * n || $1 > 1.25 * n' /tmp/kept)" "" "-m takes pages and bytes" || diag "$(cat /tmp/kept)"

like "$(ringtail record --help)" "size=%$([ $a = %x0 ] && echo x2 || echo dx)" "--help has this machine's registers"

is "$(cat /sys/kernel/debug/kprobes/list)" "" "no probe is left"
ok "rt_play unloads" rmmod rt_play
ok "ringtail unloads" rmmod ringtail
done_testing
