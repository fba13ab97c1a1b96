// SPDX-License-Identifier: GPL-2.0
/* kallsyms_cache.c - see kallsyms_cache.h */
#include "host/kallsyms_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"
#include "host/cache_file.h"

#define MAGIC	  "rtksyms1"
#define BOOT_LEN  40
#define BEGINNING 4096 /* bytes of kallsyms that one read() returns */
/* The kernel's image is smaller on every architecture, and modules lie outside it. */
#define IMAGE_MAX (1ULL << 30)
#define FILE_MAX  (256u << 20)

/*
 * The head of the file.  Addresses, offsets of the names, names and types follow.  In the file of the
 * modules' symbols, "[module]" follows each name.
 */
struct head {
	char magic[8];
	char boot[BOOT_LEN];
	uint64_t beginning; /* hash of the beginning of kallsyms */
	uint64_t sum;	    /* checksum of everything behind the head */
	uint32_t count;	    /* number of symbols */
	uint32_t names;	    /* bytes, a multiple of 8 */
};

struct key {
	char boot[BOOT_LEN];
	uint64_t beginning;
};

struct rt_kallsyms_cache {
	const struct head *head;
	size_t size;
	const uint64_t *address;
	const uint32_t *name;
	const char *names, *type;
	bool modules; /* the file has the modules' symbols */
};

struct rt_kallsyms_cache_writer {
	const struct rt_kallsyms_cache_place *place;
	struct rt_text address, name, names, type;
	uint64_t low, high; /* the kernel's own range of addresses */
	uint32_t count;
	bool modules; /* the symbols of modules have begun */
	bool mixed;   /* kernel and module symbols overlap; do not cache */
};

static bool read_key(const struct rt_kallsyms_cache_place *place, struct key *key)
{
	char text[BEGINNING];
	size_t len = 0;
	ssize_t got = 1;
	int fd;

	memset(key, 0, sizeof(*key));
	if (rt_file_line(place->boot_id, key->boot, sizeof(key->boot)) || !key->boot[0])
		return false;
	fd = open(place->kallsyms, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	while (got && len < sizeof(text)) {
		got = read(fd, text + len, sizeof(text) - len);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			break;
		len += (size_t)got;
	}
	close(fd);
	key->beginning = rt_hash_large(text, len);
	if (place->modules)
		key->beginning ^= 3 * rt_hash_large(place->modules, strlen(place->modules));
	return got >= 0 && len;
}

static const char *file_name(const struct rt_kallsyms_cache_place *place)
{
	return place->modules ? "module-symbols" : "kernel-symbols";
}

/* ---- reading ----------------------------------------------------------------------- */

static size_t body(uint64_t count, uint64_t names)
{
	return (size_t)(count * (sizeof(uint64_t) + sizeof(uint32_t) + 1) + names);
}

static bool is_sound(const struct rt_kallsyms_cache *k, const struct key *key)
{
	const struct head *h = k->head;
	uint32_t i;

	if (k->size < sizeof(*h) || memcmp(h->magic, MAGIC, sizeof(h->magic)) ||
	    memcmp(h->boot, key->boot, sizeof(h->boot)) || h->beginning != key->beginning ||
	    !h->count || !h->names || h->names % 8 ||
	    k->size != sizeof(*h) + body(h->count, h->names) ||
	    rt_hash_large(h + 1, k->size - sizeof(*h)) != h->sum)
		return false;
	/* The checksum finds damage but not a forged file, so check every offset. */
	for (i = 0; i < h->count; i++)
		if (((const uint32_t *)((const uint64_t *)(h + 1) + h->count))[i] >= h->names)
			return false;
	return true;
}

struct rt_kallsyms_cache *rt_kallsyms_cache_open(const struct rt_kallsyms_cache_place *place)
{
	char path[PATH_MAX];
	struct rt_kallsyms_cache *k;
	struct key key;

	if (!rt_cache_path(place->home, false, file_name(place), path, sizeof(path)) ||
	    access(path, R_OK) || !read_key(place, &key))
		return NULL;
	k = calloc(1, sizeof(*k));
	if (k)
		k->head = rt_cache_map(path, FILE_MAX, &k->size);
	if (!k || !k->head) {
		free(k);
		return NULL;
	}
	if (!is_sound(k, &key)) {
		rt_kallsyms_cache_close(k);
		return NULL;
	}
	k->address = (const uint64_t *)(k->head + 1);
	k->name = (const uint32_t *)(k->address + k->head->count);
	k->names = (const char *)(k->name + k->head->count);
	k->type = k->names + k->head->names;
	k->modules = place->modules;
	if (k->type[-1]) {
		rt_kallsyms_cache_close(k);
		return NULL;
	}
	return k;
}

void rt_kallsyms_cache_close(struct rt_kallsyms_cache *k)
{
	if (!k)
		return;
	munmap((void *)k->head, k->size);
	free(k);
}

uint32_t rt_kallsyms_cache_count(const struct rt_kallsyms_cache *k)
{
	return k->head->count;
}

void rt_kallsyms_cache_symbol(const struct rt_kallsyms_cache *k, uint32_t i, struct rt_kallsym *sym)
{
	sym->address = k->address[i];
	sym->type = k->type[i];
	sym->name = (char *)k->names + k->name[i];
	sym->module = k->modules ? sym->name + strlen(sym->name) + 1 : NULL;
	if (sym->module && sym->module >= k->type)
		sym->module = NULL;
}

/* ---- writing ----------------------------------------------------------------------- */

struct rt_kallsyms_cache_writer *
rt_kallsyms_cache_writer_new(const struct rt_kallsyms_cache_place *p)
{
	struct rt_kallsyms_cache_writer *k = calloc(1, sizeof(*k));

	if (k) {
		k->place = p;
		k->low = UINT64_MAX;
	}
	return k;
}

void rt_kallsyms_cache_writer_free(struct rt_kallsyms_cache_writer *k)
{
	if (!k)
		return;
	rt_text_free(&k->address);
	rt_text_free(&k->name);
	rt_text_free(&k->names);
	rt_text_free(&k->type);
	free(k);
}

/* Code that the kernel generates is listed like a module's, and comes and goes. */
static bool is_generated(const char *module)
{
	return !strcmp(module, "[bpf]") || !strncmp(module, "[__builtin__", 12);
}

/* Whether it belongs to the kernel itself; notes what speaks against a cache of the kernel's symbols. */
static bool is_kernel(struct rt_kallsyms_cache_writer *k, const struct rt_kallsym *sym)
{
	bool wanted = rt_kallsyms_wanted(sym->type);

	if (sym->module) {
		k->modules = true;
		/* A module's absolute symbol may name a place of the kernel's. */
		k->mixed |= wanted && sym->address >= k->low && sym->address <= k->high;
		return false;
	}
	k->mixed |= k->modules;
	if (wanted && sym->address < k->low)
		k->low = sym->address;
	if (wanted && sym->address > k->high)
		k->high = sym->address;
	return true;
}

void rt_kallsyms_cache_writer_add(struct rt_kallsyms_cache_writer *k, const struct rt_kallsym *sym)
{
	uint32_t at;

	if (!k || is_kernel(k, sym) == !!k->place->modules ||
	    (k->place->modules && is_generated(sym->module)))
		return;
	at = (uint32_t)k->names.len;
	rt_text_put(&k->address, &sym->address, sizeof(sym->address));
	rt_text_put(&k->name, &at, sizeof(at));
	rt_text_put(&k->names, sym->name, strlen(sym->name) + 1);
	if (k->place->modules)
		rt_text_put(&k->names, sym->module, strlen(sym->module) + 1);
	rt_text_char(&k->type, sym->type);
	k->count++;
}

static bool write_file(struct rt_kallsyms_cache_writer *k, const struct key *key)
{
	struct head head = { .beginning = key->beginning, .count = k->count };
	struct rt_cache_part part;
	struct rt_text all;
	struct head *h;
	bool done;

	rt_text_fill(&k->names, '\0', 8 - (int)(k->names.len % 8));
	memcpy(head.magic, MAGIC, sizeof(head.magic));
	memcpy(head.boot, key->boot, sizeof(head.boot));
	head.names = (uint32_t)k->names.len;
	rt_text_init(&all);
	rt_text_put(&all, &head, sizeof(head));
	rt_text_put(&all, k->address.base, k->address.len);
	rt_text_put(&all, k->name.base, k->name.len);
	rt_text_put(&all, k->names.base, k->names.len);
	rt_text_put(&all, k->type.base, k->type.len);
	done = !all.failed && !k->address.failed && !k->name.failed && !k->names.failed &&
	       !k->type.failed && all.len <= FILE_MAX;
	if (done) {
		h = (struct head *)all.base;
		h->sum = rt_hash_large(h + 1, all.len - sizeof(*h));
		part.data = all.base;
		part.size = all.len;
		done = rt_cache_write(k->place->home, file_name(k->place), &part, 1);
	}
	rt_text_free(&all);
	return done;
}

/* The kernel's symbols must be shown, and must not lie among those of modules. */
static bool can_save(const struct rt_kallsyms_cache_writer *k)
{
	return k->count && !k->mixed && k->low && k->low <= k->high && k->high - k->low < IMAGE_MAX;
}

bool rt_kallsyms_cache_writer_save(struct rt_kallsyms_cache_writer *k)
{
	struct key key;

	return k && can_save(k) && read_key(k->place, &key) && write_file(k, &key);
}
