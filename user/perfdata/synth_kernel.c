// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel and its modules: where they lie and what their build-ids are.
 */
#include "perfdata/synth.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/file.h"
#include "base/kallsyms.h"

#define KERNEL_NAME	"[kernel.kallsyms]" /* perf's name for it, in maps and build-ids */
#define MODULES_DEP_MAX (64 * 1024 * 1024)
#define MODULES_MAX	(4U << 20) /* bytes of /proc/modules */
#define NOTES_MAX	(1024 * 1024)
#define NOTE_BUILD_ID	3 /* NT_GNU_BUILD_ID */

static void read_notes(const char *path, struct rt_build_id *id)
{
	uint32_t note[3]; /* sizes of name and content, type */
	size_t size, pos = 0, name, content;
	char *data;

	id->size = 0;
	if (rt_file_read(path, NOTES_MAX, &data, &size))
		return;
	while (size - pos >= sizeof(note)) {
		memcpy(note, data + pos, sizeof(note));
		name = pos + sizeof(note);
		if (note[0] > NOTES_MAX || note[1] > NOTES_MAX)
			break;
		content = name + ((note[0] + 3) & ~3u);
		pos = content + ((note[1] + 3) & ~3u);
		if (pos > size)
			break;
		if (note[2] == NOTE_BUILD_ID && note[0] == 4 && !memcmp(data + name, "GNU", 4) &&
		    note[1] <= RT_BUILD_ID_MAX) {
			memcpy(id->data, data + content, note[1]);
			id->size = note[1];
			break;
		}
	}
	free(data);
}

struct kernel_range {
	uint64_t text, stext, etext, edata;
};

static int look_at(void *arg, struct rt_kallsym *sym)
{
	struct kernel_range *r = arg;

	/* Those of modules come last. */
	if (sym->module)
		return 1;
	if (sym->name[0] != '_')
		return 0;
	if (!strcmp(sym->name, "_text"))
		r->text = sym->address;
	else if (!strcmp(sym->name, "_stext"))
		r->stext = sym->address;
	else if (!strcmp(sym->name, "_etext"))
		r->etext = sym->address;
	else if (!strcmp(sym->name, "_edata"))
		r->edata = sym->address;
	return r->edata && (r->text || r->stext);
}

/*
 * perf names in the map the symbol by which it tells how far the kernel was moved
 * (KASLR), and puts that symbol's address where a file offset would be.
 */
static int put_kernel(struct rt_writer *w)
{
	struct kernel_range r = { 0 };
	struct rt_build_id id;
	uint64_t start, end;
	int ret = 0;

	read_notes("/sys/kernel/notes", &id);
	if (id.size)
		ret = rt_writer_build_id(w, KERNEL_NAME, true, &id);
	if (ret || rt_kallsyms_read("/proc/kallsyms", look_at, &r) < 0)
		return ret;
	start = r.text ? r.text : r.stext;
	end = r.edata > start ? r.edata : r.etext;
	if (!start)
		return 0;
	return rt_writer_kernel_map(w, NULL, start, end > start ? end - start : ~start, start,
				    r.text ? KERNEL_NAME "_text" : KERNEL_NAME "_stext");
}

/* A module's name as its file spells it: '-' and '_' are the same. */
static bool is_module(const char *path, size_t len, const char *name)
{
	const char *base = memrchr(path, '/', len);
	size_t n = strlen(name), i;

	base = base ? base + 1 : path;
	len -= base - path;
	if (len < n + 3 || memcmp(base + n, ".ko", 3))
		return false;
	for (i = 0; i < n; i++)
		if (base[i] != name[i] && !(base[i] == '-' && name[i] == '_'))
			return false;
	return true;
}

static char *read_modules_dep(void)
{
	char path[PATH_MAX], *dep;
	struct utsname uts;

	if (uname(&uts))
		return NULL;
	snprintf(path, sizeof(path), "/lib/modules/%s/modules.dep", uts.release);
	return rt_file_read(path, MODULES_DEP_MAX, &dep, NULL) ? NULL : dep;
}

/* Where the module's file is; "[name]" when that is not known. */
static void module_path(const char *dep, const char *name, char *path, size_t size)
{
	const char *line = dep;
	struct utsname uts;
	size_t len;

	snprintf(path, size, "[%s]", name);
	for (; line && *line; line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
		len = strcspn(line, ":\n");
		if (!is_module(line, len, name) || uname(&uts))
			continue;
		if (line[0] == '/')
			snprintf(path, size, "%.*s", (int)len, line);
		else
			snprintf(path, size, "/lib/modules/%s/%.*s", uts.release, (int)len, line);
		return;
	}
}

static int put_module(struct rt_writer *w, const struct rt_writer_stamp *at, const char *dep,
		      const char *name, uint64_t start, uint64_t len)
{
	char path[PATH_MAX], notes[PATH_MAX];
	struct rt_build_id id;
	int ret = 0;

	module_path(dep, name, path, sizeof(path));
	snprintf(notes, sizeof(notes), "/sys/module/%s/notes/.note.gnu.build-id", name);
	read_notes(notes, &id);
	if (id.size)
		ret = rt_writer_build_id(w, path, true, &id);
	return ret || !start ? ret : rt_writer_kernel_map(w, at, start, len, 0, path);
}

int rt_synth_module(struct rt_writer *w, const struct rt_writer_stamp *at, const char *name,
		    uint64_t start, uint64_t len)
{
	char *dep = read_modules_dep();
	int ret = put_module(w, at, dep, name, start, len);

	free(dep);
	return ret;
}

/* One line of /proc/modules: name size references dependents state address */
static bool parse_module(const char *line, char *name, uint64_t *size, uint64_t *addr)
{
	return sscanf(line, "%63s %" SCNu64 " %*s %*s %*s %" SCNx64, name, size, addr) == 3;
}

static const char *next_line(const char *line)
{
	line = strchr(line, '\n');
	return line && line[1] ? line + 1 : NULL;
}

/*
 * Where the next module begins.  From 6.4 on the sizes told are those of a module's parts
 * together, which lie apart: counted from its text they reach into its neighbours.
 */
static uint64_t next_module(const char *modules, uint64_t after)
{
	uint64_t size, addr, next = UINT64_MAX;
	const char *line;
	char name[64];

	for (line = modules; line; line = next_line(line))
		if (parse_module(line, name, &size, &addr) && addr > after && addr < next)
			next = addr;
	return next;
}

static int put_modules(struct rt_writer *w)
{
	char *modules, *dep, name[64];
	uint64_t size, addr, room;
	const char *line;
	int ret = 0;

	if (rt_file_read("/proc/modules", MODULES_MAX, &modules, NULL))
		return 0; /* a kernel without modules */
	dep = read_modules_dep();
	for (line = modules; line && !ret; line = next_line(line)) {
		if (!parse_module(line, name, &size, &addr))
			continue;
		room = next_module(modules, addr) - addr;
		ret = put_module(w, NULL, dep, name, addr, size < room ? size : room);
	}
	free(dep);
	free(modules);
	return ret;
}

int rt_synth_kernel(struct rt_writer *w, struct rt_err *err)
{
	int ret = put_kernel(w);

	if (!ret)
		ret = put_modules(w);
	return ret ? rt_err_set(err, ret, "cannot write where the kernel is: %s", strerror(-ret)) :
		     0;
}
