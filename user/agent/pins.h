/* SPDX-License-Identifier: GPL-2.0 */
/*
 * pins.h - sessions that the module keeps when their files are closed, and what can be read of a
 * session whose rings are not mapped.
 *
 * FD is any file of the module for the first four functions, one of the session for the others.
 */
#ifndef RT_AGENT_PINS_H
#define RT_AGENT_PINS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "ringtail.h"

/* Refuse a module that is too old to keep sessions, and say what to do. */
int rt_agent_pins_check(const struct rt_info *info, struct rt_err *err);
/* Describe pinned session number INDEX; -ENOENT: there are not more. */
int rt_agent_pinned(int fd, uint32_t index, struct rt_pinned *pinned);
/* Return a file of the session NAME. */
int rt_agent_adopt(int fd, const char *name, struct rt_err *err);
/* Disarm the session NAME; it ends when its last file is closed. */
int rt_agent_unpin(int fd, const char *name, struct rt_err *err);

/* Keep the session of FD under NAME. */
int rt_agent_pin(int fd, const char *name, struct rt_err *err);
/* Read the session's anchor (PHYS 0), tables and ring states; 0 or a negative errno. */
int rt_agent_look(int fd, uint64_t phys, void *to, size_t bytes);
/*
 * Copy the sub-buffer COPY->seq of COPY->ring of COPY->cpu; COPY->to 0: only ask which there are.
 * -ENOENT: it has been overwritten.  -ENXIO: the CPU has no ring.
 */
int rt_agent_copy(int fd, struct rt_copy *copy);

#endif
