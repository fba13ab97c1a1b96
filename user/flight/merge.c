// SPDX-License-Identifier: GPL-2.0
/*
 * Read the rings of all CPUs side by side and write their records in the order of time.  One
 * sub-buffer of each ring is in memory at a time.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "flight/internal.h"
#include "image/table.h"
#include "record/expand.h"
#include "record/losses.h"

#define ROUND 4096 /* records between two round records in the file */

struct ring {
	const struct rt_image_subbuf *sub, *end; /* not opened yet */
	void *buffer;
	size_t room;
	struct rt_subbuf_reader reader;
	size_t cut; /* bytes of the opened sub-buffer that are missing */
	bool open, have, lossy;
	struct rt_record record;
	uint64_t seen_lost[RT_LOST_CAUSES], lost[RT_LOST_CAUSES];
	bool seen;
	uint32_t cpu;
	uint8_t kind; /* RT_RING_* */
	struct rt_flight_cpu *told;
};

/* --- one ring -------------------------------------------------------------------- */

/* Of a machine that runs: committed records behind the first one that is being written. */
static uint64_t left_behind(const struct rt_flight *f, const struct ring *g)
{
	uint64_t committed = RT_SUBBUF_RECORDS(g->reader.head->commit);

	if (!f->image->memory->live || g->reader.damaged || committed <= g->reader.records)
		return 0;
	return committed - g->reader.records;
}

static void finish_subbuf(struct rt_flight *f, struct ring *g)
{
	struct rt_flight_found *found = f->found;

	if (g->kind == RT_RING_EVENTS) {
		found->pending += g->reader.pending;
		found->behind += left_behind(f, g);
		found->subbufs_cut += g->reader.damaged || g->cut;
	}
	g->open = false;
}

static void look_at_losses(struct ring *g, const struct rt_subbuf *head)
{
	int i;

	for (i = 0; i < RT_LOST_CAUSES; i++) {
		g->lost[i] = g->seen && head->lost[i] > g->seen_lost[i] ?
				     head->lost[i] - g->seen_lost[i] :
				     0;
		g->lossy |= g->lost[i] != 0;
		g->seen_lost[i] = head->lost[i];
	}
	g->seen = true;
}

static int open_subbuf(struct rt_flight *f, struct ring *g)
{
	const struct rt_image_subbuf *sub = g->sub++;
	void *grown;
	int ret;

	if (sub->bytes > g->room) {
		grown = realloc(g->buffer, sub->bytes);
		if (!grown)
			return -ENOMEM;
		g->buffer = grown;
		g->room = sub->bytes;
	}
	ret = rt_image_load(f->image, sub, g->buffer, &g->reader, &g->cut);
	if (ret == -ESTALE)
		f->found->subbufs_reused++;
	else if (ret)
		f->found->subbufs_missing++;
	else if (g->kind == RT_RING_EVENTS)
		f->found->subbufs++;
	g->open = !ret;
	if (g->open && g->kind == RT_RING_EVENTS)
		look_at_losses(g, g->buffer);
	return 0;
}

/* Make the next record the current one; g->have is false at the end. */
static int advance(struct rt_flight *f, struct ring *g)
{
	int ret = 0;

	g->have = false;
	while (!ret && !g->have) {
		if (g->open) {
			g->have = rt_image_next(f->image, &g->reader, &g->record);
			if (!g->have)
				finish_subbuf(f, g);
		} else if (g->sub < g->end) {
			ret = open_subbuf(f, g);
		} else {
			break;
		}
	}
	return ret;
}

/* --- records --------------------------------------------------------------------- */

static int write_mark(struct rt_flight *f, enum rt_flight_mark mark, uint64_t time, uint32_t cpu,
		      uint32_t tid, const char *text)
{
	char raw[RT_MARK_TEXT] = "";
	struct rt_writer_sample sample = {
		.event = f->mark[mark],
		.misc = RT_MISC_KERNEL,
		.cpu = cpu,
		.tid = tid,
		.pid = rt_tasks_pid(&f->recording.tasks, tid, time),
		.time = time,
		.period = 1,
		.raw = raw,
		.raw_size = sizeof(raw),
		.common = true,
	};

	if (!f->recording.writer || (f->opt->live && mark != RT_FLIGHT_OOPS))
		return 0;
	snprintf(raw, sizeof(raw), "%s", text);
	return rt_writer_sample(f->recording.writer, &sample);
}

/* Write the marks of the machine's failure that are due at TIME. */
static int write_failures(struct rt_flight *f, uint64_t time)
{
	const struct rt_anchor_mark *mark[] = { &f->found->machine.oops, &f->found->machine.panic };
	int i, ret = 0;

	for (i = RT_FLIGHT_OOPS; !ret && i <= RT_FLIGHT_PANIC; i++) {
		if (f->marked[i] || !mark[i]->time || mark[i]->time > time)
			continue;
		f->marked[i] = true;
		ret = write_mark(f, i, mark[i]->time, mark[i]->cpu, mark[i]->tid, mark[i]->text);
	}
	return ret;
}

static bool described(const struct rt_flight *f, const struct rt_record *rec)
{
	return rec->id && rec->id <= f->recording.count && f->recording.events[rec->id - 1].spec;
}

static void tell_record(struct rt_flight *f, struct ring *g)
{
	struct rt_flight_cpu *cpu = g->told;
	const uint32_t *head = g->record.payload;

	f->found->records++;
	if (!cpu->records++)
		cpu->first = g->record.time;
	cpu->last = g->record.time;
	cpu->event = g->record.id;
	cpu->tid = g->record.bytes >= sizeof(*head) ? RT_HEAD_TID(*head) : 0;
}

static int write_losses(struct rt_flight *f, struct ring *g, uint64_t time)
{
	int i;

	g->lossy = false;
	for (i = 0; i < RT_LOST_CAUSES; i++)
		f->found->lost += g->lost[i];
	return f->recording.writer ? rt_losses_tell(&f->recording, g->cpu, time, g->lost) : 0;
}

static int write_event(struct rt_flight *f, struct ring *g)
{
	int ret = write_failures(f, g->record.time);

	if (!ret && g->lossy)
		ret = write_losses(f, g, g->record.time);
	tell_record(f, g);
	if (!described(f, &g->record))
		f->found->unknown++;
	else if (!ret && f->recording.writer)
		ret = rt_expand_event(&f->recording, &g->record, g->cpu);
	return ret;
}

static int write_side(struct rt_flight *f, struct ring *g)
{
	f->found->side_records++;
	return f->recording.writer ? rt_expand_side(&f->recording, &g->record, g->cpu) : 0;
}

static int write_last(struct rt_flight *f, struct ring *g)
{
	struct rt_flight_cpu *cpu = g->told;

	if (g->kind != RT_RING_EVENTS || !cpu->records)
		return 0;
	if (described(f, &g->record))
		snprintf(cpu->event_name, sizeof(cpu->event_name), "%s",
			 f->names[g->record.id - 1]);
	return write_mark(f, RT_FLIGHT_LAST, cpu->last, cpu->cpu, cpu->tid, cpu->event_name);
}

/* Side-band records come first among equals, so that every sample finds its task. */
static struct ring *oldest(struct ring *ring, size_t rings)
{
	struct ring *found = NULL;
	size_t i;

	for (i = 0; i < rings; i++) {
		if (!ring[i].have)
			continue;
		if (!found || ring[i].record.time < found->record.time ||
		    (ring[i].record.time == found->record.time && ring[i].kind > found->kind))
			found = &ring[i];
	}
	return found;
}

/* --- all rings ------------------------------------------------------------------- */

/* Sub-buffers that the ring has but the dump does not, and losses after the last record. */
static int compare_status(struct rt_flight *f, struct ring *g)
{
	struct rt_ring_status status;
	__u64 phys, at, magic;
	uint32_t i;

	if (g->kind != RT_RING_EVENTS ||
	    !rt_image_status(f->image, f->session, g->kind, g->cpu, &status, &phys))
		return 0;
	/* Of a live session only what has records was copied. */
	for (i = 0; !f->opt->live && i < status.areas; i++)
		if (!rt_image_read(f->image, phys + sizeof(status) + i * sizeof(at), &at,
				   sizeof(at)) ||
		    !rt_image_read(f->image, at, &magic, sizeof(magic)))
			f->found->subbufs_missing++;
	f->found->overwritten += status.overwritten;
	for (i = 0; i < RT_LOST_CAUSES; i++) {
		g->lost[i] = g->seen && status.lost[i] > g->seen_lost[i] ?
				     status.lost[i] - g->seen_lost[i] :
				     0;
		g->lossy |= g->lost[i] != 0;
	}
	return g->lossy ? write_losses(f, g, g->told->last) : 0;
}

/* One for each ring and CPU of which there is a sub-buffer. */
static size_t make_rings(struct rt_flight *f, struct ring *ring, size_t rings,
			 struct rt_flight_cpu *cpu)
{
	const struct rt_image_session *s = f->session;
	size_t i, n = 0;

	for (i = 0; i < s->subbufs; i++) {
		const struct rt_image_subbuf *sub = &s->subbuf[i];

		if (!n || ring[n - 1].cpu != sub->cpu || ring[n - 1].kind != sub->ring) {
			if (n == rings)
				break;
			ring[n].sub = sub;
			ring[n].cpu = sub->cpu;
			ring[n].kind = sub->ring;
			if (sub->ring == RT_RING_EVENTS) {
				ring[n].told = &cpu[f->found->cpus++];
				ring[n].told->cpu = sub->cpu;
			}
			n++;
		}
		ring[n - 1].end = sub + 1;
	}
	return n;
}

static int merge(struct rt_flight *f, struct ring *ring, size_t rings)
{
	struct ring *g;
	uint64_t written = 0;
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < rings; i++)
		ret = advance(f, &ring[i]);
	while (!ret && (g = oldest(ring, rings))) {
		ret = g->kind == RT_RING_SIDE ? write_side(f, g) : write_event(f, g);
		if (!ret)
			ret = advance(f, g);
		if (!ret && !g->have)
			ret = write_last(f, g);
		if (!ret && f->recording.writer && ++written % ROUND == 0)
			ret = rt_writer_round(f->recording.writer);
	}
	for (i = 0; !ret && i < rings; i++)
		ret = compare_status(f, &ring[i]);
	return ret ? ret : write_failures(f, UINT64_MAX);
}

int rt_flight_merge(struct rt_flight *f, struct rt_err *err)
{
	struct ring *ring;
	size_t rings = f->session->subbufs, i; /* at most */
	int ret;

	rings = rings < 2 * RT_CPUS_MAX ? rings : 2 * RT_CPUS_MAX;
	ring = calloc(rings + 1, sizeof(*ring));
	f->found->cpu = calloc(rings + 1, sizeof(*f->found->cpu));
	if (!ring || !f->found->cpu) {
		free(ring);
		return rt_err_set(err, ENOMEM, "out of memory");
	}
	rings = make_rings(f, ring, rings, f->found->cpu);
	ret = merge(f, ring, rings);
	for (i = 0; i < rings; i++)
		free(ring[i].buffer);
	free(ring);
	f->found->malformed = f->recording.skipped;
	return ret ? rt_err_set(err, -ret, "cannot write: %s", strerror(-ret)) : 0;
}
