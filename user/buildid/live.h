/* SPDX-License-Identifier: GPL-2.0 */
/*
 * live.h - the build-ids of the running kernel and its modules.
 */
#ifndef RT_BUILDID_LIVE_H
#define RT_BUILDID_LIVE_H

#include <stdio.h>

#include "base/error.h"

/* Print one line: the kernel's build-id. */
int rt_buildid_live_kernel(FILE *out, struct rt_err *err);

/* Print "<build-id> <start> <end> NAME" of the kernel and of each module, by address. */
int rt_buildid_live_maps(FILE *out, struct rt_err *err);

#endif
