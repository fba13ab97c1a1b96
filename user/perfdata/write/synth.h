/* SPDX-License-Identifier: GPL-2.0 */
/*
 * synth.h - describe what existed before a recording began: the kernel, its modules, running tasks
 * and their mappings, as records without a time.
 *
 * Everything is streamed from /proc into the writer; memory does not grow with the number of tasks.
 * A task that ends meanwhile is skipped without an error.
 */
#ifndef RT_PERFDATA_WRITE_SYNTH_H
#define RT_PERFDATA_WRITE_SYNTH_H

#include <sys/types.h>

#include "perfdata/write/writer.h"

/*
 * Write the maps and build-ids of the kernel and its modules.  If the kernel hides addresses
 * (kptr_restrict), leave out the maps: the build-id still identifies the kernel.
 */
int rt_synth_kernel(struct rt_writer *w, struct rt_err *err);
/* Write one module that was loaded during the recording. */
int rt_synth_module(struct rt_writer *w, const struct rt_writer_stamp *at, const char *name,
		    uint64_t start, uint64_t len);

/*
 * Write all tasks.  STARTING (0: none) is about to call exec: leave out its maps, because readers
 * may keep them besides those of the new program and then assume a wrong load address for an object
 * that both map.
 */
int rt_synth_tasks(struct rt_writer *w, pid_t starting, struct rt_err *err);
/* Write one process with its threads; -ESRCH if it does not exist. */
int rt_synth_process(struct rt_writer *w, pid_t pid, struct rt_err *err);

#endif
