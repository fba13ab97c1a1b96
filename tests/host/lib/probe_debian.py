#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""probe_debian.py RINGTAIL VMLINUX COUNT SEED - compare places with perf's, or with gdb's where perf has none.

A third of the points are functions, a third inlined functions, a third lines.  Prints a line for each point that
differs, and at the end a count of each class.
"""
import bisect
import glob
import os
import random
import re
import struct
import subprocess
import sys
from collections import Counter

ringtail, vmlinux, count, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
random.seed(seed)
classes = Counter()
PATCHABLE = 16  # bytes between a symbol and the code that DWARF describes


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    return done.stdout if done.returncode == 0 else None


symbols = {}
for line in run("nm", vmlinux).splitlines():
    fields = line.split()
    if len(fields) == 3 and fields[1] in "tTwWA":
        symbols.setdefault(fields[2], set()).add(int(fields[0], 16))
starts = sorted({a for name, all in symbols.items() for a in all if not name.startswith("$")})


def addresses(text):
    """The places of definitions as tracefs takes them; None if a name has several."""
    found = set()
    for line in text.splitlines():
        match = re.match(r"[pr]\S* (?:\S+:)?([^ +]+)(?:\+(\S+))?", line)
        if not match:
            continue
        if re.fullmatch(r"0x[0-9a-f]+", match[1]):
            found.add(int(match[1], 16))
            continue
        of = symbols.get(match[1], set())
        if len(of) != 1:
            return None
        found.add(min(of) + int(match[2] or "0", 0))
    return found


def entry(address):
    """An address just behind a symbol is the entry."""
    at = bisect.bisect_right(starts, address) - 1
    return starts[at] if at >= 0 and address - starts[at] <= PATCHABLE else address


def ask_gdb(point, kind, line):
    command = f"info line {line}" if kind == "line" else f"info address {point}"
    text = run("gdb", "-nx", "-batch", "-ex", command, vmlinux) or ""
    return {int(a, 16) for a in re.findall(r"(?:starts at address|at address|is at) (0x[0-9a-f]+)", text)}


def inlined_names():
    """From the index that the first question kept; which names are asked for says nothing about the answers."""
    run(ringtail, "probe", "-k", vmlinux, "-D", "get_current")
    (path,) = glob.glob(os.environ["HOME"] + "/.cache/ringtail/debug-*.functions")
    with open(path, "rb") as f:
        data = f.read()
    functions, places, files, rows, names = struct.unpack_from("<5I", data, 48)
    at = 72
    entries = [struct.unpack_from("<2I", data, at + 8 * i) for i in range(functions + 1)]
    at_places = at + 8 * (functions + files + 2) + 8 * rows
    at_names = at_places + 4 * places
    out = []
    for (name, first), (_, end) in zip(entries, entries[1:]):
        # perf refuses more than 128 places.
        if 1 <= end - first <= 100 and all(
                struct.unpack_from("<I", data, at_places + 4 * i)[0] >> 31 for i in range(first, end)):
            out.append(data[at_names + name:data.index(b"\0", at_names + name)].decode())
    return [n for n in out if n not in symbols]


def lines(functions):
    """Lines with code: relative to a function, and of its file."""
    while True:
        function = random.choice(functions)
        text = run(ringtail, "probe", "-k", vmlinux, "-L", function)
        head = re.match(r"<\S+@(\S+):(\d+)>", text or "")
        numbers = re.findall(r"^ *(\d+)  ", text or "", re.M)
        if not head or not numbers:
            continue
        number = int(random.choice(numbers))
        # The path below the top of the source, so that it is unique.
        path = re.sub(r".*?/((?:arch|block|crypto|drivers|fs|init|io_uring|ipc|kernel|lib|mm|net|security|sound)/)",
                      r"\1", head[1])
        line = f"{path}:{int(head[2]) + number}"
        yield (f"{function}:{number}" if random.random() < 0.5 else line), line


def compare(point, kind, line):
    ours_text = run(ringtail, "probe", "-k", vmlinux, "-D", point)
    theirs_text = run("perf", "probe", "-q", "-k", vmlinux, "-D", point)
    ours = addresses(ours_text) if ours_text is not None else set()
    theirs = addresses(theirs_text) if theirs_text else set()
    if theirs is None or ours is None:
        return "perf: one of several functions of a name" if theirs is None else "OURS: one of several functions of a name"
    ours, theirs = {entry(a) for a in ours}, {entry(a) for a in theirs}
    if ours == theirs:
        return "same" if ours else "neither has an answer"
    if theirs and not ours:
        return "OURS: no answer"
    if not theirs:
        gdb = {entry(a) for a in ask_gdb(point, kind, line)} if kind != "inlined" else set()
        if gdb and not gdb <= ours:
            return "OURS: not where gdb says"
        return "perf: no answer" + (", as gdb" if gdb else "")
    # Where BTF is enough ringtail does not look for inlined copies of a function that has code of its own.
    if kind == "function" and ours < theirs and ours == symbols[point]:
        return "ringtail: the entry alone, perf also inlined copies"
    if ours > theirs:
        return f"OURS: more than perf ({kind})"
    if ours < theirs:
        return f"OURS: less than perf ({kind})"
    return f"OURS: other places ({kind})"


described = [f for f in run(ringtail, "probe", "-k", vmlinux, "-F").split()
             if "." not in f and len(symbols.get(f, ())) == 1]
inlined = inlined_names()
a_line = lines(described)
for i in range(count):
    kind = ("function", "inlined", "line")[i % 3]
    if kind == "line":
        point, line = next(a_line)
    else:
        point, line = random.choice(described if kind == "function" else inlined), None
    verdict = compare(point, kind, line)
    classes[verdict] += 1
    if verdict.startswith("OURS") or os.environ.get("RT_VERBOSE"):
        print(f"{verdict}: {point}", flush=True)
for verdict, n in classes.most_common():
    print(f"class {n} {verdict}")
sys.exit(any(v.startswith("OURS") for v in classes))
