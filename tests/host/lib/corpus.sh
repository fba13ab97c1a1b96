# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034 # the tests use $ringtail
#
# corpus.sh - recordings for tests to read, made by perf on this host and in a guest.
#
# A recording is made once and kept in build/corpus/ under a name that says by what it
# was made (perf, kernel, these scripts, the recorded program), so that a change of any
# makes new ones.  Because it is kept, it is checked when it is made: a busy machine may delay the
# program or perf so that a recording lacks what the tests look for.

corpus_lib=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
corpus_top=$(cd "$corpus_lib/../../.." && pwd)
corpus_kernel=6.1-$(case $(uname -m) in aarch64) echo arm64 ;; *) echo x86_64 ;; esac)

corpus_key() { # FILE…: of these files, perf and the kernel
	{
		cat "$@"
		perf --version
		uname -r
	} | sha256sum | cut -c1-16
}

# corpus_whole FILE SAMPLES PATTERN: is the recording fit to be kept?  It has so many samples and
# lost none, and perf prints a line that matches.
corpus_whole() {
	local got
	got=$(perf script -i "$1" --show-lost-events --show-mmap-events 2>/dev/null | PATTERN=$3 awk '
		$0 ~ ENVIRON["PATTERN"] { matches++ }
		/PERF_RECORD_LOST/ { lost++ }
		# The kernel announced a build-id where there is none, as in perfdata-record.sh.
		/PERF_RECORD_MMAP2.*<[0-9a-f]/ { wrong++ }
		/^[^\t]/ && !/PERF_RECORD_/ { samples++ }
		END { print samples + 0, lost + 0, (matches > 0), wrong + 0 }')
	# shellcheck disable=SC2086 # four words
	set -- "$@" $got
	[ "$4" -ge "$2" ] && [ "$5 $6 $7" = '0 1 0' ] && return
	echo "# $1: $4 samples (wanted: $2), $5 records of loss, '$3' found: $6, wrong build-ids: $7" >&2
	return 1
}

# corpus_try COMMAND…: until it succeeds, four times at most.
corpus_try() {
	local try
	for try in 1 2 3 4; do
		"$@" && return
		echo "# made again ($try): $*" >&2
	done
	return 1
}

# corpus_made FUNCTION: make $corpus by it, unless it is there; tests that want it meanwhile wait.
corpus_made() {
	mkdir -p "$corpus_top/build/corpus"
	(
		flock 9
		[ -e "$corpus/complete" ] || { "$1" 9>&- && touch "$corpus/complete"; }
	) 9>"$corpus.lock"
}

# corpus_host: make the host's recordings; the directory is in $corpus.
corpus_host() {
	corpus=$corpus_top/build/corpus/host-$(corpus_key "$corpus_lib/corpus.sh" "$corpus_lib/work.c")
	corpus_made corpus_host_once
}

# shellcheck disable=SC2317 # corpus_made calls it
corpus_host_once() {
	rm -rf "$corpus"
	mkdir -p "$corpus"
	${CC:-gcc} -g -O2 -fno-omit-frame-pointer -pthread -o "$corpus/work" "$corpus_lib/work.c" || return 1
	mountpoint -q /sys/kernel/tracing || mount -t tracefs nodev /sys/kernel/tracing || return 1
	(
		cd "$corpus" || exit 1
		# One CPU for the program: what it did is then in the file in the order in which it did it.
		cpu=$(taskset -cp $$ | sed 's/.*: *//; s/[-,].*//')
		rec_once() { # NAME SAMPLES PATTERN OPTION… -- COMMAND…
			local name=$1 samples=$2 pattern=$3
			shift 3
			taskset -c "$cpu" perf record -q -o "$name.data" "$@" >/dev/null 2>"$name.err" || { cat "$name.err"; return 1; }
			rm -f "$name.err"
			corpus_whole "$name.data" "$samples" "$pattern"
		}
		pipe_once() { # NAME SAMPLES PATTERN OPTION… -- COMMAND…
			local name=$1 samples=$2 pattern=$3
			shift 3
			taskset -c "$cpu" perf record -q -o - "$@" >"$name.data" 2>/dev/null || return 1
			corpus_whole "$name.data" "$samples" "$pattern"
		}
		rec() { corpus_try rec_once "$@" || failed=1; }
		rec_pipe() { corpus_try pipe_once "$@" || failed=1; }
		# perf's names of registers
		case $(uname -m) in
		x86_64) registers=sp,ip ;;
		*) registers=lr,pc,sp ;;
		esac
		failed=0
		rec clock 40 'MMAP2.*/work' -e cpu-clock -F 2000 -- ./work 300
		rec stacks 60 'leaf' -e cpu-clock -F 2000 -g -- ./work 400 ls -l /usr/bin
		rec execs 40 'ls ' -e cpu-clock -F 2000 -g -- sh -c 'for i in 1 2 3 4 5 6 7 8 9 10 11 12; do ls -l /usr/bin; done'
		rec dwarf 12 'middle' -e cpu-clock -F 500 --call-graph dwarf,8192 -- ./work 400
		# Stacks that were not copied to their end, and objects mapped twice, before and after an exec.
		rec dwarf-cut 25 'leaf' -e cpu-clock -F 2000 --call-graph dwarf,1024 -- ./work 200
		rec dwarf-execs 20 'ls ' -e cpu-clock -F 1000 --call-graph dwarf,8192 -- sh -c 'for i in 1 2 3 4 5 6 7 8; do ls -l /usr/bin; done'
		rec software 40 'page-faults' -e task-clock,page-faults,minor-faults,major-faults,context-switches,cpu-migrations,dummy \
			-s -d --sample-cpu -- ./work 100 ls -l /usr/bin
		details='-e cpu-clock -d -W --phys-data --data-page-size --code-page-size -I'
		# shellcheck disable=SC2086 # words
		perf record -q -o /dev/null $details --user-regs="$registers" -- true 2>/dev/null && details+=" --user-regs=$registers"
		# shellcheck disable=SC2086 # words
		rec details 40 'work' $details -- ./work 200
		rec processes 20 'md5sum' -e cpu-clock -F 500 -a -- sh -c 'for i in 1 2 3 4 5 6; do ls -l /usr/bin | sort | md5sum & done; wait'
		rec group 60 'work' -e '{cpu-clock,page-faults,context-switches}:S' -- ./work 400
		rec trace 200 'sched:sched_switch' -e sched:sched_switch,sched:sched_wakeup,sched:sched_process_exec,irq:softirq_entry,irq:irq_handler_entry \
			-e raw_syscalls:sys_enter,raw_syscalls:sys_exit,syscalls:sys_enter_openat,timer:hrtimer_start,kmem:kmalloc \
			-e signal:signal_generate,signal:signal_deliver,task:task_newtask,workqueue:workqueue_queue_work \
			-- ./work 20 ls -l /usr/bin
		rec trace-stacks 3 'sched:sched_process_exec' -e sched:sched_switch,sched:sched_process_exec -g -- ./work 50 ls /
		rec clockid 10 'work' -k CLOCK_MONOTONIC -e cpu-clock -g -- ./work 50
		rec sideband 10 'work' --switch-events --namespaces --all-cgroups -e cpu-clock -- ./work 50 ls /
		rec zstd 25 'leaf' -z -e cpu-clock -F 2000 -g -- ./work 200
		rec mixed 40 'sched:sched_process_fork' -e cpu-clock:u,cpu-clock:k,sched:sched_process_fork -g -- ./work 200 ls /
		rec_pipe pipe 25 leaf -e cpu-clock -F 2000 -g -- ./work 200
		rec_pipe pipe-trace 5 'sched:sched_switch' -e sched:sched_switch,page-faults -g -- ./work 50
		exit $failed
	)
}

corpus_guest_once() {
	local name
	rm -rf "$corpus"
	mkdir -p "$corpus"
	"$corpus_top/scripts/vm" run "$corpus_kernel" --timeout 900 --results "$corpus" -- sh /rt/tests/host/lib/guest-record.sh \
		>"$corpus/log" 2>&1
	for name in kallsyms kprobe.data breakpoint.data tracepoints.data sideband.data; do
		[ -s "$corpus/$name" ] || { echo "# the guest left no $name" >&2; tail -n 20 "$corpus/log"; return 1; }
	done
}

# corpus_guest: the same of a guest, with its kallsyms; the directory is in $corpus.
corpus_guest() {
	corpus=$corpus_top/build/corpus/guest-$(corpus_key "$corpus_lib/guest-record.sh")
	corpus_made corpus_guest_tried
}

corpus_guest_tried() { corpus_try corpus_guest_once; }

# The program under test, with sanitizers; leaks inside libtraceevent are its own.
ringtail=${RINGTAIL:-$corpus_top/build/san/ringtail}
corpus_suppressions=$corpus_lib/lsan.supp
export LSAN_OPTIONS="suppressions=$corpus_suppressions:print_suppressions=0${LSAN_OPTIONS:+:$LSAN_OPTIONS}"
