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
	/* One page of the status tells how large everything is. */
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

void rt_cpuring_drain(struct rt_cpuring *r)
{
	if (r->overwrite)
		r->drain = __atomic_load_n(&r->status->head, __ATOMIC_ACQUIRE);
}

/* Exchange the sub-buffer that was read for the next; false: that was all. */
static bool exchange(struct rt_cpuring *r)
{
	struct rt_take take = { .size = sizeof(take), .cpu = r->cpu };
	const char *sub;

	if (!r->drain || ioctl(r->fd, RT_IOC_TAKE, &take)) {
		r->drain = 0;
		/* What is there is left there: no reason to wake us. */
		__atomic_store_n(&r->control->consumed, r->status->head, __ATOMIC_RELEASE);
		return false;
	}
	/* The writers may have gone on: one more was taken, and has to be read. */
	if (take.seq + 1 >= r->drain)
		r->drain = 0;
	sub = (const char *)r->data + (size_t)take.index * r->status->subbuf_bytes;
	r->open = !rt_subbuf_open(&r->taken, sub, r->status->subbuf_bytes, NULL);
	return true;
}

static bool next_taken(struct rt_cpuring *r)
{
	for (;;) {
		if (r->open && rt_subbuf_next(&r->taken, &r->record))
			return true;
		r->open = false;
		if (!exchange(r))
			return false;
	}
}

const struct rt_record *rt_cpuring_peek(struct rt_cpuring *r)
{
	if (!r->have && r->status) {
		r->have = r->overwrite ? next_taken(r) : rt_live_next(&r->live, &r->record, NULL);
		r->read += r->have;
	}
	return r->have ? &r->record : NULL;
}

void rt_cpuring_take(struct rt_cpuring *r)
{
	r->have = false;
}
