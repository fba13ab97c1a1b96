// SPDX-License-Identifier: GPL-2.0
/*
 * Scan all units of a file with several threads.
 *
 * libdw allows one thread at a time for each handle, so each thread has its own.  The file is mapped once
 * for all of them, and its pages are given back after each group of units: the scan reads all of the file,
 * but never needs all of it.
 */
#include <dwarf.h>
#include <elfutils/libdwelf.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "types/debug_index_internal.h"
#include "types/debuginfo_internal.h"
#include "types/line_table.h"

enum {
	THREADS_MAX = 16,
	GROUP = 192,	     /* units that a thread takes at a time */
	STEP = 64,	     /* units after whose headers pages are given back */
	SCANNED = 16,	     /* the same after units that were scanned */
	ORIGIN_SLOTS = 4096, /* a power of two */
};

struct shared {
	enum rt_debug_index_what what;
	const struct rt_debug_file *file;
	Dwarf_Off *units;
	struct rt_line_tables tables; /* instead of units, if they can be read without libdw */
	size_t count;		      /* of units or tables */
	size_t next;		      /* atomic */
};

struct worker {
	pthread_t thread;
	bool started, failed;
	struct shared *shared;
	Dwarf *dw;
	struct rt_debug_items items;
	struct { /* names of functions that were inlined */
		const void *origin;
		uint32_t name;
	} origins[ORIGIN_SLOTS];
	uint32_t *numbers; /* of the unit's files, + 1 */
	size_t numbers_room;
};

static void add(struct worker *w, uint32_t name, uint32_t line, uint32_t address)
{
	struct rt_debug_items *items = &w->items;

	if (!RT_ARRAY_ROOM(items->list, items->count, items->room)) {
		w->failed = true;
		return;
	}
	items->list[items->count++] = (struct rt_debug_item){ name, line, address };
}

static bool is_code(const struct worker *w, Dwarf_Addr address)
{
	return address >= w->shared->file->base && address < w->shared->file->end;
}

static uint32_t number(struct worker *w, const char *name)
{
	int64_t n = rt_text_set_number(&w->items.names, name);

	w->failed |= n < 0;
	return n < 0 ? 0 : (uint32_t)n;
}

/* --- functions -------------------------------------------------------------------------- */

/*
 * The number of the name of an inlined function; many copies have one origin.  AROUND is the origin of the
 * function around the copy.
 */
static bool name_instance(struct worker *w, Dwarf_Die *instance, const void *around, uint32_t *out)
{
	Dwarf_Attribute attr;
	const char *name;
	Dwarf_Die origin;
	size_t slot;

	if (!dwarf_attr(instance, DW_AT_abstract_origin, &attr) ||
	    !dwarf_formref_die(&attr, &origin))
		return false;
	if (origin.addr == around && rt_debuginfo_is_part(instance, &origin))
		return false;
	slot = ((uintptr_t)origin.addr ^ (uintptr_t)origin.addr >> 12) % ORIGIN_SLOTS;
	if (w->origins[slot].origin != origin.addr) {
		name = dwarf_diename(&origin);
		if (!name)
			return false;
		w->origins[slot].name = number(w, name);
		w->origins[slot].origin = origin.addr;
	}
	*out = w->origins[slot].name;
	return true;
}

static void take_instance(struct worker *w, Dwarf_Die *instance, const void *around)
{
	Dwarf_Addr address;
	uint32_t name;

	if (rt_debuginfo_instance_address(instance, &address) && is_code(w, address) &&
	    name_instance(w, instance, around, &name))
		add(w, name, 0,
		    (uint32_t)(address - w->shared->file->base) | RT_DEBUG_INDEX_INLINED);
}

static void take_function(struct worker *w, Dwarf_Die *function)
{
	Dwarf_Addr address;
	const char *name;

	if (dwarf_entrypc(function, &address) || !is_code(w, address))
		return;
	name = dwarf_diename(function);
	if (name)
		add(w, number(w, name), 0, (uint32_t)(address - w->shared->file->base));
}

static void scan_functions(struct worker *w, Dwarf_Die *parent, bool classes, const void *around,
			   int depth)
{
	Dwarf_Die die;
	int tag;

	if (depth == RT_SCOPES_MAX || dwarf_child(parent, &die))
		return;
	do {
		tag = dwarf_tag(&die);
		if (tag == DW_TAG_inlined_subroutine)
			take_instance(w, &die, around);
		else if (tag == DW_TAG_subprogram)
			take_function(w, &die);
		if (tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block ||
		    tag == DW_TAG_inlined_subroutine || rt_debuginfo_is_container(tag, classes))
			scan_functions(w, &die, classes,
				       tag == DW_TAG_lexical_block ? around :
								     rt_debuginfo_origin(&die),
				       depth + 1);
	} while (!w->failed && rt_debuginfo_sibling(&die));
}

/* --- lines ------------------------------------------------------------------------------ */

/* Make room for the numbers of the unit's files; all are unknown at first. */
static bool forget_files(struct worker *w, size_t count)
{
	uint32_t *numbers;

	if (count > w->numbers_room) {
		numbers = realloc(w->numbers, count * sizeof(*numbers));
		if (!numbers) {
			w->failed = true;
			return false;
		}
		w->numbers = numbers;
		w->numbers_room = count;
	}
	if (count)
		memset(w->numbers, 0, count * sizeof(*w->numbers));
	return true;
}

static void scan_lines(struct worker *w, Dwarf_Die *unit)
{
	size_t i, file, count, file_count;
	Dwarf_Files *files;
	Dwarf_Addr address;
	Dwarf_Lines *rows;
	unsigned int line;
	Dwarf_Line *row;
	const char *path;

	if (dwarf_getsrclines(unit, &rows, &count) ||
	    dwarf_getsrcfiles(unit, &files, &file_count) || !forget_files(w, file_count))
		return;
	for (i = 0; !w->failed && i < count; i++) {
		row = dwarf_onesrcline(rows, i);
		if (!rt_debuginfo_row(row, &line, &address) || !is_code(w, address) ||
		    dwarf_line_file(row, &files, &file) || file >= file_count)
			continue;
		if (!w->numbers[file]) {
			path = dwarf_filesrc(files, file, NULL, NULL);
			if (!path)
				continue;
			w->numbers[file] = 1 + number(w, path);
		}
		add(w, w->numbers[file] - 1, line, (uint32_t)(address - w->shared->file->base));
	}
}

/* The same without libdw. */
static bool take_files(void *arg, size_t count)
{
	return forget_files(arg, count);
}

static bool take_name(void *arg, size_t file, const char *directory, const char *name)
{
	struct worker *w = arg;
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s%s%s", directory ? directory : "", directory ? "/" : "",
		     name) >= (int)sizeof(path))
		return false;
	w->numbers[file] = 1 + number(w, path);
	return !w->failed;
}

static bool take_row(void *arg, size_t file, unsigned int line, uint64_t address)
{
	struct worker *w = arg;

	if (is_code(w, address))
		add(w, w->numbers[file] - 1, line, (uint32_t)(address - w->shared->file->base));
	return !w->failed;
}

static void scan_tables(struct worker *w, size_t from, size_t to)
{
	const struct rt_line_reader reader = { take_files, take_name, take_row, w };
	size_t i;

	for (i = from; i < to && !w->failed; i++)
		w->failed = !rt_line_table_read(&w->shared->tables, i, &reader);
}

/* --- units ------------------------------------------------------------------------------ */

/* The name of a unit's source file, with the unit's offset as an address. */
static void take_unit(struct worker *w, Dwarf_Die *unit)
{
	const char *name = dwarf_diename(unit);
	Dwarf_Off offset = dwarf_dieoffset(unit);

	if (offset > UINT32_MAX)
		w->failed = true;
	else if (name)
		add(w, number(w, name), 0, (uint32_t)offset);
}

/* --- threads ---------------------------------------------------------------------------- */

/* Scan a group of units with a new handle: a handle keeps what it has read. */
static void scan_group(struct worker *w, size_t from, size_t to)
{
	Dwarf_Die unit;
	size_t i;

	/* To find a unit, libdw reads the headers of all units before it. */
	for (i = 0; i < from; i += STEP) {
		dwarf_offdie(w->dw, w->shared->units[i], &unit);
		rt_debug_file_give_back(w->shared->file);
	}
	for (i = from; i < to && !w->failed; i++) {
		if (!dwarf_offdie(w->dw, w->shared->units[i], &unit))
			continue;
		if (w->shared->what == RT_DEBUG_INDEX_FUNCTIONS)
			scan_functions(w, &unit, !rt_debuginfo_is_c(&unit), NULL, 0);
		else
			scan_lines(w, &unit);
		if (i % SCANNED == 0)
			rt_debug_file_give_back(w->shared->file);
	}
}

static pthread_mutex_t libelf_lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg)
{
	struct worker *w = arg;
	struct shared *s = w->shared;
	size_t from;

	while (!w->failed) {
		from = __atomic_fetch_add(&s->next, GROUP, __ATOMIC_RELAXED);
		if (from >= s->count)
			break;
		if (s->tables.count) {
			scan_tables(w, from, from + GROUP < s->count ? from + GROUP : s->count);
			rt_debug_file_give_back(s->file);
			continue;
		}
		/* libelf, which all threads share, keeps state for a file. */
		pthread_mutex_lock(&libelf_lock);
		w->dw = dwarf_begin_elf(s->file->elf, DWARF_C_READ, NULL);
		pthread_mutex_unlock(&libelf_lock);
		if (!w->dw) {
			w->failed = true;
			break;
		}
		scan_group(w, from, from + GROUP < s->count ? from + GROUP : s->count);
		pthread_mutex_lock(&libelf_lock);
		dwarf_end(w->dw);
		pthread_mutex_unlock(&libelf_lock);
		rt_debug_file_give_back(s->file);
	}
	return NULL;
}

static unsigned int count_cpus(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) ? 1 : CPU_COUNT(&set);
}

static struct rt_debug_index *run(struct shared *s, const struct rt_buildid *id,
				  unsigned int threads)
{
	struct rt_debug_items items[THREADS_MAX];
	struct worker *w = calloc(threads, sizeof(*w));
	struct rt_debug_index *x = NULL;
	bool failed = !w;
	unsigned int i;

	for (i = 0; !failed && i < threads; i++) {
		w[i].shared = s;
		/* The first is this thread; the others may fail to start. */
		w[i].started = i && !pthread_create(&w[i].thread, NULL, work, &w[i]);
	}
	if (!failed)
		work(&w[0]);
	for (i = 0; w && i < threads; i++) {
		if (w[i].started)
			pthread_join(w[i].thread, NULL);
		failed |= w[i].failed;
		items[i] = w[i].items;
		free(w[i].numbers);
	}
	if (!failed)
		x = rt_debug_index_build(items, threads, s->file->base, id, s->what);
	for (i = 0; w && i < threads; i++)
		rt_debug_items_free(&items[i]);
	free(w);
	return x;
}

/* --- the file --------------------------------------------------------------------------- */

/*
 * List the units, and take their names if there is a worker.  False: no memory, or parts of the debug
 * information are in other files.
 */
static bool list_units(struct shared *s, struct worker *w)
{
	Dwarf *dw = dwarf_begin_elf(s->file->elf, DWARF_C_READ, NULL);
	Dwarf_CU *cu = NULL;
	uint8_t type;
	Dwarf_Die die;
	size_t room = 0;
	const void *id;
	const char *other;
	bool whole = dw && dwelf_dwarf_gnu_debugaltlink(dw, &other, &id) <= 0;

	while (whole && !dwarf_get_units(dw, cu, &cu, NULL, &type, &die, NULL)) {
		whole = type == DW_UT_compile || type == DW_UT_type;
		if (type != DW_UT_compile)
			continue;
		if (!RT_ARRAY_ROOM(s->units, s->count, room)) {
			whole = false;
			break;
		}
		s->units[s->count++] = dwarf_dieoffset(&die);
		if (w)
			take_unit(w, &die);
		if (s->count % STEP == 0)
			rt_debug_file_give_back(s->file);
	}
	dwarf_end(dw);
	return whole && s->count;
}

/* Their names are read with them, without threads. */
static struct rt_debug_index *name_units(struct shared *s, const struct rt_buildid *id)
{
	struct worker *w = calloc(1, sizeof(*w));
	struct rt_debug_index *x = NULL;

	if (w && list_units(s, w) && !w->failed)
		x = rt_debug_index_build(&w->items, 1, 0, id, s->what);
	if (w)
		rt_debug_items_free(&w->items);
	free(w);
	return x;
}

/* List the tables of lines; false if libdw must read them. */
static bool list_tables(struct shared *s)
{
	Dwarf *dw = dwarf_begin_elf(s->file->elf, DWARF_C_READ, NULL);
	bool whole = dw && rt_line_tables_list(&s->tables, dw);

	/* The tables stay: they are in the mapping of the file. */
	dwarf_end(dw);
	s->count = s->tables.count;
	return whole;
}

/* Scan the line tables; NULL if libdw must do it. */
static struct rt_debug_index *scan_all_lines(struct shared *s, const struct rt_buildid *id,
					     unsigned int threads)
{
	struct rt_debug_index *x = list_tables(s) ? run(s, id, threads) : NULL;

	rt_line_tables_free(&s->tables);
	s->count = s->next = 0;
	return x;
}

struct rt_debug_index *rt_debug_index_scan(const char *path, const struct rt_buildid *id,
					   enum rt_debug_index_what what, unsigned int threads)
{
	struct rt_debug_file file = { .fd = -1 };
	struct shared s = { .file = &file, .what = what };
	struct rt_debug_index *x = NULL;

	if (!threads)
		threads = count_cpus();
	if (threads > THREADS_MAX)
		threads = THREADS_MAX;
	if (rt_debug_file_open(&file, path)) {
		if (what == RT_DEBUG_INDEX_UNITS)
			x = name_units(&s, id);
		else if (what == RT_DEBUG_INDEX_LINES)
			x = scan_all_lines(&s, id, threads);
		if (!x && what != RT_DEBUG_INDEX_UNITS && list_units(&s, NULL))
			x = run(&s, id, threads);
	}
	free(s.units);
	rt_debug_file_close(&file);
	return x;
}
