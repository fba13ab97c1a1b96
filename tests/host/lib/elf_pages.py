# SPDX-License-Identifier: GPL-2.0
"""The memory in an ELF dump, for programs that write it in other formats."""
import struct

PAGE = 4096
LOAD = 1
# The firmware, at the end of the first 4 GB, would only make the dumps long.
FIRMWARE = 0xf0000000


def machine(path):
    """ELF's number of the machine."""
    with open(path, 'rb') as f:
        return struct.unpack_from('<H', f.read(64), 18)[0]


def pages(path):
    """(number, page) for each page."""
    with open(path, 'rb') as f:
        head = f.read(64)
        phoff, phnum = struct.unpack_from('<Q', head, 32)[0], struct.unpack_from('<H', head, 56)[0]
        f.seek(phoff)
        for kind, _, offset, _, phys, filesz, _, _ in struct.iter_unpack('<IIQQQQQQ', f.read(56 * phnum)):
            if kind != LOAD or phys >= FIRMWARE:
                continue
            f.seek(offset)
            for number in range(phys // PAGE, (phys + filesz) // PAGE):
                yield number, f.read(PAGE)
