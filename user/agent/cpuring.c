// SPDX-License-Identifier: GPL-2.0
#include "agent/cpuring.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

static void *map(int fd, uint32_t cpu, uint32_t part, size_t bytes, int prot)
{
	void *at = mmap(NULL, bytes, prot, MAP_SHARED, fd, RT_MMAP_OFFSET(cpu, part));

	return at == MAP_FAILED ? NULL : at;
}

int rt_cpuring_map(struct rt_cpuring *r, int fd, uint32_t cpu, uint32_t parts, struct rt_err *err)
{
	size_t page = sysconf(_SC_PAGESIZE);
	const struct rt_ring_status *first;
	int saved;

	memset(r, 0, sizeof(*r));
	/* Map one page of the status first; it gives the sizes of all parts. */
	first = map(fd, cpu, parts | RT_MMAP_STATUS, page, PROT_READ);
	if (!first) {
		saved = errno;
		if (saved == ENXIO)
			return -ENXIO;
		return rt_err_set(err, saved, "cannot map the ring of CPU %u: %s", cpu,
				  strerror(saved));
	}
	r->status_bytes = sizeof(*first) + first->areas * sizeof(uint64_t);
	r->status_bytes = (r->status_bytes + page - 1) / page * page;
	r->data_bytes = (size_t)first->areas * first->subbuf_bytes;
	munmap((void *)first, page);

	r->status = map(fd, cpu, parts | RT_MMAP_STATUS, r->status_bytes, PROT_READ);
	r->control = map(fd, cpu, parts | RT_MMAP_CONTROL, page, PROT_READ | PROT_WRITE);
	r->data = map(fd, cpu, parts | RT_MMAP_DATA, r->data_bytes, PROT_READ);
	saved = errno;
	if (r->status && r->control && r->data && r->status->mode == RT_MODE_OVERWRITE) {
		r->overwrite = true;
		r->fd = fd;
		r->cpu = cpu;
		r->next = r->status->subbufs;
		return 0;
	}
	if (r->status && r->control && r->data) {
		int ret =
			rt_live_init(&r->live, r->status, r->control, r->data, r->data_bytes, err);

		if (ret)
			rt_cpuring_unmap(r);
		return ret;
	}
	rt_cpuring_unmap(r);
	return rt_err_set(err, saved, "cannot map the ring of CPU %u: %s", cpu, strerror(saved));
}

void rt_cpuring_unmap(struct rt_cpuring *r)
{
	size_t page = sysconf(_SC_PAGESIZE);

	if (r->status)
		munmap((void *)r->status, r->status_bytes);
	if (r->control)
		munmap(r->control, page);
	if (r->data)
		munmap((void *)r->data, r->data_bytes);
	memset(r, 0, sizeof(*r));
}

static const struct rt_subbuf *area(const struct rt_cpuring *r, uint32_t index)
{
	return (const void *)((const char *)r->data + (size_t)index * r->status->subbuf_bytes);
}

void rt_cpuring_drain(struct rt_cpuring *r)
{
	if (r->overwrite)
		r->drain = __atomic_load_n(&r->status->head, __ATOMIC_ACQUIRE);
	if (r->next >= r->drain)
		r->drain = 0;
}

/* Attribute the losses up to here to the next record. */
static void meet_losses(struct rt_cpuring *r, const uint64_t *so_far)
{
	int i;

	for (i = 0; i < RT_LOST_CAUSES; i++) {
		r->lost[i] += so_far[i] - r->seen_lost[i];
		r->lossy |= so_far[i] != r->seen_lost[i];
		r->seen_lost[i] = so_far[i];
	}
}

/* Exchange the sub-buffer that was read for the next one; false if there is none now. */
static bool exchange(struct rt_cpuring *r)
{
	struct rt_take take = { .size = sizeof(take), .cpu = r->cpu };
	const struct rt_subbuf *sub;

	if (!r->drain) {
		/*
		 * Mark everything as consumed so that the module does not wake us; nothing is read
		 * now.
		 */
		__atomic_store_n(&r->control->consumed, r->status->head, __ATOMIC_RELEASE);
		return false;
	}
	if (ioctl(r->fd, RT_IOC_TAKE, &take)) {
		/* EAGAIN: a writer still writes to the next sub-buffer; try again later. */
		if (errno != EAGAIN)
			r->drain = 0;
		return false;
	}
	r->next = take.seq + 1;
	/* Writers may have moved on, so this may be a later sub-buffer; it must still be read. */
	if (r->next >= r->drain)
		r->drain = 0;
	sub = area(r, take.index);
	r->open = !rt_subbuf_open(&r->taken, sub, r->status->subbuf_bytes, NULL);
	if (r->open)
		meet_losses(r, (const uint64_t *)sub->lost);
	return true;
}

/* Both fill `ahead` from one sub-buffer, so that all of it stays valid, and return the number. */
static unsigned int fill_taken(struct rt_cpuring *r)
{
	unsigned int n = 0;

	for (;;) {
		while (r->open && n < RT_CPURING_AHEAD && rt_subbuf_next(&r->taken, &r->ahead[n]))
			n++;
		if (n)
			return n;
		r->open = false;
		if (!exchange(r))
			return 0;
	}
}

static unsigned int fill_live(struct rt_cpuring *r)
{
	__u64 lost[RT_LOST_CAUSES];
	unsigned int n = rt_live_fill(&r->live, r->ahead, RT_CPURING_AHEAD, lost);
	int i;

	for (i = 0; i < RT_LOST_CAUSES; i++) {
		r->lost[i] += lost[i];
		r->lossy |= lost[i] != 0;
	}
	return n;
}

void rt_cpuring_look(struct rt_cpuring *r)
{
	if (r->at < r->count || !(r->status || r->fill))
		return;
	r->at = 0;
	r->count = r->fill ? r->fill(r) : r->overwrite ? fill_taken(r) : fill_live(r);
}

const struct rt_record *rt_cpuring_peek(struct rt_cpuring *r)
{
	rt_cpuring_look(r);
	return rt_cpuring_found(r);
}

static unsigned int find_taken(struct rt_cpuring *r, struct rt_live_piece *p)
{
	const struct rt_subbuf *sub;

	for (;; r->open = false) {
		if (!r->open && !exchange(r))
			return 0;
		if (r->open && RT_SUBBUF_RECORDS(r->taken.head->commit))
			break;
	}
	sub = r->taken.head;
	*p = (struct rt_live_piece){
		.sub = sub,
		.seq = r->taken.seq,
		.start = r->taken.start,
		.last = rt_subbuf_last(&r->taken),
		.records = RT_SUBBUF_RECORDS(sub->commit),
		.to = sub->bytes,
		.lossy = r->lossy,
	};
	memcpy(p->lost, r->lost, sizeof(p->lost));
	r->found = p->records;
	return 1;
}

unsigned int rt_cpuring_find_pieces(struct rt_cpuring *r, bool open, struct rt_live_piece *p,
				    unsigned int max)
{
	unsigned int n = 0;

	if (!r->status)
		return 0;
	if (r->overwrite)
		return find_taken(r, p);
	r->behind = r->live;
	for (r->found = 0; n < max && rt_live_next_piece(&r->behind, open, &p[n]); n++)
		r->found += p[n].records;
	/* There may have been sub-buffers without records. */
	if (!n && r->behind.seq != r->live.seq)
		rt_cpuring_take_pieces(r);
	return n;
}

void rt_cpuring_take_pieces(struct rt_cpuring *r)
{
	r->read += r->found;
	if (!r->overwrite) {
		r->live = r->behind;
		rt_live_give_back(&r->live);
		return;
	}
	r->open = false;
	memset(r->lost, 0, sizeof(r->lost));
	r->lossy = false;
}

bool rt_cpuring_has_more(const struct rt_cpuring *r)
{
	return r->status && !r->overwrite && rt_live_has_more(&r->live);
}

uint64_t rt_cpuring_backlog(const struct rt_cpuring *r)
{
	uint64_t head, read;

	if (!r->status || r->overwrite)
		return 0;
	/* Another thread may read the ring meanwhile. */
	head = __atomic_load_n(&r->status->head, __ATOMIC_RELAXED);
	read = __atomic_load_n(&r->control->consumed, __ATOMIC_RELAXED);
	return head > read ? head - read : 0;
}

uint64_t rt_cpuring_growth(struct rt_cpuring *r)
{
	uint64_t head, before = r->before;

	if (!r->status || r->overwrite)
		return 0;
	head = __atomic_load_n(&r->status->head, __ATOMIC_RELAXED);
	r->before = head;
	return head - before;
}

uint64_t rt_cpuring_oldest(const struct rt_cpuring *r)
{
	uint64_t oldest = UINT64_MAX, start;
	uint32_t i;

	/* A time read while its sub-buffer is overwritten is the old one, or later than all others. */
	for (i = 0; r->status && r->overwrite && i < r->status->areas; i++) {
		start = __atomic_load_n(&area(r, i)->start, __ATOMIC_RELAXED);
		/* 0: never used. */
		if (start && start < oldest)
			oldest = start;
	}
	return oldest;
}

uint64_t rt_cpuring_pending(const struct rt_cpuring *r)
{
	uint64_t pending = r->count - r->at, from, seq, records;
	const struct rt_subbuf *sub;
	uint32_t i;

	if (!r->status)
		return 0;
	/* What is left of the sub-buffer that was taken out. */
	if (r->overwrite && r->open)
		pending += RT_SUBBUF_RECORDS(r->taken.head->commit) - r->taken.records;
	from = r->overwrite ? r->next : r->live.seq;
	for (i = 0; i < r->status->areas; i++) {
		sub = area(r, i);
		seq = __atomic_load_n(&sub->seq, __ATOMIC_ACQUIRE); /* A */
		if (seq == RT_SEQ_NONE || seq < from)
			continue;
		records = RT_SUBBUF_RECORDS(__atomic_load_n(&sub->commit, __ATOMIC_RELAXED));
		pending += records;
		if (!r->overwrite && r->live.open && seq == from)
			pending -= r->live.r.records < records ? r->live.r.records : records;
	}
	return pending;
}

bool rt_cpuring_lost_since(const struct rt_cpuring *r, uint64_t lost[RT_LOST_CAUSES])
{
	const __u64 *seen = r->overwrite ? (const __u64 *)r->seen_lost : r->live.lost;
	uint64_t so_far;
	bool any = false;
	int i;

	for (i = 0; r->status && i < RT_LOST_CAUSES; i++) {
		so_far = __atomic_load_n(&r->status->lost[i], __ATOMIC_RELAXED);
		/* Include losses that were seen but have no record yet that carries them. */
		lost[i] = so_far - seen[i] + (rt_cpuring_found(r) ? 0 : r->lost[i]);
		any |= lost[i] != 0;
	}
	return any;
}
