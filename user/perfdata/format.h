/* SPDX-License-Identifier: GPL-2.0 */
/*
 * format.h - the text that describes a tracepoint's record, the way the kernel
 * gives it in events/SYSTEM/EVENT/format; read from there, or made for events of
 * our own.
 */
#ifndef RT_PERFDATA_FORMAT_H
#define RT_PERFDATA_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define RT_FORMAT_COMMON_SIZE 8 /* bytes of the common fields in front of an event's own */
#define RT_FORMAT_TEXT_MAX    (1024 * 1024)

/* One field of an event of our own, behind the common ones. */
struct rt_format_field {
	/*
	 * "u64", "s32", "unsigned long", "char" (with array set: bytes), or "string":
	 * a dynamic string, u16 offset in the record and u16 size in a u32 (__data_loc).
	 */
	const char *type;
	const char *name;
	unsigned offset; /* from the beginning of the record, common fields included */
	unsigned size;
	unsigned array; /* elements; 0: no array */
	bool is_signed;
};

/*
 * Make the text.  print is what follows "print fmt: ": a C format string in quotes and its
 * arguments, `"(%lx) size=0x%llx", REC->__probe_ip, REC->size`.  The caller frees it; NULL
 * when there is no memory.
 */
char *rt_format_make(const char *name, unsigned id, const struct rt_format_field *fields,
		     size_t count, const char *print);

/* The number in the text's ID line, or -EINVAL. */
int rt_format_id(const char *text);
/* A copy of the text with another number in its ID line; NULL: no memory or no such line. */
char *rt_format_with_id(const char *text, unsigned id);

/* Where tracefs is mounted, or NULL. */
const char *rt_tracefs_path(void);
/* A file below it, as text that the caller frees; -ENOENT when tracefs is not there. */
int rt_tracefs_read(const char *file, char **text, size_t *size);
/* The format of "system:event" from tracefs. */
int rt_format_read(const char *name, char **text, struct rt_err *err);

#endif
