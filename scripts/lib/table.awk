# SPDX-License-Identifier: GPL-2.0
#
# table.awk - the closing table of scripts/check, from lines TEST WHERE VERDICT REASON SECONDS.
# -v took=N is how many seconds the whole run took.

BEGIN { SLOWEST = 5 }

$3 == "unsteady" {
	unsteady[++nunsteady] = $1 " on " $2 ": " $4
	next
}
$3 == "partly" {
	notes[++nnotes] = $1 " on " $2 ": " $4
	next
}
{
	if (!($1 in row)) {
		row[$1] = ++nrows
		test[nrows] = $1
		if (length($1) > width)
			width = length($1)
	}
	if (!($2 in column)) {
		column[$2] = ++ncolumns
		where[ncolumns] = $2
	}
	cell[$1, $2] = $3
	seconds[$2] += $5
	note_slow($1 " on " $2, $5)
	count[$3]++
	if ($3 == "skip")
		notes[++nnotes] = $1 " on " $2 ": " $4
	if ($3 == "fail" || $3 == "download")
		bad[++nbad] = $1 " on " $2 ": " $4
}

# Keep the SLOWEST cells, longest first.
function note_slow(name, s,    i) {
	for (i = SLOWEST; i > 0 && s > slow_seconds[i]; i--) {
		slow_name[i + 1] = slow_name[i]
		slow_seconds[i + 1] = slow_seconds[i]
		slow_name[i] = name
		slow_seconds[i] = s
	}
}

# A kernel's name is SERIES-ARCH[-FLAVOUR]: one line of the head for each part.
function head_part(name, line,    parts, n) {
	n = split(name, parts, "-")
	return line <= n ? parts[line] : ""
}

END {
	word["pass"] = "ok"
	word["fail"] = "FAIL"
	word["skip"] = "skip"
	word["download"] = "NET"
	print ""
	for (line = 1; line <= 3; line++) {
		text = sprintf("%-" width "s", "")
		for (c = 1; c <= ncolumns; c++)
			text = text sprintf("  %-7s", head_part(where[c], line))
		sub(/ +$/, "", text)
		if (text != "")
			print text
	}
	for (r = 1; r <= nrows; r++) {
		text = sprintf("%-" width "s", test[r])
		for (c = 1; c <= ncolumns; c++) {
			v = cell[test[r], where[c]]
			text = text sprintf("  %-7s", v == "" ? "." : word[v])
		}
		sub(/ +$/, "", text)
		print text
	}
	if (nnotes)
		print "\nskipped:"
	for (i = 1; i <= nnotes; i++)
		print "  " notes[i]
	if (nunsteady)
		print "\nunsteady, passed only when repeated alone; what failed at first:"
	for (i = 1; i <= nunsteady; i++)
		print "  " unsteady[i]
	if (nbad)
		print "\nfailed:"
	for (i = 1; i <= nbad; i++)
		print "  " bad[i]
	if (count["download"])
		print "\nNET: a download failed; that says nothing about ringtail. Try again later."
	printf "\ntook %d:%02d; seconds of tests, several at a time:", took / 60, took % 60
	for (c = 1; c <= ncolumns; c++)
		printf "%s %s %d", (c > 1 ? "," : ""), where[c], seconds[where[c]]
	printf "\nslowest:"
	for (i = 1; i <= SLOWEST && slow_seconds[i]; i++)
		printf "%s %s %d", (i > 1 ? "," : ""), slow_name[i], slow_seconds[i]
	if (nunsteady)
		printf "\n%d unsteady", nunsteady
	printf "\n\n%d passed, %d failed, %d skipped\n", count["pass"], count["fail"] + count["download"], count["skip"]
}
