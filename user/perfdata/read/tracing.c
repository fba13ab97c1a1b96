// SPDX-License-Identifier: GPL-2.0
/*
 * tracing.c - the formats of tracepoints: a small archive of the tracing directory's format files,
 * parsed by libtraceevent.
 *
 * Layout: a magic, a version, the byte order and the sizes of long and page, then header_page,
 * header_event, the formats of ftrace, those of each system, kallsyms, printk formats and saved
 * command lines, each preceded by its size.
 */
#include <errno.h>
#include <stdlib.h>
#include <traceevent/event-parse.h>

#include "perfdata/read/internal.h"

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
 * A format is text.  Pass nothing else to libtraceevent's parser, because a file may come from
 * anybody.
 */
static bool is_text(const char *s, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		if ((unsigned char)s[i] < ' ' && s[i] != '\n' && s[i] != '\t')
			return false;
	return true;
}

/*
 * Copy a format.  libtraceevent (1.7) does not understand a string that contains a tab, as
 * maple_tree's formats do, but it understands the escape for one.
 */
static char *with_escapes(const char *text, uint64_t *size)
{
	static const char tag[] = "print fmt:";
	uint64_t i, n = 0, from = *size, tabs = 0;
	const char *at = memmem(text, *size, tag, sizeof(tag) - 1);
	bool quoted = false;
	char *copy;

	if (at)
		from = (uint64_t)(at - text);
	for (i = from; i < *size; i++)
		tabs += text[i] == '\t';
	/* libtraceevent's lexer looks one character ahead. */
	copy = malloc(*size + tabs + 1);
	for (i = 0; copy && i < *size; i++) {
		if (i >= from && text[i] == '"' && text[i - 1] != '\\')
			quoted = !quoted;
		if (quoted && text[i] == '\t') {
			copy[n++] = '\\';
			copy[n++] = 't';
		} else {
			copy[n++] = text[i];
		}
	}
	if (copy)
		copy[n] = 0;
	*size = n;
	return copy;
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
	copy = with_escapes(text, &size);
	if (!copy)
		return -ENOMEM;
	/* If a format cannot be parsed, its event has no fields; the other events are fine. */
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

static int by_address(const void *a, const void *b)
{
	const struct rt_printk *l = a, *r = b;

	return l->address < r->address ? -1 : l->address > r->address;
}

/*
 * Parse lines `0xffff… : "text\n"`, which resolve the kernel's pointers to constant texts.  Store
 * the texts without quotes and without the final \n, which is two characters here.
 */
static int take_printks(struct rt_cursor *c, uint64_t size, struct rt_reader *keep)
{
	const char *text = rt_cursor_bytes(c, size);
	char *copy, *line, *next;
	size_t count = 1, len;
	uint64_t i;

	if (!size || c->failed || !keep)
		return 0;
	for (i = 0; i < size; i++)
		count += text[i] == '\n';
	copy = rt_arena_strn(&keep->arena, text, size);
	keep->printk = rt_arena_alloc(&keep->arena, count * sizeof(*keep->printk));
	if (!copy || !keep->printk)
		return -ENOMEM;
	for (line = strtok_r(copy, "\n", &next); line; line = strtok_r(NULL, "\n", &next)) {
		struct rt_printk *p = &keep->printk[keep->printks];

		p->text = strchr(line, ':');
		if (!p->text)
			continue;
		p->address = strtoull(line, NULL, 16);
		p->text += 1 + strspn(p->text + 1, " ");
		len = strlen(p->text);
		if (len < 2 || p->text[0] != '"' || p->text[len - 1] != '"')
			continue;
		p->text[--len] = 0;
		p->text++;
		len--;
		if (len >= 2 && !strcmp(p->text + len - 2, "\\n"))
			p->text[len - 2] = 0;
		keep->printks++;
	}
	qsort(keep->printk, keep->printks, sizeof(*keep->printk), by_address);
	return 0;
}

static int take_all(struct rt_cursor *c, struct tep_handle *tep, struct rt_vet *vet,
		    struct rt_reader *keep)
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
	/* Old files contain kallsyms; other code resolves addresses. */
	rt_cursor_bytes(c, rt_cursor_u32(c));
	ret = take_printks(c, rt_cursor_u32(c), keep);
	/* Skip the names of tasks: the records have them. */
	if (!ret && version && atof(version) >= 0.6)
		rt_cursor_bytes(c, rt_cursor_u64(c));
	return ret ? ret : c->failed ? -EBADMSG : 0;
}

/* The handle in *out may be usable for some events even after an error. */
static int parse(const void *data, size_t size, struct rt_vet *vet, struct tep_handle **out,
		 struct rt_reader *keep)
{
	struct rt_cursor c = { data, (const uint8_t *)data + size, false, false };
	const void *tag = rt_cursor_bytes(&c, sizeof(magic));

	*out = NULL;
	if (!tag || memcmp(tag, magic, sizeof(magic)))
		return -EBADMSG;
	tep_set_loglevel(TEP_LOG_NONE);
	*out = tep_alloc();
	vet->next = 0;
	return *out ? take_all(&c, *out, vet, keep) : -ENOMEM;
}

static void try_parse(struct rt_vet *vet, void *arg)
{
	struct rt_reader *r = arg;
	struct tep_handle *tep;

	parse(r->tracing, r->tracing_size, vet, &tep, NULL);
}

int rt_tracing_read(struct rt_reader *r, const void *data, size_t size)
{
	if (r->tep) /* a second one would leave events with formats of the first */
		return 0;
	r->tracing = data;
	r->tracing_size = size;
	if (!rt_vet_run(&r->tracing_vet, try_parse, r))
		return -EBADMSG;
	return parse(data, size, &r->tracing_vet, &r->tep, r);
}

/* Give tracepoints their format, and a name if the header has none. */
void rt_tracing_link(struct rt_reader *r)
{
	struct rt_perf_event *e;
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

const char *rt_reader_printk(const struct rt_reader *r, uint64_t address)
{
	struct rt_printk key = { .address = address };
	const struct rt_printk *found =
		r->printks ? bsearch(&key, r->printk, r->printks, sizeof(key), by_address) : NULL;

	return found ? found->text : NULL;
}
