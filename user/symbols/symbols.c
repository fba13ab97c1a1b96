// SPDX-License-Identifier: GPL-2.0
/*
 * symbols.c - the context, from its creation to the list of objects without symbols; see symbols.h
 */
#include "symbols/symbols.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbols/internal.h"

const char *rt_symbols_str(struct rt_symbols *syms, const char *s)
{
	const char *copy;

	pthread_mutex_lock(&syms->lock);
	copy = rt_arena_str(&syms->strings, s);
	pthread_mutex_unlock(&syms->lock);
	return copy;
}

static bool keep(struct rt_symbols *syms, const char **s, const char *fallback)
{
	const char *from = *s ? *s : fallback;

	if (!from)
		return true;
	*s = rt_arena_str(&syms->strings, from);
	return *s != NULL;
}

static bool keep_options(struct rt_symbols *syms)
{
	struct rt_symbols_options *opt = &syms->opt;
	char cache[RT_SYMBOLS_PATH];

	/* In perf, "/" means "no symfs"; here every form of that becomes "". */
	if (opt->symfs && !strcmp(opt->symfs, "/"))
		opt->symfs = "";
	if (!keep(syms, &opt->home, getenv("HOME") ? getenv("HOME") : ""))
		return false;
	/* With symfs use its own cache: this machine's cache holds this machine's files. */
	snprintf(cache, sizeof(cache), "%s/.debug",
		 opt->symfs && opt->symfs[0] ? opt->symfs : opt->home);
	return keep(syms, &opt->symfs, "") && keep(syms, &opt->vmlinux, NULL) &&
	       keep(syms, &opt->kallsyms, NULL) && keep(syms, &opt->buildid_dir, cache) &&
	       keep(syms, &opt->debug_dir, "/usr/lib/debug");
}

/* Whether a file begins as an ELF file or a compressed one; also if it cannot be read. */
static bool may_be_elf(const char *path)
{
	static const struct {
		const char *bytes;
		size_t size;
	} magics[] = { { "\177ELF", 4 },
		       { "\37\213", 2 },
		       { "\375"
			 "7zXZ",
			 5 },
		       { "BZh", 3 },
		       { "\50\265\57\375", 4 } };
	char start[8] = "";
	size_t i, size;
	FILE *f = fopen(path, "re");

	if (!f)
		return true;
	size = fread(start, 1, sizeof(start), f);
	fclose(f);
	for (i = 0; i < sizeof(magics) / sizeof(magics[0]); i++)
		if (size >= magics[i].size && !memcmp(start, magics[i].bytes, magics[i].size))
			return true;
	return false;
}

/* Whether the first line is ADDRESS TYPE NAME, or the file is empty. */
static bool is_kallsyms(const char *path)
{
	FILE *f = fopen(path, "re");
	char line[64] = "";
	size_t digits;
	bool some;

	if (!f)
		return true;
	some = fgets(line, sizeof(line), f) != NULL;
	fclose(f);
	digits = strspn(line, "0123456789abcdefABCDEF");
	return !some ||
	       (digits && line[digits] == ' ' && line[digits + 1] && line[digits + 2] == ' ');
}

/* perf looks for a path that is not absolute here, and below symfs. */
static bool vmlinux_missing(const struct rt_symbols_options *opt)
{
	char path[PATH_MAX];

	if (!access(opt->vmlinux, R_OK))
		return false;
	snprintf(path, sizeof(path), "%s/%s", opt->symfs, opt->vmlinux);
	return !opt->symfs[0] || access(path, R_OK);
}

static int check_options(const struct rt_symbols_options *opt, struct rt_err *err)
{
	struct stat st;

	if (opt->symfs[0] && (stat(opt->symfs, &st) || !S_ISDIR(st.st_mode)))
		return rt_err_set(err, ENOTDIR,
				  "--symfs %s is not a directory; give the root of "
				  "the tree that holds the recorded machine's files",
				  opt->symfs);
	if (opt->kallsyms && access(opt->kallsyms, R_OK))
		return rt_err_set(err, errno, "--kallsyms %s cannot be read: %s", opt->kallsyms,
				  strerror(errno));
	if (opt->kallsyms && !is_kallsyms(opt->kallsyms))
		return rt_err_set(
			err, EINVAL,
			"--kallsyms %s is no copy of /proc/kallsyms: its first line is not "
			"'ADDRESS TYPE NAME'",
			opt->kallsyms);
	if (opt->vmlinux && !may_be_elf(opt->vmlinux))
		return rt_err_set(
			err, EINVAL,
			"--vmlinux %s is not an ELF file; give the kernel's vmlinux, with symbols",
			opt->vmlinux);
	if (opt->vmlinux && vmlinux_missing(opt))
		return rt_err_set(err, errno, "--vmlinux %s cannot be read: %s", opt->vmlinux,
				  strerror(errno));
	return 0;
}

struct rt_symbols *rt_symbols_open(const struct rt_symbols_options *opt, struct rt_err *err)
{
	struct rt_symbols *syms = calloc(1, sizeof(*syms));

	if (!syms) {
		rt_err_set(err, ENOMEM, "no memory for symbols");
		return NULL;
	}
	pthread_mutex_init(&syms->lock, NULL);
	if (opt)
		syms->opt = *opt;
	if (!keep_options(syms) ||
	    !(syms->nameless = rt_object_new(syms, RT_OBJECT_NONE, "[unknown]", "", NULL))) {
		rt_err_set(err, ENOMEM, "no memory for symbols");
		rt_symbols_close(syms);
		return NULL;
	}
	if (check_options(&syms->opt, err)) {
		rt_symbols_close(syms);
		return NULL;
	}
	return syms;
}

void rt_symbols_close(struct rt_symbols *syms)
{
	struct rt_object *obj;

	if (!syms)
		return;
	if (syms->kernels)
		syms->free_kernels(syms->kernels);
	for (obj = syms->objects; obj; obj = obj->next) {
		if (obj->lines)
			obj->free_lines(obj->lines);
		if (obj->code)
			obj->free_code(obj->code);
		rt_symbol_table_free(&obj->table);
		free(obj->segment);
		pthread_mutex_destroy(&obj->lock);
	}
	free(syms->bucket);
	rt_arena_free(&syms->strings);
	pthread_mutex_destroy(&syms->lock);
	free(syms);
}

/* ---- what could not be named ---------------------------------------------- */

static int most_asked_first(const void *a, const void *b)
{
	const struct rt_object *x = *(struct rt_object *const *)a;
	const struct rt_object *y = *(struct rt_object *const *)b;

	if (x->unanswered != y->unanswered)
		return x->unanswered > y->unanswered ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* The kernel adds this to the name of a mapped file that was removed. */
static bool is_deleted(const char *path)
{
	static const char mark[] = " (deleted)";
	size_t len = strlen(path);

	return len >= sizeof(mark) - 1 && !strcmp(path + len - (sizeof(mark) - 1), mark);
}

static const char *advice(const struct rt_object *obj, const char *hex, char *out, size_t size)
{
	switch (obj->kind) {
	case RT_OBJECT_KERNEL:
		snprintf(out, size,
			 "record on that machine with its build-id cache, give --kallsyms or "
			 "--vmlinux, or install its debug package (Debian: "
			 "linux-image-RELEASE-dbg; Fedora: debuginfo-install kernel)");
		break;
	case RT_OBJECT_MODULE:
		snprintf(out, size,
			 "give --symfs with the machine's /lib/modules, or install the kernel's "
			 "debug package (Debian: linux-image-RELEASE-dbg)");
		break;
	case RT_OBJECT_JIT:
		snprintf(out, size,
			 "have the program write %s (java: perf-map-agent; node: "
			 "--perf-basic-prof; python: -X perf)",
			 obj->path);
		break;
	case RT_OBJECT_VDSO:
		snprintf(out, size, "look at it on the machine and kernel it was recorded on");
		break;
	default:
		if (is_deleted(obj->path))
			snprintf(out, size,
				 "the file was deleted while the program ran; keep it and record "
				 "again");
		else if (hex[0])
			snprintf(
				out, size,
				"run debuginfod-find debuginfo %s, or install the -dbgsym package of `dpkg -S "
				"%s` (Fedora: debuginfo-install %s)",
				hex, obj->path, obj->path);
		else
			snprintf(out, size,
				 "install the -dbgsym package of `dpkg -S %s` (Fedora: "
				 "debuginfo-install %s); it carries no build-id",
				 obj->path, obj->path);
	}
	return out;
}

static int tell(const struct rt_object *obj, int (*fn)(void *arg, const struct rt_missing *m),
		void *arg)
{
	char hex[RT_BUILDID_HEX], install[RT_SYMBOLS_PATH * 2 + 256];
	struct rt_missing m = {
		.path = obj->name,
		.buildid = rt_buildid_hex(&obj->id, hex),
		.looked = obj->looked ? obj->looked : "",
		.asked = obj->unanswered,
	};

	m.install = advice(obj, hex, install, sizeof(install));
	return fn(arg, &m);
}

int rt_symbols_missing(struct rt_symbols *syms, int (*fn)(void *arg, const struct rt_missing *m),
		       void *arg)
{
	struct rt_object **list, *obj;
	unsigned int n = 0, i;
	int ret = 0;

	pthread_mutex_lock(&syms->lock);
	list = malloc((syms->count + 1) * sizeof(*list));
	for (obj = syms->objects; obj && list; obj = obj->next)
		if (obj->unanswered && !obj->never)
			list[n++] = obj;
	pthread_mutex_unlock(&syms->lock);
	if (!list)
		return -ENOMEM;
	qsort(list, n, sizeof(*list), most_asked_first);
	for (i = 0; i < n && !ret; i++)
		ret = tell(list[i], fn, arg);
	free(list);
	return ret;
}

static int print_missing(void *arg, const struct rt_missing *m)
{
	fprintf(arg, "no symbols for %s%s%s: looked at %s; %s\n", m->path,
		m->buildid[0] ? ", build-id " : " (no build-id)", m->buildid,
		m->looked[0] ? m->looked : "nothing", m->install);
	return 0;
}

void rt_symbols_print_missing(struct rt_symbols *syms, FILE *out)
{
	rt_symbols_missing(syms, print_missing, out);
}
