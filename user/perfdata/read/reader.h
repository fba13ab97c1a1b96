/* SPDX-License-Identifier: GPL-2.0 */
/*
 * reader.h - one reader for any perf.data: written by ringtail or by any perf, in either byte
 * order; a file, directory or pipe, compressed or not.
 *
 *	rt_reader_open(path, NULL, &r, &err);
 *	while ((ret = rt_reader_next(r, &rec, &err)) > 0)
 *		…
 *	rt_reader_close(r);
 *
 * Order.  The reader returns the kernel's records sorted by time, stable, in exactly the order in
 * which perf processes them: those of a round when the next round but one begins (FINISHED_ROUND),
 * the rest at the end, and a record without a time at once.  It returns records written by perf
 * (type 64 and above) as it reads them; by then it has processed what they say about the recording
 * (attrs, features and names of a pipe).  In place of a compressed record it returns the records
 * inside it.
 *
 * Memory.  The reader maps a file and walks it once.  The sorting queue holds one small entry per
 * *run* of records already in order, not per record, and is bounded even for a file without rounds.
 * Nothing is allocated per record.
 *
 * Lifetime of a record.  If possible (same byte order, aligned), rec->hdr points into the mapped
 * file and is valid until rt_reader_close(); otherwise it points into a reference-counted block
 * (decompressed, swapped or received through a pipe).  By default a record is valid until the next
 * rt_reader_next().  To keep it longer, or to pass it to another thread, call rt_perf_record_hold()
 * in the reading thread and later rt_perf_record_drop(), in any thread, before rt_reader_close().
 * Both cost nothing for a mapped record.
 *
 * Byte order.  The reader returns records in native order, in the state in which perf has them
 * after its own swap: every field of the layouts in layout.h is native, raw data and user stack
 * bytes are untouched, but inside a SAMPLE and in a sample_id the two halves of a 64-bit word that
 * holds two 32-bit fields are exchanged (rec->swapped says so).  rt_sample_parse() handles this;
 * use it instead of the words.
 *
 * Damage.  The reader returns everything in front of the damage.  Then rt_reader_next() returns a
 * negative errno with a sentence that names the offset, and every later call returns the same.  The
 * reader also returns records of unknown type, which the caller skips, and counts them.
 *
 * This folder: everything from the bytes of a perf.data file or pipe to records in order, events,
 * samples and header features.  May use: base, arch, host, perfdata; zstd, libtraceevent.
 */
#ifndef RT_PERFDATA_READ_READER_H
#define RT_PERFDATA_READ_READER_H

#include "base/error.h"
#include "perfdata/read/event.h"
#include "perfdata/read/feature.h"
#include "perfdata/layout.h"
#include "perfdata/read/note.h"

struct rt_reader;
struct rt_block;
struct tep_handle;

struct rt_perf_record {
	const struct rt_perf_record_header *hdr; /* aligned to 8; hdr->size bytes are readable */
	uint64_t offset; /* in the file or pipe; for a compressed record, that of its container */
	uint64_t time;	 /* 0 or all ones: none */
	const struct rt_perf_event *event; /* the event that defines its layout; NULL if unknown */
	const void *payload;	/* what follows AUXTRACE and TRACING_DATA records, else NULL; */
	uint64_t payload_size;	/* in a pipe, NULL with a size: it was skipped */
	const char *path;	/* its file: differs from the opened one in a directory */
	bool swapped;		/* the file has the other byte order */
	struct rt_block *block; /* keeps it alive; NULL: the mapping */
};

struct rt_reader_options {
	bool unordered;	    /* return records in file order */
	bool time_optional; /* sort even if records other than samples have no time */
	uint64_t queue_max; /* bytes the sorting queue may pin; 0: RT_READER_QUEUE_MAX */
	/* Called before each read from a pipe, which may block; negative: stop reading. */
	int (*before_read)(void *arg, int fd);
	void *before_read_arg;
	bool raw; /* only the header of a raw recording (perfdata/raw.h), which is refused otherwise */
	/*
	 * Only the header is needed: a raw recording with a whole header is not expanded, and has no
	 * records.
	 */
	bool header;
};

#define RT_READER_QUEUE_MAX (512ULL << 20)

struct rt_reader_stats {
	uint64_t records;		      /* returned */
	uint64_t by_type[RT_PERF_RECORD_MAX]; /* [0]: of unknown type */
	uint64_t lost;			      /* sum of LOST records */
	uint64_t lost_samples;		      /* sum of LOST_SAMPLES */
	uint64_t unknown_types;		      /* skipped */
	uint64_t unknown_ids;		      /* samples whose id belongs to no event */
	uint64_t out_of_order;		      /* came after a later time had been returned */
	uint64_t early_flushes;		      /* queue_max was reached: order is best effort */
	uint64_t bytes_read, bytes_total;     /* of the data section; total 0 for a pipe */
};

/*
 * path "-" is standard input.  NULL is standard input if that is a pipe, otherwise perf.data, as in
 * perf.
 */
int rt_reader_open(const char *path, const struct rt_reader_options *opt, struct rt_reader **out,
		   struct rt_err *err);
void rt_reader_close(struct rt_reader *reader);

/*
 * Raw recordings are expanded when they are opened, unless `header` says otherwise, by code above
 * this library that a program names once.  EXPAND returns a descriptor of a perf.data file, or a
 * negative errno; WARNING gets what the user should know of it, if anything.
 */
typedef int (*rt_reader_expand_fn)(const char *path, char *warning, size_t size,
				   struct rt_err *err);
void rt_reader_expand_with(rt_reader_expand_fn expand);

/* Return 1 and *rec, 0 at the end, or a negative errno. */
int rt_reader_next(struct rt_reader *reader, struct rt_perf_record *rec, struct rt_err *err);

/*
 * Problems in the header that do not prevent reading the data: a bad feature section, a data size
 * of 0 (the recording was not closed).  One sentence each, in the order found; NULL if there are no
 * more.
 */
const char *rt_reader_warning(const struct rt_reader *reader, size_t i);

/* Keep a record beyond the next rt_reader_next(), and release it. */
void rt_perf_record_hold(const struct rt_perf_record *rec);
void rt_perf_record_drop(const struct rt_perf_record *rec);

/* A section of the header as it is in the file; NULL if there is none, or in a pipe. */
const void *rt_reader_section(const struct rt_reader *reader, unsigned feature, size_t *size);
/*
 * Of a raw recording: whether it has build-ids, but not where the header says; where an earlier
 * checkpoint has some, whose table of sections begins at TABLE; and reading those.
 */
bool rt_reader_lacks_build_ids(const struct rt_reader *reader);
bool rt_reader_find_build_ids(const struct rt_reader *reader, uint64_t table,
			      struct rt_file_section *where);
int rt_reader_take_build_ids(struct rt_reader *reader, const struct rt_file_section *where);
/* Where the records begin in a file. */
uint64_t rt_reader_data_offset(const struct rt_reader *reader);

const struct rt_perf_events *rt_reader_events(const struct rt_reader *reader);
const struct rt_env *rt_reader_env(const struct rt_reader *reader);
const struct rt_reader_stats *rt_reader_stats(const struct rt_reader *reader);
/* ringtail's notes in the file, as far as it has been read; perf's files have none. */
const struct rt_notes *rt_reader_notes(const struct rt_reader *reader);
const char *rt_reader_path(const struct rt_reader *reader); /* as opened; "-" for stdin */
bool rt_reader_is_pipe(const struct rt_reader *reader);
uint64_t rt_reader_written(const struct rt_reader *reader); /* seconds since 1970; 0: not known */
bool rt_reader_swapped(const struct rt_reader *reader);

/* The kernel's constant text at an address if the file has it, otherwise NULL. */
const char *rt_reader_printk(const struct rt_reader *reader, uint64_t address);

/* perf's name for the record type: "SAMPLE", "MMAP2", …; "UNKNOWN" if unknown. */
const char *rt_perf_record_name(uint32_t type);

/*
 * The string at field inside the record: file names, comms, cgroup paths. "" if no NUL ends it
 * within the record.
 */
const char *rt_perf_record_string(const struct rt_perf_record *rec, const char *field);

#endif
