/* SPDX-License-Identifier: GPL-2.0 */
/* internal.h - shared only by the files of this library. */
#ifndef RT_PERFDATA_READ_INTERNAL_H
#define RT_PERFDATA_READ_INTERNAL_H

#include <endian.h>
#include <stdarg.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "perfdata/read/block.h"
#include "perfdata/read/event.h"
#include "perfdata/read/feature.h"
#include "perfdata/layout.h"
#include "perfdata/read/queue.h"
#include "perfdata/read/reader.h"
#include "perfdata/read/vet.h"
#include "perfdata/read/sample.h"

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

static inline struct rt_perf_record_header load_header(const void *p, bool swap)
{
	struct rt_perf_record_header h;

	memcpy(&h, p, sizeof(h));
	if (swap) {
		h.type = __builtin_bswap32(h.type);
		h.misc = __builtin_bswap16(h.misc);
		h.size = __builtin_bswap16(h.size);
	}
	return h;
}

/* Bytes to read value by value, never beyond their end. */
struct rt_cursor {
	const uint8_t *pos, *end;
	bool swap;
	bool failed; /* a value beyond the end was read: it and all later ones are 0 */
};

uint32_t rt_cursor_u32(struct rt_cursor *c);
uint64_t rt_cursor_u64(struct rt_cursor *c);
const void *rt_cursor_bytes(struct rt_cursor *c, uint64_t size);
const char *rt_cursor_string(struct rt_cursor *c, struct rt_arena *arena);
/* Read a count of items of at least size bytes each; 0 and failed if they cannot fit. */
uint32_t rt_cursor_count(struct rt_cursor *c, size_t size);

/* A range of records in memory: the mapped data, or a block. */
struct rt_span {
	const uint8_t *pos, *end;
	struct rt_block *block; /* NULL: mapped */
	uint64_t offset;	/* of pos in the file; if packed, of the compressed record */
	bool packed;
};

/* One file of records: the only one, one of a directory, or the pipe. */
struct rt_data_file {
	char *path;
	int fd;
	uint8_t *map;
	size_t map_size;
	size_t given_back; /* bytes at the front whose pages were released */
	struct rt_span span;
	struct rt_unpack *unpack; /* made for the first compressed record */
	bool pipe, eof, done;
	uint64_t missing; /* bytes that the header promises beyond the end of the file */
	uint64_t turn;	  /* bytes read since this file's turn began */
};

#define RT_DATA_FILES_MAX 4096
#define RT_WARNINGS_MAX	  16
#define RT_MAP_KEEP	  (16UL << 20) /* bytes behind the position; a power of two */
#define RT_PIPE_BLOCK	  (256 * 1024)
#define RT_PAYLOAD_MAX	  (1ULL << 30) /* of tracing data from a pipe */
#define RT_TURN_MAX	  (2 * 1024 * 1024)
#define RT_SWAP_BLOCK	  (256 * 1024)

struct rt_reader {
	char *path;
	struct rt_reader_options opt;
	bool pipe, swapped, ordered;
	bool unexpanded; /* a raw recording, of which only the header is read */

	struct rt_data_file *sources;
	size_t source_count, source_now;

	struct rt_file_header header;
	uint64_t header_mtime;
	uint64_t table; /* where the features of a file are */
	bool lacks_build_ids;
	unsigned header_version;
	struct rt_arena arena; /* for env and events */
	struct rt_perf_events events;
	struct rt_env env;
	char *warnings[RT_WARNINGS_MAX];
	size_t warning_count;

	struct tep_handle *tep;
	struct rt_vet tracing_vet; /* formats that must not be parsed */
	const void *tracing;	   /* the bytes from which it was made */
	size_t tracing_size;
	bool tracing_owned;
	struct rt_printk {
		uint64_t address;
		char *text;
	} * printk; /* sorted by address */
	size_t printks;

	struct rt_queue queue;
	bool flushing, final, round_due;
	enum rt_flush flush; /* the current kind */
	int failed;	     /* errno to return after everything has been returned */
	struct rt_err error;

	struct rt_block *scratch; /* for swapped and realigned records */
	struct rt_block *lent;	  /* holds the record returned last */
	struct rt_reader_stats stats;
	struct rt_notes notes;
};

/* reader.c */
int rt_reader_fail(struct rt_reader *r, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void rt_reader_warn(struct rt_reader *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* file.c: opening, mapping; header.c: the header of a file */
int rt_data_files_open(struct rt_reader *r, struct rt_err *err);
void rt_data_files_close(struct rt_reader *r);
int rt_header_read(struct rt_reader *r, struct rt_err *err);

/* magic.c: 0 if the file can be read; find out its byte order and the version of its header */
int rt_magic_check(struct rt_reader *r, const struct rt_file_header *h, struct rt_err *err);

/*
 * data_file.c: get the next record in file order; 1, 0 at the end, or a negative errno
 * (rt_reader_fail)
 */
struct rt_raw {
	const uint8_t *data;
	struct rt_perf_record_header hdr; /* native */
	struct rt_block *block;
	uint64_t offset;
	bool packed;
	const void *payload; /* data that follows the record and is not part of it */
	uint64_t payload_size;
	struct rt_data_file *source;
};

int rt_data_file_next(struct rt_reader *r, struct rt_data_file *src, struct rt_raw *raw);

/* stretch.c: queue the samples behind the one queued last, as long as they are in order */
void rt_stretch(struct rt_reader *r, struct rt_data_file *src);

/* unpack.c: the records inside compressed ones */
struct rt_unpack *rt_unpack_new(void);
void rt_unpack_free(struct rt_unpack *u);
/* Pass the bytes of a compressed record; the block, or the mapping, keeps them alive. */
void rt_unpack_feed(struct rt_unpack *u, const void *data, size_t size, struct rt_block *block,
		    uint64_t offset);
/* Make need bytes available in the span; 1, 0 if the input ends first, or a negative errno. */
int rt_unpack_need(struct rt_unpack *u, size_t need, struct rt_err *err);
struct rt_span *rt_unpack_span(struct rt_unpack *u);

/* attr.c */
int rt_attr_read(const void *data, size_t size, bool swap, struct rt_attr *attr);
struct rt_perf_event *rt_perf_events_add(struct rt_reader *r, const struct rt_attr *attr);
int rt_perf_events_add_id(struct rt_reader *r, struct rt_perf_event *event, uint64_t id);
void rt_perf_events_free(struct rt_reader *r);
/* Find the event of a record in file byte order, before any swap. */
struct rt_perf_event *rt_perf_events_of(const struct rt_perf_events *events, const void *data,
					const struct rt_perf_record_header *h, bool swap);
/* Return 1 and its time, 0 if it has none, -EFAULT if it is too short. */
int rt_perf_events_time(const struct rt_perf_events *events, const void *data,
			const struct rt_perf_record_header *h, bool swap, uint64_t *time);

/* section.c: where the table of features is; 0: there is none */
uint64_t rt_section_table(struct rt_reader *r);
/* Whether a file of this size, of this byte order, has everything to which its header points. */
bool rt_sections_are_whole(int fd, uint64_t size);

/* event_name.c */
void rt_attr_name(const struct rt_attr *attr, char *buf, size_t size);

/* feature.c, feature_machine.c */
int rt_feature_read(struct rt_reader *r, unsigned feature, const void *data, size_t size);
bool rt_feature_has_data(unsigned feature); /* false: its presence is all it says */
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
void rt_swap_record(const struct rt_perf_event *event, uint8_t *data,
		    const struct rt_perf_record_header *h);

/* sample.c */
enum rt_raw_state { RT_RAW_AS_SWAPPED, RT_RAW_RESTORED };
int rt_sample_take(const struct rt_perf_record *rec, struct rt_sample *s, enum rt_raw_state raw,
		   struct rt_err *err);

/* record.c */
size_t rt_perf_record_min_size(uint32_t type);
bool rt_perf_record_known(uint32_t type);

/* meta.c: records that describe the recording */
int rt_meta_take(struct rt_reader *r, const struct rt_perf_record *rec);

/* tracing.c */
int rt_tracing_read(struct rt_reader *r, const void *data, size_t size);
void rt_tracing_link(struct rt_reader *r);
void rt_tracing_free(struct rt_reader *r);

#endif
