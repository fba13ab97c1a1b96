# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# opens.sh - OPENS, the function that opens files for programs.  Its second argument is the path.

# shellcheck disable=SC2034 # for the tests
OPENS=do_sys_openat2
# Before 5.6 it had another name.
grep -q ' do_sys_openat2$' /proc/kallsyms || OPENS=do_sys_open
