#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""perfdata-many.py FILE KALLSYMS - a recording of many short processes, as a build has them: 560,000
samples within 30 seconds, each with an outermost caller of its own that has no symbol, of 400 tasks with five names.  KALLSYMS gets
the symbols.  Prints as JSON what part of the samples has a function in which the name is found."""
import json
import random
import struct
import sys

IP, TID, TIME, CALLCHAIN, CPU, ID_ALL = 1, 2, 4, 1 << 5, 1 << 7, 1 << 18
HEADER, ATTR = 104, 128
START, SECONDS, SAMPLES, TASKS, SYMBOLS = 1000000000, 30, 560000, 400, 30
TEXT = 0xffffffff81000000
NAMES = [b"cc1", b"as", b"sh", b"make", b"ld"]
PERIOD = 62500

attr = struct.pack("<IIQQQQQ", 1, ATTR, 0, PERIOD, IP | TID | TIME | CALLCHAIN | CPU, 0, ID_ALL)
attr = attr.ljust(ATTR, b"\0") + struct.pack("<QQ", 0, 0)


def record(kind, misc, body):
    """One record with its header."""
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def sample_id(time):
    """What follows every record that is no sample."""
    return struct.pack("<IIQII", 0, 0, time, 0, 0)


random.seed(7)
symbols = ["fn_%02d" % i for i in range(SYMBOLS)]
symbols[0:6] = ["entry_point", "exc_page_fault", "handle_page_fault", "memcpy", "tower", "asm_exc_page_fault"]
with open(sys.argv[2], "w") as out:
    for i, name in enumerate(symbols):
        out.write("%016x T %s\n" % (TEXT + 256 * i, name))
    out.write("%016x T _etext\n" % (TEXT + 256 * SYMBOLS))
    out.write("%016x T _text\n" % TEXT)
address = [TEXT + 256 * i + 16 for i in range(SYMBOLS)]

data = [record(1, 1, struct.pack("<iIQQQ", -1, 0, TEXT, 256 * SYMBOLS, TEXT) + b"[kernel.kallsyms]_text".ljust(32, b"\0") + sample_id(START))]
for i in range(TASKS):
    name = NAMES[i % len(NAMES)] if i else b"alone"
    data.append(record(3, 0, struct.pack("<II", 100 + i, 100 + i) + name.ljust(16, b"\0") + sample_id(START)))
found = {"page_fault": 0, "memcpy": 0, "^fn_10$": 0}
for n in range(SAMPLES):
    stack = random.choices(range(6, SYMBOLS), k=3)
    kind = random.random()
    if kind < .03:  # nested matches count once
        stack[1:1] = [2, 1, 5]
    elif kind < .06:
        stack[2:2] = [1]
    elif kind < .061:
        stack[0:0] = [3]
    elif kind < .065:
        stack = [4] * 100
    found["page_fault"] += .03 > kind or .03 <= kind < .06
    found["memcpy"] += .06 <= kind < .061
    found["^fn_10$"] += 10 in stack
    stack.append(0)
    addresses = [address[i] for i in stack] + [0xfffffffffffffe00, 0x700000000000 + 16 * n]
    # Tasks follow one another: each has a part of the time.
    time = START + n * SECONDS * 1000000000 // SAMPLES
    task = 100 + n * TASKS // SAMPLES
    data.append(struct.pack("<IHHQIIQIIQQ%dQ" % len(addresses), 9, 1, 8 + 8 + 8 + 8 + 8 + 8 + 8 + 8 * len(addresses), addresses[0], task, task, time,
                            n & 1, 0, len(addresses) + 1, 0xffffffffffffff80, *addresses))
body = b"".join(data)
header = b"PERFILE2" + struct.pack("<QQ", HEADER, len(attr))
header += struct.pack("<QQ", HEADER, len(attr))
header += struct.pack("<QQ", HEADER + len(attr), len(body))
header += struct.pack("<QQ", 0, 0) + bytes(32)
with open(sys.argv[1], "wb") as out:
    out.write(header + attr + body)
json.dump({k: 100 * v / SAMPLES for k, v in found.items()}, sys.stdout)
