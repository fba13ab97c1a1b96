#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: flavours="*" smp=2 timeout=600 default="newest-*"
#
# A flight: a session that the module keeps.  It survives the program that started it, a snapshot has exactly what
# happened, the module cannot be unloaded before `flight stop`, and afterwards it can.  Two at once, CPUs that come and go,
# names and sizes that are refused, and who may do what.

. ./lib/tap.sh
. ./lib/record.sh
. ./lib/flight-busy.sh

case $(uname -m) in
aarch64) a=%x0 ;;
x86_64) a=%di ;;
esac
event="kprobe:rt_play_number a=$a:s64"

insmod /rt/ringtail.ko || exit
insmod /rt/modules/rt_play.ko || exit

# one_line STATUS REGEX WHAT COMMAND…: the command fails with this status and one line.
one_line() {
	want=$1 regex=$2 what=$3
	shift 3
	said=$("$@" 2>&1)
	is $? "$want" "$what: refused"
	like "$said" "$regex" "$what: with the reason"
	is "$(printf '%s\n' "$said" | wc -l)" 1 "$what: in one line"
}

run() { taskset "$1" sh -c "echo number $2 >/proc/rt_play"; } # CPU-MASK COUNT
numbers() { perf_events -i "$1" 2>/tmp/warnings | sed -n 's/.* a=\([0-9]*\).*/\1/p'; }
field() { printf '%s\n' "$status" | sed -n "s/.*[^0-9]\([0-9][0-9]*\) $1.*/\1/p"; }

# --- nothing runs ---------------------------------------------------------------------
is "$(ringtail flight status)" "no flight is running" "status without a flight"
one_line 1 'no flight is running' "stop without a flight" ringtail flight stop
one_line 1 'no flight is running' "snapshot without a flight" ringtail flight snapshot -o /tmp/none.data
one_line 2 'which events' "start without events" ringtail flight start
one_line 2 'too small' "a size that is too small" ringtail flight start --size 4K -e "$event"
one_line 2 "takes bytes .* not '12'" "a size without a unit" ringtail flight start --size 12 -e "$event"
one_line 1 'would take more memory' "a size beyond the limit" ringtail flight start -e sched:sched_process_fork --size 8G
one_line 2 "no preset 'landing'" "a preset that does not exist" ringtail flight start --preset landing
one_line 2 "need 'ringtail record'" "events that a program must follow" ringtail flight start -e 'later:rt_play:*'
for name in '.a' '-a' 'a b' 'a/b' 'ä' "$(printf %032d 0)" ''; do
	one_line 1 "cannot be a flight's name" "the name '$name'" ringtail flight start -e sched:sched_process_fork -- "$name"
done
is "$(ringtail flight status)" "no flight is running" "nothing is left of all these"
is "$(ls /tmp/none.data 2>/dev/null)" "" "and no file"

# --- the program that starts it has ended, and its shell is killed -----------------------
sh -c "ringtail flight start one -e '$event' --size 256K && kill -9 \$\$" >/tmp/said 2>&1
like "$(cat /tmp/said)" "flight 'one' records 1 event; 'ringtail flight snapshot one'" "start says what to do next"
run 1 300
run 2 200
status=$(ringtail flight status)
like "$status" '^one: recording since (19|20).*, started by user 0, process ([0-9]+ )?\(ringtail\)' "status: whose it is"
is "$(field 'records written')" 500 "status: records written" || diag "$status"
is "$(field overwritten)" 0 "status: none overwritten"
is "$(field lost)" 0 "status: none lost"
# Records of the last ten seconds, or of the flight's age if that is less.
recent=$(printf '%s\n' "$status" | sed -n 's/^ *\([0-9]*\) records in the last \([0-9]*\)\.[0-9]* s: [0-9]* per second$/\1 \2/p')
like "$recent" '^[0-9]+ [0-9]+$' "status: the rate of the last seconds" || diag "$status"
[ "${recent#* }" -ge 10 ] || is "${recent% *}" 500 "status: it counts all records of this time"
like "$status" 'everything of the last [0-9]+\.[0-9]+ s' "status: how far back it reaches"
fails "the module cannot be unloaded" rmmod ringtail 2>/tmp/rmmod
like "$(cat /tmp/rmmod)" '[Ii]n use|busy|temporarily unavailable' "because it is in use" || diag "$(cat /tmp/rmmod)"
one_line 1 "a flight of this name is running" "the same name again" ringtail flight start one -e sched:sched_process_fork
like "$(ringtail doctor)" "flights +one: recording, [0-9]+ KB, started by user 0" "doctor lists it"

said=$(ringtail flight snapshot -o /tmp/one.data)
is $? 0 "snapshot of the only flight" || diag "$said"
like "$said" "flight 'one', started at" "it says of which"
like "$said" "written to /tmp/one.data: 500 samples" "and how many"
is "$(numbers /tmp/one.data | sort -n | tr '\n' ' ')" "$( (seq 0 299; seq 0 199) | sort -n | tr '\n' ' ')" "the file has exactly what happened"
is "$(cat /tmp/warnings)" "" "perf reads it without a warning"
ok "no other file is left" test "$(echo /tmp/.ringtail-*)" = '/tmp/.ringtail-*'
perf_events -F comm,pid,tid -i /tmp/one.data 2>/dev/null | sort -u >/tmp/tasks
is "$(grep -vc '^ *sh  *' /tmp/tasks)" 0 "tasks that have ended have their names" || diag "$(cat /tmp/tasks)"
is "$(perf_events -i /tmp/one.data 2>/dev/null | wc -l)" "$(ringtail script -i /tmp/one.data 2>/dev/null | wc -l)" "ringtail script prints as many"

# It goes on after a snapshot, and another snapshot has both.
run 1 100
ringtail flight snapshot one -q -o /tmp/one.data
is "$(numbers /tmp/one.data | wc -l)" 600 "after the snapshot it went on"

# --- overwriting: the newest stay --------------------------------------------------------
run 1 20000
status=$(ringtail flight status one)
is "$(field 'records written')" 20600 "written"
over=$(field overwritten)
ringtail flight snapshot one -q -o /tmp/one.data
is $(($(numbers /tmp/one.data | wc -l) + over)) 20600 "written = in the rings + overwritten"
perf_events -C 0 -i /tmp/one.data 2>/dev/null | sed -n 's/.* a=\([0-9]*\).*/\1/p' >/tmp/kept
kept=$(wc -l </tmp/kept)
ok "the ring of one CPU was too small ($kept)" [ "$kept" -gt 1500 -a "$kept" -lt 20000 ]
seq $((20000 - kept)) 19999 | cmp -s - /tmp/kept
is $? 0 "the newest, without a gap"

# --- two at once ------------------------------------------------------------------------
ok "a second flight" ringtail flight start -q two -e 'kretprobe:rt_play_number ret=$retval:s64' -e sched:sched_process_fork
one_line 1 '2 flights are running: say which' "stop needs a name now" ringtail flight stop
run 2 50
ringtail flight snapshot two -q -o /tmp/two.data
is "$(perf_events -i /tmp/two.data 2>/dev/null | grep -c rt_play_number)" 50 "the second one has its own events"
ringtail flight snapshot one -q -o /tmp/one.data
is "$(perf_events -i /tmp/one.data 2>/dev/null | grep -c 'ret=')" 0 "and not those of the other"
is "$(ringtail flight status | grep -c ': recording since')" 2 "status lists both"

# --- the preset --------------------------------------------------------------------------
said=$(ringtail flight start crash --preset crash 2>&1)
is $? 0 "the preset" || diag "$said"
like "$said" "flight 'crash' records [0-9]+ events" "it has events"
[ -d $TRACING/events/lock/contention_begin ] || like "$said" 'left out: .lock:contention_begin' "what the kernel lacks is named"
run 2 1
ringtail flight snapshot crash -q -o /tmp/crash.data
perf_events -F event,trace -i /tmp/crash.data >/tmp/lines 2>/dev/null
for name in sched:sched_switch sched:sched_process_exec sched:sched_wakeup signal:signal_generate; do
	ok "it has $name" grep -q "$name" /tmp/lines
done
like "$(ringtail evlist -i /tmp/crash.data)" 'irq:softirq_entry' "and interrupts"
ok "it stops" ringtail flight stop -q crash

# --- CPUs come and go -------------------------------------------------------------------
cpu=/sys/devices/system/cpu/cpu1/online
if [ -w $cpu ]; then
	echo 0 >$cpu
	run 1 10
	# A third flight begins while the CPU is away: its ring comes with the CPU.
	ok "a flight while a CPU is offline" ringtail flight start -q three -e "$event" --size 128K
	echo 1 >$cpu
	# Older kernels let tasks run on a new CPU only some time later.
	until taskset 2 true 2>/dev/null; do usleep 20000; done
	run 2 7
	run 1 3
	ringtail flight snapshot three -q -o /tmp/three.data
	is "$(perf_events -C 1 -i /tmp/three.data 2>/dev/null | wc -l)" 7 "the CPU that came has its records"
	is "$(perf_events -C 0 -i /tmp/three.data 2>/dev/null | wc -l)" 3 "and the other one its own"
	echo 0 >$cpu
	ringtail flight snapshot three -q -o /tmp/three.data
	is "$(numbers /tmp/three.data | wc -l)" 10 "nothing is lost when it goes again"
	echo 1 >$cpu
	ok "it stops" ringtail flight stop -q three
else
	skip "CPUs that come and go" "this kernel keeps CPU 1 online"
fi

# --- a snapshot while all CPUs write ------------------------------------------------------
insmod /rt/modules/rt_crash.ko
ok "a flight of events that do not end" busy_flight 256K
is "$(busy_snapshots 2 3)" "" "snapshots while both CPUs write: each number once, none torn, up to what was counted"
# Now nothing writes: the last snapshot ends with the last events.
is "$(busy_last)" "$(cat /proc/rt_crash)" "and exactly to it when they have stopped"
ringtail flight stop -q busy
rmmod rt_crash

# --- the program that starts one is killed on the way ---------------------------------------
# Either nothing is left of it, or a whole flight.
begun=$(rt-clock)
ringtail flight start -q victim -e 'sched:*' --size 256K 2>/dev/null
usual=$(awk -v from="$begun" -v to="$(rt-clock)" 'BEGIN { printf "%d", (to - from) * 1e6 }')
events=$(ringtail flight status victim | sed -n 's/^ *\([0-9]*\) events on.*/\1/p')
ringtail flight stop -q victim
used=$(info-print | sed -n 's/^memory_used=//p')
none=0 whole=0 bad=
moments='1 2 3 4 5 6'
[ "$RT_LEVEL" != default ] || moments='2 5'
for i in $moments; do
	ringtail flight start -q victim -e 'sched:*' --size 256K 2>/dev/null & starter=$!
	usleep $((usual * i / 6))
	kill -9 $starter 2>/dev/null
	wait $starter 2>/dev/null
	if status=$(ringtail flight status victim 2>/dev/null); then
		whole=$((whole + 1))
		case $status in *" $events events on "*) ;; *) bad="$bad $status" ;; esac
		ringtail flight stop -q victim || bad="$bad it does not stop"
	else
		none=$((none + 1))
	fi
	[ "$(info-print | sed -n 's/^memory_used=//p')" = "$used" ] || bad="$bad memory is left"
done
is "$bad" "" "killed while it starts: no flight or a whole one, and no memory is left ($none without, $whole with)"
is "$(ringtail flight status | grep -c ': recording since')" 2 "the other flights go on"

# --- who may -----------------------------------------------------------------------------
one_line 1 'not allowed to open .*: be root' "status by a user" as-user 1000 ringtail flight status
one_line 1 'not allowed to open .*: be root' "snapshot by a user" as-user 1000 ringtail flight snapshot one -o /tmp/x.data
one_line 1 'not allowed to open .*: be root' "stop by a user" as-user 1000 ringtail flight stop one
one_line 2 'not allowed to open .*: be root' "start by a user" as-user 1000 ringtail flight start -e sched:sched_switch
tap_of pin-check one

# The rate is that of the last seconds: it falls to nothing when nothing happens.
tries=0
until ringtail flight status one | grep -q '^ *0 records in the last 10.000 s: 0 per second$' || [ $tries -ge 120 ]; do
	tries=$((tries + 1))
	usleep 500000
done
like "$(ringtail flight status one)" '^ *0 records in the last 10.000 s: 0 per second$' "status: nothing happened in the last seconds"

# --- at each boot --------------------------------------------------------------------------
# The guest's init is no systemd: it runs the program as the service would.
said=$(ringtail flight start watch --boot -g --size 256K -e "$event" 2>&1)
is $? 0 "a flight that begins at each boot" || diag "$said"
like "$said" 'flight.d/watch is written, but the service ringtail-flight could not be enabled' "it says that nothing runs it here"
is "$(grep -v '^#' /etc/ringtail/flight.d/watch)" "$(printf '%s\n' watch -g --size 256K -e "$event")" "its words are kept"
is "$(ringtail flight boot)" "flight 'watch' is running already" "boot: it is running already"
ringtail flight stop -q watch
echo 'quiet ringtail.flight=sched:sched_process_exec+sched:sched_process_exit,size=256K ro' >/tmp/cmdline
said=$(ringtail flight boot --cmdline /tmp/cmdline 2>&1)
is $? 0 "boot: starts the flights of the directory and of the command line" || diag "$said"
like "$(ringtail flight status watch)" '^watch: recording' "one of each"
like "$(ringtail flight status boot)" '2 events on' "with its events"
run 1 5
ringtail flight snapshot watch -q -o /tmp/watch.data
is "$(numbers /tmp/watch.data | wc -l)" 5 "it records as the first one did"
ringtail flight stop -q boot
echo 'ringtail.flight=crash ringtail.flight=off' >/tmp/cmdline
is "$(ringtail flight boot --cmdline /tmp/cmdline)" "ringtail.flight=off: no flight is started" "boot: off"
printf '%s\n' -e no:such >/etc/ringtail/flight.d/broken
said=$(ringtail flight boot 2>&1)
is $? 1 "boot: one that cannot start"
like "$said" "flight boot: 'broken' does not run" "is named"
# A user probe in a file that is not there yet, as in an initramfs: the service starts that flight later.
# Not on a tmpfs: before 3.17 there are no user probes there.
file=/var/later/user-probed
printf '%s\n' --size 256K -e "uprobe:$file:probed_number n=$a:s64" >/etc/ringtail/flight.d/broken
said=$(ringtail flight boot 2>&1)
is $? 1 "boot: a user probe whose file is not there yet"
like "$said" "$file" "the file is named"
like "$(ringtail flight status watch)" '^watch: recording' "the other flight runs"
if [ -e $TRACING/uprobe_events ]; then
	mkdir -p /var/later
	cp "$(command -v user-probed)" $file
	said=$(ringtail flight boot 2>&1)
	is $? 0 "boot: once the file is there, the flight starts" || diag "$said"
	$file calls 7 >/dev/null
	ringtail flight snapshot broken -q -o /tmp/later.data
	is "$(perf_events -i /tmp/later.data 2>/tmp/warnings | grep -c ' n=')" 7 "and has its hits"
	is "$(ringtail flight boot | sort | tr '\n' ';')" "flight 'broken' is running already;flight 'watch' is running already;" "it has the name of its file"
	ringtail flight stop -q broken
else
	skip "a user probe whose file comes later" "this kernel has no user probes"
fi
printf '%s\n' other -e "$event" >/etc/ringtail/flight.d/broken
said=$(ringtail flight boot 2>&1)
is $? 1 "boot: a file that names another flight"
like "$said" "the file of flight 'broken' names a flight 'other'" "is refused"
is "$(ringtail flight stop watch --boot | tr '\n' ';')" "flight 'watch' does not start at boot any more;flight 'watch' has ended;" "stop --boot"
ok "its file is gone" [ ! -e /etc/ringtail/flight.d/watch ]
is "$(ringtail flight stop broken --boot)" "flight 'broken' does not start at boot any more" "also of one that does not run"

# --- the end ---------------------------------------------------------------------------
one_line 1 "no flight 'three' is running" "a name that is not there" ringtail flight stop three
is "$(ringtail flight stop two)" "flight 'two' has ended" "stop"
fails "the other one still keeps the module" rmmod ringtail 2>/dev/null
is "$(ringtail flight stop)" "flight 'one' has ended" "stop of the only one"
is "$(ringtail flight status)" "no flight is running" "no flight is left"
is "$(info-print | sed -n 's/^memory_used=//p')" 0 "all memory is given back"
ok "rt_play unloads" rmmod rt_play
ok "ringtail unloads" rmmod ringtail
done_testing
