#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""perfdata-swap.py IN OUT - a little-endian perf.data file as a big-endian machine
would have written it.

Written from the layout of the file, apart from the reader, so that the two check
each other.  File mode only; raw data, user stacks and AUX data stay the bytes they
are, as they would.
"""
import struct
import sys

SAMPLE = {name: 1 << bit for bit, name in enumerate(
    "IP TID TIME ADDR READ CALLCHAIN ID CPU PERIOD STREAM_ID RAW BRANCH_STACK REGS_USER "
    "STACK_USER WEIGHT DATA_SRC IDENTIFIER TRANSACTION REGS_INTR PHYS_ADDR AUX CGROUP "
    "DATA_PAGE_SIZE CODE_PAGE_SIZE WEIGHT_STRUCT".split())}

# what follows the header of a record: field sizes, s a padded string, b eight bytes,
# * words to the end
RECORDS = {
    1: "44888s*", 2: "*", 3: "44s*", 4: "4444*", 5: "*", 6: "*", 7: "4444*", 8: "44*",
    11: "*", 12: "44*", 13: "*", 14: "*", 15: "44*", 16: "44*", 17: "8422s*",
    18: "224b*", 19: "8s*", 21: "*", 65: "8", 67: "4", 68: "", 69: "*", 70: "44*",
    71: "8884444", 75: "*", 76: "844888", 77: "88", 79: "88888", 82: "",
}


class Swap:
    """Bytes taken from the front of one string, put in the other order into another."""

    def __init__(self, data):
        self.data, self.pos, self.out = data, 0, bytearray()

    def left(self):
        return len(self.data) - self.pos

    def number(self, size):
        value = int.from_bytes(self.data[self.pos:self.pos + size], "little")
        self.out += value.to_bytes(size, "big")
        self.pos += size
        return value

    def raw(self, size):
        self.out += self.data[self.pos:self.pos + size]
        self.pos += size

    def string(self):
        end = self.data.index(0, self.pos)
        self.raw((end - self.pos + 8) & ~7)

    def words(self):
        while self.left() >= 8:
            self.number(8)
        self.raw(self.left())

    def line(self, line):
        for c in line:
            if c == "s":
                self.string()
            elif c == "b":
                self.raw(8)
            elif c == "*":
                self.words()
            else:
                self.number(int(c))

    def sized_string(self):
        self.raw(self.number(4))


def attr(s, size):
    start = s.pos
    s.line("448888")
    for _ in range(8):  # bit-fields are filled from the other end of each byte
        s.out.append(int(f"{s.data[s.pos]:08b}"[::-1], 2))
        s.pos += 1
    for width in (4, 4, 8, 8, 8, 8, 4, 4, 8, 4, 2, 2, 4, 4, 8, 8, 8):
        if s.pos - start < size:
            s.number(width)
    s.raw(size - (s.pos - start))


def branch_flags(s):
    """One-bit and wider fields, from the top of the word down."""
    value, low, out, high = s.data[s.pos:s.pos + 8], 0, 0, 64
    value = int.from_bytes(value, "little")
    for width in (1, 1, 1, 1, 16, 4, 2, 4, 3, 31):
        high -= width
        out |= (value >> low & ((1 << width) - 1)) << high
        low += width
    s.out += out.to_bytes(8, "big")
    s.pos += 8


def read_format(s, fmt):
    times = bin(fmt & 3).count("1")
    rest = bin(fmt & 0x14).count("1")
    if fmt & 8:
        count = s.number(8)
        s.line("8" * (times + count * (1 + rest)))
    else:
        s.line("8" * (1 + times + rest))


def regs(s, mask):
    if s.number(8):
        s.line("8" * bin(mask).count("1"))


def sample(s, a):
    kind = a["sample_type"]

    def has(*names):
        return any(kind & SAMPLE[n] for n in names)

    for name, line in (("IDENTIFIER", "8"), ("IP", "8"), ("TID", "44"), ("TIME", "8"),
                       ("ADDR", "8"), ("ID", "8"), ("STREAM_ID", "8"), ("CPU", "44"),
                       ("PERIOD", "8")):
        if has(name):
            s.line(line)
    if has("READ"):
        read_format(s, a["read_format"])
    if has("CALLCHAIN"):
        s.line("8" * s.number(8))
    if has("RAW"):
        s.raw(s.number(4))
    if has("BRANCH_STACK"):
        count = s.number(8)
        if a["branch"] >> 17 & 1:
            s.number(8)
        for _ in range(count):
            s.line("88")
            branch_flags(s)
    if has("REGS_USER"):
        regs(s, a["regs_user"])
    if has("STACK_USER"):
        size = s.number(8)
        if size:
            s.raw(size)
            s.number(8)
    if has("WEIGHT_STRUCT"):
        s.line("422")
    elif has("WEIGHT"):
        s.number(8)
    for name in ("DATA_SRC", "TRANSACTION"):
        if has(name):
            s.number(8)
    if has("REGS_INTR"):
        regs(s, a["regs_intr"])
    for name in ("PHYS_ADDR", "CGROUP", "DATA_PAGE_SIZE", "CODE_PAGE_SIZE"):
        if has(name):
            s.number(8)
    if has("AUX"):
        s.raw(s.number(8))
    s.words()


def trailer(body, a):
    """The sample_id behind a record of the kernel: words, of which two are halves."""
    kind, parts = a["sample_type"], []
    for name, line in (("TID", "44"), ("TIME", "8"), ("ID", "8"), ("STREAM_ID", "8"),
                       ("CPU", "44"), ("IDENTIFIER", "8")):
        if kind & SAMPLE[name]:
            parts.append(line)
    if not a["sample_id_all"]:
        parts = []
    size = 8 * len(parts)
    s = Swap(body[len(body) - size:])
    s.line("".join(parts))
    return size, bytes(s.out)


def cpu_map(s):
    kind = s.number(2)
    if kind == 1:
        s.number(2)
        width = s.number(2)
        if width == 8:
            s.raw(2)
        while s.left() >= width:
            s.number(width)
    elif kind == 0:
        while s.left() >= 2:
            s.number(2)
    elif kind == 2:
        s.raw(2)
        s.line("22")
    s.raw(s.left())


def record(body, kind, misc, events):
    s = Swap(body)
    if kind == 9:
        a = events[0]
        if len(events) > 1:
            where = 0
            if not a["sample_type"] & SAMPLE["IDENTIFIER"]:
                where = bin(a["sample_type"] & 0xf).count("1")
            a = events[0]["ids"].get(struct.unpack_from("<Q", body, 8 * where)[0], a)
        sample(s, a)
        return bytes(s.out)
    if kind < 64:
        size, tail = trailer(body, events[0])
        s = Swap(body[:len(body) - size])
    else:
        tail = b""
    if kind == 10:
        s.line("44888bbb44s*" if misc & 1 << 14 else "44888448844s*")
    elif kind == 73:
        s.number(8)
        while s.left():
            s.line("8bb")
    elif kind == 74:
        cpu_map(s)
    elif kind == 78:
        what = s.number(8)
        s.number(8)
        if what == 1:
            s.number(8)
        elif what == 3:
            cpu_map(s)
    elif kind in RECORDS:
        s.line(RECORDS[kind])
    else:
        sys.exit(f"record type {kind} is not known here")
    s.raw(s.left())
    return bytes(s.out) + tail


def build_ids(s):
    while s.left():
        start = s.pos
        s.number(4)
        s.number(2)
        size = s.number(2)
        s.number(4)
        s.raw(size - (s.pos - start))


def strings(s):
    for _ in range(s.number(4)):
        s.sized_string()


def caps(s):
    for _ in range(s.number(4)):
        s.sized_string()
        s.sized_string()


def feature(number, data, cpus):
    s = Swap(data)
    if number == 2:
        build_ids(s)
    elif number in (3, 4, 5, 6, 8, 9):
        s.sized_string()
    elif number in (7, 27):
        s.line("44" if number == 7 else "44444")
    elif number in (10, 21, 23, 24):
        s.words()
    elif number == 11:
        strings(s)
    elif number == 12:
        count, size = s.number(4), s.number(4)
        for _ in range(count):
            attr(s, size)
            ids = s.number(4)
            s.sized_string()
            s.line("8" * ids)
    elif number == 13:
        strings(s)
        strings(s)
        s.line("44" * cpus)
        if s.left():  # dies, where the machine has them
            strings(s)
        while s.left() >= 4:
            s.number(4)
    elif number == 14:
        for _ in range(s.number(4)):
            s.line("488")
            s.sized_string()
    elif number == 16:
        for _ in range(s.number(4)):
            s.number(4)
            s.sized_string()
    elif number == 17:
        for _ in range(s.number(4)):
            s.sized_string()
            s.line("44")
    elif number == 20:
        s.number(4)
        for _ in range(s.number(4)):
            s.line("4444")
            for _ in range(3):
                s.sized_string()
    elif number == 22:
        s.words()
    elif number == 28:
        caps(s)
    elif number == 29:
        s.line("4488")
    elif number == 31:
        for _ in range(s.number(4)):
            caps(s)
            s.sized_string()
    s.raw(s.left())
    return bytes(s.out)


def main(source, target):
    data = open(source, "rb").read()
    header = list(struct.unpack("<8sQQ6Q4Q", data[:104]))
    attr_size, attrs, attrs_size = header[2], header[3], header[4]
    where, size = header[5], header[6]
    out = bytearray(data)
    out[0:8] = data[0:8][::-1]
    out[8:104] = struct.pack(">12Q", *header[1:])

    events = []
    for at in range(attrs, attrs + attrs_size, attr_size):
        f = struct.unpack_from("<II3QQQ", data, at)
        length = f[1]
        fields = data[at:at + length] + bytes(256)
        a = {"sample_type": f[4], "read_format": f[5], "sample_id_all": f[6] >> 18 & 1, "ids": {}}
        a["branch"], a["regs_user"] = struct.unpack_from("<QQ", fields, 72)
        a["regs_intr"] = struct.unpack_from("<Q", fields, 96)[0]
        events.append(a)
        s = Swap(data[at:at + attr_size])
        attr(s, length)
        s.line("88")
        out[at:at + attr_size] = s.out
        ids, ids_size = struct.unpack_from("<QQ", data, at + length)
        for i in range(ids, ids + ids_size, 8):
            number = struct.unpack_from("<Q", data, i)[0]
            events[0]["ids"][number] = a
            out[i:i + 8] = struct.pack(">Q", number)

    at = where
    while at < where + size:
        kind, misc, length = struct.unpack_from("<IHH", data, at)
        out[at:at + 8] = struct.pack(">IHH", kind, misc, length)
        out[at + 8:at + length] = record(data[at + 8:at + length], kind, misc, events)
        at += length

    table, cpus = where + size, 0
    for number in range(256):
        if header[9 + number // 64] >> number % 64 & 1:
            begin, length = struct.unpack_from("<QQ", data, table)
            out[table:table + 16] = struct.pack(">QQ", begin, length)
            table += 16
            if number == 7:
                cpus = int.from_bytes(data[begin:begin + 4], "little")
            out[begin:begin + length] = feature(number, data[begin:begin + length], cpus)
    open(target, "wb").write(out)


if __name__ == "__main__":
    main(*sys.argv[1:])
