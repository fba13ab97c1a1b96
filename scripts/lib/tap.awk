# SPDX-License-Identifier: GPL-2.0
#
# tap.awk - judge a TAP log.  Prints one line: VERDICT<tab>REASON, where VERDICT is
# pass, fail or skip; then a line `partly<tab>WHAT: REASON` for each skipped point.
# -v status=N is the exit status of the program that wrote the log.

/^1\.\.[0-9]+/ {
	planned = 1
	plan = substr($1, 4) + 0
	if (plan == 0 && match($0, /# *SKIP */))
		whole = substr($0, RSTART + RLENGTH)
}
/^not ok / {
	points++
	if (!failures++) {
		first = $0
		sub(/^not ok [0-9]* *-? */, "", first)
	}
}
/^ok / {
	points++
	if (match($0, /# *SKIP */)) {
		reason = substr($0, RSTART + RLENGTH)
		what = substr($0, 1, RSTART - 1)
		sub(/^ok [0-9]* *-? */, "", what)
		sub(/ *$/, "", what)
		partly[++skipped] = what ": " reason
	}
}
/^Bail out!/ { bail = $0 }

END {
	if (bail != "")
		print "fail\t" bail
	else if (failures)
		print "fail\t" first (failures > 1 ? " (and " failures - 1 " more)" : "")
	else if (status != 0)
		print "fail\texit status " status
	else if (!planned)
		print "fail\tended without a plan"
	else if (plan != points)
		print "fail\tplanned " plan " points, made " points + 0
	else if (whole != "")
		print "skip\t" whole
	else if (plan == 0)
		print "fail\tchecked nothing"
	else if (skipped == points)
		print "skip\t" partly[1]
	else
		print "pass\t" points " points"
	if (skipped && skipped < points)
		for (i = 1; i <= skipped; i++)
			print "partly\t" partly[i]
}
