// SPDX-License-Identifier: GPL-2.0
/*
 * Line tables: the rows of all units of this program are those of libdw; a table that is not read here is refused, and a
 * scan leaves it to libdw.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/hash.h"
#include "tap.h"
#include "types/debug_index.h"
#include "types/debuginfo_internal.h"
#include "types/line_table.h"

enum { OPERATIONS = 13 }; /* where a table has how many an instruction may have */

/* A sum over rows does not depend on their order. */
struct sum {
	uint64_t sum;
	size_t rows, files;
	uint64_t *paths; /* hashes of the files of the table */
};

static void add(struct sum *s, uint64_t path, unsigned int line, uint64_t address)
{
	s->sum += rt_hash_mix(rt_hash_mix(path, line), address);
	s->rows++;
}

static bool take_files(void *arg, size_t count)
{
	struct sum *s = arg;

	free(s->paths);
	s->paths = calloc(count + 1, sizeof(*s->paths));
	return s->paths;
}

static bool take_name(void *arg, size_t file, const char *directory, const char *name)
{
	struct sum *s = arg;
	char path[4096];

	snprintf(path, sizeof(path), "%s%s%s", directory ? directory : "", directory ? "/" : "",
		 name);
	s->paths[file] = rt_hash_bytes(0, path, strlen(path));
	s->files++;
	return true;
}

static bool take_row(void *arg, size_t file, unsigned int line, uint64_t address)
{
	struct sum *s = arg;

	add(s, s->paths[file], line, address);
	return true;
}

static bool stop_at_row(void *arg, size_t file, unsigned int line, uint64_t address)
{
	return false;
}

static void sum_of_libdw(Dwarf *dw, struct sum *s)
{
	Dwarf_CU *cu = NULL;
	unsigned int line;
	Dwarf_Addr address;
	Dwarf_Lines *rows;
	const char *path;
	size_t i, count;
	Dwarf_Die unit;

	while (!dwarf_get_units(dw, cu, &cu, NULL, NULL, &unit, NULL)) {
		if (dwarf_getsrclines(&unit, &rows, &count))
			continue;
		for (i = 0; i < count; i++) {
			path = dwarf_linesrc(dwarf_onesrcline(rows, i), NULL, NULL);
			if (path && rt_debuginfo_row(dwarf_onesrcline(rows, i), &line, &address))
				add(s, rt_hash_bytes(0, path, strlen(path)), line, address);
		}
	}
}

/* Read the tables of an image of which the first table has its byte AT set to VALUE; how many are read. */
static size_t read_changed(char *image, size_t size, size_t at, uint8_t value)
{
	Elf *elf = elf_memory(image, size);
	Dwarf *dw = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	struct sum s = { 0 };
	struct rt_line_reader reader = { take_files, take_name, take_row, &s };
	struct rt_line_tables t;
	size_t i, read = 0, bytes;
	uint8_t *table = (uint8_t *)rt_debuginfo_section(dw, ".debug_line", &bytes), before;

	before = table[at];
	table[at] = value;
	if (rt_line_tables_list(&t, dw)) {
		for (i = 0; i < t.count; i++)
			read += rt_line_table_read(&t, i, &reader);
		rt_line_tables_free(&t);
	}
	table[at] = before;
	free(s.paths);
	dwarf_end(dw);
	elf_end(elf);
	return read;
}

/* A scan of a file with a table that is not read here finds lines through libdw. */
static bool scan_changed(char *image, size_t size, size_t at)
{
	static const struct rt_buildid id = { 4, { 1, 2, 3, 4 } };
	struct rt_debug_index *x;
	char path[64];
	uint8_t two = 2;
	int fd = memfd_create("lines", 0);
	bool found = false;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (fd >= 0 && write(fd, image, size) == (ssize_t)size && pwrite(fd, &two, 1, at) == 1) {
		x = rt_debug_index_scan(path, &id, RT_DEBUG_INDEX_LINES, 2);
		found = x;
		rt_debug_index_close(x);
	}
	close(fd);
	return found;
}

static void test_refusals(const char *path, size_t tables)
{
	int fd = open(path, O_RDONLY);
	off_t size = lseek(fd, 0, SEEK_END);
	char *image = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	Elf *elf = elf_memory(image, size);
	Dwarf *dw = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	size_t bytes, at;

	at = (const char *)rt_debuginfo_section(dw, ".debug_line", &bytes) - image;
	dwarf_end(dw);
	elf_end(elf);
	is_int(read_changed(image, size, OPERATIONS, 1), tables, "unchanged, all are read");
	is_int(read_changed(image, size, OPERATIONS, 2), tables - 1,
	       "a table with instructions of two operations is refused");
	is_int(read_changed(image, size, 4, 4), 0, "with another version none is read");
	is_int(read_changed(image, size, 3, 0x7f), 0, "nor with one that is cut");
	ok(scan_changed(image, size, at + OPERATIONS), "libdw reads what is refused here");
	munmap(image, size);
	close(fd);
}

int main(void)
{
	const char *path = "/proc/self/exe";
	int fd = open(path, O_RDONLY);
	struct sum ours = { 0 }, theirs = { 0 };
	struct rt_line_reader reader = { take_files, take_name, take_row, &ours };
	struct rt_line_tables t;
	size_t i, read = 0;
	Dwarf *dw;

	elf_version(EV_CURRENT);
	dw = dwarf_begin(fd, DWARF_C_READ);
	if (!ok(dw && rt_line_tables_list(&t, dw), "the file has line tables"))
		return tap_done();
	for (i = 0; i < t.count; i++)
		read += rt_line_table_read(&t, i, &reader);
	is_int(read, t.count, "each is read");
	sum_of_libdw(dw, &theirs);
	printf("# %zu tables, %zu files, %zu rows\n", t.count, ours.files, ours.rows);
	ok(ours.rows > 1000, "there are rows");
	is_int(ours.rows, theirs.rows, "as many as libdw finds");
	ok(ours.sum == theirs.sum, "with the same files, lines and addresses");
	reader.row = stop_at_row;
	for (i = read = 0; i < t.count; i++)
		read += rt_line_table_read(&t, i, &reader);
	ok(read < t.count, "a reader can stop");
	test_refusals(path, t.count);
	rt_line_tables_free(&t);
	free(ours.paths);
	dwarf_end(dw);
	close(fd);
	return tap_done();
}
