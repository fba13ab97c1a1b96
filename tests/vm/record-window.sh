#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: icount=1 smp=1 timeout=900 default="newest-*"
#
# When a recording begins and ends, according to the times in its file, while events arrive faster
# than the agent can write them; where losses are; what an idle agent costs.  The guest has one CPU
# and executes one instruction per nanosecond, so times are numbers of instructions.
#
# shellcheck disable=SC2086,SC3045 # words are meant; the shell is busybox's

. ./lib/tap.sh
. ./lib/record.sh

# The output of perf, without its message about lost events.
complaints() { grep -vE 'lost|^Warning:$|^Check IO/CPU overload!$|^$' /tmp/warnings; }

insmod /rt/ringtail.ko || exit
insmod /rt/modules/rt_play.ko || exit

data=/tmp/window.data
event='-e kprobe:rt_play_number'

# The times of the samples of a file, one per line.
stamps() { perf_events -F time,event -i $data 2>/tmp/warnings | sed -n 's/^ *\([0-9.]*\): .*rt_play_number.*/\1/p'; }
first() { head -n 1 /tmp/times; }
last() { tail -n 1 /tmp/times; }
# within A B LIMIT: B is at most LIMIT seconds after A.
within() { awk -v a="$1" -v b="$2" -v limit="$3" 'BEGIN { exit !(a != "" && b != "" && b - a <= limit) }'; }
differ() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.6f", b - a }'; }

# Two tasks leave the agent a third of the CPU, which is not enough for it.
load() {
	for _ in 1 2; do
		while :; do echo number 500; done >/proc/rt_play &
		loads="$loads $!"
	done
}
unload() {
	kill $loads
	wait $loads 2>/dev/null
	loads=
}

# A recorder with a nice value leaves its priority alone, and so cannot keep up.
cat >/tmp/slow <<'EOF'
#!/bin/sh
renice -n 5 $$ >/dev/null
exec "$@"
EOF
chmod +x /tmp/slow

# --- a signal ----------------------------------------------------------------------

load
/tmp/slow ringtail record $event -a --subbuffers 4 -o $data 2>/tmp/said &
agent=$!
until [ "$(stat -c %s $data 2>/dev/null || echo 0)" -gt 250000 ]; do usleep 20000; done
asked=$(rt-clock 2 $agent)
wait $agent
is $? 0 "Ctrl-C under load: status"
unload
unlike "$(cat /tmp/said)" ' 0 lost' "the agent could not keep up"
stamps >/tmp/times
is "$(complaints)" "" "perf has nothing to complain of but the loss"
ok "the last event is at most 50 ms after the request ($(differ "$asked" "$(last)") s)" within "$asked" "$(last)" 0.05
ok "and not before it by more than what the ring held" within "$(last)" "$asked" 0.5

# --- a time limit ------------------------------------------------------------------

load
/tmp/slow ringtail record $event -a --subbuffers 4 --duration 100ms -o $data 2>/tmp/said
is $? 0 "--duration under load: status"
unload
stamps >/tmp/times
ok "--duration 100ms: that long and at most 50 ms more ($(differ "$(first)" "$(last)") s)" within "$(first)" "$(last)" 0.15

# --- a command ---------------------------------------------------------------------

load
/tmp/slow ringtail record $event -a --subbuffers 4 -o $data -- sh -c 'rt-clock >/tmp/begin; usleep 50000; exec rt-clock >/tmp/end' 2>/tmp/said
is $? 0 "a command under load: status"
unload
stamps >/tmp/times
perf_events --show-task-events -i $data 2>/dev/null >/tmp/lines
like "$(grep -E -m 1 'rt_play_number: |COMM exec' /tmp/lines)" 'COMM exec: sh:' "no event before the command is executed"
is "$(grep rt_play_number /tmp/lines | grep -c '^ *ringtail ')" 0 "none under our own name"
ok "the first is there before the command has done much" within "$(first)" "$(cat /tmp/begin)" 1
ok "the last is at most 50 ms after its end ($(differ "$(cat /tmp/end)" "$(last)") s)" within "$(cat /tmp/end)" "$(last)" 0.05
record -e sched:sched_process_exec -- sh -c 'exec /bin/true'
is "$(sed -n 's/.*filename=[^ ]*\/\([a-z]*\) .*/\1/p' /tmp/lines | tr '\n' ' ')" "sh true " "the exec that begins it is in it"

if [ "$RT_LEVEL" != default ]; then
	i=0
	while [ $((i += 1)) -le 2000 ]; do sleep 10000 & done
	load
	/tmp/slow ringtail record $event -a --subbuffers 4 -o $data -- sh -c 'usleep 50000; exec rt-clock >/tmp/end' 2>/tmp/said
	unload
	killall sleep
	stamps >/tmp/times
	perf_events --show-task-events -i $data 2>/dev/null | grep -E 'rt_play_number: |COMM exec' >/tmp/lines
	like "$(head -n 1 /tmp/lines)" 'COMM exec: sh:' "beside 2,000 tasks: no event before the command is executed"
	ok "the last is at most 50 ms after its end" within "$(cat /tmp/end)" "$(last)" 0.05
fi

# --- losses have a place -----------------------------------------------------------

said=$(/tmp/slow ringtail record $event --subbuffers 2 -o $data -- \
	sh -c 'for i in 1 2 3; do echo number 20000 >/proc/rt_play; usleep 200000; done' 2>&1)
is $? 0 "three bursts that do not fit: status"
lost=$(printf '%s\n' "$said" | sed -n 's/.* \([0-9]*\) lost;.*/\1/p')
perf_events --show-lost-events -i $data 2>/tmp/warnings >/tmp/lines
is $((lost + $(grep -c 'rt_play_number: ' /tmp/lines))) 60000 "lost + in the file = all ($lost lost)"
ok "there is a loss" test "$lost" -gt 1000
is "$(sed -n 's/.*PERF_RECORD_LOST lost \([0-9]*\).*/\1/p' /tmp/lines | awk '{ n += $1 } END { print n }')" "$lost" \
	"the LOST records sum up to it"
ok "there are several" test "$(grep -c PERF_RECORD_LOST /tmp/lines)" -ge 3
is "$(sed -n '/PERF_RECORD_LOST/,$p' /tmp/lines | grep -c 'rt_play_number: ' | awk '{ print ($1 > 1000) }')" 1 \
	"events come after the first of them"
like "$said" 'lost, ring full: [0-9]* in [0-9]* places between ' "the closing lines say the cause and where"
ringtail script --show-lost-events -i $data >/tmp/lines 2>/tmp/warnings
is "$(sed -n 's/.*PERF_RECORD_LOST lost [0-9]* (ring full: \([0-9]*\)).*/\1/p' /tmp/lines | awk '{ n += $1 } END { print n }')" \
	"$lost" "script says each with its cause"
like "$(cat /tmp/warnings)" "lost $lost events, in [0-9]* places from [0-9.]* to [0-9.]*: ring full: $lost" "and all of it at the end"
unlike "$(cat /tmp/warnings)" 'closed' "a recording that was closed is not complained of"

# --- idle --------------------------------------------------------------------------

# The side-band would report commands that the test itself runs.
mkfifo /tmp/never
exec 3<>/tmp/never
pause() { read -r -t "$1" _ <&3; }
runtime() { read -r ran _ </proc/$agent/schedstat; }

ringtail record $event -a -o $data 2>/tmp/said &
agent=$!
until_armed rt_play_number
pause 3
runtime
before=$ran
pause 5
runtime
kill -INT $agent
wait $agent
ok "idle: less than 0.1 % of the CPU ($((ran - before)) ns in 5 s)" test $((ran - before)) -lt 5000000

ok "rt_play unloads" rmmod rt_play
ok "ringtail unloads" rmmod ringtail
done_testing
