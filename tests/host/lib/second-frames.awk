# SPDX-License-Identifier: GPL-2.0
# second-frames.awk: compare the stacks in two texts of `script`, sample by sample.  Prints how many stacks
# of the first text have a second frame that the second text lacks, and how many differ otherwise.
BEGIN { RS = ""; FS = "\n" }
NR == FNR { first[NR] = $0; next }
{
	n = split(first[FNR], frame)
	without = frame[1]
	for (i = 3; i <= n; i++)
		without = without "\n" frame[i]
	if ($0 == first[FNR])
		next
	if ($0 == without)
		added++
	else
		other++
}
END { print added + 0, other + (FNR != length(first)) }
