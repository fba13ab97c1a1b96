# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# flight-busy.sh - snapshots of a flight while CPUs write to it without end.  Needs rt_crash.ko.
#
#	busy_flight SIZE	start the flight 'busy' of the events of rt_crash
#	busy_snapshots CPUS N	let the first CPUS CPUs write, take N snapshots meanwhile, and print what is wrong with them: each has the numbers
#				of each CPU once and without a gap, up to one that the workload's own counter had reached by then
#	busy_last		"cpu count" for each CPU by a snapshot, when nothing writes any more

busy_flight() { # SIZE
	case $(uname -m) in
	aarch64) n=%x0 cpu=%x1 ;;
	*) n=%di cpu=%si ;;
	esac
	ringtail flight start -q busy -e "kprobe:rt_crash_event n=$n:s64 cpu=$cpu:s64" --size "$1"
}

busy_numbers() { perf_events -F trace -i "$1" 2>/dev/null | sed -n 's/.* n=\([0-9]*\) cpu=\([0-9]*\).*/\2 \1/p'; } # FILE

busy_snapshots() { # CPUS N
	writers=
	for cpu in $(seq 0 $(($1 - 1))); do
		taskset "$(printf %x $((1 << cpu)))" sh -c 'echo run >/proc/rt_crash' &
		writers="$writers $!"
	done
	until [ "$(wc -l </proc/rt_crash)" = "$1" ]; do usleep 10000; done
	for i in $(seq "$2"); do
		cat /proc/rt_crash >/tmp/before."$i"
		ringtail flight snapshot busy -q -o /tmp/busy."$i" || echo "$i: no snapshot"
		cat /proc/rt_crash >/tmp/after."$i"
	done
	kill -9 $writers
	wait $writers 2>/dev/null
	for i in $(seq "$2"); do
		busy_numbers /tmp/busy."$i" >/tmp/numbers
		awk -v i="$i" -v cpus="$1" 'FILENAME ~ /before/ { before[$1] = $2; next } FILENAME ~ /after/ { after[$1] = $2; next }
			$1 in last && $2 != last[$1] + 1 { printf "%d: %d after %d on CPU %d\n", i, $2, last[$1], $1 }
			{ last[$1] = $2; count[$1]++ }
			END { for (c = 0; c < cpus; c++)
				if (count[c] < 2 || last[c] < before[c] - 1 || last[c] > after[c])
					printf "%d: CPU %d: %d records up to %d, counted %d to %d\n", i, c, count[c], last[c], before[c], after[c] }' \
			/tmp/before."$i" /tmp/after."$i" /tmp/numbers
	done
}

busy_last() {
	ringtail flight snapshot busy -q -o /tmp/busy.data
	busy_numbers /tmp/busy.data | awk '{ last[$1] = $2 } END { for (c in last) print c, last[c] + 1 }' | sort -n
}
