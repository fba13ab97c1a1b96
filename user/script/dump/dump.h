/* SPDX-License-Identifier: GPL-2.0 */
/*
 * dump.h - `script -D`: every record, raw and decoded, as perf prints it.
 *
 * perf also prints its ordinary line of a sample, below two lines that name the thread and the
 * object.  So the loop of the command is
 *
 *	rt_dump_record(reader, &rec, &sample, symbol, out);
 *	(take the record in: threads, maps)
 *	if (it is a sample of a known event) {
 *		rt_dump_location(comm, tid, object, out);
 *		(print the sample's line and stack)
 *	}
 *
 * This folder: every record in raw and decoded form.  May use: base, arch, perfdata,
 * perfdata/read, perfdata/text.
 */
#ifndef RT_SCRIPT_DUMP_DUMP_H
#define RT_SCRIPT_DUMP_DUMP_H

#include <stdio.h>

#include "perfdata/read/reader.h"
#include "perfdata/read/sample.h"

/*
 * Print one record, in the order of rt_reader_next(): the hex lines, the decoded line, and the
 * lines of its type.  s is the result of rt_sample_parse(), NULL if that failed.  symbol is
 * "name+0x…" of the code that a TEXT_POKE changed, or NULL.
 */
void rt_dump_record(struct rt_reader *reader, const struct rt_perf_record *rec,
		    const struct rt_sample *s, const char *symbol, FILE *out);

/* The two lines below a sample; object NULL: not found. */
void rt_dump_location(const char *comm, int tid, const char *object, FILE *out);

/* body.c, sample.c: print what follows the record's name. */
void rt_dump_body(const struct rt_perf_record *rec, const struct rt_sample *s, const char *symbol,
		  FILE *out);
void rt_dump_sample(const struct rt_perf_record *rec, const struct rt_sample *s, const char *arch,
		    FILE *out);

#endif
