/* SPDX-License-Identifier: GPL-2.0 */
/* internal.h - what the files of this folder share. */
#ifndef RT_FLIGHT_INTERNAL_H
#define RT_FLIGHT_INTERNAL_H

#include "flight/extract.h"
#include "host/description.h"
#include "record/recording.h"

/* Events that extracting adds to the file. */
enum rt_flight_mark { RT_FLIGHT_OOPS, RT_FLIGHT_PANIC, RT_FLIGHT_LAST, RT_FLIGHT_MARKS };

struct rt_flight {
	const struct rt_image *image;
	const struct rt_image_session *session;
	const struct rt_flight_options *opt;
	struct rt_flight_found *found;
	struct rt_host_description host; /* the writer refers to it */
	struct rt_recording recording;	 /* no session, no rings: the writer and the events */
	struct rt_event_spec *specs;	 /* of recording.events */
	char **names;
	bool addresses;		      /* of data, in all samples */
	int mark[RT_FLIGHT_MARKS];    /* their numbers in the file */
	bool marked[RT_FLIGHT_MARKS]; /* written */
};

/* Read the anchor of a session of this machine; the caller frees it.  0 or a negative errno. */
int rt_flight_anchor(int fd, struct rt_anchor **anchor);

/* Add the events that the image describes, and the marks, to the file. */
int rt_flight_add_events(struct rt_flight *f, struct rt_err *err);
void rt_flight_free_events(struct rt_flight *f);

/* Write the kernel, its modules and its tasks. */
int rt_flight_write_machine(struct rt_flight *f, struct rt_err *err);

/* Read all rings and write their records in the order of time. */
int rt_flight_merge(struct rt_flight *f, struct rt_err *err);

#endif
