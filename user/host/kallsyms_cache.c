// SPDX-License-Identifier: GPL-2.0
/* kallsyms_cache.c - see kallsyms_cache.h */
#include "host/kallsyms_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"

#define MAGIC	  "rtksyms1"
#define BOOT_LEN  40
#define BEGINNING 4096 /* bytes of kallsyms that one read() returns */
/* The kernel's image is smaller on every architecture, and modules lie outside it. */
#define IMAGE_MAX  (1ULL << 30)
#define FILE_MAX   (256u << 20)
#define HASH_BLOCK 32

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

/* Keep four independent sums: a single one would wait for each multiplication. */
static void hash_block(uint64_t h[4], const char *block)
{
	uint64_t w[4];
	unsigned int i;

	memcpy(w, block, sizeof(w));
	for (i = 0; i < 4; i++)
		h[i] = (h[i] ^ h[i] >> 29 ^ w[i]) * 0x9e3779b97f4a7c15ULL;
}

static uint64_t hash(const void *data, size_t size)
{
	uint64_t h[4] = { size, 2, 3, 4 };
	char last[HASH_BLOCK] = { 0 };
	const char *at = data;

	for (; size >= HASH_BLOCK; size -= HASH_BLOCK, at += HASH_BLOCK)
		hash_block(h, at);
	memcpy(last, at, size);
	hash_block(h, last);
	return h[0] ^ h[1] * 3 ^ h[2] * 5 ^ h[3] * 7;
}

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
	key->beginning = hash(text, len);
	if (place->modules)
		key->beginning ^= 3 * hash(place->modules, strlen(place->modules));
	return got >= 0 && len;
}

/* Build HOME/.cache/ringtail; `make`: create missing folders.  Do not use another user's home. */
static bool folder(const struct rt_kallsyms_cache_place *place, bool make, char *path, size_t size)
{
	struct stat st;
	int n;

	if (!place->home[0] || stat(place->home, &st) || st.st_uid != geteuid())
		return false;
	n = snprintf(path, size, "%s/.cache", place->home);
	if (n < 0 || (size_t)n + sizeof("/ringtail") > size)
		return false;
	if (make)
		mkdir(path, 0700);
	strcat(path, "/ringtail");
	if (make)
		mkdir(path, 0700);
	return !stat(path, &st) && S_ISDIR(st.st_mode) && st.st_uid == geteuid();
}

static bool file_path(const struct rt_kallsyms_cache_place *place, bool make, const char *end,
		      char *path, size_t size)
{
	size_t room = size - sizeof("/kernel-symbols.XXXXXX");

	if (!folder(place, make, path, room))
		return false;
	strcat(path, place->modules ? "/module-symbols" : "/kernel-symbols");
	strcat(path, end);
	return true;
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
	    hash(h + 1, k->size - sizeof(*h)) != h->sum)
		return false;
	/* The checksum finds damage but not a forged file, so check every offset. */
	for (i = 0; i < h->count; i++)
		if (((const uint32_t *)((const uint64_t *)(h + 1) + h->count))[i] >= h->names)
			return false;
	return true;
}

static bool map(struct rt_kallsyms_cache *k, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	void *at = MAP_FAILED;
	struct stat st;

	if (fd < 0)
		return false;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	    !(st.st_mode & 022) && st.st_size > 0 && st.st_size <= FILE_MAX)
		at = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
	close(fd);
	if (at == MAP_FAILED)
		return false;
	k->head = at;
	k->size = (size_t)st.st_size;
	return true;
}

struct rt_kallsyms_cache *rt_kallsyms_cache_open(const struct rt_kallsyms_cache_place *place)
{
	char path[PATH_MAX];
	struct rt_kallsyms_cache *k;
	struct key key;

	if (!file_path(place, false, "", path, sizeof(path)) || access(path, R_OK) ||
	    !read_key(place, &key))
		return NULL;
	k = calloc(1, sizeof(*k));
	if (!k || !map(k, path)) {
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

static bool write_file(struct rt_kallsyms_cache_writer *k, const struct key *key, int fd)
{
	struct head head = { .magic = MAGIC, .beginning = key->beginning, .count = k->count };
	struct rt_text all;
	struct head *h;
	bool done;

	rt_text_fill(&k->names, '\0', 8 - (int)(k->names.len % 8));
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
		h->sum = hash(h + 1, all.len - sizeof(*h));
		done = !rt_text_write(&all, fd);
	}
	rt_text_free(&all);
	return done;
}

/* The kernel's symbols must be shown, and must not lie among those of modules. */
static bool can_save(const struct rt_kallsyms_cache_writer *k)
{
	return k->count && !k->mixed && k->low && k->low <= k->high && k->high - k->low < IMAGE_MAX;
}

/* Write the file atomically: a reader sees either the old file or the new one. */
bool rt_kallsyms_cache_writer_save(struct rt_kallsyms_cache_writer *k)
{
	char path[PATH_MAX], fresh[PATH_MAX];
	struct key key;
	bool done;
	int fd;

	if (!k || !can_save(k) || !read_key(k->place, &key) ||
	    !file_path(k->place, true, "", path, sizeof(path)) ||
	    !file_path(k->place, true, ".XXXXXX", fresh, sizeof(fresh)))
		return false;
	fd = mkostemp(fresh, O_CLOEXEC);
	if (fd < 0)
		return false;
	done = write_file(k, &key, fd);
	close(fd);
	done = done && !rename(fresh, path);
	if (!done)
		unlink(fresh);
	return done;
}
