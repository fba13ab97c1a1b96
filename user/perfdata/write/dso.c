// SPDX-License-Identifier: GPL-2.0
/*
 * The mapped files, each once, with their build-ids.  Their names are exactly those of the mapping
 * records: perf joins both tables by name.
 */
#include "perfdata/write/internal.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_SLOTS = 256, NAME_ALIGN = 64 };

static uint32_t hash(const char *s)
{
	uint32_t h = 2166136261u; /* FNV-1a */

	while (*s)
		h = (h ^ (uint8_t)*s++) * 16777619u;
	return h;
}

static uint32_t *slot_of(const struct rt_write_dsos *d, const char *filename)
{
	size_t i = hash(filename) & (d->slot_count - 1);

	while (d->slots[i] && strcmp(d->list[d->slots[i] - 1].filename, filename))
		i = (i + 1) & (d->slot_count - 1);
	return &d->slots[i];
}

/* At most half of the slots are in use. */
static int make_room(struct rt_write_dsos *d)
{
	size_t i, room = d->room ? d->room * 2 : FIRST_SLOTS / 2;
	struct rt_write_dso *list;
	uint32_t *slots;

	if (d->count < d->room)
		return 0;
	list = realloc(d->list, room * sizeof(*list));
	if (!list)
		return -ENOMEM;
	d->list = list;
	slots = calloc(room * 2, sizeof(*slots));
	if (!slots)
		return -ENOMEM;
	free(d->slots);
	d->slots = slots;
	d->slot_count = room * 2;
	d->room = room;
	for (i = 0; i < d->count; i++)
		*slot_of(d, d->list[i].filename) = i + 1;
	return 0;
}

struct rt_write_dso *rt_write_dso_find(struct rt_writer *w, const char *filename, bool *fresh)
{
	struct rt_write_dsos *d = &w->dsos;
	struct rt_write_dso *dso;
	uint32_t *slot;

	if (make_room(d)) {
		rt_write_fail(w, ENOMEM, "no memory for the table of mapped files");
		return NULL;
	}
	slot = slot_of(d, filename);
	*fresh = !*slot;
	if (*slot)
		return &d->list[*slot - 1];
	dso = &d->list[d->count];
	memset(dso, 0, sizeof(*dso));
	dso->filename = strdup(filename);
	if (!dso->filename) {
		rt_write_fail(w, ENOMEM, "no memory for the table of mapped files");
		return NULL;
	}
	*slot = ++d->count;
	return dso;
}

void rt_write_dsos_free(struct rt_write_dsos *d)
{
	size_t i;

	for (i = 0; i < d->count; i++)
		free(d->list[i].filename);
	free(d->list);
	free(d->slots);
}

void rt_write_dso_entry(const struct rt_write_dso *dso, struct rt_section *s)
{
	struct rt_perf_record_build_id rec = {
		.hdr = { .misc = RT_MISC_BUILD_ID_SIZE |
				 (dso->kernel ? RT_MISC_KERNEL : RT_MISC_USER) },
		.pid = -1,
		.size = dso->id.len,
	};
	size_t len = strlen(dso->filename) + 1;
	size_t padded = (len + NAME_ALIGN - 1) & ~(size_t)(NAME_ALIGN - 1);

	rec.hdr.size = sizeof(rec) + padded;
	memcpy(rec.build_id, dso->id.data, dso->id.len);
	rt_section_put(s, &rec, sizeof(rec));
	rt_section_put(s, dso->filename, len);
	rt_section_zero(s, padded - len);
}

static void read_elf(int fd, struct rt_buildid *id)
{
	const void *bits;
	ssize_t size;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!elf)
		return;
	size = dwelf_elf_gnu_build_id(elf, &bits);
	if (size > 0 && size <= RT_BUILDID_MAX) {
		memcpy(id->data, bits, size);
		id->len = size;
	}
	elf_end(elf);
}

/* Open only regular files: opening a device may have side effects. */
static int open_plain(const char *path)
{
	struct stat st;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return -1;
	return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

void rt_write_dso_read(struct rt_write_dso *dso, int32_t pid)
{
	char path[PATH_MAX + 32];
	int fd;

	/* The process may be in a container, so try its own root first. */
	snprintf(path, sizeof(path), "/proc/%d/root%s", pid, dso->filename);
	fd = open_plain(path);
	if (fd < 0)
		fd = open_plain(dso->filename);
	if (fd < 0)
		return;
	read_elf(fd, &dso->id);
	close(fd);
}

int rt_writer_build_id(struct rt_writer *w, const char *filename, bool kernel,
		       const struct rt_buildid *id)
{
	struct rt_write_dso *dso;
	bool fresh;

	dso = rt_write_dso_find(w->parent ? w->parent : w, filename, &fresh);
	if (!dso)
		return w->failed;
	if (!fresh && dso->id.len)
		return 0;
	dso->id = *id;
	dso->kernel = kernel;
	return w->pipe ? rt_write_pipe_build_id(w, dso) : 0;
}
