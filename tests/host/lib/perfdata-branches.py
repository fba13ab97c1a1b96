#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""perfdata-branches.py branches|data PROGRAM FILE - a recording of samples inside PROGRAM with branches
(PERF_SAMPLE_BRANCH_STACK) or with the addresses and sources of data (PERF_SAMPLE_DATA_SRC).  Every
combination of flags comes, and addresses that nothing is mapped at."""
import os
import struct
import subprocess
import sys

IP, TID, TIME, ADDR, BRANCH, WEIGHT, DATA_SRC = 1, 2, 4, 8, 1 << 11, 1 << 14, 1 << 15
HEADER, ATTR, BASE = 104, 128, 0x555555554000
PID = 4000000  # no process of today has it
FEATURE_BRANCH_STACK = 15


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


branches, program, path = sys.argv[1] == "branches", os.path.realpath(sys.argv[2]), sys.argv[3]
functions = {}
for line in run("nm", program).splitlines():
    word = line.split()
    if len(word) == 3 and word[2] in ("main", "leaf", "middle", "by_value"):
        functions[word[2]] = int(word[0], 16)
code = [functions[name] for name in sorted(functions)]
data = [int(line.split()[0], 16) for line in run("nm", program).splitlines() if line.split()[-2] in "BbDd"]
load = [line.split() for line in run("readelf", "-lW", program).splitlines() if line.strip().startswith("LOAD")]


def mmap(segment, prot):
    offset, address, size = (int(segment[i], 16) for i in (1, 2, 5))
    start, end = address & ~0xFFF, (address + size + 0xFFF) & ~0xFFF
    name = program.encode() + b"\0"
    name = name.ljust((len(name) + 7) & ~7, b"\0")
    body = struct.pack("<IIQQQIIQQII", PID, PID, BASE + start, end - start, offset & ~0xFFF, 0, 0, 0, 0, prot, 2) + name
    return struct.pack("<IHH", 10, 2, 8 + len(body)) + body


def branch(source, target, flags, cycles):
    return struct.pack("<QQQ", source, target, flags | cycles << 4)


def sample(number):
    def place(step):
        at = number * 7 + step * 3
        return BASE + code[at % len(code)] + at % 3 if at % 11 else 0x1000 + step

    stack = [branch(place(i), place(i + 1), (number + i) % 16, (number * i) % 5) for i in range(number % 6)]
    body = struct.pack("<QIIQQ", BASE + code[number % len(code)], PID, PID, 1000000 + number * 1000,
                       BASE + data[number % len(data)] if number % 4 else 0)
    if branches:
        body += struct.pack("<Q", len(stack)) + b"".join(stack)
    else:
        # One level, one kind of snoop, one or two of the TLB; perf crashes with combinations that do not exist.
        source = 2 | 1 << 5 + number % 14 | 1 << 19 + number % 5 | 1 << 24 + number % 2
        source |= (1 << 26 + number % 7 | (2 << 26 if number % 3 else 0)) | (number % 5 == 0) << 41
        body += struct.pack("<QQ", number % 9, source)
    return struct.pack("<IHH", 9, 2, 8 + len(body)) + body


attr = struct.pack("<IIQQQQQ", 0, ATTR, 0, 1000, IP | TID | TIME | ADDR | (BRANCH if branches else WEIGHT | DATA_SRC), 0, 0)
attr = attr.ljust(72, b"\0") + struct.pack("<Q", 8)
attr = attr.ljust(ATTR, b"\0") + struct.pack("<QQ", 0, 0)
body = struct.pack("<IHHII", 3, 0, 32, PID, PID) + b"brancher".ljust(16, b"\0")
for one in load:
    flags = "".join(one[6:-1])
    body += mmap(one, (4 if "E" in flags else 0) | (2 if "W" in flags else 0) | 1)
body += b"".join(sample(number) for number in range(300))
header = b"PERFILE2" + struct.pack("<QQ", HEADER, len(attr))
header += struct.pack("<QQ", HEADER, len(attr))
header += struct.pack("<QQ", HEADER + len(attr), len(body))
header += struct.pack("<QQ", 0, 0) + struct.pack("<Q", branches << FEATURE_BRANCH_STACK) + bytes(24)
with open(path, "wb") as out:
    out.write(header + attr + body + (struct.pack("<QQ", HEADER + len(attr) + len(body) + 16, 0) if branches else b""))
