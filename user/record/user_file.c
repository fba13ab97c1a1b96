// SPDX-License-Identifier: GPL-2.0
#include "record/user_file.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/nearest.h"
#include "record/installed.h"
#include "record/user_code.h"
#include "symbols/object.h"

struct file {
	struct file *next;
	char *path; /* as typed */
	char *real;
	struct rt_user_code code;
	struct rt_object *object;    /* names as in the file */
	struct rt_object *demangled; /* made when needed */
};

struct rt_user_files {
	struct file *first;
	struct rt_symbols *plain, *demangled;
};

struct rt_user_files *rt_user_files_new(void)
{
	return calloc(1, sizeof(struct rt_user_files));
}

static void file_free(struct file *f)
{
	rt_user_code_close(&f->code);
	free(f->path);
	free(f->real);
	free(f);
}

void rt_user_files_free(struct rt_user_files *files)
{
	struct file *f;

	if (!files)
		return;
	while ((f = files->first)) {
		files->first = f->next;
		file_free(f);
	}
	if (files->plain)
		rt_symbols_close(files->plain);
	if (files->demangled)
		rt_symbols_close(files->demangled);
	free(files);
}

/* --- opening --------------------------------------------------------------------- */

static int file_open(struct rt_user_files *files, const char *path, struct file **out,
		     struct rt_err *err)
{
	char real[PATH_MAX];
	struct file *f;
	int ret;

	for (f = files->first; f; f = f->next)
		if (!strcmp(f->path, path)) {
			*out = f;
			return 0;
		}
	f = calloc(1, sizeof(*f));
	if (!f)
		return -ENOMEM;
	f->path = strdup(path);
	/* A file that was deleted has no path: /proc/PID/exe still opens it. */
	f->real = strdup(realpath(path, real) ? real : path);
	ret = f->path && f->real ? rt_user_code_open(&f->code, path, err) : -ENOMEM;
	if (ret) {
		f->code.fd = -1;
		file_free(f);
		return ret;
	}
	f->next = files->first;
	files->first = f;
	*out = f;
	return 0;
}

/* The group that perf would use: probe_ and the file's name up to the first odd character. */
static char *group_of(const struct file *f)
{
	const char *base;
	size_t size = rt_installed_name(f->real, &base);
	char *group;

	return asprintf(&group, "probe_%.*s", (int)size, base) < 0 ? NULL : group;
}

/* --- functions ------------------------------------------------------------------- */

/* What a walk over all symbols is looking for. */
struct search {
	const char *name;
	const struct rt_symbol **found;
	size_t count;
	struct rt_nearest near;
	bool failed;
};

static bool is_function(const struct rt_symbol *sym)
{
	return sym->type == STT_FUNC || sym->type == STT_NOTYPE || sym->type == STT_GNU_IFUNC;
}

static int each(void *arg, const struct rt_symbol *sym)
{
	struct search *s = arg;
	const struct rt_symbol **bigger;
	size_t i;

	if (!is_function(sym))
		return 0;
	if (strcmp(sym->name, s->name)) {
		rt_nearest_offer(&s->near, sym->name);
		return 0;
	}
	for (i = 0; i < s->count; i++)
		if (s->found[i]->start == sym->start)
			return 0;
	bigger = realloc(s->found, (s->count + 1) * sizeof(*bigger));
	if (!bigger) {
		s->failed = true;
		return 1;
	}
	s->found = bigger;
	s->found[s->count++] = sym;
	return 0;
}

/* The object of a file among the symbols as they are, or demangled. */
static struct rt_object *object_of(struct rt_user_files *files, struct file *f, bool demangled,
				   struct rt_err *err)
{
	struct rt_symbols_options options = { .no_demangle = !demangled };
	struct rt_symbols **syms = demangled ? &files->demangled : &files->plain;
	struct rt_object **object = demangled ? &f->demangled : &f->object;

	if (!*syms)
		*syms = rt_symbols_open(&options, err);
	if (!*syms)
		return NULL;
	if (!*object)
		*object = rt_object_get_kind(*syms, RT_OBJECT_USER, f->real,
					     f->code.buildid.len ? &f->code.buildid : NULL);
	return *object;
}

static int search_symbol(struct rt_user_files *files, struct file *f, struct search *s,
			 struct rt_err *err)
{
	struct rt_object *object;
	int demangled;

	for (demangled = 0; demangled < 2 && !s->count; demangled++) {
		object = object_of(files, f, demangled, err);
		if (!object)
			return -ENOMEM;
		rt_object_each_symbol(object, each, s);
		if (s->failed)
			return -ENOMEM;
	}
	return 0;
}

static int no_function(const struct file *f, const struct search *s, struct rt_err *err)
{
	char text[256];

	if (!rt_object_symbol_file(f->object) && !f->code.dynamic)
		return rt_err_set(err, ENOENT,
				  "%s has no symbols, and no debug file of its build-id was found; "
				  "install its debug symbols, or write %s:0xOFFSET",
				  f->path, f->path);
	return rt_err_set(err, ENOENT, "%s has no function '%s'%s", f->path, s->name,
			  rt_nearest_text(&s->near, text, sizeof(text)));
}

static int check_function(const struct file *f, const struct rt_symbol *sym,
			  const struct rt_user_query *query, struct rt_err *err)
{
	if (sym->type == STT_GNU_IFUNC)
		return rt_err_set(
			err, EINVAL,
			"'%s' only chooses one of several functions when a program starts; probe "
			"that function ('nm -D' and 'nm' show names such as __%s_avx2)",
			sym->name, sym->name);
	if (query->offset && query->offset >= sym->end - sym->start)
		return rt_err_set(err, EINVAL,
				  "+0x%llx is beyond the end of '%s', which has 0x%llx bytes",
				  (unsigned long long)query->offset, sym->name,
				  (unsigned long long)(sym->end - sym->start));
	return rt_user_code_check(&f->code, sym->start, sym->start + query->offset, err);
}

static int find_function(struct rt_user_files *files, struct file *f,
			 const struct rt_user_query *query, struct rt_user_places *out,
			 struct rt_err *err)
{
	struct search s = { .name = query->symbol };
	size_t i;
	int ret;

	rt_nearest_begin(&s.near, query->symbol);
	ret = search_symbol(files, f, &s, err);
	if (!ret && !s.count)
		ret = no_function(f, &s, err);
	out->offsets = ret ? NULL : calloc(s.count, sizeof(*out->offsets));
	if (!ret && !out->offsets)
		ret = -ENOMEM;
	for (i = 0; !ret && i < s.count; i++) {
		ret = check_function(f, s.found[i], query, err);
		out->offsets[out->count++] = s.found[i]->start + query->offset;
	}
	free(s.found);
	return ret;
}

static int find_offset(struct rt_user_files *files, struct file *f,
		       const struct rt_user_query *query, struct rt_user_places *out,
		       struct rt_err *err)
{
	struct rt_object *object = object_of(files, f, false, err);
	const struct rt_symbol *sym = object ? rt_object_symbol(object, query->offset) : NULL;

	out->offsets = malloc(sizeof(*out->offsets));
	if (!object || !out->offsets)
		return -ENOMEM;
	out->offsets[0] = query->offset;
	out->count = 1;
	return rt_user_code_check(&f->code, sym ? sym->start : query->offset, query->offset, err);
}

int rt_user_files_find(struct rt_user_files *files, const struct rt_user_query *query,
		       struct rt_user_places *out, struct rt_err *err)
{
	struct file *f = NULL;
	int ret;

	memset(out, 0, sizeof(*out));
	ret = file_open(files, query->path, &f, err);
	if (!ret)
		ret = query->symbol ? find_function(files, f, query, out, err) :
				      find_offset(files, f, query, out, err);
	if (!ret) {
		out->fd = f->code.fd;
		out->go = f->code.go;
		out->group = group_of(f);
		ret = out->group ? 0 : -ENOMEM;
	}
	if (ret) {
		free(out->offsets);
		free(out->group);
		memset(out, 0, sizeof(*out));
	}
	return ret == -ENOMEM ? rt_err_set(err, ENOMEM, "out of memory") : ret;
}
