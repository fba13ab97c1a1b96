/* SPDX-License-Identifier: GPL-2.0 */
/*
 * synth.h - tell a recording what existed before it began: the kernel, its
 * modules, running tasks and their mappings, as records without a time.
 *
 * Everything is streamed from /proc into the writer; memory does not grow with
 * the number of tasks.  A task that ends meanwhile is left out without an error.
 */
#ifndef RT_PERFDATA_SYNTH_H
#define RT_PERFDATA_SYNTH_H

#include <sys/types.h>

#include "perfdata/writer.h"

/*
 * The kernel's and its modules' maps and build-ids.  Where addresses are hidden from us
 * (kptr_restrict) the maps are left out: the build-id still names the kernel.
 */
int rt_synth_kernel(struct rt_writer *w, struct rt_err *err);
/* One module as it is loaded now, for one that came while recording. */
int rt_synth_module(struct rt_writer *w, const struct rt_writer_stamp *at, const char *name,
		    uint64_t start, uint64_t len);

/*
 * All tasks.  STARTING (0: none) is about to execute its program: its maps are left out,
 * since readers may keep them beside those of the program, and take an object that both
 * have for loaded where it no longer is.
 */
int rt_synth_tasks(struct rt_writer *w, pid_t starting, struct rt_err *err);
/* One process with its threads; -ESRCH when it is not there. */
int rt_synth_process(struct rt_writer *w, pid_t pid, struct rt_err *err);

#endif
