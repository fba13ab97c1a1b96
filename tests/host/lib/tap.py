# SPDX-License-Identifier: GPL-2.0
"""tap.py - TAP for tests in Python; the plan comes last."""
import sys


class Tap:
    """Counts the points of one test."""

    def __init__(self):
        self.count = self.failed = 0

    def ok(self, good, what):
        """One point."""
        self.count += 1
        self.failed += not good
        print("%sok %d - %s" % ("" if good else "not ", self.count, what), flush=True)

    def done(self):
        """Print the plan and exit."""
        print("1..%d" % self.count)
        sys.exit(self.failed != 0)
