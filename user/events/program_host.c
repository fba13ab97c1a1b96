// SPDX-License-Identifier: GPL-2.0
/* The kernel runs the programs.  On the host only tests run them, and they set this. */
#include "program/program_port.h"

struct rt_program_host rt_program_host;
