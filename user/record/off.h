/* SPDX-License-Identifier: GPL-2.0 */
/*
 * off.h - for how long watches were off, and on which CPUs.
 *
 * On arm64 the module switches a watch off on one CPU for a moment if an access cannot complete while it
 * is on.  What was missed then, nobody knows, so the closing lines and the file say how long it took.
 */
#ifndef RT_RECORD_OFF_H
#define RT_RECORD_OFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "record/recording.h"

/* Note that event E was off on the CPU for NS nanoseconds in so many TIMES, in all; 0 or -ENOMEM. */
int rt_off_set(struct rt_off_list *off, size_t e, uint32_t cpu, uint64_t ns, uint64_t times);
/* Ask the module about event E, whose counts say that it was off; 0 or a negative errno. */
int rt_off_take(struct rt_recording *r, size_t e, struct rt_err *err);
/* Write what was not told before into the file, at TIME; 0 or the writer's negative errno. */
int rt_off_write(struct rt_recording *r, uint64_t time);

/* Print "  not watched, …: NAME was off for at most 4.012 ms on CPU 1 (2 times)" if event E was ever off. */
void rt_off_print(const struct rt_off_list *off, size_t e, const char *name, FILE *out);

#endif
