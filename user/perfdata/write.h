/* SPDX-License-Identifier: GPL-2.0 */
/*
 * write.h - what the files of the writer share with each other only.
 */
#ifndef RT_PERFDATA_WRITE_H
#define RT_PERFDATA_WRITE_H

#include <string.h>

#include "perfdata/hostinfo.h"
#include "perfdata/section.h"
#include "perfdata/writer.h"

struct rt_write_event {
	char *name;
	struct rt_attr attr; /* as written */
	uint64_t *ids;
	size_t ids_count;
	char *format; /* of a tracepoint */
	uint64_t samples, lost;
	unsigned user_regs, intr_regs; /* how many */
};

/* A file that was mapped, by name; with or without a build-id. */
struct rt_write_dso {
	char *filename;
	struct rt_build_id id;
	bool kernel;
};

struct rt_write_dsos {
	struct rt_write_dso *list; /* in order of appearance */
	size_t count, room;
	uint32_t *slots; /* number in list + 1, open addressing */
	size_t slot_count;
};

enum rt_write_state { RT_WRITE_ADDING, RT_WRITE_RECORDS };

struct rt_writer {
	/* Set when opened. */
	char *path;
	int fd;
	bool pipe, own_fd;
	bool created; /* the file was not there before */
	struct rt_host own_host;
	const struct rt_host *host;
	char **argv;
	uint32_t argc;
	int32_t clockid;
	uint64_t wall_ns, clock_ns, clock_res_ns;
	bool no_build_ids, foreign;
	uint64_t checkpoint_ns;

	/* Filled by add, settled by begin. */
	enum rt_write_state state;
	struct rt_write_event *events;
	unsigned event_count, event_room;
	uint32_t attr_size;
	bool data_maps;				   /* an event has stack bytes */
	uint8_t tracepoints[(UINT16_MAX + 1) / 8]; /* ids that are taken, one bit each */
	uint32_t tracepoint_next;		   /* the next to choose, going down */
	struct rt_section tracing;		   /* TRACING_DATA */

	/* The file (write_file.c) and its buffer. */
	uint8_t *buf;
	size_t used;
	uint64_t pos;	       /* of buf[0] in the file */
	uint64_t data_offset;  /* where records begin */
	uint64_t settled;      /* end of the records that the header on disk tells of */
	uint64_t settled_end;  /* end of what belongs to that state of the file */
	uint64_t settled_word; /* the first of what lies between the two */
	uint64_t settled_at;   /* when it was made, by CLOCK_MONOTONIC */
	struct rt_file_header header;
	struct rt_file_section features[RT_FEATURE_COUNT]; /* as they lie for that state */
	size_t dsos_settled;				   /* how many are in its BUILD_ID */

	/* What the records told. */
	struct rt_write_dsos dsos;
	uint64_t first_time, last_time; /* of samples */
	uint32_t cpus;			/* the highest CPU seen, plus one */
	uint64_t newest;		/* time of the round under way */
	uint64_t floor, next_floor;	/* nothing older than floor may come */
	struct rt_writer_stats stats;

	int failed;
	struct rt_err error;
};

#define RT_WRITE_TRAILER 32 /* bytes of TID TIME CPU IDENTIFIER behind a record */

static inline size_t align8(size_t n)
{
	return (n + 7) & ~(size_t)7;
}

/* Take number i out of a set of bits: was it taken already? */
static inline bool rt_write_take(uint8_t *bits, uint64_t i)
{
	bool was = bits[i / 8] >> (i % 8) & 1;

	bits[i / 8] |= 1 << (i % 8);
	return was;
}

/* write_buffer.c */

/* Room for size bytes at the end of the buffer, not yet counted; NULL after a failure. */
void *rt_write_reserve(struct rt_writer *w, size_t size);
/* What was put there is a record, made at this time (0: none). */
int rt_write_commit(struct rt_writer *w, size_t size, uint64_t time);
/* Newer perf finds fault with a CPU beyond the number that the header tells. */
static inline void rt_write_cpu(struct rt_writer *w, uint32_t cpu)
{
	if (cpu >= w->cpus && cpu != UINT32_MAX)
		w->cpus = cpu + 1;
}

int rt_write_flush(struct rt_writer *w);
/* All of it, at this place of a file or at the end of a pipe; a negative errno otherwise. */
int rt_write_all(struct rt_writer *w, const void *data, size_t size, uint64_t pos);
/* Remember the first failure, with its sentence. */
int rt_write_fail(struct rt_writer *w, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* write_feature.c */

/* Known from the beginning, or only at the end of a recording. */
enum rt_write_when { RT_WRITE_EARLY, RT_WRITE_LATE };

/* Put the content of a feature's section; false: it has none, or not yet. */
bool rt_write_feature(struct rt_writer *w, unsigned feature, enum rt_write_when when,
		      struct rt_section *s);
/* An attr as it goes into the file: attr_size bytes. */
void rt_write_attr(const struct rt_writer *w, const struct rt_write_event *ev,
		   struct rt_section *s);

/* write_record.c: the sum of an event's losses */
int rt_write_lost_samples(struct rt_writer *w, const struct rt_write_event *ev);

/* write_file.c */
int rt_write_file_begin(struct rt_writer *w);
int rt_write_file_round(struct rt_writer *w);
int rt_write_file_end(struct rt_writer *w);

/* write_pipe.c */
int rt_write_pipe_begin(struct rt_writer *w);
int rt_write_pipe_round(struct rt_writer *w);
int rt_write_pipe_build_id(struct rt_writer *w, const struct rt_write_dso *dso);

/* write_tracing.c: TRACING_DATA out of the events' formats */
int rt_write_tracing(struct rt_writer *w, struct rt_err *err);

/* write_dso.c */
struct rt_write_dso *rt_write_dso_find(struct rt_writer *w, const char *filename, bool *fresh);
void rt_write_dsos_free(struct rt_write_dsos *dsos);
/* One entry of the BUILD_ID section, or the record of a pipe. */
void rt_write_dso_entry(const struct rt_write_dso *dso, struct rt_section *s);
/* Read from the file as the process sees it. */
void rt_write_dso_read(struct rt_write_dso *dso, int32_t pid);

#endif
