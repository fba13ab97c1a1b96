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

/* Ask the module about event E, whose counts say that it was off; 0 or a negative errno. */
int rt_off_take(struct rt_recording *r, size_t e, struct rt_err *err);
/* Write what was not told before into the file, at TIME; 0 or the writer's negative errno. */
int rt_off_write(struct rt_recording *r, uint64_t time);

/* Print "off for at most 4.012 ms on CPU 1 (2 times)" for event E; false if it was never off. */
bool rt_off_print(const struct rt_off_list *off, size_t e, FILE *out);

#endif
