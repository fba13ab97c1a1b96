/* SPDX-License-Identifier: GPL-2.0 */
/*
 * placement.h - CPUs by memory node.  A ring lies in the memory of its CPU's node, so the thread that reads
 * it should read the rings of one node and run there.
 */
#ifndef RT_RECORD_PLACEMENT_H
#define RT_RECORD_PLACEMENT_H

#include <pthread.h>
#include <stdint.h>

struct rt_placement {
	uint32_t cpus, nodes; /* nodes that have CPUs */
	uint32_t *order;      /* all CPUs, node by node */
	uint32_t *node;	      /* of each CPU */
};

/* From DIR, /sys/devices/system/node or NULL for that.  If it tells nothing, all CPUs are of one node. */
int rt_placement_read(struct rt_placement *p, const char *dir, uint32_t cpus);
void rt_placement_free(struct rt_placement *p);

/*
 * Let THREAD, which serves the CPUs order[FROM] up to order[TO], run only on the CPUs of their node.  Only on
 * those on which this program may run at all: if there is none, or if the CPUs are of several nodes or
 * the machine has only one, change nothing.
 */
void rt_placement_bind(const struct rt_placement *p, pthread_t thread, uint32_t from, uint32_t to);

#endif
