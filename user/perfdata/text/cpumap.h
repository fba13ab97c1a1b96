/* SPDX-License-Identifier: GPL-2.0 */
/* cpumap.h - format the sets of CPUs in records as text. */
#ifndef RT_PERFDATA_TEXT_CPUMAP_H
#define RT_PERFDATA_TEXT_CPUMAP_H

#include <stddef.h>

#include "perfdata/read/reader.h"

/*
 * Format the CPU map at data inside the record (a CPU_MAP record's type, or the data of an
 * EVENT_UPDATE) as "0-3,7"; -EBADMSG if it does not fit into the record.
 */
int rt_cpumap_text(const struct rt_perf_record *rec, const void *data, char *buf, size_t size);

#endif
