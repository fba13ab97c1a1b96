// SPDX-License-Identifier: GPL-2.0
/*
 * All records except samples: a fixed part, perhaps a name, and the trailer with task, time, CPU
 * and event (sample_id_all).
 */
#include "perfdata/write/internal.h"

#include <errno.h>
#include <limits.h>
#include <sys/mman.h>
#include <unistd.h>

struct trailer { /* TID TIME CPU, and IDENTIFIER unless the recording has no ids */
	int32_t pid, tid;
	uint64_t time;
	uint32_t cpu, reserved;
	uint64_t id;
};

/* Write BODY, which begins with the header, and behind it NAME (NULL: none); complete both here. */
static int put(struct rt_writer *w, const struct rt_writer_stamp *at, uint64_t id, const void *body,
	       size_t body_size, const char *name, size_t name_max)
{
	size_t len = name ? strnlen(name, name_max - 1) : 0;
	size_t name_size = name ? align8(len + 1) : 0;
	size_t trailer_size = sizeof(struct trailer) - (w->anonymous ? sizeof(uint64_t) : 0);
	size_t size = body_size + name_size + trailer_size;
	struct rt_perf_record_header *hdr;
	struct trailer trailer = { 0 };
	uint8_t *to;

	to = rt_write_reserve(w, size);
	if (!to)
		return w->failed;
	memcpy(to, body, body_size);
	hdr = (struct rt_perf_record_header *)to;
	hdr->size = size;
	to += body_size;
	if (name) {
		memset(to + len, 0, name_size - len);
		memcpy(to, name, len);
		to += name_size;
	}
	if (at) {
		trailer.pid = at->pid;
		trailer.tid = at->tid;
		trailer.time = at->time;
		trailer.cpu = at->cpu;
		rt_write_cpu(w, at->cpu);
		trailer.id = id ? id : w->events[0].ids[0];
	}
	memcpy(to, &trailer, trailer_size);
	return rt_write_commit(w, size, at ? at->time : 0);
}

int rt_writer_comm(struct rt_writer *w, const struct rt_writer_stamp *at, int32_t pid, int32_t tid,
		   const char *comm, bool exec)
{
	struct rt_perf_record_comm rec = {
		.hdr = { .type = RT_PERF_RECORD_COMM, .misc = exec ? RT_MISC_COMM_EXEC : 0 },
		.pid = pid,
		.tid = tid,
	};

	return put(w, at, 0, &rec, sizeof(rec), comm, RT_PERF_COMM_LEN);
}

static int put_task(struct rt_writer *w, const struct rt_writer_stamp *at, uint32_t type,
		    uint16_t misc, int32_t pid, int32_t ppid, int32_t tid, int32_t ptid)
{
	struct rt_perf_record_task rec = {
		.hdr = { .type = type, .misc = misc },
		.pid = pid,
		.ppid = ppid,
		.tid = tid,
		.ptid = ptid,
		.time = at ? at->time : 0,
	};

	return put(w, at, 0, &rec, sizeof(rec), NULL, 0);
}

int rt_writer_fork(struct rt_writer *w, const struct rt_writer_stamp *at, int32_t pid, int32_t ppid,
		   int32_t tid, int32_t ptid)
{
	/* The maps of an existing task are known, so it must not inherit its parent's. */
	return put_task(w, at, RT_PERF_RECORD_FORK, at ? 0 : RT_MISC_FORK_EXEC, pid, ppid, tid,
			ptid);
}

int rt_writer_exit(struct rt_writer *w, const struct rt_writer_stamp *at, int32_t pid, int32_t ppid,
		   int32_t tid, int32_t ptid)
{
	return put_task(w, at, RT_PERF_RECORD_EXIT, 0, pid, ppid, tid, ptid);
}

int rt_writer_map(struct rt_writer *w, const struct rt_writer_stamp *at,
		  const struct rt_writer_map *map)
{
	struct rt_perf_record_mmap2 rec = {
		.hdr = { .type = RT_PERF_RECORD_MMAP2, .misc = RT_MISC_USER },
		.pid = map->pid,
		.tid = map->tid,
		.start = map->start,
		.len = map->len,
		.pgoff = map->pgoff,
		.prot = map->prot,
		.flags = map->flags,
	};
	struct rt_write_dso *dso;
	bool fresh;

	if (!(map->prot & PROT_EXEC))
		rec.hdr.misc |= RT_MISC_MMAP_DATA;
	rec.maj = map->maj;
	rec.min = map->min;
	rec.ino = map->ino;
	rec.ino_generation = map->ino_generation;

	if (!w->no_build_ids && map->prot & PROT_EXEC && map->filename[0] == '/' &&
	    map->filename[1] != '/') {
		dso = rt_write_dso_find(w->parent ? w->parent : w, map->filename, &fresh);
		if (dso && fresh) {
			rt_write_dso_read(dso, map->pid);
			if (w->pipe && dso->id.len)
				rt_write_pipe_build_id(w, dso);
		}
	}
	return put(w, at, 0, &rec, sizeof(rec), map->filename, PATH_MAX);
}

int rt_writer_kernel_map(struct rt_writer *w, const struct rt_writer_stamp *at, uint64_t start,
			 uint64_t len, uint64_t pgoff, const char *filename)
{
	struct rt_perf_record_mmap rec = {
		.hdr = { .type = RT_PERF_RECORD_MMAP, .misc = RT_MISC_KERNEL },
		.pid = -1, /* perf identifies the host's kernel by this */
		.start = start,
		.len = len,
		.pgoff = pgoff,
	};

	return put(w, at, 0, &rec, sizeof(rec), filename, PATH_MAX);
}

int rt_writer_ksymbol(struct rt_writer *w, const struct rt_writer_stamp *at, uint64_t addr,
		      uint32_t len, uint16_t type, bool gone, const char *name)
{
	struct rt_perf_record_ksymbol rec = {
		.hdr = { .type = RT_PERF_RECORD_KSYMBOL },
		.addr = addr,
		.len = len,
		.ksym_type = type,
		.flags = gone,
	};

	return put(w, at, 0, &rec, sizeof(rec), name, 256);
}

int rt_write_lost(struct rt_writer *w, const struct rt_writer_stamp *at,
		  const struct rt_file_event *ev, uint64_t count)
{
	struct rt_perf_record_lost rec = { .hdr = { .type = RT_PERF_RECORD_LOST },
					   .id = ev->ids[0],
					   .lost = count };

	return put(w, at, rec.id, &rec, sizeof(rec), NULL, 0);
}

int rt_writer_lost(struct rt_writer *w, const struct rt_writer_stamp *at, unsigned event,
		   uint64_t count)
{
	struct rt_file_event *ev;

	if (event >= w->event_count)
		return -EINVAL;
	if (!count)
		return w->failed;
	ev = &w->events[event];
	ev->lost += count;
	w->stats.lost += count;
	return rt_write_lost(w, at, ev, count);
}

/* Write the sum for one event again: newer perf prints it beside the event's samples. */
int rt_write_lost_samples(struct rt_writer *w, const struct rt_file_event *ev)
{
	struct rt_perf_record_lost_samples rec = { .hdr = { .type = RT_PERF_RECORD_LOST_SAMPLES },
						   .lost = ev->lost };
	struct rt_writer_stamp at = { .time = rt_write_newest(w) };

	return put(w, &at, ev->ids[0], &rec, sizeof(rec), NULL, 0);
}

int rt_write_read(struct rt_writer *w, const struct rt_write_count *count)
{
	uint64_t time = w->last_time - w->first_time;
	struct {
		struct rt_perf_record_header hdr;
		uint32_t pid, tid;
		uint64_t value, enabled, running, id; /* as rt_writer_add() says in read_format */
	} rec = {
		.hdr = { .type = RT_PERF_RECORD_READ },
		.pid = count->pid,
		.tid = count->tid,
		.value = count->value,
		.enabled = time,
		.running = time,
		.id = w->events[count->event].ids[0],
	};
	struct rt_writer_stamp at = { rt_write_newest(w), count->pid, count->tid, 0 };

	return put(w, &at, rec.id, &rec, sizeof(rec), NULL, 0);
}

int rt_writer_record(struct rt_writer *w, const struct rt_perf_record_header *record, uint64_t time)
{
	void *to;

	if (record->size < sizeof(*record) || record->size % 8)
		return -EINVAL;
	to = rt_write_reserve(w, record->size);
	if (!to)
		return w->failed;
	memcpy(to, record, record->size);
	return rt_write_commit(w, record->size, time);
}

void rt_writer_cpu(struct rt_writer *w, uint32_t cpu)
{
	rt_write_cpu(w, cpu);
}

int rt_writer_round(struct rt_writer *w)
{
	struct rt_perf_record_header *hdr = rt_write_reserve(w, sizeof(*hdr));

	if (!hdr)
		return w->failed;
	*hdr = (struct rt_perf_record_header){ .type = RT_PERF_RECORD_FINISHED_ROUND,
					       .size = sizeof(*hdr) };
	rt_write_commit(w, sizeof(*hdr), 0);
	/* perf processes what is older than the newest record of the previous round. */
	w->floor = w->next_floor;
	w->next_floor = rt_write_newest(w);
	if (w->stats.samples)
		rt_write_forward(w);
	return rt_writer_settle(w);
}

bool rt_writer_due(const struct rt_writer *w)
{
	return w->pipe ? w->used : rt_write_file_due(w);
}

int rt_writer_settle(struct rt_writer *w)
{
	if (w->failed)
		return w->failed;
	return w->pipe ? rt_write_pipe_round(w) : rt_write_file_round(w);
}
