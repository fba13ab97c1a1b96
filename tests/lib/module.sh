# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# module.sh - what the tests of the module share, beside tap.sh.

# shellcheck disable=SC2034 # for the tests
MODULE=/rt/ringtail.ko

# field NAME TEXT: the value of NAME in the output of info-print.
field() { printf '%s\n' "$2" | sed -n "s/^$1=//p"; }

# bit MASK NUMBER: 1 or 0.
bit() { echo $((($1 >> $2) & 1)); }

# listed RANGES: how many numbers a list like 0-3,7 names.
listed() {
	echo "$1" | tr ',' '\n' | awk -F- '{ n += ($2 == "" ? $1 : $2) - $1 + 1 } END { print n }'
}

# known FUNCTION: 1 if the running kernel has it, or 0.
known() {
	# Read once: an emulated guest needs seconds for it.
	[ -e /tmp/functions ] || sed -n 's/.* [tTwW] //p' /proc/kallsyms >/tmp/functions
	grep -qx "$1" /tmp/functions && echo 1 || echo 0
}

# words_of_ours: what the kernel's log says about us, but for the two lines that any
# unsigned module outside the kernel's tree gets.
words_of_ours() {
	dmesg | grep ' ringtail: ' | grep -vE 'loading out-of-tree module taints kernel|module verification failed'
}
