#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""probe_values_compare.py DEFINITIONS RESULTS LEAST - compare what ringtail and perf recorded at the same places.

perf recorded all tasks, ringtail those of the workload.  Of each place the lines of each task must be the same, in the
same order.  Of the first task, which ringtail starts, perf also has what it did before it became the workload.  Fails if
less than LEAST places were hit.
"""
import re
import sys
from collections import defaultdict

definitions, results, least = sys.argv[1], sys.argv[2], int(sys.argv[3])


def read(path):
    """{place: {task: [values…]}}"""
    found = defaultdict(lambda: defaultdict(list))
    with open(path, errors="replace") as f:
        for line in f:
            match = re.match(r" *.*? +(\d+) .*?\b(v\d+): +\([0-9a-f]+\) (.*)", line)
            if match:
                found[match[2]][match[1]].append(match[3].strip())
    return found


ours, theirs = read(results + "/ours"), read(results + "/theirs")
first = min((int(task) for place in ours.values() for task in place), default=0)
tasks = {task for place in ours.values() for task in place}
text = {}
for side in ("ours", "theirs"):
    with open(f"{definitions}/{side}") as f:
        for line in f:
            text.setdefault(line.split()[0], []).append(line.strip())
hit = hits = differ = 0
for place in sorted(set(ours) | set(theirs), key=lambda p: int(p[1:])):
    a = dict(ours[place])
    b = {task: lines for task, lines in theirs[place].items() if task in tasks}
    if str(first) in b:
        lines = b.pop(str(first))
        lines = lines[len(lines) - len(a.get(str(first), [])):]
        if lines:
            b[str(first)] = lines
    if not a and not b:
        continue
    hit += 1
    hits += sum(map(len, a.values()))
    if a == b:
        continue
    differ += 1
    print(*text[place], sep="\n")
    for task in sorted(set(a) | set(b)):
        x, y = a.get(task, []), b.get(task, [])
        wrong = [(i, j) for i, j in zip(x, y) if i != j][:2]
        if x != y:
            print(f"  task {task}: {len(x)} and {len(y)} times; {wrong}")
print(f"{hit} places hit, {hits} times; {differ} differ")
sys.exit(differ > 0 or hit < least)
