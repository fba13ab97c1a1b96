#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=2 timeout=600 modprobe=overlay default="6.1-*"
#
# User probes from the command line to perf's output: counts and values against the program's
# own and against perf's, which processes they are in, which files, and what is refused.

# shellcheck disable=SC2154 # of record.sh
. ./lib/tap.sh
. ./lib/record.sh

case $(uname -m) in
aarch64) a=%x0 b=%x1 ;;
x86_64) a=%di b=%si ;;
esac
target=$(command -v user-probed)
insmod /rt/ringtail.ko || exit

field() { sed -n "s/.* $1=\([^ ]*\).*/\1/p" /tmp/lines; }
count() { grep -c "probe_$1: (" /tmp/lines; }

# --- values ---------------------------------------------------------------------

for kind in '' -static; do # PIE with libraries, and fixed without
	file=$target$kind
	ok "$kind: record" record -e "uprobe:$file:probed_number n=$a:s64 text=+0($b):string" -- "$file" calls 500 ||
		diag "$said"
	is "$(count user:probed_number)" 500 "$kind: 500 calls are 500 events, named as perf names them"
	is "$(field n | tr '\n' ' ')" "$(seq 0 499 | tr '\n' ' ')" "$kind: the first argument, in order"
	is "$(field text | tail -n 1)" '"text-499"' "$kind: a string of the program"
	like "$said" '500 events written, 0 filtered out, 0 lost' "$kind: the closing line has exact numbers"
	is "$(cat /tmp/warnings)" "" "$kind: perf reads it without a warning"
	like "$(ringtail script -F ip,sym -i /results/perf.data | sort | uniq -c)" '^ *500 .*probed_number' \
		"$kind: the address is the function's"

	ok "$kind: record returns" record -e "uretprobe:$file:probed_number ret=\$retval:s64" -- "$file" calls 100 ||
		diag "$said"
	is "$(count user:probed_number__return)" 100 "$kind: every return"
	is "$(field ret | tr '\n' ' ')" "$(seq 0 -1 -99 | tr '\n' ' ')" "$kind: return values, signed, in order"
done

record -e "uprobe:$target:probed_number text=+0($b):string" -- "$target" bad
is "$(field text)" '"(fault)"' "a string that cannot be read says so"
record -e "uprobe:$target:probed_number n=$a:s64" --filter 'n >= 90' -- "$target" calls 100
like "$said" '10 events written, 90 filtered out, 0 lost' "a filter"
record -g -e "uprobe:$target:probed_deep" -- "$target" deep 5
is "$(grep -c 'probe_user:probed_deep: (' /tmp/lines)" 5 "with stacks: five calls"
like "$(cat /tmp/lines)" ' main\+0x[0-9a-f]* ' "the stack reaches main"

# Variables outside functions, by their distance from the code; floating point as numbers.
globals=$(command -v probe-globals)
record -e "probe:$globals:half n @shared.count @shared.self->ratio @shared.parts @table[1][2] @table @names[1] calls" -- "$globals"
is "$(ringtail script -F trace -i /results/perf.data | sed 's/.*) //; s/ *$//')" \
	'n=2 count=7 ratio=0.8333333333333334 parts={0.1,-1,1e+20} table_1_2=16 table={1,2,3,4,5,16} names_1="uwo" calls=0
n=2 count=8 ratio=0.2777777777777778 parts={0.1,-1,1e+20} table_1_2=26 table={1,2,3,4,5,26} names_1="vwo" calls=1
n=2 count=10 ratio=0.0925925925925926 parts={0.1,-1,1e+20} table_1_2=36 table={1,2,3,4,5,36} names_1="wwo" calls=2' \
	"variables of a program" || diag "$said"
is "$(field ratio | tr '\n' ' ')" "0x3feaaaaaaaaaaaab 0x3fd1c71c71c71c72 0x3fb7b425ed097b43 " "perf shows the bits of floating-point numbers"
refused 'floating-point number, which the kernel cannot compare' -e "probe:$globals:half @shared.ratio" --filter 'ratio > 1'

# The kernel follows 64 returns of a thread.
record -e "uretprobe:$target:probed_deep" -- "$target" deep 100
is "$(count user:probed_deep__return)" 64 "the kernel follows 64 calls inside each other"
like "$said" 'uretprobes\): at least 36$' "and the others are counted"

# --- beside perf ------------------------------------------------------------------

beside_perf() {
	said=$({
		perf probe -q -x "$target" --add "probed_number n=$a:s64 text=+0($b):string"
		perf probe -q -x "$target" --add "probed_number%return ret=\$retval:s64"
	} 2>&1)
	like "$(cat $TRACING/uprobe_events)" 'probe_user/probed_number__return' "perf defines its own" || diag "$said"
	# With counters of its own for each task perf loses hits of programs that have children.
	both user-probed "-a -e probe_user:probed_number -e probe_user:probed_number__return" "$target" calls 200 2
	# A task may move to another CPU between the two tracers' handlers.
	for who in perf ringtail; do sed 's/ \[[0-9]*\]//' /tmp/$who.text >/results/$who.text; done
	diff -u /results/perf.text /results/ringtail.text >/results/differences
	is "$(head -n 12 /results/differences)" "" "perf's definitions, recorded by perf and by ringtail: the same lines"
	is "$(grep -c 'probed_number:' /tmp/ringtail.text)" 600 "as many as the program has called"
	perf probe -q -x "$target" --add probed_deep
	# perf probe gives one name several places, such as malloc and malloc@plt of the C library.
	for function in probed_number probed_deep; do
		sed -n "s|^p:probe_user/$function \([^ ]*\).*|p:probe_user/two \1|p" $TRACING/uprobe_events
	done >/tmp/two
	echo >$TRACING/uprobe_events
	while read -r line; do echo "$line" >>$TRACING/uprobe_events; done </tmp/two
	both user-probed "-a -e probe_user:two" sh -c "$target calls 20; $target deep 5"
	# Before 5.4 the second definition of a name replaces the first.
	case $(grep -c :probe_user/two $TRACING/uprobe_events) in
	1) theirs=5 ours="5 0" ;;
	*) theirs=25 ours="20 5" ;;
	esac
	is "$(wc -l </tmp/two) $(grep -c 'probe_user:two: ' /tmp/perf.all)" "2 $theirs" "perf records one name with two places"
	is "$(grep -c 'probe_user:two: ' /tmp/ringtail.all) $(grep -c 'probe_user:two_1: ' /tmp/ringtail.all)" "$ours" \
		"ringtail records both, and numbers the second"
}
# Before 3.14 the kernel's own user probes take only registers.
if ! release_since 3 14 && ! echo "p:rt_try $target:0x1000 s=+0($b):string" 2>/dev/null >>$TRACING/uprobe_events; then
	skip "perf's definitions, recorded by perf and by ringtail: the same lines" \
		"this kernel's own user probes read no memory"
elif echo >$TRACING/uprobe_events && perf_works; then
	beside_perf
else
	perf_skip "perf's definitions, recorded by perf and by ringtail: the same lines"
fi
echo >$TRACING/uprobe_events

# --- by perf's names, without a definition ------------------------------------------

ok "probe_libc:FUNCTION" record -e probe_libc:getsid -e probe_libc:getsid__return -- "$target" libc 30 || diag "$said"
is "$(count libc:getsid) $(count libc:getsid__return)" "30 30" "every call and every return"
like "$said" "'uprobe:/[^ ]*/libc[-.][^ ]*:getsid' is used" "a line says which file it is"
refused "'user' is /[^ ]* or /[^ ]*: write uprobe:PATH:FUNCTION" -e probe_user:probed_number
refused "no tracepoint|no function 'getsit'; did you mean 'getsid" -e probe_libc:getsit

# --- which processes ----------------------------------------------------------------

record -e "uprobe:$target:probed_number" -- "$target" calls 50 4
is "$(count user:probed_number)" 250 "children of the command are recorded"
record -i -e "uprobe:$target:probed_number" -- "$target" calls 50 4
is "$(count user:probed_number)" 50 "without inheritance they are not"
record -e "uprobe:$target:probed_number" -- "$target" exec 20
is "$(count user:probed_number)" 210 "programs that replace each other"
ok "files that are mapped and unmapped meanwhile" record -e "uprobe:$target:probed_number" -- "$target" maps "$target" 200
is "$(count user:probed_number)" 800 "and every call"

# serve NAME: a server whose input is file descriptor 8 or 9, its answers in /tmp/NAME.
mkfifo /tmp/in1 /tmp/in2
"$target" serve </tmp/in1 >/tmp/out1 & one=$!
"$target" serve </tmp/in2 >/tmp/out2 & two=$!
exec 8>/tmp/in1 9>/tmp/in2
answer() { until [ "$(tail -n 1 "/tmp/out$1")" = "$2" ]; do usleep 20000; done; }
lines() { until [ "$(wc -l <"/tmp/out$1")" -ge "$2" ]; do usleep 20000; done; }
background() { # OPTION…: until it records
	ringtail record -o /results/perf.data "$@" >/tmp/said 2>&1 & agent=$!
	until polls $agent || [ ! -d /proc/$agent ]; do usleep 20000; done 2>/dev/null
}
finish() {
	kill -INT $agent
	wait $agent
	said=$(cat /tmp/said)
	perf_reads /results/perf.data
}

echo bytes >&8
lines 1 1
background -p $one -e "uprobe:$target:probed_number n=$a:s64"
echo 100 >&8
echo 100 >&9
answer 1 100
answer 2 100
echo bytes >&8
echo bytes >&9
lines 1 3
lines 2 2
finish
# Only a kernel that accounts memory knows whose memory it puts a breakpoint into.
grep -q '^CONFIG_MEMCG=y' "/boot/config-$(uname -r)" && spares=1 || spares=
if [ $spares ]; then
	like "$said" '100 events written, 0 filtered out, 0 lost' "-p: the other process is not even stopped" || diag "$said"
else
	skip "-p: the other process is not even stopped" "this kernel has no CONFIG_MEMCG"
	like "$said" '100 events written, 100 filtered out, 0 lost' "-p: the hits of the other process are filtered out"
fi
is "$(awk '{ print $2 }' /tmp/lines | sort -u)" $one "-p: all are of that process"
echo bytes >&8
lines 1 4
is "$(sed -n 4p /tmp/out1)" "$(sed -n 1p /tmp/out1)" "the code is as it was"
ok "while it was recorded it was patched" test "$(sed -n 3p /tmp/out1)" != "$(sed -n 1p /tmp/out1)"
if [ $spares ]; then
	is "$(sed -n 2p /tmp/out2)" "$(sed -n 1p /tmp/out1)" "and the code of the other process was not"
else
	skip "and the code of the other process was not" "this kernel has no CONFIG_MEMCG"
fi

background -a -e "uprobe:$target:probed_number n=$a:s64"
echo 10 >&8
answer 1 110
"$target" calls 20
finish
is "$(count user:probed_number)" 30 "-a: processes that run, and one that is started later"

background -a -e "uprobe:$target:probed_number" -e "uretprobe:$target:probed_number"
kill -9 $agent
wait $agent 2>/dev/null
echo 10 >&8
answer 1 120
echo bytes >&8
lines 1 7
is "$(sed -n 7p /tmp/out1)" "$(sed -n 1p /tmp/out1)" "after kill -9 the code is as it was"

# A process that is killed while it hits probes.
background -a -e "uprobe:$target:probed_number" -e "uretprobe:$target:probed_number"
for _ in 1 2 3 4 5 6; do
	"$target" calls 1000000 & victim=$!
	usleep 30000
	kill -9 $victim
	wait $victim 2>/dev/null
done
finish
like "$said" 'events written' "processes are killed in the middle"
echo 10 >&8
answer 1 130

# --- which files --------------------------------------------------------------------

ln -s "$target" /tmp/link
record -e "uprobe:/tmp/link:probed_number" -- "$target" calls 10
is "$(count user:probed_number)" 10 "through a symbolic link"

cp "$target" /copy
mkfifo /tmp/in3
/copy serve </tmp/in3 >/tmp/out3 & three=$!
exec 7>/tmp/in3
echo 1 >&7
answer 3 1
rm /copy
background -p $three -e "uprobe:/proc/$three/exe:probed_number"
echo 10 >&7
answer 3 11
finish
is "$(grep -c ':probed_number: (' /tmp/lines)" 10 "a file that was deleted, by /proc/PID/exe" || diag "$said"
cp "$target" /copy
background -a -e uprobe:/copy:probed_number
echo 10 >&7
answer 3 21
/copy calls 7
finish
is "$(count copy:probed_number)" 7 "a file that was replaced: only who runs the new one"
exec 7>&-
wait $three

# /tmp is a tmpfs.  Bit 12: RT_SOURCE_UPROBE_SHMEM.
cp "$target" /tmp/volatile
if module_offers 12; then
	record -e uprobe:/tmp/volatile:probed_number -- /tmp/volatile calls 10
	is "$(count volatile:probed_number)" 10 "a file on tmpfs" || diag "$said"
else
	refused "before Linux 3.17 not on tmpfs" -e uprobe:/tmp/volatile:probed_number
fi

mkdir -p /below /tmp/o/upper /tmp/o/all
mount -t tmpfs none /tmp/o/upper
mkdir /tmp/o/upper/u /tmp/o/upper/w
cp "$target" /below/below
if ! grep -qw overlay /proc/filesystems; then
	skip "a file below an overlay" "this kernel has no overlays"
elif ok "an overlay" mount -t overlay -o lowerdir=/below,upperdir=/tmp/o/upper/u,workdir=/tmp/o/upper/w none /tmp/o/all; then
	record -e uprobe:/tmp/o/all/below:probed_number -- /tmp/o/all/below calls 10
	is "$(count below:probed_number)" 10 "a file below an overlay" || diag "$said"
	umount /tmp/o/all
fi
umount /tmp/o/upper

# --- what is refused ------------------------------------------------------------------

refused "has no function 'probed_numbr'; did you mean 'probed_number'" -e "uprobe:$target:probed_numbr"
refused 'in the middle of an instruction' -e "uprobe:$target:probed_number+2"
refused 'beyond the end' -e "uprobe:$target:probed_number+0x4000"
refused 'no code at offset 0x1|in the middle of an instruction' -e "uprobe:$target:0x1"
refused 'cannot open /nowhere' -e uprobe:/nowhere:main
refused 'not a program or library' -e "uprobe:$0:main"
refused 'not a regular file' -e uprobe:/tmp:main
refused 'is a Go program' -e "uretprobe:$target-go:probed_number"
refused 'exists only when a function returns; use uretprobe:' -e "uprobe:$target:probed_number r=\$retval"
refused 'memory of the kernel' -e "uprobe:$target:probed_number r=@jiffies"
record --force -e "uretprobe:$target-go:probed_number" -- "$target-go" calls 3
is "$(count user:probed_number__return)" 3 "forced"
record -e "uprobe:$target-go:probed_number" -- "$target-go" calls 3
is "$(count user:probed_number)" 3 "a probe at the entry needs no force"

exec 8>&- 9>&-
wait $one $two
ok "ringtail unloads" rmmod ringtail
done_testing
