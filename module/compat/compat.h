/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Included before every file of the module.  The core is written for the newest kernel; these
 * headers supply what an older kernel lacks, as found by the compile probes (RT_HAVE_*, in the
 * generated rt-compat-config.h).
 *
 * A replacement is named rt_compat_<function>, and a #define after the kernel's own header puts it
 * in place.  So it also compiles, and can be tested, on a kernel that has the function:
 * COMPAT_WITHOUT=all.  See docs/compat.md.
 */
#ifndef RT_COMPAT_H
#define RT_COMPAT_H

#include "barrier.h"
#include "capability.h"
#include "clock.h"
#include "compiler.h"
#include "cpu.h"
#include "fs.h"
#include "hash.h"
#include "kprobe.h"
#include "mm.h"
#include "module.h"
#include "percpu.h"
#include "poll.h"
#include "preempt.h"
#include "ptrace.h"
#include "rcu.h"
#include "security.h"
#include "string.h"
#include "tracepoint.h"
#include "uaccess.h"

#endif
