// SPDX-License-Identifier: GPL-2.0
/*
 * TRACING_DATA: what libtraceevent needs to parse the records of tracepoints; the layout is that of
 * the beginning of a trace-cmd file, version 0.6.
 */
#include "perfdata/write/internal.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "host/tracefs.h"

/* Used if tracefs is not available: the file does not contain the pages that they describe. */
static const char page_text[] = "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
				"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
				"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
				"\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n";
static const char event_text[] = "# compressed entry header\n"
				 "\ttype_len    :    5 bits\n"
				 "\ttime_delta  :   27 bits\n"
				 "\tarray       :   32 bits\n";

/* The size of printk_formats is 32 bits wide; all others are 64. */
static void put_sized(struct rt_section *s, const char *text, size_t size)
{
	rt_section_u64(s, size);
	rt_section_put(s, text, size);
}

/* Read a file of tracefs, if this is the traced machine. */
static int read_tracefs(const struct rt_writer *w, const char *file, char **text, size_t *size)
{
	return w->foreign ? -ENOENT : rt_tracefs_read(NULL, file, text, size);
}

static void put_header_file(struct rt_writer *w, const char *name, const char *file,
			    const char *fallback)
{
	struct rt_section *s = &w->tracing;
	char *text = NULL;
	size_t size;

	rt_section_text(s, name);
	if (read_tracefs(w, file, &text, &size) || !size)
		put_sized(s, fallback, strlen(fallback));
	else
		put_sized(s, text, size);
	free(text);
}

static bool same_system(const char *a, const char *b)
{
	size_t len = strcspn(a, ":");

	return len == strcspn(b, ":") && !memcmp(a, b, len);
}

/* Add the formats of one system, each tracepoint once even if it is recorded twice. */
static void put_system(struct rt_writer *w, const char *name, struct rt_section *s)
{
	uint8_t seen[(UINT16_MAX + 1) / 8] = { 0 };
	const struct rt_file_event *ev;
	uint32_t count = 0;
	size_t count_at;
	unsigned i;

	rt_section_put(s, name, strcspn(name, ":"));
	rt_section_u8(s, 0);
	count_at = s->size;
	rt_section_u32(s, 0);
	for (i = 0; i < w->event_count; i++) {
		ev = &w->events[i];
		if (!ev->format || !same_system(ev->name, name) ||
		    rt_write_take(seen, ev->attr.config))
			continue;
		put_sized(s, ev->format, strlen(ev->format));
		count++;
	}
	if (!s->failed)
		memcpy(s->data + count_at, &count, sizeof(count));
}

static int put_formats(struct rt_writer *w, struct rt_section *s)
{
	const char **systems = calloc(w->event_count, sizeof(*systems));
	unsigned i, k, count = 0;

	if (!systems)
		return -ENOMEM;
	for (i = 0; i < w->event_count; i++) {
		if (!w->events[i].format)
			continue;
		for (k = 0; k < count && !same_system(systems[k], w->events[i].name); k++)
			;
		if (k == count)
			systems[count++] = w->events[i].name;
	}
	rt_section_u32(s, count);
	for (k = 0; k < count; k++)
		put_system(w, systems[k], s);
	free(systems);
	return 0;
}

static void put_strings(struct rt_writer *w)
{
	struct rt_section *s = &w->tracing;
	char *text;
	size_t size;

	/* kallsyms: perf gets symbols from elsewhere and expects an empty one here. */
	rt_section_u32(s, 0);

	/* Strings to which formats refer by address. */
	if (!read_tracefs(w, "printk_formats", &text, &size)) {
		rt_section_u32(s, size);
		rt_section_put(s, text, size);
		free(text);
	} else {
		rt_section_u32(s, 0);
	}

	if (!read_tracefs(w, "saved_cmdlines", &text, &size)) {
		put_sized(s, text, size);
		free(text);
	} else {
		rt_section_u64(s, 0);
	}
}

int rt_write_tracing(struct rt_writer *w, struct rt_err *err)
{
	static const uint8_t magic[] = { 23, 8, 68, 't', 'r', 'a', 'c', 'i', 'n', 'g' };
	struct rt_section *s = &w->tracing;
	unsigned i;

	/* Another recording's; the writer has no formats then. */
	if (w->sections) {
		if (!w->sections[RT_FEATURE_TRACING_DATA].data)
			return 0;
		rt_section_put(s, w->sections[RT_FEATURE_TRACING_DATA].data,
			       w->sections[RT_FEATURE_TRACING_DATA].size);
		return s->failed ? rt_err_set(err, ENOMEM, "no memory for the formats") : 0;
	}
	for (i = 0; i < w->event_count && !w->events[i].format; i++)
		;
	if (i == w->event_count)
		return 0;

	rt_section_put(s, magic, sizeof(magic));
	rt_section_text(s, "0.6");
	rt_section_u8(s, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	rt_section_u8(s, sizeof(long));
	rt_section_u32(s, sysconf(_SC_PAGESIZE));
	put_header_file(w, "header_page", "events/header_page", page_text);
	put_header_file(w, "header_event", "events/header_event", event_text);
	rt_section_u32(s, 0); /* no events of ftrace itself */
	if (put_formats(w, s))
		s->failed = true;
	put_strings(w);
	return s->failed ? rt_err_set(err, ENOMEM, "no memory for the formats of the tracepoints") :
			   0;
}
