#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# report - `ringtail report` prints what the host's `perf report --stdio` prints, over recordings
# made on this host: tables and call graphs with many sets of options.  Lines and branches with the
# same value may be in another order (tests/host/lib/report-normal.pl).  Damaged files and hostile
# names harm nothing.

set -u
cd "$(dirname "$0")/../.." || exit 1
command=report
. tests/host/lib/command.sh
. tests/host/lib/same-report.sh
wide=${RT_LEVEL:-}

for file in clock stacks execs dwarf dwarf-cut software details processes group trace trace-stacks clockid sideband zstd mixed \
	pipe pipe-trace; do
	same_report "$file"
done

# Sets of options over stacks of user and kernel functions.
sets=(
	'--no-children' '--no-children -g caller' '-g callee' '-g fractal' '-g fractal,0.5,callee --no-children'
	'-g flat --no-children' '-g folded --no-children' '-g folded,0,caller,count --no-children' '-g none' '-G --no-children'
	'-n' '-n --no-children --percent-limit 2' '--percent-limit 5' '-s comm' '-s dso' '-s sym,dso' '-s symbol,dso --no-children'
	'-s comm,dso --no-children -n --show-total-period' '--max-stack 3' '--max-stack 3 --no-children' '--comms ls'
	'--comms ls --percentage relative' '--dsos work --no-children' '--symbols leaf' '-t, --no-children -g none' '-g graph,5,2,caller' '-U'
	'-F overhead,comm,sample' '-g address --no-children' '-q' '--hierarchy' '--hierarchy --percent-limit 3'
)
files=(stacks)
[ "$wide" != all ] || files+=(execs mixed clockid zstd)
for file in "${files[@]}"; do
	for options in "${sets[@]}"; do
		# shellcheck disable=SC2086 # words
		same_report "$file" $options
	done
done
for options in '-s pid' '-s cpu,comm' '-s comm,time' '-s socket' '-n' '--time 10%-50%' '--header' '--tid 1' '-s dso,sym,cpu' \
	'--show-cpu-utilization' '-F overhead_us,overhead_sys,sample,dso' '-t, -n' '--hierarchy -s cpu,pid -n'; do
	# shellcheck disable=SC2086 # words
	same_report processes $options
done
for options in '-s next_comm' '-s sched_switch.prev_state' '-s sched:sched_switch.next_prio,pid' '-s bytes_req,ptr' '-s id,ret' \
	'-s filename'; do
	# shellcheck disable=SC2086 # words
	same_report trace $options
done

for options in '-s local_ins_lat' '-s ins_lat,sym' '-s transaction,comm' '-s cgroup'; do
	# shellcheck disable=SC2086 # words
	same_report details $options
done
same_report sideband -s cgroup,comm
# Without the key dso, perf may show an address that has no symbol in two lines: a caller at 0, for example.
same_report clock -s sym
for options in '-s parent' '-p main|start' '-p main|leaf -s comm --no-children' '-p ^main$ -s parent,dso,sym -g none'; do
	# shellcheck disable=SC2086 # words
	same_report stacks $options
done
same_report stacks -p main -x
same_report stacks -p main -x -g graph,5 # a share of all samples, also of those left out
same_report stacks --symbol-filter lea
same_report processes --socket-filter 0
same_report details --mem-mode -s symbol_daddr,dso_daddr,phys_daddr,data_page_size

# Branches and sources of data, of which few machines have counters.
own=$corpus
corpus=$dir/made
mkdir -p "$corpus"
for file in branches data; do
	python3 tests/host/lib/perfdata-branches.py $file "$own/work" "$corpus/$file.data"
done
branches=('' '-F overhead,symbol_from,symbol_to' '-s srcline_from,srcline_to' --no-branch-stack)
data=(--mem-mode '--mem-mode -s symbol_daddr,dso_daddr')
if [ "$wide" = all ]; then
	branches+=('-n -t,' '-F overhead,comm,symbol_to,cycles' '-s dso_from,dso_to' '-s comm,dso,sym' -U)
	data+=('--mem-mode -s mem,locked -n' '--mem-mode -s tlb,snoop' '--mem-mode -s blocked' '--mem-mode -s symbol_iaddr,local_weight'
		'--mem-mode -F overhead,mem,sample')
fi
for options in "${branches[@]}"; do
	# shellcheck disable=SC2086 # words
	same_report branches $options
done
for options in "${data[@]}"; do
	# shellcheck disable=SC2086 # words
	same_report data $options
done
# perf prints a flag of branches in many lines with the same text; ringtail prints one line for each.
flags() { awk -F, 'NF > 2 { gsub(/ /, ""); key = $3 (NF > 3 ? "," $4 : ""); n[key] += $2 } END { for (key in n) print key, n[key] }' | LC_ALL=C sort; }
run -n -t, -q -i "$corpus/branches.data" -s in_tx,abort
is "$(flags <"$dir/out")" "$(perf report --stdio -n -t, -q -i "$corpus/branches.data" -s in_tx,abort 2>/dev/null | flags)" \
	"branches: -s in_tx,abort counts what perf counts"
is "$(grep -c , "$dir/out")" 4 "branches: one line for each value"
# perf prints the text of the line before for branches without either flag.
run -n -t, -q -i "$corpus/branches.data" -s mispredict
is "$(flags <"$dir/out" | xargs)" "$(python3 -c '
flags = [(number + i) % 16 for number in range(300) for i in range(number % 6)]
print("N", sum(f & 2 > 0 for f in flags), "N/A", sum(f & 3 == 0 for f in flags), "Y", sum(f & 3 == 1 for f in flags))')" \
	"branches: -s mispredict counts what was recorded"
corpus=$own

for options in '--switch-on sched:sched_process_exec' '--switch-off sched:sched_process_exec' '--switch-on raw_syscalls:sys_enter --switch-off raw_syscalls:sys_exit' \
	'--switch-on sched:sched_process_exec --show-on-off-events'; do
	# shellcheck disable=SC2086 # words
	same_report trace -s comm $options
done
before=$("$ringtail" script -i "$corpus/trace.data" 2>/dev/null | sed '/sched:sched_process_exec/,$d' | grep -c .)
is "$("$ringtail" report --stdio -s comm -n -t, -i "$corpus/trace.data" --switch-off sched:sched_process_exec 2>/dev/null | awk -F, '/^ *[0-9]/ { n += $2 } END { print n + 0 }')" \
	"$before" "--switch-off alone counts what is before the event"

for options in '-n --no-children' --no-inline; do
	# shellcheck disable=SC2086 # words
	same_report dwarf $options
	# shellcheck disable=SC2086 # words
	same_report dwarf-execs $options
done
# --group makes one table of events that are in no groups.
for options in '--group' '--group --no-children -g none' '--group -s comm -n'; do
	# shellcheck disable=SC2086 # words
	same_report mixed $options
	# shellcheck disable=SC2086 # words
	same_report group $options
done
is "$("$ringtail" report --stdio --no-group -i "$corpus/mixed.data" 2>/dev/null | grep -c '^# Samples')" \
	"$("$ringtail" report --stdio -i "$corpus/mixed.data" 2>/dev/null | grep -c '^# Samples')" "without --group each event of no group has its table"

# A function "std::sort" without lines is in no file "std".
${CC:-gcc} -o "$dir/jitted" tests/host/lib/jitted.c
map=$(perf record -q -e cpu-clock -o "$dir/jitted.data" -- "$dir/jitted")
run -s srcfile,sym -i "$dir/jitted.data"
like "$(cat "$dir/out")" '^ +[0-9.]+% +\[\.\] std::sort' "-s srcfile: a function without lines has no file"
is "$(sed 's/ *$//' "$dir/out" | grep '%')" "$(perf report --stdio -s srcfile,sym -i "$dir/jitted.data" 2>/dev/null | sed 's/ *$//' | grep '%')" \
	"-s srcfile: what perf prints"
rm -f "$map"

# What there is to say without stacks, samples, or symbols.
for options in -g '-g caller' '-g folded --no-children'; do
	# shellcheck disable=SC2086 # words
	refused 2 '^ringtail: -g: the recording has no stacks' -i "$corpus/clock.data" $options
	# shellcheck disable=SC2086 # words
	is "$(cat "$dir/out")" "$(perf report --stdio -i "$corpus/clock.data" $options 2>/dev/null)" "$options without stacks: no table, like perf"
done
run -i "$corpus/clock.data" -G
is "$status $(grep -c '^ *[0-9]' "$dir/out")" "0 $("$ringtail" report --stdio -g none -i "$corpus/clock.data" 2>/dev/null | grep -c '^ *[0-9]')" "-G does not mind, like perf"
perf record -q -e alignment-faults -o "$dir/nothing.data" -- true 2>/dev/null
for options in '' -q --no-skip-empty '-g none'; do
	# shellcheck disable=SC2086 # words
	run -i "$dir/nothing.data" $options
	is "$status $(cat "$dir/err")" "0 ringtail: $dir/nothing.data has no samples: no event occurred while it was recorded" \
		"report $options of a recording without samples says so"
	# shellcheck disable=SC2086 # words
	is "$(cat "$dir/out")" "$(perf report --stdio -i "$dir/nothing.data" $options 2>/dev/null)" "report $options without samples: no table, like perf"
done
${CC:-gcc} -static -s -O2 -pthread -o "$dir/stripped" tests/host/lib/work.c
perf record -q -e cpu-clock -o "$dir/stripped.data" -- "$dir/stripped" 300 >/dev/null 2>&1
run -i "$dir/stripped.data"
like "$(cat "$dir/err")" 'no symbols for .*stripped' "report says which objects have no symbols"
for options in --stats --tasks; do
	run -i "$dir/stripped.data" $options
	is "$status $(cat "$dir/err")" '0 ' "report $options says nothing about symbols"
done
same_report pipe --header
same_report trace --stats
same_report pipe --stats
same_report stacks --tasks
same_report execs --tasks
same_report software -T
same_report software -T -q

# Tables without call graphs are added up along the call tree, others stack by stack.  Not -g callee: like perf, it
# begins at the other end, and a frame without a mapping takes its level ([k] or [.]) from the one before.
table() { # FILE OPTION…
	local file=$1
	shift
	"$ringtail" report --stdio -q -n --percent-limit 0 -i "$corpus/$file.data" "$@" 2>/dev/null | grep -E '^ +[0-9.]+% +[0-9.]+% +[0-9]+ ' | sed 's/ *$//'
}
for file in stacks execs dwarf mixed; do
	for options in '' '-s sym' '-s pid,sym' '-s cpu,dso,sym' '-s sym,srcline' '-s parent,sym' '-U' '--symbol-filter a'; do
		# shellcheck disable=SC2086 # words
		table "$file" $options -g caller >"$dir/stacks"
		# shellcheck disable=SC2086 # words
		table "$file" $options -g none >"$dir/tree"
		cmp -s <(LC_ALL=C sort "$dir/stacks") <(LC_ALL=C sort "$dir/tree") || diag "$file $options" "$(diff "$dir/stacks" "$dir/tree" | head -n 5)"
		cat "$dir/stacks" >>"$dir/stacks.all"
		cat "$dir/tree" >>"$dir/tree.all"
	done
done
lines=$(grep -c . "$dir/stacks.all")
is "$([ "$lines" -gt 500 ] && cmp -s <(LC_ALL=C sort "$dir/stacks.all") <(LC_ALL=C sort "$dir/tree.all") && echo same)" same \
	"the lines are the same with and without call graphs ($lines)"

# --- damage -----------------------------------------------------------------------------

options_all=('' '--no-children' '-g fractal' '-g flat,0' '-g folded,0' '-s trace_fields' '-s pid,cpu,time,socket' '-s srcline,srcfile -g none'
	'-n --show-total-period --show-cpu-utilization' '-t;' '--header' '--raw-trace' '--inline' '--tasks' '--stats' '--hierarchy' '-U' '-s addr,weight,symbol_size'
	'-s parent,cgroup,transaction -p main' '-s ins_lat,local_ins_lat,comm' '--switch-on cpu-clock --switch-off cpu-clock')
options_made=('-s symbol_from,symbol_to,cycles' '-s dso_from,dso_to,mispredict,in_tx,abort' '-s srcline_from,srcline_to' '-U' ''
	'--mem-mode' '--mem-mode -s symbol_daddr,dso_daddr,symbol_iaddr' '--mem-mode -s mem,snoop,tlb,locked,blocked,phys_daddr,data_page_size')
size=$(stat -c %s "$corpus/stacks.data")
bad=0 n=0
for at in $(seq 0 $((size / 15)) "$size"); do
	head -c "$at" "$corpus/stacks.data" >"$dir/cut.data"
	# shellcheck disable=SC2086 # words
	run -i "$dir/cut.data" ${options_all[$((n++ % ${#options_all[@]}))]}
	[ $status -le 2 ] || { bad=$((bad + 1)); diag "cut at $at: status $status"; sed 's/^/# /' "$dir/err" | head -n 3; }
	[ $status = 0 ] || [ -s "$dir/err" ] || { bad=$((bad + 1)); diag "cut at $at: no word"; }
done
is "$bad" 0 "a file cut at fifteen places never crashes, and always says why it stopped"
bad=0
for seed in $(seq 1 $((2 * ${#options_all[@]}))); do
	case $((seed % 3)) in 0) file=trace-stacks ;; 1) file=stacks ;; *) file=dwarf-cut ;; esac
	perl tests/host/lib/perfdata-hit.pl "$seed" "$corpus/$file.data" "$dir/hit.data"
	# shellcheck disable=SC2086 # words
	run -i "$dir/hit.data" ${options_all[$((seed % ${#options_all[@]}))]}
	[ $status -le 2 ] || { bad=$((bad + 1)); diag "seed $seed: status $status"; sed 's/^/# /' "$dir/err" | head -n 3; }
done
for seed in $(seq 1 ${#options_made[@]}); do
	options=${options_made[$((seed % ${#options_made[@]}))]}
	case $options in --mem*) file=data ;; *) file=branches ;; esac
	perl tests/host/lib/perfdata-hit.pl "$seed" "$dir/made/$file.data" "$dir/hit.data"
	# shellcheck disable=SC2086 # words
	run -i "$dir/hit.data" $options
	[ $status -le 2 ] || { bad=$((bad + 1)); diag "$file, seed $seed: status $status"; sed 's/^/# /' "$dir/err" | head -n 3; }
done
is "$bad" 0 "files with eight bytes changed never crash, with any option"

# --- hostile names ------------------------------------------------------------------------

perl -0777 -pe 's/second thread\0/s\e[2Jc\x{9b}d \xff\a!!\0/g' "$corpus/stacks.data" >"$dir/names.data"
run -i "$dir/names.data" -s comm --no-children -g none
is "$(LC_ALL=C grep -c '[^ -~]' "$dir/out")" 0 "control characters and broken UTF-8 in names are not printed"
like "$(cat "$dir/out")" 's\?\[2Jc' "the rest of such a name is"

# --- losses ---------------------------------------------------------------------------------

scenes=build/san/unit/writer_scenes
[ -x "$scenes" ] || make -s SAN=1 "$scenes" >&2
ASAN_OPTIONS=detect_leaks=0 "$scenes" lost "$dir/lost.data" >/dev/null
want=$(perf report --stdio -i "$dir/lost.data" 2>/dev/null | sed -n 's/^# Total Lost Samples: //p')
run -i "$dir/lost.data"
is "$(sed -n 's/^# Total Lost Samples: //p; s/^# Lost Events: //p; s/^# Not In The File: //p' "$dir/out" | xargs)" "$want $want 0" \
	"the head of a recording of ringtail says how many events were lost"
ok "the scene has losses" test "$want" -gt 0

# --- refusals -------------------------------------------------------------------------------

is "$("$ringtail" report --stdio -q -g none -s tid -i "$corpus/processes.data" 2>/dev/null)" \
	"$("$ringtail" report --stdio -q -g none -s pid -i "$corpus/processes.data" 2>/dev/null)" "-s tid is perf's -s pid"
refused 2 "'nonsense' is no sort key" -i "$corpus/stacks.data" -s comm,nonsense
refused 2 "-g: 'tree' is unknown" -i "$corpus/stacks.data" -g tree
refused 2 "sort key 'mispredict' needs branches" -i "$corpus/stacks.data" -s mispredict
refused 2 'the recording has no branches; record them with perf record -b' -i "$corpus/stacks.data" -b
refused 2 "sort key 'mem' needs --mem-mode" -i "$corpus/stacks.data" -s mem,sym
refused 2 'record with -d' -i "$corpus/stacks.data" --mem-mode
refused 2 '--html shows samples' -i "$corpus/details.data" --mem-mode --html "$dir/page.html"
refused 2 "--socket-filter: 'one' is no number" -i "$corpus/stacks.data" --socket-filter one
refused 2 '--exclude-other needs callers' -i "$corpus/stacks.data" -x
refused 2 'needs stacks' -i "$corpus/clock.data" -s parent
refused 2 'no regular expression' -i "$corpus/stacks.data" -p '('
refused 2 "no event 'nonsense'; 'ringtail evlist' lists them" -i "$corpus/trace.data" --switch-off nonsense
refused 2 'no percentage' -i "$corpus/stacks.data" --percent-limit much
refused 2 'one character' -i "$corpus/stacks.data" -t ab
refused 2 'no time' -i "$corpus/stacks.data" --time-quantum 3
refused 1 'no such file' -i "$dir/none.data"
refused 1 'without CPU numbers' -i "$corpus/stacks.data" -C 0

done_testing
