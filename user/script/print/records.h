/* SPDX-License-Identifier: GPL-2.0 */
/* records.h - print records other than samples, like perf's --show-*-events. */
#ifndef RT_SCRIPT_PRINT_RECORDS_H
#define RT_SCRIPT_PRINT_RECORDS_H

#include "base/text.h"
#include "perfdata/read/reader.h"
#include "perfdata/read/sample.h"
#include "symbols/kernel/kernel.h"

/* Which records to print; bits. */
enum {
	RT_SHOW_TASKS = 1,
	RT_SHOW_MMAPS = 2,
	RT_SHOW_SWITCHES = 4,
	RT_SHOW_NAMESPACES = 8,
	RT_SHOW_CGROUPS = 16,
	RT_SHOW_LOST = 32,
	RT_SHOW_ROUNDS = 64,
	RT_SHOW_BPF = 128,
	RT_SHOW_TEXT_POKES = 256,
};

bool rt_records_shown(unsigned int show, uint32_t type);

/* The task of a record, determined as perf does; -1 if the record does not say. */
void rt_records_task(const struct rt_perf_record *rec, int32_t *pid, int32_t *tid);

/* What a TEXT_POKE changed, "name+0x…", which the caller frees; NULL: unknown or another record. */
char *rt_records_symbol(const struct rt_perf_record *rec, struct rt_kernel *kernel);

/* Print "PERF_RECORD_MMAP2 …" and a newline.  kernel, for text pokes, may be NULL. */
/* NOTE: the causes of a loss; NULL: unknown. */
void rt_records_print(const struct rt_perf_record *rec, const struct rt_sample *s,
		      const struct rt_perf_record_note *note, struct rt_kernel *kernel,
		      struct rt_text *out);

#endif
