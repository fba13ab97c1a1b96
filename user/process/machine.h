/* SPDX-License-Identifier: GPL-2.0 */
/*
 * machine.h - the traced machine as of the last record applied: its threads, their mappings, and
 * its kernel.
 *
 * Apply every record in the order of the reader; this code uses those that concern it (COMM FORK
 * EXIT MMAP MMAP2 KSYMBOL …).  Samples are looked up, not applied.
 *
 * This folder: the threads, mappings and kernel of the recorded machine at the time of each
 * record.  May use: base, perfdata, perfdata/read, symbols, symbols/kernel, symbols/lines,
 * symbols/unwind.
 */
#ifndef RT_PROCESS_MACHINE_H
#define RT_PROCESS_MACHINE_H

#include "perfdata/read/reader.h"
#include "process/cgroups.h"
#include "process/threads.h"
#include "symbols/kernel/kernel.h"
#include "symbols/symbols.h"

struct rt_machine {
	struct rt_threads *threads;
	struct rt_symbols *symbols;
	struct rt_kernel *kernel; /* NULL until a record describes it */
	const struct rt_env *env;
	struct rt_cgroups cgroups;
	uint64_t kernel_changes; /* changes when kernel addresses may get another meaning */
	bool files_apart;	 /* two files with the same path are two objects, as in perf */
};

int rt_machine_open(struct rt_machine *m, struct rt_symbols *symbols, const struct rt_env *env,
		    struct rt_err *err);
void rt_machine_close(struct rt_machine *m);

/* Whether this record changes the meaning of kernel addresses.  No thread may look them up then. */
bool rt_machine_changes_kernel(const struct rt_perf_record *rec);

/* 0, or a negative errno if there is no memory. */
int rt_machine_apply(struct rt_machine *m, const struct rt_perf_record *rec, struct rt_err *err);

/* The ELF number of the architecture in the header; this program's own if there is none. */
uint16_t rt_machine_elf(const struct rt_env *env);

#endif
