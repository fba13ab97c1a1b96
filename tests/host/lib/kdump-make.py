#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""kdump-make.py ELF OUT zlib|lzo|snappy|zstd|none [zeros] [split N] [flat] [incomplete]

Write a compressed kdump of the memory in an ELF dump, with the libraries that makedumpfile uses.
zeros: leave out pages full of zeros.  split N: files OUT.1 to OUT.N.  flat: flattened.
incomplete: as if the disk had been full after nine tenths of the pages.
"""
import ctypes, struct, sys, zlib

sys.dont_write_bytecode = True
from elf_pages import PAGE, pages as memory

FLAGS = {'none': 0, 'zlib': 1, 'lzo': 2, 'snappy': 4, 'zstd': 32}


def compressor(how):
    room = ctypes.create_string_buffer(3 * PAGE)
    if how == 'zlib':
        return lambda page: zlib.compress(page, 1)
    if how == 'lzo':
        lib, work = ctypes.CDLL('liblzo2.so.2'), ctypes.create_string_buffer(1 << 20)

        def lzo(page):
            size = ctypes.c_size_t()
            assert not lib.lzo1x_1_compress(page, ctypes.c_size_t(PAGE), room, ctypes.byref(size), work)
            return room.raw[:size.value]
        return lzo
    if how == 'snappy':
        lib = ctypes.CDLL('libsnappy.so.1')

        def snappy(page):
            size = ctypes.c_size_t(3 * PAGE)
            assert not lib.snappy_compress(page, ctypes.c_size_t(PAGE), room, ctypes.byref(size))
            return room.raw[:size.value]
        return snappy
    if how == 'zstd':
        lib = ctypes.CDLL('libzstd.so.1')
        lib.ZSTD_compress.restype = ctypes.c_size_t

        def zstd(page):
            size = lib.ZSTD_compress(room, ctypes.c_size_t(3 * PAGE), page, ctypes.c_size_t(PAGE), 1)
            return room.raw[:size]
        return zstd
    return lambda page: page


def bitmap(numbers, size):
    bits = bytearray(size)
    for n in numbers:
        bits[n // 8] |= 1 << n % 8
    return bytes(bits)


def part(pages, exists, dumped, first, end, split, zeros, incomplete, flags):
    top = max(exists) + 1
    blocks = (top // 8 + PAGE) // PAGE
    head = b'KDUMP   ' + struct.pack('<I', 6) + bytes(6 * 65 + 22) + \
        struct.pack('<5I', (flags | 8) if incomplete else flags, PAGE, 1, 2 * blocks, top)
    sub = struct.pack('<QII8Q3Q', 0, int(zeros), int(split), *([0] * 8), first, end, top)
    bits = bitmap(exists, blocks * PAGE) + bitmap(dumped, blocks * PAGE)
    mine = [p for p in dumped if first <= p < end]
    at = (2 + 2 * blocks) * PAGE + 24 * len(mine)
    descs, data = [], []
    for i, pfn in enumerate(mine):
        if incomplete and i >= len(mine) * 9 // 10:
            descs.append(bytes(24))
            continue
        packed, how = pages[pfn]
        descs.append(struct.pack('<QIIQ', at, len(packed), how, 0))
        data.append(packed)
        at += len(packed)
    return head.ljust(PAGE, b'\0') + sub.ljust(PAGE, b'\0') + bits + b''.join(descs) + b''.join(data)


def flatten(dump):
    """The header comes twice: first empty, at the end as it is."""
    out = [(b'makedumpfile'.ljust(16, b'\0') + struct.pack('>QQ', 1, 1)).ljust(PAGE, b'\0')]
    for at, piece in [(0, bytes(PAGE))] + [(at, dump[at:at + 50000]) for at in range(PAGE, len(dump), 50000)] + [(0, dump[:PAGE])]:
        out += [struct.pack('>qq', at, len(piece)), piece]
    return b''.join(out) + struct.pack('>qq', -1, -1)


def main():
    path, out, how, *more = sys.argv[1:]
    pack, zero = compressor(how), bytes(PAGE)
    zeros, flat, incomplete = ('zeros' in more), ('flat' in more), ('incomplete' in more)
    parts = int(more[more.index('split') + 1]) if 'split' in more else 1
    exists, dumped, pages, seen = [], [], {}, {}
    for pfn, page in memory(path):
        exists.append(pfn)
        if zeros and page == zero:
            continue
        dumped.append(pfn)
        if page == zero and zero in seen:
            pages[pfn] = seen[zero]
            continue
        packed = pack(page)
        pages[pfn] = (packed, FLAGS[how]) if len(packed) < PAGE else (page, 0)
        seen.setdefault(page if page == zero else None, pages[pfn])
    # As makedumpfile does: every part has as many pages.
    ends = [0] + [dumped[len(dumped) * i // parts] for i in range(1, parts)] + [max(exists) + 1]
    for i in range(parts):
        made = part(pages, exists, dumped, ends[i], ends[i + 1], parts > 1, zeros, incomplete, FLAGS[how])
        with open(f'{out}.{i + 1}' if parts > 1 else out, 'wb') as f:
            f.write(flatten(made) if flat else made)


main()
