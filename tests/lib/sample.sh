# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# sample.sh - what the tests of sampling share, beside tap.sh.

. ./lib/perf.sh

ours=/results/ours.data theirs=/tmp/theirs.data

# Interrupts of an emulated machine take long: the kernel would allow fewer and fewer samples.
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent

# fold: perf script's samples (-F ip,sym) as one line each, the innermost function last.
fold() {
	awk '
	NF == 0 { if (line != "") print line; line = ""; next }
	{ name = $2; sub(/\+0x.*/, "", name); line = line == "" ? name : name ";" line }
	END { if (line != "") print line }'
}

# most: the line that comes most often.
most() { sort | uniq -c | sort -rn | awk 'NR == 1 { print $2 }'; }

# record OPTION…: by ringtail, to $ours; its closing line is in $said.
# both OPTION…: the same recording by perf, too, to $theirs.
record() {
	rm -f /tmp/printed-*
	said=$(ringtail record -o "$ours" "$@" 2>&1)
}
both() {
	record "$@"
	is $? 0 "ringtail record $*" || diag "$said"
	perf record -q -B -o "$theirs" "$@" >/tmp/perf-said 2>&1 || diag "$(cat /tmp/perf-said)"
}

# printed DATA OPTION…: what perf script prints of it.  That takes seconds in an emulated machine,
# so it is asked once and kept until the next recording.
printed() {
	kept=/tmp/printed-$(echo "$*" | tr -c '[:alnum:]\n' _)
	[ -e "$kept" ] || perf script -i "$@" >"$kept" 2>/dev/null
	cat "$kept"
}

# stacks DATA: its samples, folded.
stacks() { printed "$1" --no-inline -F ip,sym | fold; }

# Of each sample: its function, command, process, thread, period, event.
# shellcheck disable=SC2154 # of perf.sh
facts() { printed "$1" $without_names -G -F comm,pid,tid,period,event,ip,sym; }
names() { facts "$1" | awk '{ print $6 }'; }
comms() { facts "$1" | awk '{ print $1 }'; }
pids() { facts "$1" | awk '{ sub("/.*", "", $2); print $2 }'; }
tids() { facts "$1" | awk '{ sub(".*/", "", $2); print $2 }'; }
periods() { facts "$1" | awk '{ print $3 }'; }
events() { facts "$1" | awk '{ print $4 }'; }
samples() { facts "$1" | grep -c .; }

# plain: the text without names in ringtail's own module, which perf has only after it has
# looked up something else in the kernel.  So it is with copies of probed instructions, which older kernels
# keep in pages behind the modules and do not announce.
plain() {
	# shellcheck disable=SC2046 # two words
	set -- $(awk '$1 == "ringtail" { print $6, $2 }' /proc/modules)
	awk -v from="${1#0x}" -v to="$(printf %x $(($1 + $2 + 0x400000)))" '{
		for (i = 1; i <= NF; i++)
			if (length($i) == 16 && $i ~ /^[0-9a-f]+$/ && $i "" >= from "" && $i "" < to "") {
				$0 = substr($0, 1, index($0, $i) + 15)
				break
			}
		print
	}'
}

# clean_reading DATA WHAT: perf and ringtail read it without a word, and print the same.
clean_reading() {
	# Not inlined functions: perf asks addr2line for them, which is not in a guest.
	perf script --no-inline -i "$1" 2>/tmp/perf-said | plain >/tmp/by-perf
	ringtail script --compat --no-inline -i "$1" 2>/tmp/ringtail-said | plain >/tmp/by-ringtail
	is "$(cat /tmp/perf-said /tmp/ringtail-said)" "" "$2: read without a warning"
	ok "$2: ringtail script prints what perf script prints" cmp -s /tmp/by-perf /tmp/by-ringtail ||
		diag "$(diff /tmp/by-perf /tmp/by-ringtail | head -n 20)"
}

# written TEXT: how many events the closing line says were written.
written() { printf '%s\n' "$1" | sed -n 's/^\[ ringtail: \([0-9]*\) events written.*/\1/p'; }
