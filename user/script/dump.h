/* SPDX-License-Identifier: GPL-2.0 */
/*
 * dump.h - `script -D`: every record, raw and decoded, as perf prints it.
 *
 * perf prints its ordinary line of a sample too, below two lines that say which
 * thread and object it belongs to.  So the loop of the command is
 *
 *	rt_dump_record(reader, &rec, &sample, symbol, out);
 *	(take the record in: threads, maps)
 *	if (it is a sample of a known event) {
 *		rt_dump_location(comm, tid, object, out);
 *		(print the sample's line and stack)
 *	}
 */
#ifndef RT_SCRIPT_DUMP_H
#define RT_SCRIPT_DUMP_H

#include <stdio.h>

#include "perfdata/reader.h"
#include "perfdata/sample.h"

/*
 * One record, in the order it comes from rt_reader_next(): the hex lines, the
 * decoded line, and what belongs to its type.  s is what rt_sample_parse() gave,
 * or NULL when it failed.  symbol is "name+0x…" of what a TEXT_POKE changed, or NULL.
 */
void rt_dump_record(struct rt_reader *reader, const struct rt_record *rec,
		    const struct rt_sample *s, const char *symbol, FILE *out);

/* The two lines below a sample; object NULL: not found. */
void rt_dump_location(const char *comm, int tid, const char *object, FILE *out);

/*
 * The whole file from the opened reader to its end, records only.  0 or a negative
 * errno with the sentence; all that could be read has been printed.
 */
int rt_dump_file(struct rt_reader *reader, FILE *out, struct rt_err *err);

/* dump_body.c, dump_sample.c: what stands behind the name of the record. */
void rt_dump_body(const struct rt_record *rec, const struct rt_sample *s, const char *symbol,
		  FILE *out);
void rt_dump_sample(const struct rt_record *rec, const struct rt_sample *s, const char *arch,
		    FILE *out);

#endif
