/* SPDX-License-Identifier: GPL-2.0 */
/*
 * hurry.h - a higher priority for the threads that read the rings, while events are about to be lost.
 *
 * On a busy machine a recorder gets its fair share of the CPUs, which may be less than the events need.
 */
#ifndef RT_RECORD_HURRY_H
#define RT_RECORD_HURRY_H

#include <stdbool.h>
#include <stdint.h>

struct rt_recording;

struct rt_hurry {
	bool raised;	/* the priority */
	bool refused;	/* by the kernel: it is not asked again */
	bool own;	/* the user has chosen a priority: leave it */
	bool looked;	/* `own` is known */
	uint64_t since; /* when a ring was half full the last time, CLOCK_MONOTONIC */
};

/* Call after each sweep. */
void rt_hurry_update(struct rt_hurry *h, struct rt_recording *r, uint64_t now);

#endif
