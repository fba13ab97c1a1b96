/* SPDX-License-Identifier: GPL-2.0 */
/* ring_size.h - parse and apply the size of each CPU's ring, in perf's syntax. */
#ifndef RT_RECORD_RING_SIZE_H
#define RT_RECORD_RING_SIZE_H

#include <stdint.h>

#include "base/error.h"

#include <ringtail.h>

/* Parse N pages, or bytes with a unit: 512, 64K, 8M. */
int rt_ring_size_parse(uint64_t *bytes, const char *text, struct rt_err *err);

/*
 * Ask for rings of at least BYTES, with sub-buffers of the default size if several of them fit.
 * DWARF: bytes of user stack in each record; a record must fit into a sub-buffer.
 */
void rt_ring_size_apply(uint64_t bytes, uint32_t dwarf, struct rt_rings *rings);

#endif
