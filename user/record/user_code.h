/* SPDX-License-Identifier: GPL-2.0 */
/* user_code.h - an ELF file with user code: what it is, and where its instructions begin. */
#ifndef RT_RECORD_USER_CODE_H
#define RT_RECORD_USER_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buildid.h"
#include "base/error.h"

struct rt_user_code {
	int fd;
	uint16_t machine; /* EM_* */
	bool dynamic;	  /* it has dynamic symbols */
	bool go;	  /* the Go linker made it */
	struct rt_buildid buildid;
	struct rt_user_segment {
		uint64_t start, end; /* offsets in the file */
	} * segments;		     /* those with code */
	unsigned int segment_count;
};

/* 0, or a negative errno with *ERR set: not readable, not ELF, of another machine, without code. */
int rt_user_code_open(struct rt_user_code *code, const char *path, struct rt_err *err);
void rt_user_code_close(struct rt_user_code *code);

/*
 * Whether an instruction begins at the file offset AT.  START is the beginning of its function, or AT
 * itself if that is not known.
 */
int rt_user_code_check(const struct rt_user_code *code, uint64_t start, uint64_t at,
		       struct rt_err *err);

#endif
