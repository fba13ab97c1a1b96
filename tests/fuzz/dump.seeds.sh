#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# dump.seeds.sh DIRECTORY - small dumps of every format, with the memory of the seeds of image.
set -e
exec python3 - "$(dirname "$0")/corpus/image" "$1" <<'END'
import os, struct, sys, zlib

PAGE = 4096
source, out = sys.argv[1:]

def elf(memory):
    head = b'\x7fELF\2\1\1' + bytes(9) + struct.pack('<HHIQQQIHHHHHH', 4, 62, 1, 0, 64, 0, 0, 64, 56, 1, 0, 0, 0)
    return head + struct.pack('<IIQQQQQQ', 1, 6, 120, 0, 0, len(memory), len(memory), 0) + memory

def lzo(page):      # literals and the end
    size, code = len(page) - 18, b'\0'
    while size > 255: code, size = code + b'\0', size - 255
    return code + bytes([size]) + page + b'\x11\0\0'

def snappy(page):   # one literal
    return b'\x80\x20' + bytes([61 << 2]) + struct.pack('<H', len(page) - 1) + page

def kdump(memory, first=0, end=None, split=0):
    pages = [memory[i:i + PAGE] for i in range(0, len(memory), PAGE)]
    end = len(pages) if end is None else end
    head = b'KDUMP   ' + struct.pack('<I', 6) + bytes(6 * 65 + 22) + struct.pack('<5I', 1, PAGE, 1, 2, len(pages))
    sub = struct.pack('<QII8Q3Q', 0, 1, split, *([0] * 8), first, end, len(pages))
    bits = (1 << len(pages)) - 1
    bitmap = bits.to_bytes(PAGE, 'little')
    descs, data, at = b'', b'', 4 * PAGE + 24 * (end - first)
    for i, page in enumerate(pages[first:end]):
        flags = (1, 0, 2, 4)[i % 4]
        packed = (zlib.compress(page), page, lzo(page), snappy(page))[i % 4]
        if len(packed) > PAGE: flags, packed = 0, page
        descs += struct.pack('<QIIQ', at, len(packed), flags, 0)
        data, at = data + packed, at + len(packed)
    return head.ljust(PAGE, b'\0') + sub.ljust(PAGE, b'\0') + bitmap + bitmap + descs + data

def flat(dump):
    made = (b'makedumpfile'.ljust(16, b'\0') + struct.pack('>QQ', 1, 1)).ljust(PAGE, b'\0')
    for at in list(range(PAGE, len(dump), 3000)) + [0]:
        piece = dump[at:at + (3000 if at else PAGE)]
        made += struct.pack('>qq', at, len(piece)) + piece
    return made + struct.pack('>qq', -1, -1)

for name in sorted(os.listdir(source))[:40]:
    memory = open(os.path.join(source, name), 'rb').read()[16:]
    memory = memory.ljust((len(memory) + PAGE - 1) // PAGE * PAGE, b'\0')[:8 * PAGE]
    if not memory: continue
    half = len(memory) // PAGE // 2
    seeds = {
        'raw': b'\0' + memory, 'elf': b'\0' + elf(memory), 'live': b'\2' + elf(memory), 'kdump': b'\0' + kdump(memory),
        'flat-elf': b'\0' + flat(elf(memory)), 'flat-kdump': b'\0' + flat(kdump(memory)),
        'split': b'\1' + kdump(memory, 0, half, 1) + kdump(memory, half, None, 1),
    }
    for kind, seed in seeds.items():
        open(os.path.join(out, name + '.' + kind), 'wb').write(seed)
END
