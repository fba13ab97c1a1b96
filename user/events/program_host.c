// SPDX-License-Identifier: GPL-2.0
/*
 * Programs run in the kernel; on the host only tests run them, and set this.
 */
#include "../../module/program_port.h"

struct rt_program_host rt_program_host;
