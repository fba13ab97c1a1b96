// SPDX-License-Identifier: GPL-2.0
/* What a flight has recorded so far, and how far back its rings reach. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "agent/pins.h"
#include "agent/session.h"
#include "agent/subbuf.h"
#include "flight/internal.h"
#include "flight/live.h"

/* The rate is that of this time, or of what all rings cover if that is less. */
#define RECENT_NS 10000000000ULL

static int add_counts(int fd, struct rt_flight_state *s, struct rt_err *err)
{
	struct rt_agent_session session = { .fd = fd };
	struct rt_counts counts;
	uint32_t id;
	int ret, i;

	for (id = 1; id <= s->pinned.events; id++) {
		ret = rt_agent_session_counts(&session, id, RT_COUNTS_ALL, &counts, err);
		if (ret)
			return ret;
		s->entered += counts.entered;
		s->written += counts.written;
		s->filtered += counts.filtered;
		for (i = 0; i < RT_LOST_CAUSES; i++)
			s->lost[i] += counts.lost[i];
		s->missed += counts.missed[RT_MISSED_PROBE] + counts.missed[RT_MISSED_INSTANCES];
		s->off_ns += counts.off_ns;
		s->off_times += counts.off_times;
	}
	return 0;
}

/* When the oldest sub-buffer of a ring began; the session's beginning if none was overwritten. */
static int ring_reaches(int fd, const struct rt_ring_status *status, void *room, uint64_t *start)
{
	struct rt_copy copy = { .cpu = status->cpu, .bytes = status->subbuf_bytes };
	uint64_t skip;
	int ret = -ENOENT;

	if (!status->overwritten)
		return 0;
	/* Writers may overwrite the oldest one at any moment: then try the next one, and so on. */
	for (skip = 0; ret == -ENOENT; skip++) {
		copy.to = 0;
		ret = rt_agent_copy(fd, &copy);
		if (ret || copy.oldest + skip > copy.newest)
			return ret;
		copy.seq = copy.oldest + skip;
		copy.to = (uintptr_t)room;
		ret = rt_agent_copy(fd, &copy);
	}
	if (!ret)
		*start = ((const struct rt_subbuf *)room)->start;
	return ret;
}

/* --- the rate ---------------------------------------------------------------------- */

static uint64_t records_since(const void *bytes, uint32_t length, uint64_t since)
{
	struct rt_subbuf_reader r;
	struct rt_record rec;
	uint64_t n = 0;

	if (rt_subbuf_open(&r, bytes, length, NULL))
		return 0;
	while (rt_subbuf_next(&r, &rec))
		n += rec.time >= since;
	return n;
}

/* Count from the newest sub-buffer back to the one that has SINCE. */
static int count_recent(int fd, const struct rt_anchor_part *part, void *room, uint64_t since,
			uint64_t *records)
{
	struct rt_copy copy = { .cpu = part->cpu };
	struct rt_ring_status status;
	uint64_t seq, oldest;
	int ret;

	if (part->kind != RT_PART_STATUS || !part->phys)
		return 0;
	ret = rt_agent_look(fd, part->phys, &status, sizeof(status));
	if (!ret && status.subbuf_bytes <= RT_SUBBUF_BYTES_MAX)
		ret = rt_agent_copy(fd, &copy);
	if (ret)
		return ret;
	oldest = copy.oldest;
	copy.to = (uintptr_t)room;
	copy.bytes = status.subbuf_bytes;
	for (seq = copy.newest + 1; seq-- > oldest;) {
		copy.seq = seq;
		ret = rt_agent_copy(fd, &copy);
		if (ret == -ENOENT)
			continue;
		if (ret)
			return ret;
		*records += records_since(room, status.subbuf_bytes, since);
		if (((const struct rt_subbuf *)room)->start <= since)
			break;
	}
	return 0;
}

static int look_at_rate(int fd, const struct rt_anchor *anchor, void *room,
			struct rt_flight_state *s)
{
	uint32_t i;
	int ret = 0;

	s->recent_ns = s->complete < RECENT_NS ? s->complete : RECENT_NS;
	for (i = 0; !ret && i < anchor->parts; i++)
		ret = count_recent(fd, &anchor->part[i], room, s->pinned.now - s->recent_ns,
				   &s->recent);
	return ret;
}

/* --- how far back ------------------------------------------------------------------ */

static int look_at_ring(int fd, const struct rt_anchor_part *part, void *room,
			struct rt_flight_state *s, uint64_t *complete, uint64_t *oldest)
{
	uint64_t start = s->pinned.since;
	struct rt_ring_status status;
	int ret;

	if (part->kind != RT_PART_STATUS || !part->phys)
		return 0;
	ret = rt_agent_look(fd, part->phys, &status, sizeof(status));
	if (ret || status.subbuf_bytes > RT_SUBBUF_BYTES_MAX)
		return ret;
	s->cpus++;
	s->overwritten += status.overwritten;
	ret = ring_reaches(fd, &status, room, &start);
	if (start > *complete)
		*complete = start;
	if (start < *oldest)
		*oldest = start;
	return ret;
}

static int look_at_rings(int fd, struct rt_flight_state *s)
{
	uint64_t now = s->pinned.now, complete = s->pinned.since, oldest = now;
	struct rt_anchor *anchor;
	void *room;
	uint32_t i;
	int ret = rt_flight_anchor(fd, &anchor);

	if (ret)
		return ret;
	room = malloc(RT_SUBBUF_BYTES_MAX);
	ret = room ? 0 : -ENOMEM;
	for (i = 0; !ret && i < anchor->parts; i++)
		ret = look_at_ring(fd, &anchor->part[i], room, s, &complete, &oldest);
	s->complete = complete < now ? now - complete : 0;
	s->oldest = oldest < now ? now - oldest : 0;
	if (!ret)
		ret = look_at_rate(fd, anchor, room, s);
	free(room);
	free(anchor);
	return ret;
}

int rt_flight_state(int fd, const struct rt_pinned *pinned, struct rt_flight_state *state,
		    struct rt_err *err)
{
	int ret;

	memset(state, 0, sizeof(*state));
	state->pinned = *pinned;
	ret = add_counts(fd, state, err);
	if (ret)
		return ret;
	ret = look_at_rings(fd, state);
	/* The module tells no addresses then, and the rings are found by theirs. */
	state->locked = ret == -EPERM;
	if (state->locked)
		return 0;
	return ret ? rt_err_set(err, -ret, "cannot ask the module about flight '%s': %s",
				pinned->name, strerror(-ret)) :
		     0;
}

/* --- for people -------------------------------------------------------------------- */

static double seconds(uint64_t ns)
{
	return (double)ns / 1e9;
}

static void print_owner(const struct rt_pinned *p, FILE *out)
{
	time_t when = p->since_wall / 1000000000;
	char text[64] = "?";
	struct tm tm;

	if (localtime_r(&when, &tm))
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm);
	fprintf(out, "%s: %s since %s (%.0f s), started by user %u, process ", p->name,
		p->state == RT_PINNED_RECORDING ? "recording" :
		p->state == RT_PINNED_STOPPED	? "stopped, keeps what it has" :
						  "in a state that a newer ringtail knows",
		text, seconds(p->now - p->since), p->uid);
	if (p->pid)
		fprintf(out, "%u ", p->pid);
	fprintf(out, "(%.*s)\n", RT_COMM_LEN, p->comm);
}

/* What the counts alone tell. */
static void print_locked(const struct rt_flight_state *s, uint64_t lost, FILE *out)
{
	fprintf(out,
		"  %u event%s, %" PRIu64 " KB of rings; %" PRIu64 " record%s written, %" PRIu64
		" filtered out, %" PRIu64 " lost\n"
		"  the kernel is locked down: what is in the rings cannot be told or copied\n",
		s->pinned.events, s->pinned.events == 1 ? "" : "s",
		(uint64_t)s->pinned.bytes / 1024, s->written, s->written == 1 ? "" : "s",
		s->filtered, lost);
}

void rt_flight_print_state(const struct rt_flight_state *s, FILE *out)
{
	const struct rt_pinned *p = &s->pinned;
	uint64_t lost = 0;
	int i;

	for (i = 0; i < RT_LOST_CAUSES; i++)
		lost += s->lost[i];
	print_owner(p, out);
	if (s->locked) {
		print_locked(s, lost, out);
		return;
	}
	fprintf(out,
		"  %u event%s on %u CPU%s, rings of %" PRIu64 " KB for each CPU, %" PRIu64
		" KB in all\n",
		p->events, p->events == 1 ? "" : "s", s->cpus, s->cpus == 1 ? "" : "s",
		(uint64_t)p->subbufs * p->subbuf_bytes / 1024, (uint64_t)p->bytes / 1024);
	fprintf(out,
		"  %" PRIu64 " record%s written; %" PRIu64 " in the rings, %" PRIu64
		" overwritten; %" PRIu64 " filtered out, %" PRIu64 " lost\n",
		s->written, s->written == 1 ? "" : "s",
		s->written > s->overwritten ? s->written - s->overwritten : 0, s->overwritten,
		s->filtered, lost);
	fprintf(out, "  %" PRIu64 " record%s in the last %.3f s: %.0f per second\n", s->recent,
		s->recent == 1 ? "" : "s", seconds(s->recent_ns),
		s->recent_ns ? (double)s->recent / seconds(s->recent_ns) : 0.0);
	fprintf(out,
		"  the rings hold everything of the last %.3f s; the oldest record is of %.3f s ago\n",
		seconds(s->complete), seconds(s->oldest));
	if (s->off_times)
		fprintf(out,
			"  watches were off for at most %.3f ms in %" PRIu64
			" pauses, each on one CPU, so that accesses could complete\n",
			(double)s->off_ns / 1e6, s->off_times);
	if (s->missed)
		fprintf(out, "  %" PRIu64 " hit%s that the kernel did not deliver\n", s->missed,
			s->missed == 1 ? "" : "s");
}
