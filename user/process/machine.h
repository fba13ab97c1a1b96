/* SPDX-License-Identifier: GPL-2.0 */
/*
 * machine.h - the traced machine as of the record applied last: its threads, what
 * they have mapped, and its kernel.
 *
 * Feed it every record in the order the reader gives them; it takes what concerns
 * it (COMM FORK EXIT MMAP MMAP2 KSYMBOL …).  Samples are looked up, not applied.
 */
#ifndef RT_PROCESS_MACHINE_H
#define RT_PROCESS_MACHINE_H

#include "perfdata/reader.h"
#include "process/threads.h"
#include "symbols/kernel.h"
#include "symbols/symbols.h"

struct rt_machine {
	struct rt_threads *threads;
	struct rt_symbols *symbols;
	struct rt_kernel *kernel; /* NULL until a record describes it */
	const struct rt_env *env;
	uint64_t kernel_changes; /* what a kernel address means may differ from before */
	bool files_apart;	 /* two files that had one path are two objects, as in perf */
};

int rt_machine_open(struct rt_machine *m, struct rt_symbols *symbols, const struct rt_env *env,
		    struct rt_err *err);
void rt_machine_close(struct rt_machine *m);

/* Does this record change what kernel addresses mean?  Whoever looks them up must be done. */
bool rt_machine_changes_kernel(const struct rt_record *rec);

/* 0, or a negative errno when there is no memory. */
int rt_machine_apply(struct rt_machine *m, const struct rt_record *rec, struct rt_err *err);

/* ELF's number of the architecture in the header; this program's own without one. */
uint16_t rt_machine_elf(const struct rt_env *env);

#endif
