# SPDX-License-Identifier: GPL-2.0
#
# parts.awk - divide the cells of a run into parts that take about equally long.
#
# -v parts=N -v limit=SECONDS; input: costs.tsv, then lines "TEST on WHERE" of `check --list`.
# Output, a line a cell: PART<tab>SECONDS<tab>TEST<tab>WHERE.  SECONDS is what the cell adds to the
# time of its part on two idle cores.
#
# What needs one build stays together: a kernel with its tests, the tests of the host, each fuzzer.
# Such a bundle is split by tests if it takes longer than a part may; each piece has the build.

BEGIN {
	FS = "\t"
	SIDE_BY_SIDE = 3	# cells run at a time
	ASIDE = 2		# what runs aside, one after another, has about this share of two cores
	unknown["unit"] = 5
	unknown["host"] = 100
	unknown["model"] = 100
	unknown["lab"] = 100
	unknown["fuzz"] = 300
	unknown["vm"] = 150
}

FILENAME == ARGV[1] {
	if ($0 !~ /^#/ && NF == 3) {
		cost[$1, $2] = $3
		if ($3 > most[$1])
			most[$1] = $3
	}
	next
}

{
	split($0, words, " on ")
	add(words[1], words[2])
}

# On a kernel that has not been measured a test takes what it takes on the slowest.
function seconds(test, where,    kind) {
	kind = test
	sub(/\/.*/, "", kind)
	if ((test, where) in cost)
		kind = cost[test, where]
	else
		kind = test in most ? most[test] : kind in unknown ? unknown[kind] : 100
	return kind / (test ~ /^fuzz\/[^b]/ ? ASIDE : SIDE_BY_SIDE)
}

function is_build(test) { return test == "build" || test == "vm/build" || test == "fuzz/build" }

function add(test, where,    bundle) {
	bundle = test == "fuzz/build" ? "fuzz" : test ~ /^fuzz\// ? test : where
	if (is_build(test)) {
		# A build uses both cores, and nothing runs beside it.
		build[bundle] = seconds(test, where) * SIDE_BY_SIDE
		build_name[bundle] = test
		build_where[bundle] = where
		return
	}
	if (!(bundle in count))
		bundles[++nbundles] = bundle
	cell_test[bundle, ++count[bundle]] = test
	cell_where[bundle, count[bundle]] = where
	cell_cost[bundle, count[bundle]] = seconds(test, where)
	total[bundle] += seconds(test, where)
}

function piece(bundle, first, last, cost) {
	npieces++
	piece_bundle[npieces] = bundle
	piece_first[npieces] = first
	piece_last[npieces] = last
	piece_cost[npieces] = cost + build[bundle]
}

# Equal pieces, in the order of the tests, as many as the limit asks for.
function split_bundle(bundle,    n, i, first, sum, room) {
	sum = 0
	room = limit - build[bundle]
	n = total[bundle] > room && room > 0 ? int(total[bundle] / room) + 1 : 1
	first = 1
	for (i = 1; i <= count[bundle]; i++) {
		sum += cell_cost[bundle, i]
		if (i == count[bundle] || sum >= total[bundle] / n) {
			piece(bundle, first, i, sum)
			first = i + 1
			sum = 0
		}
	}
}

# The longest piece that is left goes to the part that has least.
function place(    taken, p, i, best, least) {
	split("", part)
	split("", load)
	split("", fuzzed)
	for (taken = 0; taken < npieces; taken++) {
		best = 0
		for (p = 1; p <= npieces; p++)
			if (!(p in part) && (!best || piece_cost[p] > piece_cost[best]))
				best = p
		least = 1
		for (i = 2; i <= parts; i++)
			if (load[i] < load[least])
				least = i
		part[best] = least
		load[least] += piece_cost[best]
		# All fuzzers are built at once, for the first one of a part.
		if (piece_bundle[best] ~ /^fuzz\// && !fuzzed[least]++)
			load[least] += build["fuzz"]
	}
}

function longest(    i, most) {
	for (i = 1; i <= parts; i++)
		if (load[i] > most)
			most = load[i]
	return most
}

# As many parts as it takes until none is longer than the limit.
function find_parts(    p, all) {
	for (p = 1; p <= npieces; p++)
		all += piece_cost[p]
	parts = int(all / limit) + 1
	place()
	while (longest() > limit && parts < npieces) {
		parts++
		place()
	}
}

function print_cell(part, cost, test, where) {
	printf "%d\t%.1f\t%s\t%s\n", part, cost, test, where
}

# Once for all pieces of a part that need it.
function print_build(part, bundle) {
	if (bundle in build && !printed[part, bundle]++)
		print_cell(part, build[bundle], build_name[bundle], build_where[bundle])
}

function print_piece(p,    bundle, i) {
	bundle = piece_bundle[p]
	print_build(part[p], bundle ~ /^fuzz\// ? "fuzz" : bundle)
	for (i = piece_first[p]; i <= piece_last[p]; i++)
		print_cell(part[p], cell_cost[bundle, i], cell_test[bundle, i], cell_where[bundle, i])
}

END {
	for (i = 1; i <= nbundles; i++)
		split_bundle(bundles[i])
	if (parts)
		place()
	else
		find_parts()
	for (p = 1; p <= npieces; p++)
		print_piece(p)
}
