/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_COMPAT_CPU_H
#define RT_COMPAT_CPU_H

#include <linux/cpu.h>

#ifndef RT_HAVE_CPUS_READ_LOCK
#define cpus_read_lock	 get_online_cpus
#define cpus_read_unlock put_online_cpus
#endif

#endif
