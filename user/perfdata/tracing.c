// SPDX-License-Identifier: GPL-2.0
/*
 * tracing.c - the formats of tracepoints: a small archive of the tracing
 * directory's format files, given to libtraceevent.
 *
 * Layout: a magic, a version, the byte order and the sizes of long and page, then
 * header_page, header_event, the formats of ftrace, those of each system, kallsyms,
 * printk formats and saved command lines, each with its size in front.
 */
#include <errno.h>
#include <stdlib.h>
#include <traceevent/event-parse.h>

#include "perfdata/internal.h"

#define FORMAT_MAX (4 << 20) /* of one format file */

static const char magic[] = { 23, 8, 68, 't', 'r', 'a', 'c', 'i', 'n', 'g' };

/* A NUL-terminated string. */
static const char *take_string(struct rt_cursor *c)
{
	const uint8_t *nul = c->failed ? NULL : memchr(c->pos, 0, c->end - c->pos);

	if (!nul)
		c->failed = true;
	return nul ? rt_cursor_bytes(c, nul + 1 - c->pos) : NULL;
}

static bool take_tag(struct rt_cursor *c, const char *tag)
{
	const char *s = take_string(c);

	return s && !strcmp(s, tag);
}

/*
 * A format is text.  libtraceevent's parser is given nothing else, since a file may
 * come from anybody.
 */
static bool is_text(const char *s, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		if ((unsigned char)s[i] < ' ' && s[i] != '\n' && s[i] != '\t')
			return false;
	return true;
}

static int take_format(struct rt_cursor *c, struct tep_handle *tep, const char *system,
		       struct rt_vet *vet)
{
	uint64_t size = rt_cursor_u64(c);
	const char *text = rt_cursor_bytes(c, size);
	char *copy;

	if (!text)
		return -EBADMSG;
	if (!size || size > FORMAT_MAX || !is_text(text, size))
		return 0;
	/* Its lexer looks one character ahead. */
	copy = malloc(size + 1);
	if (!copy)
		return -ENOMEM;
	memcpy(copy, text, size);
	copy[size] = 0;
	/* A format that cannot be parsed leaves its event without fields; the rest is good. */
	if (rt_vet_step(vet))
		tep_parse_event(tep, copy, size, system);
	free(copy);
	return 0;
}

static int take_formats(struct rt_cursor *c, struct tep_handle *tep, const char *system,
			struct rt_vet *vet)
{
	uint32_t i, count = rt_cursor_u32(c);
	int ret;

	for (i = 0; i < count; i++) {
		ret = take_format(c, tep, system, vet);
		if (ret)
			return ret;
	}
	return 0;
}

static int take_systems(struct rt_cursor *c, struct tep_handle *tep, struct rt_vet *vet)
{
	uint32_t i, count = rt_cursor_u32(c);
	const char *system;
	int ret;

	for (i = 0; i < count; i++) {
		system = take_string(c);
		ret = system ? take_formats(c, tep, system, vet) : -EBADMSG;
		if (ret)
			return ret;
	}
	return 0;
}

static int take_header_files(struct rt_cursor *c, struct tep_handle *tep, struct rt_vet *vet)
{
	uint64_t size;
	char *page;

	if (!take_tag(c, "header_page"))
		return -EBADMSG;
	size = rt_cursor_u64(c);
	page = (char *)rt_cursor_bytes(c, size);
	if (!page)
		return -EBADMSG;
	if (size <= FORMAT_MAX && is_text(page, size) && rt_vet_step(vet) &&
	    !tep_parse_header_page(tep, page, size, tep_get_long_size(tep)))
		tep_set_long_size(tep, tep_get_header_page_size(tep));
	if (!take_tag(c, "header_event"))
		return -EBADMSG;
	rt_cursor_bytes(c, rt_cursor_u64(c));
	return 0;
}

/* A line `0xffff… : "format\n"`.  libtraceevent strips quotes and \n without looking at lengths. */
static void take_printk(struct tep_handle *tep, char *line)
{
	unsigned long long address;
	size_t len;
	char *text;

	text = strchr(line, ':');
	if (!text)
		return;
	address = strtoull(line, NULL, 16);
	text += 1 + strspn(text + 1, " ");
	len = strlen(text);
	if (len >= 4 && text[0] == '"' && text[len - 1] == '"')
		tep_register_print_string(tep, text, address);
}

/* A line `PID COMM`. */
static void take_comm(struct tep_handle *tep, char *line)
{
	char *comm;
	long pid = strtol(line, &comm, 10);

	if (comm != line && *comm == ' ' && comm[1] && !tep_is_pid_registered(tep, (int)pid))
		tep_register_comm(tep, comm + 1, (int)pid);
}

static int take_lines(struct rt_cursor *c, uint64_t size, struct tep_handle *tep,
		      void (*take)(struct tep_handle *tep, char *line))
{
	const char *text = rt_cursor_bytes(c, size);
	char *copy, *line, *next;

	if (!size || c->failed)
		return 0;
	copy = strndup(text, size);
	if (!copy)
		return -ENOMEM;
	for (line = strtok_r(copy, "\n", &next); line; line = strtok_r(NULL, "\n", &next))
		take(tep, line);
	free(copy);
	return 0;
}

static int take_all(struct rt_cursor *c, struct tep_handle *tep, struct rt_vet *vet)
{
	const char *version;
	const uint8_t *order, *long_size;
	uint32_t page_size;
	int ret;

	version = take_string(c);
	order = rt_cursor_bytes(c, 1);
	long_size = rt_cursor_bytes(c, 1);
	if (!long_size)
		return -EBADMSG;
	c->swap = (__BYTE_ORDER == __BIG_ENDIAN) != !!*order;
	page_size = rt_cursor_u32(c);
	if (!page_size || (*long_size != 4 && *long_size != 8))
		return -EBADMSG;
	tep_set_flag(tep, TEP_NSEC_OUTPUT);
	tep_set_file_bigendian(tep, *order ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_local_bigendian(tep,
				__BYTE_ORDER == __BIG_ENDIAN ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_long_size(tep, *long_size);
	tep_set_page_size(tep, (int)page_size);
	ret = take_header_files(c, tep, vet);
	if (!ret)
		ret = take_formats(c, tep, "ftrace", vet);
	if (!ret)
		ret = take_systems(c, tep, vet);
	if (ret)
		return ret;
	/* Old files carry kallsyms; addresses are resolved elsewhere. */
	rt_cursor_bytes(c, rt_cursor_u32(c));
	ret = take_lines(c, rt_cursor_u32(c), tep, take_printk);
	if (!ret && atof(version) >= 0.6)
		ret = take_lines(c, rt_cursor_u64(c), tep, take_comm);
	return ret ? ret : c->failed ? -EBADMSG : 0;
}

/* The handle in *out may be good for some events even when there was an error. */
static int parse(const void *data, size_t size, struct rt_vet *vet, struct tep_handle **out)
{
	struct rt_cursor c = { data, (const uint8_t *)data + size, false, false };
	const void *tag = rt_cursor_bytes(&c, sizeof(magic));

	*out = NULL;
	if (!tag || memcmp(tag, magic, sizeof(magic)))
		return -EBADMSG;
	tep_set_loglevel(TEP_LOG_NONE);
	*out = tep_alloc();
	vet->next = 0;
	return *out ? take_all(&c, *out, vet) : -ENOMEM;
}

static void try_parse(struct rt_vet *vet, void *arg)
{
	struct rt_reader *r = arg;
	struct tep_handle *tep;

	parse(r->tracing, r->tracing_size, vet, &tep);
}

int rt_tracing_read(struct rt_reader *r, const void *data, size_t size)
{
	if (r->tep) /* a second one would leave the events with formats of the first */
		return 0;
	r->tracing = data;
	r->tracing_size = size;
	if (!rt_vet_run(&r->tracing_vet, try_parse, r))
		return -EBADMSG;
	return parse(data, size, &r->tracing_vet, &r->tep);
}

/* Tracepoints find their format, and a name if the header gave none. */
void rt_tracing_link(struct rt_reader *r)
{
	struct rt_event *e;
	size_t i, len;

	for (i = 0; r->tep && i < r->events.count; i++) {
		e = r->events.list[i];
		if (e->attr.type != RT_TYPE_TRACEPOINT || e->format)
			continue;
		e->format = tep_find_event(r->tep, (int)e->attr.config);
		if (!e->format || e->name)
			continue;
		len = strlen(e->format->system) + strlen(e->format->name) + 2;
		e->name = rt_arena_alloc(&r->arena, len);
		if (e->name)
			snprintf(e->name, len, "%s:%s", e->format->system, e->format->name);
	}
}

void rt_tracing_free(struct rt_reader *r)
{
	tep_free(r->tep);
	r->tep = NULL;
	if (r->tracing_owned)
		free((void *)r->tracing);
}

struct tep_handle *rt_reader_tep_new(const struct rt_reader *r, struct rt_err *err)
{
	struct rt_vet vet = r->tracing_vet;
	struct tep_handle *tep = NULL;

	if (!r->tep)
		rt_err_set(err, ENOENT, "%s has no tracepoint formats", r->path);
	else if (parse(r->tracing, r->tracing_size, &vet, &tep) == -ENOMEM || !tep)
		rt_err_set(err, ENOMEM, "no memory for the tracepoint formats");
	return tep;
}
