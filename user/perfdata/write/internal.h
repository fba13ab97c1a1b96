/* SPDX-License-Identifier: GPL-2.0 */
/* internal.h - shared only by the files of the writer. */
#ifndef RT_PERFDATA_WRITE_INTERNAL_H
#define RT_PERFDATA_WRITE_INTERNAL_H

#include <pthread.h>
#include <string.h>

#include "base/hash.h"
#include "host/description.h"
#include "perfdata/write/section.h"
#include "perfdata/write/writer.h"

struct rt_file_event {
	char *name, *alias;  /* as in struct rt_writer_event */
	struct rt_attr attr; /* as written */
	uint64_t *ids;
	size_t ids_count;
	char *format; /* of a tracepoint */
	int group;    /* 0: of none */
	uint64_t samples, lost;
	unsigned user_regs, intr_regs; /* how many */
};

/* The name that readers show. */
static inline const char *rt_write_shown(const struct rt_file_event *ev)
{
	return ev->alias ? ev->alias : ev->name;
}

/* A mapped file, by name; with or without a build-id. */
struct rt_write_dso {
	char *filename;
	struct rt_buildid id;
	bool kernel;
};

struct rt_write_dsos {
	struct rt_write_dso *list; /* in order of appearance */
	size_t count, room;
	uint32_t *slots; /* number in list + 1, open addressing */
	size_t slot_count;
};

/* A place in the buffer where a record begins, and the samples before it, of the whole recording. */
struct rt_write_bound {
	size_t used;
	uint64_t samples;
};

/* What a thread had of an event. */
struct rt_write_count {
	int32_t pid, tid;
	uint32_t event;
	uint64_t value;
};

struct rt_write_counts {
	struct rt_write_count *list;
	size_t count, room;
	struct rt_index index; /* by thread and event */
};

enum rt_write_state { RT_WRITE_ADDING, RT_WRITE_RECORDS };

struct rt_writer {
	/* Set by open. */
	char *path;
	int fd;
	bool pipe, own_fd;
	char *target;  /* the file that a link points to */
	char *aside;   /* temporary name until it is published; NULL: none */
	bool nameless; /* has no name until it is published */
	bool held;     /* publish later than begin */
	bool replaces; /* a recording of this name exists */
	struct rt_host_description own_host;
	const struct rt_host_description *host;
	char **argv;
	uint32_t argc;
	int32_t clockid;
	uint64_t wall_ns, clock_ns, clock_res_ns;
	bool no_build_ids, foreign, sync;
	uint64_t checkpoint_ns;
	int (*stalled)(void);
	bool terse, raw, count_threads;
	const struct rt_writer_section *sections; /* as in the options */
	struct rt_pack *pack;			  /* compresses the records; NULL: nothing does */
	bool pack_ended; /* a piece of its stream is missing from the file: no more of it */

	/* Filled by add, settled by begin. */
	enum rt_write_state state;
	struct rt_file_event *events;
	unsigned event_count, event_room;
	uint32_t attr_size;
	bool anonymous;				   /* no record has an id */
	bool file_maps;				   /* an event records stack bytes */
	bool data_maps;				   /* an event records data addresses */
	uint8_t tracepoints[(UINT16_MAX + 1) / 8]; /* ids in use, one bit each */
	uint32_t tracepoint_next;		   /* the next id to choose, counting down */
	struct rt_section tracing;		   /* TRACING_DATA */

	/* The file (file.c) and its buffer. */
	uint8_t *buf;
	size_t used;
	size_t limit; /* fill it up to here, then look (buffer.c); 0: before begin, after a failure */
	struct rt_write_bound bound[2]; /* the last ones, the later one first */
	uint64_t pos;			/* of buf[0] in the file */
	uint64_t data_offset;		/* where records begin */
	uint64_t room;	     /* of each of two places in front of them for another front; 0: none */
	uint64_t front_size; /* what the front takes, at most */
	bool front_stale;    /* events were added since it was written */
	bool front_second;   /* the header points into the second place */
	uint64_t settled_end; /* end of the last checkpoint */
	uint64_t settled_at;  /* its time, by CLOCK_MONOTONIC */
	struct rt_file_header header;
	struct rt_file_section features[RT_FEATURE_COUNT]; /* their positions at that checkpoint */
	size_t dsos_settled;				   /* how many are in its BUILD_ID */

	/* Learned from the records. */
	struct rt_write_dsos dsos;
	uint64_t first_time, last_time; /* of samples */
	uint32_t cpus;			/* the highest CPU seen, plus one */
	uint64_t newest;		/* latest time of other records in the current round */
	uint64_t floor, next_floor;	/* records older than floor are out of order */
	uint64_t forward;		/* a sample of this time or later is in order; see below */
	struct rt_writer_stats stats;
	uint64_t lost[RT_NOTE_CAUSES];
	struct rt_write_counts counts; /* with count_threads */
	uint64_t flushed_samples;      /* samples written from the buffer */
	uint64_t settled_samples;      /* samples at the last checkpoint */
	/*
	 * A position near the end where the file may be cut, and the number of samples before it.
	 */
	uint64_t cut, cut_samples;
	uint64_t piece_cut, piece_cut_samples; /* the next such position, in a raw recording */
	uint64_t torn;	  /* bytes of the buffer written before a write failed */
	uint64_t pending; /* events in the rings */
	uint64_t total;	  /* events that occurred; 0: unknown */

	/* lane.c */
	struct rt_writer *parent; /* of a lane; NULL: this is the writer itself */
	pthread_mutex_t lock;	  /* its lanes flush one after another */
	uint64_t flushed_bytes;	  /* of a lane: those of records that it has flushed */

	int failed;
	struct rt_err error;
};

#define RT_WRITE_RESERVE 16384 /* most that the end of a file on a full disk takes */
#define RT_WRITE_STRIDE	 65536 /* bytes of the buffer between two bounds, about */

static inline size_t align8(size_t n)
{
	return (n + 7) & ~(size_t)7;
}

/* Add number i to a set of bits; return whether it was already in it. */
static inline bool rt_write_take(uint8_t *bits, uint64_t i)
{
	bool was = bits[i / 8] >> (i % 8) & 1;

	bits[i / 8] |= 1 << (i % 8);
	return was;
}

/* buffer.c */

/* Room for size bytes at the end of the buffer, not yet counted; NULL after a failure. */
void *rt_write_make_room(struct rt_writer *w, size_t size);
static inline void *rt_write_reserve(struct rt_writer *w, size_t size)
{
	if (w->used + size <= w->limit)
		return w->buf + w->used;
	return rt_write_make_room(w, size);
}

/* Count the bytes written there as a record of this time (0: none). */
static inline int rt_write_commit(struct rt_writer *w, size_t size, uint64_t time)
{
	w->used += size;
	w->stats.bytes += size;
	if (!time)
		return 0;
	if (time < w->floor)
		w->stats.out_of_order++;
	if (time > w->newest)
		w->newest = time;
	return 0;
}

/* Before the first sample every one needs a look. */
static inline void rt_write_forward(struct rt_writer *w)
{
	w->forward = w->last_time > w->floor ? w->last_time : w->floor;
}

/* The latest time of any record. */
static inline uint64_t rt_write_newest(const struct rt_writer *w)
{
	return w->newest > w->last_time ? w->newest : w->last_time;
}

/* Newer perf rejects a CPU beyond the number in the header. */
static inline void rt_write_cpu(struct rt_writer *w, uint32_t cpu)
{
	if (cpu >= w->cpus && cpu != UINT32_MAX)
		w->cpus = cpu + 1;
}

int rt_write_flush(struct rt_writer *w);
/* Forget what the buffer holds. */
void rt_write_empty(struct rt_writer *w);
/* Write all of it, at this position of a file or at the end of a pipe; 0 or a negative errno. */
int rt_write_all(struct rt_writer *w, const void *data, size_t size, uint64_t pos);
/* Remember the first failure, with its sentence. */
int rt_write_fail(struct rt_writer *w, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Prepend to that sentence how many events are missing from the file, which has so many samples. */
void rt_write_missing(struct rt_writer *w, uint64_t samples);

/* pack.c */

#define RT_PACK_PIECE	   57344 /* bytes of records that become one compressed record */
#define RT_PACK_PIECE_MOST RT_PERF_RECORD_SIZE_MAX

struct rt_pack *rt_pack_new(int level);
void rt_pack_free(struct rt_pack *p);
/* Records as they go to the file: as the caller made them, or compressed. */
struct rt_packed {
	const uint8_t *data;
	size_t size;
};
/* Compress whole records; the result is valid until the next call.  0 or a negative errno. */
int rt_pack_buffer(struct rt_pack *p, const uint8_t *data, size_t size, struct rt_packed *to);
/* How many samples are in a compressed record of the last call, from 0. */
uint32_t rt_pack_samples(const struct rt_pack *p, unsigned int piece);
/* Add the section COMPRESSED. */
void rt_pack_feature(const struct rt_pack *p, struct rt_section *s);

/* event.c: settle ids, formats and attrs, once all events are known */
int rt_write_events_settle(struct rt_writer *w, struct rt_err *err);

/* feature.c */

/* Known from the beginning, or only at the end of a recording. */
enum rt_write_when { RT_WRITE_EARLY, RT_WRITE_LATE };

/* Add the contents of a feature's section; false if it has none, or not yet. */
bool rt_write_feature(struct rt_writer *w, unsigned feature, enum rt_write_when when,
		      struct rt_section *s);
/* Add an attr in the file's format: attr_size bytes. */
void rt_write_attr(const struct rt_writer *w, const struct rt_file_event *ev, struct rt_section *s);

/* note.c */
int rt_write_note(struct rt_writer *w, enum rt_note kind);

/* record.c: one loss; the sum of an event's losses */
int rt_write_lost(struct rt_writer *w, const struct rt_writer_stamp *at,
		  const struct rt_file_event *ev, uint64_t count);
int rt_write_lost_samples(struct rt_writer *w, const struct rt_file_event *ev);

/* record.c: a thread's count */
int rt_write_read(struct rt_writer *w, const struct rt_write_count *count);

/* counts.c: add a count; those of a lane; write all of them; 0 or -ENOMEM */
int rt_write_count(struct rt_write_counts *counts, struct rt_write_count more);
int rt_write_counts_move(struct rt_write_counts *to, struct rt_write_counts *from);
void rt_write_counts_end(struct rt_writer *w);
void rt_write_counts_free(struct rt_write_counts *counts);

/* place.c */
int rt_write_place_open(struct rt_writer *w, struct rt_err *err);
int rt_write_place_publish(struct rt_writer *w);
/* Closes the file and removes it if it was not published. */
void rt_write_place_free(struct rt_writer *w);

/* file.c */
int rt_write_file_begin(struct rt_writer *w);
/* An event was added after begin: -E2BIG if there is no room for it. */
int rt_write_file_grow(struct rt_writer *w, const struct rt_file_event *ev, struct rt_err *err);
bool rt_write_file_due(const struct rt_writer *w);
int rt_write_file_round(struct rt_writer *w);
int rt_write_file_end(struct rt_writer *w);

/* pipe.c */
int rt_write_pipe_begin(struct rt_writer *w);
int rt_write_pipe_round(struct rt_writer *w);
int rt_write_pipe_build_id(struct rt_writer *w, const struct rt_write_dso *dso);

/* tracing.c: make TRACING_DATA from the events' formats */
int rt_write_tracing(struct rt_writer *w, struct rt_err *err);

/* dso.c */
struct rt_write_dso *rt_write_dso_find(struct rt_writer *w, const char *filename, bool *fresh);
void rt_write_dsos_free(struct rt_write_dsos *dsos);
/* Add one entry of the BUILD_ID section, or the record of a pipe. */
void rt_write_dso_entry(const struct rt_write_dso *dso, struct rt_section *s);
/* Read the build-id from the file as the process sees it. */
void rt_write_dso_read(struct rt_write_dso *dso, int32_t pid);

#endif
