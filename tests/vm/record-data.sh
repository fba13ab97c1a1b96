#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: flavours="debug-*" smp=2 timeout=600 default="newest-*"
#
# record -d: the addresses of data, those of perf; the mappings in which they are, so that perf names the
# variables; a watch; events without an address; a flight.

# shellcheck disable=SC2154 # of sample.sh
. ./lib/tap.sh
. ./lib/sample.sh

insmod /rt/ringtail.ko || exit
insmod /rt/modules/rt_watch_play.ko || exit
# Two runs of a program then have the same addresses.
echo 0 >/proc/sys/kernel/randomize_va_space

# addresses FUNCTION DATA: of the faults in that function.
addresses() { printed "$2" $without_names -G -F ip,sym,addr | awk -v f="$1" '$NF == f { print $1 }'; }
# maps COMMAND DATA: address, protection and name of every mapping that its processes made.
maps() {
	perf script -i "$2" --show-mmap-events -F comm,event 2>/dev/null | awk -v c="$1" '
	$1 == c && /MMAP/ { sub(/^.*MMAP2? [-0-9]*\/[-0-9]*: \[/, ""); gsub(/[][(]/, " "); print $1, $(NF - 1), $NF }' |
		sed "$same_protection" | sort
}
# Older kernels do not tell perf the protection of memory without a file.
same_protection=

both -e page-faults -c 1 -d -- rt_work touch 300
! maps rt_work $theirs | grep -q -- ' ---p stack$' || same_protection='s/ [-rwxp]* \([^/]*\|\/\/anon\)$/ \1/'
# Before 3.12 only whether it is code.
! maps rt_work $theirs | grep -q ' r stack$' || same_protection='s/ [-r][-w]x[ps] / x /; s/ [-r][-w]-[ps] / r /'
is "$(addresses rt_work_touch $theirs | grep -c .)" 300 "300 pages touched are 300 addresses, says perf"
is "$(addresses rt_work_touch $ours)" "$(addresses rt_work_touch $theirs)" "ours are the same, in the same order"
page=$(getconf PAGESIZE 2>/dev/null || echo 4096)
is "$(addresses rt_work_touch $ours | while read -r a; do echo $((0x$a)); done | awk -v p="$page" 'NR > 1 && $1 - last != p { print "gap" } { last = $1 }')" \
	"" "each is a page behind the one before"
is "$(maps rt_work $ours | grep -c ' //anon$')" "$(maps rt_work $theirs | grep -c ' //anon$')" "memory without a file is mapped as often"
is "$(maps rt_work $ours)" "$(maps rt_work $theirs)" "the mappings are those of perf" ||
	diag "$(maps rt_work $ours >/tmp/a; maps rt_work $theirs >/tmp/b; diff /tmp/a /tmp/b)"
like "$(perf evlist -v -i $ours)" 'sample_type: [^,]*IP\|TID\|TIME\|ADDR\|' "evlist -v: the samples have addresses"
like "$(perf evlist -v -i $ours)" 'mmap_data: 1' "and mappings of data are recorded"
clean_reading $ours "page faults with addresses"

both -e page-faults -c 1 -d -- rt_work data 1
faults=$(addresses rt_work_data $theirs | grep -c .)
ok "perf sees the pages of a variable: $faults" [ "$faults" -ge 2 ]
is "$(addresses rt_work_data $ours)" "$(addresses rt_work_data $theirs)" "ours are the same"
for by in perf ringtail; do
	is "$($by script --no-inline -i $ours -F ip,sym,addr 2>/dev/null | awk '/rt_work_data/ && /rt_work_pages/' | grep -c .)" "$faults" \
		"$by script names the variable"
done
is "$(perf report -i $ours --stdio -s symbol_daddr 2>/dev/null | awk '/rt_work_pages/ { n++ } END { print n + 0 }')" \
	"$(perf report -i $theirs --stdio -s symbol_daddr 2>/dev/null | awk '/rt_work_pages/ { n++ } END { print n + 0 }')" "perf report -s symbol_daddr has as many lines of it"

# Without -d there is neither an address nor a mapping of data.
record -e page-faults -c 1 -- rt_work touch 3
unlike "$(perf evlist -v -i $ours)" 'ADDR|mmap_data' "without -d there are no addresses"
is "$(maps rt_work $ours | grep -cE ' ([r-][w-]-[ps]|r) ')" 0 "and no mappings of data"

# With stacks, registers and bytes of the stack before the address.
record -e page-faults -c 1 -d -I --call-graph dwarf,1024 -- rt_work touch 50
is "$(perf script --no-inline -i $ours -F ip,sym,addr 2>/dev/null | awk '/^ *[0-9a-f]/ { a = $1; next } a != "" { if ($2 == "rt_work_touch") print a; a = "" }' | sort -u | grep -c .)" 50 "with stacks and registers, too"

# Counters that have no address, a tracepoint, a probe: 0, as in perf.
record -e cpu-clock,sched:sched_process_exit -d -- rt_work hot 30
is "$(printed $ours -G -F event,addr | awk '{ print $1, $2 }' | sort -u | tr '\n' ' ')" \
	"cpu-clock: 0 sched:sched_process_exit: 0 " "other events have the address 0" || diag "$(printed $ours -G -F event,addr | head -n 3)"
clean_reading $ours "events without addresses"

# A watch has the address that is watched.
word=$(sed -n 's/^word //p' /proc/rt_watch_play)
record -a -d -e "mem:$word/8:w" -- sh -c 'echo plain 40 >/proc/rt_watch_play'
is "$(printed $ours -G -F event,addr | awk '{ print $2 }' | sort | uniq -c | tr -s ' ')" " 40 ${word#0x}" "a watch has the watched address"
clean_reading $ours "a watch"

# A flight.
ringtail flight start -q -d -e page-faults/period=1/ --size 1M
rt_work data 1
ringtail flight snapshot -q -o $ours
ringtail flight stop -q
rm -f /tmp/printed-*
is "$(addresses rt_work_data $ours | sort -u)" "$(addresses rt_work_data $theirs | sort -u)" "a flight has the same addresses"

ringtail record -d -W -a -o /tmp/no.data >/tmp/said 2>&1
like "$(cat /tmp/said)" "perf record has .-W.; ringtail does not, because the module does not take" "-W is refused with the reason"

ok "rt_watch_play unloads" rmmod rt_watch_play
ok "ringtail unloads" rmmod ringtail
done_testing
