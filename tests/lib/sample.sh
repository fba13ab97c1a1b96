# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# sample.sh - what the tests of sampling share, beside tap.sh.

# fold: perf script's samples (-F ip,sym) as one line each, the innermost function last.
fold() {
	awk '
	NF == 0 { if (line != "") print line; line = ""; next }
	{ name = $2; sub(/\+0x.*/, "", name); line = line == "" ? name : name ";" line }
	END { if (line != "") print line }'
}

# most: the line that comes most often.
most() { sort | uniq -c | sort -rn | awk 'NR == 1 { print $2 }'; }

# stacks DATA: its samples, folded.
stacks() { perf script --no-inline -i "$1" -F ip,sym 2>/dev/null | fold; }

# names DATA: the function of each sample.
names() { perf script -i "$1" -G -F ip,sym 2>/dev/null | awk '{ print $2 }'; }

# plain: the text without names in ringtail's own module, which perf has only after it has
# looked up something else in the kernel.
plain() {
	own=$(awk '$1 == "ringtail" { print substr($6, 3, 11) }' /proc/modules)
	sed "s/^\([[:space:]]*${own}[0-9a-f]\{5\}\) .*/\1/"
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

# samples DATA: how many there are.
samples() { perf script -i "$1" -G -F event 2>/dev/null | grep -c .; }

# written TEXT: how many events the closing line says were written.
written() { printf '%s\n' "$1" | sed -n 's/^\[ ringtail: \([0-9]*\) events written.*/\1/p'; }
