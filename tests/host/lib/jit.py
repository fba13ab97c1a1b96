# SPDX-License-Identifier: GPL-2.0
"""jit.py ROUNDS - a program to be recorded that makes a function, lists it as Python 3.12's
perf support does (PREFIX, if given, in front of the numbers), and runs it."""
import ctypes
import mmap
import os
import platform
import sys

prefix = sys.argv[2] if len(sys.argv) > 2 else ""
if platform.machine() == "aarch64":  # again: subs x0, x0, #1; b.ne again; ret
    code = bytes.fromhex("000400f1e1ffff54c0035fd6")
else:  # again: dec rdi; jne again; mov eax, edi; ret
    code = bytes.fromhex("48ffcf75fb89f8c3")
memory = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
memory.write(code)
start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
with open(f"/tmp/perf-{os.getpid()}.map", "w", encoding="ascii") as listing:
    listing.write(f"{prefix}{start:x} {prefix}{len(code):x} py::count_down:/srv/my program.py\n")
ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint64)(start)(int(sys.argv[1]))
