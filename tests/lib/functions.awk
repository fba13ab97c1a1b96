# SPDX-License-Identifier: GPL-2.0
#
# functions.awk - `sort /proc/kallsyms | awk -v least=BYTES -f functions.awk TRACEABLE -`: a line
# `ADDRESS NAME` for each function of the kernel itself that TRACEABLE names, that is the only one of
# its name, and that has at least so many bytes.

function hex(text, n, i) {
	n = 0
	for (i = 1; i <= length(text); i++)
		n = n * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
	return n
}

NR == FNR { traceable[$1] = 1; next }
{
	seen[$3]++
	at[++count] = $1
	name[count] = NF > 3 ? "" : $3
}
END {
	for (i = 1; i < count; i++) {
		if (name[i] == "" || seen[name[i]] > 1 || !(name[i] in traceable))
			continue
		for (j = i + 1; j < count && at[j] == at[i]; j++)
			;
		if (hex(substr(at[j], 9)) - hex(substr(at[i], 9)) >= least)
			print at[i], name[i]
	}
}
