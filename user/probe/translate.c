// SPDX-License-Identifier: GPL-2.0
#include "probe/translate.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/job.h"
#include "symbols/elffile.h"

/*
 * Of a program without symbols, find where the place is in the file.  Its symbols are only in the debug
 * information, which the parser of -e does not read.  The same for one of several functions of one name.
 */
static bool find_offset(const struct rt_probe_job *j, uint64_t *offset)
{
	struct rt_elf elf;
	uint64_t delta;
	bool found;

	if (!j->user || !j->place || rt_elf_open(&elf, j->def->module))
		return false;
	found = (!elf.symtab || j->place->ambiguous) &&
		rt_elf_vaddr_delta(&elf, j->place->address, &delta);
	rt_elf_close(&elf);
	if (found)
		*offset = j->place->address - delta;
	return found;
}

/* A place from debug information: a symbol and an offset. */
static void write_place(const struct rt_probe_job *j, struct rt_text *out)
{
	uint64_t offset;

	if (find_offset(j, &offset)) {
		rt_text_printf(out, "%s:0x%llx", j->def->module, (unsigned long long)offset);
		return;
	}
	if (j->user)
		rt_text_printf(out, "%s:", j->def->module);
	else if (j->module)
		rt_text_printf(out, "%s:", j->module);
	rt_text_str(out, j->place->symbol);
	if (j->place->offset)
		rt_text_printf(out, "+0x%llx", (unsigned long long)j->place->offset);
}

static void write_point(const struct rt_probe_job *j, struct rt_text *out)
{
	const struct rt_probe_def *def = j->def;

	rt_text_char(out, j->user ? 'u' : 'k');
	rt_text_str(out, def->returns ? "retprobe:" : "probe:");
	if (j->place) {
		write_place(j, out);
		return;
	}
	if (def->file)
		rt_text_printf(out, "%s:", def->file);
	else if (def->module)
		rt_text_printf(out, "%s:", def->module);
	if (def->function)
		rt_text_str(out, def->function);
	else
		rt_text_printf(out, "0x%llx", (unsigned long long)def->address);
	if (def->offset)
		rt_text_printf(out, "+0x%llx", (unsigned long long)def->offset);
}

/* Names of events have letters, digits and _: "ns::f" becomes "ns_f". */
static void make_plain(char *name)
{
	char *to = name;

	for (; *name; name++)
		if (isalnum((unsigned char)*name) || *name == '_')
			*to++ = *name;
		else if (!strchr("~>(*)", *name) && (name[1] != ':' || *name != ':'))
			*to++ = '_';
	*to = 0;
}

/* The name of the event at a copy: that of the function, with what the symbol of a clone or part adds. */
static char *name_copy(const struct rt_probe_def *def, const char *suffix)
{
	char *made;

	if (asprintf(&made, "%s%s%s%s", def->name ? def->name : def->function, suffix ? "_" : "",
		     suffix ? suffix : "", def->returns && !def->name ? "__return" : "") < 0)
		return NULL;
	make_plain(made);
	return made;
}

/* The event's name, unless it follows from the symbol at its address. */
static int name_event(const struct rt_probe_job *j, struct rt_translated *t)
{
	const struct rt_probe_def *def = j->def;
	char suffix[64] = "";
	uint64_t offset;

	/* As perf names lines. */
	if (!def->name && def->has_line && j->place) {
		if (asprintf(&t->name, "%s_L%u", def->function ? def->function : j->place->symbol,
			     def->line) < 0) {
			t->name = NULL;
			return -ENOMEM;
		}
		make_plain(t->name);
		return 0;
	}
	if (j->place && j->several)
		rt_probe_copy_suffix(j->place, suffix, sizeof(suffix));
	if (*suffix && !(t->suffix = strdup(suffix)))
		return -ENOMEM;
	/* The symbol of an inlined function is its caller's; those of C++ and Rust are mangled. */
	if (def->name || (j->place && def->function &&
			  (strcmp(j->place->symbol, def->function) || find_offset(j, &offset)))) {
		t->name = name_copy(def, t->suffix);
		return t->name ? 0 : -ENOMEM;
	}
	return 0;
}

static int append(struct rt_probe_job *j, struct rt_translation *out)
{
	struct rt_translated *list = realloc(out->list, (out->count + 1) * sizeof(*list)), *t;
	struct rt_text text;

	if (!list)
		return rt_err_set(j->err, ENOMEM, "out of memory");
	out->list = list;
	t = memset(&list[out->count++], 0, sizeof(*list));
	rt_text_init(&text);
	write_point(j, &text);
	rt_text_put(&text, j->values.base, j->values.len);
	rt_text_char(&text, 0);
	t->text = text.failed ? NULL : strdup(text.base);
	rt_text_free(&text);
	t->system = j->def->group ? strdup(j->def->group) : NULL;
	if (name_event(j, t))
		return rt_err_set(j->err, ENOMEM, "out of memory");
	t->labels = j->labels;
	memset(&j->labels, 0, sizeof(j->labels));
	if (!t->text || (j->def->group && !t->system))
		return rt_err_set(j->err, ENOMEM, "out of memory");
	return 0;
}

/* Append the event at one place, or where the symbols say. */
static int translate_at(struct rt_probe_job *j, const struct rt_code_place *place,
			struct rt_translation *out)
{
	size_t i;
	int ret = 0;

	j->place = place;
	if (place)
		j->described = false;
	rt_text_reset(&j->values);
	rt_text_set_free(&j->names);
	memset(&j->names, 0, sizeof(j->names));
	for (i = 0; !ret && i < j->def->count; i++)
		ret = rt_probe_write_value(j, &j->def->values[i]);
	/* The parser of -e refuses an unknown function and suggests others. */
	if (j->unknown) {
		rt_text_reset(&j->values);
		return append(j, out);
	}
	if (!ret && j->values.failed)
		ret = rt_err_set(j->err, ENOMEM, "out of memory");
	return ret ? ret : append(j, out);
}

/* The event where the symbols say, without the debug information that the copies need. */
static int translate_own(struct rt_probe_job *j, struct rt_translation *out)
{
	struct rt_debuginfo *debug = j->debug;
	int ret;

	j->debug = NULL;
	ret = translate_at(j, NULL, out);
	j->debug = debug;
	return ret;
}

static int translate_copy(struct rt_probe_job *j, const struct rt_code_place *place,
			  struct rt_probe_count *count, struct rt_translation *out)
{
	int ret;

	if (!rt_probe_copy_fits(j, place, count))
		return -EINVAL;
	ret = translate_at(j, place, out);
	if (ret)
		count->failed++;
	else
		rt_probe_count_probed(count, place);
	return ret;
}

/* Of several places those count where all values can be recorded. */
static int translate_places(struct rt_probe_job *j, const struct rt_code_places *places,
			    struct rt_translation *out)
{
	struct rt_probe_count count;
	int ret = 0;
	size_t i;

	rt_probe_count_begin(&count, j, places);
	j->several = count.entries > 1;
	/* The function's own entry has the name without a number. */
	for (i = 0; i < 2 * places->count && ret != -ENOMEM; i++)
		if (places->list[i % places->count].inlined == (i >= places->count))
			ret = translate_copy(j, &places->list[i % places->count], &count, out);
	if (ret == -ENOMEM)
		return ret;
	if (!count.probed)
		return ret;
	out->note = rt_probe_count_note(&count, j);
	return 0;
}

/* Say that $retval has no type, behind what there is to say about places. */
static int note_untyped(const struct rt_probe_job *j, struct rt_translation *out)
{
	char *note;

	if (!j->untyped)
		return 0;
	if (asprintf(&note,
		     "%s%s%s: what it returns is recorded as the whole register in hexadecimal, because its "
		     "type is not known here; $retval:s64 or another type shows it",
		     out->note ? out->note : "", out->note ? "; " : "", j->def->function) < 0)
		return rt_err_set(j->err, ENOMEM, "out of memory");
	free(out->note);
	out->note = note;
	return 0;
}

static int translate(struct rt_probe_job *j, struct rt_translation *out)
{
	const char *module = j->def->module;
	struct rt_code_places places = { 0 };
	int ret = 0;

	j->user = module && strchr(module, '/') && !rt_probe_is_module(module);
	j->module = module;
	if (j->def->has_offset && !j->user)
		ret = rt_probe_check_offset(j);
	if (!ret)
		ret = rt_probe_find_places(j, &places);
	if (!ret && (j->own || !places.count))
		ret = translate_own(j, out);
	if (!ret && places.count)
		ret = translate_places(j, &places, out);
	rt_code_places_free(&places);
	return ret ? ret : note_untyped(j, out);
}

int rt_probe_translate(struct rt_probe_sources *s, const char *text, struct rt_translation *out,
		       struct rt_err *err)
{
	struct rt_probe_def def;
	struct rt_probe_job j = { .sources = s, .def = &def, .err = err };
	int ret = rt_probe_def_parse(&def, text, err);

	rt_text_init(&j.values);
	if (!ret)
		ret = translate(&j, out);
	rt_text_free(&j.values);
	rt_value_labels_free(&j.labels);
	rt_text_set_free(&j.names);
	free(j.own_module);
	rt_probe_def_free(&def);
	return ret;
}

/* BTF leaves functions out, so debug information may know more. */
static int exists(struct rt_probe_job *j)
{
	struct rt_code_places places = { 0 };
	struct rt_debuginfo *debug;
	struct rt_err why;
	int ret = rt_probe_describe(j);

	if (!ret || rt_probe_open_debug(j, &debug, &why))
		return ret;
	ret = rt_debuginfo_function(debug, j->def->function, &places);
	rt_code_places_free(&places);
	return ret;
}

int rt_probe_check(struct rt_probe_sources *s, const char *text, struct rt_translation *out,
		   struct rt_err *err)
{
	struct rt_probe_def def;
	struct rt_probe_job j = { .sources = s, .def = &def, .err = err };
	int ret = rt_probe_translate(s, text, out, err);

	if (ret)
		return ret;
	ret = rt_probe_def_parse(&def, text, err);
	j.module = def.module;
	if (!ret && def.function)
		ret = exists(&j);
	free(j.own_module);
	rt_probe_def_free(&def);
	return ret;
}
