/* SPDX-License-Identifier: GPL-2.0 */
/*
 * records.h - records other than samples, as perf shows them with --show-*-events.
 */
#ifndef RT_SCRIPT_RECORDS_H
#define RT_SCRIPT_RECORDS_H

#include "base/text.h"
#include "perfdata/reader.h"
#include "perfdata/sample.h"
#include "symbols/kernel.h"

/* Which records are shown; bits. */
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

/* Whose record it is, as perf finds out; -1 when it does not say. */
void rt_records_task(const struct rt_record *rec, int32_t *pid, int32_t *tid);

/* What a TEXT_POKE changed, "name+0x…", to be freed; NULL when unknown or another record. */
char *rt_records_symbol(const struct rt_record *rec, struct rt_kernel *kernel);

/* "PERF_RECORD_MMAP2 …" and a newline.  kernel, for text pokes, may be NULL. */
void rt_records_print(const struct rt_record *rec, const struct rt_sample *s,
		      struct rt_kernel *kernel, struct rt_text *out);

#endif
