// SPDX-License-Identifier: GPL-2.0
/*
 * Lanes: several threads build samples at once, each in a buffer of its own.  A full buffer goes to the
 * file under the writer's lock; what a lane has counted is added to the writer then.
 */
#include "perfdata/write/internal.h"

#include <errno.h>
#include <stdlib.h>

struct rt_writer *rt_writer_lane_new(struct rt_writer *w)
{
	struct rt_writer *lane = calloc(1, sizeof(*lane));

	if (!lane)
		return NULL;
	lane->parent = w;
	lane->buf = malloc(RT_WRITER_BUFFER);
	if (lane->buf)
		return lane;
	free(lane);
	return NULL;
}

void rt_writer_lane_free(struct rt_writer *lane)
{
	if (!lane)
		return;
	rt_write_counts_free(&lane->counts);
	free(lane->events);
	free(lane->buf);
	free(lane);
}

static int copy_events(struct rt_writer *lane, const struct rt_writer *w)
{
	struct rt_file_event *events = realloc(lane->events, w->event_count * sizeof(*events));
	unsigned int i;

	if (!events)
		return -ENOMEM;
	memcpy(events, w->events, w->event_count * sizeof(*events));
	for (i = 0; i < w->event_count; i++)
		events[i].samples = events[i].lost = 0;
	lane->events = events;
	lane->event_count = w->event_count;
	return 0;
}

int rt_writer_lanes_begin(struct rt_writer *w)
{
	return rt_write_flush(w);
}

int rt_writer_lane_begin(struct rt_writer *lane)
{
	const struct rt_writer *w = lane->parent;

	lane->path = w->path;
	lane->pipe = w->pipe;
	lane->no_build_ids = w->no_build_ids;
	lane->foreign = w->foreign;
	lane->data_maps = w->data_maps;
	lane->file_maps = w->file_maps;
	lane->state = w->state;
	lane->failed = w->failed;
	lane->anonymous = w->anonymous;
	lane->count_threads = w->count_threads;
	lane->floor = w->floor;
	lane->forward = UINT64_MAX;
	return lane->event_count == w->event_count ? w->failed : copy_events(lane, w);
}

/* Add what the lane has learned from its records since the last time. */
static void add_counts(struct rt_writer *w, struct rt_writer *lane)
{
	int i;

	if (lane->stats.samples) {
		if (!w->stats.samples || lane->first_time < w->first_time)
			w->first_time = lane->first_time;
		if (lane->last_time > w->last_time)
			w->last_time = lane->last_time;
		rt_write_forward(w);
	}
	if (lane->newest > w->newest)
		w->newest = lane->newest;
	if (lane->cpus > w->cpus)
		w->cpus = lane->cpus;
	for (i = 0; i < RT_NOTE_CAUSES; i++)
		w->lost[i] += lane->lost[i];
	memset(lane->lost, 0, sizeof(lane->lost));
	w->stats.samples += lane->stats.samples;
	w->stats.bytes += lane->stats.bytes;
	lane->flushed_bytes += lane->stats.bytes;
	w->stats.lost += lane->stats.lost;
	w->stats.lost_places += lane->stats.lost_places;
	w->stats.too_big += lane->stats.too_big;
	w->stats.out_of_order += lane->stats.out_of_order;
	memset(&lane->stats, 0, sizeof(lane->stats));
	lane->first_time = lane->last_time = lane->newest = 0;
	lane->forward = UINT64_MAX;
}

/* Give the lane's buffer to the writer, whose own is empty. */
static void exchange_buffers(struct rt_writer *w, struct rt_writer *lane)
{
	uint8_t *buf = w->buf;

	w->buf = lane->buf;
	lane->buf = buf;
}

int rt_writer_lane_flush(struct rt_writer *lane)
{
	struct rt_writer *w = lane->parent;
	int i;

	pthread_mutex_lock(&w->lock);
	if (!w->failed && lane->used) {
		/* The lane counts its samples from its last flush on. */
		for (i = 0; i < 2; i++)
			w->bound[i] = (struct rt_write_bound){
				lane->bound[i].used, w->flushed_samples + lane->bound[i].samples
			};
		w->used = lane->used;
		exchange_buffers(w, lane);
		add_counts(w, lane);
		rt_write_flush(w);
		exchange_buffers(w, lane);
	} else {
		add_counts(w, lane);
	}
	lane->failed = w->failed;
	pthread_mutex_unlock(&w->lock);
	rt_write_empty(lane);
	return lane->failed;
}

int rt_writer_lane_settle(struct rt_writer *lane)
{
	struct rt_writer *w = lane->parent;
	int ret = lane->used ? rt_writer_lane_flush(lane) : lane->failed;

	if (ret || w->pipe)
		return ret;
	pthread_mutex_lock(&w->lock);
	/* How much the rings hold is not known while others read them. */
	w->pending = 0;
	if (!w->failed)
		rt_write_file_round(w);
	lane->failed = w->failed;
	pthread_mutex_unlock(&w->lock);
	return lane->failed;
}

uint64_t rt_writer_lane_bytes(const struct rt_writer *lane)
{
	return lane->flushed_bytes + lane->stats.bytes;
}

int rt_writer_lane_end(struct rt_writer *lane)
{
	struct rt_writer *w = lane->parent;
	unsigned int i;

	for (i = 0; i < lane->event_count; i++) {
		w->events[i].samples += lane->events[i].samples;
		w->events[i].lost += lane->events[i].lost;
		lane->events[i].samples = lane->events[i].lost = 0;
	}
	return rt_write_counts_move(&w->counts, &lane->counts);
}
