// SPDX-License-Identifier: GPL-2.0
#include "buildid/live.h"

#include <errno.h>
#include <fts.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "symbols/buildid.h"

#define NOTES	   "/sys/kernel/notes"
#define MODULE_LEN 64

struct module {
	uint64_t start, size;
	char name[MODULE_LEN];
	char *path; /* of its file, or NULL */
};

int rt_buildid_live_kernel(FILE *out, struct rt_err *err)
{
	struct rt_buildid id;
	char hex[RT_BUILDID_HEX];
	int ret = rt_buildid_of_notes(&id, NOTES);

	if (ret)
		return rt_err_set(err, -ret, "the running kernel shows no build-id in " NOTES);
	fprintf(out, "%s\n", rt_buildid_hex(&id, hex));
	return 0;
}

/* Where the kernel's text begins; 0 when addresses are hidden. */
static uint64_t kernel_start(void)
{
	FILE *f = fopen("/proc/kallsyms", "re");
	uint64_t address, found = 0;
	char line[512], name[256], type;

	if (!f)
		return 0;
	while (!found && fgets(line, sizeof(line), f))
		if (sscanf(line, "%" SCNx64 " %c %255s", &address, &type, name) == 3 &&
		    (!strcmp(name, "_text") || !strcmp(name, "_stext")))
			found = address;
	fclose(f);
	return found;
}

static int by_address(const void *a, const void *b)
{
	const struct module *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static size_t read_modules(struct module **out)
{
	FILE *f = fopen("/proc/modules", "re");
	struct module *list = NULL, *more, m;
	size_t count = 0;
	char line[512];

	*out = NULL;
	if (!f)
		return 0;
	while (fgets(line, sizeof(line), f)) {
		memset(&m, 0, sizeof(m));
		if (sscanf(line, "%63s %" SCNu64 " %*s %*s %*s 0x%" SCNx64, m.name, &m.size,
			   &m.start) != 3)
			continue;
		more = realloc(list, (count + 1) * sizeof(*list));
		if (!more)
			break;
		list = more;
		list[count++] = m;
	}
	fclose(f);
	if (count)
		qsort(list, count, sizeof(*list), by_address);
	*out = list;
	return count;
}

/* A file x-y.ko.xz is module x_y. */
static bool is_file_of(const char *file, const char *module)
{
	for (; *module; file++, module++)
		if (*file != *module && !(*file == '-' && *module == '_'))
			return false;
	return !strncmp(file, ".ko", 3) && (!file[3] || file[3] == '.');
}

static void find_paths(struct module *list, size_t count)
{
	char top[sizeof("/lib/modules/") + 256];
	char *paths[] = { top, NULL };
	struct utsname uts;
	FTSENT *e;
	FTS *fts;
	size_t i;

	if (uname(&uts))
		return;
	snprintf(top, sizeof(top), "/lib/modules/%s", uts.release);
	fts = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	while (fts && (e = fts_read(fts))) {
		if (e->fts_info != FTS_F)
			continue;
		for (i = 0; i < count; i++)
			if (!list[i].path && is_file_of(e->fts_name, list[i].name))
				list[i].path = strdup(e->fts_path);
	}
	if (fts)
		fts_close(fts);
}

static void print_module(const struct module *m, FILE *out)
{
	char notes[128], hex[RT_BUILDID_HEX] = "";
	struct rt_buildid id;

	snprintf(notes, sizeof(notes), "/sys/module/%s/notes/.note.gnu.build-id", m->name);
	if (!rt_buildid_of_notes(&id, notes))
		rt_buildid_hex(&id, hex);
	fprintf(out, "%s %16" PRIx64 " %16" PRIx64, hex, m->start, m->start + m->size);
	if (m->path)
		fprintf(out, " %s\n", m->path);
	else
		fprintf(out, " [%s]\n", m->name);
}

int rt_buildid_live_maps(FILE *out, struct rt_err *err)
{
	char hex[RT_BUILDID_HEX] = "";
	uint64_t start = kernel_start();
	struct module *list;
	struct rt_buildid id;
	size_t i, after, count;

	if (!start)
		return rt_err_set(err, EPERM,
				  "kernel addresses are hidden; be root, with "
				  "/proc/sys/kernel/kptr_restrict below 2");
	if (!rt_buildid_of_notes(&id, NOTES))
		rt_buildid_hex(&id, hex);
	count = read_modules(&list);
	find_paths(list, count);
	/* The kernel reaches to the next module above it, as perf draws it. */
	for (after = 0; after < count && list[after].start < start; after++)
		print_module(&list[after], out);
	fprintf(out, "%s %16" PRIx64 " %16" PRIx64 " [kernel.kallsyms]\n", hex, start,
		after < count ? list[after].start : UINT64_MAX);
	for (; after < count; after++)
		print_module(&list[after], out);
	for (i = 0; i < count; i++)
		free(list[i].path);
	free(list);
	return 0;
}
