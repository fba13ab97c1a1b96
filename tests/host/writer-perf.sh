#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# perf reads what the writer writes: the recordings of tests/unit/writer_scenes.c, as
# files and as pipes, in the host's perf and, with --all, in the oldest, the newest
# and in a reader that is not perf.  No reader may warn, and each must print exactly
# what went in.

set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/lib/tap.sh"
scenes=$top/build/san/unit/writer_scenes
[ -x "$scenes" ] || make -s -C "$top" SAN=1 build/san/unit/writer_scenes >&2 || exit 1

export ASAN_OPTIONS=detect_leaks=0 # the unit tests look for leaks
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

perfs=(perf)
if [ "${RT_LEVEL:-default}" != default ]; then
	"$top/scripts/lab/perfs.sh" 5.10 newest hotspot >readers || exit
	mapfile -t readers <readers
	perfs+=("${readers[@]:0:2}")
	hotspot=${readers[2]}
fi
# perf must not find a cache of symbols, nor ask a server.
export HOME=$work DEBUGINFOD_URLS='' LC_ALL=C

# The kernel of the scenes.
cat >kallsyms <<END
ffff800081000000 T _text
ffff800081000000 T tcp_sendmsg
ffff800081001000 T inet_sendmsg
ffff800081002000 T sock_sendmsg
ffff800081003000 T _etext
END

for s in probe sched self lost many; do
	ok "$s is written" "$scenes" $s $s.data
	"$scenes" $s - >$s.pipe
done
for s in killed killed-self; do
	bash -c "'$scenes' $s $s.data; exit 0" 2>/dev/null
done
fails "a full disk is an error" "$scenes" full full.data 2>full.err
like "$(cat full.err)" '[0-9]+ of [0-9]+ events are not in full.data: cannot write full.data: File too large' \
	"which is told in one sentence"

# The same compressed.
packed=(probe sched lost many)
for s in "${packed[@]}"; do
	ok "$s is written, compressed" "$scenes" $s $s.z.data 1
done
bash -c "'$scenes' killed killed.z.data 19; exit 0" 2>/dev/null
fails "a full disk is an error, too" "$scenes" full full.z.data 1 2>full.err
like "$(cat full.err)" '[0-9]+ of [0-9]+ events are not in full.z.data: cannot write full.z.data: File too large' \
	"and counted"
ok "a compressed file is at most a quarter as long" test $(($(stat -c %s many.z.data) * 4)) -le "$(stat -c %s many.data)"

# quiet WHAT COMMAND…: stdout into $out; fails on a word on stderr.
out=
quiet() {
	local what=$1
	shift
	out=$("$@" 2>stderr)
	ok "$what: no complaint" test $? = 0 -a ! -s stderr || diag "$(head -n 5 stderr)"
}

# The lines a probe must give: event i of put_probe() in the scenes, with its stack.
probe_lines() { # FIRST LAST NAME…: event i is called by the name it has modulo their number
	local first=$1 last=$2 i name
	shift 2
	local names=("$@")
	for ((i = first; i <= last; i++)); do
		name=${names[i % ${#names[@]}]}
		[ "$i" = 0 ] && ret=0 || ret=-$i
		printf '%s %d [%03d] 1.%06d: %s: (%x) size=0x%x path="/tmp/%d" ret=%s\n' \
			"$([ $((i % 2)) = 0 ] && echo alpha || echo beta)" $((4711 + i % 2)) $((i % 4)) "$i" \
			"$name" $((0xffff800081000000 + i)) $((0x28 + i)) "$i" "$ret"
		printf 'ffff8000810%05x tcp_sendmsg+0x%x ([kernel.kallsyms])\n' "$i" "$i"
		printf 'ffff800081001000 inet_sendmsg+0x0 ([kernel.kallsyms])\n'
		printf 'ffff800081002000 sock_sendmsg+0x0 ([kernel.kallsyms])\n'
		printf '400000 [unknown] ([unknown])\n400100 [unknown] ([unknown])\n'
	done
}
squeeze() { sed 's/^[[:space:]]*//; s/[[:space:]]*$//; /^$/d; s/  */ /g'; }

want_probe=$(probe_lines 0 9 watch:jiffies probe:tcp_sendmsg probe:tcp_sendmsg)
want_switch=$(for i in 0 1 2 3 4 5; do
	printf 'alpha 4711 [%03d] 1.%06d: sched:sched_switch: prev_comm=alpha prev_pid=4711 prev_prio=120 prev_state=S ==> next_comm=beta next_pid=4712 next_prio=98\n' \
		$((i % 2)) $((i * 1500 / 1000))
done)
attr='size: 96, config: 0xffff, { sample_period, sample_freq }: 1, sample_type: IP|TID|TIME|CALLCHAIN|CPU|PERIOD|RAW|IDENTIFIER'

for perf in "${perfs[@]}"; do
	version=$($perf --version | sed 's/perf version //')
	v="perf $version"

	quiet "$v script probe" "$perf" script --kallsyms kallsyms -i probe.data
	is "$(squeeze <<<"$out")" "$want_probe" "$v: probes by name, with fields, times and stacks"
	# In a pipe perf does not know yet what it will find: it has to be told what to print.
	quiet "$v script probe, pipe" "$perf" script -F trace:comm,tid,cpu,time,event,trace,ip,sym,symoff,dso \
		--kallsyms kallsyms -i - <probe.pipe
	is "$(squeeze <<<"$out")" "$want_probe" "$v: the same through a pipe"
	quiet "$v script sched" "$perf" script -i sched.data
	is "$(squeeze <<<"$out")" "$want_switch" "$v: a tracepoint of the kernel by its own format"
	quiet "$v script sched, pipe" "$perf" script -i - <sched.pipe
	is "$(squeeze <<<"$out")" "$want_switch" "$v: the same through a pipe"

	quiet "$v report probe" "$perf" report --stdio -n --no-children -g none --kallsyms kallsyms -i probe.data
	is "$(grep -c '^[^#]*%' <<<"$out")" 10 "$v: report has all samples"
	like "$out" "Samples: 6 +of event 'probe:tcp_sendmsg'" "$v: report counts the events of each kind"
	like "$out" "Samples: 4 +of event 'watch:jiffies'" "$v: and of the other kind"
	like "$out" 'Total Lost Samples: 0' "$v: nothing is lost"

	quiet "$v evlist" "$perf" evlist -v -i probe.data
	like "$out" "^probe:tcp_sendmsg: type: 2( \\(PERF_TYPE_TRACEPOINT\\))?, size: 96, config: 0xffff" "$v: evlist: name, type, attr size and our own id"
	[ "$perf" != perf ] || like "$out" "$(sed 's/[|{}]/\\&/g' <<<"$attr")" "$v: evlist: what samples hold"
	like "$out" 'watch:jiffies: .*config: 0xfffe.*sample_id_all: 1' "$v: evlist: the second event"

	quiet "$v header" "$perf" script --header-only -i probe.data
	for line in "hostname : $(hostname)" "os release : $(uname -r)" 'perf version : ringtail [0-9.]+' \
		"arch : $(uname -m)" 'nrcpus avail : 4' 'cpudesc : .+' 'cpuid : .+' \
		"total memory : $(sed -n 's/^MemTotal: *//p' /proc/meminfo)" 'cmdline : ringtail record -e probe:x y -- true' \
		'event : name = probe:tcp_sendmsg, , id = \{ 1 \}' 'event : name = watch:jiffies, , id = \{ 2 \}' \
		'time of first sample : 1.000000' 'time of last sample : 1.000009' 'clockid: monotonic \(1\)' \
		'reference time: .*\(monotonic\)'; do
		like "$out" "^# $line" "$v: header: ${line%% :*}"
	done

	quiet "$v report --header-only" "$perf" report --header-only -i probe.data
	like "$out" '# cmdline : ringtail record -e probe:x y -- true' "$v: report shows the header, too"
	quiet "$v sched latency" "$perf" sched latency -i sched.data
	like "$out" 'beta:4712 .* 1 \| avg:' "$v: sched latency finds the switch"

	# This very program, its maps and the stack it stood on.
	quiet "$v report self" "$perf" report --no-inline --stdio --no-children -g none -F overhead,sample,comm,sym -i self.data
	is "$(grep -A 99 "'cpu-clock'" <<<"$out" | squeeze | grep '%' | head -n 2)" \
		'75.00% 15 writer_scenes [.] scene_leaf
25.00% 5 writer_scenes [.] scene_middle' "$v: user symbols through the synthesised maps"
	quiet "$v unwind" "$perf" script --no-inline -F event,ip,sym -i self.data
	like "$(grep -A 20 task-clock <<<"$out" | squeeze | tr '\n' ' ')" 'task-clock:u: [0-9a-f]+ scene_leaf [0-9a-f]+ scene_middle [0-9a-f]+ scene_self .* main ' \
		"$v: registers and stack bytes unwind"
	quiet "$v buildid-list" "$perf" buildid-list -i self.data
	like "$out" "$(readelf -n "$scenes" | sed -n 's/.*Build ID: //p') $scenes" "$v: this program's build-id"
	like "$out" '^[0-9a-f]{40} \[kernel.kallsyms\]$' "$v: the kernel's build-id"
	quiet "$v annotate" "$perf" annotate --stdio -i self.data scene_leaf
	like "$out" 'for cpu-clock \(15 samples' "$v: annotate finds the samples of the function"

	quiet "$v many" "$perf" script -F time -i many.data
	is "$(grep -c : <<<"$out")" 100000 "$v: many samples, all there"
	is "$(tr -d ' :' <<<"$out" | LC_ALL=C sort -g -c 2>&1)" '' "$v: rounds bring them into the order of time"
	quiet "$v -D" "$perf" script -D -i killed.data
	is "$(grep -c 'PERF_RECORD_SAMPLE' <<<"$out")" 1000 "$v: a dump walks over checkpoints"

	# Losses: where they were and how many, and perf says so by itself.
	out=$("$perf" script --show-lost-events -F cpu,time,event -i lost.data 2>/dev/null)
	is "$(grep LOST <<<"$out" | squeeze)" '[002] 1.000000: PERF_RECORD_LOST lost 7
[003] 1.000002: PERF_RECORD_LOST lost 30
[000] 1.000005: PERF_RECORD_LOST lost 1' "$v: each loss with CPU, time and number"
	out=$("$perf" report --stdio -i lost.data 2>stderr)
	like "$(cat stderr)" 'lost 3 chunks' "$v: perf warns of them"
	like "$out" 'Total Lost Samples: 38|Lost Samples: 31' "$v: and report has their sum"

	# Compressed: the same text, and all that a killed or full one has.
	if "$perf" version --build-options 2>&1 | grep -q 'zstd: \[ OFF'; then
		skip "$v: compressed" "this perf was built without zstd"
	else
		for s in "${packed[@]}" killed; do
			"$perf" script --no-inline --kallsyms kallsyms -i $s.data >want 2>/dev/null
			"$perf" script --no-inline --kallsyms kallsyms -i $s.z.data >got 2>stderr
			ok "$v: $s, compressed" cmp want got
			[ $s = lost ] || ok "$v: $s, compressed: no complaint" test ! -s stderr || diag "$(head -n 5 stderr)"
		done
		quiet "$v header, compressed" "$perf" script --header-only -i many.z.data
		like "$out" '^# compressed : Zstd, level = 1, ratio = [1-9]' "$v: header: compressed"
		quiet "$v full, compressed" "$perf" script --kallsyms kallsyms -i full.z.data
		grep -o '/tmp/[0-9]*' <<<"$out" >got
		seq -f '/tmp/%.0f' 0 $(($(wc -l <got) - 1)) >want
		ok "$v: a compressed file that ran out of room has everything up to there" cmp want got
		ok "$v: more than without" test "$(wc -l <got)" -ge 1500
	fi

	# Killed, or out of room: what was there before can be read.
	quiet "$v killed" "$perf" script --kallsyms kallsyms -i killed.data
	is "$(grep -c probe:many <<<"$out")" 1000 "$v: a killed recording has its ten rounds"
	quiet "$v killed, build-ids" "$perf" buildid-list -i killed-self.data
	is "$(grep -cE " (\[kernel.kallsyms\]|$scenes)\$" <<<"$out")" 2 "$v: and the build-ids learned by then"
	quiet "$v full" "$perf" script --kallsyms kallsyms -i full.data
	is "$(squeeze <<<"$out")" "$(probe_lines 0 $(($(grep -c probe:many <<<"$out") - 1)) probe:many)" \
		"$v: a file that ran out of room has everything up to there"
	ok "$v: and that is most of it" test "$(grep -c probe:many <<<"$out")" -ge 900
done

if [ "${RT_LEVEL:-default}" != default ]; then
	for s in probe:10 self:21 many:100000 killed:1000; do
		"$hotspot" --input "${s%:*}.data" --output stats --print-stats 2>stderr
		is "$(sed -n 's/^samples: //p' stats)" "${s#*:}" "hotspot: all samples of ${s%:*}"
		is "$(sed -n 's/^samples time violations: //p' stats)" 0 "hotspot: none out of order"
	done
fi
done_testing
