#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""fdt-reserve.py IN OUT NAME ADDRESS SIZE [PROPERTY…]

Add /reserved-memory/NAME@ADDRESS with no-map, and these empty properties, to a flattened device tree that has no such nodes yet.
"""
import struct, sys

BEGIN, END, PROP, NOP, LAST = 1, 2, 3, 4, 9


def main():
    path, out, name, address, size, *more = sys.argv[1:]
    address, size = int(address, 0), int(size, 0)
    fdt = open(path, 'rb').read()
    head = list(struct.unpack_from('>10I', fdt))
    _, _, structure, strings, _, _, _, _, strings_size, structure_size = head
    text = bytearray(fdt[strings:strings + strings_size])
    tree = fdt[structure:structure + structure_size]

    def prop(key, value):
        at = len(text)
        text.extend(key.encode() + b'\0')
        return struct.pack('>3I', PROP, len(value), at) + value + bytes(-len(value) % 4)

    def node(title, inside):
        title = title.encode() + b'\0'
        return struct.pack('>I', BEGIN) + title + bytes(-len(title) % 4) + inside + struct.pack('>I', END)

    if b'reserved-memory\0' in tree:
        sys.exit('it has /reserved-memory already')
    child = prop('reg', struct.pack('>QQ', address, size)) + prop('no-map', b'') + b''.join(prop(key, b'') for key in more)
    new = node('reserved-memory', prop('#address-cells', struct.pack('>I', 2)) + prop('#size-cells', struct.pack('>I', 2)) +
               prop('ranges', b'') + node(f'{name}@{address:x}', child))
    # The root ends just before the last token.
    end = len(tree)
    while struct.unpack_from('>I', tree, end - 4)[0] != LAST:
        end -= 4
    end -= 8
    while struct.unpack_from('>I', tree, end)[0] == NOP:
        end -= 4
    assert struct.unpack_from('>I', tree, end)[0] == END
    tree = tree[:end] + new + struct.pack('>2I', END, LAST)
    # The map of reserved memory comes first, and stays as it is; it ends before the tree.
    first = fdt[40:structure]
    text += bytes(-len(text) % 4)
    head[2], head[3] = 40 + len(first), 40 + len(first) + len(tree)
    head[4] = 40
    head[1] = head[3] + len(text)
    head[8], head[9] = len(text), len(tree)
    with open(out, 'wb') as f:
        f.write(struct.pack('>10I', *head) + first + tree + text)


main()
