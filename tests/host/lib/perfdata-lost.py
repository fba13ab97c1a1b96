#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""perfdata-lost.py FILE [SEED] - a recording of 100 samples on two CPUs within a second, in which 7
records were lost after half a second and 35 a little later.  The task has a hostile name.  With SEED,
100 tasks have hostile names made at random, and so have the objects that they execute."""
import random
import struct
import sys

IP, TID, TIME, CPU, ID_ALL = 1, 2, 4, 1 << 7, 1 << 18
HEADER, ATTR = 104, 128
SECOND = 1000000000

# cpu-clock with a period of 10 ms
attr = struct.pack("<IIQQQQQ", 1, ATTR, 0, 10000000, IP | TID | TIME | CPU, 0, ID_ALL)
attr = attr.ljust(ATTR, b"\0") + struct.pack("<QQ", 0, 0)


def record(kind, misc, body):
    """One record with its header."""
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def sample_id(time, cpu):
    """What follows every record that is no sample."""
    return struct.pack("<IIQII", 5, 5, time, cpu, 0)


PIECES = [b"</script>", b"<!--", b"-->", b"]]>", b"<![CDATA[", b"&amp;", b"&#0;", b'"', b"'", b"\\", b"\\u003c", b";", b"\n", b"\r",
          b"\x1b[m", b"\xff\xfe", b"\xc0\xaf", b"\xed\xa0\x80", b"\xe2\x80\xa8", b"\xe2\x80\xae", b"\xef\xbf\xbf",
          b"\xf4\x90\x80\x80", b"\xc3\xa9", b"name", b" ", b"\x7f", b"\xc2\x85", b"<b onclick=x>", b"{{", b"`"]


def hostile(room):
    """A name that could break a page."""
    name = b"".join(random.choice(PIECES) if random.random() < .7 else bytes([random.randrange(1, 256)])
                    for _ in range(random.randrange(1, 8)))
    return name[:room - 1]


def comm(tid, name):
    """A task gets a name."""
    return record(3, 0, struct.pack("<II", tid, tid) + name.ljust(16, b"\0") + sample_id(SECOND, 0))


def mapped(tid, name):
    """A task maps an object at 0x400000."""
    return record(1, 2, struct.pack("<IIQQQ", tid, tid, 0x400000, 0x100000, 0) + name.ljust(64, b"\0") + sample_id(SECOND, 0))


data = comm(5, b"</script>\x01\xff<b>")
seed = int(sys.argv[2]) if len(sys.argv) > 2 else None
random.seed(seed)
if seed is not None:
    for i in range(100):
        data += comm(1000 + i, hostile(16)) + mapped(1000 + i, b"/" + hostile(60))
for i in range(100):
    task = 5 if seed is None else 1000 + i
    time = SECOND + i * 10000000
    if i == 50:
        data += record(2, 0, struct.pack("<QQ", 0, 7) + sample_id(time, 0))
    if i == 60:
        data += record(2, 0, struct.pack("<QQ", 0, 35) + sample_id(time, 1))
    if i == 99:
        # At its end a recorder counts the same losses once more.
        data += record(13, 0, struct.pack("<Q", 42) + sample_id(time, 0))
    data += record(9, 2, struct.pack("<QIIQII", 0x401000, task, task, time, i % 2, 0))
header = b"PERFILE2" + struct.pack("<QQ", HEADER, len(attr))
header += struct.pack("<QQ", HEADER, len(attr))
header += struct.pack("<QQ", HEADER + len(attr), len(data))
header += struct.pack("<QQ", 0, 0) + bytes(32)
with open(sys.argv[1], "wb") as out:
    out.write(header + attr + data)
