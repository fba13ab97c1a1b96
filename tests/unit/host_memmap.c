// SPDX-License-Identifier: GPL-2.0
/* host_memmap.c - firmware's map of memory: random maps, compared with an array of bytes. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/memmap.h"
#include "tap.h"

#define TRIALS	200
#define ENTRIES 6
#define BYTES	32

static char root[] = "/tmp/rt-memmap-XXXXXX";
static const struct rt_host host = { .root = root };
static const char *const types[] = { "System RAM", "Reserved", "ACPI Tables" };

static void empty(void)
{
	char command[PATH_MAX + 32], path[PATH_MAX];

	snprintf(command, sizeof(command), "rm -rf %s/*",
		 rt_host_path(&host, path, RT_HOST_MEMMAP));
	if (system(command))
		ok(false, "%s", command);
}

static void put(int entry, const char *name, const char *line)
{
	char path[PATH_MAX];
	FILE *file;

	mkdir(rt_host_path(&host, path, RT_HOST_MEMMAP "/%d", entry), 0755);
	file = fopen(rt_host_path(&host, path, RT_HOST_MEMMAP "/%d/%s", entry, name), "w");
	fprintf(file, "%s\n", line);
	fclose(file);
}

static void put_entry(int entry, uint64_t start, uint64_t last, const char *type)
{
	char number[32];

	snprintf(number, sizeof(number), "0x%llx", (unsigned long long)start);
	put(entry, "start", number);
	snprintf(number, sizeof(number), "0x%llx", (unsigned long long)last);
	put(entry, "end", number);
	put(entry, "type", type);
}

/* A random map, and the type of each byte: -1 if it has none. */
static void make_map(int *byte)
{
	int entry, start, last, type, i;

	empty();
	for (i = 0; i < BYTES; i++)
		byte[i] = -1;
	for (entry = 0; entry < ENTRIES; entry++) {
		start = rand() % BYTES;
		last = start + rand() % (BYTES - start);
		type = rand() % 4 ? 0 : 1 + rand() % 2;
		/* Two types for one byte: only one of them may be other than RAM, or both would be right. */
		for (i = start; i <= last; i++)
			if (type && byte[i] > 0 && byte[i] != type)
				type = 0;
		put_entry(entry, start, last, types[type]);
		for (i = start; i <= last; i++)
			if (byte[i] <= 0)
				byte[i] = type;
	}
}

static bool agrees(const int *byte, int start, int last)
{
	struct rt_memmap_gap gap;
	int ret = rt_host_memmap_ram(&host, start, last, &gap), i;

	for (i = start; i <= last && !byte[i]; i++)
		;
	if (i > last)
		return !ret;
	if (ret != -ERANGE || gap.start != (uint64_t)i || gap.last > (uint64_t)last ||
	    gap.last < gap.start || strcmp(gap.type, byte[i] < 0 ? "" : types[byte[i]]))
		return false;
	for (; i <= (int)gap.last; i++)
		if (byte[i] != byte[gap.start])
			return false;
	return true;
}

static void compare(void)
{
	int byte[BYTES], trial, start, ram = 0, wrong = 0;

	srand(1);
	for (trial = 0; trial < TRIALS; trial++) {
		struct rt_memmap_gap gap;
		int last;

		make_map(byte);
		start = rand() % BYTES;
		last = start + rand() % (BYTES - start);
		wrong += !agrees(byte, start, last);
		ram += !rt_host_memmap_ram(&host, start, last, &gap);
	}
	is_int(wrong, 0, "%d random maps agree with their bytes", TRIALS);
	ok(ram > TRIALS / 10 && ram < TRIALS * 9 / 10, "%d of the ranges are RAM", ram);
}

int main(void)
{
	struct rt_memmap_gap gap;
	char command[PATH_MAX + 32], path[PATH_MAX];

	ok(mkdtemp(root) != NULL, "a root directory");
	is_int(rt_host_memmap_ram(&host, 0, 9, &gap), -ENOENT, "a kernel without a map");
	snprintf(command, sizeof(command), "mkdir -p %s",
		 rt_host_path(&host, path, RT_HOST_MEMMAP));
	ok(!system(command), "an empty map");
	is_int(rt_host_memmap_ram(&host, 0, 9, &gap), -ENOENT, "is like none");
	put_entry(0, 0, UINT64_MAX, types[0]);
	is_int(rt_host_memmap_ram(&host, 0, UINT64_MAX, &gap), 0, "all addresses");
	put_entry(1, UINT64_MAX, UINT64_MAX, types[1]);
	is_int(rt_host_memmap_ram(&host, 0, UINT64_MAX, &gap), -ERANGE, "all but the last byte");
	ok(gap.start == UINT64_MAX && gap.last == UINT64_MAX, "which is named");
	is_str(gap.type, "Reserved", "with its type");
	put(0, "start", "nothing");
	is_int(rt_host_memmap_ram(&host, 0, 9, &gap), -EIO, "an entry that cannot be read");
	compare();
	snprintf(command, sizeof(command), "rm -rf %s", root);
	ok(!system(command), "removed");
	return tap_done();
}
