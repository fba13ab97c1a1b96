// SPDX-License-Identifier: GPL-2.0
/* Formats of older systems (LKCD, diskdump, …), read by libkdumpfile. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "image/memory.h"

#ifdef RT_LIBKDUMPFILE
#include <libkdumpfile/kdumpfile.h>

struct library {
	struct rt_memory memory;
	kdump_ctx_t *ctx;
	kdump_bmp_t *pages; /* NULL: the library does not tell which pages an LKCD dump has */
	uint64_t page;
	uint64_t end; /* behind the last page; only without `pages` */
	int fd;
};

static size_t read_library(struct rt_memory *m, uint64_t phys, void *to, size_t bytes)
{
	struct library *l = (struct library *)m;
	size_t got = bytes;

	if (kdump_read(l->ctx, KDUMP_MACHPHYSADDR, phys, to, &got) != KDUMP_OK)
		kdump_clear_err(l->ctx);
	return got;
}

static bool has(struct rt_memory *m, uint64_t phys)
{
	struct library *l = (struct library *)m;
	unsigned char bit = 0;
	kdump_addr_t pfn = phys / l->page;

	if (!l->pages)
		return read_library(m, phys, &bit, 1) == 1;
	return kdump_bmp_get_bits(l->pages, pfn, pfn, &bit) == KDUMP_OK && bit & 1;
}

static int look_at(struct library *l, uint64_t phys, rt_memory_look *look, void *arg)
{
	uint64_t at, first;
	int ret = 0;

	for (at = 0; !ret && at < l->page; at += RT_IMAGE_PAGE) {
		if (read_library(&l->memory, phys + at, &first, sizeof(first)) != sizeof(first)) {
			l->memory.missing++;
			continue;
		}
		l->memory.pages++;
		ret = look(arg, phys + at, first);
	}
	return ret;
}

static int scan(struct rt_memory *m, rt_memory_look *look, void *arg)
{
	struct library *l = (struct library *)m;
	kdump_addr_t pfn = 0;
	int ret = 0;

	m->pages = m->missing = 0;
	if (!l->pages) {
		for (; !ret && pfn < l->end; pfn++)
			if (has(m, pfn * l->page))
				ret = look_at(l, pfn * l->page, look, arg);
		return ret;
	}
	for (; !ret && kdump_bmp_find_set(l->pages, &pfn) == KDUMP_OK; pfn++)
		ret = look_at(l, pfn * l->page, look, arg);
	return ret;
}

static void close_library(struct rt_memory *m)
{
	struct library *l = (struct library *)m;

	if (l->pages)
		kdump_bmp_decref(l->pages);
	kdump_free(l->ctx);
	if (l->fd >= 0)
		close(l->fd);
	free(l);
}

static const struct rt_memory_ops ops = {
	.scan = scan,
	.read = read_library,
	.has = has,
	.close = close_library,
};

/* Which pages there are. */
static bool open_pages(struct library *l)
{
	kdump_attr_t pages = { .type = KDUMP_NIL };
	kdump_num_t end;

	if (kdump_get_attr(l->ctx, KDUMP_ATTR_FILE_PAGEMAP, &pages) == KDUMP_OK &&
	    pages.type == KDUMP_BITMAP) {
		l->pages = pages.val.bitmap;
		return true;
	}
	kdump_clear_err(l->ctx);
	if (kdump_get_number_attr(l->ctx, "max_pfn", &end) != KDUMP_OK ||
	    end > UINT64_MAX / l->page)
		return false;
	l->end = end;
	return true;
}

static int open_library(struct library *l, const char *path)
{
	const char *format = "dump";
	kdump_num_t page;

	l->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (l->fd < 0 || kdump_open_fd(l->ctx, l->fd) != KDUMP_OK ||
	    kdump_get_number_attr(l->ctx, "arch.page_size", &page) != KDUMP_OK ||
	    page < RT_IMAGE_PAGE || page > 1U << 20)
		return 1;
	l->page = page;
	if (!open_pages(l))
		return 1;
	kdump_get_string_attr(l->ctx, KDUMP_ATTR_FILE_FORMAT, &format);
	snprintf(l->memory.format, sizeof(l->memory.format), "%s dump", format);
	return 0;
}

int rt_memory_library(const char *path, struct rt_memory **out, struct rt_err *err)
{
	struct library *l = calloc(1, sizeof(*l));

	if (!l)
		return rt_err_set(err, ENOMEM, "out of memory");
	l->fd = -1;
	l->memory.ops = &ops;
	l->ctx = kdump_new();
	if (!l->ctx) {
		free(l);
		return rt_err_set(err, ENOMEM, "out of memory");
	}
	if (open_library(l, path)) {
		const char *why = kdump_get_err(l->ctx);
		int ret = rt_err_set(err, EINVAL, "libkdumpfile cannot read this dump: %s",
				     why ? why : "it does not say which pages there are");

		close_library(&l->memory);
		return ret;
	}
	*out = &l->memory;
	return 0;
}
#else
int rt_memory_library(const char *path, struct rt_memory **out, struct rt_err *err)
{
	return 1;
}
#endif
