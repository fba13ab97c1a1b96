# SPDX-License-Identifier: GPL-2.0
#
# known.awk - of two recordings of the same time, the events of tasks of one name.
#
#   awk -v name=NAME -f known.awk A.all B.all
#
# Each .all has `comm tid [cpu] event: values`; A.json and B.json beside them the same events in
# the same order.  Chosen lines go to A.text and A.fields, B.text and B.fields.
#
# What a task does after it has said that it exits may come after the recording, and what
# interrupts it may come between the two tracers' looks at one event: both are left out.  B
# learns a new name a little earlier than A does: of events in between, which A has under an
# old name, B's are left out, or get that name if it is one that is looked for.  There may be
# FORGIVEN of these at most.

function without_name(line) { return substr(line, index(line, " ") + 1) }

BEGIN { FORGIVEN = 4 }

FNR == 1 {
	file++
	base[file] = FILENAME
	sub(/\.all$/, "", base[file])
}

{
	getline json <(base[file] ".json")
	gsub(/  */, " ")
	sub(/^ /, "")
	if (index($0, name) != 1) {
		if (file == 1)
			otherwise[without_name($0)]++
		next
	}
	if ($4 ~ /^irq:/ || gone[file, $2])
		next
	if ($4 == "sched:sched_process_exit:")
		gone[file, $2] = 1
	n = ++count[file]
	of_task[file, $2]++
	text[file, n] = $0
	task[file, n] = $2
	fields[file, n] = json
}

END {
	for (n = 1; n <= count[1]; n++)
		in_a[task[1, n], ++kept[1, task[1, n]]] = n
	for (file = 1; file <= 2; file++) {
		printf "" >(base[file] ".text")
		printf "" >(base[file] ".fields")
		for (n = 1; n <= count[file]; n++) {
			tid = task[file, n]
			line = text[file, n]
			json = fields[file, n]
			if (file == 2) {
				more = of_task[2, tid] - of_task[1, tid]
				if (more > 0 && FORGIVEN > 0 && otherwise[without_name(line)]-- > 0) {
					of_task[2, tid]--
					FORGIVEN--
					continue
				}
				other = text[1, in_a[tid, ++kept[2, tid]]]
				if (line != other && FORGIVEN > 0 && without_name(line) == without_name(other)) {
					line = other
					old = other
					sub(/ .*/, "", old)
					sub(/^\{"comm":"[^"]*"/, "{\"comm\":\"" old "\"", json)
					FORGIVEN--
				}
			}
			print line >(base[file] ".text")
			print json >(base[file] ".fields")
		}
	}
}
