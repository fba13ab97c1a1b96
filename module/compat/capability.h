/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_COMPAT_CAPABILITY_H
#define RT_COMPAT_CAPABILITY_H

#include <linux/capability.h>

#ifndef RT_HAVE_PERFMON_CAPABLE
#define perfmon_capable() capable(CAP_SYS_ADMIN)
#endif

#endif
