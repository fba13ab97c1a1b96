// SPDX-License-Identifier: GPL-2.0
/* The index of debug information: a scan finds what a search finds; keeping it; damaged and foreign files. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/cache_file.h"
#include "tap.h"
#include "types/debug_index_format.h"
#include "types/debuginfo.h"

long types_index_outer(long n);

static inline __attribute__((always_inline)) long types_index_inner(long n)
{
	__asm__ volatile("" : "+r"(n));
	return 3 * n;
}

__attribute__((noinline)) long types_index_outer(long n)
{
	n = types_index_inner(n);
	__asm__ volatile("" : "+r"(n));
	return n + types_index_inner(n + 1);
}

static char home[] = "/tmp/types-index.XXXXXX";
static const struct rt_buildid id = { 4, { 1, 2, 3, 4 } };

struct found {
	uint64_t list[64];
	size_t count, inlined;
};

static int take_place(void *arg, uint64_t address, bool inlined)
{
	struct found *f = arg;

	if (f->count < 64)
		f->list[f->count++] = address;
	f->inlined += inlined;
	return 0;
}

static int take_row(void *arg, const char *path, unsigned int line, uint64_t address)
{
	return take_place(arg, address, false);
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static bool same(const struct found *f, const struct rt_code_places *places)
{
	uint64_t sorted[64];
	size_t i;

	if (!f->count || f->count != places->count)
		return false;
	for (i = 0; i < f->count; i++)
		sorted[i] = places->list[i].address;
	qsort(sorted, f->count, sizeof(*sorted), compare);
	return !memcmp(sorted, f->list, f->count * sizeof(*sorted));
}

/* A search also finds where inlined functions begin that the line calls. */
static bool is_among(const struct found *f, const struct rt_code_places *places)
{
	size_t i, j, hits = 0;

	for (i = 0; i < f->count; i++)
		for (j = 0; j < places->count; j++)
			hits += f->list[i] == places->list[j].address;
	return hits == f->count;
}

/* What a search of the units finds is in the index, too. */
static void test_answers(const struct rt_debug_index *x, const struct rt_debug_index *of_lines)
{
	struct rt_code_places places = { 0 };
	struct found f = { .count = 0 };
	struct rt_source_lines lines;
	struct rt_debuginfo *d;
	unsigned int line;
	struct rt_err err;
	int differ = 0;

	if (!ok(!rt_debuginfo_open(&d, "/proc/self/exe", &err), "own debug information"))
		return;
	rt_debuginfo_function(d, "types_index_inner", &places);
	rt_debug_index_function(x, "types_index_inner", take_place, &f);
	is_int(f.count, 2, "an inlined function: both places");
	is_int(f.inlined, 2, "marked as inlined");
	ok(same(&f, &places), "the same as a search finds");
	rt_code_places_free(&places);
	f.count = f.inlined = 0;
	rt_debug_index_function(x, "types_index_outer", take_place, &f);
	ok(f.count == 1 && !f.inlined, "a function with code of its own");
	f.count = 0;
	rt_debug_index_function(x, "types_index_nowhere", take_place, &f);
	rt_debug_index_lines(of_lines, "nowhere.c", 0, UINT_MAX, take_row, &f);
	is_int(f.count, 0, "neither a function nor a file that does not exist");
	if (!rt_debuginfo_source(d, "types_index_outer", &lines, &err)) {
		for (line = lines.first; line <= lines.last; line++) {
			f.count = 0;
			rt_debug_index_lines(of_lines, "types_index.c", line, line, take_row, &f);
			if (!rt_debuginfo_file_line(d, "types_index.c", line, &places, &err))
				differ += !is_among(&f, &places);
			else
				differ += f.count != 0;
			rt_code_places_free(&places);
		}
		is_int(differ, 0, "the same addresses for each of %u lines",
		       lines.last - lines.first + 1);
		rt_source_lines_free(&lines);
	}
	rt_debuginfo_close(d);
}

static struct rt_debug_index *copy(const struct rt_debug_index *x, size_t size, size_t at, int with)
{
	size_t whole;
	const void *bytes = rt_debug_index_bytes(x, &whole);
	char *new = calloc(1, whole + 1);

	if (!new)
		return NULL;
	memcpy(new, bytes, whole);
	new[at] ^= with;
	return rt_debug_index_of_bytes(new, size, &id, RT_DEBUG_INDEX_LINES);
}

static void test_damage(const struct rt_debug_index *x)
{
	struct rt_buildid other = { 4, { 1, 2, 3, 5 } };
	struct rt_debug_index *again;
	size_t size, at, taken = 0;
	char *bytes;

	rt_debug_index_bytes(x, &size);
	again = copy(x, size, 0, 0);
	ok(again, "a copy is taken");
	rt_debug_index_close(again);
	for (at = 0; at < size; at += at < 256 ? 1 : size / 64) {
		/* The base is any number. */
		if (at >= offsetof(struct rt_debug_index_head, base) &&
		    at < offsetof(struct rt_debug_index_head, id))
			continue;
		/* Of the build-id's room only its own bytes count. */
		if (at >= offsetof(struct rt_debug_index_head, id) + id.len &&
		    at < offsetof(struct rt_debug_index_head, id_size))
			continue;
		again = copy(x, size, at, 0x40);
		taken += again != NULL;
		rt_debug_index_close(again);
	}
	is_int(taken, 0, "no copy with a changed byte is taken");
	for (at = 1; at < size; at = 3 * at + 1) {
		again = copy(x, size - at, 0, 0);
		taken += again != NULL;
		rt_debug_index_close(again);
	}
	again = copy(x, size + 1, 0, 0);
	taken += again != NULL;
	rt_debug_index_close(again);
	is_int(taken, 0, "nor a cut or longer one");
	bytes = malloc(size);
	if (bytes)
		memcpy(bytes, rt_debug_index_bytes(x, &size), size);
	ok(bytes && !rt_debug_index_of_bytes(bytes, size, &other, RT_DEBUG_INDEX_LINES),
	   "nor that of another file");
}

static void test_keeping(const struct rt_debug_index *x)
{
	char path[PATH_MAX], name[32];
	struct rt_debug_index *again;
	struct rt_cache_part part = { "damaged", 7 };
	struct stat st;
	int i;

	ok(!rt_debug_index_open(home, &id, RT_DEBUG_INDEX_LINES), "nothing is kept yet");
	ok(rt_debug_index_save(x, home), "keep it");
	again = rt_debug_index_open(home, &id, RT_DEBUG_INDEX_LINES);
	ok(again, "and find it again");
	rt_debug_index_close(again);
	rt_cache_path(home, false, "debug-01020304.lines", path, sizeof(path));
	ok(!stat(path, &st) && (st.st_mode & 0777) == 0600, "only its owner can read it");
	ok(!chmod(path, 0666) && !rt_debug_index_open(home, &id, RT_DEBUG_INDEX_LINES),
	   "not if others could have written it");
	ok(rt_cache_write(home, "debug-01020304.lines", &part, 1) &&
		   !rt_debug_index_open(home, &id, RT_DEBUG_INDEX_LINES),
	   "a damaged file is ignored");
	ok(rt_debug_index_save(x, home), "and replaced");
	for (i = 0; i < 12; i++) {
		sprintf(name, "debug-%02x", i);
		rt_cache_write(home, name, &part, 1);
	}
	rt_debug_index_save(x, home);
	for (i = 0; i < 12; i++) {
		sprintf(name, "debug-%02x", i);
		if (rt_cache_path(home, false, name, path, sizeof(path)) && !stat(path, &st))
			break;
	}
	ok(i >= 4, "old ones are removed");
	ok(!rt_debug_index_save(x, "/nonexistent") &&
		   !rt_debug_index_open("/nonexistent", &id, RT_DEBUG_INDEX_LINES),
	   "a home that does not exist");
	ok(!rt_debug_index_save(x, NULL) && !rt_debug_index_open(NULL, &id, RT_DEBUG_INDEX_LINES),
	   "no home");
	ok(!rt_debug_index_save(x, "/proc"), "a home that cannot be written");
}

static bool same_bytes(const struct rt_debug_index *a, const struct rt_debug_index *b)
{
	size_t size, other;
	const void *x = rt_debug_index_bytes(a, &size), *y = rt_debug_index_bytes(b, &other);

	return size == other && !memcmp(x, y, size);
}

/* A file cannot grow beyond a limit, as on a full disk: nothing is left behind. */
static void test_full(const struct rt_debug_index *x)
{
	struct rlimit small = { 4096, RLIM_INFINITY }, before;
	char path[PATH_MAX], command[PATH_MAX + 64];

	rt_cache_path(home, false, "", path, sizeof(path));
	snprintf(command, sizeof(command), "[ $(ls %s | wc -l) = 0 ]", path);
	rt_cache_trim(home, "debug-", 0);
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &before);
	setrlimit(RLIMIT_FSIZE, &small);
	ok(!rt_debug_index_save(x, home), "no room on the disk");
	setrlimit(RLIMIT_FSIZE, &before);
	ok(!system(command), "leaves no file behind");
}

/* Several processes keep the same index at once, and others read it. */
static void test_writers(const struct rt_debug_index *x)
{
	enum { WRITERS = 4, ROUNDS = 25 };
	int i, status, bad = 0, seen = 0;
	struct rt_debug_index *again;

	rt_debug_index_save(x, home);
	for (i = 0; i < WRITERS; i++)
		if (!fork()) {
			for (i = 0; i < ROUNDS; i++)
				bad += !rt_debug_index_save(x, home);
			_exit(bad);
		}
	for (i = 0; i < ROUNDS; i++) {
		again = rt_debug_index_open(home, &id, RT_DEBUG_INDEX_LINES);
		seen += again && same_bytes(again, x);
		rt_debug_index_close(again);
	}
	while (wait(&status) > 0)
		bad += status != 0;
	is_int(bad, 0, "several processes keep it at once");
	is_int(seen, ROUNDS, "who reads it meanwhile finds a whole one");
}

static int take_unit(void *arg, uint64_t offset)
{
	struct found *f = arg;

	if (f->count < 64)
		f->list[f->count++] = offset;
	return 0;
}

/* Units by the names of their source files. */
static void test_units(const struct rt_debug_index *x)
{
	struct found f = { .count = 0 };
	struct rt_debug_index *again;
	Dwarf_Die unit;
	Dwarf *dw;
	int fd = open("/proc/self/exe", O_RDONLY);

	rt_debug_index_units(x, "nowhere.c", take_unit, &f);
	is_int(f.count, 0, "no unit of a file that does not exist");
	rt_debug_index_units(x, "types_index.c", take_unit, &f);
	is_int(f.count, 1, "the unit of a file");
	dw = dwarf_begin(fd, DWARF_C_READ);
	ok(dw && dwarf_offdie(dw, f.list[0], &unit) && dwarf_diename(&unit) &&
		   strstr(dwarf_diename(&unit), "types_index.c"),
	   "is at its offset");
	dwarf_end(dw);
	close(fd);
	ok(rt_debug_index_save(x, home), "keep units");
	again = rt_debug_index_open(home, &id, RT_DEBUG_INDEX_UNITS);
	ok(again && same_bytes(again, x), "and find them again");
	ok(!rt_debug_index_open(home, &id, RT_DEBUG_INDEX_FUNCTIONS), "they are not functions");
	rt_debug_index_close(again);
}

static struct rt_debug_index *scan(enum rt_debug_index_what what, unsigned int threads)
{
	return rt_debug_index_scan("/proc/self/exe", &id, what, threads);
}

int main(void)
{
	struct rt_debug_index *functions = scan(RT_DEBUG_INDEX_FUNCTIONS, 1);
	struct rt_debug_index *lines = scan(RT_DEBUG_INDEX_LINES, 1);
	struct rt_debug_index *units = scan(RT_DEBUG_INDEX_UNITS, 1);
	struct rt_debug_index *again[] = { scan(RT_DEBUG_INDEX_FUNCTIONS, 4),
					   scan(RT_DEBUG_INDEX_LINES, 4) };
	char command[64];

	if (!ok(functions && lines && units && again[0] && again[1],
		"scans by one and by four threads") ||
	    !mkdtemp(home))
		return tap_done();
	ok(same_bytes(functions, again[0]) && same_bytes(lines, again[1]), "find the same");
	test_answers(functions, lines);
	test_damage(lines);
	test_keeping(lines);
	test_full(lines);
	test_writers(lines);
	test_units(units);
	ok(!rt_debug_index_scan("/nonexistent", &id, RT_DEBUG_INDEX_LINES, 2),
	   "a file that does not exist");
	ok(!rt_debug_index_scan("/proc/self/maps", &id, RT_DEBUG_INDEX_LINES, 2),
	   "a file that is no program");
	is_int(types_index_outer(1), 3 + 12, "the functions that were looked for");
	rt_debug_index_close(functions);
	rt_debug_index_close(lines);
	rt_debug_index_close(units);
	rt_debug_index_close(again[0]);
	rt_debug_index_close(again[1]);
	snprintf(command, sizeof(command), "rm -rf %s", home);
	return system(command) || tap_done();
}
