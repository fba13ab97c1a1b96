/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cpumap.h - sets of CPUs as records carry them and as people read them.
 */
#ifndef RT_PERFDATA_CPUMAP_H
#define RT_PERFDATA_CPUMAP_H

#include <stddef.h>

#include "perfdata/reader.h"

/*
 * "0-3,7" of the CPU map that begins at data inside the record (a CPU_MAP record's
 * type, or the data of an EVENT_UPDATE); -EBADMSG when it does not fit in it.
 */
int rt_cpumap_text(const struct rt_record *rec, const void *data, char *buf, size_t size);

#endif
