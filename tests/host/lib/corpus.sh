# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# corpus.sh - recordings for tests to read, made by perf on this host and in a guest.
#
# A recording is made once and kept in build/corpus/ under a name that says by what it
# was made (perf, kernel, these scripts, the recorded program), so that a change of any
# makes new ones.

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

# corpus_host: make the host's recordings; the directory is in $corpus.
corpus_host() {
	corpus=$corpus_top/build/corpus/host-$(corpus_key "$corpus_lib/corpus.sh" "$corpus_lib/work.c")
	[ -e "$corpus/complete" ] && return
	rm -rf "$corpus"
	mkdir -p "$corpus"
	${CC:-gcc} -g -O2 -fno-omit-frame-pointer -pthread -o "$corpus/work" "$corpus_lib/work.c" || return 1
	mountpoint -q /sys/kernel/tracing || mount -t tracefs nodev /sys/kernel/tracing || return 1
	(
		cd "$corpus" || exit 1
		rec() { # NAME OPTION… -- COMMAND…
			local name=$1
			shift
			perf record -q -o "$name.data" "$@" >/dev/null 2>"$name.err" || { cat "$name.err"; return 1; }
			rm -f "$name.err"
		}
		# perf's names of registers
		case $(uname -m) in
		x86_64) registers=sp,ip ;;
		*) registers=lr,pc,sp ;;
		esac
		set -e
		rec clock -e cpu-clock -F 2000 -- ./work 300
		rec stacks -e cpu-clock -F 2000 -g -- ./work 400 ls -l /usr/bin
		rec execs -e cpu-clock -F 2000 -g -- sh -c 'for i in 1 2 3 4 5 6 7 8 9 10 11 12; do ls -l /usr/bin; done'
		rec dwarf -e cpu-clock -F 500 --call-graph dwarf,8192 -- ./work 400
		# Stacks that were not copied to their end, and objects mapped twice, before and after an exec.
		rec dwarf-cut -e cpu-clock -F 2000 --call-graph dwarf,1024 -- ./work 200
		rec dwarf-execs -e cpu-clock -F 1000 --call-graph dwarf,8192 -- sh -c 'for i in 1 2 3 4 5 6 7 8; do ls -l /usr/bin; done'
		rec software -e task-clock,page-faults,minor-faults,major-faults,context-switches,cpu-migrations,dummy \
			-d --sample-cpu -- ./work 100 ls -l /usr/bin
		rec details -e cpu-clock -d -W --phys-data --data-page-size --code-page-size -I --user-regs="$registers" -- ./work 200 ||
			rec details -e cpu-clock -d -W --phys-data --data-page-size --code-page-size -I -- ./work 200
		rec processes -e cpu-clock -F 500 -a -- sh -c 'for i in 1 2 3 4 5 6; do ls -l /usr/bin | sort | md5sum & done; wait'
		rec group -e '{cpu-clock,page-faults,context-switches}:S' -- ./work 400
		rec trace -e sched:sched_switch,sched:sched_wakeup,sched:sched_process_exec,irq:softirq_entry,irq:irq_handler_entry \
			-e raw_syscalls:sys_enter,raw_syscalls:sys_exit,syscalls:sys_enter_openat,timer:hrtimer_start,kmem:kmalloc \
			-e signal:signal_generate,signal:signal_deliver,task:task_newtask,workqueue:workqueue_queue_work \
			-- ./work 20 ls -l /usr/bin
		rec trace-stacks -e sched:sched_switch,sched:sched_process_exec -g -- ./work 50 ls /
		rec clockid -k CLOCK_MONOTONIC -e cpu-clock -g -- ./work 50
		rec sideband --switch-events --namespaces --all-cgroups -e cpu-clock -- ./work 50 ls /
		rec zstd -z -e cpu-clock -F 2000 -g -- ./work 200
		rec mixed -e cpu-clock:u,cpu-clock:k,sched:sched_process_fork -g -- ./work 200 ls /
		perf record -q -o - -e cpu-clock -F 2000 -g -- ./work 200 >pipe.data 2>/dev/null
		perf record -q -o - -e sched:sched_switch,page-faults -g -- ./work 50 >pipe-trace.data 2>/dev/null
	) || return 1
	touch "$corpus/complete"
}

# corpus_guest: the same of a guest, with its kallsyms; the directory is in $corpus.
corpus_guest() {
	corpus=$corpus_top/build/corpus/guest-$(corpus_key "$corpus_lib/guest-record.sh")
	[ -e "$corpus/complete" ] && return
	rm -rf "$corpus"
	mkdir -p "$corpus"
	"$corpus_top/scripts/vm" run "$corpus_kernel" --timeout 900 --results "$corpus" -- sh /rt/tests/host/lib/guest-record.sh \
		>"$corpus/log" 2>&1
	if [ ! -s "$corpus/kallsyms" ] || [ ! -s "$corpus/tracepoints.data" ]; then
		tail -n 20 "$corpus/log"
		return 1
	fi
	touch "$corpus/complete"
}

# same WHAT FILE OPTION…: perf and ringtail print the same text with these options;
# $compat holds options for ringtail alone.
same() {
	local what=$1 file=$2 dir
	shift 2
	dir=$(mktemp -d)
	perf script -i "$file" "$@" >"$dir/perf" 2>"$dir/perf.err"
	local want=$?
	# perf copies its own vdso to a file with a new name in each run.
	sed -i 's|/tmp/perf-vdso\.so-......|[vdso]|' "$dir/perf"
	# shellcheck disable=SC2086 # a list
	"$ringtail" script -q ${compat-} -i "$file" "$@" >"$dir/ringtail" 2>"$dir/ringtail.err"
	local got=$?
	if [ $want = 0 ] && [ $got = 0 ] && [ -s "$dir/perf" ] && cmp -s "$dir/perf" "$dir/ringtail"; then
		tap_point 0 "$what"
	else
		tap_point 1 "$what"
		diag "perf $want, ringtail $got: $file $*"
		diff "$dir/perf" "$dir/ringtail" | head -n 10 | sed 's/^/# /'
		sed 's/^/# /' "$dir/ringtail.err" | head -n 5
	fi
	rm -rf "$dir"
}

# The program under test, with sanitizers; leaks inside libtraceevent are its own.
ringtail=${RINGTAIL:-$corpus_top/build/san/ringtail}
corpus_suppressions=$corpus_lib/lsan.supp
export LSAN_OPTIONS="suppressions=$corpus_suppressions:print_suppressions=0${LSAN_OPTIONS:+:$LSAN_OPTIONS}"
