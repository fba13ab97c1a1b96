#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# first_screen.py COMMAND... - run a command on a terminal of 240x24, on which the
# column of symbols is visible whatever the names before it, until it shows the first line of a
# table with a symbol ("[.] " or "[k] "); print the seconds that it took, and end it.

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

LIMIT = 600  # seconds
start = time.monotonic()
pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 240, 0, 0))
    os.environ["TERM"] = "xterm"
    os.execvp(sys.argv[1], sys.argv[1:])
seen = b""
found = False
while not found and time.monotonic() - start < LIMIT:
    if not select.select([fd], [], [], 1)[0]:
        continue
    try:
        got = os.read(fd, 65536)
    except OSError:
        break
    seen = (seen + got)[-200000:]
    found = re.search(rb"\[[.k]\] ", seen) is not None
took = time.monotonic() - start
os.kill(pid, signal.SIGKILL)
os.waitpid(pid, 0)
if not found:
    sys.exit("first_screen.py: no line of a table appeared: " + " ".join(sys.argv[1:]))
print(f"{took:.3f}")
