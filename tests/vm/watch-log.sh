#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: flavours="debug-*" smp=4 timeout=900 default="@(newest-*|6.1-*)"
#
# Each record of a watch against the log of the code that made the accesses: from one CPU and from four
# at once, in the kernel and in a process.  A value is right, or its record has a flag that says that it
# may be wrong.  An emulated machine does not prove when a real processor delivers its traps.

# shellcheck disable=SC2154,SC2086 # of watch.sh; words
. ./lib/tap.sh
. ./lib/watch.sh

insmod /rt/ringtail.ko || exit
insmod /rt/modules/rt_watch_log.ko || exit
word=$(sed -n 's/^word //p' /proc/rt_watch_log)
machine=$(uname -m)
many=2500 # on each of four CPUs
[ "$RT_LEVEL" = default ] || many=10000

# join COLUMN KIND: the records in /tmp/lines against the log in /tmp/log, those of each CPU (COLUMN cpu) or
# thread (tid) in order: "RECORDS WRONG-AND-NOT-FLAGGED WRONG FLAGGED OLDS-TWICE", a wrong record on stderr.
join_log() {
	awk -v by="$1" -v kind="$2" '
		FILENAME == "/tmp/log" {
			# A failed compare-and-exchange may store nothing.
			if ($1 != "log" || (kind == "cmpxchg" && $3 == $4)) next
			old[$2, ++truths[$2]] = $3; new[$2, truths[$2]] = $4; all++; next
		}
		/ watch:/ {
			match($0, /\[[0-9]+\]/)
			cpu = substr($0, RSTART + 1, RLENGTH - 2) + 0
			n = split(substr($0, 1, RSTART - 1), words, " ")
			who = by == "cpu" ? cpu : words[n]
			match($0, /old=[^ ]*/); o = substr($0, RSTART + 4, RLENGTH - 4)
			match($0, /new=[^ ]*/); v = substr($0, RSTART + 4, RLENGTH - 4)
			match($0, /flags=.*/); f = substr($0, RSTART + 6)
			if (!(who in truths) || (kind == "cmpxchg" && o == v)) next
			k = ++seen[who]; records++
			bad_old = old[who, k] != "-" && old[who, k] != o
			bad_new = new[who, k] != "-" && new[who, k] != v
			# Nobody knows what an addition has found, but no value can be there twice.
			if (kind == "inc" && f !~ /uncertain|unchecked/ && twice[v]++) bad_new = 1
			flagged_new = f ~ /uncertain|unchecked|new-unknown/
			flagged_old = f ~ /uncertain|unchecked|old-unknown|old-last/
			flagged += flagged_new
			if (bad_old || bad_new) wrong++
			if ((bad_old && !flagged_old) || (bad_new && !flagged_new)) {
				if (unflagged++ < 5)
					print "# truth " old[who, k], new[who, k] ", record " $0 >"/dev/stderr"
			}
		}
		END { print all + 0, records + 0, unflagged + 0, wrong + 0, flagged + 0 }' /tmp/log /tmp/lines
}

check() { # WHAT KIND COLUMN MOST-FLAGGED-PERCENT
	# shellcheck disable=SC2046
	set -- "$1" "$4" $(join_log "$3" "$2")
	is "$4" "$3" "$1: each access is recorded"
	is "$5" 0 "$1: no value of $4 records is wrong without a flag ($6 wrong, $7 flagged)"
	ok "$1: at most $2 % have a flag" [ "$7" -le $(($4 * $2 / 100)) ]
}

# whole WHAT COMMAND…: record the command until the watch was on all the time.  On arm64 a loop of exclusives
# may need a pause of the watch, after many failed stores for example; record says so (vm/watch-truth).
whole() {
	what=$1
	shift
	for try in 1 2 3 4; do
		said=$("$@" 2>&1 >/tmp/log)
		status=$?
		case $said in *'not watched'*) diag "try $try: $said" ;; *) break ;; esac
	done
	is $status 0 "$what: recorded" || diag "$said"
	case $said in
	*'not watched'*)
		skip "$what: each access" "the watch was off for a while in each of four tries, as record said"
		return 1
		;;
	esac
}

kernel() { # KIND CPUS PACE MOST-FLAGGED-PERCENT
	echo "cpus $2" >/proc/rt_watch_log
	echo "pace $3" >/proc/rt_watch_log
	whole "$1, $2 CPUs" ringtail record -e "mem:$word/8:w" -a -m 4096 -o $data -- \
		sh -c "echo $1 $many >/proc/rt_watch_log" || return
	grep '^log' /proc/rt_watch_log >/tmp/log
	perf_events -i $data >/tmp/lines 2>/dev/null
	check "$1 on $2 CPUs" "$1" cpu "$4"
}

# What the instruction and the registers tell is never uncertain on x86; on arm64 the handler makes the access.
for kind in store constant cmpxchg xadd xchg inc; do
	case $kind,$machine in
	store,* | constant,* | cmpxchg,* | *,aarch64) share=0 ;;
	*) share=100 ;;
	esac
	kernel $kind 1 0 0
	kernel $kind 4 0 $share
done

echo 0 >/proc/sys/kernel/randomize_va_space
value=$(watched-log)
for kind in store constant cmpxchg xadd xchg inc; do
	case $kind,$machine in
	store,x86_64 | constant,x86_64 | cmpxchg,*) share=0 ;;
	*) share=100 ;;
	esac
	whole "$kind in a process" ringtail record -e "mem:$value/8:w" -m 4096 -o $data -- watched-log $kind $many ||
		continue
	perf_events -i $data >/tmp/lines 2>/dev/null
	check "$kind in four threads" "$kind" tid $share
done

ok "rt_watch_log unloads" rmmod rt_watch_log
ok "ringtail unloads" rmmod ringtail
done_testing
