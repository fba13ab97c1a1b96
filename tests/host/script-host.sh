#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# script-host - `ringtail script` prints what the host's perf prints, byte for byte: the
# default line and ten sets of fields over recordings made on this host, and the options
# that choose and change lines.

set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/host/lib/corpus.sh
. tests/host/lib/compare.sh
corpus_host || { echo "Bail out! perf cannot record here"; exit 1; }

compat=--compat
for file in clock stacks dwarf dwarf-cut dwarf-execs software details processes group trace trace-stacks clockid sideband zstd mixed pipe pipe-trace; do
	same "$file: default" "$corpus/$file.data"
done

# Ten sets of fields, each where the recording has them.
sets=(
	'comm,tid,time,event'
	'comm,pid,tid,cpu,time,event,ip,sym,dso'
	'ip,sym,symoff,dso'
	'time,event,trace'
	'+pid,-time'
	'event,period,addr,ip,sym'
	'misc,comm,event,time'
	'+data_src,+weight,+phys_addr,+data_page_size,+code_page_size,+iregs,+uregs'
	'comm,ip'
	'+tod,+flags,+insnlen'
	'sw:comm,time,ip,sym'
	'trace:comm,trace'
)
files_for() { # FIELDS: recordings that have them
	case $1 in
	*addr* | *data_src*) echo details ;;
	*trace*) echo trace ;;
	*tod*) echo clockid ;;
	*cpu*) echo software processes ;;
	sw:*) echo stacks zstd ;;
	*) echo clock stacks dwarf zstd mixed ;;
	esac
}
# perf for x86 decodes instructions, also the kernel's if it can read them; docs/perf-differences.md
[ "$(uname -m)" != x86_64 ] || sets=("${sets[@]/,+insnlen/}")
for fields in "${sets[@]}"; do
	for file in $(files_for "$fields"); do
		same "$file: -F $fields" "$corpus/$file.data" -F "$fields"
	done
done

for file in clock stacks dwarf zstd; do
	same "$file: instructions" "$corpus/$file.data" -F +insn,+insnlen --dsos work
done

middle() { perf script -i "$1" -F time 2>/dev/null | tr -d ' :' | awk -v part="$2" '{ t[NR] = $1 } END { print t[int(NR * part)] }'; }
from=$(middle "$corpus/software.data" 0.3)
to=$(middle "$corpus/software.data" 0.6)
for options in --ns --reltime --deltatime "--time $from,$to" "--time ,$to" "--time $from," '--time 50%' \
	'--comms ls' '--comms ls,work --ns' -L --show-mmap-events --show-task-events -G --header; do
	# shellcheck disable=SC2086 # words
	same "software: $options" "$corpus/software.data" $options
done
cpu=$(perf script -i "$corpus/processes.data" -F cpu 2>/dev/null | head -n 1 | tr -dc 0-9)
for options in '--time 10%/2' '--time 0%-10%,30%-60%' '--time 90%' "--cpu $((10#$cpu))" "--cpu 0-$((10#$cpu)) --ns"; do
	# shellcheck disable=SC2086 # words
	same "processes: $options" "$corpus/processes.data" $options
done
for options in -G '--max-stack 3' '--stop-bt middle,sort' '-S leaf' '--dsos work' '--show-kernel-path' '--no-inline' \
	'--show-task-events --show-mmap-events' '--reltime --ns'; do
	# shellcheck disable=SC2086 # words
	same "stacks: $options" "$corpus/stacks.data" $options
done
for options in --no-inline '--max-stack 4' '--stop-bt middle' -G; do
	# shellcheck disable=SC2086 # words
	same "dwarf: $options" "$corpus/dwarf.data" $options
done
for options in --show-switch-events --show-namespace-events --show-cgroup-events --show-task-events --show-mmap-events \
	--show-lost-events --show-bpf-events; do
	same "sideband: $options" "$corpus/sideband.data" $options
done
same "trace: --switch-on" "$corpus/trace.data" --switch-on sched:sched_process_exec
same "trace: --switch-off" "$corpus/trace.data" --switch-off sched:sched_process_exec --show-on-off-events
same "trace: --comms work" "$corpus/trace.data" --comms work
for file in clock stacks dwarf group trace-stacks sideband zstd pipe pipe-trace details clockid; do
	same "$file: -D" "$corpus/$file.data" -D
done
# Files of another machine: nothing of this one's is used, not even its build-id cache.
symfs=$(mktemp -d)
trap 'rm -rf "$symfs"' EXIT
mkdir -p "$symfs/$corpus"
cp "$corpus/work" "$symfs/$corpus/"
for file in stacks dwarf dwarf-execs; do
	same "$file: --symfs" "$corpus/$file.data" --symfs "$symfs"
done
for options in --header '--header -I' -I; do
	# shellcheck disable=SC2086 # words
	same "pipe: $options" "$corpus/pipe.data" $options
done
# Texts of callers are kept only from some thousands of stacks on.
long=$(mktemp)
trap 'rm -rf "$symfs" "$long"' EXIT
perl tests/bench/repeat.pl "$corpus/mixed.data" "$long" 20000
for options in '' '--max-stack 1' '--max-stack 6' '--stop-bt middle' '-F ip,sym,symoff,dso' '-F comm,ip'; do
	# shellcheck disable=SC2086 # words
	same "20,000 samples: $options" "$long" $options
done
# perf 6.1 for arm64 adds callers that never called; only --compat does so, too.
[ "$(uname -m)" = aarch64 ] || compat=
same "20,000 samples, by several threads" "$long" --no-inline
compat=--compat
same "source lines of our own program" "$corpus/clock.data" -G -F +srcline --dsos work
same "with directories" "$corpus/clock.data" -G -F +srcline --dsos work --full-source-path

done_testing
