/* SPDX-License-Identifier: GPL-2.0 */
/*
 * reader.h - one reader for any perf.data: written by ringtail or by any perf,
 * either byte order, file, directory or pipe, compressed or not.
 *
 * 	rt_reader_open(path, NULL, &r, &err);
 * 	while ((ret = rt_reader_next(r, &rec, &err)) > 0)
 * 		…
 * 	rt_reader_close(r);
 *
 * Order.  Records made by the kernel come sorted by time, stable, in exactly the
 * order in which perf processes them: those of a round when the next round but
 * one begins (FINISHED_ROUND), the rest at the end; a record without a time at
 * once.  Records made by perf (type 64 and above) come when they are met; what they
 * tell of the recording (attrs, features, names of a pipe) has been taken in by the
 * time they are handed out.  Instead of a compressed record come those inside it.
 *
 * Memory.  A file is mapped and walked once.  The sorting queue holds one small
 * entry per *run* of records already in order, not per record, and is bounded
 * also for a file without rounds.  Nothing is allocated per record.
 *
 * How long a record lives.  rec->hdr points into the mapped file when that can
 * be (same byte order, aligned) and then lives until rt_reader_close(); else into
 * a reference-counted block (decompressed, swapped or received through a pipe).
 * Without doing anything a record is good until the next rt_reader_next().  To keep
 * it longer, or to give it to another thread, take rt_record_hold() in the
 * reading thread and rt_record_drop() it later, in any thread, before
 * rt_reader_close().  Both cost nothing for a mapped record.
 *
 * Byte order.  Records are handed out in native order as perf has them after its
 * own swap: every field of the layouts in layout.h is native, raw data and user
 * stack bytes are untouched, but inside a SAMPLE and in a sample_id the two halves
 * of a 64-bit word that holds two 32-bit fields are exchanged (rec->swapped says
 * so).  rt_sample_parse() knows; use it rather than the words.
 *
 * Damage.  Everything that can be read before the damage is delivered, then
 * rt_reader_next() returns a negative errno with a sentence that names the offset,
 * and from then on the same again.  Records of unknown type are delivered too (the
 * caller steps over them) and counted.
 */
#ifndef RT_PERFDATA_READER_H
#define RT_PERFDATA_READER_H

#include "base/error.h"
#include "perfdata/event.h"
#include "perfdata/feature.h"
#include "perfdata/layout.h"

struct rt_reader;
struct rt_block;
struct tep_handle;

struct rt_record {
	const struct rt_record_header *hdr; /* aligned to 8; hdr->size bytes may be read */
	uint64_t offset; /* in the file or pipe; of the compressed record for those inside one */
	uint64_t time;	 /* 0 or all ones: none */
	const struct rt_event *event; /* which event's layout it has; NULL when unknown */
	const void *payload;   /* what follows AUXTRACE and TRACING_DATA records, else NULL; */
	uint64_t payload_size; /* of a pipe NULL with a size: it was skipped */
	const char *path;      /* the file it lies in: differs from the opened one in a directory */
	bool swapped;	       /* the file has the other byte order */
	struct rt_block *block; /* what keeps it alive; NULL: the mapping */
};

struct rt_reader_options {
	bool unordered;	    /* hand records out as they lie in the file */
	bool time_optional; /* order even when records other than samples carry no time */
	uint64_t queue_max; /* bytes the sorting queue may pin; 0: RT_READER_QUEUE_MAX */
};

#define RT_READER_QUEUE_MAX (512ULL << 20)

struct rt_reader_stats {
	uint64_t records;		  /* handed out */
	uint64_t by_type[RT_RECORD_MAX];  /* [0]: of unknown type */
	uint64_t lost;			  /* sum of LOST records */
	uint64_t lost_samples;		  /* sum of LOST_SAMPLES */
	uint64_t unknown_types;		  /* stepped over */
	uint64_t unknown_ids;		  /* samples whose id no event has */
	uint64_t out_of_order;		  /* came after their time had been handed out */
	uint64_t early_flushes;		  /* queue_max was reached: order is best effort */
	uint64_t bytes_read, bytes_total; /* of the data section; total 0 for a pipe */
};

/* path "-" or NULL: NULL tries perf.data, or standard input when that is not a terminal, as perf does. */
int rt_reader_open(const char *path, const struct rt_reader_options *opt, struct rt_reader **out,
		   struct rt_err *err);
void rt_reader_close(struct rt_reader *reader);

/* 1 and *rec, 0 at the end, or a negative errno. */
int rt_reader_next(struct rt_reader *reader, struct rt_record *rec, struct rt_err *err);

/*
 * Something the header could not be read for, though the data may be: a bad
 * feature section, a data size of 0 (the recording was not closed).  One sentence
 * each, in the order found; NULL when there are no more.
 */
const char *rt_reader_warning(const struct rt_reader *reader, size_t i);

/* Keep a record beyond the next rt_reader_next(), and let go of it. */
void rt_record_hold(const struct rt_record *rec);
void rt_record_drop(const struct rt_record *rec);

const struct rt_events *rt_reader_events(const struct rt_reader *reader);
const struct rt_env *rt_reader_env(const struct rt_reader *reader);
const struct rt_reader_stats *rt_reader_stats(const struct rt_reader *reader);
const char *rt_reader_path(const struct rt_reader *reader); /* as opened; "-" for stdin */
bool rt_reader_is_pipe(const struct rt_reader *reader);
bool rt_reader_swapped(const struct rt_reader *reader);
/* Sorted by time?  Not when asked so, or when the file's records carry no time. */
bool rt_reader_ordered(const struct rt_reader *reader);

/*
 * The formats of the tracepoints (libtraceevent), or NULL when the file has none.
 * In a pipe it appears with the TRACING_DATA record.  libtraceevent's printing
 * functions are not to be called from two threads on one handle: a thread that
 * formats asks for a handle of its own with rt_reader_tep_new() (free it with
 * tep_free()); event->format belongs to the shared one.
 */
struct tep_handle *rt_reader_tep(const struct rt_reader *reader);
struct tep_handle *rt_reader_tep_new(const struct rt_reader *reader, struct rt_err *err);

/* What perf calls the record type: "SAMPLE", "MMAP2", …; "UNKNOWN" when unknown. */
const char *rt_record_name(uint32_t type);

/*
 * A string inside the record that begins at field (NUL-terminated within the
 * record; "" when it is not): file names, comms, cgroup paths.
 */
const char *rt_record_string(const struct rt_record *rec, const char *field);

#endif
