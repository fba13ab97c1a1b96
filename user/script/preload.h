/* SPDX-License-Identifier: GPL-2.0 */
/*
 * preload.h - load symbols before they are asked for, in time that would go by idle.
 */
#ifndef RT_SCRIPT_PRELOAD_H
#define RT_SCRIPT_PRELOAD_H

#include "script/pipeline.h"

/* The symbols of all files that a sample's stack leads through; not the kernel's. */
void rt_preload_sample(const struct rt_pending *pend, bool swapped);

#endif
