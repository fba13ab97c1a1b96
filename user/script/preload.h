/* SPDX-License-Identifier: GPL-2.0 */
/* preload.h - load symbols before they are needed, in time that would otherwise be idle. */
#ifndef RT_SCRIPT_PRELOAD_H
#define RT_SCRIPT_PRELOAD_H

#include "script/pending.h"

/* Load the symbols of all files in a sample's stack, except the kernel's. */
void rt_preload_sample(const struct rt_pending *pend, bool swapped);

#endif
