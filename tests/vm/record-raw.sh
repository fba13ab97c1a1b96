#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=2 mem=1024 timeout=1500 default="@(6.1-*|newest-*)"
#
# record --raw: what ringtail data makes of it is what record writes, which stock perf reads; the
# other commands read it as it is; storms, kills, full disks, and what is refused.
#
# shellcheck disable=SC2086 # words are meant

# shellcheck disable=SC2154 # of record.sh
. ./lib/tap.sh
. ./lib/record.sh

case $(uname -m) in
aarch64) a=%x0 b=%x1 ;;
x86_64) a=%di b=%si ;;
esac
dir=/tmp/raw
mkdir -p $dir
raw=$dir/raw.data plain=$dir/plain.data made=$dir/made.data

insmod /rt/ringtail.ko || exit
insmod /rt/modules/rt_play.ko || exit
insmod /rt/modules/rt_watch_play.ko || exit

written() { sed -n 's/.*: \([0-9]*\) events written.*/\1/p' /tmp/said; }
lost() { sed -n 's/.* \([0-9]*\) lost; .*/\1/p' /tmp/said; }
events() { perf_events -i "$1" -F event 2>/tmp/warnings | wc -l; }

# expand WHAT: $raw becomes $made, which perf reads without a warning, in the order of time; script
# prints the same of both, and as many events as there are.
expand() {
	rm -f $made $made.old
	ok "$1: ringtail data" ringtail data $raw -o $made 2>/tmp/expanded || diag "$(cat /tmp/expanded)"
	perf_events -i $made -F time 2>/tmp/warnings | tr -d : >/tmp/times
	is "$(cat /tmp/warnings)" "" "$1: perf reads the expanded file without a warning"
	ok "$1: in the order of time" sort -n -c /tmp/times
	is "$(wc -l </tmp/times)" "$(sed -n 's/.*: \([0-9]*\) events expanded.*/\1/p' /tmp/expanded)" \
		"$1: the events that ringtail data counts"
	ringtail script -i $made >/tmp/of.made 2>/tmp/said.made
	ringtail script -i $raw >/tmp/of.raw 2>/tmp/said.raw
	ok "$1: script reads the raw file as the expanded one ($(wc -l </tmp/of.raw) lines)" cmp /tmp/of.made /tmp/of.raw
	sed "s,$made,FILE,g" /tmp/said.made >/tmp/said.one
	sed "s,$raw,FILE,g" /tmp/said.raw >/tmp/said.other
	ok "$1: and says the same" cmp /tmp/said.one /tmp/said.other || diag "$(cat /tmp/said.raw)"
}

# twice WHAT COMM "OPTIONS" "FIELDS" COMMAND…: two recorders at once, one of them raw: the same events of
# tasks whose name begins with COMM.
twice() {
	what=$1 comm=$2 options=$3 print=$4
	shift 4
	said=$(ringtail record -q $options -o $plain -- ringtail record --raw $options -o $raw -- "$@" 2>&1 >/dev/null)
	is $? 0 "$what: recorded twice at once" || diag "$said"
	printf '%s\n' "$said" | grep 'events written' >/tmp/said
	is "$(lost)" 0 "$what: nothing is lost"
	expand "$what"
	is "$(wc -l </tmp/times)" "$(written)" "$what: as many as record says"
	for who in plain made; do
		perf script $names -F $print -i $dir/$who.data 2>>/tmp/warnings | awk -v comm="$comm" '
			/^[^ \t]|^ +[^ ]+ +[0-9]+ / { with = index($1, comm) == 1 } with' | $order >/tmp/$who.text
	done
	ok "$what: there is something to compare" test "$(wc -l </tmp/made.text)" -gt 4
	ok "$what: perf prints $(wc -l </tmp/made.text) equal lines" cmp /tmp/plain.text /tmp/made.text ||
		diag "$(diff /tmp/plain.text /tmp/made.text | head -n 8)"
}

# --- the same events ---------------------------------------------------------------

fields=comm,tid,cpu,event,trace names=$without_names order="cat"
twice kprobe sh "-e kprobe:rt_play_number" $fields sh -c 'echo number 3000 >/proc/rt_play'
is "$(written)" 3000 "kprobe: all calls"
is "$(ringtail evlist -i $raw | head -n 1)" probe:rt_play_number "evlist reads the raw file"
is "$(ringtail buildid-list -i $raw)" "$(ringtail buildid-list -i $made)" "and buildid-list"
is "$(ringtail report -i $raw -n --sort comm 2>/dev/null | grep -v '^#' | tr -s ' ')" \
	"$(ringtail report -i $made -n --sort comm 2>/dev/null | grep -v '^#' | tr -s ' ')" "and report"
ok "and flamegraph" ringtail flamegraph -i $raw -o $dir/flame.svg
ok "and report --html" ringtail report -i $raw --html=$dir/page.html
ringtail diff $raw $made >/tmp/diff 2>&1
is $? 0 "and diff" || diag "$(cat /tmp/diff)"
said=$(perf script -i $raw 2>&1)
fails "perf refuses the raw file" perf script -i $raw
like "$said" "incompatible file format|not a perf" "and says so" || diag "$said"
ok "it is smaller ($(stat -c %s $raw), $(stat -c %s $made))" test $(($(stat -c %s $raw))) -lt $(($(stat -c %s $made)))

said=$(ringtail record -q -e "kprobe:rt_play_number a=$a:s64 b=$b:s64" --filter 'a < 10' \
	-e "kretprobe:rt_play_number ret=\$retval:s64" -e "kprobe:rt_play_string text=+0($a):string" -o $plain -- \
	ringtail record --raw -e "kprobe:rt_play_number a=$a:s64 b=$b:s64" --filter 'a < 10' \
	-e "kretprobe:rt_play_number ret=\$retval:s64" -e "kprobe:rt_play_string text=+0($a):string" -o $raw -- \
	sh -c 'echo number 50 >/proc/rt_play; echo string hello >/proc/rt_play; echo fault >/proc/rt_play' 2>&1 >/dev/null)
like "$said" '62 events written, 40 filtered out, 0 lost' "a filter, return values, strings: counts" || diag "$said"
expand "several events"
# The second return probe of a function finds the trampoline of the first.
for who in plain raw; do
	ringtail script -F comm,tid,event,trace -i $dir/$who.data | sed 's/ <- [^)]*)/)/'
done >/tmp/both.text
sed -n 1,62p /tmp/both.text >/tmp/plain.text
sed -n '63,$p' /tmp/both.text >/tmp/made.text
ok "the same values" cmp /tmp/plain.text /tmp/made.text
is "$(grep -c 'text="hello"' /tmp/made.text) $(grep -c 'text="(fault)"' /tmp/made.text)" "1 1" "a string, and one that cannot be read"

calls=
for call in openat read write close mmap exit_group prctl; do
	# Newer kernels record what is written in a form that perf cannot print.
	! grep -q __print_dynamic_array $TRACING/events/syscalls/sys_enter_$call/format || continue
	calls="$calls -e syscalls:sys_enter_$call -e syscalls:sys_exit_$call"
done
# Each recorder has its own time of a hit, so only the order within a task is the same.
order="sort -s -k2,2n"
twice "system calls" rt-known "$calls" $fields rt-known
order="cat"

names=
twice stacks sh "-g -I -e kprobe:rt_play_inner" comm,tid,event,ip,sym,iregs sh -c 'echo stack 20 >/proc/rt_play'
is "$(ringtail script -F ip,sym -i $raw | grep -c rt_play_middle)" 20 "stacks: each has the caller"
names=$without_names
twice user user-probed "-e uprobe:$(command -v user-probed):probed_number" $fields user-probed calls 100

# --- samples, user stacks, watches, tasks that come and go --------------------------

record_raw() { # WHAT OPTION… -- COMMAND
	what=$1
	shift
	ringtail record --raw -o $raw "$@" >/dev/null 2>/tmp/said
	is $? 0 "$what: recorded" || diag "$(cat /tmp/said)"
	expand "$what"
	is "$(wc -l </tmp/times)" "$(written)" "$what: as many events as record says"
}

record_raw samples -e cpu-clock -c 2000000 -- rt_work hot 2000
hot=$(perf script -i $made -F ip,sym 2>/dev/null | grep -c rt_work_hot)
ok "samples: perf finds the hot function ($hot of $(written))" test "$hot" -gt 20
is "$(ringtail script -i $raw -F ip,sym | grep -c rt_work_hot)" "$hot" "samples: script finds as many in the raw file"
# perf has no addr2line here, without which it does not finish files with copies of stacks.
ringtail record --raw -q -e cpu-clock -c 5000000 --call-graph dwarf,4096 -o $raw -- rt_work hot 200
like "$(ringtail script -i $raw -F ip,sym | tr -s ' \n' ' ')" 'rt_work_(hot|cool) .* rt_work_middle .* rt_work_outer .* main' \
	"user stacks: unwound from the bytes of the stack"
record_raw tasks -e page-faults -c 1 -- rt_work children 20 5
ringtail record -q -e page-faults -c 1 -o $plain -- rt_work children 20 5 >/dev/null
for who in plain made; do
	ringtail report -i $dir/$who.data --sort comm 2>/dev/null | grep -v '^#' | awk 'NF { print $2 }' >/tmp/$who.comms
done
is "$(cat /tmp/made.comms)" "$(cat /tmp/plain.comms)" "tasks: the same names of programs"
is "$(ringtail script -i $raw -F comm,pid,tid | awk '{ split($2, id, "/"); n += id[1] != id[2] } END { print n + 0 }')" 0 "tasks: each in its process"

word=$(sed -n 's/^word //p' /proc/rt_watch_play)
for how in --raw ''; do
	ringtail record $how -q -e "mem:$word/8:w" -o $raw -- sh -c 'echo plain 300 >/proc/rt_watch_play; echo clear >/proc/rt_watch_play'
	ringtail script -F event,trace -i $raw >"/tmp/watch.text$how"
done
ok "watches: old and new values, $(wc -l </tmp/watch.text) hits" cmp /tmp/watch.text /tmp/watch.text--raw
ok "watches: there is something to compare" test "$(wc -l </tmp/watch.text)" -gt 300

# Both CPUs at once, and a CPU that goes and comes.
both_cpus() { # N
	taskset 1 sh -c "for i in 1 2 3 4 5 6 7 8; do echo number $1 >/proc/rt_play; done" &
	worker=$!
	taskset 2 sh -c "for i in 1 2 3 4 5 6 7 8; do echo number $1 >/proc/rt_play; done"
	wait $worker
}
ringtail record --raw -a -e "kprobe:rt_play_number a=$a:s64" -o $raw 2>/tmp/said &
agent=$!
until_armed rt_play_number
both_cpus 1000
if [ -w /sys/devices/system/cpu/cpu1/online ]; then
	echo 0 >/sys/devices/system/cpu/cpu1/online
	echo number 100 >/proc/rt_play
	echo 1 >/sys/devices/system/cpu/cpu1/online
	taskset 2 sh -c 'echo number 100 >/proc/rt_play'
	all=16200
else
	all=16000
fi
kill -INT $agent
wait $agent
is "$(written) $(lost)" "$all 0" "two CPUs: all calls"
expand "two CPUs"
is "$(wc -l </tmp/times)" $all "two CPUs: all are in the file"
is "$(perf_events -F cpu -i $made | sort | uniq | wc -l)" 2 "two CPUs: of both"

# --- losses ------------------------------------------------------------------------

# Rings of two sub-buffers, and a recorder that is hardly ever let run.
ringtail record --raw -a --subbuffers 2 -e "kprobe:rt_play_number a=$a:s64" -o $raw 2>/tmp/said &
agent=$!
until_armed rt_play_number
kill -STOP $agent
both_cpus 1000
kill -CONT $agent
both_cpus 100
kill -INT $agent
wait $agent
is $(($(written) + $(lost))) 17600 "a storm: written + lost = all calls"
ok "a storm: some are lost ($(lost))" test "$(lost)" -gt 0
ok "a storm: ringtail data" ringtail data -q $raw -o $made
is "$(perf_events -F event -i $made 2>/tmp/warnings | wc -l)" "$(written)" "a storm: what was written is in the file"
is "$(perf_events --show-lost-events -i $made 2>/dev/null | sed -n 's/.*PERF_RECORD_LOST lost \([0-9]*\).*/\1/p' | awk '{ n += $1 } END { print n }')" \
	"$(lost)" "a storm: perf finds what was lost"
like "$(ringtail script -i $raw 2>&1 >/dev/null)" "ring full" "a storm: script tells why"

# --- options -----------------------------------------------------------------------

play='while :; do echo number 1000 >/proc/rt_play; done'
ringtail record --raw -q -e kprobe:rt_play_number --max-size 3M -o $raw -- sh -c "$play" 2>/tmp/said
size=$(stat -c %s $raw)
ok "--max-size: it ends there ($size)" test "$size" -ge 3145728 -a "$size" -lt 6000000
ok "--duration" ringtail record --raw -a -q -e kprobe:rt_play_number --duration 1s -o $raw
like "$(ringtail data $raw -o $made 2>&1)" ' 0 events expanded' "an empty recording expands, too"
is "$(events $made)" 0 "and perf opens it"
rm -f $dir/sw.data*
ringtail record --raw -q -e "kprobe:rt_play_number a=$a:s64" --switch-output=300K -o $dir/sw.data -- \
	sh -c 'for i in 1 2 3 4 5 6 7 8; do echo number 5000 >/proc/rt_play; usleep 200000; done'
sum=0
for file in $dir/sw.data.[12]*; do
	ringtail data -q $file -o $made
	sum=$((sum + $(events $made)))
done
ok "--switch-output: several files" test "$(ls $dir/sw.data.[12]* | wc -l)" -gt 2
is $sum 40000 "--switch-output: they hold everything, once"
# Targets and commands, while another task calls the same function.
echo 'tracee:x:1234:1234::/:/bin/sh' >>/etc/passwd
chmod 666 /proc/rt_play
for how in -p -u; do
	rm -f /tmp/go
	su -s /bin/sh tracee -c 'until [ -e /tmp/go ]; do usleep 20000; done; echo number 70 >/proc/rt_play' &
	target=$!
	until [ "$(grep -s '^Uid' /proc/$target/status | cut -f 2)" = 1234 ]; do usleep 20000; done
	case $how in -p) of=$target ;; -u) of=tracee ;; esac
	ringtail record --raw $how $of -e kprobe:rt_play_number -o $raw 2>/tmp/said &
	agent=$!
	until_armed rt_play_number
	echo number 500 >/proc/rt_play
	touch /tmp/go
	wait $target
	kill -INT $agent 2>/dev/null # -p: it may have ended with its target
	wait $agent
	is "$(written)" 70 "$how: the calls of the target"
	expand "$how"
done
mkfifo /tmp/commands /tmp/answers
exec 8<>/tmp/answers
ringtail record --raw --control fifo:/tmp/commands,/tmp/answers -D -1 -a -e kprobe:rt_play_number -o $raw 2>/tmp/said &
agent=$!
until_armed rt_play_number
for command in enable disable stop; do
	echo number 500 >/proc/rt_play
	echo $command >/tmp/commands
	read -r _ <&8
	[ $command != enable ] || echo number 90 >/proc/rt_play
done
wait $agent
is "$(written)" 590 "-D -1 --control: what happened while it was enabled"
expand "--control"

# A task that becomes another program while nothing is recorded: events before that keep its old name.
mkfifo /tmp/turn
rm -f /tmp/played /tmp/renamed
cat >/tmp/before <<'EOF'
#!/bin/sh
echo number 90 >/proc/rt_play
touch /tmp/played
read -r _ </tmp/turn
exec /tmp/after
EOF
cat >/tmp/after <<'EOF'
#!/bin/sh
touch /tmp/renamed
read -r _ </tmp/turn
echo number 60 >/proc/rt_play
EOF
chmod +x /tmp/before /tmp/after
ringtail record --raw --control fifo:/tmp/commands,/tmp/answers -a -e kprobe:rt_play_number -o $raw 2>/tmp/said &
agent=$!
until_armed rt_play_number
echo ping >/tmp/commands
read -r _ <&8
/tmp/before &
task=$!
until [ -e /tmp/played ]; do usleep 20000; done
echo disable >/tmp/commands
read -r _ <&8
echo >/tmp/turn
until [ -e /tmp/renamed ]; do usleep 20000; done
echo enable >/tmp/commands
read -r _ <&8
echo >/tmp/turn
wait $task
echo stop >/tmp/commands
read -r _ <&8
wait $agent
is "$(ringtail script -i $raw -F comm | sort | uniq -c | tr -s " \n" " ")" " 60 after 90 before " "a pause: each event has the name of its time"

said=$(ringtail record --raw --overwrite --subbuffers 4 -e "kprobe:rt_play_number a=$a:s64" -o $raw -- \
	taskset 1 sh -c 'echo number 20000 >/proc/rt_play' 2>&1)
read=$(printf '%s\n' "$said" | sed -n 's/.*overwritten: \([0-9]*\), the newest \([0-9]*\) .*/\2/p')
expand "--overwrite"
is "$(wc -l </tmp/times)" "$read" "--overwrite: the newest events"
is "$(ringtail script -F trace -i $raw | tail -n 1 | sed 's/.*a=//')" 19999 "--overwrite: up to the last one"

cp $raw $dir/kept
ok "data: the file may be its own output" ringtail data -q $raw -o $raw
ok "data: the raw recording is kept as .old" cmp $raw.old $dir/kept
is "$(events $raw)" "$read" "data: and the new one is perf's"
fails "data: a file that is not raw" ringtail data $raw -o $made 2>/tmp/said
like "$(cat /tmp/said)" "is not a raw recording" "data: says so"
is "$(ringtail data -q $dir/kept -o - | perf_events -i - -F event 2>/dev/null | wc -l)" "$read" "data -o -: perf reads the stream"

rm -f /tmp/refused.data
refused "use one of them" --raw -z -e kprobe:rt_play_number
refused "leave out --threads" --raw --threads=2 -e kprobe:rt_play_number
refused "loaded later" --raw -e "later:xfs:*"

# --- kills and full disks ----------------------------------------------------------

ringtail record --raw -e kprobe:rt_play_number -a -o $raw 2>/tmp/said &
agent=$!
until_armed rt_play_number
echo number 700 >/proc/rt_play
sleep 2
kill -9 $agent
wait $agent 2>/dev/null
until [ "$(cat /sys/module/ringtail/refcnt)" = 0 ]; do usleep 50000; done
said=$(ringtail data $raw -o $made 2>&1)
like "$said" "not closed cleanly" "kill -9: data says so"
is "$(events $made)" 700 "kill -9: what happened more than half a second before is there, in open sub-buffers, too"
like "$(ringtail script -i $raw 2>&1 >/dev/null)" "not closed cleanly" "kill -9: script says so"
sh -c "$play" 2>/dev/null &
load=$!
ringtail record --raw -e kprobe:rt_play_number -a -o $raw 2>/tmp/said &
agent=$!
until [ "$(stat -c %s $raw 2>/dev/null || echo 0)" -gt 4000000 ]; do usleep 20000; done
kill -9 $agent
wait $agent 2>/dev/null
kill $load
wait $load 2>/dev/null
size=$(stat -c %s $raw)
ringtail data -q $raw -o $made 2>/tmp/said
like "$(cat /tmp/said)" "not closed cleanly" "kill -9 under load: data says so"
# A record has 24 bytes, or a few more.
ok "kill -9 under load: nearly all of the file is events ($(events $made), $size bytes)" test $(($(events $made) * 40)) -gt "$size"
head -c $((size - 1000)) $raw >$dir/cut
ringtail data $dir/cut -o $made 2>/tmp/said
like "$(cat /tmp/said)" "ends inside a record" "a file that was cut: data says so"
ok "and gives what it holds" test $(($(events $made) * 40)) -gt $((size - 100000))

mkdir -p /tmp/small
mount -t tmpfs -o size=1m none /tmp/small
said=$(ringtail record --raw -e kprobe:rt_play_number -o /tmp/small/full.data -- sh -c 'echo number 60000 >/proc/rt_play; sleep 1' 2>&1)
is $? 1 "a full disk: status"
missing=$(printf '%s\n' "$said" | sed -n 's/.* \([0-9]*\) of [0-9]* events are not in \/tmp\/small\/full.data.*/\1/p')
all=$(printf '%s\n' "$said" | sed -n 's/.* of \([0-9]*\) events are not in \/tmp\/small\/full.data.*/\1/p')
ringtail data /tmp/small/full.data -o $made 2>/tmp/said
is $((missing + $(events $made))) "$all" "a full disk: missing + in the file = all" || diag "$said"
like "$(cat /tmp/said)" "$missing events of /tmp/small/full.data are not in" "a full disk: data says how many are missing"
ok "a full disk: most of what fits is there ($(events $made))" test "$(events $made)" -gt 15000
like "$(ringtail script -i /tmp/small/full.data 2>&1 >/dev/null)" "$missing events are not in the file" "a full disk: script, too"
for how in --raw ""; do
	said=$(ringtail record $how --overwrite -m 4M -e "kprobe:rt_play_number a=$a:s64" -o /tmp/small/newest.data -- \
		taskset 1 sh -c 'echo number 60000 >/proc/rt_play' 2>&1)
	is $? 1 "a full disk, $how --overwrite: status"
	missing=$(printf '%s\n' "$said" | sed -n 's/.* \([0-9]*\) of [0-9]* events are not in \/tmp\/small\/newest.data.*/\1/p')
	all=$(printf '%s\n' "$said" | sed -n 's/.* of \([0-9]*\) events are not in \/tmp\/small\/newest.data.*/\1/p')
	is "$((missing + $(ringtail script -i /tmp/small/newest.data -F event 2>/dev/null | wc -l))) $all" "60000 60000" \
		"a full disk, $how --overwrite: missing + in the file = all" || diag "$said"
	rm -f /tmp/small/newest.data*
done
fails "no room for expanding" ringtail data $dir/kept -o /tmp/small/made.data 2>/tmp/said
is "$(ls /tmp/small)" full.data "leaves nothing behind"
umount /tmp/small

ok "rt_play unloads" rmmod rt_play rt_watch_play
ok "ringtail unloads" rmmod ringtail
done_testing
