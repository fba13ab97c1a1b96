/* SPDX-License-Identifier: GPL-2.0 */
/*
 * internal.h - what the files of this library share with each other only.
 */
#ifndef RT_PERFDATA_INTERNAL_H
#define RT_PERFDATA_INTERNAL_H

#include <endian.h>
#include <stdarg.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "perfdata/block.h"
#include "perfdata/event.h"
#include "perfdata/feature.h"
#include "perfdata/layout.h"
#include "perfdata/queue.h"
#include "perfdata/reader.h"
#include "perfdata/vet.h"
#include "perfdata/sample.h"

static inline uint64_t load64(const void *p, bool swap)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return swap ? __builtin_bswap64(v) : v;
}

static inline uint32_t load32(const void *p, bool swap)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return swap ? __builtin_bswap32(v) : v;
}

static inline struct rt_record_header load_header(const void *p, bool swap)
{
	struct rt_record_header h;

	memcpy(&h, p, sizeof(h));
	if (swap) {
		h.type = __builtin_bswap32(h.type);
		h.misc = __builtin_bswap16(h.misc);
		h.size = __builtin_bswap16(h.size);
	}
	return h;
}

/* Bytes to be taken one value after the other, never beyond their end. */
struct rt_cursor {
	const uint8_t *pos, *end;
	bool swap;
	bool failed; /* something was asked for that is not there: all after it is 0 */
};

uint32_t rt_cursor_u32(struct rt_cursor *c);
uint64_t rt_cursor_u64(struct rt_cursor *c);
const void *rt_cursor_bytes(struct rt_cursor *c, uint64_t size);
const char *rt_cursor_string(struct rt_cursor *c, struct rt_arena *arena);
/* A count of things that take at least size bytes each: 0 and failed when they cannot fit. */
uint32_t rt_cursor_count(struct rt_cursor *c, size_t size);

/* A stretch of records in memory: the mapped data, or a block. */
struct rt_span {
	const uint8_t *pos, *end;
	struct rt_block *block; /* NULL: mapped */
	uint64_t offset;	/* of pos in the file; of the compressed record when packed */
	bool packed;
};

/* One file of records: the only one, one of a directory's, or the pipe. */
struct rt_source {
	char *path;
	int fd;
	uint8_t *map;
	size_t map_size;
	size_t given_back; /* bytes at the front whose pages were let go */
	struct rt_span span;
	struct rt_unpack *unpack; /* made when the first compressed record is met */
	bool pipe, eof, done;
	uint64_t missing; /* bytes the header promises beyond the end of the file */
	uint64_t turn;	  /* bytes walked since this file's turn began */
};

#define RT_SOURCES_MAX	4096
#define RT_WARNINGS_MAX 16
#define RT_MAP_KEEP	(16UL << 20) /* behind the walk; a power of two, whole pages */
#define RT_PIPE_BLOCK	(256 * 1024)
#define RT_PAYLOAD_MAX	(1ULL << 30) /* of tracing data through a pipe */
#define RT_TURN_MAX	(2 * 1024 * 1024)
#define RT_SWAP_BLOCK	(256 * 1024)

struct rt_reader {
	char *path;
	struct rt_reader_options opt;
	bool pipe, swapped, ordered;

	struct rt_source *sources;
	size_t source_count, source_now;

	struct rt_file_header header;
	uint64_t header_mtime;
	unsigned header_version;
	struct rt_arena arena; /* of env and events */
	struct rt_events events;
	struct rt_env env;
	char *warnings[RT_WARNINGS_MAX];
	size_t warning_count;

	struct tep_handle *tep;
	struct rt_vet tracing_vet; /* which of the formats are not to be parsed */
	const void *tracing;	   /* the bytes it was made of */
	size_t tracing_size;
	bool tracing_owned;

	struct rt_queue queue;
	bool flushing, final, round_due;
	enum rt_flush flush; /* the kind under way */
	int failed;	     /* errno to return after everything has been handed out */
	struct rt_err error;

	struct rt_block *scratch; /* swapped and realigned records go here */
	struct rt_block *lent;	  /* keeps the record last handed out */
	struct rt_reader_stats stats;
};

/* reader.c */
int rt_reader_fail(struct rt_reader *r, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void rt_reader_warn(struct rt_reader *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* file.c: opening, mapping; header.c: the header of a file */
int rt_sources_open(struct rt_reader *r, struct rt_err *err);
void rt_sources_close(struct rt_reader *r);
int rt_header_read(struct rt_reader *r, struct rt_err *err);

/* source.c: the next record as it lies, 1, 0 at the end, or a negative errno (rt_reader_fail) */
struct rt_raw {
	const uint8_t *data;
	struct rt_record_header hdr; /* native */
	struct rt_block *block;
	uint64_t offset;
	bool packed;
	const void *payload; /* what follows the record and is not part of it */
	uint64_t payload_size;
	struct rt_source *source;
};

int rt_source_next(struct rt_reader *r, struct rt_source *src, struct rt_raw *raw);

/* stretch.c: queue the samples that lie behind the one queued last, as far as they are in order */
void rt_stretch(struct rt_reader *r, struct rt_source *src);

/* unpack.c: the records inside compressed ones */
struct rt_unpack *rt_unpack_new(void);
void rt_unpack_free(struct rt_unpack *u);
/* Give it the bytes of a compressed record; the block, or the mapping, keeps them. */
void rt_unpack_feed(struct rt_unpack *u, const void *data, size_t size, struct rt_block *block,
		    uint64_t offset);
/* Have need bytes in the span: 1; 0 when the input is used up first; or a negative errno. */
int rt_unpack_need(struct rt_unpack *u, size_t need, struct rt_err *err);
struct rt_span *rt_unpack_span(struct rt_unpack *u);

/* attr.c */
int rt_attr_read(const void *data, size_t size, bool swap, struct rt_attr *attr);
struct rt_event *rt_events_add(struct rt_reader *r, const struct rt_attr *attr);
int rt_events_add_id(struct rt_reader *r, struct rt_event *event, uint64_t id);
void rt_events_free(struct rt_reader *r);
/* The event a record belongs to as it lies in the file, before any swap. */
struct rt_event *rt_events_of(const struct rt_events *events, const void *data,
			      const struct rt_record_header *h, bool swap);
/* 1 and its time, 0 when it has none, -EFAULT when it is too short. */
int rt_events_time(const struct rt_events *events, const void *data,
		   const struct rt_record_header *h, bool swap, uint64_t *time);

/* event_name.c */
void rt_attr_name(const struct rt_attr *attr, char *buf, size_t size);

/* feature.c, feature_machine.c */
int rt_feature_read(struct rt_reader *r, unsigned feature, const void *data, size_t size);
bool rt_feature_has_data(unsigned feature); /* or is it just there? */
typedef int (*rt_feature_fn)(struct rt_reader *r, struct rt_cursor *c);
int rt_feature_cpu_topology(struct rt_reader *r, struct rt_cursor *c);
int rt_feature_numa_topology(struct rt_reader *r, struct rt_cursor *c);
int rt_feature_cache(struct rt_reader *r, struct rt_cursor *c);
int rt_feature_mem_topology(struct rt_reader *r, struct rt_cursor *c);
int rt_feature_pmu_mappings(struct rt_reader *r, struct rt_cursor *c);
int rt_feature_cpu_pmu_caps(struct rt_reader *r, struct rt_cursor *c);
int rt_feature_pmu_caps(struct rt_reader *r, struct rt_cursor *c);
int rt_feature_hybrid_topology(struct rt_reader *r, struct rt_cursor *c);
int rt_feature_bpf_prog_info(struct rt_reader *r, struct rt_cursor *c);
int rt_feature_bpf_btf(struct rt_reader *r, struct rt_cursor *c);
int rt_feature_build_id(struct rt_reader *r, struct rt_cursor *c);

/* build_id.c */
int rt_build_id_add(struct rt_reader *r, const struct rt_build_id_entry *entry);

/* swap.c */
void rt_swap_record(const struct rt_event *event, uint8_t *data, const struct rt_record_header *h);

/* sample.c */
enum rt_raw_state { RT_RAW_AS_SWAPPED, RT_RAW_RESTORED };
int rt_sample_take(const struct rt_record *rec, struct rt_sample *s, enum rt_raw_state raw,
		   struct rt_err *err);

/* record.c */
size_t rt_record_min_size(uint32_t type);
bool rt_record_known(uint32_t type);

/* meta.c: records that tell of the recording */
int rt_meta_take(struct rt_reader *r, const struct rt_record *rec);

/* tracing.c */
int rt_tracing_read(struct rt_reader *r, const void *data, size_t size);
void rt_tracing_link(struct rt_reader *r);
void rt_tracing_free(struct rt_reader *r);

#endif
