# SPDX-License-Identifier: GPL-2.0
#
# costs.awk - new costs from old ones and the verdicts of a run: TEST, WHERE, SECONDS.

# To 1, 2, 3, 5 or 7 times a power of ten.
function rounded(s,    unit, n) {
	if (s < 1)
		s = 1
	for (unit = 1; s >= 10 * unit; unit *= 10)
		;
	n = s / unit
	return unit * (n < 1.5 ? 1 : n < 2.5 ? 2 : n < 4 ? 3 : n < 6 ? 5 : n < 8.5 ? 7 : 10)
}

FILENAME == ARGV[1] && /^#/ { print; next }
FILENAME == ARGV[1] { cost[$1 OFS $2] = $3; next }
$3 == "pass" {
	key = $1 OFS $2
	if (!(key in cost) || $5 > 2 * cost[key] || 2 * $5 < cost[key])
		cost[key] = rounded($5)
}
END {
	for (key in cost)
		print key, cost[key] | "LC_ALL=C sort"
}
