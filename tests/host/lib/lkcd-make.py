#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""lkcd-make.py ELF OUT raw|gzip

Write the memory in an ELF dump as LKCD's version 9: a header, then each page behind its address, size and flags,
then an end mark.  Pages that gzip does not make smaller stay raw, as LKCD left them.
"""
import struct, sys, zlib

sys.dont_write_bytecode = True
from elf_pages import PAGE, machine as machine_of, pages

BUFFER = 1 << 16
MAGIC, VERSION = 0xa8190173618f23ed, 9
RAW, COMPRESSED, END = 1, 2, 4
MACHINES = {62: b'x86_64', 183: b'aarch64'}


def header(machine, start, end, pages, gzip):
    names = b''.join(name.ljust(65, b'\0') for name in (b'Linux', b'guest', b'0', b'0', machine, b''))
    body = struct.pack('<IIQQQ', 1, PAGE, end - start, start, end) + struct.pack('<I', pages) + bytes(256) + \
        struct.pack('<QQ', 0, 0) + names + struct.pack('<QIIIQ', 0, 2 if gzip else 0, 0, 0, BUFFER)
    return struct.pack('<QII', MAGIC, VERSION, 16 + len(body)) + body


def main():
    path, out, how = sys.argv[1:]
    machine, count, start, end = MACHINES[machine_of(path)], 0, None, 0
    with open(out, 'wb') as f:
        f.seek(BUFFER)
        for number, page in pages(path):
            at = number * PAGE
            packed = zlib.compress(page, 1) if how == 'gzip' else page
            flags = COMPRESSED if len(packed) < PAGE else RAW
            if flags == RAW:
                packed = page
            f.write(struct.pack('<QII', at, len(packed), flags) + packed)
            count, start, end = count + 1, at if start is None else min(start, at), max(end, at + PAGE)
        f.write(struct.pack('<QII', 0, 0, END))
        f.seek(0)
        f.write(header(machine, start, end, count, how == 'gzip'))


main()
