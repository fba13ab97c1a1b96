/* SPDX-License-Identifier: GPL-2.0 */
/* ring_memory.h - the module's ring, compiled for the host and in host memory. */
#ifndef RING_MEMORY_H
#define RING_MEMORY_H

#include <stdlib.h>

#ifndef RING_NO_POINTS
#define RT_RING_POINTS
#endif
#include "../../module/ring/ring_writer.c"
#include "../../module/ring/ring_switch.c"
#include "../../module/ring/ring_reader.c"
#include "../../module/ring/ring_setup.c"

struct rig {
	struct rt_ring ring;
	struct rt_ring_setup setup;
	void *memory;
};

static const u8 rig_session[16] = "the session uuid", rig_boot[16] = "this very boot..";

static inline int rig_make(struct rig *rig, u32 cpu, u32 mode, u32 subbufs, u32 bytes,
			   u32 watermark, void (*wake)(struct rt_ring *))
{
	struct rt_ring_setup *s = &rig->setup;
	u32 i, areas = rt_ring_areas(mode, subbufs);
	u64 *phys;

	memset(rig, 0, sizeof(*rig));
	s->cpu = cpu;
	s->mode = mode;
	s->subbufs = subbufs;
	s->subbuf_bytes = bytes;
	s->watermark = watermark;
	s->wake = wake;
	s->session = rig_session;
	s->boot_id = rig_boot;
	s->slot = calloc(subbufs, sizeof(u64));
	s->area = calloc(areas, sizeof(*s->area));
	s->phys = phys = calloc(areas, sizeof(u64));
	s->status = calloc(1, rt_ring_status_bytes(mode, subbufs));
	s->control = calloc(1, sizeof(*s->control));
	if (posix_memalign(&rig->memory, bytes, (size_t)areas * bytes))
		abort();
	memset(rig->memory, 0, (size_t)areas * bytes);
	for (i = 0; i < areas; i++) {
		s->area[i] = (void *)((char *)rig->memory + (size_t)i * bytes);
		phys[i] = 0x40000000ULL + (u64)i * bytes;
	}
	return rt_ring_init(&rig->ring, s);
}

static inline void rig_free(struct rig *rig)
{
	free(rig->setup.slot);
	free(rig->setup.area);
	free((void *)rig->setup.phys);
	free(rig->setup.status);
	free(rig->setup.control);
	free(rig->memory);
}

#endif
