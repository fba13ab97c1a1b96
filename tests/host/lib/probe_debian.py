#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""probe_debian.py RINGTAIL VMLINUX COUNT SEED - compare places with perf's, or with gdb's where perf has none.

Where gdb has none, either, or another one, addr2line and llvm-dwarfdump say what is at our addresses.

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
NEAR = 64  # bytes
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
starts_set = set(starts)


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


def ask_gdb(points):
    """One gdb for all POINTS, each (point, kind, line); the addresses of each."""
    command = ["gdb", "-nx", "-batch"]
    for number, (point, kind, line) in enumerate(points):
        command += ["-ex", f"echo @@{number}\\n"]
        if kind == "inlined":
            command += ["-ex", "delete", "-ex", f"break {point}", "-ex", "info breakpoints"]
        else:
            command += ["-ex", f"info line {line}" if kind == "line" else f"info address {point}"]
    text = subprocess.run(command + [vmlinux], capture_output=True, text=True, errors="replace", check=False,
                          stdin=subprocess.DEVNULL).stdout
    answers = {}
    for part in text.split("@@")[1:]:
        number, _, answer = part.partition("\n")
        point, kind, _ = points[int(number)]
        which = {"inlined": r"(0x[0-9a-f]+) in ", "line": r"(?:starts|is) at address (0x[0-9a-f]+)",
                 "function": r"at address (0x[0-9a-f]+)"}[kind]
        answers[point] = {int(a, 16) for a in re.findall(which, answer)}
    return answers


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


def extent(function):
    """The addresses of a function that has one symbol."""
    (start,) = symbols[function]
    at = bisect.bisect_right(starts, start)
    return range(start, starts[at] if at < len(starts) else start + 1)


def compare(point, kind):
    """What to say of a point, and our addresses; "gdb" if perf has no answer."""
    ours_text = run(ringtail, "probe", "-k", vmlinux, "-D", point)
    theirs_text = run("perf", "probe", "-q", "-k", vmlinux, "-D", point)
    ours = addresses(ours_text) if ours_text is not None else set()
    theirs = addresses(theirs_text) if theirs_text else set()
    if ours is None:
        return "OURS: one of several functions of a name", ours
    ours = {entry(a) for a in ours}
    if not theirs:
        return "gdb", ours
    theirs = {entry(a) for a in theirs}
    if ours == theirs:
        return "same", ours
    if not ours:
        return "OURS: no answer", ours
    # perf names a place after the function around it.  Of a weak function that another one replaces only the code is
    # left; the name belongs to the other one, which is elsewhere.
    copies = entries_of(point) if kind == "inlined" and len(ours - theirs) == len(theirs - ours) else set()
    if copies and ours <= copies and theirs - ours <= starts_set - copies:
        return "perf: the function that replaces a weak one, LLVM as ringtail", ours
    how = "more than" if ours > theirs else "less than" if ours < theirs else "other than"
    return f"OURS: {how} perf ({kind})", ours


def ask_addr2line(points):
    """What addr2line says of all addresses: the functions and lines there, those of inlined calls included."""
    text = run("addr2line", "-a", "-i", "-f", "-e", vmlinux, *(hex(a) for a in sorted(points))) if points else ""
    answers, frames = {}, []
    for line in text.splitlines():
        if re.fullmatch(r"0x[0-9a-f]+", line):
            frames = answers.setdefault(int(line, 16), [])
        elif frames and len(frames[-1]) == 1:
            frames[-1].append(line.split(" ")[0])
        else:
            frames.append([line])
    return answers


def rows_at(address):
    """The lines of source files (by their last name) that LLVM finds at an address: all rows, not only the last."""
    text = run("llvm-dwarfdump", f"--lookup={address:#x}", vmlinux) or ""
    unit = re.search(r"DW_AT_stmt_list\s+\((0x[0-9a-f]+)\)", text)
    if not unit:
        return set()
    # A function also begins at the line of its declaration.
    info = re.search(r"Line info: file '([^']+)'.*start line (\d+)", text)
    declared = {f"{info[1]}:{info[2]}"} if info else set()
    if unit[1] not in tables:
        text = run("llvm-dwarfdump", f"--debug-line={unit[1]}", vmlinux)
        files = dict(re.findall(r'file_names\[ *(\d+)\]:\s+name: "([^"]*)"', text))
        rows = tables[unit[1]] = {}
        for at, line, file in re.findall(r"^(0x[0-9a-f]+) +(\d+) +\d+ +(\d+) .*is_stmt", text, re.M):
            rows.setdefault(int(at, 16), set()).add(files[file].rsplit("/", 1)[-1] + ":" + line)
    return tables[unit[1]].get(address, set()) | declared


tables = {}


def entries_of(function):
    """Where LLVM finds the copies of an inlined function."""
    text = run("llvm-dwarfdump", f"--name={function}", vmlinux) or ""
    return {int(a, 16) for a in re.findall(r"DW_AT_(?:entry|low)_pc\s+\((0x[0-9a-f]+)\)|\[(0x[0-9a-f]+), ", text)
            for a in a if a}


def is_there(kind, line, address, frames, entries):
    """Whether another reader has the function or the line at an address."""
    if kind == "inlined":
        return address in entries
    return any(("/" + where).endswith("/" + line) for _, where in frames) or \
        line.rsplit("/", 1)[-1] in rows_at(address)


def near(address):
    """Where addr2line is asked: entry() may have gone back over instructions for ftrace."""
    return range(address, address + PATCHABLE + 1, 4) if address in starts_set else (address,)


def compare_gdb(point, kind, ours, gdb):
    gdb = {entry(a) for a in gdb}
    if kind == "line" and re.match(r"[^/.]+:\d+$", point):
        # gdb was asked for the line of the file, which may be in other functions, too.
        gdb = {a for a in gdb if a in extent(point.split(":")[0])}
    if gdb and not ours:
        return "OURS: no answer, gdb has one"
    if kind == "inlined" and not gdb <= ours:
        # gdb takes the first range that has instructions, not the entry that the compiler names.
        if all(any(abs(there - here) <= NEAR for here in ours) for there in gdb):
            return "perf: no answer, gdb a few instructions beside (inlined)"
    if not gdb <= ours:
        return f"OURS: not where gdb says ({kind})"
    if not gdb:
        return f"perf: no answer, nor gdb ({kind})" if ours else "nobody has an answer"
    return f"perf: no answer, as gdb ({kind})"


described = [f for f in run(ringtail, "probe", "-k", vmlinux, "-F").split()
             if "." not in f and len(symbols.get(f, ())) == 1]
inlined = inlined_names()
a_line = lines(described)
waiting = {}  # for gdb


def judge(point, verdict):
    classes[verdict] += 1
    if verdict.startswith("OURS") or os.environ.get("RT_VERBOSE"):
        print(f"{verdict}: {point}", flush=True)


for i in range(count):
    kind = ("function", "inlined", "line")[i % 3]
    if kind == "line":
        point, line = next(a_line)
    else:
        point, line = random.choice(described if kind == "function" else inlined), None
    verdict, ours = compare(point, kind)
    if verdict == "gdb":
        waiting[point] = (kind, line, ours)
    else:
        judge(point, verdict)
left = {}  # for addr2line
for point, gdb in ask_gdb([(point, kind, line) for point, (kind, line, _) in waiting.items()]).items():
    kind, line, ours = waiting[point]
    verdict = compare_gdb(point, kind, ours, gdb)
    if verdict.startswith("perf: no answer, nor gdb") or (verdict.startswith("OURS: not") and len(gdb) <= len(ours)):
        left[point] = (kind, line, ours, verdict)
    else:
        judge(point, verdict)
frames = ask_addr2line({b for _, _, ours, _ in left.values() for a in ours for b in near(a)})
for point, (kind, line, ours, verdict) in left.items():
    entries = entries_of(point) if kind == "inlined" else ()
    wrong = [a for a in ours if not any(is_there(kind, line, b, frames.get(b, []), entries) for b in near(a))]
    judge(point, f"{verdict}, nor LLVM" if wrong else f"perf: no answer, as LLVM ({kind})")
for verdict, n in classes.most_common():
    print(f"class {n} {verdict}")
sys.exit(any(v.startswith("OURS") for v in classes) or sum(classes.values()) != count)
