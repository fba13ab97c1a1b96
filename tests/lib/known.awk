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
# learns a new name a little earlier than A does: of events in between, which A has under the
# old name, B's are left out.

function without_name(line) { return substr(line, index(line, " ") + 1) }

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
	for (file = 1; file <= 2; file++) {
		printf "" >(base[file] ".text")
		printf "" >(base[file] ".fields")
		for (n = 1; n <= count[file]; n++) {
			tid = task[file, n]
			more = of_task[2, tid] - of_task[1, tid]
			if (file == 2 && more > 0 && otherwise[without_name(text[file, n])]-- > 0) {
				of_task[2, tid]--
				continue
			}
			print text[file, n] >(base[file] ".text")
			print fields[file, n] >(base[file] ".fields")
		}
	}
}
