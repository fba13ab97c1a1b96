/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Included in front of every file of the module.  The core is written for the
 * newest kernel; what an older one lacks is supplied here, as told by the
 * compile probes (RT_HAVE_*, in the generated rt-compat-config.h).
 *
 * A replacement is named rt_compat_<function> and put in place by a #define
 * behind the kernel's own header, so that it also compiles, and can be tested,
 * on a kernel that has the function: COMPAT_WITHOUT=all.  See docs/compat.md.
 */
#ifndef RT_COMPAT_H
#define RT_COMPAT_H

#include "capability.h"
#include "clock.h"
#include "compiler.h"
#include "fs.h"
#include "kprobe.h"
#include "mm.h"
#include "module.h"
#include "security.h"
#include "string.h"
#include "tracepoint.h"
#include "uaccess.h"

#endif
