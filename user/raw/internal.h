/* SPDX-License-Identifier: GPL-2.0 */
/* internal.h - what the files of this folder share. */
#ifndef RT_RAW_INTERNAL_H
#define RT_RAW_INTERNAL_H

#include "host/description.h"
#include "perfdata/read/reader.h"
#include "perfdata/write/writer.h"
#include "raw/expand.h"
#include "raw/stream.h"
#include "raw/waiting.h"
#include "raw/walk.h"
#include "record/recording.h"

struct rt_raw_expansion {
	const char *path, *to;	  /* for messages */
	struct rt_reader *reader; /* of the header */
	struct rt_raw_walk walk;
	struct rt_writer_section sections[RT_FEATURE_COUNT];
	struct rt_host_description host;
	enum rt_raw_build_ids build_ids;
	struct rt_recording recording; /* no session but rings, which are the streams */
	struct rt_raw_stream **streams;
	struct rt_raw_waiting waiting;
	uint64_t newest;      /* the latest time of which pieces or notes tell */
	uint64_t side_newest; /* the latest time of what waits */
	uint64_t ordered;     /* all records up to this time were read */
	uint64_t merged;      /* and all up to this time are in the file */
	bool fresh;	      /* something was read since the last round */
	unsigned int idle;    /* rounds since then */
	unsigned int mended;  /* wrong times */
	uint64_t records;     /* of all pieces */
};

/* frame.c: all but the records: events, header, build-ids */
int rt_raw_frame_read(struct rt_raw_expansion *x, struct rt_err *err);
/* Add the events to the writer and begin. */
int rt_raw_frame_write(struct rt_raw_expansion *x, struct rt_err *err);
/* The options of the writer. */
void rt_raw_frame_options(struct rt_raw_expansion *x, struct rt_writer_options *opt);
/* What the records of an event hold: 0, or a negative errno if it is not one of the file's events. */
int rt_raw_frame_event(struct rt_raw_expansion *x, const struct rt_raw_event *event);

/* side.c: take a record of the side-band, and losses; 0 or a negative errno */
int rt_raw_side_take(struct rt_raw_expansion *x, const struct rt_perf_record_header *hdr);
int rt_raw_side_losses(struct rt_raw_expansion *x, const struct rt_perf_record_note *note);
/*
 * A note says which time was the newest, or everything is read that belongs together.  The time of
 * a record that waits and is later must be wrong: the record takes its place in the file.
 */
void rt_raw_side_note(struct rt_raw_expansion *x, const struct rt_perf_record_note *note);
void rt_raw_side_rest(struct rt_raw_expansion *x);
/* Write one whose time has come. */
int rt_raw_side_write(struct rt_raw_expansion *x, const struct rt_raw_wait *wait);

#endif
