#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""perfdata-weight.py FILE - a recording of one sample whose weight has three parts
(PERF_SAMPLE_WEIGHT_STRUCT): 7, the instruction's latency 11, and 13."""
import struct
import sys

IP, TID, TIME, WEIGHT_STRUCT = 1, 2, 4, 1 << 24
HEADER, ATTR = 104, 128

attr = struct.pack("<IIQQQQQ", 4, ATTR, 0x1CD, 1000, IP | TID | TIME | WEIGHT_STRUCT, 0, 0)
attr = attr.ljust(ATTR, b"\0") + struct.pack("<QQ", 0, 0)
comm = struct.pack("<IHHII", 3, 0, 32, 5, 5) + b"weighed\0".ljust(16, b"\0")
sample = struct.pack("<QIIQIHH", 0x401000, 5, 5, 1000000, 7, 11, 13)
sample = struct.pack("<IHH", 9, 2, 8 + len(sample)) + sample
data = comm + sample
header = b"PERFILE2" + struct.pack("<QQ", HEADER, len(attr))
header += struct.pack("<QQ", HEADER, len(attr))
header += struct.pack("<QQ", HEADER + len(attr), len(data))
header += struct.pack("<QQ", 0, 0) + bytes(32)
with open(sys.argv[1], "wb") as out:
    out.write(header + attr + data)
