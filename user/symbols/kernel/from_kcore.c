// SPDX-License-Identifier: GPL-2.0
/*
 * from_kcore.c - /proc/kcore and copies of it beside a kallsyms file.
 *
 * If the kernel and every module are still at their recorded addresses, perf maps kernel memory by
 * kcore's segments and takes all names from kallsyms.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/kallsyms.h"
#include "symbols/elffile.h"
#include "symbols/kernel/internal.h"

#define PATH_SIZE RT_SYMBOLS_PATH

/* Make the path of a file beside one that is called "kallsyms". */
static bool sibling(const char *kallsyms, const char *name, char *out)
{
	const char *slash = strrchr(kallsyms, '/');

	if (!slash || strcmp(slash + 1, "kallsyms"))
		return false;
	return snprintf(out, PATH_SIZE, "%.*s/%s", (int)(slash - kallsyms), kallsyms, name) <
	       PATH_SIZE;
}

struct loaded {
	char name[256]; /* with brackets */
	uint64_t start;
};

static struct loaded *read_modules(const char *path, unsigned int *count)
{
	FILE *f = fopen(path, "re");
	struct loaded *list = NULL, *grown;
	unsigned int n = 0, room = 0;
	char line[1024], name[250];
	uint64_t start;

	*count = 0;
	if (!f)
		return NULL;
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%249s %*s %*s %*s %*s %" SCNx64, name, &start) != 2)
			continue;
		if (n == room) {
			room = room ? room * 2 : 64;
			grown = realloc(list, room * sizeof(*list));
			if (!grown)
				break;
			list = grown;
		}
		snprintf(list[n].name, sizeof(list[n].name), "[%s]", name);
		list[n++].start = start;
	}
	fclose(f);
	*count = n;
	/* An empty list is also an answer. */
	return list ? list : calloc(1, sizeof(*list));
}

static bool has_module(const struct loaded *list, unsigned int n, const struct rt_kmap *map)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (list[i].start == map->start && !strcmp(list[i].name, map->object->name))
			return true;
	return false;
}

static bool modules_match(struct rt_kernel *k, const char *path)
{
	unsigned int n, i;
	struct loaded *list = read_modules(path, &n);
	bool match = list != NULL;

	for (i = 0; match && i < k->maps->count; i++)
		if (k->maps->map[i].module && !has_module(list, n, &k->maps->map[i]))
			match = false;
	free(list);
	return match;
}

bool rt_kcore_matches(struct rt_kernel *k, const char *kallsyms)
{
	char path[PATH_SIZE];
	uint64_t start;

	if (k->ref_symbol &&
	    (rt_kallsyms_address(kallsyms, k->ref_symbol, &start) || start != k->ref_address))
		return false;
	return sibling(kallsyms, "modules", path) && modules_match(k, path);
}

/*
 * On arm64 the text lies inside the vmalloc segment.  Any segment that contains an address gives
 * the same object and the same address, so nothing need be cut here.
 */
int rt_kcore_maps(struct rt_kernel *k, const char *kallsyms, struct rt_kmap **maps,
		  unsigned int *count)
{
	char path[PATH_SIZE];
	struct rt_elf e;
	GElf_Phdr ph;
	size_t n, i;

	*count = 0;
	if (!sibling(kallsyms, "kcore", path) || rt_elf_open(&e, path))
		return -ENOENT;
	*maps = elf_getphdrnum(e.elf, &n) ? NULL : calloc(n + 1, sizeof(**maps));
	for (i = 0; *maps && i < n && gelf_getphdr(e.elf, i, &ph); i++) {
		uint64_t size = ph.p_memsz < ph.p_filesz ? ph.p_memsz : ph.p_filesz;

		if (ph.p_type != PT_LOAD || !(ph.p_flags & PF_X) || !size)
			continue;
		(*maps)[(*count)++] = (struct rt_kmap){
			.start = ph.p_vaddr,
			.end = ph.p_vaddr + size,
			.object = k->object,
			.identity = true,
		};
	}
	rt_elf_close(&e);
	if (!*count) {
		free(*maps);
		*maps = NULL;
		return -ENOENT;
	}
	return 0;
}
